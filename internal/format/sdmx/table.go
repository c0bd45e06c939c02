package sdmx

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Table is a dataset while its observations are read.
type Table struct {
	*assemble.Table

	// Observation is the current one. Its At is the place of its frequency.
	Observation stat.Observation
	// UndatedMark is what the current observation has in place of a period. It is then
	// listed in the dataset and counted, but not yielded.
	UndatedMark string

	// Whole, Own and Here are the attributes of the dataset, of the current series and
	// of the current observation.
	Whole, Own, Here Values
	// AttributesNotKept are those that observations have no place for.
	AttributesNotKept Names
	// Frequency is the dimension of the frequency; -1 if there is none.
	Frequency int
	// IsFinished reports whether all observations have been read.
	IsFinished bool
	// ShortNotes leaves notes with a place or a text, not both.
	ShortNotes bool

	known          *stat.Dictionary // of the office
	dimensions     int
	axes           []*assemble.Axis // in the order of the source's keys; that of measures comes last
	measures       *assemble.Axis   // nil: observations have one number
	unit           *assemble.Axis
	currency       *assemble.Axis
	isCurrencyLeft bool   // some unit does not say the currency of an attribute
	unitList       string // of codes, for the unit; empty: none is known

	frequencies []stat.Frequency // by code of the frequency
	periods     text.Cache[period]
	years       map[stat.Period]string // that occur, with the span that is stored under them

	lastUpdate    []byte // the last text that [Table.SetUpdated] read
	places        int    // of attributes
	groups        []group
	hasTimeGroups bool   // some groups name a time
	inherited     Values // from all levels above the observation
	isInherited   bool   // inherited is that of the current key
	key           []byte
	meanings      text.Cache[meaning]
}

// period is the meaning of a text of time: a period, or else a mark in place of one.
type period struct {
	stat.Period
	undatedMark string
}

// NewTable returns a table with the dimensions of a dataset, in the order of the
// source's keys. A dimension has a role if the source states one. If observations have
// several numbers, measures is the dimension that tells them apart. The structure may
// be nil.
func NewTable(table *assemble.Table, in *format.Input, s *stat.Structure, dimensions []stat.Dimension, measures *stat.Dimension) (*Table, error) {
	t := &Table{Table: table, Frequency: -1, known: in.Known(table.Dataset.Source.ID), dimensions: len(dimensions)}
	for i := range dimensions {
		if dimensions[i].Role == stat.RoleOther {
			dimensions[i].Role = "" // the ID decides
		}
	}
	all := dimensions
	if measures != nil {
		all = append(all[:len(all):len(all)], *measures)
	}
	var err error
	if t.axes, err = t.SetDimensions(all, in.Geo); err != nil {
		return nil, err
	}
	for i, axis := range t.axes {
		switch {
		case i == len(dimensions):
			t.measures = axis
		case t.Frequency < 0 && axis.Dim.Role == stat.RoleFrequency:
			t.Frequency = i
		case t.unit == nil && (axis.Dim.Role == stat.RoleUnit || assemble.AttributeOf(axis.Dim.ID) == assemble.AttributeUnit):
			t.unit = axis
			if s != nil && s.Dimension(axis.Dim.ID) != nil {
				t.unitList = s.Dimension(axis.Dim.ID).List
			}
		case assemble.AttributeOf(axis.Dim.ID) == assemble.AttributeCurrency:
			t.currency = axis
		}
	}
	t.Observation.Key = t.Key
	return t, nil
}

// Measures returns the dimension that tells several measures apart; nil for one.
func Measures(codes []stat.Code) *stat.Dimension {
	if len(codes) < 2 {
		return nil
	}
	return new(assemble.Indicators(codes))
}

// Axis returns the i-th dimension.
func (t *Table) Axis(i int) *assemble.Axis { return t.axes[i] }

// SetCode sets the code of the i-th dimension.
func (t *Table) SetCode(i int, code []byte) {
	axis := t.axes[i]
	at := &t.Observation.Key[axis.At]
	if codes := axis.Dim.Codes; int(*at) < len(codes) && codes[*at].ID == string(code) {
		return // like most codes
	}
	*at = axis.Code(code)
	t.isInherited = false
}

// Code returns the current code of the i-th dimension.
func (t *Table) Code(i int) *stat.Code { return t.code(t.axes[i]) }

func (t *Table) code(axis *assemble.Axis) *stat.Code {
	return &axis.Dim.Codes[t.Observation.Key[axis.At]]
}

