package sdmx

import (
	"cmp"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Number is one of the numbers of an observation.
type Number struct {
	Value   float64 // NaN: missing
	Rounded bool    // the text has more digits than Value
	Text    []byte  // as written, for notes
	Measure int32   // its code in the dimension of measures
	Bound   bool    // a bound of uncertainty: flags and notes belong to the value
	At      stat.Position
}

// ReadNumber reads the text of a number, or of a missing one, whose value is NaN. ok is
// false for any other text.
func ReadNumber(content []byte, style text.Style) (n Number, ok bool) {
	n.Value, n.Text = math.NaN(), content
	if value, exact, ok := style.Number(content); ok {
		n.Value, n.Rounded = value, !exact
		return n, true
	}
	return n, text.IsMissing(string(content))
}

// PlainStyle is the style of numbers, except in some CSV.
var PlainStyle = text.Style{Decimal: '.'}

// meaning is the combined meaning of all attributes of an observation.
type meaning struct {
	flags      stat.Flags // beside a number
	flagsAlone stat.Flags // without one
	unknown    string     // a code of status that the office's list does not have
	unit, note string
}

// YieldNumbers yields the current observation with each of its numbers, which are
// counted as by [assemble.Table.YieldCell]. The dimension of frequency sets its frequency,
// and it inherits the attributes of all levels.
func (t *Table) YieldNumbers(numbers []Number) error {
	if err := t.setFrequency(numbers); err != nil {
		return err
	}
	if !t.isInherited {
		t.inherit()
	}
	m := t.meaning()
	for i := range numbers {
		n := &numbers[i]
		o := t.Observation
		o.Value, o.Flags, o.Note, o.Unit, o.At = n.Value, m.flags, m.note, m.unit, n.At
		if t.measures != nil {
			o.Key[t.measures.At] = n.Measure
		}
		t.applyFlags(&o, n, &m)
		if err := t.YieldCell(&o, t.UndatedMark); err != nil {
			return err
		}
	}
	return nil
}

// applyFlags applies the flags of a number, and notes what they change.
func (t *Table) applyFlags(o *stat.Observation, n *Number, m *meaning) {
	switch {
	case math.IsNaN(n.Value):
		o.Flags = m.flagsAlone
		if n.Bound {
			o.Flags, o.Note = "", ""
		}
	case m.flags.Missing():
		o.Value = math.NaN()
		example := assemble.Where(t.Dataset, o)
		if !t.ShortNotes {
			example += ": " + string(n.Text)
		}
		t.Report.Add(stat.NoteNumberUnderMissing, 1, example)
	case n.Rounded:
		example := string(n.Text)
		if !t.ShortNotes {
			example = assemble.Where(t.Dataset, o) + ": " + example
		}
		t.Report.Add(stat.NoteRounded, 1, example)
	}
	if m.unknown != "" && !n.Bound {
		example := m.unknown
		if !t.ShortNotes {
			example += " at " + assemble.Where(t.Dataset, o)
		}
		t.Report.Add(stat.NoteUnknownFlag, 1, example)
	}
}

// meaning returns the meaning of the current observation's attributes. Each combination
// is interpreted once.
func (t *Table) meaning() meaning {
	key := t.key[:0]
	for place := range max(len(t.Here), len(t.inherited)) {
		if v := t.value(place); v != nil {
			key = append(append(append(append(key, byte(place), 1), v.code...), 0), v.label...)
		}
		key = append(key, 0)
	}
	for _, axis := range []*assemble.Axis{t.unit, t.currency} {
		if axis != nil {
			key = binary.LittleEndian.AppendUint32(key, uint32(t.Observation.Key[axis.At]))
		}
	}
	t.key = key
	m, _ := t.meanings.Find(key, func() (meaning, error) { return t.interpret(), nil })
	return m
}

// value returns the current observation's value at a place; nil if it has none.
func (t *Table) value(place int) *value {
	if place < len(t.Here) && t.Here[place].of != nil {
		return &t.Here[place]
	}
	if place < len(t.inherited) && t.inherited[place].of != nil {
		return &t.inherited[place]
	}
	return nil
}

func (t *Table) interpret() (m meaning) {
	var flags, notes []string
	var unit, multiplier, currency, list string
	var ofUnit stat.Code // in list
	stated := t.statedFlags()
	for place := range max(len(t.Here), len(t.inherited)) {
		v := t.value(place)
		if v == nil {
			continue
		}
		code, label := string(v.code), string(v.label)
		switch v.of.Kind {
		case assemble.AttributeStatus:
			codes := []string{code}
			if signs := v.of.Separators; signs != "" {
				codes = strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(signs, r) })
			} else if written := writtenFlags(code); written != nil {
				flags, codes = append(flags, written...), nil
			}
			for _, code := range codes {
				if slices.Contains(stated, code) {
					continue // OBS_STATUS has one of the flags of OBS_FLAG
				}
				status, known := t.status(v.of, code)
				flags = append(flags, string(status))
				if !known {
					m.unknown = code
					notes = append(notes, label) // only the label says what the code means
				}
			}
		case assemble.AttributeConfidentiality:
			flags = append(flags, string(office.Confidentiality(code)))
		case assemble.AttributeNote:
			notes = append(notes, cmp.Or(label, code))
		case assemble.AttributePreBreak:
			notes = append(notes, "pre-break value: "+cmp.Or(label, code))
		case assemble.AttributeUnit:
			unit, list = cmp.Or(label, t.codeLabel(code, v.of.List, v.of.ID)), cmp.Or(v.of.List, v.of.ID)
			ofUnit = stat.Code{ID: code, Label: unit}
		case assemble.AttributeMultiplier:
			multiplier = office.Exponent(t.Dataset.Source.ID, code)
		case assemble.AttributeCurrency:
			currency = cmp.Or(label, t.codeLabel(code, v.of.List, v.of.ID))
		}
	}
	m.flags = stat.NewFlags(flags...)
	m.flagsAlone = m.flags
	if t.Dataset.Source.ID == "eurostat" {
		m.flagsAlone = office.WithoutNumber(m.flags)
	}
	m.unit = t.unitText(unit, multiplier, currency)
	t.translateUnit(m.unit, ofUnit, list)
	m.note = joinNotes(notes)
	return m
}

