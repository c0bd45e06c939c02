package sdmxjson

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// reader reads whole values of an expected kind.
type reader struct{ *jsonscan.Scanner }

// begins reports whether a value is of a kind, so that its rest follows; null
// stands for an empty one. Any other kind is an error.
func begins(value jsonscan.Token, kind jsonscan.Kind, what string) (bool, error) {
	if value.Kind == kind || value.Kind == jsonscan.Null {
		return value.Kind == kind, nil
	}
	want := "an object in { }"
	if kind == jsonscan.Array {
		want = "an array in [ ]"
	}
	return false, stat.BadFile(value.At, "%s must be %s", what, want)
}

// entries reads an object with any number of fields, as [jsonscan.Scanner.Members].
func (r *reader) entries(what string, first jsonscan.Token, entry func(name, value jsonscan.Token) error) error {
	if ok, err := begins(first, jsonscan.Object, what); !ok {
		return err
	}
	return r.Members(entry)
}

// array reads an array, as [jsonscan.Scanner.Array].
func (r *reader) array(what string, first jsonscan.Token, element func(value jsonscan.Token) error) error {
	if ok, err := begins(first, jsonscan.Array, what); !ok {
		return err
	}
	return r.Array(element)
}

// node is a value that is kept whole. A nil node is a field that is null or
// missing.
type node struct {
	jsonscan.Token          // the first of the value
	names          []string // of an object's fields
	values         []*node  // of its fields, or an array's elements
}

// readers read fields that are too large for nodes, by name.
type readers map[string]func(value jsonscan.Token) error

// node reads the rest of a value. large reads some of its fields instead.
func (r *reader) node(what string, first jsonscan.Token, large readers) (*node, error) {
	n := &node{Token: jsonscan.Token{Kind: first.Kind, At: first.At}}
	switch first.Kind {
	case jsonscan.Null:
		return n, nil
	case jsonscan.Array:
		return n, r.Array(func(value jsonscan.Token) error {
			element, err := r.node(what, value, nil)
			n.values = append(n.values, element)
			return err
		})
	case jsonscan.Object:
		return n, r.Object(func(field string, value jsonscan.Token) (err error) {
			var child *node
			if read := large[field]; read != nil {
				err = read(value)
			} else {
				child, err = r.node(field, value, nil)
			}
			n.names, n.values = append(n.names, field), append(n.values, child)
			return err
		})
	}
	n.Text = bytes.Clone(first.Text)
	return n, nil
}

func (n *node) field(name string) *node {
	if n == nil {
		return nil
	}
	at := slices.Index(n.names, name)
	if at < 0 || n.values[at] == nil || n.values[at].Kind == jsonscan.Null {
		return nil
	}
	return n.values[at]
}

// String returns the text of a string or number, or, of texts in several languages,
// the one in English, else the first. Semicolons separate the texts of an array.
func (n *node) String() string {
	switch {
	case n == nil:
		return ""
	case n.Kind == jsonscan.Array:
		return strings.Join(n.texts(), "; ")
	case n.Kind != jsonscan.Object:
		return string(n.Text)
	}
	first := ""
	for i, value := range n.values {
		text := value.String()
		if text != "" && sdmx.LanguageRank(n.names[i], "") == sdmx.LanguageRank("en", "") {
			return text
		}
		first = cmp.Or(first, text)
	}
	return first
}

// texts returns the texts of an array that are not empty, or the one text.
func (n *node) texts() []string {
	values := []*node{n}
	if n != nil && n.Kind == jsonscan.Array {
		values = n.values
	}
	var texts []string
	for _, value := range values {
		if text := value.String(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func (n *node) fieldText(name string) string { return n.field(name).String() }

// label returns a name; "names", in several languages, takes precedence over "name".
func (n *node) label() string { return cmp.Or(n.fieldText("names"), n.fieldText("name")) }

// position reads a position in a list, a whole number of at most nine digits; -1
// for any other text.
func position[T string | []byte](text T) int {
	if len(text) == 0 || len(text) > 9 {
		return -1
	}
	n := 0
	for _, c := range []byte(text) {
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
