package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Alt describes the picture in one or two sentences for those who do not see
// it: what it shows, and where the numbers are highest and lowest.
func (s *Spec) Alt() string {
	kind := map[Type]string{Line: "Line chart", Bar: "Bar chart", HorizontalBar: "Horizontal bar chart", Map: "Map"}[s.Type]
	about := []string{}
	for _, text := range []string{s.Title, s.Subtitle} {
		if text != "" {
			about = append(about, text)
		}
	}
	text := kind
	if len(about) > 0 {
		text += ": " + strings.Join(about, "; ")
	}
	if last := text[len(text)-1]; last != '.' && last != '?' && last != '!' {
		text += "."
	}
	return text + s.extremes()
}

// extremes is a sentence on the highest and the lowest value: of the last
// period where several series run along time, else of all.
func (s *Spec) extremes() string {
	type spot struct {
		name  string
		value float64
	}
	var spots []spot
	from, lead, name := 0, "", s.place
	if s.Periods != nil && len(s.Series) > 1 {
		from = len(s.Periods) - 1
		lead = "In " + s.Periods[from].String() + " "
		name = func(series *Series, _ int) string { return series.Label }
	}
	for i := range s.Series {
		series := &s.Series[i]
		for at := from; at < len(series.Values); at++ {
			if !math.IsNaN(series.Values[at]) {
				spots = append(spots, spot{name(series, at), series.Values[at]})
			}
		}
	}
	if len(spots) == 0 {
		return ""
	}
	high, low := spots[0], spots[0]
	for _, sp := range spots {
		if sp.value > high.value {
			high = sp
		}
		if sp.value < low.value {
			low = sp
		}
	}
	write := func(sp spot) string {
		return fmt.Sprintf("%s (%s)", sp.name, strconv.FormatFloat(sp.value, 'f', -1, 64))
	}
	if len(spots) == 1 {
		return fmt.Sprintf(" The only value is %s.", write(high))
	}
	if high.value == low.value {
		return fmt.Sprintf(" All %d values are %s.", len(spots), strconv.FormatFloat(high.value, 'f', -1, 64))
	}
	if lead != "" {
		return fmt.Sprintf(" %sthe highest is %s and the lowest %s.", lead, write(high), write(low))
	}
	return fmt.Sprintf(" The highest is %s and the lowest %s.", write(high), write(low))
}