// statedFlags returns the flags of the current observation that an attribute has as Almanac writes
// several of them; nil if there is none.
func (t *Table) statedFlags() []string {
	for place := range max(len(t.Here), len(t.inherited)) {
		if v := t.value(place); v != nil && v.of.Kind == assemble.AttributeStatus && v.of.Separators == "" {
			if written := writtenFlags(string(v.code)); written != nil {
				return written
			}
		}
	}
	return nil
}

// writtenFlags returns the flags in a text as Almanac writes several of them, and those of an office
// without a code in CL_OBS_STATUS ("B P", "ESTAT:i"); nil for any other text.
func writtenFlags(text string) []string {
	if !strings.ContainsAny(text, " :") {
		return nil
	}
	codes := strings.Fields(text)
	for _, code := range codes {
		if !isOwnFlag(code) && !slices.Contains(office.ObsStatus, code) {
			return nil
		}
	}
	return codes
}

// isOwnFlag reports whether a code is a flag of an office with its name: "ESTAT:i".
func isOwnFlag(code string) bool {
	agency, own, isOwn := strings.Cut(code, ":")
	return isOwn && agency != "" && own != "" && agency == strings.ToUpper(agency)
}

// status returns the flags for a code of status. Eurostat's letters are a code list
// that messages do not always name; they are small, and the codes of CL_OBS_STATUS capital.
func (t *Table) status(a *Attribute, code string) (flags stat.Flags, known bool) {
	list := cmp.Or(a.List, a.ID)
	if t.Dataset.Source.ID == "eurostat" {
		switch {
		case code == strings.ToLower(code):
			list = "obs_flag"
		case slices.Contains(office.ObsStatus, code):
			list = "obs_status"
		}
	}
	if isOwnFlag(code) {
		return stat.NewFlags(code), true
	}
	return office.Status(t.Dataset.Source.ID, list, code)
}

// openCurrency matches units of money that do not say which, and the codes of such units.
var openCurrency = regexp.MustCompile(`(?i)^((units of )?(national|domestic|local) currency|currency|XDC|NAC)$`)

// unitText returns a unit with its multiplier; empty if a dimension of units says the
// same. A unit that only says that it is a currency is the currency of the series.
func (t *Table) unitText(unit, multiplier, currency string) string {
	ofDimension := ""
	if t.unit != nil {
		code := t.code(t.unit)
		ofDimension = cmp.Or(code.Label, t.codeLabel(code.ID, t.unitList, t.unit.Dim.ID))
	}
	whole := cmp.Or(unit, ofDimension)
	if t.currency != nil && currency == "" {
		code := t.code(t.currency)
		currency = cmp.Or(code.Label, t.codeLabel(code.ID, t.currency.Dim.ID))
	}
	switch {
	case currency == "" || strings.HasPrefix(currency, "_"): // _Z, not applicable
	case openCurrency.MatchString(whole):
		if whole = currency; t.Dataset.Source.ID == "frb" {
			_, name, _ := strings.Cut(currency, " / ") // United States / United States Dollar
			whole = cmp.Or(name, currency)
		}
	case t.currency == nil && !t.isCurrencyLeft:
		t.isCurrencyLeft = true
		t.AttributesNotKept.Add("CURRENCY")
	}
	if whole = stat.UnitText(whole, multiplier); whole == ofDimension {
		return ""
	}
	return whole
}

// joinNotes joins different notes.
func joinNotes(notes []string) string {
	var distinct []string
	for _, note := range notes {
		if note != "" && !slices.Contains(distinct, note) {
			distinct = append(distinct, note)
		}
	}
	return strings.Join(distinct, "; ")
}

// translateUnit adds the labels of a unit that is stated for series, with or without a multiple behind it, in the other
// languages of its code list.
func (t *Table) translateUnit(whole string, unit stat.Code, list string) {
	rest, ok := strings.CutPrefix(whole, unit.Label)
	if ok && unit.Label != "" && t.known != nil {
		t.Dataset.TranslateUnit(unit.Label, t.known.Lists[stat.ListName(list)].TranslationsOf(unit), rest)
	}
}

// codeLabel returns the label of a code in the first of the office's code lists that
// has one, else the code itself.
func (t *Table) codeLabel(id string, lists ...string) string {
	if t.known == nil || id == "" {
		return id
	}
	for _, name := range lists {
		if list := t.known.Lists[stat.ListName(name)]; list != nil {
			for _, c := range list.Codes {
				if c.ID == id && c.Label != "" {
					return c.Label
				}
			}
		}
	}
	return id
}
