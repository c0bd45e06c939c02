package nested

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Limits of files.
const (
	maxValues = 1_000_000
	maxCells  = 4_000_000 // of all rows
	maxDepth  = 32
)

type kind int

const (
	single kind = iota
	object
	array
)

// node is a value of a file.
type node struct {
	kind   kind
	name   string // in the object around it
	text   string // of a single value
	at     stat.Position
	values []*node
}

// leaves returns the number of single values.
func (n *node) leaves() int {
	if n.kind == single {
		return 1
	}
	sum := 0
	for _, v := range n.values {
		sum += v.leaves()
	}
	return sum
}

// has reports whether a list has values of a kind.
func (n *node) has(k kind) bool {
	return slices.ContainsFunc(n.values, func(v *node) bool { return v.kind == k })
}

// names returns the names of the fields of the first record of a list.
func (n *node) names() (names []string) {
	if n.kind == array && len(n.values) > 0 {
		for _, v := range n.values[0].values {
			names = append(names, v.name)
		}
	}
	return names
}

// find returns the value that names lead to; nil if there is none.
func (n *node) find(names ...string) *node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		at := slices.IndexFunc(n.values, func(v *node) bool { return n.kind == object && v.name == name })
		if at < 0 {
			return nil
		}
		n = n.values[at]
	}
	return n
}

// items returns the values of a list; one alone is a list too.
func (n *node) items() []*node {
	switch {
	case n == nil:
		return nil
	case n.kind == array:
		return n.values
	}
	return []*node{n}
}

// fields returns the fields of an object.
func (n *node) fields() []*node {
	if n == nil || n.kind != object {
		return nil
	}
	return n.values
}

// single returns a single value as text.
func (n *node) single() string {
	if n == nil || n.kind != single {
		return ""
	}
	return n.text
}

// attribute returns the text of an attribute in XML, which begins with @ in JSON.
func (n *node) attribute(name string) string {
	return cmp.Or(n.find("@"+name).single(), n.find(name).single())
}

// set adds a single value to an object.
func (n *node) set(name, text string, at stat.Position) {
	n.values = append(n.values, &node{name: name, text: text, at: at})
}

// year matches names of fields that are periods.
var year = regexp.MustCompile(`(?:^|[^0-9])(?:1[5-9]|20)[0-9]{2}(?:$|[^0-9]|(?:0[1-9]|1[0-2])(?:[0-3][0-9])?(?:$|[^0-9]))`)

// isOfPeriods reports whether the names of all fields of an object are periods.
func (n *node) isOfPeriods() bool {
	isNone := func(v *node) bool {
		return len(v.name) > 30 || len(strings.Fields(v.name)) > 5 || !year.MatchString(v.name) || v.kind == object
	}
	return len(n.values) > 0 && !slices.ContainsFunc(n.values, isNone)
}

// builder counts the values of a tree.
type builder struct{ values int }

func (b *builder) add(to, n *node) error {
	if b.values++; b.values > maxValues {
		return stat.BadFile(n.at, "the file has more than %d nested values: ask for fewer, or for another format", maxValues)
	}
	to.values = append(to.values, n)
	return nil
}

func readJSON(content io.Reader) (*node, error) {
	j, b, root := jsonscan.New(content), &builder{}, &node{kind: array}
	first, err := j.Next()
	if err == nil {
		err = b.json(j, root, "", first)
	}
	if err == nil {
		_, err = j.Next() // nothing may follow
	}
	if err != nil {
		return nil, err
	}
	return root.values[0], nil
}

// json adds a value that begins with a token.
func (b *builder) json(j *jsonscan.Scanner, to *node, name string, value jsonscan.Token) error {
	n := &node{name: name, at: value.At}
	if err := b.add(to, n); err != nil {
		return err
	}
	switch value.Kind {
	case jsonscan.Object:
		n.kind = object
		return j.Object(func(name string, value jsonscan.Token) error { return b.json(j, n, name, value) })
	case jsonscan.Array:
		n.kind = array
		return j.Array(func(value jsonscan.Token) error { return b.json(j, n, "", value) })
	case jsonscan.Null:
	default:
		n.text = strings.TrimSpace(string(value.Text))
	}
	return nil
}

func readXML(content io.Reader) (*node, error) {
	d := xml.NewDecoder(content)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8
	b, root := &builder{}, &node{kind: object}
	open := []*node{root}
	for {
		token, err := d.Token()
		line, column := d.InputPos()
		at, inner := stat.Position{Line: line, Column: column}, open[len(open)-1]
		var syntax *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return root, nil
		case errors.As(err, &syntax):
			return nil, stat.BadFile(at, "invalid XML: %s", syntax.Msg)
		case err != nil:
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{kind: object, name: token.Name.Local, at: at}
			if len(open) > maxDepth {
				return nil, stat.BadFile(at, "elements are nested more than %d deep", maxDepth)
			}
			if err := b.xml(inner, n, token.Attr); err != nil {
				return nil, err
			}
			open = append(open, n)
		case xml.CharData:
			inner.text += strings.TrimSpace(string(token))
		case xml.EndElement:
			inner.close()
			open = open[:len(open)-1]
		}
	}
}

// xml adds an element with its attributes.
func (b *builder) xml(to, n *node, attributes []xml.Attr) error {
	for _, a := range attributes {
		if a.Name.Space != "" || a.Name.Local == "xmlns" { // of XML and its types, not of the office
			continue
		}
		if err := b.add(n, &node{name: a.Name.Local, text: strings.TrimSpace(a.Value), at: n.at}); err != nil {
			return err
		}
	}
	return b.add(to, n)
}

// close ends an element: one of text alone is a single value, and elements of one name that
// are repeated are a list.
func (n *node) close() {
	if len(n.values) == 0 {
		n.kind = single
		return
	}
	if n.text != "" {
		n.set(n.name, n.text, n.at)
	}
	n.nameFields()
	var values []*node
	lists := map[string]*node{}
	for _, v := range n.values {
		first := lists[v.name]
		switch {
		case first == nil:
			lists[v.name] = v
			values = append(values, v)
		case first.kind == array:
			first.values = append(first.values, v)
		default:
			item := *first
			*first = node{kind: array, name: v.name, at: item.at, values: []*node{&item, v}}
		}
	}
	n.values = values
}

// nameFields gives elements that are all called alike and have their names as an attribute
// these names: <field name="Item" key="SP.POP.TOTL">Population</field>.
func (n *node) nameFields() {
	names := map[string]bool{}
	for _, v := range n.values {
		name := v.find("name").single()
		isOther := func(part *node) bool {
			return part.kind != single || part.name != "name" && part.name != "key" && part.name != v.name
		}
		if v.name != n.values[0].name || name == "" || names[name] || slices.ContainsFunc(v.values, isOther) {
			return
		}
		names[name] = true
	}
	if len(names) < 2 {
		return
	}
	fields := &node{}
	for _, v := range n.values {
		name := v.find("name").single()
		fields.set(name, v.find(v.name).single(), v.at)
		if key := v.find("key"); key != nil {
			fields.set(name+" key", key.single(), v.at)
		}
	}
	n.values = fields.values
}
