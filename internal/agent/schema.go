package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Cell is a text, a number as the interface writes it, or null.
type Cell = json.RawMessage

var typeSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[Cell](): {Description: "A text, a number or null."},
}

// schemaOf returns the schema of a struct. The tag jsonschema describes a field, enum lists
// its values, range the least and the greatest number, and example is an example as JSON. Each part has one type, because some clients
// read no others; [normalise] accepts more.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: typeSchemas})
	if err != nil {
		panic(err) // a test makes all schemas
	}
	withoutNull(s)
	describe(s, reflect.TypeFor[T]())
	return s
}

// withoutNull removes null from the types of lists and of what they contain: empty ones are
// left out or [].
func withoutNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Types != nil {
		s.Types = slices.DeleteFunc(s.Types, func(kind string) bool { return kind == "null" })
		s.Type, s.Types = s.Types[0], nil
	}
	withoutNull(s.Items)
	withoutNull(s.AdditionalProperties)
	for _, property := range s.Properties {
		withoutNull(property)
	}
}

func describe(s *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			describe(s, field.Type)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil {
			continue
		}
		if list := field.Tag.Get("enum"); list != "" {
			for value := range strings.SplitSeq(list, ",") {
				property.Enum = append(property.Enum, value)
			}
		}
		if list := field.Tag.Get("range"); list != "" {
			property.Minimum, property.Maximum = boundsOf(name, list)
		}
		if text := field.Tag.Get("example"); text != "" {
			var example any
			if err := json.Unmarshal([]byte(text), &example); err != nil {
				panic(fmt.Sprintf("the example of %s: %v", name, err))
			}
			property.Examples = []any{example}
		}
	}
}

// boundsOf reads the tag range of a field: "1,100".
func boundsOf(name, list string) (least, greatest *float64) {
	var bounds [2]float64
	if _, err := fmt.Sscanf(list, "%g,%g", &bounds[0], &bounds[1]); err != nil {
		panic(fmt.Sprintf("the range of %s: %v", name, err))
	}
	return &bounds[0], &bounds[1]
}

// outOfRange says which of the arguments is a number out of its range, empty if none is.
func outOfRange(arguments json.RawMessage, s *jsonschema.Schema) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(arguments, &members) != nil {
		return ""
	}
	for _, name := range s.PropertyOrder {
		property := s.Properties[name]
		var n float64
		if property.Minimum == nil || members[name] == nil || json.Unmarshal(members[name], &n) != nil {
			continue
		}
		if n < *property.Minimum || n > *property.Maximum {
			return fmt.Sprintf("%s must be from %g to %g, not %s", name, *property.Minimum, *property.Maximum, members[name])
		}
	}
	return ""
}

// normalise returns arguments in the types of their schema: a single text where a list is
// expected, a number where a text is, and the reverse. What fits no better stays, and is
// refused with the name of the parameter.
func normalise(arguments json.RawMessage, s *jsonschema.Schema) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return arguments
	}
	text, err := json.Marshal(convert(value, s))
	if err != nil {
		return arguments
	}
	return text
}

func convert(value any, s *jsonschema.Schema) any {
	if s == nil {
		return value
	}
	switch s.Type {
	case "object":
		members, ok := value.(map[string]any)
		if !ok {
			return value
		}
		for name, member := range members {
			property := s.Properties[name]
			if property == nil {
				property = s.AdditionalProperties
			}
			if member == nil {
				delete(members, name) // null is as good as nothing
				continue
			}
			members[name] = convert(member, property)
		}
	case "array":
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for i := range list {
			list[i] = convert(list[i], s.Items)
		}
		return list
	case "string":
		if n, ok := value.(json.Number); ok {
			return n.String()
		}
	case "integer":
		if text, ok := value.(string); ok && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	}
	return value
}

// textOf returns the JSON of a result, with & in addresses as it is.
func textOf(result any) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		panic(err) // results consist of texts and numbers
	}
	return strings.TrimSuffix(text.String(), "\n")
}
