package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// Part is the data of one dataset in a chart of several. Derive is Options.Derive with the population of
// the dataset's own areas.
type Part struct {
	Extract *stat.Extract // the result of Derive.Query(Query)
	Query   stat.Query
	Updated time.Time // when the dataset was updated
	Version string    // if the caller chose it; else empty
	Derive  transform.Transform
}

// part is a Part that has been read.
type part struct {
	Part
	*selection
	derived *transform.Derived
	caption caption.Caption
	own     []string // of the caption: what not all parts have in common
}

// joined says what a chart of several datasets shows.
type joined struct {
	parts   []*part
	caption caption.Caption // what the datasets have in common
	notes   []string        // what each dataset shows, if its series do not say it

	isScaled bool // some values are published as other multiples
}

// maxJoinedAreas is the number of areas in a chart of several datasets if the caller chose
// none, so that the lines of one area can be compared.
const maxJoinedAreas = 3

// NewJoined returns the Spec of a chart of several datasets along time. The error is
// [stat.Invalid] if one of them has no values, or if their units differ.
func NewJoined(parts []Part, o Options) (*Spec, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	j := &joined{}
	o.UnitChosen = true // one that is not comparable is an error, not a reason for an index
	for _, p := range parts {
		own := o
		own.Derive = p.Derive
		t, derived, err := read(p.Extract, p.Query, &own)
		if err != nil {
			return nil, stat.Errorf(stat.KindOf(err), "dataset %d (%s): %s", p.Extract.Dataset.ID, p.Extract.Dataset.Code, err)
		}
		t.nameAll(false)
		j.parts = append(j.parts, &part{Part: p, selection: t, derived: derived})
	}
	j.harmonise(&o)
	if err := j.checkUnits(); err != nil {
		return nil, err
	}
	j.scaleToFirst(&o)
	if err := j.dropDoubled(); err != nil {
		return nil, err
	}
	j.describe()
	t := j.join(&o)
	all := &transform.Derived{}
	for _, p := range j.parts {
		if p.isAsked { // else only series that have values are chosen
			all.Undefined, all.Unbased = all.Undefined+p.derived.Undefined, all.Unbased+p.derived.Unbased
			all.Unpopulated += p.derived.Unpopulated
		}
	}
	s, err := t.spec(&textInput{selection: t, options: &o, derived: all, joined: j})
	if err != nil {
		return nil, err
	}
	for _, p := range j.parts {
		if id := p.dataset.ID; id != s.Dataset && !slices.Contains(s.Others, id) {
			s.Others = append(s.Others, id)
		}
	}
	return s, nil
}

// harmonise gives changes on the same period of the previous year one unit: of months and of
// quarters, they are comparable.
func (j *joined) harmonise(o *Options) {
	isMixed := slices.ContainsFunc(j.parts, func(p *part) bool { return p.units()[0] != j.parts[0].units()[0] })
	if o.Derive.Kind != transform.PercentYear || !isMixed {
		return
	}
	for _, p := range j.parts {
		for _, s := range p.series {
			s.unit = o.Derive.Unit("", stat.Annual, o.words())
		}
	}
}

