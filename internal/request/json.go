package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"almanac/internal/stat"
)

// object is a JSON object in the order of its text.
type object []member

type member struct {
	name  string
	value any // nil, bool, string, json.Number, []any or object
}

// maxDepth bounds the nesting of objects and arrays. Valid requests need one level
// less.
const maxDepth = 4

// readObject reads a text that is one JSON object. Unlike encoding/json, it rejects
// duplicate names, text after the object, invalid UTF-8 and unpaired surrogates. The
// error continues a sentence whose subject is the text.
func readObject(text []byte) (object, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("is empty")
	}
	if !utf8.Valid(text) {
		return nil, errors.New("is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	v, err := readValue(dec, 0)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, errors.New("ends unexpectedly")
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be read as JSON: %s", err)
	}
	o, ok := v.(object)
	if !ok {
		return nil, fmt.Errorf("is %s", describeValue(v))
	}
	// encoding/json would replace \ud83d without its other half by U+FFFD. The text is
	// JSON, so backslashes occur only in strings.
	for _, found := range escapes.FindAllSubmatch(text, -1) {
		if found[1] != nil {
			return nil, fmt.Errorf("has %s, half of a surrogate pair, which is not a character", found[0])
		}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("has text after its JSON object, at byte %d", dec.InputOffset())
	}
	return o, nil
}

// escapes matches the escapes of a JSON string. A surrogate pair is one match; half
// of a pair is a submatch.
var escapes = regexp.MustCompile(`\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)`)

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
		return nil, fmt.Errorf("nested more than %d levels deep at byte %d", maxDepth, dec.InputOffset())
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
	_, err = dec.Token()
	return o, err
}

// MaxAccount bounds the body of a request for an account, in bytes.
const MaxAccount = 4 << 10

// ReadAccount reads the JSON body of a request for an account: an object with
// a name and nothing else. The error is [stat.Invalid].
func ReadAccount(body []byte) (name string, err error) {
	return readText(body, "name", `a JSON object such as {"name": "Example newsroom"}`)
}

// MaxReference bounds the body of a request for a dataset of an office, in bytes.
const MaxReference = 4 << 10

// ReadReference reads the JSON body of a request for a dataset of an office: an object
// with a reference and nothing else. The error is [stat.Invalid].
func ReadReference(body []byte) (reference string, err error) {
	return readText(body, "reference", `a JSON object such as {"reference": "eurostat:une_rt_m"}`)
}

// readText reads an object with one field, a string. want describes it.
func readText(body []byte, field, want string) (text string, err error) {
	members, err := readObject(body)
	if err != nil {
		return "", stat.Errorf(stat.Invalid, "the body %s; it must be %s", err, want)
	}
	for _, m := range members {
		value, ok := m.value.(string)
		switch {
		case m.name != field:
			return "", stat.Errorf(stat.Invalid, "unknown field %.60q; the body must be %s", m.name, want)
		case !ok:
			return "", stat.Errorf(stat.Invalid, "%s must be a string, not %s; the body must be %s", field, describeValue(m.value), want)
		}
		text = value
	}
	if len(members) == 0 {
		return "", stat.Errorf(stat.Invalid, "the body has no %s; it must be %s", field, want)
	}
	return text, nil
}
