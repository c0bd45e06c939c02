package jsonstat

import (
	"strings"

	"almanac/internal/format"
)

// texts are the texts of a value that is a text, an array of texts, or an
// array of objects that have one in their field "text".
func texts(j *format.JSON, value format.JSONToken) (all []string, err error) {
	add := func(more []string, err error) error {
		all = append(all, more...)
		return err
	}
	switch value.Kind {
	case format.JSONArray:
		err = j.Array(func(item format.JSONToken) error { return add(texts(j, item)) })
	case format.JSONObject:
		err = j.Object(func(name string, value format.JSONToken) error {
			if name == "text" {
				return add(texts(j, value))
			}
			return j.SkipRest(value)
		})
	case format.JSONString:
		if s := strings.TrimSpace(string(value.Text)); s != "" {
			all = []string{s}
		}
	}
	return all, err
}

// list are the texts of an array that was opened, as they stand: names.
func list(j *format.JSON) (all []string, err error) {
	err = j.Array(func(item format.JSONToken) error {
		name, err := j.TextOf(item)
		all = append(all, name)
		return err
	})
	return all, err
}

// listOf is a list, or no names where there is none.
func listOf(j *format.JSON, value format.JSONToken) ([]string, error) {
	if value.Kind != format.JSONArray {
		return nil, j.SkipRest(value)
	}
	return list(j)
}

// textMap reads an object whose values are made texts by read; anything else
// holds nothing.
func textMap[T any](j *format.JSON, value format.JSONToken, read func(*format.JSON, format.JSONToken) (T, error)) (map[string]T, error) {
	if value.Kind != format.JSONObject {
		return nil, j.SkipRest(value)
	}
	all := map[string]T{}
	err := j.Object(func(name string, value format.JSONToken) error {
		read, err := read(j, value)
		all[name] = read
		return err
	})
	return all, err
}
