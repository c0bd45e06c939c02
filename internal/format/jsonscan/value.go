package jsonscan

import (
	"bytes"
	"io"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Read opens a file, in an encoding if the caller states one, and reads the one
// value that it must hold: read gets the first token and reads the rest. The
// report gets notes about the encoding.
func Read(open func() (io.ReadCloser, error), encoding string, report *stat.Report, read func(j *Scanner, first Token) error) error {
	file, err := text.Open(open, encoding, report)
	if err != nil {
		return err
	}
	defer file.Close()
	j := New(file)
	first, err := j.Next()
	if err == nil {
		err = read(j, first)
	}
	if err == nil {
		_, err = j.Next() // nothing may follow
	}
	return err
}

// Head returns a scanner of the beginning of a file, for recognisers. The token
// with which the file must begin is read; ok reports whether it is there.
func Head(head []byte, begins Kind) (j *Scanner, ok bool) {
	j = New(bytes.NewReader(text.Start(head)))
	first, err := j.Next()
	return j, err == nil && first.Kind == begins
}

// HasPath reports whether is accepts a value in the beginning of a file. is gets
// the names on the way to the value, empty for elements of arrays, and the text
// of the value.
func HasPath(head []byte, is func(path []string, text []byte) bool) (found bool) {
	j, ok := Head(head, Object)
	if !ok {
		return false
	}
	var read func(path []string, value Token) error
	read = func(path []string, value Token) error {
		if found = len(path) > 0 && is(path, value.Text); found {
			return io.EOF // no more is read
		}
		switch value.Kind {
		case Object:
			return j.Members(func(name, value Token) error { return read(append(path, string(name.Text)), value) })
		case Array:
			return j.Array(func(item Token) error { return read(append(path, ""), item) })
		}
		return nil
	}
	_ = read(nil, Token{Kind: Object}) // the head may be cut off
	return found
}

// Members reads the rest of an object with any number of fields, whose names may
// repeat. member gets each name and the first token of its value, and reads the
// rest of the value. The text of the name is valid until the next name.
func (j *Scanner) Members(member func(name, value Token) error) error {
	for {
		name, err := j.Next()
		if err != nil || name.Kind == ObjectEnd {
			return err
		}
		value, err := j.Next()
		if err == nil {
			err = member(name, value)
		}
		if err != nil {
			return err
		}
	}
}

// Object reads the rest of an object. field gets each name and the first token of
// its value, and reads the rest of the value. A name that occurs twice is an error:
// nothing tells which of the values is meant. The names are kept in memory: use
// [Scanner.Members] for objects with very many fields.
func (j *Scanner) Object(field func(name string, value Token) error) error {
	seen := map[string]struct{}{}
	return j.Members(func(token, value Token) error {
		name := string(token.Text)
		if _, twice := seen[name]; twice {
			return stat.BadFile(token.At, "the field %q occurs twice in one object", text.Clip(name))
		}
		seen[name] = struct{}{}
		return field(name, value)
	})
}

// Array reads the rest of an array. item gets the first token of each value and
// reads the rest of it.
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

// TextOf returns the text of a value that begins with a token. It is empty for
// null, and for objects and arrays, which are skipped.
func (j *Scanner) TextOf(value Token) (string, error) {
	switch value.Kind {
	case String, Number, True, False:
		return string(value.Text), nil
	}
	return "", j.SkipRest(value)
}

// Texts reads an object of texts; any other value is skipped and has none.
func (j *Scanner) Texts(value Token) (map[string]string, error) {
	return MapOf(j, value, (*Scanner).TextOf)
}

// MapOf reads an object whose values read reads; any other value is skipped and
// has none.
func MapOf[T any](j *Scanner, value Token, read func(*Scanner, Token) (T, error)) (map[string]T, error) {
	if value.Kind != Object {
		return nil, j.SkipRest(value)
	}
	all := map[string]T{}
	err := j.Object(func(name string, value Token) (err error) {
		all[name], err = read(j, value)
		return err
	})
	return all, err
}

// Record reads the rest of an object as one record: field gets each value that is
// not an object or array, with its path ("country.id"). Both are valid until
// field returns. Arrays are skipped.
func (j *Scanner) Record(field func(path []byte, value Token) error) error {
	j.path = j.path[:0]
	return j.record(field)
}

func (j *Scanner) record(field func(path []byte, value Token) error) error {
	outer := len(j.path)
	return j.Members(func(name, value Token) error {
		if j.path = j.path[:outer]; outer > 0 {
			j.path = append(j.path, '.')
		}
		j.path = append(j.path, name.Text...)
		switch value.Kind {
		case Object:
			return j.record(field)
		case Array:
			return j.SkipRest(value)
		}
		return field(j.path, value)
	})
}

// Fields reads the rest of an object and returns the paths of its fields, up to the
// first error.
func (j *Scanner) Fields() (paths map[string]bool, err error) {
	paths = map[string]bool{}
	err = j.Record(func(path []byte, _ Token) error {
		paths[string(path)] = true
		return nil
	})
	return paths, err
}
