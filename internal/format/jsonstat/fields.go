package jsonstat

import (
	"strings"

	"almanac/internal/format/jsonscan"
)

// texts are the texts of a value that is a text, an array of texts, or an
// array of objects that have one in their field "text".
func texts(j *jsonscan.Scanner, value jsonscan.Token) (all []string, err error) {
	add := func(more []string, err error) error {
		all = append(all, more...)
		return err
	}
	switch value.Kind {
	case jsonscan.Array:
		err = j.Array(func(item jsonscan.Token) error { return add(texts(j, item)) })
	case jsonscan.Object:
		err = j.Object(func(name string, value jsonscan.Token) error {
			if name == "text" {
				return add(texts(j, value))
			}
			return j.SkipRest(value)
		})
	case jsonscan.String:
		if s := strings.TrimSpace(string(value.Text)); s != "" {
			all = []string{s}
		}
	}
	return all, err
}

// list are the texts of an array as they stand; any other value has none.
func list(j *jsonscan.Scanner, value jsonscan.Token) (all []string, err error) {
	if value.Kind != jsonscan.Array {
		return nil, j.SkipRest(value)
	}
	err = j.Array(func(item jsonscan.Token) error {
		name, err := j.TextOf(item)
		all = append(all, name)
		return err
	})
	return all, err
}