// SetPeriod sets the period of the current observation, or its mark in place of one,
// by a text of time. Each text is read once.
func (t *Table) SetPeriod(content []byte) error {
	read, err := t.periods.Find(content, func() (period, error) {
		p, err := ParsePeriod(string(content))
		if mark := strings.TrimSpace(string(content)); err != nil && IsUndated(mark) {
			t.Undated(mark)
			return period{undatedMark: mark}, nil
		}
		if err == nil {
			err = t.labelYear(p, strings.TrimSpace(string(content)))
		}
		return period{Period: p}, err
	})
	t.Observation.Period, t.UndatedMark = read.Period, read.undatedMark
	return err
}

// labelYear keeps the text of a span that is stored under a year. In a dataset a year is
// itself or one span.
func (t *Table) labelYear(p stat.Period, text string) error {
	if p.Frequency() != stat.Annual {
		return nil
	}
	label := ""
	if _, isWhole, isSpan := parseSpan(text); isSpan && !isWhole {
		label = text
		t.LabelPeriod(p, text)
	}
	if before, ok := t.years[p]; ok && before != label {
		return fmt.Errorf("%s would be stored as the year %s, as %s before it; a dataset can have only one of them", text, p, cmp.Or(before, p.String()))
	}
	if t.years == nil {
		t.years = map[stat.Period]string{}
	}
	t.years[p] = label
	return nil
}

// noteUpdateTimeUnread is the kind of note for an unreadable time of update.
const noteUpdateTimeUnread = "update-time-unread"

// SetUpdated reads a time of the data's last change. The latest one is that of the dataset.
func (t *Table) SetUpdated(text []byte) {
	if len(text) == 0 || bytes.Equal(text, t.lastUpdate) {
		return
	}
	t.lastUpdate = append(t.lastUpdate[:0], text...)
	updated := ParseTime(string(text))
	if updated.IsZero() {
		t.Report.Add(noteUpdateTimeUnread, 1, string(text[:min(len(text), 40)]))
	} else if updated.After(t.Dataset.Updated) {
		t.Dataset.Updated = updated
	}
}

// frequencyNotStored stands for frequencies that cannot be stored, such as every
// two months.
const frequencyNotStored stat.Frequency = 0xf0

// frequencyNames are labels that some files have in place of codes, and the codes for
// no frequency.
var frequencyNames = map[string]stat.Frequency{
	"annual": stat.Annual, "half-yearly, semesterly": stat.HalfYear, "half-yearly": stat.HalfYear, "quarterly": stat.Quarter,
	"monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day, "_z": 0, "_u": 0,
}

// setFrequency sets the observation's frequency by its dimension, if there is one. The
// frequency of an observation with a value must be one that can be stored.
func (t *Table) setFrequency(numbers []Number) error {
	if t.Frequency < 0 {
		return nil
	}
	axis := t.axes[t.Frequency]
	for _, code := range axis.Dim.Codes[len(t.frequencies):] {
		f, ok := office.Frequency(t.Dataset.Source.ID, code.ID)
		if !ok {
			f, ok = frequencyNames[strings.ToLower(code.ID)]
		}
		if !ok {
			f = frequencyNotStored
		}
		t.frequencies = append(t.frequencies, f)
	}
	t.Observation.Frequency = t.frequencies[t.Observation.Key[axis.At]]
	if t.Observation.Frequency != frequencyNotStored {
		return nil
	}
	t.Observation.Frequency = 0
	if t.UndatedMark != "" || !slices.ContainsFunc(numbers, func(n Number) bool { return !math.IsNaN(n.Value) }) {
		return nil
	}
	return stat.BadFile(t.Observation.At, "the frequency %q of %s cannot be stored; it must be annual, half-yearly, quarterly, monthly, weekly or daily",
		t.code(axis).ID, axis.Dim.ID)
}

// NoteGuess notes the dimensions of a dataset without a known structure.
func (t *Table) NoteGuess(dimensions []string) {
	t.Report.Add(stat.NoteNoStructure, 1, "taken for dimensions: "+strings.Join(dimensions, ", "))
}

// Finish ends the reading and adds the notes that depend on all observations.
func (t *Table) Finish() {
	t.IsFinished = true
	if n := &t.AttributesNotKept; n.Count > 0 {
		t.Report.Add(assemble.NoteAttributeNotKept, n.Count, strings.Join(n.list, ", "))
	}
	assemble.NoteUnlabelled(t.Dataset, t.Report)
}
