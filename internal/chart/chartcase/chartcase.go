// Package chartcase reads charts written as text, for the tests and the gallery, so that
// statisticians can read and add cases.
//
//	checked: what a person checked in the picture
//	type: line
//	size: 640 360
//	title: Unemployment rate
//	subtitle: Per cent of the labour force
//	unit: %
//	options: highlightLatest
//	periods: 2015..2019
//	series Germany: 4.6 4.1 - 3.4 3.2P
//	series France #c60: 10.4 10.1 9.4 9.0 8.4
//
// A line is a keyword, a colon and a text. "-" is a missing value; letters after a
// number are flags. A chart without a time axis has categories instead of periods,
// separated by commas, each followed by the area's code and, for groups of countries,
// the word group in brackets: "Germany [DE], European Union [EU27_2020 group]". A comma
// within a label is written \,. A map can give its values by code: "areas: DE 81.2, FR
// 82.9".
//
// A line chart can have "curve: step", "scale: log", "reference 2: Target", "span
// 2008..2009: Recession" and "remark 03/2020: First lockdown".
//
// A series can be followed by "bounds: 45..49 46..50 -", those of its values.
//
// "generate: 60 series of 40 years", "generate: 1 series of 240 months", "generate: 300
// categories", "generate: 101 ages", "generate: world growth" and, after "outlines: us",
// "generate: all outlines" make up numbers, which are always the same.
package chartcase

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// Case is a chart and what a person checked in its picture.
type Case struct {
	Checked string
	Spec    *chart.Spec
}

// Parse reads a case. Its errors state the line.
func Parse(text string) (*Case, error) {
	s := &Case{Spec: &chart.Spec{
		Width: 640, Height: 360, ShowBorders: true, ShowLegend: true,
		Transform: chart.Transform{Scale: 1},
	}}
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		word, rest, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %d: missing colon in %q", i+1, line)
		}
		if err := s.set(strings.TrimSpace(word), strings.TrimSpace(rest)); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return s, nil
}

// textOf returns the text that a keyword sets, or nil.
func (s *Case) textOf(word string) *string {
	return map[string]*string{
		"checked": &s.Checked, "locale": &s.Spec.Locale, "title": &s.Spec.Title, "subtitle": &s.Spec.Subtitle,
		"source": &s.Spec.Source, "unit": &s.Spec.Unit, "period": &s.Spec.Period, "aside": &s.Spec.Aside,
		"theme": &s.Spec.Theme, "background": &s.Spec.Background,
	}[word]
}

func (s *Case) set(word, text string) error {
	if p := s.textOf(word); p != nil {
		*p = text
		return nil
	}
	spec := s.Spec
	switch word {
	case "type":
		spec.Type = chart.Type(text)
	case "stack":
		spec.Stack = chart.Stack(text)
	case "note":
		spec.Notes = append(spec.Notes, text)
	case "region":
		o := chart.Options{}
		err := o.SetRegion(text)
		spec.Region = o.Region
		return err
	case "outlines":
		return s.outlines(text)
	case "uncovered":
		spec.Uncovered = strings.Fields(text)
	case "size":
		_, err := fmt.Sscan(text, &spec.Width, &spec.Height)
		return err
	case "transform":
		_, err := fmt.Sscan(text, &spec.Transform.X, &spec.Transform.Y, &spec.Transform.Scale)
		return err
	case "options":
		return s.options(strings.Fields(text))
	case "periods":
		return s.periods(strings.Fields(text))
	case "categories":
		return s.categories(strings.Split(strings.ReplaceAll(text, `\,`, "\x00"), ","))
	case "areas":
		return s.areas(strings.Split(text, ","))
	case "generate":
		return s.generate(text)
	case "bounds":
		return s.bounds(strings.Fields(text))
	case "theme", "background":
		s.look(word, text)
	default:
		if name, ok := strings.CutPrefix(word, "series "); ok {
			return s.series(name, strings.Fields(text))
		}
		return s.ofLines(word, text)
	}
	return nil
}

// lines returns the choices for lines.
func (s *Case) lines() *chart.Lines {
	if s.Spec.Lines == nil {
		s.Spec.Lines = &chart.Lines{}
	}
	return s.Spec.Lines
}

// ofLines sets the curve or scale of lines, or adds a reference line, a shaded span or a
// note at a date.
func (s *Case) ofLines(word, text string) error {
	kind, key, _ := strings.Cut(word, " ")
	one, l := &chart.Lines{}, s.lines()
	var err error
	switch label := map[string]string{key: text}; kind {
	case "curve":
		l.Curve = chart.Curve(text)
	case "scale":
		l.Log = text == "log"
	case "reference":
		err = one.SetReferences(label)
	case "span":
		err = one.SetSpans(label)
	case "remark":
		err = one.SetRemarks(label)
	default:
		err = fmt.Errorf("unknown keyword %q", word)
	}
	l.References, l.Spans, l.Remarks = append(l.References, one.References...), append(l.Spans, one.Spans...), append(l.Remarks, one.Remarks...)
	return err
}

