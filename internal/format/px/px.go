// Package px reads PC-Axis files (PX), the format in which the offices of the
// Nordic countries, Switzerland, Ireland, Spain and others publish one table a
// file: first what the table is made of, then all its cells in order.
//
//	CHARSET="ANSI";                      a keyword, its value, a semicolon
//	CODEPAGE="iso-8859-15";              how the text is encoded
//	LANGUAGE="sv"; LANGUAGES="sv","en";  the language of the keywords that name none
//	MATRIX="BE01"; SOURCE="Statistics Sweden";
//	TITLE="Folkmängd"; TITLE[en]="Population";
//	STUB="kön"; STUB[en]="sex";          the variables of the rows, then
//	HEADING="år"; HEADING[en]="year";    those of the columns
//	VALUES("kön")="män","kvinnor";       the values of a variable …
//	VALUES[en]("sex")="men","women";     … in another language, in the same order
//	CODES("kön")="1","2";                … and their codes
//	VALUES("år")="2023","2024";
//	TIMEVAL("år")=TLIST(A1),"2023","2024";
//	DATASYMBOL2="not available";         what ".." means in this file
//	DATA=
//	10 "-"
//	".." 7.5;
//
// The cells come row by row, the last variable of the heading changing fastest:
// here men in 2023 and 2024, then women. A cell is a number with a decimal point;
// "-", which is exactly nothing, that is, zero; or one to six dots, which say
// that there is no number, each for a reason that the file may name
// (DATASYMBOL1 to DATASYMBOL6). DECIMALS says how many digits are shown and
// changes no number.
//
// In a file with KEYS the table is sparse: each row begins with the values or
// codes of its stub variables, and rows may be left out. A cell of the report is
// a cell that the file gives.
//
// A text may go on in the next line ("be" "gin" is begin), # in it is a line
// break, and it cannot hold a quotation mark. CELLNOTE, VALUENOTE and
// DATANOTECELL are remarks on cells, named by values or by codes, * being any;
// they come as notes of the observations.
package px

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"regexp"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats are the formats of this package: there is one.
func Formats() []format.Format {
	return []format.Format{{Name: "px", Recognise: recognise, Read: read}}
}

var (
	// opening is the first statement of a file.
	opening = regexp.MustCompile(`^\s*(CHARSET|AXIS-VERSION|CODEPAGE|LANGUAGES?|CREATION-DATE|NEXT-UPDATE|LAST-UPDATED|DECIMALS|SHOWDECIMALS|` +
		`MATRIX|TABLEID|SUBJECT-AREA|SUBJECT-CODE|COPYRIGHT|DESCRIPTION|TITLE|CONTENTS|UNITS|STUB|HEADING|PX-SERVER|DIRECTORY-PATH|AUTOPEN|AGGREGALLOWED)` +
		`(\[[A-Za-z-]+\])?\s*=\s*("|YES|NO|[0-9])`)
	// another is one of the statements that every file has near its beginning.
	another = regexp.MustCompile(`;\s*(MATRIX|SUBJECT-AREA|SUBJECT-CODE|TITLE|CONTENTS|STUB|HEADING|VALUES)(\[[A-Za-z-]+\])?\s*(\(|=)`)
)

// recognise knows a file by its first keyword and one that must be there too.
func recognise(_ string, head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	return opening.Match(head[:min(len(head), 1<<10)]) && another.Match(head)
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		report := &stat.Report{}
		text, err := open(in, report)
		if err != nil {
			yield(nil, err)
			return
		}
		defer text.Close()
		t, err := newTable(ctx, in, newScanner(text), report)
		if err != nil {
			yield(nil, err)
			return
		}
		r, err := newReader(t, in.Decimal)
		if err != nil {
			yield(nil, err)
			return
		}
		yield(t.Reading(r.read), nil)
	}
}

var (
	codepage = regexp.MustCompile(`(?:^|;)\s*CODEPAGE\s*=\s*"([^"]*)"`)
	charset  = regexp.MustCompile(`(?:^|;)\s*CHARSET\s*=\s*"([^"]*)"`)
)

// open opens the file's text. Its encoding stands in its first lines, which
// are readable in every encoding that files have.
func open(in format.Input, report *stat.Report) (io.ReadCloser, error) {
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(text.LineErrors(in.Data), head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	head = bytes.TrimPrefix(head[:n], text.ByteOrderMark)
	declared := ""
	if m := codepage.FindSubmatch(head); m != nil {
		declared = string(m[1])
	} else if m := charset.FindSubmatch(head); m != nil && bytes.EqualFold(m[1], []byte("OEM")) {
		declared = "cp850" // the text of DOS
	}
	return text.Open(in.Again, cmp.Or(in.Encoding, declared), report)
}
