package stat

import (
	"errors"
	"fmt"
)

// Kind says whose mistake an error is, and so how it is answered.
type Kind uint8

// The kinds of errors. The zero Kind is a failure of ours.
const (
	Internal    Kind = iota // our failure: status 500, nothing of it is told
	Invalid                 // the caller's request is wrong: 400, exit code 1
	NotFound                // there is no such thing: 404
	Refused                 // a source file cannot be stored as it is: exit code 1
	Unavailable             // not now: 503
	Conflict                // there is such a thing already: 409, exit code 1
)

// Error is a failure with its kind. Message is for people: what was wrong,
// where, and what would be right.
type Error struct {
	Kind    Kind
	Message string
	Err     error // the cause, if any; not told to callers of the interface
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an [Error] without a cause.
func Errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// KindOf returns the kind of err, [Internal] for errors that have none.
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

// FileError says why a source file cannot be stored, and where in it.
type FileError struct {
	File    string // as the caller named it; filled in by the importer
	At      Position
	Message string
}

func (e *FileError) Error() string {
	file := e.File
	if file == "" {
		file = "file"
	}
	switch {
	case e.At.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", file, e.At.Line, e.At.Column, e.Message)
	case e.At.Line > 0:
		return fmt.Sprintf("%s:%d: %s", file, e.At.Line, e.Message)
	}
	return file + ": " + e.Message
}

// BadFile makes a [FileError] for a place in the file being read.
func BadFile(at Position, format string, args ...any) error {
	return &FileError{At: at, Message: fmt.Sprintf(format, args...)}
}
