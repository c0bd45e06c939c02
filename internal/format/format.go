// Package format is the contract that every reader of a file format keeps.
//
// Each reader is a package below this one: it recognises a file by its first
// bytes and yields [stat.Table]s. It knows nothing of the store, of areas, or of
// other formats. What readers share stands beside them: package assemble builds
// the dimensions of a dataset, package text reads encodings and numbers, package
// jsonscan reads JSON, and package office knows the single offices.
package format

import (
	"context"
	"io"
	"iter"

	"almanac/internal/stat"
)

// Format is one file format: how it is recognised, and how it is read. It has
// Read or Learn, and not both: a file holds data, or what is said of codes.
type Format struct {
	Name string // as reports write it: "eurostat-tsv"

	// Recognise reports whether a file is of this format, by its base name
	// (compression ending removed) and its first bytes (unpacked, up to 64 KiB).
	Recognise func(name string, head []byte) bool

	// Read yields the datasets of a file, in order. The observations of a
	// table must be read to the end before the next table is asked for. An
	// error ends the reading and says where in the file it stands
	// ([stat.FileError]); nothing of the file may then be stored. Memory use
	// does not grow with the number of cells, but for formats whose cells come
	// before what they mean.
	Read func(ctx context.Context, in Input) iter.Seq2[*stat.Table, error]

	// Holds says what a file without data is, as a refusal writes it: "a
	// structure message", "a list of countries", "a map". Empty with Read.
	Holds string

	// Learn reads a file of code lists or structures. It is nil where the file
	// can teach nothing. An error may come with a dictionary of what could be
	// read all the same.
	Learn func(ctx context.Context, in Input) (*stat.Dictionary, error)
}

// Input is a file to read and what is known of it beforehand. Reading the file
// fails once the context of Read or Learn is done (see [Input.Until]).
type Input struct {
	Name string    // base name, compression ending removed
	Data io.Reader // unpacked bytes; the caller closes it

	// Again opens the same unpacked bytes from their beginning, for formats
	// that must look twice. It may be called several times.
	Again func() (io.ReadCloser, error)

	// Dictionary returns what is known of an office's codes and structures,
	// from companion files and earlier imports; nil if nothing is. The
	// importer fills in labels and the order of codes from it, so a reader asks
	// only what it needs to tell dimensions from attributes.
	Dictionary func(source string) *stat.Dictionary

	// What the caller states; empty where nothing is.
	Source   string // the office's name
	Code     string // the dataset's code
	Geo      string // ID of the dimension that is the geography
	Period   string // the period of a file that has no time
	Decimal  string // "." or ","
	Mapping  string // what the columns of a plain table mean; see package plain
	Encoding string // of text that declares none: an IANA name
}

// Known is what in.Dictionary knows of a source; nil where nothing is.
func (in *Input) Known(source string) *stat.Dictionary {
	if in.Dictionary == nil {
		return nil
	}
	return in.Dictionary(source)
}

// A file without a geography yields a Dataset whose Geography has no ID and no
// codes, and observations whose last key position is 0: the importer gives it
// the one area that the caller or the source stands for.

// Until returns in with files whose reading ends with ctx. Whoever makes an
// Input for a reader calls it, so that readers need not look at the context.
func (in Input) Until(ctx context.Context) Input {
	if in.Data != nil {
		in.Data = interruptible{ctx, in.Data}
	}
	if open := in.Again; open != nil {
		in.Again = func() (io.ReadCloser, error) {
			file, err := open()
			if err != nil {
				return nil, err
			}
			return struct {
				io.Reader
				io.Closer
			}{interruptible{ctx, file}, file}, nil
		}
	}
	return in
}

// interruptible is a file whose reading ends with its context.
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
