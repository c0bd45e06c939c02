package jsonscan

import (
	"almanac/internal/format/text"

	"almanac/internal/stat"
)

// Object reads the rest of an object, after its {. field gets each name and
// the first token of its value, and reads the rest of the value. A name that
// comes twice is an error, since nothing says which of the two would hold.
// Objects with very many fields are better read token by token: the names are
// remembered to the end.
func (j *Scanner) Object(field func(name string, value Token) error) error {
	seen := map[string]struct{}{}
	for {
		token, err := j.Next()
		if err != nil || token.Kind == ObjectEnd {
			return err
		}
		name := string(token.Text)
		if _, twice := seen[name]; twice {
			return stat.BadFile(token.At, "the field %q comes twice in one object", text.Clip(name))
		}
		seen[name] = struct{}{}
		value, err := j.Next()
		if err != nil {
			return err
		}
		if err := field(name, value); err != nil {
			return err
		}
	}
}

// Array reads the rest of an array, after its [. item gets the first token of
// each value and reads the rest of it.
func (j *Scanner) Array(item func(value Token) error) error {
	for {
		token, err := j.Next()
		if err != nil || token.Kind == ArrayEnd {
			return err
		}
		if err := item(token); err != nil {
			return err
		}
	}
}

// TextOf is the text of a value that begins with a token; objects and arrays,
// which are passed over, and null have none.
func (j *Scanner) TextOf(value Token) (string, error) {
	switch value.Kind {
	case String, Number, True, False:
		return string(value.Text), nil
	}
	return "", j.SkipRest(value)
}
