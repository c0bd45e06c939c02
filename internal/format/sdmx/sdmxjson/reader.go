package sdmxjson

import (
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// reader reads values of an expected kind. Null is an empty value of any kind; another
// kind is an error.
type reader struct{ *jsonscan.Scanner }

// fields are what [jsonscan.Scanner.Decode] reads the fields of an object into.
type fields = map[string]any

// separator is between the texts of an array.
const separator = "; "

// readFunc reads a value by its first token.
type readFunc = func(first jsonscan.Token) error

// begins reports whether a value is of a kind and not null, so that its rest follows.
func begins(value jsonscan.Token, kind jsonscan.Kind, what string) (bool, error) {
	if value.Kind == kind || value.Kind == jsonscan.Null {
		return value.Kind == kind, nil
	}
	kinds := map[jsonscan.Kind]string{jsonscan.Object: "an object in { }", jsonscan.Array: "an array in [ ]"}
	return false, stat.BadFile(value.At, "%s must be %s", what, kinds[kind])
}

// entries reads an object with any number of fields, as [jsonscan.Scanner.Members].
func (r *reader) entries(what string, first jsonscan.Token, entry func(name, value jsonscan.Token) error) error {
	if ok, err := begins(first, jsonscan.Object, what); !ok {
		return err
	}
	return r.Members(entry)
}

// array reads an array, as [jsonscan.Scanner.Array].
func (r *reader) array(what string, first jsonscan.Token, element readFunc) error {
	if ok, err := begins(first, jsonscan.Array, what); !ok {
		return err
	}
	return r.Array(element)
}

// object returns a function that reads an object into fields.
func (r *reader) object(what string, to fields) readFunc {
	return func(first jsonscan.Token) error {
		if ok, err := begins(first, jsonscan.Object, what); !ok {
			return err
		}
		return r.Decode(first, to)
	}
}

// objects returns a function that reads an array of objects.
func (r *reader) objects(what string, element readFunc) readFunc {
	return func(first jsonscan.Token) error {
		return r.array(what, first, func(value jsonscan.Token) error {
			if value.Kind != jsonscan.Object {
				return stat.BadFile(value.At, "every element of %s must be an object", what)
			}
			return element(value)
		})
	}
}

// text returns a function that reads a text.
func (r *reader) text(to *string) readFunc {
	return func(first jsonscan.Token) (err error) {
		*to, err = r.readText(first)
		return err
	}
}

// texts returns a function that reads a text in several languages.
func (r *reader) texts(to *[]sdmx.Text) readFunc {
	return func(first jsonscan.Token) (err error) {
		if first.Kind == jsonscan.Object {
			*to, err = r.readTexts()
			return err
		}
		text, err := r.readText(first)
		*to = []sdmx.Text{{Text: text}}
		return err
	}
}

func (r *reader) readTexts() (texts []sdmx.Text, err error) {
	err = r.Object(func(language string, value jsonscan.Token) error {
		text, err := r.readText(value)
		texts = append(texts, sdmx.Text{Language: language, Text: text})
		return err
	})
	return texts, err
}

// readText reads the text of a string or number, the English one of texts in several
// languages, else the first, or the texts of an array, with semicolons between them.
func (r *reader) readText(first jsonscan.Token) (string, error) {
	switch first.Kind {
	case jsonscan.Null:
		return "", nil
	case jsonscan.Array:
		var texts []string
		err := r.Array(func(value jsonscan.Token) error {
			text, err := r.readText(value)
			texts = append(texts, text)
			return err
		})
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
		return strings.Join(texts, separator), err
	case jsonscan.Object:
		texts, err := r.readTexts()
		return sdmx.Best(texts, ""), err
	}
	return string(first.Text), nil
}

// attribute is the value of an attribute in the data: a position in the list of its
// component, or -1 and a text.
type attribute struct {
	position int
	text     string
}

func (a attribute) isStated() bool { return a != attribute{position: -1} }

func (r *reader) readAttribute(first jsonscan.Token) (a attribute, err error) {
	if a.position = positionOf(first); a.position < 0 {
		a.text, err = r.readText(first)
	}
	return a, err
}

func (r *reader) attributes(to *[]attribute) readFunc {
	return func(first jsonscan.Token) error {
		return r.array("attributes", first, func(value jsonscan.Token) error {
			a, err := r.readAttribute(value)
			*to = append(*to, a)
			return err
		})
	}
}

// position reads a position in a list, a whole number of at most nine digits; -1
// for any other text.
func position(text []byte) int {
	if len(text) == 0 || len(text) > 9 {
		return -1
	}
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// positionOf returns the position that a value is; -1 for any other value.
func positionOf(value jsonscan.Token) int {
	if value.Kind != jsonscan.Number {
		return -1
	}
	return position(value.Text)
}

// number returns a function that reads a whole number.
func number(what string, to *int) readFunc {
	return func(first jsonscan.Token) error {
		if first.Kind == jsonscan.Null {
			return nil
		}
		if *to = positionOf(first); *to < 0 {
			return stat.BadFile(first.At, "%s must be a whole number from 0", what)
		}
		return nil
	}
}
