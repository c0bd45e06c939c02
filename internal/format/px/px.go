// Package px reads PC-Axis files (PX). The offices of the Nordic countries,
// Switzerland, Ireland, Spain and others publish one table a file in it: first
// the structure of the table, then all its cells in order.
//
//	CHARSET="ANSI";                      a keyword, its value, a semicolon
//	CODEPAGE="iso-8859-15";              how the text is encoded
//	LANGUAGE="sv"; LANGUAGES="sv","en";  the language of keywords that name none
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
// The cells come row by row; the last variable of the heading changes fastest:
// here men in 2023 and 2024, then women. A cell is a number with a decimal point;
// "-", which is exactly zero; or one to six dots, which mean that there is no
// number, each for a reason that the file may name (DATASYMBOL1 to DATASYMBOL6).
// DECIMALS is the number of digits to show and changes no number.
//
// In a file with KEYS the table is sparse: each row begins with the values or
// codes of its stub variables, and rows may be left out. The report counts the
// cells that the file has.
//
// A text may continue in the next line ("be" "gin" is begin), # in it is a line
// break, and it cannot contain a quotation mark. CELLNOTE, VALUENOTE and
// DATANOTECELL are remarks on cells, which they name by values or codes; * is any
// value. They become notes of the observations.
package px

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"regexp"
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the one format of this package.
func Formats() []format.Format {
	return []format.Format{{Name: "px", Recognise: recognise, Read: read}}
}

var (
	// firstStatement begins a file.
	firstStatement = regexp.MustCompile(`^\s*(CHARSET|AXIS-VERSION|CODEPAGE|LANGUAGES?|CREATION-DATE|NEXT-UPDATE|LAST-UPDATED|DECIMALS|SHOWDECIMALS|` +
		`MATRIX|TABLEID|SUBJECT-AREA|SUBJECT-CODE|COPYRIGHT|DESCRIPTION|TITLE|CONTENTS|UNITS|STUB|HEADING|PX-SERVER|DIRECTORY-PATH|AUTOPEN|AGGREGALLOWED)` +
		`(\[[A-Za-z-]+\])?\s*=\s*("|YES|NO|[0-9])`)
	// earlyStatement is one that every file has near its beginning.
	earlyStatement = regexp.MustCompile(`;\s*(MATRIX|SUBJECT-AREA|SUBJECT-CODE|TITLE|CONTENTS|STUB|HEADING|VALUES)(\[[A-Za-z-]+\])?\s*(\(|=)`)
)

func recognise(_ string, head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	return firstStatement.Match(head[:min(len(head), 1<<10)]) && earlyStatement.Match(head)
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		t := assemble.New(ctx, in.Name)
		file, err := open(in, t.Report)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		r := &reader{Table: t, text: text.NewScanner(file)}
		if err := r.readStructure(in); err != nil {
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

// open opens the text of the file in the encoding that its first lines state. They are
// ASCII in every encoding that files have.
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
	opened, err := text.Open(in.Again, cmp.Or(in.Encoding, declared), report)
	if isWestern(stat.SuggestionsOf(err)) && western.Match(head) {
		return text.Open(in.Again, windows1252, report)
	}
	return opened, err
}

const windows1252 = "windows-1252"

// western matches the statement of a language that is written in windows-1252 if it is that of
// Windows, which CHARSET="ANSI" says.
var western = regexp.MustCompile(`(?:^|;)\s*LANGUAGE\s*=\s*"(de|en|fr|it|es|pt|nl|sv|da|no|nb|nn|fi|is|ca|gl|eu|kl|fo)"`)

// isWestern reports whether the words of a text allow the encoding of Western Europe best.
func isWestern(suggested []stat.Suggestion) bool {
	return slices.Contains(suggested, stat.Suggestion{Option: "encoding", Value: windows1252})
}

// Cells returns the number of cells that the variables of a file say it has.
func Cells(in format.Input) (int, error) {
	t := assemble.New(context.Background(), in.Name)
	file, err := open(in, t.Report)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := &reader{Table: t, text: text.NewScanner(file)}
	if r.header, err = readHeader(r.text); err == nil {
		err = r.readVariables()
	}
	if err != nil {
		return 0, err
	}
	return r.countCells()
}
