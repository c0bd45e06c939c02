package sdmxcsv

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// read reads the records up to those of another dataset.
func (t *table) read() error {
	var err error
	for key := t.key; err == nil && t.key == key; {
		if err = t.readRecord(); err == nil {
			err = t.next()
		}
	}
	if t.isAtEnd = errors.Is(err, io.EOF); err != nil && !t.isAtEnd {
		return err
	}
	for _, c := range t.attributes {
		if c.isDropped {
			t.AttributesNotKept.Add(c.id)
		}
	}
	if t.hasOpenEnd {
		t.Report.Add(stat.NoteOpenEnd, 1, "the last line ends without a line break; the file may be cut off")
	}
	t.Finish()
	return nil
}

func (t *table) readRecord() error {
	if err := cmp.Or(t.checkAction(), t.checkKey()); err != nil {
		return err
	}
	if updated := t.cell(t.updatedAt); updated != t.updated {
		t.updated = updated
		t.SetUpdated([]byte(updated))
	}
	t.readAttributes()
	empty := t.readCodes()
	if empty == nil && t.time != nil && len(t.cells[t.time.at]) == 0 {
		empty = t.time
	}
	hasValue := false
	for i := range t.values {
		hasValue = hasValue || t.cells[t.values[i].at] != ""
	}
	switch {
	case empty != nil && hasValue:
		return t.bad(empty.at, "%q is empty in a record that has a value; every value needs a code there", empty.id)
	case empty != nil:
		t.Report.Add(stat.NoteNotRead, 1, "records of attributes without an observation")
		return nil
	}
	if t.time != nil {
		cell, _ := t.splitLabel(t.cells[t.time.at])
		t.text = append(t.text[:0], cell...)
		if err := t.SetPeriod(t.text); err != nil {
			return t.bad(t.time.at, "%v", err)
		}
	}
	for i := range t.values {
		c := &t.values[i]
		c.number = append(c.number[:0], t.cells[c.at]...)
		n, ok := sdmx.ReadNumber(c.number, t.style)
		if !ok {
			return t.bad(c.at, "%.40q is not a number; numbers have %q before the decimals, and the cell of a missing one is empty", t.cells[c.at], t.style.Decimal)
		}
		n.Measure, n.Bound, n.At = c.measure, c.isBound, t.at(c.at)
		t.numbers[i] = n
	}
	if t.Frequency >= 0 {
		t.Observation.At = t.at(t.dimensions[t.Frequency].at)
	}
	return t.YieldNumbers(t.numbers)
}

func (t *table) checkAction() error {
	cell := t.cell(t.actionAt)
	switch cell {
	case "", "I", "A", "R", "M":
		return nil
	case "D":
		return t.bad(t.actionAt, "the record is to be deleted (ACTION D), but an import replaces the whole dataset; remove such records")
	}
	return t.bad(t.actionAt, "ACTION must be I, A, R, M or D, not %.40q", cell)
}

// checkKey compares the key with the codes of the record: "EXR.D.USD" consists of the
// dataset EXR and the codes D and USD.
func (t *table) checkKey() error {
	if t.kind != keyed {
		return nil
	}
	_, rest, _ := strings.Cut(t.cells[0], ".")
	for i, d := range t.dimensions {
		isLast := i == len(t.dimensions)-1
		after, isCode := strings.CutPrefix(rest, t.cells[d.at])
		after, hasMore := strings.CutPrefix(after, ".")
		if !isCode || hasMore == isLast || isLast && len(after) > 0 {
			return t.bad(d.at, "the code of %s is %.40q, but the KEY of the record is %.80q: a key is the dataset and the codes of the columns up to the time, joined by points",
				d.id, t.cells[d.at], t.cells[0])
		}
		rest = after
	}
	return nil
}

// readCodes reads the codes of the dimensions. empty is the first dimension without a
// code.
func (t *table) readCodes() (empty *column) {
	for i := range t.dimensions {
		d := &t.dimensions[i]
		cell := t.cells[d.at]
		if len(cell) == 0 {
			empty = cmp.Or(empty, d)
			continue
		}
		if cell == d.last[0] {
			continue
		}
		d.last[0] = cell
		id, label := t.splitCode(d, cell)
		t.SetCode(i, []byte(id))
		if label != "" && t.Code(i).Label == "" {
			t.Code(i).Label = strings.Clone(label)
		}
	}
	return empty
}

// splitCode splits a cell into a code and its label, which may have its own column.
func (t *table) splitCode(c *column, cell string) (id, label string) {
	if id, label = t.splitLabel(cell); label == "" {
		label = t.cell(c.labelAt)
	}
	return id, label
}

// readAttributes reads the attributes that differ from those of the record before.
func (t *table) readAttributes() {
	for i := range t.attributes {
		c := &t.attributes[i]
		cell := t.cells[c.at]
		if c.attribute == nil {
			c.isDropped = c.isDropped || cell != ""
			continue
		}
		both := [2]string{cell, t.cell(c.labelAt)}
		if both == c.last {
			continue
		}
		c.last = both
		t.Here.Unset(c.attribute)
		if cell != "" {
			code, label := t.readAttribute(c, cell)
			t.Here.Set(c.attribute, []byte(code), []byte(label))
		}
	}
}

// readAttribute returns the code and the text of an attribute in a cell.
func (t *table) readAttribute(c *column, cell string) (code, text string) {
	switch c.attribute.Kind {
	case assemble.AttributeNote, assemble.AttributePreBreak:
		if c.hasLanguages && t.valueSep != 0 {
			return cell, oneLanguage(cell, t.valueSep)
		}
		return cell, t.cell(c.labelAt)
	case assemble.AttributeUnit:
		return t.splitCode(c, cell)
	}
	if c.attribute.Separators == "" || !t.hasLabels {
		code, _ = t.splitLabel(cell)
		return code, ""
	}
	for value := range strings.SplitSeq(cell, string(rune(t.valueSep))) {
		id, _ := t.splitLabel(value)
		code += id + string(rune(t.valueSep))
	}
	return code, ""
}

// oneLanguage returns the English text of "en:Value;fr:Valeur", else the first.
func oneLanguage(cell string, between byte) string {
	texts := strings.Split(cell, string(rune(between)))
	english := slices.IndexFunc(texts, func(text string) bool { return strings.HasPrefix(text, "en:") })
	if text := texts[max(english, 0)]; len(text) > 2 && text[2] == ':' {
		return text[3:]
	}
	return cell
}
