package stat

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Kind is the category of an error. It decides the HTTP status and the exit code.
type Kind uint8

// The kinds of errors.
const (
	Internal    Kind = iota // failure of Almanac: 500, without details
	Invalid                 // invalid request or argument: 400, exit code 1
	NotFound                // unknown object: 404
	Refused                 // source file that cannot be imported: exit code 1
	Unavailable             // temporarily unavailable: 503
	Conflict                // object that exists or has changed: 409, exit code 1
)

// Error is an error with a kind. Message is for people: what is wrong, where, and
// what would be right.
type Error struct {
	Kind    Kind
	Message string
	Err     error // the cause, if any; not shown to callers of the API
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an [Error] without a cause.
func Errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap adds to err what was being done; it returns nil for nil.
func Wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// JoinWords joins words for a sentence: "EUR, USD and JPY".
func JoinWords(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// KindOf returns the kind of err, [Internal] if it has none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	var f *FileError
	if errors.As(err, &f) {
		return Refused
	}
	return Internal
}

// FileError is an error in a source file.
type FileError struct {
	File    string // as given by the caller; set by the importer
	At      Position
	Message string
}

func (e *FileError) Error() string {
	file := cmp.Or(e.File, "file")
	switch {
	case e.At.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", file, e.At.Line, e.At.Column, e.Message)
	case e.At.Line > 0:
		return fmt.Sprintf("%s:%d: %s", file, e.At.Line, e.Message)
	}
	return file + ": " + e.Message
}

// BadFile returns a [FileError] for a place in the current file.
func BadFile(at Position, format string, args ...any) error {
	return &FileError{At: at, Message: fmt.Sprintf(format, args...)}
}

// Suggestion is a value of an import option that the caller of a refused file can state.
type Suggestion struct {
	Option string // by its name in package importer, in lower case: "mapping", "period", "country"
	Value  string // empty for an option without a value
}

// Values of suggestions that stand for what only the caller knows. As they are, they are
// refused.
const (
	AnyPeriod = "YYYY"
	AnyText   = "…"
)

// Suggest adds suggestions to a refusal: with all of them, the file could be read. The
// message of err says what is not known; the command shows how to state it.
func Suggest(err error, suggestions ...Suggestion) error {
	return Choose(err, suggestions)
}

// Choose adds several readings to a refusal: with the suggestions of any one of them the
// file could be read, and only the caller can decide which is right.
func Choose(err error, readings ...[]Suggestion) error {
	return &suggestionError{err, readings}
}

type suggestionError struct {
	error
	readings [][]Suggestion
}

func (e *suggestionError) Unwrap() error { return e.error }

// ReadingsOf returns the readings of a refusal, nil if it suggests none.
func ReadingsOf(err error) [][]Suggestion {
	var e *suggestionError
	if errors.As(err, &e) {
		return e.readings
	}
	return nil
}

// SuggestionsOf returns the suggestions of a refusal, nil if there are none or several
// readings.
func SuggestionsOf(err error) []Suggestion {
	if readings := ReadingsOf(err); len(readings) == 1 {
		return readings[0]
	}
	return nil
}
