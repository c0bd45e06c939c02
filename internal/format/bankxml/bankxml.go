// Package bankxml reads the XML of central banks that is not SDMX.
//
// The Bank of England's database nests elements Cube in an envelope of GESMES: a series
// with its frequency, categories and observations.
//
//	<Cube SCODE="LPMVWYR" DESC="Monthly amounts … (in sterling millions) …">
//	  <Cube FREQ_NAME="Monthly" FREQ_CODE="M" FREQ_ORD="7"/>
//	  <Cube TIME="2012-01-31" OBS_VALUE="55011" OBS_CONF="N" LAST_UPDATED="2025-06-30 09:30:00"></Cube>
//
// The European Central Bank writes its reference rates in the same envelope: days, and
// in each the currencies.
//
//	<Cube time="2025-06-27"><Cube currency="USD" rate="1.1704"/>
//
// The Oesterreichische Nationalbank has elements of its own. The dimensions of a series
// are attributes with their names beside them.
//
//	<dataSet pos="VDBFKBSC217000" posTitle="Loans …" attr1="AT" attr1Dim="REGION" freq="A" unitMult="6" unitText="in millions Euro">
//	  <values><obs value="2558.00000" periode="1998"/>
//
// None has a geography: the numbers are those of the bank's own area.
package bankxml

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the formats of the banks.
func Formats() []format.Format {
	var all []format.Format
	for _, b := range []bank{england, ecb, oenb} {
		all = append(all, format.Format{Name: b.format, Recognise: b.recognise, Read: b.read})
	}
	return all
}

// bank is the form of one bank.
type bank struct {
	format, source string
	code, name     string // of a dataset that always has the same
	root           string // the first element
	marks          []string
	// open takes the attributes of an element and changes the series; it returns the
	// observation that the element holds, if it does.
	open func(s *series, element string, attributes map[string]string) (o *observation)
}

// series is what the elements so far say of the current series.
type series struct {
	values    []pair // dimensions in order
	title     string // of the series
	unit      string
	frequency string // by the office's code
	time      string // that the elements around have
}

// pair is the code of a dimension.
type pair struct{ id, name, code, label string }

// set sets the code of a dimension, and ignores an empty one.
func (s *series) set(p pair) {
	at := slices.IndexFunc(s.values, func(v pair) bool { return v.id == p.id })
	switch {
	case p.code == "":
	case at < 0:
		s.values = append(s.values, p)
	default:
		s.values[at] = p
	}
}

// observation is a cell as it is written.
type observation struct{ time, value, confidentiality, updated string }

const maxElementDepth = 32

func (b *bank) recognise(_ string, head []byte) bool {
	name, rest := text.FirstElement(head)
	return name == b.root && !slices.ContainsFunc(b.marks, func(mark string) bool { return !bytes.Contains(rest, []byte(mark)) })
}

func (b *bank) read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := &reader{bank: b, in: in, Table: assemble.New(ctx, in.Name)}
		if err := r.prepare(); err != nil {
			yield(nil, err)
			return
		}
		yield(r.Reading(r.observe), nil)
	}
}

// reader reads a file twice: the dimensions and their codes, then the observations.
type reader struct {
	*assemble.Table
	bank *bank
	in   format.Input
	axes []*assemble.Axis
	last int // the line of the current element
}

// walk calls take for each observation with its series.
func (r *reader) walk(report *stat.Report, take func(s *series, o *observation) error) error {
	file, err := text.Open(r.in.Again, r.in.Encoding, report)
	if err != nil {
		return err
	}
	defer file.Close()
	d := xml.NewDecoder(file)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8
	var s series
	for depth := 0; ; {
		token, err := d.Token()
		r.last, _ = d.InputPos()
		var syntax *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &syntax):
			return stat.BadFile(stat.Position{Line: r.last}, "invalid XML: %s", syntax.Msg)
		case err != nil:
			return err
		}
		switch token := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			if depth++; depth > maxElementDepth {
				return stat.BadFile(stat.Position{Line: r.last}, "elements are nested more than %d deep", maxElementDepth)
			}
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = strings.TrimSpace(a.Value)
			}
			if o := r.bank.open(&s, token.Name.Local, attributes); o != nil {
				if err := take(&s, o); err != nil {
					return err
				}
			}
		}
	}
}

