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

type dataset struct {
	*assemble.Table
	set  *set
	axes []*assemble.Axis // by dimension of the set

	series  series
	periods text.Cache[period]
	texts   text.Cache[string]
}

// series is the series that is being read; its memory is used for the next one.
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

// period is a period, or the text of an invalid one.
type period struct {
	stat.Period
	undated string
}

// cell is a value and its place; NaN: there is none.
type cell struct {
	value float64
	mark  string // for a missing value, unless it is NA
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
	if in.Source == "" && source.URL == "" { // an office that Almanac does not know
		source.Name, source.URL = cmp.Or(p["name"], source.Name), p["website"]
	}
	if source.ID == "" {
		err := stat.BadFile(s.series[0], "the series of dataset %q do not name their provider: state the office", text.Clip(s.code))
		return nil, stat.Suggest(err, stat.Suggestion{Option: "source", Value: stat.AnyText})
	}
	d := &dataset{Table: assemble.New(ctx, in.Name), set: s}
	*d.Dataset = stat.Dataset{
		Source: source, Code: s.code, Name: cmp.Or(strings.TrimSpace(s.name), s.code), Description: strings.TrimSpace(s.description),
		SourceURL: "https://db.nomics.world/" + s.provider + "/" + s.code, MetadataURL: s.metadataURL, Licence: p["terms_of_use"], Updated: s.updated,
	}
	d.IgnorePeriod(in.Period)
	d.Prepared = s.indexed
	d.Partial, d.Share = a.part()
	if a.isSelection && s.seriesCount > len(s.series) { // even if the answer has all pages of the selection
		d.Selection(fmt.Sprintf("%d of %d series", len(s.series), s.seriesCount), s.code, in.Code)
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

func (d *dataset) read(file *jsonscan.File) error {
	for _, at := range d.set.series {
		j, object, err := file.From(at)
		if err != nil {
			return err
		}
		if err := d.readSeries(j, object); err != nil {
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

// readSeries reads a series, which must have as many periods and attributes as values.
func (d *dataset) readSeries(j *jsonscan.Scanner, object jsonscan.Token) error {
	s := &d.series
	*s = series{at: object.At, periods: s.periods[:0], values: s.values[:0], columns: s.columns[:0]}
	err := j.Decode(object, map[string]any{
		"@frequency": &s.frequency, "series_code": &s.code, "series_name": &s.name,
		"dimensions": &s.codes, "attributes": &s.attributes,
		"period": jsonscan.Items(d.readPeriod), "value": jsonscan.Items(d.readValue),
		"observations_attributes": func(value jsonscan.Token) error {
			column := func(id string, value jsonscan.Token) error { return d.readColumn(j, id, value) }
			switch value.Kind {
			case jsonscan.Array:
				return j.Array(func(item jsonscan.Token) error {
					return readPair(j, item, "attribute: must be a pair of its code and an array of its values", column)
				})
			case jsonscan.Object:
				return j.Object(column)
			}
			return nil
		},
		"notes": func(value jsonscan.Token) (err error) {
			s.note, err = readNotes(j, value)
			return err
		},
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

// readNotes reads one note on a series, or an array of them.
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

// join joins two texts, of which one may be empty.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

func (d *dataset) readPeriod(item jsonscan.Token) error {
	if item.Kind != jsonscan.String && item.Kind != jsonscan.Number {
		return stat.BadFile(item.At, "invalid period: must be a text such as \"2024\" or \"2024-Q1\"")
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
			return stat.BadFile(item.At, "invalid value %q: must be a number such as -1234.5 that can be stored, or \"NA\" if there is none", text.Clip(string(content)))
		}
		if !exact {
			d.Report.Add(stat.NoteRounded, 1, fmt.Sprintf("line %d: %s", item.At.Line, text.Clip(string(content))))
		}
		c.value = value
	default:
		return stat.BadFile(item.At, "invalid value: must be a number, or \"NA\" if there is none")
	}
	d.series.values = append(d.series.values, c)
	return nil
}

func (d *dataset) readColumn(j *jsonscan.Scanner, id string, value jsonscan.Token) error {
	if value.Kind != jsonscan.Array {
		return stat.BadFile(value.At, "invalid attribute %q: must be an array with a text for each observation", text.Clip(id))
	}
	c := column{id: id, at: value.At}
	err := j.Array(func(item jsonscan.Token) error {
		switch item.Kind {
		case jsonscan.Null:
			c.texts = append(c.texts, "")
			return nil
		case jsonscan.Object, jsonscan.Array:
			return stat.BadFile(item.At, "invalid attribute %q: its values must be texts", text.Clip(id))
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
			return stat.BadFile(s.at, "a series without dimensions must have a \"series_code\"")
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
			return stat.BadFile(s.at, "the file changed during the import: the code %q is new", text.Clip(code))
		}
		d.Key[d.axes[i].At] = at
	}
	return nil
}

// frequencies are those of DBnomics; bi-annual means half-yearly.
var frequencies = map[string]stat.Frequency{
	"annual": stat.Annual, "bi-annual": stat.HalfYear, "semi-annual": stat.HalfYear, "quarterly": stat.Quarter,
	"monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day, "": 0,
}

func (d *dataset) observe() error {
	s := &d.series
	frequency, known := frequencies[strings.ToLower(s.frequency)]
	if !known && slices.ContainsFunc(s.values, func(c cell) bool { return !math.IsNaN(c.value) }) {
		return stat.BadFile(s.at, "the series %q has the frequency %q, which cannot be stored; supported are annual, bi-annual, quarterly, monthly, weekly and daily",
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
			o.Note = join(o.Note, note)
		}
		undated := ""
		if p.IsZero() {
			undated = fmt.Sprintf("line %d: %s", c.at.Line, text.Clip(p.undated))
		}
		if err := d.YieldCell(&o, undated); err != nil {
			return err
		}
	}
	return nil
}

func (d *dataset) unitAndNote() (unit, note string) {
	s := &d.series
	multiplier := ""
	note = strings.TrimSpace(s.note)
	for _, id := range slices.Sorted(maps.Keys(s.attributes)) {
		content := cmp.Or(d.set.attributes[id].of[s.attributes[id]], s.attributes[id])
		switch assemble.AttributeOf(id) {
		case assemble.AttributeUnit:
			unit = content
		case assemble.AttributeMultiplier:
			multiplier = s.attributes[id] // the power, not its label
		case assemble.AttributeNote:
			note = join(note, content)
		default:
			if content != "" {
				d.Report.Add(assemble.NoteAttributeNotKept, 1, text.Clip(id))
			}
		}
	}
	return stat.UnitText(unit, multiplier), note
}

func (d *dataset) applyColumns(o *stat.Observation, i int) {
	source := d.Dataset.Source.ID
	statusList := "obs_status"
	if source == "eurostat" { // its own list of letters
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
			o.Note = join(o.Note, content)
		default:
			d.Report.Add(assemble.NoteAttributeNotKept, 1, text.Clip(c.id))
		}
	}
	if o.Flags.Missing() && !math.IsNaN(o.Value) {
		d.Report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %v with status %s", o.At.Line, o.Value, o.Flags))
		o.Value = math.NaN()
	}
}
