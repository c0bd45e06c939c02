package sdmxjson

import (
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// reader reads JSON by what is expected. Every function reads one value whole.
type reader struct {
	*jsonscan.Scanner
	at stat.Position // of the value or name read last
	// elsewhere reads the values of fields that are too large to be kept as
	// nodes, by what errors call the object and by the field's name.
	elsewhere map[[2]string]func() error
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
	return r.fields(field)
}

// fields reads the rest of an object.
func (r *reader) fields(field func(name []byte) error) error {
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

// once makes of functions that read the fields of an object one that refuses
// fields that come twice, and passes over unknown ones.
func (r *reader) once(what string, read map[string]func() error) func(name []byte) error {
	var seen []string
	return func(name []byte) error {
		field, ok := read[string(name)]
		if !ok {
			return r.Skip()
		}
		if slices.Contains(seen, string(name)) {
			return r.bad("the field %q stands twice in %s", name, what)
		}
		seen = append(seen, string(name))
		return field()
	}
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

// node is a value that is kept whole, for what is not large: everything but the
// data. A nil node is null, or a field that is not there.
type node struct {
	at     stat.Position
	kind   jsonscan.Kind
	text   string
	names  []string // of an object's fields, in order
	values []*node  // of its fields, or an array's elements
}

// node reads the next value, which is that of the field what.
func (r *reader) node(what string) (*node, error) {
	first, err := r.next()
	if err != nil {
		return nil, err
	}
	return r.nodeFrom(what, what, first)
}

// nodeFrom reads the rest of a value that begins with a token. An object in it
// is called what in errors.
func (r *reader) nodeFrom(field, what string, first jsonscan.Token) (*node, error) {
	n := &node{at: r.at, kind: first.Kind}
	switch first.Kind {
	case jsonscan.Null:
		return nil, nil
	case jsonscan.Array:
		return n, r.elements(func(first jsonscan.Token) error {
			element, err := r.nodeFrom(field, "an object of "+field, first)
			n.values = append(n.values, element)
			return err
		})
	case jsonscan.Object:
		return n, r.fields(func(name []byte) error {
			if slices.Contains(n.names, string(name)) {
				return r.bad("the field %q stands twice in %s", name, what)
			}
			field := string(name)
			n.names = append(n.names, field)
			n.values = append(n.values, nil)
			if read := r.elsewhere[[2]string{what, field}]; read != nil {
				return read()
			}
			value, err := r.node(field)
			n.values[len(n.values)-1] = value
			return err
		})
	}
	n.text = string(first.Text)
	return n, nil
}

// field is the value of an object's field.
func (n *node) field(name string) *node {
	if n == nil {
		return nil
	}
	if at := slices.Index(n.names, name); at >= 0 {
		return n.values[at]
	}
	return nil
}

// String is a text: a string, a number as it is written, or a text in several
// languages, of which English counts, else the first. Of several texts in an
// array there are semicolons between.
func (n *node) String() string {
	switch {
	case n == nil:
		return ""
	case n.kind == jsonscan.Array:
		return strings.Join(n.texts(), "; ")
	case n.kind != jsonscan.Object:
		return n.text
	}
	best, rank := "", 0
	for i, value := range n.values {
		text, r := value.String(), sdmx.LanguageRank(n.names[i], "")
		if r != sdmx.LanguageRank("en", "") {
			r = 1
		}
		if text != "" && r > rank {
			best, rank = text, r
		}
	}
	return best
}

// texts are the texts of an array that are not empty, or the one text.
func (n *node) texts() []string {
	values := []*node{n}
	if n != nil && n.kind == jsonscan.Array {
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

// label is a name: "names" in several languages go before "name".
func (n *node) label() string {
	if names := n.field("names").String(); names != "" {
		return names
	}
	return n.field("name").String()
}

// checkObject refuses what is neither an object nor null.
func (n *node) checkObject(what string) error {
	if n != nil && n.kind != jsonscan.Object {
		return stat.BadFile(n.at, "%s is to be an object in { }", what)
	}
	return nil
}

// objects are the objects of an array.
func (n *node) objects(what string) ([]*node, error) {
	if n == nil {
		return nil, nil
	}
	if n.kind != jsonscan.Array {
		return nil, stat.BadFile(n.at, "%s is to be an array in [ ]", what)
	}
	for _, element := range n.values {
		if element == nil || element.kind != jsonscan.Object {
			at := n.at
			if element != nil {
				at = element.at
			}
			return nil, stat.BadFile(at, "%s holds something that is no object", what)
		}
	}
	return n.values, nil
}

// position reads a position in a list: a whole number of at most nine digits.
func position[T string | []byte](text T) (n int, ok bool) {
	if len(text) == 0 || len(text) > 9 {
		return 0, false
	}
	for i := range len(text) {
		c := text[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