// checkUnits returns an error unless all parts have the same unit, or multiples of it by a power of ten. Nobody knows
// whether values without a unit are comparable with those of another dataset.
func (j *joined) checkUnits() error {
	const help = "select a common unit, or use transform=index:2015 (with a period that all have), percent or percent-year"
	first, isSame := j.parts[0], true
	var texts []string
	for _, p := range j.parts {
		units := p.units()
		_, isMultiple := caption.PowerBetween(first.measured(), p.measured())
		isSame = isSame && len(units) == 1 && isMultiple && (units[0] != "" || p.dataset.ID == first.dataset.ID)
		for i, unit := range units {
			units[i] = fmt.Sprintf("%q", unit)
			if unit == "" {
				units[i] = "no stated unit"
			}
		}
		text := fmt.Sprintf("dataset %d (%s) has %s", p.dataset.ID, p.dataset.Code, strings.Join(units, " and "))
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if isSame {
		return nil
	}
	return stat.Errorf(stat.Invalid, "s: one chart needs one unit: %s; %s", strings.Join(texts, ", "), help)
}

// scaleToFirst multiplies values that are published as other multiples than those of the first part, so that all are in its unit, and
// adds a note that says so.
func (j *joined) scaleToFirst(o *Options) {
	for _, p := range j.parts {
		own := p.units()[0]
		power, _ := caption.PowerBetween(j.parts[0].measured(), p.measured())
		if power == 0 {
			continue
		}
		j.isScaled = true
		for _, s := range p.series {
			s.multiply(power)
		}
		l := o.words()
		note := l.Text("%s: published in %s, drawn on the scale of the others.", l.Office(p.dataset.Source.Name)+", "+p.dataset.Code, own)
		if !slices.Contains(j.notes, note) {
			j.notes = append(j.notes, note)
		}
	}
}

// measured is the first unit with what the concept of its series says of it.
func (p *part) measured() string {
	concept := ""
	if len(p.series) > 0 {
		concept = defaults.ConceptOf(p.dataset, p.series[0].key)
	}
	return caption.UnitOfMeasure(p.units()[0], concept)
}

// multiply multiplies all values by a power of ten.
func (s *dataSeries) multiply(power int) {
	times := func(v float64) float64 { // a division by a power of ten is exact where a product with its inverse is not
		if power < 0 {
			return v / math.Pow10(-power)
		}
		return v * math.Pow10(power)
	}
	for i := range s.values {
		s.values[i] = times(s.values[i])
	}
	for at, b := range s.bounds {
		s.bounds[at] = [2]float64{times(b[0]), times(b[1])}
	}
}

// dropDoubled leaves out series that another part has too, of parts whose areas the caller
// did not choose. It returns an error if a part has no others.
func (j *joined) dropDoubled() error {
	owner := map[string]*part{}
	for _, areAsked := range []bool{true, false} {
		for _, p := range j.parts {
			if p.isAsked != areAsked {
				continue
			}
			p.series = slices.DeleteFunc(p.series, func(s *dataSeries) bool {
				id := fmt.Sprint(p.dataset.ID, " ", s.id())
				before := owner[id]
				owner[id] = cmp.Or(before, p)
				if before != nil { // it has values, and another part shows them
					p.deleted = append(p.deleted, s)
				}
				return before != nil
			})
			if len(p.series) == 0 {
				return stat.Errorf(stat.Invalid, "s: dataset %d (%s) is given twice with the same series; select another one for each", p.dataset.ID, p.dataset.Code)
			}
			p.findDistinctAxes()
		}
	}
	return nil
}

// describe finds the captions of the parts, and what they have in common.
func (j *joined) describe() {
	var titles []string
	for _, p := range j.parts {
		p.caption = caption.Of(&caption.Picture{Dataset: p.dataset, Key: p.series[0].key, Varies: p.distinctAxes, Unit: p.units()[0], OwnUnit: p.ownUnit(p.units()[0])})
		if full, ok := p.caption.InFull(&caption.Picture{Unit: p.units()[0]}); ok && j.isScaled {
			p.caption.Title, p.caption.Parts = full.Title, full.Parts // its own multiple is not that of the chart
		}
		if !slices.Contains(titles, p.caption.Title) {
			titles = append(titles, p.caption.Title)
		}
		j.caption.Unit = cmp.Or(j.caption.Unit, p.caption.Unit)
	}
	if j.isScaled {
		j.caption.Unit = j.parts[0].units()[0]
	}
	j.caption.Title = strings.Join(titles, "; ")
	j.caption.Place = j.sharedPlace()
	for _, text := range j.parts[0].caption.Parts {
		if !slices.ContainsFunc(j.parts, func(p *part) bool { return !slices.Contains(p.caption.Parts, text) }) {
			j.caption.Parts = append(j.caption.Parts, text)
		}
	}
	for _, p := range j.parts {
		for _, text := range p.caption.Parts {
			if !slices.Contains(j.caption.Parts, text) {
				p.own = append(p.own, text)
			}
		}
	}
}

// sharedPlace returns the country of all parts if none of their files names an area, so that the
// subtitle and not the names of series says it.
func (j *joined) sharedPlace() string {
	place := j.parts[0].caption.Place
	if slices.ContainsFunc(j.parts, func(p *part) bool { return p.caption.Place != place }) {
		return ""
	}
	return place
}

// place returns the area of a part whose file names none, if it is known and not that of all.
func (j *joined) place(p *part) (area geo.Area, ok bool) {
	if j.caption.Place != "" || p.caption.Place == "" {
		return geo.Area{}, false
	}
	return geo.Resolve(p.dataset.Source.ID, p.caption.Place)
}

// join makes one selection of all parts, whose only dimension says which part a series is
// of, as far as its area does not.
func (j *joined) join(o *Options) *selection {
	d := &stat.Dataset{ID: j.parts[0].dataset.ID, Source: j.parts[0].dataset.Source, Name: j.caption.Title, Dimensions: []stat.Dimension{{ID: "DATASET"}}}
	t := &selection{dataset: d, own: d, language: o.words(), facts: map[int32]areaFacts{}, isAsked: true}
	areas := positions{}
	for _, p := range j.parts {
		for _, s := range p.series {
			code := p.dataset.Geography.Codes[s.area]
			if _, isNew := areas.of(j.areaID(p, s.area)); isNew {
				t.facts[int32(len(d.Geography.Codes))] = p.factsOf(s.area)
				if place, ok := j.place(p); ok {
					t.facts[int32(len(d.Geography.Codes))] = areaFacts{kind: place.Kind, alpha: place.Alpha2}
					code = stat.Code{ID: place.ID, Label: place.Name, Area: place.ID}
				} else if p.dataset.HasNoArea() && !j.hasNoArea() {
					code.Label = p.caption.Title
				}
				d.Geography.Codes = append(d.Geography.Codes, code)
			}
		}
		t.isAsked, t.hasPeriods = t.isAsked && p.isAsked, t.hasPeriods || p.hasPeriods
		t.periods = append(t.periods, usedOf(p)...)
	}
	slices.SortFunc(t.periods, stat.Period.Compare)
	t.periods = slices.Compact(t.periods)
	names := j.nameSeries()
	codes := positions{}
	for _, p := range j.parts {
		for _, s := range p.series {
			name := names(p, s)
			code, isNew := codes.of(name)
			if isNew {
				d.Dimensions[0].Codes = append(d.Dimensions[0].Codes, stat.Code{ID: name, Label: name})
			}
			area, _ := areas.of(j.areaID(p, s.area))
			one := *s
			one.key, one.area, one.unit, one.periods = []int32{code}, area, j.parts[0].series[0].unit, nil
			for _, at := range s.periods {
				to, _ := slices.BinarySearchFunc(t.periods, p.periods[at], stat.Period.Compare)
				one.periods = append(one.periods, int32(to))
			}
			t.series = append(t.series, &one)
		}
	}
	if !t.isAsked {
		t.keepCommonAreas(j)
	}
	t.findDistinctAxes()
	return t
}

// hasNoArea reports whether none of the datasets has a geography.
func (j *joined) hasNoArea() bool {
	return !slices.ContainsFunc(j.parts, func(p *part) bool { return !p.dataset.HasNoArea() })
}

// positions numbers texts in the order in which they occur.
type positions map[string]int32

func (p positions) of(text string) (at int32, isNew bool) {
	at, known := p[text]
	if !known {
		at = int32(len(p))
		p[text] = at
	}
	return at, !known
}

// areaID identifies an area in all datasets. Two codes of a dataset for the same area, such
// as Germany before and after 1990, stay apart.
func (j *joined) areaID(p *part, area int32) string {
	if place, ok := j.place(p); ok {
		return place.ID
	}
	code := p.dataset.Geography.Codes[area]
	isFirst := area == int32(slices.IndexFunc(p.dataset.Geography.Codes, func(c stat.Code) bool { return c.Area == code.Area }))
	if isFirst && code.Area != "" {
		return code.Area
	}
	return p.dataset.Source.ID + " " + code.ID
}

func usedOf(p *part) []stat.Period {
	var used []stat.Period
	for _, at := range p.usedPeriods() {
		used = append(used, p.periods[at])
	}
	return used
}

// keepCommonAreas leaves, of the areas that the caller did not choose, the most important
// ones that all datasets have: groups of countries, then the most populous countries.
func (t *selection) keepCommonAreas(j *joined) {
	parts, isChosen := map[int32][]*part{}, map[int32]bool{}
	i := 0
	for _, p := range j.parts {
		for range p.series {
			area := t.series[i].area
			if isChosen[area] = isChosen[area] || p.isAsked; !slices.Contains(parts[area], p) {
				parts[area] = append(parts[area], p)
			}
			i++
		}
	}
	most := 0
	for area := range parts {
		most = max(most, len(parts[area]))
	}
	var areas []int32
	for area := range parts {
		if len(parts[area]) == most && !isChosen[area] {
			areas = append(areas, area)
		}
	}
	rank := func(area int32) float64 {
		if f := t.factsOf(area); f.kind == geo.Group {
			return float64(f.class)*1e3 + float64(f.order) - 1e12
		} else if f.alpha != "" {
			return -float64(geo.Population(f.alpha))
		}
		return 0
	}
	slices.SortFunc(areas, func(a, b int32) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	kept := areas[:min(len(areas), maxJoinedAreas)]
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool { return !isChosen[s.area] && !slices.Contains(kept, s.area) })
	t.isAsked = true // the others would be drawn as context
}
