package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/stat"
)

var kinds = map[Type]string{Line: "Line chart", Bar: "Bar chart", HorizontalBar: "Horizontal bar chart", Map: "Map", Area: "Area chart", Dumbbell: "Dumbbell chart", Spark: "Line chart", SmallMultiples: "Small multiples"}

// Alt describes the picture in one or two sentences for people who cannot see it: what
// it shows, and the highest and lowest numbers.
func (s *Spec) Alt() string {
	title, subtitle := shortened(font.Clean(cmp.Or(s.Title, s.Name))), font.Clean(s.Subtitle)
	l := s.Words()
	text := l.Text(kinds[s.Type])
	switch {
	case title != "" && subtitle != "":
		text = l.Text("%s: %s (%s)", text, title, subtitle)
	case title+subtitle != "":
		text = l.Text("%s: %s", text, title+subtitle)
	}
	if last := text[max(0, len(text)-1):]; !strings.Contains(".?!", last) {
		text += l.Text(".")
	}
	if numbers := font.Clean(s.describeValues()); numbers != "" {
		text += " " + numbers + l.Text(".")
	}
	if forecasts := font.Clean(s.describeForecasts()); forecasts != "" {
		text += " " + forecasts
	}
	if s.Type == Map && s.hasOwnPeriods() {
		text += " " + s.mapPeriodNote()
	}
	if note := s.offMapNote(); note != "" {
		text += " " + font.Clean(note)
	}
	if s.Edition != "" {
		text += " " + font.Clean(s.Edition)
	}
	if s.Type == Spark && len(s.Notes) > 0 {
		text += " " + font.Clean(strings.Join(s.Notes, " "))
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

// reading is one value and its place.
type reading struct {
	series *Series
	at     int
	value  float64
	apart  bool // not comparable with the others: a group of countries, or outside the map's region
}

// describeValues returns a sentence about the highest and the lowest value. It compares
// several time series in the last period that most of them have.
func (s *Spec) describeValues() string {
	if s.Mixed {
		return s.Words().Text("Its values differ in unit")
	}
	several := len(s.Series) > 1
	if s.Periods != nil && several {
		at := s.CommonEnd()
		period := s.Words().Period(s.Periods[at])
		text := s.compare(s.readings(at, at+1), period)
		if absent := s.lastOfAbsent(at); absent != nil && text != "" {
			without := s.Words().Text("No values in %s: %s.", period, s.Words().List(absent))
			if s.isDaily() {
				without = s.Words().Text("No values on %s: %s.", period, s.Words().List(absent))
			}
			text += s.Words().Text(".") + " " + strings.TrimSuffix(without, s.Words().Text("."))
		}
		return text
	}
	readings := s.readings(0, max(len(s.Periods), len(s.Categories)))
	if s.Periods != nil && len(readings) > 1 {
		return s.describeCourse(readings)
	}
	return s.compare(readings, "")
}

// lastOfAbsent returns the names of the series without a value in a period, each with its last value.
func (s *Spec) lastOfAbsent(at int) (names []string) {
	for i := range s.Series {
		series := &s.Series[i]
		last := len(series.Values) - 1
		for last >= 0 && math.IsNaN(series.Values[last]) {
			last--
		}
		if last >= 0 && math.IsNaN(series.Values[at]) {
			number := scale.NumbersFor([]float64{series.Values[last]}, s.NumberUnit()).Write(series.Values[last])
			names = append(names, series.Label+" ("+s.Words().Period(s.Periods[last])+": "+number+")")
		}
	}
	return names
}

// readings lists the values at positions from ≤ i < to.
func (s *Spec) readings(from, to int) []reading {
	var readings []reading
	var inFrame map[string]bool
	if s.Type == Map {
		inFrame = s.inFrame()
	}
	for i := range s.Series {
		series := &s.Series[i]
		for at := from; at < to; at++ {
			if !math.IsNaN(series.Values[at]) {
				apart := series.Group
				if s.Categories != nil {
					c := &s.Categories[at]
					apart = c.Group || s.Type == Map && !inFrame[atlas.OutlineID(c.Area)]
				}
				readings = append(readings, reading{series, at, series.Values[at], apart})
			}
		}
	}
	return readings
}

// namesOf returns the names of all readings with a value.
func (s *Spec) namesOf(readings []reading, value float64, inOnePeriod bool) string {
	var names []string
	for _, r := range readings {
		if r.value == value {
			names = append(names, s.nameOf(r, inOnePeriod))
		}
	}
	return s.Words().List(names)
}

// nameOf returns the name of a reading among others of one period, or of different places.
func (s *Spec) nameOf(r reading, inOnePeriod bool) string {
	if inOnePeriod {
		return r.series.Label
	}
	return s.place(r.series, run{r.at, r.at})
}

// maxShownValues is the number of values that every chart shows. If there are more, the
// text says how many it compares, because the chart may draw fewer.
const maxShownValues = 9

// compare states the highest and the lowest value, in a period unless it is empty. It skips
// readings that are not comparable with the others.
func (s *Spec) compare(readings []reading, period string) string {
	peers := slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return r.apart })
	without := ""
	if len(peers) > 1 || s.Type == Map {
		if len(peers) < len(readings) && s.Type != Map {
			without = s.nameApart(readings)
		}
		readings = peers
	}
	l := s.Words()
	switch {
	case len(readings) > 0:
	case s.Type == Map:
		return l.Text("None of the areas that it shows has a value")
	default:
		return ""
	}
	low, high := ends(readings)
	lowest, highest := s.namesOf(readings, low.value, period != ""), s.namesOf(readings, high.value, period != "")
	numbers := scale.NumbersFor([]float64{low.value, high.value}, s.NumberUnit())
	switch n := len(readings); {
	case n == 1 && period == "":
		return l.Text("The only value is that of %s: %s", lowest, numbers.Write(low.value))
	case n == 1 && s.isDaily():
		return l.Text("On %s the only value is that of %s: %s", period, lowest, numbers.Write(low.value))
	case n == 1:
		return l.Text("In %s the only value is that of %s: %s", period, lowest, numbers.Write(low.value))
	case low.value == high.value && n == 2:
		return l.Text("Both values are %s", numbers.Write(low.value))
	case low.value == high.value && period == "":
		return l.Text("All %s values are %s", n, numbers.Write(low.value))
	case low.value == high.value:
		return l.Text("In %s all %s values are %s", period, n, numbers.Write(low.value))
	}
	count := len(readings)
	if period != "" {
		count = s.comparable(without != "")
	}
	return s.compareEnds([]any{highest, numbers.Write(high.value), lowest, numbers.Write(low.value)}, among{count, without, period})
}

