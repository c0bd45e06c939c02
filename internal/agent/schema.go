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

// Values are one or several texts. An agent may write one as "DE" or as ["DE"].
type Values []string

// UnmarshalJSON reads a text or a number, or a list of them.
func (v *Values) UnmarshalJSON(text []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		list = []json.RawMessage{text}
	}
	*v = nil
	for _, one := range list {
		value, err := scalar(one)
		if err != nil {
			return err
		}
		*v = append(*v, value)
	}
	return nil
}

// Text is a text. An agent may write 24 in place of "24".
type Text string

// UnmarshalJSON reads a text or a number.
func (t *Text) UnmarshalJSON(text []byte) error {
	value, err := scalar(text)
	*t = Text(value)
	return err
}

func scalar(text json.RawMessage) (string, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return "", err
	}
	switch value.(type) {
	case string:
		return value.(string), nil
	case float64:
		return string(text), nil
	}
	return "", fmt.Errorf("must be a text, not %.40s", text)
}

// Cell is a text, a number as the interface writes it, or null.
type Cell = json.RawMessage

var (
	scalarSchema = &jsonschema.Schema{Types: []string{"string", "integer"}}
	typeSchemas  = map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Values](): {Types: []string{"array", "string", "integer"}, Items: scalarSchema},
		reflect.TypeFor[Text]():   scalarSchema,
		reflect.TypeFor[Cell]():   {Types: []string{"string", "number", "null"}},
	}
)

// schemaOf returns the schema of a struct. The tag jsonschema describes a field, enum lists
// its values, and example is an example as JSON.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: typeSchemas})
	if err != nil {
		panic(err) // a test makes all schemas
	}
	describe(s, reflect.TypeFor[T]())
	return s
}

func describe(s *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
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
		if text := field.Tag.Get("example"); text != "" {
			var example any
			if err := json.Unmarshal([]byte(text), &example); err != nil {
				panic(fmt.Sprintf("the example of %s: %v", name, err))
			}
			property.Examples = []any{example}
		}
		property.Types = slices.DeleteFunc(property.Types, func(kind string) bool { return kind == "null" && field.Type != reflect.TypeFor[Cell]() })
		if len(property.Types) == 1 {
			property.Type, property.Types = property.Types[0], nil
		}
	}
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
