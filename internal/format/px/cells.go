package px

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// reader reads the cells of one table.
type reader struct {
	*table
	notes   *notes
	marks   map[string]cell // what stands in place of numbers
	style   text.Style
	decimal string  // as the caller states it
	at      []int32 // of each variable, the position that the current cell has
	obs     stat.Observation
	gap     gap
	bareEnd int // in the text, where the last cell without quotation marks ends
}

func newReader(t *table, decimal string) (*reader, error) {
	r := &reader{table: t, at: make([]int32, len(t.vars)), style: text.Style{Decimal: '.'}, decimal: decimal}
	if decimal == "," {
		r.style.Decimal = ','
	}
	r.obs.Key, r.obs.Frequency = t.Key, t.frequency
	var err error
	if r.notes, err = t.readNotes(); err != nil {
		return nil, err
	}
	return r, r.readMarks()
}

// read yields all cells that hold a number, a mark or a note.
func (r *reader) read() error {
	keys, err := r.rowKeys()
	if err != nil {
		return err
	}
	if keys == nil {
		err = r.readRow(0)
	} else {
		err = r.readSparse(keys)
	}
	if err != nil {
		return err
	}
	if r.skipGap() {
		found := string(r.text.buffer[r.text.i:min(r.text.end, r.text.i+40)])
		return stat.BadFile(r.text.place(), "after the %s cells of the table there is more: %s%s", r.sizes(), shorten(found), r.gap.hint())
	}
	if r.text.offset() == r.bareEnd { // the last cell may have been cut off
		r.Report.Add(stat.NoteOpenEnd, 1, fmt.Sprintf("line %d ends right behind the last cell; the file may be cut off", r.obs.At.Line))
	}
	return r.text.failure()
}

// readRow reads the cells in which the variables before the first have the
// values that they have: with 0 a whole table. The last variable changes fastest.
func (r *reader) readRow(first int) error {
	for i := first; i < len(r.vars); i++ {
		r.put(i, 0)
	}
	for i := len(r.at); i >= first; {
		if err := r.readCell(); err != nil {
			return err
		}
		for i = len(r.at) - 1; i >= first; i-- {
			if at := r.at[i] + 1; int(at) < len(r.vars[i].values) {
				r.put(i, at)
				break
			}
			r.put(i, 0)
		}
	}
	return nil
}

func (r *reader) put(i int, at int32) {
	r.at[i] = at
	if axis := r.vars[i].axis; axis != nil {
		r.Key[axis.At] = at
	}
}

// rowKeys is, in a sparse table, the index that the keys of each stub variable
// are found in; nil in a full table.
func (r *reader) rowKeys() ([]map[string]int32, error) {
	var keys []map[string]int32
	for _, v := range r.vars[:r.stub] {
		switch kind := strings.ToUpper(r.about("KEYS", v)); kind {
		case "":
		case "VALUES":
			keys = append(keys, v.byValue)
		case "CODES":
			keys = append(keys, v.byCode)
		default:
			return nil, stat.BadFile(v.at, "KEYS of %s must be VALUES or CODES; found %s", shorten(v.name), shorten(kind))
		}
	}
	if keys != nil && len(keys) != r.stub {
		return nil, stat.BadFile(r.text.place(), "KEYS names %d of the %d variables of STUB; it must name all or none", len(keys), r.stub)
	}
	return keys, nil
}

// noteRowsLeftOut tells of rows that a sparse table does not give. By the
// format's rule they hold zeros only, but files also leave out rows without
// numbers, so nothing is stored for them.
const noteRowsLeftOut = "rows-left-out"

