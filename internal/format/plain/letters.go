package plain

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/crosstab"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Lines below a table may explain letters behind numbers, or the flags of a column:
//
//	Country,Year,Value,Flag
//	Germany,2021,12.5,k
//	k = without islands

// legendLine matches such a line that no other row begins like.
var legendLine = regexp.MustCompile(`^(\(?\pL\)?|(?:\pL\. ?){2,4}|\pL[./]\pL|\.{2,3}|…|:|-|–|—|[*†‡]{1,3})\s*=\s*\S`)

// withLetter matches a number with a letter that is not usual for a flag.
var withLetter = regexp.MustCompile(`^([-+]?[0-9][0-9.,' ]*?) ?\(?(\pL)\)?$`)

// readBelow reads what the lines below the table explain.
func (m *marks) readBelow(below [][]string) {
	var lines []string
	for _, row := range below {
		lines = append(lines, table.JoinCells(row))
	}
	m.footnotes, m.letters = crosstab.Marks(lines), crosstab.Footnotes(lines)
}

// isZero reports whether a line below the table says that a mark is zero.
func (m *marks) isZero(mark string) bool { return slices.Contains(crosstab.Zeros(m.letters), mark) }

// isNoNumber reports whether a line below the table says that a text stands where there is no number.
func (m *marks) isNoNumber(text string) bool { return crosstab.SaysNoNumber(m.letters[text]) }

// cutLetter cuts a letter from a number if a line below the table explains it. Of other letters nothing tells that
// they are not a part of the number.
func (m *marks) cutLetter(cell string) (number, letter string) {
	if len(m.letters) == 0 {
		return cell, ""
	}
	found := withLetter.FindStringSubmatch(cell)
	if found == nil || m.letters[found[2]] == "" || !text.IsNumber(found[1]) {
		return cell, ""
	}
	return found[1], found[2]
}

// statusOf returns the flag of a letter or a word beside a number or a period. A letter is one of the source.
func statusOf(source, flag string) stat.Flags {
	if status, isKnown := office.Status(source, "", strings.ToLower(flag)); isKnown && len(flag) > 1 {
		return status
	}
	return office.OwnFlag(source, flag)
}

// explainSigns returns the notes of a row and of a value; in place of those that are only signs, what the lines below the
// table say of them.
func (m *marks) explainSigns(note string) (notes []string) {
	if note == "" || len(m.letters) == 0 {
		return []string{note}
	}
	for part := range strings.SplitSeq(note, "; ") {
		notes = append(notes, crosstab.ExplainSigns(part, func(sign string) string { return m.letters[sign] })...)
	}
	return notes
}

// textOf returns what a line below the table says of a sign, which a flag has without spaces.
func (m *marks) textOf(sign string) string {
	return cmp.Or(m.letters[sign], m.letters[strings.ReplaceAll(sign, ".-", ". ")]) // n. a.
}

// explain adds to an observation what the lines below the table say of its flags. A text that is the name of a status
// stands for the flag.
func (m *marks) explain(source string, o *stat.Observation) {
	if o.Flags == "" || len(m.letters) == 0 {
		return
	}
	flags := o.Flags.List()
	own := string(office.OwnFlag(source, ""))
	for i, flag := range flags {
		letter, isOwn := strings.CutPrefix(flag, own)
		note := m.textOf(letter)
		if !isOwn || note == "" {
			continue
		}
		if status := office.NoteFlags(note); status != "" {
			flags[i] = string(status)
		}
		if !slices.Contains(strings.Split(o.Note, "; "), note) {
			o.Note = table.JoinNotes(o.Note, note)
		}
	}
	if o.Flags = stat.NewFlags(flags...); math.IsNaN(o.Value) {
		o.Flags = office.MarkFlags(source, o.Flags, m.textOf)
	}
}
