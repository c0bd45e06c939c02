package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
)

var kinds = map[Type]string{Line: "Line chart", Bar: "Bar chart", HorizontalBar: "Horizontal bar chart", Map: "Map"}

// Alt describes the picture in one or two sentences for people who cannot see it: what
// it shows, and the highest and lowest numbers.
func (s *Spec) Alt() string {
	title, subtitle := shortened(font.Clean(cmp.Or(s.Title, s.Name))), font.Clean(s.Subtitle)
	text := kinds[s.Type]
	switch {
	case title != "" && subtitle != "":
		text += ": " + title + " (" + subtitle + ")"
	case title+subtitle != "":
		text += ": " + title + subtitle
	}
	if last := text[max(0, len(text)-1):]; !strings.Contains(".?!", last) {
		text += "."
	}
	if numbers := font.Clean(s.describeValues()); numbers != "" {
		text += " " + numbers + "."
	}
	return text
}

// maxAltTitle is the number of letters of a title that Alt includes.
const maxAltTitle = 300

func shortened(text string) string {
	if letters := []rune(text); len(letters) > maxAltTitle {
		return strings.TrimSpace(string(letters[:maxAltTitle])) + "…"
	}
	return text
}

// reading is one value with its name.
type reading struct {
	name  string
	value float64
	apart bool // not comparable with the others: a group of countries, or outside the map's region
}

// describeValues returns a sentence about the highest and the lowest value. It compares
// several time series in the last period that most of them have.
func (s *Spec) describeValues() string {
	if s.Mixed {
		return "Its values differ in unit"
	}
	several := len(s.Series) > 1
	if s.Periods != nil && several {
		at := s.CommonEnd()
		return s.compare(s.readings(at, at+1, func(series *Series, _ int) string { return series.Label }), "in "+s.Periods[at].String())
	}
	readings := s.readings(0, max(len(s.Periods), len(s.Categories)), func(series *Series, at int) string { return s.place(series, run{at, at}) })
	if s.Periods != nil && len(readings) > 1 {
		return s.describeCourse(readings)
	}
	return s.compare(readings, "")
}

// readings lists the values at positions from ≤ i < to.
func (s *Spec) readings(from, to int, name func(*Series, int) string) []reading {
	var readings []reading
	for i := range s.Series {
		series := &s.Series[i]
		for at := from; at < to; at++ {
			if !math.IsNaN(series.Values[at]) {
				apart := series.Group
				if s.Categories != nil {
					c := &s.Categories[at]
					apart = c.Group || s.Type == Map && !s.Region.Has(c.Area)
				}
				readings = append(readings, reading{name(series, at), series.Values[at], apart})
			}
		}
	}
	return readings
}

// maxShownValues is the number of values that every chart shows. If there are more, the
// text says how many it compares, because the chart may draw fewer.
const maxShownValues = 9

// compare states the highest and the lowest value, after a lead such as "in 2005". It
// skips readings that are not comparable with the others.
func (s *Spec) compare(readings []reading, lead string) string {
	peers := slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return r.apart })
	among := ""
	if len(peers) > 1 || s.Type == Map {
		if len(peers) < len(readings) && s.Type != Map {
			among = "apart from groups of countries "
		}
		readings = peers
	}
	switch {
	case len(readings) > 0:
	case s.Type == Map:
		return "None of the areas that it shows has a value"
	default:
		return ""
	}
	low, high := ends(readings)
	numbers := scale.NumbersFor([]float64{low.value, high.value}, s.NumberUnit())
	var text string
	switch n := len(readings); {
	case n == 1:
		text = fmt.Sprintf("the only value is that of %s: %s", low.name, numbers.Write(low.value))
	case low.value == high.value && n == 2:
		text = fmt.Sprintf("both values are %s", numbers.Write(low.value))
	case low.value == high.value:
		text = fmt.Sprintf("all %d values are %s", n, numbers.Write(low.value))
	default:
		text = fmt.Sprintf("the highest is %s (%s) and the lowest %s (%s)", high.name, numbers.Write(high.value), low.name, numbers.Write(low.value))
		switch moved := s.Type == Map && s.Transform != (Transform{Scale: 1}) && s.Transform != (Transform{}); {
		case lead == "" && among != "" && n > maxShownValues:
			text = fmt.Sprintf("of the %d values %s%s", n, among, text)
		case lead == "" && (n > maxShownValues || moved): // a part of a map may be in view
			text = fmt.Sprintf("of %d values %s", n, text)
		default:
			text = among + text
		}
	}
	if lead != "" {
		text = lead + " " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// describeCourse states the first and the last value of a single series, and its extremes
// in between.
func (s *Spec) describeCourse(readings []reading) string {
	low, high := ends(readings)
	first, last := readings[0], readings[len(readings)-1]
	numbers := scale.NumbersFor([]float64{low.value, high.value, first.value, last.value}, s.NumberUnit())
	if low.value == high.value {
		return s.compare(readings, "")
	}
	text := fmt.Sprintf("It goes from %s in %s to %s in %s", numbers.Write(first.value), first.name, numbers.Write(last.value), last.name)
	var turns []string
	if high.value != first.value && high.value != last.value {
		turns = append(turns, fmt.Sprintf("the highest is %s in %s", numbers.Write(high.value), high.name))
	}
	if low.value != first.value && low.value != last.value {
		turns = append(turns, fmt.Sprintf("the lowest is %s in %s", numbers.Write(low.value), low.name))
	}
	if turns != nil {
		text += "; " + strings.Join(turns, ", ")
	}
	return text
}

// ends returns the lowest and the highest reading, the first of equal ones.
func ends(readings []reading) (low, high reading) {
	low, high = readings[0], readings[0]
	for _, r := range readings {
		if r.value < low.value {
			low = r
		}
		if r.value > high.value {
			high = r
		}
	}
	return low, high
}