// readSparse reads a table whose rows begin with their keys.
func (r *reader) readSparse(keys []map[string]int32) error {
	rows := 0
	for ; r.skipGap(); rows++ {
		for i, index := range keys {
			if !r.skipGap() {
				return r.text.cutOff("the file ends in the keys of a row, after %d whole cells; it may be cut off", r.Report.Read)
			}
			raw, err := r.rawKey()
			if err != nil {
				return err
			}
			at, ok := lookup(index, string(raw))
			if !ok {
				return stat.BadFile(r.obs.At, "%s is none of the %s of %s", shorten(string(raw)), r.about("KEYS", r.vars[i]), shorten(r.vars[i].name))
			}
			r.put(i, at)
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
	return r.text.failure()
}

// rawKey reads a key of a row, good until the next reading.
func (r *reader) rawKey() ([]byte, error) {
	r.obs.At = r.text.place()
	if r.text.peek() == '"' {
		return r.quoted()
	}
	return r.bare(), nil
}

func (r *reader) readCell() error {
	if !r.skipGap() {
		if r.Report.Read < r.cells {
			return r.text.cutOff("the file ends after %d of the %s cells of the table; it may be cut off%s", r.Report.Read, r.sizes(), r.gap.hint())
		}
		return r.text.cutOff("the file ends in the cells, after %d whole cells; it may be cut off", r.Report.Read)
	}
	c, err := r.token()
	if err != nil {
		return err
	}
	n, err := r.notes.of(r.at)
	if err == nil && c.note != nil {
		n, err = r.notes.join(n, c.note)
	}
	if err != nil {
		return err
	}
	r.obs.Period = r.period
	if r.time >= 0 {
		at := r.at[r.time]
		if r.obs.Period = r.periods[at]; r.obs.Period.IsZero() {
			r.Report.Read++
			r.Report.Add(stat.NoteUndated, 1, strings.TrimSpace(r.timeTexts[at]))
			return nil
		}
	}
	r.obs.Value, r.obs.Flags, r.obs.Note = c.value, c.flags, ""
	if n != nil {
		r.obs.Note = n.text
	}
	if c.rounded {
		r.Report.Add(stat.NoteRounded, 1, assemble.Where(r.Dataset, &r.obs))
	}
	return r.Cell(&r.obs, "")
}

// sizes writes the number of cells and what it is the product of.
func (r *reader) sizes() string {
	var factors []string
	for _, v := range r.vars {
		factors = append(factors, strconv.Itoa(len(v.values)))
	}
	return fmt.Sprintf("%d (%s)", r.cells, strings.Join(factors, " × "))
}

// cell is what stands in a cell.
type cell struct {
	value   float64 // NaN: there is no number
	flags   stat.Flags
	note    *note
	rounded bool // value has not all the digits that were written
}

// readMarks reads what stands in cells in place of numbers, and what it means
// in this file.
func (r *reader) readMarks() error {
	nothing := cell{value: math.NaN()}
	r.marks = map[string]cell{"": nothing}
	for keyword, mark := range map[string]string{
		"DATASYMBOLNIL": "-", "DATASYMBOL1": ".", "DATASYMBOL2": "..", "DATASYMBOL3": "...", "DATASYMBOL4": "....",
		"DATASYMBOL5": ".....", "DATASYMBOL6": "......", "": ":", // which some files have for a missing cell
	} {
		c, err := r.meaning(mark, r.header.best(keyword, r.language))
		if err != nil {
			return err
		}
		if mark == "-" { // exactly nothing
			c.value = 0
		}
		r.marks[mark] = c
	}
	return nil
}

// meaning is what a mark means: the flag is the text that the file gives it,
// else the mark itself. A text of several words is a note as well, as it was
// written; a long one is a note only.
func (r *reader) meaning(mark, text string) (c cell, err error) {
	const longest = 40
	if text = oneLine(text); text != "" && len(text) <= longest {
		mark = text
	}
	source := "PX"
	if id := r.Dataset.Source.ID; id != "" {
		source = strings.ToUpper(id)
	}
	c = cell{value: math.NaN(), flags: stat.NewFlags(source + ":" + strings.ReplaceAll(mark, " ", "-"))}
	if text != "" && (strings.Contains(text, " ") || mark != text) {
		c.note, err = r.notes.keep(text, []string{text})
	}
	return c, err
}
