package px

import (
	"cmp"
	"context"
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
	ctx     context.Context
	notes   *notes
	symbols [7]symbol // "-", then by the number of dots
	colon   symbol    // ":", which some files have for a missing cell
	style   text.Style
	at      []int32 // of each variable, the position that the current cell has
	obs     stat.Observation
	gap     gap
	bareEnd int // in the text, where the last cell without quotation marks ends
}

// symbol is what stands in a cell in place of a number.
type symbol struct {
	flags stat.Flags
	note  int32 // a set of notes
}

// checkEvery is the number of cells between looks at whether to stop.
const checkEvery = 4096

// newReader prepares the reading of the cells.
func newReader(ctx context.Context, t *table) (*reader, error) {
	n, err := t.readNotes()
	if err != nil {
		return nil, err
	}
	r := &reader{table: t, ctx: ctx, notes: n, at: make([]int32, len(t.vars)), style: text.Style{Decimal: '.'}}
	if t.decimal == "," {
		r.style.Decimal = ','
	}
	r.obs.Key = assemble.Key(t.dataset)
	r.obs.Frequency = t.frequency
	for i := range r.symbols {
		name, mark := "DATASYMBOLNIL", "-"
		if i > 0 {
			name, mark = "DATASYMBOL"+strconv.Itoa(i), strings.Repeat(".", i)
		}
		if r.symbols[i], err = r.symbol(mark, t.header.best(name, t.shown)); err != nil {
			return nil, err
		}
	}
	r.colon, err = r.symbol(":", "")
	return r, err
}

// symbol is what a mark means in this file: the flag is the text that the file
// gives it, else the mark itself. A text of several words is a note as well, as
// it was written; a long one is a note only.
func (r *reader) symbol(mark, text string) (symbol, error) {
	const longest = 40
	if text = oneLine(text); text != "" && len(text) <= longest {
		mark = text
	}
	office := strings.ToUpper(cmp.Or(r.dataset.Source.ID, "px"))
	flags := stat.NewFlags(office + ":" + strings.ReplaceAll(mark, " ", "-"))
	if !strings.Contains(text, " ") && mark == text || text == "" {
		return symbol{flags: flags}, nil
	}
	note, err := r.notes.set(text)
	return symbol{flags, note}, err
}

// observations yields all cells that hold a number, a mark or a note.
func (r *reader) observations(yield func(stat.Observation, error) bool) {
	var more bool
	var err error
	if keys, keysErr := r.rowKeys(); keysErr != nil {
		err = keysErr
	} else if keys != nil {
		more, err = r.sparse(keys, yield)
	} else {
		more, err = r.full(yield)
	}
	if err == nil && more {
		err = r.end()
	}
	if err != nil {
		yield(stat.Observation{}, err)
	}
}

// full reads a table that gives all its cells.
func (r *reader) full(yield func(stat.Observation, error) bool) (more bool, err error) {
	r.first(0)
	for {
		if more, err := r.cell(yield); err != nil || !more {
			return more, err
		}
		if !r.next(0) {
			return true, nil
		}
	}
}

// first goes to the first cell of a row, or with 0 of the table.
func (r *reader) first(variable int) {
	for i := variable; i < len(r.vars); i++ {
		r.put(i, 0)
	}
}

// next goes to the next cell, the last variable changing fastest and those
// before variable not at all; false after the last.
func (r *reader) next(variable int) bool {
	for i := len(r.at) - 1; i >= variable; i-- {
		if at := r.at[i] + 1; int(at) < len(r.vars[i].values) {
			r.put(i, at)
			return true
		}
		r.put(i, 0)
	}
	return false
}

