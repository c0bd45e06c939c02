package request

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"almanac/internal/stat"
)

// Param is a parameter of an endpoint. It is read from the tags of a struct.
type Param struct {
	Name    string // as in the query string
	Doc     string // description for the API reference
	Example string
	Type    string   // "string", "integer" or "boolean"
	Repeat  bool     // may be repeated
	Needed  bool     // must be given
	Default string   // of integers, and of booleans that are true
	Minimum int      // of integers
	Maximum int      // of integers
	Enum    []string // the values that it takes; nil: others too

	inverted bool    // false sets a boolean field
	kind     kind    // of the value in the struct
	offset   uintptr // of the value in the struct, in bytes
	dim      int     // index in the field if that is Dims
	chart    *Field  // the field of a chart request that it sets instead, or nil
}

// kind is the type of a value in a struct of parameters.
type kind uint8

const (
	textKind kind = iota
	listKind
	boolKind
	intKind
)

// form describes how to read a struct of parameters. There is one for each type.
type form struct {
	params []Param
	byName map[string]int // index in params
}

// formWith returns a form of some parameters of a struct.
func formWith(params []Param) *form {
	f := &form{}
	for _, p := range params {
		f.append(p)
	}
	return f
}

// append adds a parameter.
func (f *form) append(p Param) {
	if f.byName == nil {
		f.byName = map[string]int{}
	}
	f.byName[p.Name] = len(f.params)
	f.params = append(f.params, p)
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

// newForm reads the tags of a struct.
func newForm(t reflect.Type) *form {
	f := &form{}
	f.add(t, 0)
	if len(f.params) > len(paramSet{})*64 {
		panic("request: too many parameters in " + t.String())
	}
	return f
}

// add adds the parameters of a struct at an offset of the outermost one. A field of type Dims is
// eight parameters; those of an embedded struct are its own.
func (f *form) add(t reflect.Type, offset uintptr) {
	for i := range t.NumField() {
		field := t.Field(i)
		at := offset + field.Offset
		if field.Anonymous {
			f.add(field.Type, at)
			continue
		}
		tag := tagOf(&field)
		p := Param{
			Name: tag.Get("param"), Doc: tag.Get("doc"), Example: tag.Get("example"),
			Type: "string", Needed: tag.Get("needed") == "true", offset: at,
		}
		if values := tag.Get("enum"); values != "" {
			p.Enum = strings.Split(values, ",")
		}
		switch reflect.Zero(field.Type).Interface().(type) {
		case string:
		case []string:
			p.kind, p.Repeat = listKind, true
		case bool:
			p.kind, p.Type = boolKind, "boolean"
			if p.inverted = tag.Get("inverted") == "true"; p.inverted {
				p.Default = "true"
			}
		case int:
			p.kind, p.Type, p.Default = intKind, "integer", tag.Get("default")
			p.Minimum, _ = strconv.Atoi(tag.Get("min"))
			p.Maximum, _ = strconv.Atoi(cmp.Or(tag.Get("max"), maxInteger))
		case Dims:
			p.kind, p.Repeat = listKind, tag.Get("repeat") != "false"
			for dim := range stat.MaxDimensions {
				one := p
				one.Name, one.dim = p.Name+strconv.Itoa(dim+1), dim
				one.offset += uintptr(dim) * unsafe.Sizeof(Dims{}[0])
				if dim > 0 {
					one.Example = "" // the example is a value of the first dimension
				}
				f.append(one)
			}
			continue
		default:
			panic("request: parameters cannot have type " + field.Type.String())
		}
		f.append(p)
	}
}

// tagOf returns the tag of a field: its own, or with as:"data" that of the parameter of [Data] with
// its name.
func tagOf(field *reflect.StructField) reflect.StructTag {
	if field.Tag.Get("as") != "data" {
		return field.Tag
	}
	data := reflect.TypeFor[Data]()
	for i := range data.NumField() {
		if f := data.Field(i); f.Tag.Get("param") == field.Tag.Get("param") && f.Type == field.Type {
			return f.Tag
		}
	}
	panic("request: data have no parameter " + field.Name)
}

// paramSet marks parameters by their index in a form.
type paramSet [2]uint64

// add marks a parameter and reports whether it was marked before.
func (s *paramSet) add(i int) (was bool) {
	word, bit := &s[i/64], uint64(1)<<(i%64)
	was = *word&bit != 0
	*word |= bit
	return was
}

// Bind reads a query string into an empty struct of parameters. The error is
// [stat.Invalid] and names the parameter: one that is unknown, empty, given twice but takes
// one value, or malformed. A plus is a space; a semicolon is not a separator. After an
// error, the struct has the values of the other parameters.
func Bind[T any](query string, into *T) error {
	f := formOf[T]()
	target := unsafe.Pointer(into)
	for i := range f.params {
		if p := &f.params[i]; p.kind == intKind && p.Default != "" {
			*(*int)(p.at(target)), _ = strconv.Atoi(p.Default)
		}
	}
	var values []string
	return f.bind(query, func(p *Param, value string) error {
		if p.kind == listKind {
			if values == nil {
				values = make([]string, 0, strings.Count(query, "&")+1)
			}
			values = appendTo((*[]string)(p.at(target)), value, values)
			return nil
		}
		return p.set(target, value)
	})
}

// appendTo appends a value to a list. Lists are parts of one slice with the values of all
// parameters, as long as those of one stand together. It returns that slice.
func appendTo(list *[]string, value string, all []string) []string {
	n := len(*list)
	all = append(all, value)
	if last := len(all) - 1; n == 0 || last > 0 && &(*list)[n-1] == &all[last-1] {
		*list = all[last-n : last+1 : last+1]
	} else {
		*list = append(*list, value)
	}
	return all
}

// bind calls set with each parameter and value of a query string, and returns the
// first error.
func (f *form) bind(query string, set func(p *Param, value string) error) error {
	var first error
	var seen paramSet
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		p, value, err := f.read(pair, &seen)
		if err == nil {
			err = set(p, value)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// read reads one name=value. seen marks the parameters already read.
func (f *form) read(pair string, seen *paramSet) (p *Param, value string, err error) {
	rawName, rawValue, _ := strings.Cut(pair, "=")
	name, err := unescape(rawName)
	if err != nil {
		return nil, "", stat.Errorf(stat.Invalid, "a parameter name %s", err)
	}
	i := f.find(name)
	if i < 0 {
		return nil, "", f.unknown(name)
	}
	p = &f.params[i]
	value, err = unescape(rawValue)
	wasSeen := seen.add(i)
	switch {
	case err != nil:
		err = stat.Errorf(stat.Invalid, "parameter %s %s", name, err)
	case value == "":
		err = stat.Errorf(stat.Invalid, "parameter %s is empty; give a value or leave the parameter out", name)
	case wasSeen && !p.Repeat:
		err = stat.Errorf(stat.Invalid, "parameter %s is given more than once; it takes one value", name)
	}
	return p, value, err
}

// find returns the index of a parameter, -1 if there is none.
func (f *form) find(name string) int {
	if i, ok := f.byName[name]; ok {
		return i
	}
	return -1
}

// at returns a pointer to the value of a parameter in a struct: a *string, *[]string, *bool or
// *int, as the kind says. The offset is that of a field of the type of the struct.
func (p *Param) at(target unsafe.Pointer) unsafe.Pointer { return unsafe.Add(target, p.offset) }

func (p *Param) set(target unsafe.Pointer, value string) error {
	switch p.kind {
	case textKind:
		*(*string)(p.at(target)) = value
	case listKind:
		into := (*[]string)(p.at(target))
		*into = append(*into, value)
	case boolKind:
		is, err := parseBool(p.Name, value)
		*(*bool)(p.at(target)) = is != p.inverted && err == nil
		return err
	case intKind:
		n, ok := parseDecimal(value)
		if !ok || n < p.Minimum || n > p.Maximum {
			return stat.Errorf(stat.Invalid, "parameter %s must be a decimal integer of %d or more and at most %d, not %q", p.Name, p.Minimum, p.Maximum, value)
		}
		*(*int)(p.at(target)) = n
	}
	return nil
}

func parseBool(name, text string) (bool, error) {
	switch text {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, stat.Errorf(stat.Invalid, "parameter %s must be true, false, 1 or 0, not %.40q", name, text)
}

// maxDigits is a number of digits that always fits into 64 bits.
const maxDigits = 18

// maxInteger is the largest integer of parameters that do not state one.
const maxInteger = "1000000000"

func parseDecimal(text string) (n int, ok bool) {
	unsigned, err := strconv.ParseUint(text, 10, 63)
	return int(unsigned), err == nil && len(text) <= maxDigits
}

// unescape decodes a percent-encoding. The error continues a sentence.
func unescape(text string) (string, error) {
	plain, err := url.QueryUnescape(text)
	if err == nil && utf8.ValidString(plain) {
		return plain, nil
	}
	if broken, ok := errors.AsType[url.EscapeError](err); ok {
		return "", fmt.Errorf("has an invalid percent-encoding %q; a percent sign is followed by two hexadecimal digits, and the sign itself is written %%25", string(broken))
	}
	return "", fmt.Errorf("is not valid UTF-8: %q", plain)
}

// didYouMean returns a hint in parentheses, or nothing if no known name is similar.
func didYouMean(name string, known []string) string {
	if near := stat.Nearest(name, known); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %s?)", near[0])
	}
	return ""
}
