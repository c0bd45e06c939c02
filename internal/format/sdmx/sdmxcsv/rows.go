package sdmxcsv

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// flags is what the columns of flags say together.
type flags struct {
	beside, alone stat.Flags // beside a number, and without one
	unknown       string     // a code that the office's list does not have
}

// record yields the observations of the current record.
func (t *table) record(yield func(stat.Observation, error) bool) error {
	if err := t.checkAction(); err != nil {
		return err
	}
	if err := t.checkKey(); err != nil {
		return err
	}
	t.checkUpdated()
	for _, c := range t.layout.others {
		if !t.used[c.at] && len(t.records.cells[c.at]) > 0 {
			t.used[c.at] = true
		}
	}
	missing := t.codes()
	if missing < 0 && t.layout.time >= 0 && len(t.records.cells[t.layout.time]) == 0 {
		missing = t.layout.time
	}
	if missing >= 0 {
		if t.hasValue() {
			return t.records.bad(missing, "%q is empty in a record with a value; every value needs a code there", t.header.idAt(missing))
		}
		t.partials++
		return nil
	}
	period, err := t.readPeriod()
	if err != nil {
		return err
	}
	if period.mark != "" {
		t.undated(period.mark)
		return nil
	}
	t.obs.Period = period.Period
	if t.obs.Frequency, err = t.frequency(); err != nil {
		return err
	}
	said := t.readFlags()
	t.obs.Unit, t.obs.Note = t.readUnit(), t.readNote()
	for _, c := range t.cells {
		if err := t.observe(c, said, yield); err != nil {
			return err
		}
	}
	return nil
}

// idAt is the ID of the column at a cell.
func (h *header) idAt(at int) string {
	for _, c := range h.columns {
		if c.at == at {
			return c.id
		}
	}
	return ""
}

// hasValue reports whether the current record holds a number.
func (t *table) hasValue() bool {
	return slices.ContainsFunc(t.cells, func(c valueCell) bool { return len(t.records.cells[c.at]) > 0 })
}

// observe yields one number of the current record, or its absence.
func (t *table) observe(c valueCell, said flags, yield func(stat.Observation, error) bool) error {
	t.report.Read++
	o := t.obs
	o.At = t.records.at(c.at)
	if c.axis >= 0 {
		o.Key[c.axis] = c.code
	}
	value, exact, err := t.number(c.at)
	if err != nil {
		return err
	}
	o.Value, o.Flags = value, said.beside
	switch {
	case math.IsNaN(value):
		o.Flags = said.alone
		if c.bound {
			o.Flags, o.Note = "", "" // they are of the value
		}
	case said.beside.Missing():
		o.Value = math.NaN()
		t.report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("%s: %s", assemble.Where(t.dataset, &o), t.records.cells[c.at]))
	case !exact:
		t.report.Add(stat.NoteRounded, 1, fmt.Sprintf("%s: %s", assemble.Where(t.dataset, &o), t.records.cells[c.at]))
	}
	if said.unknown != "" && !c.bound {
		t.report.Add(stat.NoteUnknownFlag, 1, said.unknown+" at "+assemble.Where(t.dataset, &o))
	}
	if math.IsNaN(o.Value) {
		t.report.Missing++
		if o.Flags == "" && o.Note == "" {
			return nil
		}
	}
	if !yield(o, nil) {
		return errStopped
	}
	return nil
}

// number reads a number; NaN where the cell says that there is none.
func (t *table) number(at int) (value float64, exact bool, err error) {
	cell := t.records.cells[at]
	if len(cell) == 0 {
		return math.NaN(), true, nil
	}
	if t.plain {
		if value, size, exact := text.Number(cell); size == len(cell) {
			return value, exact, nil
		}
	}
	value, exact, ok := t.style.Number(cell)
	if ok {
		return value, exact, nil
	}
	if text.IsMissing(string(cell)) {
		return math.NaN(), true, nil
	}
	return 0, false, t.records.bad(at, "%.40q is no number; numbers are written with %q before the decimals, and a missing one is left out", cell, t.style.Decimal)
}

// readTime is a period, or the mark that stands in place of one.
type readTime struct {
	stat.Period
	mark string
}

// readPeriod reads the period of the current record.
func (t *table) readPeriod() (readTime, error) {
	if t.layout.time < 0 {
		return readTime{Period: t.stated}, nil
	}
	cell, _ := t.header.split(t.records.cells[t.layout.time])
	return t.period.Find(cell, func() (readTime, error) {
		if len(cell) <= maxPeriod {
			text := string(cell)
			if p, undated := parsePeriod(text); undated {
				return readTime{mark: text}, nil
			} else if !p.IsZero() {
				return readTime{Period: p}, nil
			}
		}
		_, err := stat.ParsePeriod(string(cell[:min(len(cell), maxPeriod)]))
		return readTime{}, t.records.bad(t.layout.time, "%v", err)
	})
}

