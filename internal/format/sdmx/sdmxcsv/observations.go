package sdmxcsv

import (
	"bytes"
	"errors"
	"io"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// read yields what the records say, until another dataset begins.
func (t *table) read() error {
	for {
		err := t.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if cell := t.cell(t.header.dataflow); !bytes.Equal(cell, t.name) {
			t.name = append(t.name[:0], cell...)
			if t.header.datasetKey(string(cell)) != t.key {
				t.isPending = true
				break
			}
		}
		if err := t.record(); err != nil {
			return err
		}
	}
	if t.partials > 0 {
		t.Report.Add(stat.NoteNotRead, t.partials, "records of attributes without an observation")
	}
	for _, c := range t.layout.others {
		if t.isUsed[c.at] {
			t.AttributesNotKept.Add(c.id)
		}
	}
	t.Finish()
	t.finished = true
	return nil
}

// record yields the observations of the current record.
func (t *table) record() error {
	if err := t.checkAction(); err != nil {
		return err
	}
	if err := t.checkKey(); err != nil {
		return err
	}
	t.seeUpdated()
	for _, c := range t.layout.others {
		if len(t.records.cells[c.at]) > 0 {
			t.isUsed[c.at] = true
		}
	}
	empty := t.readCodes()
	if empty < 0 && t.layout.time >= 0 && len(t.records.cells[t.layout.time]) == 0 {
		empty = t.layout.time
	}
	hasValue := false
	for _, v := range t.values {
		hasValue = hasValue || len(t.records.cells[v.at]) > 0
	}
	if empty >= 0 {
		if hasValue {
			return t.records.bad(empty, "%q is empty in a record with a value; every value needs a code there", t.header.idAt(empty))
		}
		t.partials++
		return nil
	}
	undated, err := t.readPeriod()
	if undated || err != nil {
		return err
	}
	var ok bool
	if t.Observation.Frequency, ok = t.Frequency(); !ok && hasValue {
		dimension, code := t.FrequencyCode()
		return t.records.bad(t.header.find(dimension).at, "the frequency %q is none that can be stored: annual, half-yearly, quarterly, monthly, weekly or daily", code)
	}
	t.Begin()
	t.codes = t.codes[:0]
	for i := range t.attributes {
		a := &t.attributes[i]
		if cell := t.records.cells[a.at]; len(cell) > 0 {
			code, label := t.attribute(a, cell)
			t.SetHere(a.Attribute, code, label)
		}
	}
	for i, v := range t.values {
		cell := t.records.cells[v.at]
		n, ok := sdmx.ReadNumber(cell, t.style)
		if !ok {
			return t.records.bad(v.at, "%.40q is no number; numbers are written with %q before the decimals, and a missing one is left out", cell, t.style.Decimal)
		}
		n.Measure, n.Bound, n.At = v.measure, v.isBound, t.records.at(v.at)
		t.numbers[i] = n
	}
	return t.YieldNumbers(t.numbers)
}

// checkAction refuses what is no data to be stored.
func (t *table) checkAction() error {
	cell := t.cell(t.header.action)
	switch string(cell) {
	case "", "I", "A", "R", "M":
		return nil
	case "D":
		return t.records.bad(t.header.action, "the record is to be deleted (%s D), which an import of a whole dataset cannot do; remove such records", action)
	}
	return t.records.bad(t.header.action, "%.40q is no %s, which is I, A, R, M or D", cell, action)
}

// checkKey holds a key to the codes of the record: "EXR.D.USD" is of the
// dataset EXR and the codes D and USD.
func (t *table) checkKey() error {
	if t.header.kind != keyed {
		return nil
	}
	key := t.records.cells[0]
	_, rest, _ := bytes.Cut(key, []byte("."))
	for i, d := range t.dimensions {
		cell := t.records.cells[d.at]
		after, ok := bytes.CutPrefix(rest, cell)
		if last := i == len(t.dimensions)-1; ok && !last {
			after, ok = bytes.CutPrefix(after, []byte("."))
		} else if ok {
			ok = len(after) == 0
		}
		if !ok {
			return t.records.bad(d.at, "the code of %s is %.40q here, and the %s of the record is %.80q: a key is the dataset and the codes of the columns up to the time, with points between",
				d.id, cell, firstOfKeyed, key)
		}
		rest = after
	}
	return nil
}

// seeUpdated takes in the time of update; of several the latest counts.
func (t *table) seeUpdated() {
	cell := t.cell(t.header.updated)
	if len(cell) == 0 || bytes.Equal(cell, t.updated) {
		return
	}
	t.updated = append(t.updated[:0], cell...)
	updated := sdmx.ParseTime(string(cell))
	if updated.IsZero() {
		t.Report.Add(noteUpdateTimeUnread, 1, string(cell[:min(len(cell), 40)]))
	} else if updated.After(t.Dataset.Updated) {
		t.Dataset.Updated = updated
	}
}

// readCodes reads the key; empty is the first dimension without a code.
func (t *table) readCodes() (empty int) {
	empty = -1
	for i := range t.dimensions {
		d := &t.dimensions[i]
		cell := t.records.cells[d.at]
		if bytes.Equal(cell, d.last) && len(cell) > 0 {
			continue
		}
		d.last = append(d.last[:0], cell...)
		if len(cell) == 0 {
			if empty < 0 {
				empty = d.at
			}
			continue
		}
		id, label := t.header.split(cell)
		t.SetCode(i, id)
		if code := t.Code(i); code.Label == "" {
			if len(label) == 0 {
				label = t.cell(d.labelAt)
			}
			code.Label = string(label)
		}
	}
	return empty
}

// readPeriod reads the period of the current record. The cells of a record whose
// time is none are counted.
func (t *table) readPeriod() (isUndated bool, err error) {
	if t.layout.time < 0 {
		t.Observation.Period = t.period
		return false, nil
	}
	cell, _ := t.header.split(t.records.cells[t.layout.time])
	if t.Observation.Period, isUndated, err = t.Period(cell); err != nil {
		return false, t.records.bad(t.layout.time, "%v", err)
	}
	if isUndated {
		t.Report.Read += len(t.values)
		t.Report.Add(stat.NoteUndated, len(t.values), string(cell))
	}
	return isUndated, nil
}

// attribute is the code, and the text, of an attribute in a cell.
func (t *table) attribute(a *attribute, cell []byte) (code, text []byte) {
	several := t.header.sub
	switch a.Kind {
	case assemble.AttributeNote, assemble.AttributePreBreak:
		if a.languages && several != 0 {
			return cell, oneLanguage(cell, several)
		}
		return cell, t.cell(a.labelAt)
	case assemble.AttributeUnit:
		if code, text = t.header.split(cell); len(text) == 0 {
			text = t.cell(a.labelAt)
		}
		return code, text
	}
	if a.Separators == "" || !t.header.hasLabels {
		code, _ = t.header.split(cell)
		return code, nil
	}
	first := len(t.codes)
	for value := range bytes.SplitSeq(cell, []byte{several}) {
		id, _ := t.header.split(value)
		t.codes = append(append(t.codes, id...), several)
	}
	return t.codes[first:], nil
}

// oneLanguage is the English text of "en:Value;fr:Valeur", else the first.
func oneLanguage(cell []byte, between byte) []byte {
	for text := range bytes.SplitSeq(cell, []byte{between}) {
		if english, ok := bytes.CutPrefix(text, []byte("en:")); ok {
			return english
		}
	}
	first, _, _ := bytes.Cut(cell, []byte{between})
	if len(first) > 2 && first[2] == ':' {
		return first[3:]
	}
	return cell
}