// comparable returns the number of series that are drawn, with groups of countries or without them.
func (s *Spec) comparable(withoutGroups bool) (n int) {
	for i := range s.Series {
		if !withoutGroups || !s.Series[i].Group {
			n++
		}
	}
	return n
}

// among says which readings are compared.
type among struct {
	count   int
	without string // what is set apart from them: groups of countries, or the area of which they are parts
	period  string // empty if there is one for the whole picture
}

// nameApart names what is set apart among readings: the area of which the others are parts, or the
// only area.
func (s *Spec) nameApart(readings []reading) string {
	var names []string
	for _, r := range readings {
		switch {
		case !r.apart:
		case s.Categories != nil:
			names = append(names, s.Categories[r.at].Label)
		default:
			names = append(names, r.series.Label)
		}
	}
	if !s.HasWhole && len(slices.Compact(slices.Sorted(slices.Values(names)))) > 1 {
		return s.Words().Text("groups of countries")
	}
	return names[0]
}

// compareEnds states the highest and the lowest of several values: ends are the name and the
// value of the highest, then of the lowest.
func (s *Spec) compareEnds(ends []any, a among) string {
	l := s.Words()
	isMoved := s.Type == Map && s.Transform != (Transform{Scale: 1}) && s.Transform != (Transform{})
	switch {
	case a.period != "" && s.Undrawn > 0 && a.without != "":
		return l.Text("Of %s series drawn apart from %s, the values of %s are highest for %s (%s) and lowest for %s (%s)", append([]any{a.count, a.without, a.period}, ends...)...)
	case a.period != "" && s.Undrawn > 0:
		return l.Text("Of %s series drawn, the values of %s are highest for %s (%s) and lowest for %s (%s)", append([]any{a.count, a.period}, ends...)...)
	case a.period != "" && s.isDaily():
		return l.Text("On %s the highest is %s (%s) and the lowest %s (%s)", append([]any{a.period}, ends...)...)
	case a.period != "" && a.without != "":
		return l.Text("In %s, apart from %s, the highest is %s (%s) and the lowest %s (%s)", append([]any{a.period, a.without}, ends...)...)
	case a.period != "":
		return l.Text("In %s the highest is %s (%s) and the lowest %s (%s)", append([]any{a.period}, ends...)...)
	case a.without != "" && a.count > maxShownValues:
		return l.Text("Of the %s values apart from %s, the highest is %s (%s) and the lowest %s (%s)", append([]any{a.count, a.without}, ends...)...)
	case a.without != "":
		return l.Text("Apart from %s, the highest is %s (%s) and the lowest %s (%s)", append([]any{a.without}, ends...)...)
	case a.count > maxShownValues || isMoved: // a part of a map may be in view
		return l.Text("Of %s values the highest is %s (%s) and the lowest %s (%s)", append([]any{a.count}, ends...)...)
	}
	return l.Text("The highest is %s (%s) and the lowest %s (%s)", ends...)
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
	course, highest, lowest := "It goes from %s in %s to %s in %s", "the highest is %s in %s", "the lowest is %s in %s"
	if s.isDaily() {
		course, highest, lowest = "It goes from %s on %s to %s on %s", "the highest is %s on %s", "the lowest is %s on %s"
	}
	l := s.Words()
	text := l.Text(course, numbers.Write(first.value), s.nameOf(first, false), numbers.Write(last.value), s.nameOf(last, false))
	var turns []string
	if high.value != first.value && high.value != last.value {
		turns = append(turns, l.Text(highest, numbers.Write(high.value), s.namesOf(readings, high.value, false)))
	}
	if low.value != first.value && low.value != last.value {
		turns = append(turns, l.Text(lowest, numbers.Write(low.value), s.namesOf(readings, low.value, false)))
	}
	if turns != nil {
		text += "; " + strings.Join(turns, ", ")
	}
	return text
}

// isDaily reports whether the periods are days, which need another preposition.
func (s *Spec) isDaily() bool { return len(s.Periods) > 0 && s.Periods[0].Frequency() == stat.Day }

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
