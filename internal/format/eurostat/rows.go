package eurostat

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"regexp"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// meaning is what a column, or the time of a row, means.
type meaning struct {
	period  stat.Period // zero if the other direction has the time
	undated string      // a mark in place of the period
	code    int32       // position on its axis
}

// rowSeen is an earlier row and the pattern of its cells that are not empty.
type rowSeen struct {
	line    int
	pattern uint64
}

type reader struct {
	*assemble.Table
	header  *header
	lines   *lines
	axes    []*assemble.Axis // of the header's names; that of the time is the frequency if the time sets it, else nil
	columns []meaning
	times   map[string]meaning // times of the rows so far
	marks   text.Cache[*mark]
	obs     stat.Observation
	rowTime meaning // zero where the columns have the time
	seen    map[uint64]rowSeen
	hashed  []byte
}

// seed makes the hashes of row keys differ from run to run, so that no file can be made
// to have collisions.
var seed = maphash.MakeSeed()

// read yields all cells that have a number or a flag.
func (r *reader) read() error {
	rows, blank := 0, 0
	for r.lines.Scan() {
		line := r.lines.Bytes()
		if len(line) == 0 {
			blank = r.lines.number
			continue
		}
		if blank > 0 {
			return stat.BadFile(stat.Position{Line: blank}, "empty line within the table")
		}
		rows++
		err := r.Err()
		if err == nil {
			err = r.readRow(line)
		}
		if err != nil {
			return err
		}
	}
	if err := r.lines.Err(); err != nil {
		return err
	}
	if rows == 0 {
		return stat.BadFile(stat.Position{Line: 1}, "there are no rows after the header")
	}
	assemble.NoteUnlabelled(r.Dataset, r.Report)
	return nil
}

func (r *reader) readRow(line []byte) error {
	key, cells, _ := bytes.Cut(line, []byte{'\t'})
	r.obs.At = stat.Position{Line: r.lines.number, Column: 1}
	if err := r.checkWidth(line); err != nil {
		return err
	}
	if err := r.readKey(key); err != nil {
		return err
	}
	pattern, err := r.readCells(cells)
	if err != nil {
		return err
	}
	r.Report.Read += len(r.columns)
	return r.checkDoubled(key, pattern)
}

func (r *reader) readKey(key []byte) error {
	if err := checkText(r.obs.At, key); err != nil {
		return err
	}
	rest, more := key, true
	parts := len(r.axes) - 1
	for i, axis := range r.axes[:parts] {
		if !more {
			return stat.BadFile(r.obs.At, "the row key %q has %d of the %d parts in the header", text.Clip(string(key)), i, parts)
		}
		var part []byte
		part, rest, more = bytes.Cut(rest, []byte{','})
		part = bytes.TrimSpace(part)
		if len(part) == 0 {
			return stat.BadFile(r.obs.At, "part %d of the row key %q is empty", i+1, text.Clip(string(key)))
		}
		if i != r.header.timeAt {
			r.Key[axis.At] = axis.Code(part)
			continue
		}
		time, ok := r.times[string(part)]
		if !ok {
			var err error
			if time, err = r.readTime(string(part), r.obs.At); err != nil {
				return err
			}
			r.times[string(part)] = time
		}
		if r.rowTime = time; axis != nil {
			r.Key[axis.At] = time.code
		}
	}
	if more {
		return stat.BadFile(r.obs.At, "the row key %q has more than the %d parts in the header", text.Clip(string(key)), parts)
	}
	return nil
}

// checkWidth refuses rows with another number of cells than the header, and a last
// line without a line end: Eurostat's files have one, and without it the last number
// may be cut off.
func (r *reader) checkWidth(line []byte) error {
	cells, want := bytes.Count(line, []byte{'\t'}), len(r.columns)
	at := stat.Position{Line: r.lines.number, Column: min(cells, want) + 1}
	switch {
	case r.lines.lacksEnd && cells <= want:
		return stat.BadFile(at, "the file is cut off: its last line ends in cell %d of %d, without a line end", cells+1, want+1)
	case cells != want:
		return stat.BadFile(at, "the header has %d cells after its first, but this row has %d", want, cells)
	}
	return nil
}

// readCells yields the cells of a row. The pattern identifies those that are not empty.
func (r *reader) readCells(b []byte) (pattern uint64, err error) {
	const prime = 1099511628211 // as in FNV-1a
	i := 0
	axis := r.axes[len(r.axes)-1]
	for n := range r.columns {
		r.obs.At.Column = n + 2
		var c cell
		if c, i, err = r.cell(b, i); err != nil {
			return 0, err
		}
		if !c.hasNumber && c.mark == nil {
			r.Report.Missing++
			continue
		}
		pattern = (pattern + uint64(n) + 1) * prime
		column := &r.columns[n]
		if column.undated != "" || r.rowTime.undated != "" {
			r.Report.Add(stat.NoteUndated, 1, column.undated+r.rowTime.undated)
			continue
		}
		r.obs.Period = column.period
		if r.header.hasTimeInRows() {
			r.obs.Period = r.rowTime.period
		}
		if axis != nil {
			r.Key[axis.At] = column.code
		}
		r.setObservation(c)
		if err := r.Yield(&r.obs); err != nil {
			return 0, err
		}
	}
	return pattern, nil
}

