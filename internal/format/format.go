// Package format is the contract of all readers of file formats.
//
// Each reader is a package below this one: it recognises a file by its first bytes
// and yields [stat.Table]s. It knows nothing of the store, of areas, or of other
// formats. Beside the readers are packages that they share: assemble builds the
// dimensions of a dataset, text reads encodings and numbers, jsonscan reads JSON,
// and office knows the single offices.
package format

import (
	"context"
	"io"
	"iter"

	"almanac/internal/stat"
)

// Format is one file format. It has Read if its files have data, Learn if they describe
// codes, and neither if a refusal only names what they are (Holds).
type Format struct {
	Name string // as in reports: "eurostat-tsv"

	// Recognise reports whether a file is of this format, by its base name
	// (compression ending removed) and its first bytes (unpacked, up to 64 KiB).
	Recognise func(name string, head []byte) bool

	// Read yields the datasets of a file, in order. The observations of a table
	// must be read to the end before the next table. An error ends the reading and
	// names its place in the file ([stat.FileError]); then nothing of the file may
	// be stored. Memory does not grow with the number of cells, except in formats
	// whose cells precede their meaning.
	//
	// A file without a geography yields a dataset whose Geography has no ID and no
	// codes, and observations whose last key position is 0: the importer adds the
	// area of the caller or of the source.
	Read func(ctx context.Context, in Input) iter.Seq2[*stat.Table, error]

	// Holds describes a file without data for a refusal: "a structure message",
	// "a list of countries", "a map". Empty with Read.
	Holds string

	// Learn reads a file of code lists or structures. It is nil for files from which
	// nothing can be learned. An error may come with a dictionary of all that could
	// be read.
	Learn func(ctx context.Context, in Input) (*stat.Dictionary, error)
}

// Input is a file to read, with what is known about it. Reading the file fails once
// the context of Read or Learn is done (see [Input.Until]).
type Input struct {
	Name string    // base name, compression ending removed
	Data io.Reader // unpacked bytes; the caller closes it

	// Again opens the same unpacked bytes from their beginning. It may be called
	// several times.
	Again func() (io.ReadCloser, error)

	// Dictionary returns what companion files and earlier imports tell about an
	// office's codes and structures, or nil. The importer fills in labels and the
	// order of codes; a reader needs the dictionary only to distinguish dimensions
	// from attributes.
	Dictionary func(source string) *stat.Dictionary

	// Areas returns how many of the names are those of areas, if as a whole they may be
	// the geography under a heading, else 0. It may be nil.
	Areas func(source, heading string, names []string) int

	// What the caller states; empty otherwise.
	Source   string // the office's name
	Code     string // the dataset's code
	Geo      string // ID of the dimension that is the geography
	Period   string // the period of a file that has no time
	Decimal  string // "." or ","
	Mapping  string // what the columns of a plain table mean; see package plain
	Encoding string // of text that declares none: an IANA name
}

// Known returns the dictionary of a source, or nil.
func (in *Input) Known(source string) *stat.Dictionary {
	if in.Dictionary == nil {
		return nil
	}
	return in.Dictionary(source)
}

// CountAreas calls Areas; it returns 0 if that is nil.
func (in *Input) CountAreas(source, heading string, names []string) int {
	if in.Areas == nil {
		return 0
	}
	return in.Areas(source, heading, names)
}

// Until returns in with files that cannot be read once ctx is done. It is called for
// every Input that a reader gets, so that readers need not check the context.
func (in Input) Until(ctx context.Context) Input {
	if in.Data != nil {
		in.Data = interruptible{ctx, in.Data}
	}
	if open := in.Again; open != nil {
		known := &known{}
		in.Again = func() (io.ReadCloser, error) {
			file, err := open()
			if err != nil {
				return nil, err
			}
			return File{interruptible{ctx, file}, file, known}, nil
		}
	}
	return in
}

// File is what [Input.Again] opens, after [Input.Until]. It remembers whether the whole file
// is valid UTF-8, however often it is opened, so that package text reads it to its end only
// once to know.
type File struct {
	io.Reader
	io.Closer
	*known
}

type known struct {
	isKnown, isUTF8 bool
	head            []byte
}

// UTF8 returns the first bytes of the file and whether it is valid UTF-8, if that is known.
func (k *known) UTF8() (head []byte, isUTF8, isKnown bool) { return k.head, k.isUTF8, k.isKnown }

// SetUTF8 sets what UTF8 returns.
func (k *known) SetUTF8(head []byte, isUTF8 bool) { *k = known{true, isUTF8, head} }

type interruptible struct {
	ctx  context.Context
	file io.Reader
}

func (f interruptible) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.file.Read(p)
}
