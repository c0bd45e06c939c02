package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"almanac/internal/stat"
)

// object is a JSON object in the order of its text.
type object []member

type member struct {
	name  string
	value any // nil, bool, string, json.Number, []any or object
}

func (o object) find(name string) (any, bool) {
	for _, m := range o {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// maxDepth is how deep objects and arrays may be nested: one deeper than any
// request is.
const maxDepth = 4

// readObject reads a text that is one JSON object. It refuses what
// encoding/json lets pass: a second value for a name, text after the object,
// invalid UTF-8.
func readObject(text []byte) (object, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, stat.Errorf(stat.Invalid, "the body is empty; right is a JSON object with datasetId and chartType")
	}
	if !utf8.Valid(text) {
		return nil, stat.Errorf(stat.Invalid, "the body is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	v, err := readValue(dec, 0)
	if err != nil {
		return nil, stat.Errorf(stat.Invalid, "the body is not a JSON object that can be read: %s", plainly(err))
	}
	o, ok := v.(object)
	if !ok {
		return nil, stat.Errorf(stat.Invalid, "the body is %s; right is a JSON object with datasetId and chartType", nameOf(v))
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, stat.Errorf(stat.Invalid, "the body goes on after its JSON object, at byte %d", dec.InputOffset())
	}
	return o, nil
}

// plainly says for people what encoding/json says of a text that breaks off.
func plainly(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return "it ends too early"
	}
	return err.Error()
}

func readValue(dec *json.Decoder, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if depth == maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep at byte %d", maxDepth, dec.InputOffset())
	}
	if delim == '[' {
		list := []any{}
		for dec.More() {
			v, err := readValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return readMembers(dec, depth)
}

func readMembers(dec *json.Decoder, depth int) (any, error) {
	o := object{}
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string)
		if seen[name] {
			return nil, fmt.Errorf("the name %.60q is given twice", name)
		}
		seen[name] = true
		v, err := readValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, v})
	}
	_, err := dec.Token()
	return o, err
}
