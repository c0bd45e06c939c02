// Package format holds the contract that every file format's package keeps.
// Each format is a package below this one; it reads bytes and yields
// [stat.Table]s, and knows nothing of the store, of areas or of other formats.
package format

import (
	"context"
	"io"
	"iter"

	"almanac/internal/stat"
)

// Format is one file format: how it is recognised, and how it is read.
type Format struct {
	Name string // as reports write it: "eurostat-tsv"

	// Recognise reports whether a file is of this format, by its base name
	// (compression ending removed) and its first bytes (unpacked, up to 64 KiB).
	Recognise func(name string, head []byte) bool

	// Read yields the datasets of a file, in order. The observations of a
	// table must be read to the end before the next table is asked for. An
	// error ends the reading and says where in the file it stands
	// ([stat.FileError]); nothing of the file may then be stored. Memory use
	// does not grow with the number of cells.
	Read func(ctx context.Context, in Input) iter.Seq2[*stat.Table, error]
}

// Input is a file to read and what the caller says of it.
type Input struct {
	Name string    // base name, compression ending removed
	Data io.Reader // unpacked bytes; the caller closes it

	Code    string // the dataset's code, where the caller states it
	Geo     string // the ID of the dimension that is the geography, where the caller states it
	Period  string // the period of a file that has no time
	Decimal string // "." or ","
}

// A file without a geography yields a Dataset whose Geography has no ID and no
// codes, and observations whose last key position is 0: the importer gives it
// the one area that the caller or the source stands for.