// undated counts the cells of a record whose time is no period.
func (t *table) undated(mark string) {
	if !slices.Contains(t.dataset.Undated, mark) {
		t.dataset.Undated = append(t.dataset.Undated, mark)
	}
	t.report.Read += len(t.cells)
	t.report.Add(stat.NoteUndated, len(t.cells), mark)
}

// frequency is what the record states of its series' frequency.
func (t *table) frequency() (stat.Frequency, error) {
	if t.freqAt < 0 {
		return 0, nil
	}
	d := &t.dims[t.freqAt]
	for len(t.freqs) <= int(d.code) {
		id := d.axis.Dim.Codes[len(t.freqs)].ID
		f, ok := office.Frequency(t.dataset.Source.ID, id)
		if !ok {
			f, ok = frequencyOfName(id)
		}
		if !ok && !noFrequency(id) {
			f = notStored
		}
		t.freqs = append(t.freqs, f)
	}
	f := t.freqs[d.code]
	if f == notStored {
		if t.hasValue() {
			return 0, t.records.bad(d.at, "the frequency %q is none that can be stored: annual, half-yearly, quarterly, monthly, weekly or daily", d.axis.Dim.Codes[d.code].ID)
		}
		return 0, nil
	}
	return f, nil
}

// notStored stands for frequencies such as every two months.
const notStored = stat.Frequency(0xff)

// readFlags reads the columns of flags.
func (t *table) readFlags() flags {
	key, any := t.flags.Begin(), false
	for _, c := range t.layout.flags {
		cell := t.records.cells[c.at]
		any = any || len(cell) > 0
		key = append(append(key, cell...), 0)
	}
	t.flags.Keep(key)
	if !any {
		return flags{}
	}
	found, _ := t.flags.Find(key, t.makeFlags)
	return found
}

func (t *table) makeFlags() (f flags, _ error) {
	var codes []string
	for _, c := range t.layout.flags {
		values := []string{string(t.records.cells[c.at])}
		if c.several && t.header.sub != 0 {
			values = strings.Split(values[0], string(t.header.sub))
		}
		for _, value := range values {
			id, _ := t.header.split([]byte(value))
			if assemble.AttributeOf(c.id) == assemble.AttributeConfidentiality {
				codes = append(codes, string(office.Confidentiality(string(id))))
				continue
			}
			list := ""
			if strings.EqualFold(c.id, "OBS_FLAG") {
				list = "obs_flag"
			}
			meaning, known := office.Status(t.dataset.Source.ID, list, string(id))
			codes = append(codes, string(meaning))
			if !known {
				f.unknown = string(id)
			}
		}
	}
	f.beside = stat.NewFlags(codes...)
	f.alone = f.beside
	if t.dataset.Source.ID == "eurostat" && f.beside.Has(stat.ConfPrefix+"C") {
		f.alone = stat.NewFlags(append(codes, "Q")...) // left out because it is confidential
	}
	return f, nil
}

// readUnit reads the unit of the observation, which a dimension of units gives
// where nothing else is said.
func (t *table) readUnit() string {
	unit, multiplier := t.cell(t.layout.unit.at), t.cell(t.layout.multiplier)
	if t.layout.unitIsDim && len(multiplier) == 0 {
		return ""
	}
	if len(unit) == 0 && len(multiplier) == 0 {
		return ""
	}
	key := append(append(append(t.unit.Begin(), unit...), 0), multiplier...)
	t.unit.Keep(key)
	text, _ := t.unit.Find(key, func() (string, error) { return t.makeUnit(unit, multiplier), nil })
	return text
}

func (t *table) makeUnit(unit, multiplier []byte) string {
	id, label := t.header.split(unit)
	power, _ := t.header.split(multiplier)
	name := string(label)
	if name == "" {
		name = string(t.cell(t.layout.unit.labelAt))
	}
	if name == "" {
		name = t.listed(t.layout.unit.id, string(id))
	}
	if text := assemble.UnitText(name, string(power)); !t.layout.unitIsDim || text != name {
		return text
	}
	return ""
}

// listed is the label of a code in the office's list, or the code.
func (t *table) listed(component, id string) string {
	if list := t.known.List(t.dataset.Code, component); list != nil {
		for _, c := range list.Codes {
			if c.ID == id && c.Label != "" {
				return c.Label
			}
		}
	}
	return id
}
