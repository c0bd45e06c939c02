package jsonscan

import (
	"bytes"
	"io"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Read opens a file, in an encoding if the caller states one, and reads the one
// value that it is to hold: read gets the first token and reads the rest. The
// report gets what there is to say of the encoding.
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

// Head returns a scanner of a file's beginning, for recognisers, behind the
// token that the file is to begin with; ok is false if it does not.
func Head(head []byte, begins Kind) (j *Scanner, ok bool) {
	head = text.Start(head)
	if len(head) == 0 || Kind(head[0]) != begins {
		return nil, false
	}
	j = New(bytes.NewReader(head))
	_, err := j.Next()
	return j, err == nil
}

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

// Texts reads a value that is an object with texts in its fields; any other
// value has none.
func (j *Scanner) Texts(value Token) (map[string]string, error) {
	if value.Kind != Object {
		return nil, j.SkipRest(value)
	}
	texts := map[string]string{}
	err := j.Object(func(name string, value Token) (err error) {
		texts[name], err = j.TextOf(value)
		return err
	})
	return texts, err
}

// Fields reads the rest of an object and returns the paths of its fields, as
// [Scanner.Record] names them, at most 64, as far as there is no error.
func (j *Scanner) Fields() (paths map[string]bool, err error) {
	paths = map[string]bool{}
	err = j.Record(func(path []byte, _ Token) error {
		if len(paths) < 64 {
			paths[string(path)] = true
		}
		return nil
	})
	return paths, err
}
