package chart

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/font"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// Bounds of what one picture can show.
const (
	maxLines  = 400 // most of them thin and grey
	maxGroups = 8   // bars in a group, each in a colour of its own
	maxBars   = 2000
)

// ErrNoData is the error for an extract without a value.
var ErrNoData = stat.Errorf(stat.Invalid, "the selection holds no data")

// New makes the Spec of a chart from what was selected: x is the answer to q,
// and updated the dataset's time of update. Bars run along time if x holds
// values of several periods; other charts of categories take x to hold one.
//
// The error is [stat.Invalid] where the selection cannot be drawn: it holds no
// value, or more than a picture can show.
func New(x *stat.Extract, q stat.Query, o Options, updated time.Time) (*Spec, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	t, err := gather(x)
	if err != nil {
		return nil, err
	}
	if len(t.strands) == 0 {
		return nil, ErrNoData
	}
	if q.Select == nil || q.Select[len(q.Select)-1] == nil {
		t.compareCountries()
	}
	s := &Spec{
		Dataset: x.Dataset.ID, Type: o.Type, Width: o.Width, Height: o.Height, Aside: o.Aside, ShowValues: o.ShowValues,
		ShowLegend: true, // elsewhere than on a map colours would have no names
	}
	// Options without a part in this type stay out, so that equal pictures have
	// equal Specs.
	if o.Type == Map {
		s.Region, s.Transform, s.ShowBorders, s.ShowLegend = o.Region, o.Transform, o.ShowBorders, o.ShowLegend
	}
	occurring := t.occurring()
	switch {
	case o.Type == Line || o.Type == Bar && len(occurring) > 1:
		err = s.alongTime(t, occurring)
	case o.Type == Map:
		err = s.onMap(t)
	default:
		err = s.byCategory(t)
	}
	if err != nil {
		return nil, err
	}
	if s.HighlightLatest = o.HighlightLatest && s.Periods != nil; s.Periods == nil {
		s.Period = t.periods[occurring[len(occurring)-1]].String()
	}
	s.dress(&o)
	s.nameUnits(t)
	s.describe(&words{tangle: t, query: q, options: &o, updated: updated})
	return s, nil
}

// alongTime makes one series of each strand.
func (s *Spec) alongTime(t *tangle, occurring []int32) error {
	n := len(t.strands)
	if s.Type == Line && n > maxLines {
		return stat.Errorf(stat.Invalid, "the selection holds %d series; a line chart can show %d: select fewer areas or dimension values", n, maxLines)
	}
	if s.Type == Bar && n > maxGroups {
		return stat.Errorf(stat.Invalid, "the selection holds %d series; bars along time can show %d beside one another: select fewer areas or dimension values, or one period", n, maxGroups)
	}
	if s.Type == Bar && len(occurring)*len(t.strands) > maxBars {
		return stat.Errorf(stat.Invalid, "the selection holds %d periods × %d series; a bar chart can show %d bars: select fewer, or draw lines", len(occurring), len(t.strands), maxBars)
	}
	at := make(map[int32]int, len(occurring))
	for i, p := range occurring {
		s.Periods = append(s.Periods, t.periods[p])
		at[p] = i
	}
	for _, st := range t.strands {
		series := blank(t.label(st), len(occurring), st.flags != nil)
		series.Group = t.areas && t.kind(st.area) == geo.Group
		for i, p := range st.periods {
			series.set(at[p], st.values[i], st.flags, i)
		}
		s.Series = append(s.Series, series)
	}
	s.nameApart(t)
	s.focus()
	return nil
}

// nameApart adds the unit, and then the frequency, to the labels of series
// that would share one.
func (s *Spec) nameApart(t *tangle) {
	unit := func(st *strand) string { return st.unit }
	if len(t.units()) == 1 {
		unit = func(*strand) string { return "" }
	}
	for _, mark := range []func(*strand) string{unit, func(st *strand) string { return st.frequency.String() }} {
		count := map[string]int{}
		for _, series := range s.Series {
			count[series.Key]++
		}
		for i, st := range t.strands {
			if count[s.Series[i].Key] > 1 && mark(st) != "" {
				s.Series[i].Key += " (" + mark(st) + ")"
			}
		}
	}
}

// blank is a series without values yet.
func blank(key string, n int, flags bool) Series {
	s := Series{Key: key, Values: make(Values, n)}
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	if flags {
		s.Flags = make([]stat.Flags, n)
	}
	return s
}

