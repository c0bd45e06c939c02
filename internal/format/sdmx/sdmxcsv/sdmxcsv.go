// Package sdmxcsv reads SDMX-CSV: each record is an observation, and each column a
// component, named by its ID. Unlike SDMX-ML, it does not say which columns are
// dimensions and which are attributes.
//
// There are versions 1.0 and 2.0, which may have several values in a cell:
//
//	DATAFLOW,freq,sex,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
//	ESTAT:ILC_LVPS08(1.0),A,F,AL,2017,93.8,
//
//	STRUCTURE[;],STRUCTURE_ID,ACTION,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE,OBS_STATUS[]
//	dataflow,OECD.SDD:DF_X(1.1),I,A,FR,2018,94.1,E;P
//
// The character after the first heading (, ; tab or |) separates cells; the one in
// brackets separates several values in a cell. With labels, headings and cells are
// "FREQ: Frequency" and "A: Annual", or each column of codes has a column of labels to
// its right. UNICEF writes such pairs without a dataflow column; its files are
// recognised by their headings.
//
// The data portal of the European Central Bank writes a key: the dataset, then the
// codes of all dimensions. The columns up to the time repeat these codes. A record
// whose key and codes differ is refused.
//
//	KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE
//	EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2024-01-02,1.0956,A,US dollar/Euro
//
// # Dimensions and attributes
//
// A known structure, from a file of structures or an earlier import, decides. In
// Eurostat's own files the dimensions come before TIME_PERIOD. Otherwise (note
// no-structure) the order of the columns decides, which by the standard is dimensions,
// measures, attributes: a column is a dimension if it is never empty beside a value,
// and if it
//
//   - comes before the time, and is not a status, a note or a unit multiplier,
//   - or comes between the time and the values, and does not have the name of an
//     attribute ([sdmx.IsAttribute]),
//   - or is a geography or a frequency by its name, wherever it is.
//
// If the values come first, only the names decide. In files with pairs of columns, a
// dimension must also have labels. The time is the column with the name of a time, else
// the only column whose cells are all periods.
//
// # Several datasets
//
// Each dataset becomes a table; versions of one dataflow are one dataset. A file that
// returns to an earlier dataset is refused.
//
// The report counts records, or, with several columns of numbers, the numbers. A record
// of version 2.0 without a value and without some dimension describes several
// observations; it is noted as not read. ACTION D, to delete, is refused.
package sdmxcsv

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the one format.
func Formats() []format.Format {
	return []format.Format{{Name: "sdmx-csv", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	k, _ := kindOf(bytes.TrimPrefix(head, text.ByteOrderMark))
	return k != unknown
}

// Bounds of a file with several datasets, against hostile files.
const (
	maxDatasets = 1000
	maxFacts    = 1 << 20 // datasets × columns
)

// file is a file at its current record.
type file struct {
	*header
	*records
	ctx      context.Context
	in       format.Input
	closer   io.Closer
	encoding stat.Report     // notes on the encoding, for the first table
	name     string          // the cell that names the current dataset
	key      string          // of the current dataset
	keys     map[string]bool // of all datasets so far
	isAtEnd  bool
	findings *survey // nil until they are needed
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		f := &file{ctx: ctx, in: in}
		if err := f.open(); err != nil {
			yield(nil, err)
			return
		}
		defer f.closer.Close()
		err := f.next()
		if errors.Is(err, io.EOF) {
			err = stat.BadFile(stat.Position{Line: 1}, "there are no records below the headings")
		}
		for err == nil && !f.isAtEnd {
			var t *table
			if t, err = f.newTable(); err == nil && (!yield(t.Reading(t.read), nil) || !t.IsFinished) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (f *file) open() error {
	text, err := text.Open(f.in.Again, f.in.Encoding, &f.encoding)
	if err != nil {
		return err
	}
	f.closer, f.keys = text, map[string]bool{}
	if f.header, f.records, err = readHeader(text); err != nil {
		text.Close()
	}
	return err
}

// next reads the next record and finds its dataset; [io.EOF] after the last one.
func (f *file) next() error {
	if err := f.records.read(); err != nil {
		return err
	}
	name := f.cell(f.dataflowAt)
	if f.key != "" && name == f.name {
		return nil
	}
	f.name = name
	agency, code, _ := f.identity(name)
	key := strings.ToLower(agency + ":" + code)
	if key == f.key {
		return nil // another version
	}
	switch at := max(f.dataflowAt, 0); {
	case f.keys[key]:
		return f.bad(at, "the records of dataset %s are in several places: sort the file by dataset, or split it", code)
	case len(f.keys) == maxDatasets || len(f.keys)*f.width > maxFacts:
		return f.bad(at, "the file holds more than %d datasets: split it by dataset", len(f.keys))
	}
	f.key, f.keys[key] = key, true
	return nil
}
