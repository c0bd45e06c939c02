package px

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// read yields all cells that have a number, a mark or a note.
func (r *reader) read() error {
	namings, err := r.keyNamings()
	if err != nil {
		return err
	}
	if namings == nil {
		err = r.readRow(0)
	} else {
		err = r.readSparse(namings)
	}
	if err != nil {
		return err
	}
	if r.skipGap() {
		found := r.text.Ahead()
		return stat.BadFile(r.text.At(), "unexpected text after the %s cells of the table: %s%s", r.sizes(), shorten(string(found[:min(len(found), 40)])), r.gap.hint())
	}
	if r.text.Offset() == r.bareEnd { // the last cell may be cut off
		r.Report.Add(stat.NoteOpenEnd, 1, fmt.Sprintf("line %d ends right behind the last cell; the file may be cut off", r.obs.At.Line))
	}
	return r.text.Err()
}

// readRow reads the cells of a row: the variables before first keep their values. With
// 0 it reads the whole table. The last variable changes fastest.
func (r *reader) readRow(first int) error {
	for i := first; i < len(r.vars); i++ {
		r.setPosition(i, 0)
	}
	for i := len(r.at); i >= first; {
		if err := r.readCell(); err != nil {
			return err
		}
		for i = len(r.at) - 1; i >= first; i-- {
			if at := r.at[i] + 1; int(at) < len(r.vars[i].values) {
				r.setPosition(i, at)
				break
			}
			r.setPosition(i, 0)
		}
	}
	return nil
}

func (r *reader) setPosition(i int, at int32) {
	r.at[i] = at
	if i == r.time {
		r.obs.Period = r.periods[at]
	} else {
		r.Key[r.vars[i].axis.At] = at
	}
}

// keyNamings returns how the rows of a sparse table name the values of the stub
// variables; nil for a full table.
func (r *reader) keyNamings() (namings []naming, err error) {
	for _, v := range r.vars[:r.stub] {
		switch kind := strings.ToUpper(r.textOf("KEYS", v)); kind {
		case "":
		case "VALUES":
			namings = append(namings, byValue)
		case "CODES":
			namings = append(namings, byCode)
		default:
			return nil, stat.BadFile(v.at, "KEYS of %s must be VALUES or CODES; found %s", shorten(v.name), shorten(kind))
		}
	}
	if namings != nil && len(namings) != r.stub {
		return nil, stat.BadFile(r.text.At(), "KEYS names %d of the %d variables of STUB; it must name all or none", len(namings), r.stub)
	}
	return namings, nil
}

// noteRowsLeftOut is the kind of note for rows that a sparse table leaves out. By
// the rule of the format they hold zeros, but files also leave out rows without
// numbers, so nothing is stored for them.
const noteRowsLeftOut = "rows-left-out"

func (r *reader) readSparse(namings []naming) error {
	rows := 0
	for ; r.skipGap(); rows++ {
		for i, naming := range namings {
			if !r.skipGap() {
				return r.text.BadFile(r.text.At(), "the file ends in the keys of a row, after %d whole cells; it may be cut off", r.Report.Read)
			}
			key, _, err := r.content()
			if err != nil {
				return err
			}
			at, ok := r.vars[i].find(naming, string(key))
			if !ok {
				return stat.BadFile(r.obs.At, "%s is not among the %s of %s", shorten(string(key)), r.textOf("KEYS", r.vars[i]), shorten(r.vars[i].name))
			}
			r.setPosition(i, at)
		}
		r.gap = gap{}
		if err := r.readRow(r.stub); err != nil {
			return err
		}
	}
	all := 1
	for _, v := range r.vars[:r.stub] {
		all *= len(v.values)
	}
	if rows < all {
		r.Report.Add(noteRowsLeftOut, all-rows, fmt.Sprintf("%d of %d rows are given", rows, all))
	}
	return r.text.Err()
}

func (r *reader) readCell() error {
	if !r.skipGap() {
		if r.Report.Read < r.cells {
			return r.text.BadFile(r.text.At(), "the file ends after %d of the %s cells of the table; it may be cut off%s", r.Report.Read, r.sizes(), r.gap.hint())
		}
		return r.text.BadFile(r.text.At(), "the file ends in the cells, after %d whole cells; it may be cut off", r.Report.Read)
	}
	c, err := r.token()
	if err != nil {
		return err
	}
	n, err := r.notes.find(r.at)
	if err == nil {
		n, err = r.notes.join(n, c.note)
	}
	if err != nil {
		return err
	}
	if r.obs.Period.IsZero() {
		r.Report.Read++
		r.Report.Add(stat.NoteUndated, 1, strings.TrimSpace(r.timeTexts[r.at[r.time]]))
		return nil
	}
	r.obs.Value, r.obs.Flags, r.obs.Note = c.value, c.flags, ""
	if n != nil {
		r.obs.Note = n.text
	}
	if c.rounded {
		r.Report.Add(stat.NoteRounded, 1, assemble.Where(r.Dataset, &r.obs))
	}
	return r.YieldCell(&r.obs, "")
}

// sizes returns the number of cells with its factors: "6 (2 × 3)".
func (r *reader) sizes() string {
	var factors []string
	for _, v := range r.vars {
		factors = append(factors, strconv.Itoa(len(v.values)))
	}
	return fmt.Sprintf("%d (%s)", r.cells, strings.Join(factors, " × "))
}

type cell struct {
	value   float64 // NaN: there is no number
	flags   stat.Flags
	note    *note
	rounded bool // value has fewer digits than the file
}

// markKeywords are the marks in place of numbers, by the keyword that explains each.
var markKeywords = map[string]string{
	"DATASYMBOLNIL": "-", "DATASYMBOL1": ".", "DATASYMBOL2": "..", "DATASYMBOL3": "...", "DATASYMBOL4": "....",
	"DATASYMBOL5": ".....", "DATASYMBOL6": "......", "": ":", // some files have : for a missing cell
}

// readMarks sets the cells of the marks. Their flag is a short text of the file that
// explains the mark, else the mark itself. A text that is long or has several words is
// a note as well.
func (r *reader) readMarks() (err error) {
	const longest = 40
	r.marks = map[string]cell{"": {value: math.NaN()}}
	for keyword, mark := range markKeywords {
		c := cell{value: math.NaN()}
		if mark == "-" { // exactly zero
			c.value = 0
		}
		text, flag := oneLine(r.header.best(keyword, r.language)), mark
		if text != "" && len(text) <= longest {
			flag = text
		}
		c.flags = office.OwnFlag(cmp.Or(r.Dataset.Source.ID, "px"), flag)
		if text != "" && (strings.Contains(text, " ") || flag != text) {
			if c.note, err = r.notes.keep(text); err != nil {
				return err
			}
		}
		r.marks[mark] = c
	}
	return nil
}