// set puts the i-th value of a strand at a position.
func (s *Series) set(at int, value float64, flags []stat.Flags, i int) {
	s.Values[at] = value
	if flags != nil {
		s.Flags[at] = flags[i]
	}
}

// focus chooses which of many lines are in colour: up to two groups of
// countries, and those that are highest and lowest where most of them end. So a
// chart of all countries shows where each of them lies without forty colours.
func (s *Spec) focus() {
	if len(s.Series) <= maxGroups {
		return
	}
	end, groups := s.commonEnd(), 0
	var order []int
	for i := range s.Series {
		series := &s.Series[i]
		switch {
		case series.Group && groups < 2:
			series.Focus = true
			groups++
		case !series.Group && !math.IsNaN(series.Values[end]):
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Series[b].Values[end], s.Series[a].Values[end]) })
	for n := 0; n < 3 && 2*n < len(order); n++ {
		s.Series[order[n]].Focus = true
		s.Series[order[len(order)-1-n]].Focus = true
	}
}

// commonEnd is the position of the last period in which at least half of the
// series have a value, where they can be compared; where there is none, that in
// which most have one.
func (s *Spec) commonEnd() int {
	best, most := len(s.Periods)-1, 0
	for at := len(s.Periods) - 1; at >= 0; at-- {
		n := 0
		for i := range s.Series {
			if !math.IsNaN(s.Series[i].Values[at]) {
				n++
			}
		}
		if n > most {
			best, most = at, n
		}
		if 2*n >= len(s.Series) {
			return at
		}
	}
	return best
}

// onMap makes the one series of a map.
func (s *Spec) onMap(t *tangle) error {
	if len(t.apart) > 0 {
		return stat.Errorf(stat.Invalid, "a map shows one series; the selection differs in %s", t.dataset.Dimensions[t.apart[0]].Label)
	}
	placed := func(st *strand) bool { return atlas.Has(t.dataset.Geography.Codes[st.area].Area) }
	if !slices.ContainsFunc(t.strands, placed) {
		var names []string
		for _, st := range t.strands {
			names = append(names, t.areaLabel(st.area))
		}
		return stat.Errorf(stat.Invalid, "no country of the selection has a value in %s, and a map shows countries; those with values are %s: draw them as horizontal-bar, or select countries", t.periods[t.strands[0].periods[0]], enumerate(names))
	}
	return s.fill(t, side{area: true}, side{axes: t.named()})
}

// named are the axes in which the dataset has a choice.
func (t *tangle) named() []int {
	var axes []int
	for axis, d := range t.dataset.Dimensions {
		if len(d.Codes) > 1 {
			axes = append(axes, axis)
		}
	}
	return axes
}

// side is what makes the categories of a chart, or the series in them: the
// areas, or dimensions.
type side struct {
	area bool
	axes []int
}

// label is what a strand is called on a side.
func (d side) label(t *tangle, st *strand) string {
	if d.area {
		return t.areaLabel(st.area)
	}
	return t.dimLabels(st.key, d.axes)
}

// place is the same for strands that stand at the same place of a side.
// Labels are not: joined, those of different values may read alike.
func (d side) place(st *strand) string {
	if d.area {
		return fmt.Sprint(st.area)
	}
	positions := make([]int32, len(d.axes))
	for i, axis := range d.axes {
		positions[i] = st.key[axis]
	}
	return fmt.Sprint(positions)
}

// byCategory makes categories of the areas, else of the dimension in which the
// strands differ most, and series of what else tells them apart. Where that
// would be too many bars in a group, the two change places.
func (s *Spec) byCategory(t *tangle) error {
	area, apart := side{area: true}, side{axes: t.apart}
	switch {
	case len(t.apart) == 0:
		return s.fill(t, area, side{axes: t.named()})
	case t.areas && t.distinct(apart) > maxGroups:
		return s.fill(t, apart, area)
	case t.areas:
		return s.fill(t, area, apart)
	case len(t.apart) == 1:
		return s.fill(t, apart, area)
	}
	one := func(axis int) side { return side{axes: []int{axis}} }
	widest := slices.MaxFunc(t.apart, func(a, b int) int { return cmp.Compare(t.distinct(one(a)), t.distinct(one(b))) })
	others := slices.DeleteFunc(slices.Clone(t.apart), func(a int) bool { return a == widest })
	return s.fill(t, one(widest), side{axes: others})
}

