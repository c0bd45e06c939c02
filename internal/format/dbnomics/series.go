package dbnomics

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// dataset reads the series of one dataset.
type dataset struct {
	*assemble.Table
	set  *set
	axes []*assemble.Axis // by dimension of the set

	series  series
	periods text.Cache[period]
	texts   text.Cache[string]
}

// series is one series while it is read; its memory is used for the next one.
type series struct {
	at         stat.Position
	code, name string
	frequency  string
	codes      map[string]string
	periods    []period
	values     []cell
	columns    []column          // attributes of the observations
	attributes map[string]string // of the series
	note       string
}

// period is a period, or the text that stands in its place.
type period struct {
	stat.Period
	undated string
}

// cell is a value and where it stands; NaN: there is none.
type cell struct {
	value float64
	mark  string // in place of the value, if it is another one than NA
	at    stat.Position
}

// column is an attribute of observations, with one text for each.
type column struct {
	id    string
	texts []string
	at    stat.Position
}

func newDataset(ctx context.Context, a *answer, s *set, in format.Input) (*dataset, error) {
	p := a.providers[s.provider]
	source := office.Find(cmp.Or(in.Source, s.provider))
	if in.Source == "" && source.URL == "" { // DBnomics knows what we do not
		source.Name, source.URL = cmp.Or(p.name, source.Name), p.website
	}
	if source.ID == "" {
		return nil, stat.BadFile(s.places[0], "the series of dataset %q do not say whose they are: state the office with --source", text.Clip(s.code))
	}
	d := &dataset{Table: assemble.New(ctx, in.Name), set: s}
	*d.Dataset = stat.Dataset{
		Source: source, Code: s.code, Name: cmp.Or(strings.TrimSpace(s.name), s.code), Description: strings.TrimSpace(s.description),
		SourceURL: "https://db.nomics.world/" + s.provider + "/" + s.code, MetadataURL: s.explained, Licence: p.terms, Updated: s.updated,
	}
	d.IgnorePeriod(in.Period)
	d.Prepared = s.indexed
	d.Partial, d.Share = a.part()
	if a.chosen && s.inAll > len(s.places) { // all pages of a selection are a selection still
		d.Selection(fmt.Sprintf("%d of %d series", len(s.places), s.inAll), s.code, in.Code)
	}
	var dims []stat.Dimension
	for _, id := range s.order {
		dims = append(dims, s.dimension(id))
	}
	if len(dims) == 0 {
		dims = []stat.Dimension{{ID: "series", Label: "Series", Role: stat.RoleOther}}
	}
	var err error
	d.axes, err = d.SetDimensions(dims, in.Geo)
	return d, err
}

// read reads the series of the dataset, each where it stands in the file.
func (d *dataset) read(file *jsonscan.File) error {
	for _, at := range d.set.places {
		j, err := file.From(at)
		if err != nil {
			return err
		}
		if err := d.readSeries(j, at); err != nil {
			return err
		}
		if err := d.setKey(); err != nil {
			return err
		}
		if err := d.observe(); err != nil {
			return err
		}
	}
	return nil
}

