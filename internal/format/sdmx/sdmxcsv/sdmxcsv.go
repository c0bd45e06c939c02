// Package sdmxcsv reads SDMX-CSV: a table with one observation a line and one
// component of the data a column, named by its ID. What it says is as good as
// a message in SDMX-ML, but for one thing: it does not say which columns are
// dimensions and which are attributes.
//
// # Version 1.0
//
//	DATAFLOW,freq,sex,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
//	ESTAT:ILC_LVPS08(1.0),A,F,AL,2017,93.8,
//	ESTAT:ILC_LVPS08(1.0),A,F,AT,2019,95.1,b
//
// # Version 2.0
//
//	STRUCTURE[;],STRUCTURE_ID,ACTION,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE,OBS_STATUS[]
//	dataflow,OECD.SDD:DF_X(1.1),I,A,FR,2017,93.8,A
//	dataflow,OECD.SDD:DF_X(1.1),I,A,FR,2018,94.1,E;P
//
// The separator is the character behind the first heading (, ; tab or |), the
// one in brackets parts several values in a cell. With labels, headings and
// cells are "FREQ: Frequency" and "A: Annual", or a column of labels stands to
// the right of each column of codes. UNICEF writes such pairs without any
// column for the dataflow; its headings are the sign.
//
// # The data portal of the European Central Bank
//
//	KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE
//	EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2024-01-02,1.0956,A,US dollar/Euro
//
// The key names the dataset and then the codes of all dimensions, which stand
// in columns of their own up to the time: nothing has to be guessed. A record
// whose key and codes contradict each other is refused.
//
// # Dimensions and attributes
//
// A structure that is known, from a file of structures or an earlier import,
// decides. Without one (note no-structure) the order of the columns does, which
// by the standard is dimensions, measures, attributes. A dimension is then a
// column that is never empty where there is a value, and that
//
//   - stands before the time, and is no status, note or unit multiplier,
//   - or stands between the time and the values, and has no name that only
//     attributes have ([format.IsAttribute]),
//   - or is a geography or a frequency by its name, wherever it stands.
//
// Where the values come first the names alone decide, and in files with pairs
// of columns the labels too, which dimensions have and free texts have not.
//
// Eurostat's own files need no guess: the dimensions stand before TIME_PERIOD.
// The time is the column with a name for it, else the one column whose cells
// are all periods.
//
// # Several datasets
//
// Records of one dataset stand together. Each dataset is a table of its own;
// versions of one dataflow are one dataset. A file that goes back to a dataset
// is refused.
//
// Cells of the report are records, or with several columns of numbers those.
// A record of version 2.0 without a value and without some dimension says
// something of several observations; it is noted as not read. ACTION D, to
// delete, is refused.
package sdmxcsv

import (
	"context"
	"errors"
	"io"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the one format.
func Formats() []format.Format {
	return []format.Format{{Name: "sdmx-csv", Recognise: recognise, Read: read}}
}

// recognise reports whether the first line has the headings of SDMX-CSV.
func recognise(_ string, head []byte) bool {
	k, _, _ := kindOf(withoutMark(head))
	return k != unknown
}

func withoutMark(head []byte) []byte {
	if mark := len(text.ByteOrderMark); len(head) >= mark && string(head[:mark]) == string(text.ByteOrderMark) {
		return head[mark:]
	}
	return head
}

// file is a file being read: its header, and the record that it stands at.
type file struct {
	ctx     context.Context
	in      format.Input
	kind    kind
	header  *header
	records *records
	text    io.Closer
	report  *stat.Report // of the first table
	pending bool         // the current record is not used yet
	count   int          // of records
	ended   map[string]bool
	looked  *survey // nil before it is needed
}

// read yields the tables of a file.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		f := &file{ctx: ctx, in: in, report: &stat.Report{}, ended: map[string]bool{}}
		if err := f.open(f.report); err != nil {
			yield(nil, err)
			return
		}
		defer f.text.Close()
		for {
			t, err := f.table()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&stat.Table{Dataset: t.dataset, Observations: t.observations, Report: t.report}, nil) || !t.finished {
				return
			}
		}
	}
}

// open reads the header; the file stands before its first record.
func (f *file) open(report *stat.Report) error {
	text, err := text.Open(f.in.Again, f.in.Encoding, report)
	if err != nil {
		return err
	}
	f.text = text
	if err = f.openHeader(text); err != nil {
		text.Close()
	}
	return err
}

func (f *file) openHeader(text io.Reader) error {
	f.records = newRecords(text)
	if err := f.records.fill(); err != nil {
		return err
	}
	f.kind, _, f.records.sep = kindOf(f.records.buffer[:f.records.end])
	if f.kind == unknown {
		return stat.BadFile(stat.Position{Line: 1}, "the first line is none of SDMX-CSV, which begins with %s, with %s and %s, or with %s and FREQ", firstOf1, firstOf2, structureID, firstOfKeyed)
	}
	if err := f.records.read(); err != nil {
		return err
	}
	var err error
	f.header, err = parseHeader(f.kind, f.records)
	return err
}

// checkEvery is the number of records between looks at whether to stop.
const checkEvery = 4096

// next reads the next record into f.records; [io.EOF] after the last one.
func (f *file) next() error {
	if f.pending {
		f.pending = false
		return nil
	}
	if f.count++; f.count%checkEvery == 0 && f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	if err := f.records.read(); err != nil {
		return err
	}
	if got := len(f.records.cells); got != f.header.width {
		return f.records.bad(min(got, f.header.width), "the record has %d cells, and the first line %d", got, f.header.width)
	}
	return nil
}

// cell is a cell of the current record, nil for a column that is not there.
func (f *file) cell(at int) []byte {
	if at < 0 {
		return nil
	}
	return f.records.cells[at]
}