// distinct is how many different places the strands have on a side.
func (t *tangle) distinct(d side) int {
	seen := map[string]bool{}
	for _, st := range t.strands {
		seen[d.place(st)] = true
	}
	return len(seen)
}

// fill puts the last value of each strand under its category and series, both
// in the order of the code lists.
func (s *Spec) fill(t *tangle, categories, series side) error {
	row := map[string]int{}
	for _, st := range t.strands {
		if place := series.place(st); !has(row, place) {
			row[place] = len(row)
			s.Series = append(s.Series, Series{Key: cmp.Or(series.label(t, st), t.dataset.Name)})
		}
	}
	s.columns(t, categories)
	if len(s.Series) > maxGroups {
		return stat.Errorf(stat.Invalid, "the selection holds %d series in %d categories; bars can show %d beside one another: select fewer areas or dimension values", len(s.Series), len(s.Categories), maxGroups)
	}
	if n := len(s.Series) * len(s.Categories); n > maxBars {
		return stat.Errorf(stat.Invalid, "the selection holds %d bars; a chart can show %d: select fewer areas or dimension values", n, maxBars)
	}
	for i := range s.Series {
		s.Series[i] = blank(s.Series[i].Key, len(s.Categories), t.strands[0].flags != nil)
	}
	for _, st := range t.strands {
		in := &s.Series[row[series.place(st)]]
		if !math.IsNaN(in.Values[st.column]) {
			return stat.Errorf(stat.Invalid, "the selection holds several values for %s, in the units %s; select one unit", s.Categories[st.column].Label, strings.Join(t.units(), ", "))
		}
		i := len(st.values) - 1
		in.set(st.column, st.values[i], st.flags, i)
	}
	return nil
}

// columns makes the categories and notes which of them each strand has. Areas
// are put into the order of the geography, because strands come key by key and
// a later key may have areas that the first has not.
func (s *Spec) columns(t *tangle, d side) {
	strands := t.strands
	if d.area {
		strands = slices.SortedStableFunc(slices.Values(strands), func(a, b *strand) int { return cmp.Compare(a.area, b.area) })
	}
	at := map[string]int{}
	for _, st := range strands {
		place := d.place(st)
		if !has(at, place) {
			at[place] = len(at)
			c := Category{Label: d.label(t, st)}
			if d.area {
				c = t.category(st.area)
			}
			s.Categories = append(s.Categories, c)
		}
		st.column = at[place]
	}
}

func has[V any](m map[string]V, key string) bool { _, ok := m[key]; return ok }

// dress gives the series and categories the caller's names and colours, and
// remembers which of those belong to nothing.
func (s *Spec) dress(o *Options) {
	colours, labels := maps.Clone(o.Colours), maps.Clone(o.Labels)
	colour := func(key string) string {
		delete(colours, key)
		return o.Colours[key]
	}
	name := func(key string) string {
		delete(labels, key)
		if label := o.Labels[key]; font.Clean(label) != "" {
			return label
		}
		return key // a blank name is none
	}
	for i := range s.Series {
		series := &s.Series[i]
		series.Label, series.Colour = name(series.Key), colour(series.Key)
		if series.Colour != "" && len(s.Series) > maxGroups {
			series.Focus = true
		}
	}
	for i := range s.Categories {
		c := &s.Categories[i]
		if s.Type != Map { // where the colour says the class
			c.Colour = colour(c.Label)
		}
		c.Label = name(c.Label)
	}
	s.unused = Keys{Colours: slices.Sorted(maps.Keys(colours)), Labels: slices.Sorted(maps.Keys(labels))}
}

// nameUnits puts the unit behind the names of what is drawn in different units,
// unless the names say it already.
func (s *Spec) nameUnits(t *tangle) {
	s.Mixed = len(t.units()) > 1
	named := slices.ContainsFunc(t.apart, func(axis int) bool { return t.dataset.Dimensions[axis].Role == stat.RoleUnit })
	if !s.Mixed || named {
		return
	}
	for i, st := range t.strands {
		unit := " (" + st.unit + ")"
		switch {
		case st.unit == "":
		case s.Periods != nil && !strings.Contains(s.Series[i].Key, unit):
			s.Series[i].Label += unit
		case s.Periods == nil && len(s.Series) == 1: // and so one strand a category
			s.Categories[st.column].Label += unit
		}
	}
}

// Keys are keys of a caller's colours and labels, in order.
type Keys struct{ Colours, Labels []string }

// Unused returns the keys without effect in a Spec made by New.
func (s *Spec) Unused() Keys { return s.unused }