// readSeries reads one series, and checks that as many periods, values and
// attributes belong to it.
func (d *dataset) readSeries(j *jsonscan.Scanner, at stat.Position) error {
	s := &d.series
	*s = series{at: at, periods: s.periods[:0], values: s.values[:0], columns: s.columns[:0]}
	if _, err := j.Next(); err != nil { // the {
		return err
	}
	err := j.Object(func(name string, value jsonscan.Token) (err error) {
		array, object := value.Kind == jsonscan.Array, value.Kind == jsonscan.Object
		switch {
		case name == "@frequency":
			s.frequency, err = j.TextOf(value)
		case name == "series_code":
			s.code, err = j.TextOf(value)
		case name == "series_name":
			s.name, err = j.TextOf(value)
		case name == "dimensions":
			s.codes, err = j.Texts(value)
		case name == "attributes":
			s.attributes, err = j.Texts(value)
		case name == "period" && array:
			return j.Array(d.readPeriod)
		case name == "value" && array:
			return j.Array(d.readValue)
		case name == "observations_attributes" && array:
			return j.Array(func(item jsonscan.Token) error { return d.readPair(j, item) })
		case name == "observations_attributes" && object:
			return j.Object(func(name string, value jsonscan.Token) error { return d.readColumn(j, name, value) })
		case name == "notes":
			s.note, err = readNotes(j, value)
		default:
			err = j.SkipRest(value)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(s.periods) != len(s.values) {
		return stat.BadFile(s.at, "the series %q has %d periods and %d values", text.Clip(s.code), len(s.periods), len(s.values))
	}
	for _, c := range s.columns {
		if len(c.texts) != len(s.values) {
			return stat.BadFile(c.at, "the series %q has %d values, and %d of the attribute %q", text.Clip(s.code), len(s.values), len(c.texts), text.Clip(c.id))
		}
	}
	return nil
}

// readNotes reads the notes on a series: a text or several.
func readNotes(j *jsonscan.Scanner, value jsonscan.Token) (string, error) {
	if value.Kind != jsonscan.Array {
		return j.TextOf(value)
	}
	var all []string
	err := j.Array(func(item jsonscan.Token) error {
		text, err := j.TextOf(item)
		if text != "" {
			all = append(all, text)
		}
		return err
	})
	return strings.Join(all, " "), err
}

func (d *dataset) readPeriod(item jsonscan.Token) error {
	if item.Kind != jsonscan.String && item.Kind != jsonscan.Number {
		return stat.BadFile(item.At, "a period is a text, such as \"2024\" or \"2024-Q1\"")
	}
	p, err := d.periods.Find(item.Text, func() (period, error) {
		text := string(item.Text)
		p, err := stat.ParsePeriod(text)
		if err != nil {
			d.Undated(text)
			return period{undated: text}, nil
		}
		return period{Period: p}, nil
	})
	d.series.periods = append(d.series.periods, p)
	return err
}

func (d *dataset) readValue(item jsonscan.Token) error {
	c := cell{at: item.At, value: math.NaN()}
	switch item.Kind {
	case jsonscan.Null:
	case jsonscan.Number, jsonscan.String:
		content := item.Text
		if item.Kind == jsonscan.String && text.IsMissing(string(content)) {
			if mark := strings.TrimSpace(string(content)); !strings.EqualFold(mark, "na") && !strings.EqualFold(mark, "nan") {
				c.mark = mark
			}
			break
		}
		value, size, exact := text.Number(content)
		if size == 0 || size != len(content) {
			return stat.BadFile(item.At, "%q is no number that can be stored; a value is written like -1234.5, and \"NA\" where there is none", text.Clip(string(content)))
		}
		if !exact {
			d.Report.Add(stat.NoteRounded, 1, fmt.Sprintf("line %d: %s", item.At.Line, text.Clip(string(content))))
		}
		c.value = value
	default:
		return stat.BadFile(item.At, "a value is a number, or \"NA\" where there is none")
	}
	d.series.values = append(d.series.values, c)
	return nil
}

// readPair reads ["OBS_STATUS", ["", "p"]].
func (d *dataset) readPair(j *jsonscan.Scanner, item jsonscan.Token) error {
	if item.Kind != jsonscan.Array {
		return stat.BadFile(item.At, "an attribute is to be a pair of its code and an array of its values")
	}
	id, n := "", 0
	return j.Array(func(item jsonscan.Token) (err error) {
		switch n++; n {
		case 1:
			id, err = j.TextOf(item)
			return err
		case 2:
			return d.readColumn(j, id, item)
		}
		return stat.BadFile(item.At, "an attribute is to be a pair of its code and an array of its values")
	})
}

func (d *dataset) readColumn(j *jsonscan.Scanner, id string, value jsonscan.Token) error {
	if value.Kind != jsonscan.Array {
		return stat.BadFile(value.At, "the attribute %q is to have an array with a text for each observation", text.Clip(id))
	}
	c := column{id: id, at: value.At}
	err := j.Array(func(item jsonscan.Token) error {
		switch item.Kind {
		case jsonscan.Null:
			c.texts = append(c.texts, "")
			return nil
		case jsonscan.Object, jsonscan.Array:
			return stat.BadFile(item.At, "the attribute %q is to have texts", text.Clip(id))
		}
		text, err := d.texts.Find(item.Text, func() (string, error) { return string(item.Text), nil })
		c.texts = append(c.texts, text)
		return err
	})
	d.series.columns = append(d.series.columns, c)
	return err
}

func (d *dataset) setKey() error {
	s := &d.series
	if len(d.set.order) == 0 {
		if s.code == "" {
			return stat.BadFile(s.at, "a series without dimensions is to have a \"series_code\"")
		}
		d.Key[d.axes[0].At] = d.axes[0].Add(stat.Code{ID: s.code, Label: s.name})
		return nil
	}
	for i, id := range d.set.order {
		code := s.codes[id]
		if code == "" {
			return stat.BadFile(s.at, "the series %q has no code of the dimension %q, which other series have", text.Clip(s.code), text.Clip(id))
		}
		at, known := d.axes[i].Find(code)
		if !known {
			return stat.BadFile(s.at, "the file changed while it was read: there was no code %q", text.Clip(code))
		}
		d.Key[d.axes[i].At] = at
	}
	return nil
}

// frequencies are DBnomics' words; it calls half-years bi-annual.
var frequencies = map[string]stat.Frequency{
	"annual": stat.Annual, "bi-annual": stat.HalfYear, "semi-annual": stat.HalfYear, "quarterly": stat.Quarter,
	"monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day, "": 0,
}

// observe yields the observations of the series that was read.
func (d *dataset) observe() error {
	s := &d.series
	frequency, known := frequencies[strings.ToLower(s.frequency)]
	if !known && slices.ContainsFunc(s.values, func(c cell) bool { return !math.IsNaN(c.value) }) {
		return stat.BadFile(s.at, "the series %q has the frequency %q, which cannot be stored; known are annual, bi-annual, quarterly, monthly, weekly and daily",
			text.Clip(s.code), text.Clip(s.frequency))
	}
	unit, note := d.unitAndNote()
	for i, c := range s.values {
		p := s.periods[i]
		o := stat.Observation{Key: d.Key, Period: p.Period, Value: c.value, Unit: unit, Frequency: frequency, At: c.at}
		d.applyColumns(&o, i)
		if c.mark != "" && o.Flags == "" {
			o.Flags, _ = office.Status(d.Dataset.Source.ID, "status", c.mark)
		}
		if note != "" && !(math.IsNaN(o.Value) && o.Flags == "" && o.Note == "") {
			o.Note = strings.TrimSpace(o.Note + " " + note)
		}
		undated := ""
		if p.IsZero() {
			undated = fmt.Sprintf("line %d: %s", c.at.Line, text.Clip(p.undated))
		}
		if err := d.Cell(&o, undated); err != nil {
			return err
		}
	}
	return nil
}

// unitAndNote is what the attributes of the series say.
func (d *dataset) unitAndNote() (unit, note string) {
	s := &d.series
	multiplier := ""
	note = strings.TrimSpace(s.note)
	for _, id := range slices.Sorted(maps.Keys(s.attributes)) {
		content := cmp.Or(d.set.attributes[id].label(s.attributes[id]), s.attributes[id])
		switch assemble.AttributeOf(id) {
		case assemble.AttributeUnit:
			unit = content
		case assemble.AttributeMultiplier:
			multiplier = s.attributes[id] // the power, and not its label
		case assemble.AttributeNote:
			note = strings.TrimSpace(note + " " + content)
		default:
			if content != "" {
				d.Report.Add(assemble.NoteAttributeNotKept, 1, text.Clip(id))
			}
		}
	}
	return assemble.UnitText(unit, multiplier), note
}

// applyColumns gives the observation at i what its own attributes say.
func (d *dataset) applyColumns(o *stat.Observation, i int) {
	source := d.Dataset.Source.ID
	statusList := "obs_status"
	if source == "eurostat" { // whose list is one of letters
		statusList = "obs_flag"
	}
	for _, c := range d.series.columns {
		content := c.texts[i]
		if content == "" {
			continue
		}
		switch assemble.AttributeOf(c.id) {
		case assemble.AttributeStatus:
			flags, known := office.Status(source, statusList, content)
			o.Flags = stat.NewFlags(string(o.Flags), string(flags))
			if !known {
				d.Report.Add(stat.NoteUnknownFlag, 1, fmt.Sprintf("line %d: %s", o.At.Line, text.Clip(content)))
			}
		case assemble.AttributeConfidentiality:
			o.Flags = stat.NewFlags(string(o.Flags), string(office.Confidentiality(content)))
		case assemble.AttributeNote:
			o.Note = strings.TrimSpace(o.Note + " " + content)
		default:
			d.Report.Add(assemble.NoteAttributeNotKept, 1, text.Clip(c.id))
		}
	}
	if o.Flags.Missing() && !math.IsNaN(o.Value) {
		d.Report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %v with status %s", o.At.Line, o.Value, o.Flags))
		o.Value = math.NaN()
	}
}
