// Package tidy reads and writes Almanac's own format for one dataset: a CSV file that
// can be written by hand or saved by a spreadsheet program.
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
// The file is CSV as in RFC 4180: UTF-8, commas between cells, and double quotes
// around text that contains a comma, a double quote or a line break. Space around a
// cell is removed, and lines without content are skipped. The last line must end
// with a line break too; otherwise the file counts as cut off.
//
// # Before the table
//
// Lines whose first cell begins with # describe the dataset. The first one must be
// #almanac-tidy,1 (the number is the version of the format); the others may be in
// any order, each once except #dimension, #code and #total. Cells in brackets are
// optional.
//
//	#source,ID[,NAME[,URL]]      the office; its ID in lower case
//	#dataset,CODE[,NAME]         the office's code and the title
//	#description,TEXT
//	#source_url,URL              where the data are published
//	#metadata_url,URL            where they are explained
//	#licence,TEXT
//	#attribution,TEXT            how the source wants to be named
//	#unit,TEXT                   the unit, if the whole dataset has one
//	#updated,TIME                the source's own time of update: 2025-07-04,
//	                             or with a time 2025-07-04T11:00:00+02:00
//	#rows,NUMBER                 the number of rows of the table; a file with
//	                             another number of rows is refused
//	#dimension,ID[,LABEL[,ROLE]] an axis, in order; the role is other (the
//	                             default), unit or frequency
//	#geography,ID[,LABEL]        the axis of countries and areas
//	#code,ID[,LABEL[,UNIT]]      a code of the axis above, in order
//	#total,CODE                  the code above that the office calls the total
//
// An axis with #code lines has only those codes. Another has the codes of the table,
// in order of first appearance. A file may have more dimensions than the interface
// has names for, and no geography; the importer handles both.
//
// # The table
//
// The first line without # names the columns, in any order: the ID of every axis,
// TIME_PERIOD and OBS_VALUE, and optionally OBS_STATUS, CONF_STATUS, OBS_NOTE and
// UNIT_MEASURE. Every line below it is an observation.
//
//   - TIME_PERIOD is a period in any spelling of the interface (2024, Q1/2024,
//     2024-Q1, 01/2024, 31/01/2024 …), or a span of years (1950-1955), which is
//     stored as the year it ends in, with its text kept. The column may be
//     missing if the caller states the period of the whole file.
//   - OBS_VALUE is a number with a decimal point and no thousands separators; an
//     empty cell is a missing value.
//   - OBS_STATUS holds codes of SDMX CL_OBS_STATUS 2.2, separated by spaces, and
//     an office's own marks in the form agency:mark. With a status that means
//     there is no value (H, L, M, O, Q) the observation is missing, whatever
//     number it has; the report counts such numbers.
//   - CONF_STATUS holds codes of CL_CONF_STATUS, OBS_NOTE a text for readers,
//     UNIT_MEASURE the unit of this observation.
//
// Cells of the report are the lines of the table. Every error in the file is a
// [stat.FileError] with the line, and the column counted in bytes of that line.
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

// The columns that are not dimensions.
const (
	colPeriod = "TIME_PERIOD"
	colValue  = "OBS_VALUE"
	colStatus = "OBS_STATUS"
	colConf   = "CONF_STATUS"
	colNote   = "OBS_NOTE"
	colUnit   = "UNIT_MEASURE"
)

var reserved = []string{colPeriod, colValue, colStatus, colConf, colNote, colUnit}

// Formats returns the tidy format.
func Formats() []format.Format {
	return []format.Format{{Name: "tidy", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(head, text.ByteOrderMark), []byte(magic))
}

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
