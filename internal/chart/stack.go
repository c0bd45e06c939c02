package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// Stack says how bars and areas of several series are put on one another.
type Stack string

// The ways of stacking.
const (
	StackNormal  Stack = "normal"  // values add up
	StackPercent Stack = "percent" // values are shares of their sum
)

// stack prepares the series for stacking, if there are several of a type that can be
// stacked. Shares replace the values, and need all values of a position.
func (s *Spec) stack(w *textInput) error {
	t, o := w.selection, w.options
	mode := o.Stack
	if s.Type == Area {
		mode = cmp.Or(mode, StackNormal)
	}
	if mode == "" || len(s.Series) < 2 || s.Type != Bar && s.Type != HorizontalBar && s.Type != Area {
		return s.checkArea()
	}
	if units := t.units(); len(units) > 1 {
		return stat.Errorf(stat.Invalid, "stacked values need one unit, but the selection has %s; select one unit", strings.Join(units, ", "))
	}
	if err := s.checkSum(w, mode); err != nil {
		return err
	}
	if i := slices.IndexFunc(s.Series, Series.hasNegative); i >= 0 && mode == StackPercent {
		return stat.Errorf(stat.Invalid, "negative values have no share of a sum, but %q has such values; give stack=normal", s.Series[i].Key)
	}
	if err := s.checkArea(); err != nil {
		return err
	}
	s.Stack = mode
	if s.Type == Area {
		if err := s.keepSums(t); err != nil {
			return err
		}
		t.dateBeyond(s.Periods[len(s.Periods)-1])
	}
	incomplete := s.incomplete()
	l := s.Words()
	if mode == StackPercent {
		zero := s.toShares()
		if len(zero) > 0 && !slices.ContainsFunc(s.Series, Series.hasValue) {
			return stat.Errorf(stat.Invalid, "stack=percent needs a sum above zero, but all values are zero; give stack=normal")
		}
		if len(zero) > 0 {
			t.notes = append(t.notes, l.Text("No shares, because all values are zero: %s.", l.List(zero)))
		}
		t.notes = append(t.notes, l.Text("Calculated from the values of the source: shares of the sum of the series shown."))
	}
	switch n := len(incomplete); {
	case n == 0:
	case mode == StackPercent:
		t.notes = append(t.notes, l.Text("No shares, because values are missing: %s.", l.List(incomplete)))
	case s.Type == Area:
		t.notes = append(t.notes, l.Text("No sums, because values are missing: %s.", l.List(incomplete)))
	default:
		t.notes = append(t.notes, l.Text("Sums lack missing values: %s.", l.List(incomplete)))
	}
	return nil
}

var (
	// worldWords are in units of shares of the world, which have a sum.
	worldWords = lazyregexp.New(`(?i)\b(world|global)\b`)
	// wageWords are in titles of amounts that have no sum over areas.
	wageWords = lazyregexp.New(`(?i)\b(wages?|earnings|salary|salaries)\b`)
	// meanCount matches numbers of people as means over a year, which have a sum over areas.
	meanCount = lazyregexp.New(`(?i)\b(mean|average|moyenne|durchschnittliche|media) (annual |monthly |resident )*(population|employment|bevölkerung)\b|\b(population moyenne|población media|popolazione media)\b|平均人口`)
	// temperatureWords are in units and titles of values that never have a sum.
	temperatureWords = lazyregexp.New(`(?i)°\s?[CF]\b|[℃℉]|\b(celsius|fahrenheit|temperatures?)\b`)
)

// checkSum reports values that have no sum: indices, rates of change and temperatures, and
// percentages, means and other ratios of several areas. The unit or the words for what is measured
// say what they are. The name of a dataset with several measures does not count.
func (s *Spec) checkSum(w *textInput, mode Stack) error {
	o := w.options
	field := "stack=" + string(mode)
	if o.Stack == "" {
		field = "chartType=" + string(s.Type)
	}
	if kind := o.Derive.Kind; kind != "" && (kind != transform.Change || mode == StackPercent) {
		return stat.Errorf(stat.Invalid, "%s needs values that add up, but those of transform=%s do not; leave out the transform, or draw lines", field, o.Derive)
	}
	if text := w.ratioText(); text != "" {
		return stat.Errorf(stat.Invalid, "%s needs values that add up, but those of %q do not; draw lines", field, text)
	}
	return nil
}

// ratioText returns the unit or the words for what is measured, whichever says that values do not
// add up, or nothing.
func (w *textInput) ratioText() string {
	unit := w.units()[0]
	c := w.caption("", unit)
	for _, text := range []string{unit, cmp.Or(c.Measure, c.Title)} {
		if hasNoSum(text, w.areas) {
			return text
		}
	}
	return ""
}

// hasNoSum reports whether a unit or the name of what is measured says that values do not add up.
// Parts of one area may be shares of a whole.
func hasNoSum(text string, ofAreas bool) bool {
	switch {
	case caption.SaysIndex(text), temperatureWords.MatchString(text):
		return true
	case !ofAreas, worldWords.MatchString(text):
		return false
	case meanCount.MatchString(text):
		return caption.SaysRatioOfTwo(text)
	}
	return caption.SaysRatio(text) || wageWords.MatchString(text)
}

// checkArea reports values that an area cannot show.
func (s *Spec) checkArea() error {
	if i := slices.IndexFunc(s.Series, Series.hasNegative); i >= 0 && s.Type == Area {
		return stat.Errorf(stat.Invalid, "an area shows amounts, but %q has negative values; draw lines or bars", s.Series[i].Key)
	}
	return nil
}

func (s Series) hasNegative() bool {
	return slices.ContainsFunc(s.Values, func(v float64) bool { return v < 0 })
}

// incomplete names the positions at which only some series have a value.
func (s *Spec) incomplete() []string {
	var names []string
	for at := range s.Series[0].Values {
		n := 0
		for i := range s.Series {
			if !math.IsNaN(s.Series[i].Values[at]) {
				n++
			}
		}
		if n > 0 && n < len(s.Series) {
			names = append(names, s.when(run{at, at}))
		}
	}
	return names
}

func (s Series) hasValue() bool {
	return slices.ContainsFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) })
}

// toShares replaces values by their shares in per cent of the sum at their position. A
// position without all values, or with the sum zero, has none. It names those with the sum zero.
func (s *Spec) toShares() (zero []string) {
	for at := range s.Series[0].Values {
		sum := 0.0
		for i := range s.Series {
			sum += s.Series[i].Values[at] // NaN if one is missing
		}
		if sum == 0 {
			zero = append(zero, s.when(run{at, at}))
		}
		for i := range s.Series {
			share := 100 * s.Series[i].Values[at] / sum
			if math.IsInf(share, 0) {
				share = math.NaN()
			}
			s.Series[i].Values[at] = share
		}
	}
	return zero
}
