package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
)

// kinds are the types of charts in words.
var kinds = map[Type]string{Line: "Line chart", Bar: "Bar chart", HorizontalBar: "Horizontal bar chart", Map: "Map"}

// Alt describes the picture in one or two sentences for those who do not see
// it: what it shows, and where the numbers are highest and lowest.
func (s *Spec) Alt() string {
	about := slices.DeleteFunc([]string{s.Title, s.Name, s.Subtitle}, func(text string) bool { return text == "" })
	text := font.Clean(kinds[s.Type] + ": " + strings.Join(about, "; "))
	if !strings.ContainsAny(text[len(text)-1:], ".?!") {
		text += "."
	}
	if numbers := s.inWords(); numbers != "" {
		text += " " + font.Clean(numbers) + "."
	}
	return text
}

// spot is one value with its name.
type spot struct {
	name  string
	value float64
}

// inWords is a sentence on the highest and the lowest value: of the last
// period where several series run along time, else of all.
func (s *Spec) inWords() string {
	several := len(s.Series) > 1
	if s.Periods != nil && several {
		at := len(s.Periods) - 1
		lead := "In " + s.Periods[at].String() + " "
		return s.compare(s.spots(at, func(series *Series, _ int) string { return series.Label }), lead)
	}
	spots := s.spots(0, func(series *Series, at int) string { return s.place(series, run{at, at}) })
	if s.Periods != nil && len(spots) > 1 {
		return s.course(spots)
	}
	return s.compare(spots, "")
}

// spots lists the values from a position on.
func (s *Spec) spots(from int, name func(*Series, int) string) []spot {
	var spots []spot
	for i := range s.Series {
		series := &s.Series[i]
		for at := from; at < len(series.Values); at++ {
			if !math.IsNaN(series.Values[at]) {
				spots = append(spots, spot{name(series, at), series.Values[at]})
			}
		}
	}
	return spots
}

// compare says which of some values is the highest and which the lowest.
func (s *Spec) compare(spots []spot, lead string) string {
	if len(spots) == 0 {
		return ""
	}
	low, high := ends(spots)
	numbers := scale.NumbersFor([]float64{low.value, high.value}, s.Unit)
	the := "The"
	if lead != "" {
		the = lead + "the"
	}
	switch {
	case len(spots) == 1:
		return fmt.Sprintf("%s only value is %s (%s)", the, numbers.Write(low.value), low.name)
	case low.value == high.value:
		all := "All"
		if lead != "" {
			all = lead + "all"
		}
		return fmt.Sprintf("%s %d values are %s", all, len(spots), numbers.Write(low.value))
	}
	return fmt.Sprintf("%s highest is %s (%s) and the lowest %s (%s)", the, high.name, numbers.Write(high.value), low.name, numbers.Write(low.value))
}

// course says where one series begins and ends, and its turns between.
func (s *Spec) course(spots []spot) string {
	low, high := ends(spots)
	first, last := spots[0], spots[len(spots)-1]
	numbers := scale.NumbersFor([]float64{low.value, high.value, first.value, last.value}, s.Unit)
	if low.value == high.value {
		return s.compare(spots, "")
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

// ends finds the lowest and the highest of some values, the first where
// several are equal.
func ends(spots []spot) (low, high spot) {
	low, high = spots[0], spots[0]
	for _, sp := range spots {
		if sp.value < low.value {
			low = sp
		}
		if sp.value > high.value {
			high = sp
		}
	}
	return low, high
}
