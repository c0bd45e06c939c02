package sdmxjson

import (
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// reader reads JSON by what is expected. Every function reads one value whole.
type reader struct {
	*jsonscan.Scanner
	at stat.Position // of the value or name read last
}

// next is the next token, whose place is remembered.
func (r *reader) next() (jsonscan.Token, error) {
	token, err := r.Next()
	r.at = token.At
	return token, err
}

// bad is an error at the value read last.
func (r *reader) bad(text string, args ...any) error { return stat.BadFile(r.at, text, args...) }

// object reads an object: field reads the value of each name. The text of name
// is overwritten by the next token. null is an object without fields.
func (r *reader) object(what string, field func(name []byte) error) error {
	token, err := r.next()
	if err != nil || token.Kind == jsonscan.Null {
		return err
	}
	if token.Kind != jsonscan.Object {
		return r.bad("%s is to be an object in { }", what)
	}
	for {
		name, err := r.next()
		if err != nil || name.Kind == jsonscan.ObjectEnd {
			return err
		}
		if err := field(name.Text); err != nil {
			return err
		}
	}
}

// fields is object for few fields with fixed names, none of which may come
// twice. A name that read does not know is passed over.
func (r *reader) fields(what string, read map[string]func() error) error {
	var seen []string
	return r.object(what, func(name []byte) error {
		field, ok := read[string(name)]
		if !ok {
			return r.Skip()
		}
		if slices.Contains(seen, string(name)) {
			return r.bad("the field %q stands twice in %s", name, what)
		}
		seen = append(seen, string(name))
		return field()
	})
}

// array reads an array: element reads the rest of each value, which begins
// with a token. null is an array without elements.
func (r *reader) array(what string, element func(first jsonscan.Token) error) error {
	token, err := r.next()
	if err != nil || token.Kind == jsonscan.Null {
		return err
	}
	if token.Kind != jsonscan.Array {
		return r.bad("%s is to be an array in [ ]", what)
	}
	return r.elements(element)
}

// elements reads the rest of an array.
func (r *reader) elements(element func(first jsonscan.Token) error) error {
	for {
		token, err := r.next()
		if err != nil || token.Kind == jsonscan.ArrayEnd {
			return err
		}
		if err := element(token); err != nil {
			return err
		}
	}
}

// objects reads an array of objects with fixed fields; begin makes what reads
// the next one.
func (r *reader) objects(what string, begin func() (map[string]func() error, func() error)) error {
	return r.array(what, func(first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return r.bad("%s holds something that is no object", what)
		}
		at := r.at
		fields, end := begin()
		var seen []string
		for {
			name, err := r.next()
			if err != nil {
				return err
			}
			if name.Kind == jsonscan.ObjectEnd {
				r.at = at
				return end()
			}
			field, ok := fields[string(name.Text)]
			switch {
			case !ok:
				err = r.Skip()
			case slices.Contains(seen, string(name.Text)):
				err = r.bad("the field %q stands twice in an object of %s", name.Text, what)
			default:
				seen = append(seen, string(name.Text))
				err = field()
			}
			if err != nil {
				return err
			}
		}
	})
}

// text reads a text into to: a string, a number as it is written, or a text in
// several languages. null is no text.
func (r *reader) text(to *string) func() error {
	return func() error {
		token, err := r.next()
		if err != nil {
			return err
		}
		*to, err = r.rest(token)
		return err
	}
}

// rest reads the rest of a text that begins with a token. Of several texts in
// an array there are semicolons between, of several languages English counts,
// else the first.
func (r *reader) rest(token jsonscan.Token) (string, error) {
	switch token.Kind {
	case jsonscan.String, jsonscan.Number, jsonscan.True, jsonscan.False:
		return string(token.Text), nil
	case jsonscan.Null:
		return "", nil
	case jsonscan.Array:
		var texts []string
		err := r.elements(func(first jsonscan.Token) error {
			text, err := r.rest(first)
			if text != "" {
				texts = append(texts, text)
			}
			return err
		})
		return strings.Join(texts, "; "), err
	}
	text, english := "", false
	for {
		name, err := r.next()
		if err != nil || name.Kind == jsonscan.ObjectEnd {
			return text, err
		}
		isEnglish := string(name.Text) == "en" || strings.HasPrefix(string(name.Text), "en-")
		value, err := r.next()
		if err != nil {
			return "", err
		}
		one, err := r.rest(value)
		if err != nil {
			return "", err
		}
		if one != "" && (text == "" || isEnglish && !english) {
			text, english = one, isEnglish
		}
	}
}

// texts reads one text or an array of them.
func (r *reader) texts(to *[]string) func() error {
	return func() error {
		token, err := r.next()
		if err != nil {
			return err
		}
		if token.Kind != jsonscan.Array {
			text, err := r.rest(token)
			if text != "" {
				*to = append(*to, text)
			}
			return err
		}
		return r.elements(func(first jsonscan.Token) error {
			text, err := r.rest(first)
			*to = append(*to, text)
			return err
		})
	}
}

// number reads a whole number that is not negative.
func (r *reader) number(what string, to *int) func() error {
	return func() error {
		token, err := r.next()
		if err != nil {
			return err
		}
		n, ok := position(token.Text)
		if token.Kind != jsonscan.Number || !ok {
			return r.bad("%s is to be a whole number from 0", what)
		}
		*to = n
		return nil
	}
}

// position reads a position in a list: a whole number of at most nine digits.
func position(text []byte) (n int, ok bool) {
	if len(text) == 0 || len(text) > 9 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
