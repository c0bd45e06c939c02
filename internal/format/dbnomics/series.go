package dbnomics

import (
	"cmp"
	"fmt"
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

// run reads the series of one dataset.
type run struct {
	set     *set
	dataset *stat.Dataset
	report  *stat.Report
	file    *jsonscan.File
	partial string     // see [stat.Table]
	share   stat.Share // the same

	ids  []string
	axes []*assemble.Axis
	key  []int32

	series  series
	periods text.Cache[stat.Period]
	flags   text.Cache[flagged]
	texts   text.Cache[string]
	undated map[string]bool
}

// series is one series while it is read; its room is used for the next one.
type series struct {
	at        stat.Position
	code      string
	name      string
	frequency string
	codes     map[string]string
	periods   []stat.Period
	undated   map[int]string // texts of those that are none
	values    []cell
	about     []column          // what is said of single observations
	attrs     map[string]string // of the series
	note      string
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

type flagged struct {
	flags stat.Flags
	known bool
}

// seriesID is the dimension of datasets whose series have no other.
const seriesID = "series"

// newRun prepares a dataset for reading.
func newRun(a *answer, s *set, in format.Input) (*run, error) {
	p := a.providers[s.provider]
	source := office.Find(cmp.Or(in.Source, s.provider))
	if in.Source == "" && source.URL == "" { // DBnomics knows what we do not
		source.Name, source.URL = cmp.Or(p.name, source.Name), p.website
	}
	if source.ID == "" {
		return nil, stat.BadFile(s.places[0], "the series of dataset %q do not say whose they are: state the office with --source", text.Clip(s.code))
	}
	r := &run{set: s, report: &stat.Report{}, ids: s.order, undated: map[string]bool{}}
	r.dataset = &stat.Dataset{
		Source: source, Code: s.code, Name: cmp.Or(strings.TrimSpace(s.name), s.code), Description: strings.TrimSpace(s.description),
		SourceURL: "https://db.nomics.world/" + s.provider + "/" + s.code, MetadataURL: s.explained, Licence: p.terms, Updated: s.updated,
	}
	if in.Period != "" {
		r.report.Add(stat.NotePeriodNotUsed, 1, in.Period)
	}
	r.partial, r.share = a.part(s)
	if a.chosen && s.inAll > len(s.places) {
		words := in.Selection(s.code, fmt.Sprintf("%d of %d series", len(s.places), s.inAll), r.report)
		if words != "" { // all pages of a selection are a selection still
			r.partial, r.share = words, stat.Share{}
		}
	}
	var dims []stat.Dimension
	for _, id := range r.ids {
		dims = append(dims, s.dimension(id))
	}
	if len(dims) == 0 {
		dims = []stat.Dimension{{ID: seriesID, Label: "Series", Role: stat.RoleOther}}
	}
	for i := range dims {
		if dims[i].Role == stat.RoleGeo {
			dims[i].Role = stat.RoleOther // the geography is one, chosen among all
		}
	}
	geo, err := assemble.Geography(dims, in.Geo)
	if err != nil {
		return nil, err
	}
	r.axes = assemble.Arrange(r.dataset, dims, geo)
	r.key = assemble.Key(r.dataset)
	return r, nil
}

// observations yields the values of all series.
func (r *run) observations(yield func(stat.Observation, error) bool) {
	for _, at := range r.set.places {
		j, err := r.file.From(at)
		if err == nil {
			err = r.read(j, at)
		}
		if err == nil {
			err = r.check()
		}
		if err != nil {
			yield(stat.Observation{}, err)
			return
		}
		if goOn, err := r.yield(yield); err != nil {
			yield(stat.Observation{}, err)
			return
		} else if !goOn {
			return
		}
	}
}

// read reads one series.
func (r *run) read(j *jsonscan.Scanner, at stat.Position) error {
	s := &r.series
	*s = series{at: at, periods: s.periods[:0], values: s.values[:0], about: s.about[:0], codes: map[string]string{}, attrs: map[string]string{}}
	if _, err := j.Next(); err != nil { // the {
		return err
	}
	return j.Object(func(name string, value jsonscan.Token) (err error) {
		array, object := value.Kind == jsonscan.Array, value.Kind == jsonscan.Object
		switch {
		case name == "@frequency":
			s.frequency, err = j.TextOf(value)
		case name == "series_code":
			s.code, err = j.TextOf(value)
		case name == "series_name":
			s.name, err = j.TextOf(value)
		case name == "dimensions" && object:
			return readTexts(j, s.codes)
		case name == "attributes" && object:
			return readTexts(j, s.attrs)
		case name == "period" && array:
			return j.Array(r.period)
		case name == "value" && array:
			return j.Array(r.value)
		case name == "observations_attributes" && array:
			return j.Array(func(item jsonscan.Token) error { return r.pair(j, item) })
		case name == "observations_attributes" && object:
			return j.Object(func(name string, value jsonscan.Token) error { return r.column(j, name, value) })
		case name == "notes":
			s.note, err = notes(j, value)
		default:
			err = j.SkipRest(value)
		}
		return err
	})
}

func readTexts(j *jsonscan.Scanner, into map[string]string) error {
	return j.Object(func(name string, value jsonscan.Token) (err error) {
		into[name], err = j.TextOf(value)
		return err
	})
}

// notes are the notes on a series: a text or several.
func notes(j *jsonscan.Scanner, value jsonscan.Token) (string, error) {
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

// period reads one of the periods; one that is none is remembered as such.
func (r *run) period(item jsonscan.Token) error {
	if item.Kind != jsonscan.String && item.Kind != jsonscan.Number {
		return stat.BadFile(item.At, "a period is a text, such as \"2024\" or \"2024-Q1\"")
	}
	p, _ := r.periods.Find(item.Text, func() (stat.Period, error) {
		p, err := stat.ParsePeriod(string(item.Text))
		if err != nil && !r.undated[string(item.Text)] {
			text := string(item.Text)
			r.undated[text] = true
			r.dataset.Undated = append(r.dataset.Undated, text)
		}
		return p, nil
	})
	if p.IsZero() {
		if r.series.undated == nil {
			r.series.undated = map[int]string{}
		}
		r.series.undated[len(r.series.periods)] = string(item.Text)
	}
	r.series.periods = append(r.series.periods, p)
	return nil
}

// value reads one of the values.
func (r *run) value(item jsonscan.Token) error {
	c := cell{at: item.At, value: math.NaN()}
	switch item.Kind {
	case jsonscan.Null:
	case jsonscan.Number, jsonscan.String:
		content := item.Text
		if item.Kind == jsonscan.String {
			trimmed := strings.TrimSpace(string(content))
			if text.IsMissing(trimmed) {
				if !strings.EqualFold(trimmed, "na") && !strings.EqualFold(trimmed, "nan") {
					c.mark = trimmed
				}
				break
			}
		}
		value, size, exact := text.Number(content)
		if size == 0 || size != len(content) {
			return stat.BadFile(item.At, "%q is no number that can be stored; a value is written like -1234.5, and \"NA\" where there is none", text.Clip(string(content)))
		}
		if !exact {
			r.report.Add(stat.NoteRounded, 1, fmt.Sprintf("line %d: %s", item.At.Line, text.Clip(string(content))))
		}
		c.value = value
	default:
		return stat.BadFile(item.At, "a value is a number, or \"NA\" where there is none")
	}
	r.series.values = append(r.series.values, c)
	return nil
}

// pair reads ["OBS_STATUS", ["", "p"]].
func (r *run) pair(j *jsonscan.Scanner, item jsonscan.Token) error {
	if item.Kind != jsonscan.Array {
		return stat.BadFile(item.At, "an attribute is to be a pair of its code and an array of its values")
	}
	id, n := "", 0
	return j.Array(func(item jsonscan.Token) (err error) {
		switch n++; {
		case n == 1:
			id, err = j.TextOf(item)
			return err
		case n == 2:
			return r.column(j, id, item)
		}
		return stat.BadFile(item.At, "an attribute is to be a pair of its code and an array of its values")
	})
}

// column reads an attribute of the observations.
func (r *run) column(j *jsonscan.Scanner, id string, value jsonscan.Token) error {
	if value.Kind != jsonscan.Array {
		return stat.BadFile(value.At, "the attribute %q is to have an array with a text for each observation", text.Clip(id))
	}
	c := column{id: id, at: value.At}
	err := j.Array(func(item jsonscan.Token) error {
		if item.Kind == jsonscan.Null {
			c.texts = append(c.texts, "")
			return nil
		}
		if item.Kind == jsonscan.Object || item.Kind == jsonscan.Array {
			return stat.BadFile(item.At, "the attribute %q is to have texts", text.Clip(id))
		}
		text, err := r.texts.Find(item.Text, func() (string, error) { return string(item.Text), nil })
		c.texts = append(c.texts, text)
		return err
	})
	r.series.about = append(r.series.about, c)
	return err
}

// check compares the lengths of what belongs together, and settles the key.
func (r *run) check() error {
	s := &r.series
	if len(s.periods) != len(s.values) {
		return stat.BadFile(s.at, "the series %q has %d periods and %d values", text.Clip(s.code), len(s.periods), len(s.values))
	}
	for _, c := range s.about {
		if len(c.texts) != len(s.values) {
			return stat.BadFile(c.at, "the series %q has %d values, and %d of the attribute %q", text.Clip(s.code), len(s.values), len(c.texts), text.Clip(c.id))
		}
	}
	if len(r.ids) == 0 {
		if s.code == "" {
			return stat.BadFile(s.at, "a series without dimensions is to have a \"series_code\"")
		}
		r.key[r.axes[0].At] = r.axes[0].Add(stat.Code{ID: s.code, Label: s.name})
		return nil
	}
	for i, id := range r.ids {
		code := s.codes[id]
		if code == "" {
			return stat.BadFile(s.at, "the series %q has no code of the dimension %q, which other series have", text.Clip(s.code), text.Clip(id))
		}
		at, known := r.axes[i].Find(code)
		if !known {
			return stat.BadFile(s.at, "the file changed while it was read: there was no code %q", text.Clip(code))
		}
		r.key[r.axes[i].At] = at
	}
	return nil
}

// frequencies are DBnomics' words; it calls half-years bi-annual.
var frequencies = map[string]stat.Frequency{
	"annual": stat.Annual, "bi-annual": stat.HalfYear, "semi-annual": stat.HalfYear, "quarterly": stat.Quarter,
	"monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day, "": 0,
}

// yield hands on the observations of the series that was read.
func (r *run) yield(yield func(stat.Observation, error) bool) (goOn bool, err error) {
	s := &r.series
	frequency, known := frequencies[strings.ToLower(s.frequency)]
	if !known && slices.ContainsFunc(s.values, func(c cell) bool { return !math.IsNaN(c.value) }) {
		return false, stat.BadFile(s.at, "the series %q has the frequency %q, which cannot be stored; known are annual, bi-annual, quarterly, monthly, weekly and daily",
			text.Clip(s.code), text.Clip(s.frequency))
	}
	unit, note := r.ofSeries()
	for i, c := range s.values {
		r.report.Read++
		o := stat.Observation{Key: r.key, Period: s.periods[i], Value: c.value, Unit: unit, Frequency: frequency, At: c.at}
		r.remark(&o, i)
		if c.mark != "" && o.Flags == "" {
			o.Flags, _ = office.Status(r.dataset.Source.ID, "status", c.mark)
		}
		missing := math.IsNaN(o.Value)
		if missing {
			r.report.Missing++
			if o.Flags == "" && o.Note == "" {
				continue
			}
		}
		if note != "" {
			o.Note = strings.TrimSpace(o.Note + " " + note)
		}
		if o.Period.IsZero() {
			if !missing {
				r.report.Add(stat.NoteUndated, 1, fmt.Sprintf("line %d: %s", c.at.Line, text.Clip(s.undated[i])))
			}
			continue
		}
		if !yield(o, nil) {
			return false, nil
		}
	}
	return true, nil
}

// ofSeries is what the attributes of the series say: its unit and its notes.
func (r *run) ofSeries() (unit, note string) {
	s := &r.series
	multiplier := ""
	note = strings.TrimSpace(s.note)
	ids := make([]string, 0, len(s.attrs))
	for id := range s.attrs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		content := cmp.Or(r.set.attributes[id].label(s.attrs[id]), s.attrs[id])
		switch assemble.AttributeOf(id) {
		case assemble.AttributeUnit:
			unit = content
		case assemble.AttributeMultiplier:
			multiplier = s.attrs[id] // the power, and not its label
		case assemble.AttributeNote:
			note = strings.TrimSpace(note + " " + content)
		default:
			if content != "" {
				r.report.Add(assemble.NoteAttributeNotKept, 1, text.Clip(id))
			}
		}
	}
	return assemble.UnitText(unit, multiplier), note
}

// remark gives an observation the flags and the note that are its own.
func (r *run) remark(o *stat.Observation, i int) {
	for _, c := range r.series.about {
		content := c.texts[i]
		if content == "" {
			continue
		}
		switch assemble.AttributeOf(c.id) {
		case assemble.AttributeStatus:
			f := r.status(content)
			o.Flags = stat.NewFlags(string(o.Flags), string(f.flags))
			if !f.known {
				r.report.Add(stat.NoteUnknownFlag, 1, fmt.Sprintf("line %d: %s", o.At.Line, text.Clip(content)))
			}
		case assemble.AttributeConfidentiality:
			o.Flags = stat.NewFlags(string(o.Flags), string(office.Confidentiality(content)))
		case assemble.AttributeNote:
			o.Note = strings.TrimSpace(o.Note + " " + content)
		default:
			r.report.Add(assemble.NoteAttributeNotKept, 1, text.Clip(c.id))
		}
	}
	if o.Flags.Missing() && !math.IsNaN(o.Value) {
		r.report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %v with status %s", o.At.Line, o.Value, o.Flags))
		o.Value = math.NaN()
	}
}

// status reads a status by the list of its office: Eurostat's is one of
// letters.
func (r *run) status(text string) flagged {
	f, _ := r.flags.Find([]byte(text), func() (flagged, error) {
		list := "obs_status"
		if r.dataset.Source.ID == "eurostat" {
			list = "obs_flag"
		}
		flags, known := office.Status(r.dataset.Source.ID, list, text)
		return flagged{flags, known}, nil
	})
	return f
}
