package request

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"almanac/internal/stat"
)

// Param is one parameter of an endpoint, as the tags of its struct say.
type Param struct {
	Name    string // as it stands in the query string
	Doc     string // what it does, for people
	Example string
	Type    string // "string", "integer" or "boolean"
	Repeat  bool   // may be given several times
	Default string // of integers
	Minimum int    // of integers

	field int // index in the struct
	dim   int // index in the field, where that is Dims or OneOfEach; else -1
}

// form is how a struct of parameters is read: made once for each type.
type form struct {
	params   []Param
	defaults []int // positions in params of those with a default
}

var forms sync.Map // reflect.Type → *form

// Params returns the parameters of a struct, in order.
func Params[T any]() []Param { return formOf[T]().params }

func formOf[T any]() *form {
	t := reflect.TypeFor[T]()
	if f, ok := forms.Load(t); ok {
		return f.(*form)
	}
	f := newForm(t)
	forms.Store(t, f)
	return f
}

// newForm reads the tags of a struct. A field of type Dims or OneOfEach stands
// for eight parameters.
func newForm(t reflect.Type) *form {
	f := &form{}
	for i := range t.NumField() {
		field := t.Field(i)
		p := Param{
			Name: field.Tag.Get("param"), Doc: field.Tag.Get("doc"), Example: field.Tag.Get("example"),
			Type: "string", field: i, dim: -1,
		}
		switch reflect.Zero(field.Type).Interface().(type) {
		case string:
		case []string:
			p.Repeat = true
		case bool:
			p.Type = "boolean"
		case int:
			p.Type, p.Default = "integer", field.Tag.Get("default")
			p.Minimum, _ = strconv.Atoi(field.Tag.Get("min"))
			f.defaults = append(f.defaults, len(f.params))
		case Dims, OneOfEach:
			p.Repeat = field.Type == reflect.TypeFor[Dims]()
			for dim := range stat.MaxDimensions {
				one := p
				one.Name, one.dim = p.Name+strconv.Itoa(dim+1), dim
				if dim > 0 {
					one.Example = "" // the example is a value of the first dimension
				}
				f.params = append(f.params, one)
			}
			continue
		default:
			panic("request: parameters cannot have type " + field.Type.String())
		}
		f.params = append(f.params, p)
	}
	return f
}

// Bind reads a query string into an empty struct of parameters. It refuses, with a
// [stat.Invalid] error that names the parameter: one that the struct does not
// have, a second value for one that takes one, an empty value, a boolean that
// is not true, false, 1 or 0, a number that is not decimal or below its
// minimum, a broken percent-encoding and invalid UTF-8. A plus is a space; a
// semicolon is no separator.
//
// After an error the struct holds what the other parameters say, so that a
// caller can still see what else was asked for.
func Bind[T any](query string, into *T) error {
	f := formOf[T]()
	target := reflect.ValueOf(into).Elem()
	for _, i := range f.defaults {
		p := &f.params[i]
		*p.at(target).(*int), _ = strconv.Atoi(p.Default)
	}
	var first error
	var seen uint32
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		if err := f.read(target, pair, &seen); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// read reads one name=value. The bits of seen are the parameters given before.
func (f *form) read(target reflect.Value, pair string, seen *uint32) error {
	rawName, rawValue, _ := strings.Cut(pair, "=")
	i := f.find(rawName)
	if i < 0 {
		name, err := unescape(rawName)
		if err != nil {
			return stat.Errorf(stat.Invalid, "the name of a parameter %s", err)
		}
		if i = f.find(name); i < 0 {
			return f.unknown(name)
		}
	}
	p := &f.params[i]
	value, err := unescape(rawValue)
	if err != nil {
		return stat.Errorf(stat.Invalid, "parameter %s %s", p.Name, err)
	}
	if value == "" {
		return stat.Errorf(stat.Invalid, "parameter %s has an empty value; give one or leave the parameter out", p.Name)
	}
	if *seen&(1<<i) != 0 && !p.Repeat {
		return stat.Errorf(stat.Invalid, "parameter %s is given more than once; it takes one value", p.Name)
	}
	*seen |= 1 << i
	return p.set(target, value)
}

func (f *form) find(name string) int {
	for i := range f.params {
		if f.params[i].Name == name {
			return i
		}
	}
	return -1
}

// unknown is the error for a parameter that the endpoint does not have.
func (f *form) unknown(name string) error {
	if len(f.params) == 0 {
		return stat.Errorf(stat.Invalid, "unknown parameter %q; this address takes none", name)
	}
	names := make([]string, len(f.params))
	for i, p := range f.params {
		names[i] = p.Name
	}
	hint := ""
	if near := nearest(name, names); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s? ", near[0])
	}
	return stat.Errorf(stat.Invalid, "unknown parameter %q; %sknown here: %s", name, hint, strings.Join(names, ", "))
}

// boolOf reads a boolean of a query string.
func boolOf(text string) (value, ok bool) {
	switch text {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

const notBool = "parameter %s is %.40q; right are true, false, 1 and 0"

// at returns a pointer to where a parameter's value goes.
func (p *Param) at(target reflect.Value) any {
	into := target.Field(p.field).Addr().Interface()
	switch into := into.(type) {
	case *Dims:
		return &into[p.dim]
	case *OneOfEach:
		return &into[p.dim]
	}
	return into
}

// set puts a value where it belongs.
func (p *Param) set(target reflect.Value, value string) error {
	switch into := p.at(target).(type) {
	case *string:
		*into = value
	case *[]string:
		*into = append(*into, value)
	case *bool:
		b, ok := boolOf(value)
		if !ok {
			return stat.Errorf(stat.Invalid, notBool, p.Name, value)
		}
		*into = b
	case *int:
		n, ok := decimal(value)
		if !ok || n < p.Minimum {
			return stat.Errorf(stat.Invalid, "parameter %s is %q; right is a decimal integer from %d up, of at most %d digits", p.Name, value, p.Minimum, maxDigits)
		}
		*into = n
	}
	return nil
}

// decimal reads up to maxDigits digits and nothing else.
func decimal(text string) (n int, ok bool) {
	if len(text) > maxDigits {
		return 0, false
	}
	for i := range len(text) {
		c := text[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, text != ""
}

// maxDigits is how many digits every integer of 64 bits can have.
const maxDigits = 18

// unescape undoes the percent-encoding of a name or value.
func unescape(text string) (string, error) {
	if isPlain(text) {
		return text, nil
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '+':
			out = append(out, ' ')
		case '%':
			if i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2]) {
				return "", fmt.Errorf("has a broken percent-encoding %q; after a percent sign stand two hexadecimal digits, and the sign itself is %%25", text[i:min(i+3, len(text))])
			}
			out = append(out, hex(text[i+1])<<4|hex(text[i+2]))
			i += 2
		default:
			out = append(out, c)
		}
	}
	return string(out), validUTF8(string(out))
}

// isPlain reports whether a text stands for itself: ASCII without an escape.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == '%' || c == '+' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func validUTF8(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("is not valid UTF-8: %q", text)
	}
	return nil
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func hex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
