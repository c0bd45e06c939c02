package chart

import (
	"cmp"
	"math"
	"slices"
	"time"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/caption"
	"almanac/internal/chart/theme"
	"almanac/internal/chart/words"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// Limits of what one picture can show.
const (
	maxLineSeries = 400 // most of them thin and grey
	maxGroups     = 8   // bars in a group, each in its own colour
	maxBars       = 2000
	maxPanels     = 24 // of small multiples
)

// ErrNoData reports an extract without a value.
var ErrNoData = stat.Errorf(stat.Invalid, "the selection holds no data")

// New returns the Spec of a chart of an extract. x is the result of o.Derive.Query(q), or of
// o.Bounds.Query(q), and
// updated is when the dataset was updated. Bars run along time if x has values of several
// periods.
//
// The error is [stat.Invalid] if the selection cannot be drawn, because it has no value
// or more than a picture can show.
func New(x *stat.Extract, q stat.Query, o Options, updated time.Time) (*Spec, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Type == Spark {
		return newSpark(x, q, o, updated)
	}
	t, derived, err := readPlausible(x, q, &o)
	if err != nil {
		return nil, err
	}
	return t.spec(&textInput{selection: t, query: q, options: &o, updated: updated, derived: derived})
}

// spec returns the Spec of a selection that has been read.
func (t *selection) spec(w *textInput) (*Spec, error) {
	o := w.options
	s := t.emptySpec(o)
	t.nameAll(len(o.Colours)+len(o.Labels) > 0)
	if t.isExamined(o) && o.Derive.IsZero() {
		t.dropImplausible()
		t.dropLoneValues()
	}
	if (!t.isAsked || o.IsWithin) && !t.isSpark {
		s.dropTotals(t, o)
	}
	periods := t.usedPeriods()
	if err := s.arrange(w, periods); err != nil {
		return nil, err
	}
	s.leftOut = t.regions + t.withoutOutline + t.kinds + len(t.otherLevels)
	s.HighlightLatest = o.HighlightLatest && s.Periods != nil
	s.Plain = o.Plain
	s.HasWhole = t.whole != nil && s.Type != Map
	s.otherFrequencies = t.otherFrequencies
	s.inCurrencies = o.Derive.IsZero() && t.inCurrencies()
	s.applyNames(o, t)
	s.nameSingle(t)
	if err := s.stack(w); err != nil {
		return nil, err
	}
	if (s.Type == Line || s.Type == SmallMultiples) && s.Periods != nil {
		if err := s.setLines(o); err != nil {
			return nil, err
		}
		s.Undrawn = cmp.Or(s.Undrawn, len(t.beyond)+len(t.lone))
	}
	s.nameUnits(t)
	if s.Periods == nil && s.Period == "" {
		s.datePeriods(t)
	}
	if s.Periods != nil || t.hasPeriods || w.query.Latest != stat.LatestCovered { // else the period is observed
		s.findProjections(t, w.updated)
	}
	if t.isSpark {
		s.keepOne(t)
	}
	s.describe(w)
	return s, nil
}

// emptySpec returns a Spec without data. It leaves out options that do not apply to its type or
// say what is so anyway, so that equal pictures have equal Specs.
func (t *selection) emptySpec(o *Options) *Spec {
	s := &Spec{
		Dataset: t.dataset.ID, Type: o.Type, Width: o.Width, Height: o.Height, Aside: o.Aside, ShowValues: o.ShowValues,
		PageStyle: o.PageStyle, Theme: o.Theme, Background: theme.Background(o.Theme, o.Background), EmbedFonts: o.EmbedFonts,
		ShowLegend: true, // except on a map, colours would have no names without it
	}
	if o.Locale != words.Codes[0] {
		s.Locale = o.Locale
	}
	if o.Type == Map {
		s.Region, s.Transform, s.ShowBorders, s.ShowLegend = o.Region, o.Transform, o.ShowBorders, o.ShowLegend
		s.setOutlines(t.outlines)
	}
	return s
}

// read gathers the series of an extract, or those derived from it. It sets o.Derive if
// amounts in different currencies are indexed.
func read(x *stat.Extract, q stat.Query, o *Options) (*selection, *transform.Derived, error) {
	derived := &transform.Derived{Extract: x}
	if !o.Derive.IsZero() {
		how := o.Derive
		how.OwnBreaks = true
		derived = how.Apply(x, q, o.words())
	}
	t, err := gather(derived.Extract, o)
	if err != nil {
		return nil, nil, err
	}
	if len(t.series) == 0 {
		return nil, nil, errNoValues(derived, o)
	}
	t.prepare(q, o)
	if t.isExamined(o) && !t.indexBase(o).IsZero() {
		t.nameAll(false)
		t.dropImplausible()
		t.takeImplausible(t)
	}
	if base := t.indexBase(o); !base.IsZero() {
		o.Derive = transform.Transform{Kind: transform.Index, Base: base}
		derived = t.index(o)
	}
	return t, derived, nil
}

// prepare leaves out series that are not comparable with the others, and values that are none.
func (t *selection) prepare(q stat.Query, o *Options) {
	t.takeOwn(o.OwnAxes)
	if o.Bounds != nil {
		t.takeBounds(*o.Bounds)
	}
	if o.Derive.IsZero() { // else a zero follows from one of the office
		t.dropIndexZeros(t.language)
	}
	t.readQuery(q)
	if t.isAsked && len(t.areasOf(geo.Country)) > 1 {
		t.findNamedGroups() // leaveOutAreas does it for all areas
	}
	t.areNamed = t.isAsked && !o.IsWithin && !o.HasMembers
	t.withoutValue = t.largestWithoutValue()
	switch t.outlines = t.outlinesFor(o); {
	case t.outlines != atlas.Countries:
		t.keepLevel(t.outlines)
	case !t.isAsked:
		t.leaveOutAreas(o)
	case o.IsWithin && o.Type != Map && o.Type != Spark:
		t.keepFittingLevel(o)
	}
	if !t.hasPeriods && o.Type != Map || o.Type == Dumbbell { // a year and a month cannot be compared
		t.keepOneFrequency()
	}
}

// readQuery sets what the caller selected.
func (t *selection) readQuery(q stat.Query) {
	t.ownPeriods = q.Latest == stat.LatestArea
	t.isAsked = q.Select != nil && q.Select[len(q.Select)-1] != nil
	t.hasPeriods = !q.From.IsZero() || !q.To.IsZero() || !q.Within.IsZero()
}

// maxVerticalBars is the number of categories up to which bars are vertical. The names of
// more do not fit below them.
const maxVerticalBars = 12

// arrange puts the series at their positions. A line of one period would be dots above one
// another, and an area a stroke, so they become bars; and many vertical bars become horizontal ones.
func (s *Spec) arrange(w *textInput, periods []int32) error {
	t := w.selection
	switch {
	case s.Type == Map:
		return s.onMap(t)
	case s.Type == Dumbbell && len(periods) > 1 && !t.ownPeriods:
		return s.betweenPeriods(w, periods)
	case (s.Type == Line || s.Type == SmallMultiples || s.Type == Area) && len(periods) == 1 && len(t.units()) == 1:
		bars := *s
		bars.Type = Bar
		if err := bars.byCategory(w); err != nil {
			return s.alongTime(t, periods) // more series than bars can show
		}
		*s = bars
	case s.Type == Line || s.Type == Area || s.Type == SmallMultiples || s.Type == Bar && len(periods) > 1 && !t.ownPeriods:
		return s.alongTime(t, periods)
	default:
		if err := s.byCategory(w); err != nil {
			return err
		}
		if s.Type == Dumbbell {
			return s.betweenCodes(t)
		}
	}
	switch isLong := len(s.Categories) > s.barRows(smallRow); {
	case s.Ordered && isLong && s.Type == HorizontalBar:
		s.Type = Bar // upright bars are narrower, and some of their names tell the others
	case s.Type == Bar && (len(s.Categories) > maxVerticalBars || s.hasLongNames() && !s.Ordered) && !(s.Ordered && isLong):
		s.Type = HorizontalBar
	}
	return nil
}

// alongTime makes one chart series of each series of the selection.
func (s *Spec) alongTime(t *selection, periods []int32) error {
	n := len(t.series)
	if s.Type == Bar && !t.hasPeriods {
		periods = s.latestBars(t, periods)
	}
	if err := s.checkCount(t, n, len(periods)); err != nil {
		return err
	}
	at := slices.Repeat([]int{-1}, len(t.periods)) // the position of each period
	for i, p := range periods {
		s.Periods = append(s.Periods, t.periods[p])
		at[p] = i
	}
	for _, st := range t.series {
		s.Series = append(s.Series, s.seriesAt(at, t, st))
	}
	s.distinguish(t)
	if s.Type != Dumbbell { // which has a row for each series
		s.chooseFocus(t)
	}
	s.thin(t)
	if s.Type == Line && !t.hasPeriods {
		s.leaveOutEarly(t)
	}
	if s.Type == SmallMultiples || s.Type == Area && n > maxGroups {
		s.keepFocus(t)
	}
	return nil
}

// seriesAt returns the chart series of a series, with its values at the positions of their periods, which are below zero for periods
// that are not drawn.
func (s *Spec) seriesAt(at []int, t *selection, st *dataSeries) Series {
	key := t.write(func(n naming) string { return t.label(st, n) })
	series := blankSeries(key, len(s.Periods), st.flags != nil)
	series.Area, series.Group = t.dataset.Geography.Codes[st.area].Area, t.areas && t.isApart(st.area)
	for i, p := range st.periods {
		if at[p] >= 0 {
			series.set(at[p], st, i)
		}
	}
	if s.Type == Line || s.Type == SmallMultiples {
		series.setBounds(st.bounds, at)
	}
	return series
}

// distinguish adds the unit, and then the frequency, to labels that several series would
// share.
func (s *Spec) distinguish(t *selection) {
	unit := func(st *dataSeries) string { return st.unit }
	if len(t.units()) == 1 {
		unit = func(*dataSeries) string { return "" }
	}
	for _, mark := range []func(*dataSeries) string{unit, func(st *dataSeries) string { return st.frequency.String() }} {
		count := map[string]int{}
		for _, series := range s.Series {
			count[series.Key]++
		}
		for i, st := range t.series {
			if count[s.Series[i].Key] > 1 && mark(st) != "" {
				s.Series[i].Key = t.names.extend(s.Series[i].Key, " ("+mark(st)+")")
			}
		}
	}
}

// blankSeries returns a series without values.
func blankSeries(key string, n int, flags bool) Series {
	s := Series{Key: key, Values: make(Values, n)}
	for i := range s.Values {
		s.Values[i] = math.NaN()
	}
	if flags {
		s.Flags = make([]stat.Flags, n)
	}
	return s
}

// set copies the i-th value of a data series to a position.
func (s *Series) set(at int, from *dataSeries, i int) {
	s.Values[at] = from.values[i]
	if from.flags != nil {
		s.Flags[at] = from.flags[i]
	}
	setNote(&s.Notes, at, from.notes[from.periods[i]])
}

// setNote sets the office's note on a value, unless it is empty.
func setNote[Place comparable](notes *map[Place]string, at Place, note string) {
	if note == "" {
		return
	}
	if *notes == nil {
		*notes = map[Place]string{}
	}
	(*notes)[at] = note
}

// CommonEnd returns the index of the last period in which at least half of the series
// have a value, so that they can be compared there. If there is none, it returns the
// period in which most have one.
func (s *Spec) CommonEnd() int {
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

// nameUnits adds the unit to the names of series in different units, unless the names
// already state it.
func (s *Spec) nameUnits(t *selection) {
	s.Mixed = len(t.units()) > 1 || s.inCurrencies
	named := slices.ContainsFunc(t.distinctAxes, func(axis int) bool { return t.dataset.Dimensions[axis].Role == stat.RoleUnit })
	if len(t.units()) < 2 || named {
		return
	}
	for i, st := range t.series {
		var label *string
		switch {
		case s.Periods != nil:
			label = &s.Series[i].Label
		case len(s.Series) == 1: // and so one series a category
			label = &s.Categories[st.column].Label
		}
		if label != nil && st.unit != "" && !caption.Contains(*label, st.unit) {
			*label += " (" + st.unit + ")"
		}
	}
}

// LeftOut returns the number of areas with values that a Spec made by New leaves out because
// they are not comparable with the others, such as the regions of countries. Groups of
// countries do not count.
func (s *Spec) LeftOut() int { return s.leftOut }
