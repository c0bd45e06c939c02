package portal

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// prefixes are the vocabularies of the catalogue in DCAT.
var prefixes = map[string]string{
	"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/", "foaf": "http://xmlns.com/foaf/0.1/",
	"hydra": "http://www.w3.org/ns/hydra/core#", "xsd": "http://www.w3.org/2001/XMLSchema#",
}

// thing is a node of a graph of RDF. It is written as JSON-LD by package json, and as Turtle.
type thing struct {
	id         iri // empty: it is a part of another thing
	kind       string
	properties []property
}

// property has a value that is a text, a [typed] text, an [iri] or a *[thing].
type property struct {
	name  string
	value any
}

type iri string

// typed is a text with the name of its data type.
type typed struct{ text, kind string }

func (t *thing) add(name string, value any) {
	t.properties = append(t.properties, property{name, value})
}

// MarshalJSON writes the thing as JSON-LD.
func (t *thing) MarshalJSON() ([]byte, error) {
	node := map[string]any{"@type": t.kind}
	if t.id != "" {
		node["@id"] = t.id
	}
	for _, p := range t.properties {
		value := p.value
		switch v := value.(type) {
		case iri:
			value = map[string]any{"@id": v}
		case typed:
			value = map[string]any{"@value": v.text, "@type": v.kind}
		}
		switch before := node[p.name].(type) {
		case nil:
			node[p.name] = value
		case []any:
			node[p.name] = append(before, value)
		default:
			node[p.name] = []any{before, value}
		}
	}
	return json.Marshal(node)
}

// turtle writes a graph as Turtle.
func turtle(graph []*thing) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(prefixes)) {
		b.WriteString("@prefix " + name + ": <" + prefixes[name] + "> .\n")
	}
	for _, one := range graph {
		b.WriteString("\n" + one.id.turtle() + " a " + one.kind)
		for _, p := range one.properties {
			b.WriteString(" ;\n  " + p.name + " " + turtleValue(p.value))
		}
		b.WriteString(" .\n")
	}
	return b.String()
}

func turtleValue(value any) string {
	switch v := value.(type) {
	case iri:
		return v.turtle()
	case typed:
		return quoted(v.text) + "^^" + v.kind
	case *thing:
		text := "[ a " + v.kind
		for _, p := range v.properties {
			text += " ; " + p.name + " " + turtleValue(p.value)
		}
		return text + " ]"
	}
	return quoted(value.(string))
}

// turtle writes the address without the characters that Turtle does not allow in it.
func (i iri) turtle() string {
	return "<" + strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22", " ", "%20", "{", "%7B", "}", "%7D", "|", "%7C", `\`, "%5C", "^", "%5E", "`", "%60").Replace(string(i)) + ">"
}

// quoted writes a text with the escapes of JSON, which Turtle has too.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can be encoded
	return strings.TrimSpace(b.String())
}