func (s *Case) outlines(name string) error {
	if s.Spec.Outlines = name; s.Spec.Set().Name() != name {
		return fmt.Errorf("unknown outlines %q", name)
	}
	return nil
}

func (s *Case) look(word, text string) {
	if word == "theme" {
		s.Spec.Theme = text
	} else {
		s.Spec.Background = text
	}
}

func (s *Case) options(words []string) error {
	for _, word := range words {
		switch word {
		case "highlightLatest":
			s.Spec.HighlightLatest = true
		case "showValues":
			s.Spec.ShowValues = true
		case "noLegend":
			s.Spec.ShowLegend = false
		case "noBorders":
			s.Spec.ShowBorders = false
		default:
			return fmt.Errorf("unknown option %q", word)
		}
	}
	return nil
}

func (s *Case) periods(words []string) error {
	for _, word := range words {
		first, last, span := strings.Cut(word, "..")
		p, err := stat.ParsePeriod(first)
		if err != nil {
			return err
		}
		s.Spec.Periods = append(s.Spec.Periods, p)
		if !span {
			continue
		}
		end, err := stat.ParsePeriod(last)
		if err != nil {
			return err
		}
		for p.Compare(end) < 0 {
			p = after(p)
			s.Spec.Periods = append(s.Spec.Periods, p)
		}
	}
	return nil
}

// after returns the next period of the same frequency.
func after(p stat.Period) stat.Period {
	next := p.End().AddDate(0, 0, 1)
	switch p.Frequency() {
	case stat.Annual:
		return stat.NewPeriod(stat.Annual, next.Year(), 1)
	case stat.HalfYear:
		return stat.NewPeriod(stat.HalfYear, next.Year(), (int(next.Month())+5)/6)
	case stat.Quarter:
		return stat.NewPeriod(stat.Quarter, next.Year(), (int(next.Month())+2)/3)
	case stat.Month:
		return stat.NewPeriod(stat.Month, next.Year(), int(next.Month()))
	case stat.Week:
		year, week := next.ISOWeek()
		return stat.NewPeriod(stat.Week, year, week)
	}
	return stat.NewDay(next.Year(), int(next.Month()), next.Day())
}

func (s *Case) categories(items []string) error {
	for _, item := range items {
		label, mark, ok := strings.Cut(strings.TrimSpace(item), " [")
		c := chart.Category{Label: strings.ReplaceAll(label, "\x00", ",")}
		if ok {
			for _, word := range strings.Fields(strings.TrimSuffix(mark, "]")) {
				if word == "group" {
					c.Group = true
				} else {
					c.Area = word
				}
			}
		}
		s.Spec.Categories = append(s.Spec.Categories, c)
	}
	return nil
}

func (s *Case) areas(items []string) error {
	values := chart.Series{Key: "value", Label: "value"}
	for _, item := range items {
		code, number, _ := strings.Cut(strings.TrimSpace(item), " ")
		number, period, _ := strings.Cut(strings.TrimSpace(number), " ")
		area, ok := geo.Find(code)
		if id := atlas.OutlineID(code); s.Spec.Outlines != "" && s.Spec.Set().Has(id) && !ok {
			area = geo.Area{ID: code, Name: code}
		} else if !ok {
			return fmt.Errorf("unknown area code %q", code)
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return err
		}
		s.Spec.Categories = append(s.Spec.Categories, chart.Category{Label: area.Name, Area: area.ID, Group: area.Kind == geo.Group, Period: period})
		values.Values = append(values.Values, v)
	}
	s.Spec.Series = []chart.Series{values}
	return nil
}

// series adds a series with a name such as "Germany #c60 focus" and values with flags.
func (s *Case) series(name string, words []string) error {
	series := chart.Series{}
	parts := strings.Fields(name)
	for len(parts) > 1 {
		last := parts[len(parts)-1]
		switch {
		case last == "focus":
			series.Focus = true
		case last == "group":
			series.Group = true
		case strings.HasPrefix(last, "#"):
			series.Colour = last
		default:
			last = ""
		}
		if last == "" {
			break
		}
		parts = parts[:len(parts)-1]
	}
	series.Key = strings.Join(parts, " ")
	series.Label = series.Key
	for _, word := range words {
		digits := strings.TrimRight(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		v := math.NaN()
		if digits != "-" {
			var err error
			if v, err = strconv.ParseFloat(digits, 64); err != nil {
				return err
			}
		}
		series.Values = append(series.Values, v)
		series.Flags = append(series.Flags, stat.NewFlags(strings.Split(word[len(digits):], "")...))
	}
	if n := max(len(s.Spec.Periods), len(s.Spec.Categories)); len(series.Values) != n {
		return fmt.Errorf("series %s has %d values for %d periods or categories", series.Key, len(series.Values), n)
	}
	s.Spec.Series = append(s.Spec.Series, series)
	return nil
}
