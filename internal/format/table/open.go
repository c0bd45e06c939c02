package table

import (
	"bufio"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Open opens the rows of a text file, its headings among them, within the
// bounds of this package: for tables that no mapping describes, and for
// formats whose mapping depends on what the rows hold. The report is told of
// the encoding; the caller closes the rows.
func Open(in format.Input, separator rune, report *stat.Report) (Rows, error) {
	text, err := text.Open(in.Again, in.Encoding, report)
	if err != nil {
		return nil, err
	}
	return newText(bufio.NewReaderSize(text, maxHead), text, separator, false), nil
}