// prepare finds the dimensions with their codes, and describes the dataset.
func (r *reader) prepare() error {
	var dims []stat.Dimension
	codes := map[string]map[string]bool{}
	titles := map[string]bool{}
	var title, code, unit string
	isFirst, units := true, map[string]bool{}
	err := r.walk(r.Report, func(s *series, _ *observation) error {
		for _, v := range s.values {
			if codes[v.id] == nil {
				codes[v.id] = map[string]bool{}
				dims = append(dims, stat.Dimension{ID: v.id, Label: v.name})
			}
			if !codes[v.id][v.code] {
				codes[v.id][v.code] = true
				at := slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.ID == v.id })
				dims[at].Codes = append(dims[at].Codes, stat.Code{ID: v.code, Label: v.label})
			}
		}
		if isFirst && len(s.values) > 0 {
			title, code, unit, isFirst = s.title, s.values[0].code, s.unit, false
		}
		titles[s.title], units[s.unit] = true, true
		return nil
	})
	switch {
	case err != nil:
		return err
	case isFirst:
		return stat.BadFile(stat.Position{Line: 1}, "the file has no observations")
	case len(titles) > 1:
		title, code = "", ""
	}
	d := r.Dataset
	d.Source, d.Name = office.Find(cmp.Or(r.in.Source, r.bank.source)), cmp.Or(r.bank.name, title)
	if len(units) == 1 {
		d.Unit = unit
	}
	r.SetCode(r.in.Code, r.bank.code, code)
	r.IgnorePeriod(r.in.Period)
	r.axes, err = r.SetDimensions(dims, r.in.Geo)
	return err
}

func (r *reader) observe() error {
	periods := table.NewPeriods(r.Table, table.ReadPeriod)
	return r.walk(&stat.Report{}, func(s *series, cell *observation) error {
		at := stat.Position{Line: r.last}
		for _, axis := range r.axes {
			i := slices.IndexFunc(s.values, func(v pair) bool { return v.id == axis.Dim.ID })
			if i < 0 {
				return stat.BadFile(at, "the series %q has no %s, which other series have", s.title, axis.Dim.ID)
			}
			code, ok := axis.Find(s.values[i].code)
			if !ok {
				return stat.BadFile(at, "the file changed during the import: the code %q is new", text.Clip(s.values[i].code))
			}
			r.Key[axis.At] = code
		}
		o := stat.Observation{Key: r.Key, At: at, Value: math.NaN()}
		if r.Dataset.Unit == "" {
			o.Unit = s.unit
		}
		o.Frequency, _ = office.Frequency(r.Dataset.Source.ID, s.frequency)
		var err error
		if o.Period, err = periods.Read(cell.time); err != nil {
			return stat.BadFile(at, "%v", err)
		}
		if err := r.setValue(&o, cell); err != nil {
			return err
		}
		if updated := text.Time(cell.updated, office.Zone(r.bank.source)); updated.After(r.Dataset.Updated) {
			r.Dataset.Updated = updated
		}
		return r.YieldCell(&o, cell.time)
	})
}

// setValue sets the number and the flags of an observation.
func (r *reader) setValue(o *stat.Observation, cell *observation) error {
	if c := cell.confidentiality; c != "" && c != "N" { // N means no
		o.Flags = office.Confidentiality(c)
	}
	value, exact, ok := text.Style{Decimal: '.'}.Number([]byte(cell.value))
	switch {
	case ok:
		o.Value = value
		if !exact {
			r.Report.Add(stat.NoteRounded, 1, assemble.Where(r.Dataset, o)+": "+text.Clip(cell.value))
		}
	case !text.IsMissing(cell.value):
		return stat.BadFile(o.At, "invalid value %q: want a number such as -1234.5", text.Clip(cell.value))
	}
	return nil
}
