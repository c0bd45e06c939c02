// Package tidy reads and writes the product's own format for one dataset: a CSV
// file that a person can write by hand or a spreadsheet can save.
//
// # An example
//
//	#almanac-tidy,1
//	#source,nso,National Statistical Office,https://nso.example
//	#dataset,births,Births by sex
//	#licence,CC BY 4.0
//	#updated,2025-07-04
//	#dimension,sex,Sex
//	#code,T,Total,persons
//	#code,F,Female,persons
//	#total,T
//	#geography,geo,Country
//	sex,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
//	T,DE,2023,692989,
//	F,DE,2023,337463,P
//	T,FR,2023,,
//
// # The file as a whole
//
// It is CSV as in RFC 4180: UTF-8, cells with commas between, text that holds
// a comma, a double quote or a line break in double quotes. White space
// around a cell does not belong to it, and lines without any content are
// skipped. The last line must end with a line break too, or else it is taken
// to be cut off.
//
// # Before the table
//
// Lines whose first cell begins with # describe the dataset. The first one
// must be #almanac-tidy,1 (the number is the format's version); the others
// may stand in any order, each once, apart from #dimension and #code. Cells
// in brackets may be left out.
//
//	#source,ID[,NAME[,URL]]      the office; its ID in lower case
//	#dataset,CODE[,NAME]         the office's code and the title
//	#description,TEXT
//	#source_url,URL              where the data are published
//	#metadata_url,URL            where they are explained
//	#licence,TEXT
//	#attribution,TEXT            how the source wants to be named
//	#unit,TEXT                   the unit, if one holds for the whole dataset
//	#updated,TIME                the source's own time of update: 2025-07-04,
//	                             or with a time 2025-07-04T11:00:00+02:00
//	#rows,NUMBER                 how many rows the table has; with another
//	                             number in it the file is refused
//	#dimension,ID[,LABEL[,ROLE]] an axis, in order; the role is other (which
//	                             need not be written), unit or frequency
//	#geography,ID[,LABEL]        the axis of countries and areas
//	#code,ID[,LABEL[,UNIT]]      a code of the axis above it, in order
//	#total,CODE                  the code above that the office calls the total
//
// An axis with #code lines has those codes and no others; one without has the
// codes that occur in the table, in the order of their first appearance.
// There may be more dimensions than the interface has names for, and there
// may be no geography; what becomes of that is the importer's decision.
//
// # The table
//
// The first line without # names the columns, in any order: the ID of every
// axis, TIME_PERIOD and OBS_VALUE, and as needed OBS_STATUS, CONF_STATUS,
// OBS_NOTE and UNIT_MEASURE. Every further line is one observation.
//
//   - TIME_PERIOD is a period in any spelling of the interface (2024, Q1/2024,
//     2024-Q1, 01/2024, 31/01/2024 …), or a span of years (1950-1955), which is
//     stored under the year it ends in with its text kept. The column may be
//     missing when the caller states the period of the whole file.
//   - OBS_VALUE is a number with a decimal point, and nothing between
//     thousands; an empty cell is a missing value.
//   - OBS_STATUS holds codes of SDMX CL_OBS_STATUS 2.2, with spaces between, and
//     an office's own marks written agency:mark. With a status that says there
//     is no value (H, L, M, O, Q) the observation is missing, whatever number
//     stands beside it; the report counts such numbers.
//   - CONF_STATUS holds codes of CL_CONF_STATUS, OBS_NOTE a text for readers,
//     UNIT_MEASURE the unit of this observation.
//
// Cells of the report are the lines of the table. Every mistake in the file is
// a [stat.FileError] with the line, and the column counted in bytes of that
// line.
package tidy

import (
	"bytes"
	"context"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The first line of a file.
const (
	magic   = "#almanac-tidy"
	version = "1"
)

// The columns that are no dimensions.
const (
	colPeriod = "TIME_PERIOD"
	colValue  = "OBS_VALUE"
	colStatus = "OBS_STATUS"
	colConf   = "CONF_STATUS"
	colNote   = "OBS_NOTE"
	colUnit   = "UNIT_MEASURE"
)

var reserved = []string{colPeriod, colValue, colStatus, colConf, colNote, colUnit}

// Formats returns the one format of this package.
func Formats() []format.Format { return []format.Format{Format()} }

// Format returns the tidy format.
func Format() format.Format {
	return format.Format{Name: "tidy", Recognise: recognise, Read: read}
}

// recognise reports whether head begins as a tidy file does; the name says
// nothing, since any CSV file may be called the same.
func recognise(_ string, head []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(head, text.ByteOrderMark), []byte(magic))
}

// read yields the one table of a file, or the error that its header has.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := newReader(ctx, in)
		if err := r.readHeader(); err != nil {
			yield(nil, err)
			return
		}
		yield(r.Reading(r.readTable), nil)
	}
}