type cell struct {
	value     float64
	hasNumber bool
	isExact   bool  // value has all the digits that were written
	mark      *mark // nil without flags
}

// cell reads the cell at b[i:] and returns where the next begins. A cell is a number
// or a colon for none, then a space, then letters: "9.2 bu", ": c".
func (r *reader) cell(b []byte, i int) (c cell, next int, err error) {
	first := i
	for i < len(b) && b[i] == ' ' {
		i++
	}
	var size int
	if i < len(b) && b[i] == ':' {
		size = 1
	} else {
		c.value, size, c.isExact = text.Number(b[i:])
		c.hasNumber = size > 0
	}
	i += size
	// Nearly all cells end like this, so there is no need to search for the end.
	if i+1 < len(b) && b[i] == ' ' && b[i+1] == '\t' {
		return c, i + 2, nil
	}
	end := i
	for end < len(b) && b[end] != '\t' {
		end++
	}
	if rest := bytes.TrimRight(b[i:end], " "); len(rest) > 0 {
		if size > 0 && (rest[0] == ' ' || !c.hasNumber) {
			c.mark, _ = r.marks.Find(rest, func() (*mark, error) { return newMark(rest), nil })
		}
		if c.mark == nil {
			return c, end, r.badCell(b[first:end])
		}
	}
	return c, end + 1, nil
}

// mark is what the letters beside a value, or in place of one, mean.
type mark struct {
	flags     stat.Flags // beside a number
	alone     stat.Flags // without a number
	isMissing bool       // a number beside it is none
	unknown   string     // a letter that Eurostat's list does not have
}

var (
	letter  = regexp.MustCompile(`@?[A-Za-z]`)
	letters = regexp.MustCompile(`^(@?[A-Za-z]| )*$`)
)

// newMark returns the mark of letters, each perhaps after an @, and spaces; nil for
// any other text. "bdu" is three flags.
func newMark(text []byte) *mark {
	if !letters.Match(text) {
		return nil
	}
	m := &mark{}
	for _, l := range letter.FindAllString(string(text), -1) {
		flags, ok := office.Status("eurostat", "obs_flag", l)
		if !ok {
			m.unknown = l
		}
		m.flags = stat.NewFlags(string(m.flags), string(flags))
	}
	m.alone, m.isMissing = office.WithoutNumber(m.flags), m.flags.Missing()
	return m
}

func (r *reader) badCell(content []byte) error {
	if err := checkText(r.obs.At, content); err != nil {
		return err
	}
	return stat.BadFile(r.obs.At, `%q is not a number; a cell is a number with a decimal point, or ":", and flags after a space`, text.Clip(string(bytes.TrimSpace(content))))
}

// setObservation sets the value and the flags of a cell, and adds the notes on them.
func (r *reader) setObservation(c cell) {
	r.obs.Value, r.obs.Flags = math.NaN(), ""
	switch {
	case c.mark == nil:
		r.obs.Value = c.value
	case c.hasNumber && !c.mark.isMissing:
		r.obs.Value, r.obs.Flags = c.value, c.mark.flags
	case c.hasNumber:
		r.obs.Flags = c.mark.flags
		r.Report.Add(stat.NoteNumberUnderMissing, 1, assemble.Place(r.Dataset, &r.obs))
	default:
		r.obs.Flags = c.mark.alone
	}
	if math.IsNaN(r.obs.Value) {
		r.Report.Missing++
	} else if !c.isExact {
		r.Report.Add(stat.NoteRounded, 1, assemble.Place(r.Dataset, &r.obs))
	}
	if c.mark != nil && c.mark.unknown != "" {
		r.Report.Add(stat.NoteUnknownFlag, 1, c.mark.unknown+" at "+assemble.Place(r.Dataset, &r.obs))
	}
}

// checkDoubled refuses a row that occurs twice with other cells empty; where both rows
// have a value, the store compares them. Rows are remembered by a hash of 64 bits: of
// files with ten million rows, fewer than one in 300,000 has a collision that matters.
func (r *reader) checkDoubled(key []byte, pattern uint64) error {
	r.hashed = r.hashed[:0]
	for i, axis := range r.axes[:len(r.axes)-1] {
		if i != r.header.timeAt {
			r.hashed = binary.LittleEndian.AppendUint32(r.hashed, uint32(r.Key[axis.At]))
		}
	}
	r.hashed = append(r.hashed, r.rowTime.period.SDMX()+r.rowTime.undated...)
	hash := maphash.Bytes(seed, r.hashed)
	before, ok := r.seen[hash]
	if !ok {
		r.seen[hash] = rowSeen{r.lines.number, pattern}
		return nil
	}
	if before.pattern != pattern {
		return stat.BadFile(stat.Position{Line: r.lines.number, Column: 1},
			"the row %q is in line %d too, with other cells missing", text.Clip(string(key)), before.line)
	}
	return nil
}
