package sdmx

import (
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

	// Observation is the current one. The codec sets where it stands, its
	// period and its frequency.
	Observation stat.Observation
	// UndatedMark stands in place of the period of the current observation,
	// which is then counted and not yielded.
	UndatedMark string

	// Whole and Own are the attributes of the dataset and of the current series.
	Whole, Own Values
	// AttributesNotKept are those that no observation has a place for.
	AttributesNotKept Names
	// ShortNotes leaves out of notes which observation they are of.
	ShortNotes bool

	structure  *stat.Structure  // nil: none is known
	known      *stat.Dictionary // of the office
	dimensions int
	axes       []*assemble.Axis // in the order of the source's keys; that of measures comes last
	measures   *assemble.Axis   // nil: observations have one number
	frequency  *assemble.Axis   // nil: there is none
	unit       *assemble.Axis

	frequencies []stat.Frequency // by code of the frequency
	periods     text.Cache[period]

	places   int // of attributes
	groups   []group
	series   Values // what holds for the series
	here     Values // the observation's own
	key      []byte
	meanings text.Cache[meaning]
}

// period is what a text of time stands for.
type period struct {
	stat.Period
	undated bool
}

// NewTable makes a table with the dimensions of a dataset, in the order of the
// source's keys. A dimension has a role where the source states one. Where
// observations have several numbers, measures is the dimension that tells them
// apart. The structure may be nil.
func NewTable(table *assemble.Table, in *format.Input, s *stat.Structure, dimensions []stat.Dimension, measures *stat.Dimension) (*Table, error) {
	t := &Table{Table: table, structure: s, known: in.Known(table.Dataset.Source.ID), dimensions: len(dimensions)}
	for i := range dimensions {
		if dimensions[i].Role == stat.RoleOther {
			dimensions[i].Role = "" // so that its ID tells
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
		case t.frequency == nil && axis.Dim.Role == stat.RoleFrequency:
			t.frequency = axis
		case t.unit == nil && (axis.Dim.Role == stat.RoleUnit || assemble.AttributeOf(axis.Dim.ID) == assemble.AttributeUnit):
			t.unit = axis
		}
	}
	t.Observation.Key = t.Key
	return t, nil
}

// Dimensions is how many dimensions the source's keys have.
func (t *Table) Dimensions() int { return t.dimensions }

// Axis is the i-th dimension.
func (t *Table) Axis(i int) *assemble.Axis { return t.axes[i] }

// SetCode sets the code of the i-th dimension; most are as they were before.
func (t *Table) SetCode(i int, code []byte) {
	axis := t.axes[i]
	at := &t.Observation.Key[axis.At]
	if codes := axis.Dim.Codes; int(*at) < len(codes) && codes[*at].ID == string(code) {
		return
	}
	*at = axis.Code(code)
}

// Code is the current code of the i-th dimension.
func (t *Table) Code(i int) *stat.Code { return t.code(t.axes[i]) }

func (t *Table) code(axis *assemble.Axis) *stat.Code {
	return &axis.Dim.Codes[t.Observation.Key[axis.At]]
}

// SettlePeriod takes the period that the caller states for a file without
// times; noTime is the error where the caller states none either.
func (t *Table) SettlePeriod(isTimed bool, stated string, noTime error) (stat.Period, error) {
	if isTimed {
		t.IgnorePeriod(stated)
		return stat.Period{}, nil
	}
	return t.FilePeriod(stated, noTime)
}

// Period reads a text of time, each once. A mark in place of a period, which
// the dataset lists, is undated.
func (t *Table) Period(content []byte) (p stat.Period, undated bool, err error) {
	read, err := t.periods.Find(content, func() (period, error) {
		p, err := ParsePeriod(string(content))
		if mark := strings.TrimSpace(string(content)); err != nil && IsUndated(mark) {
			t.Undated(mark)
			return period{undated: true}, nil
		}
		return period{Period: p}, err
	})
	return read.Period, read.undated, err
}

// frequencyNotStored stands for frequencies that cannot be stored, such as every
// two months.
const frequencyNotStored stat.Frequency = 0xf0

// frequencyNames are the names of frequencies in files that hold labels in
// place of codes, and the codes that state none.
var frequencyNames = map[string]stat.Frequency{
	"annual": stat.Annual, "half-yearly, semesterly": stat.HalfYear, "half-yearly": stat.HalfYear, "quarterly": stat.Quarter,
	"monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day, "_z": 0, "_u": 0,
}

// Frequency is what the dimension of frequency, if there is one, states of the
// current observation. ok is false for a code that stands for none that can be
// stored.
func (t *Table) Frequency() (f stat.Frequency, ok bool) {
	if t.frequency == nil {
		return 0, true
	}
	for _, code := range t.frequency.Dim.Codes[len(t.frequencies):] {
		f, ok := office.Frequency(t.Dataset.Source.ID, code.ID)
		if !ok {
			f, ok = frequencyNames[strings.ToLower(code.ID)]
		}
		if !ok {
			f = frequencyNotStored
		}
		t.frequencies = append(t.frequencies, f)
	}
	if f = t.frequencies[t.Observation.Key[t.frequency.At]]; f == frequencyNotStored {
		return 0, false
	}
	return f, true
}

// NoteGuess notes which names were taken for dimensions because no structure is
// known.
func (t *Table) NoteGuess(dimensions []string) {
	t.Report.Add(stat.NoteNoStructure, 1, "taken for dimensions: "+strings.Join(dimensions, ", "))
}

// FrequencyCode is the ID and the current code of the dimension of frequency.
func (t *Table) FrequencyCode() (dimension, code string) {
	return t.frequency.Dim.ID, t.code(t.frequency).ID
}

// Finish writes the notes that need all observations.
func (t *Table) Finish() {
	if n := &t.AttributesNotKept; n.Count > 0 {
		t.Report.Add(assemble.NoteAttributeNotKept, n.Count, strings.Join(n.list, ", "))
	}
	assemble.NoteUnlabelled(t.Dataset, t.Report)
}
