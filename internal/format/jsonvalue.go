package format

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"almanac/internal/stat"
)

// Object reads the rest of an object, after its {. field gets each name and
// the first token of its value, and reads the rest of the value. A name that
// comes twice is an error, since nothing says which of the two would hold.
// Objects with very many fields are better read token by token: the names are
// remembered to the end.
func (j *JSON) Object(field func(name string, value JSONToken) error) error {
	seen := map[string]struct{}{}
	for {
		token, err := j.Next()
		if err != nil || token.Kind == JSONObjectEnd {
			return err
		}
		name := string(token.Text)
		if _, twice := seen[name]; twice {
			return stat.BadFile(token.At, "the field %q comes twice in one object", Clip(name))
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
func (j *JSON) Array(item func(value JSONToken) error) error {
	for {
		token, err := j.Next()
		if err != nil || token.Kind == JSONArrayEnd {
			return err
		}
		if err := item(token); err != nil {
			return err
		}
	}
}

// TextOf is the text of a value that begins with a token; objects and arrays,
// which are passed over, and null have none.
func (j *JSON) TextOf(value JSONToken) (string, error) {
	switch value.Kind {
	case JSONString, JSONNumber, JSONTrue, JSONFalse:
		return string(value.Text), nil
	}
	return "", j.SkipRest(value)
}

// Clip shortens a text for an error or a note.
func Clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// NoteSelection is the kind of note for a file that says of itself that it
// holds what somebody chose of a dataset: "64 of 1005436 observations".
const NoteSelection = "selection"

// Selection notes in what words a file says that it is a selection of the
// dataset whose code is own. It returns them as [stat.Table.Partial], so that
// the selection never replaces the whole; but where the caller states another
// code, it is a dataset of its own, and no part.
func (in *Input) Selection(own, words string, report *stat.Report) (partial string) {
	report.Add(NoteSelection, 1, false, words)
	if in.Code != "" && !strings.EqualFold(in.Code, own) {
		return ""
	}
	return words
}

// JSONFile is a file of JSON that is read from several places of it, for
// formats whose values come before what they mean.
type JSONFile struct {
	in   Input
	file io.ReadCloser
	json *JSON
}

// NewJSONFile makes a JSONFile. Nothing is opened yet.
func NewJSONFile(in Input) *JSONFile { return &JSONFile{in: in} }

// Close closes what is open.
func (f *JSONFile) Close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

// From reads one value from a place on, where an earlier reading found it.
// Going forwards costs little; going backwards opens the file anew.
func (f *JSONFile) From(to stat.Position) (*JSON, error) {
	if f.file == nil || to.Line < f.json.at.Line || to.Line == f.json.at.Line && to.Column < f.json.at.Column {
		f.Close()
		file, err := Text(f.in, "", &stat.Report{})
		if err != nil {
			return nil, err
		}
		f.file, f.json = file, NewJSON(file)
	}
	text, at := f.json.in, f.json.at
	for at.Line < to.Line {
		switch _, err := text.ReadSlice('\n'); err {
		case nil:
			at = stat.Position{Line: at.Line + 1, Column: 1}
		case bufio.ErrBufferFull: // the line goes on
		default:
			return nil, changed(to, err)
		}
	}
	if _, err := text.Discard(max(to.Column-at.Column, 0)); err != nil {
		return nil, changed(to, err)
	}
	f.json = &JSON{in: text, at: to}
	return f.json, nil
}

// changed is the error of a second reading that does not find what the first
// found.
func changed(at stat.Position, err error) error {
	if err == io.EOF {
		return stat.BadFile(at, "the file became shorter while it was read")
	}
	return fmt.Errorf("reading the file again: %w", err)
}

// Until returns in with an Again whose files end with ctx.
func (in Input) Until(ctx context.Context) Input {
	open := in.Again
	in.Again = func() (io.ReadCloser, error) {
		file, err := open()
		return interruptible{ctx, file}, err
	}
	return in
}

// interruptible is a file whose reading ends with its context.
type interruptible struct {
	ctx context.Context
	io.ReadCloser
}

func (f interruptible) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.ReadCloser.Read(p)
}