// put goes to a position of one variable.
func (r *reader) put(i int, at int32) {
	r.at[i] = at
	if axis := r.vars[i].axis; axis != nil {
		r.obs.Key[axis.At] = at
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

// sparse reads a table whose rows begin with their keys.
func (r *reader) sparse(keys []map[string]int32, yield func(stat.Observation, error) bool) (more bool, err error) {
	rows := 0
	for ; r.skipGap(); rows++ {
		for i, index := range keys {
			if !r.skipGap() {
				return false, r.short("in the keys of a row")
			}
			at, text, err := r.key(index)
			if err != nil {
				return false, err
			}
			if at < 0 {
				return false, stat.BadFile(r.obs.At, "%s is none of the %s of %s", shorten(text), r.about("KEYS", r.vars[i]), shorten(r.vars[i].name))
			}
			r.put(i, at)
		}
		r.gap = gap{}
		r.first(r.stub)
		for next := true; next; next = r.next(r.stub) {
			if more, err := r.cell(yield); err != nil || !more {
				return more, err
			}
		}
	}
	all := 1
	for _, v := range r.vars[:r.stub] {
		all *= len(v.values)
	}
	if rows < all {
		r.report.Add(noteRowsLeftOut, all-rows, fmt.Sprintf("%d of %d rows are given", rows, all))
	}
	return true, r.text.failure()
}

// cell reads the current cell and yields it.
func (r *reader) cell(yield func(stat.Observation, error) bool) (more bool, err error) {
	if r.report.Read%checkEvery == 0 && r.ctx.Err() != nil {
		return false, r.ctx.Err()
	}
	if !r.skipGap() {
		return false, r.short("in the cells")
	}
	c, err := r.read()
	if err != nil {
		return false, err
	}
	r.report.Read++
	set, err := r.notes.of(r.at)
	if err == nil && c.note != 0 {
		set, err = r.notes.join(set, c.note)
	}
	if err != nil {
		return false, err
	}
	r.obs.Period = r.period
	if r.time != nil {
		p := &r.time.periods[r.at[r.timeAt]]
		if p.undated != "" {
			r.report.Add(stat.NoteUndated, 1, p.undated)
			return true, nil
		}
		r.obs.Period = p.Period
	}
	r.obs.Value, r.obs.Flags, r.obs.Note = c.value, c.flags, r.notes.texts[set]
	if math.IsNaN(c.value) {
		r.report.Missing++
		if c.flags == "" && set == 0 {
			return true, nil
		}
	}
	if c.rounded {
		r.report.Add(stat.NoteRounded, 1, assemble.Where(r.dataset, &r.obs))
	}
	return yield(r.obs, nil), nil
}

// short is the error for a table that ends too early.
func (r *reader) short(where string) error {
	if err := r.text.failure(); err != nil {
		return err
	}
	if r.report.Read < r.cells && where == "in the cells" {
		return stat.BadFile(r.text.place(), "the file ends after %d of the %s cells of the table; it may be cut off%s", r.report.Read, r.sizes(), r.gap.hint())
	}
	return stat.BadFile(r.text.place(), "the file ends %s, after %d whole cells; it may be cut off", where, r.report.Read)
}

// end refuses what stands after the last cell, and notes where nothing does:
// the cell may then have been cut off.
func (r *reader) end() error {
	if !r.skipGap() {
		if r.text.offset() == r.bareEnd {
			r.report.Add(stat.NoteOpenEnd, 1, fmt.Sprintf("line %d ends right behind the last cell; the file may be cut off", r.obs.At.Line))
		}
		return r.text.failure()
	}
	found := string(r.text.buffer[r.text.i:min(r.text.end, r.text.i+40)])
	return stat.BadFile(r.text.place(), "after the %s cells of the table there is more: %s%s", r.sizes(), shorten(found), r.gap.hint())
}

// sizes writes the number of cells and what it is the product of.
func (r *reader) sizes() string {
	var factors []string
	for _, v := range r.vars {
		factors = append(factors, strconv.Itoa(len(v.values)))
	}
	return fmt.Sprintf("%d (%s)", r.table.cells, strings.Join(factors, " × "))
}
