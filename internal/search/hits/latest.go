package hits

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"almanac/internal/chart/caption"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Latest is the latest observed value of the series of a dataset that a question asks for, or its value of the period that the
// question names, which may be a forecast.
type Latest struct {
	Area Area `json:"area"`
	// Composition says which members the area has, if it is one of several compositions of a group.
	Composition string            `json:"composition,omitempty"`
	Period      string            `json:"period"`
	Label       string            `json:"period_label,omitempty"` // the source's text of the period, if it has one
	Value       json.RawMessage   `json:"value"`                  // a number, as in the rows of the data
	Unit        string            `json:"unit,omitempty"`
	UnitCode    string            `json:"unit_code,omitempty"` // the office's, if Unit says in words what the file has as a code without a label
	Flags       []string          `json:"flags,omitempty"`
	IsForecast  bool              `json:"forecast,omitempty"` // the value is a forecast or a projection, as in charts
	Series      map[string]string `json:"dimensions"`         // label of the value of each dimension, as in series_key
	Mode        stat.LatestMode   `json:"latest_mode"`
	// Concept is that of the dataset if the value is of it, also for ages or a sex; empty if the question asks for another measure.
	Concept string `json:"concept,omitempty"`
	// ReadAs says which value words of the question stand for, such as 15 to 24 years for youth.
	ReadAs string `json:"read_as,omitempty"`

	period    stat.Period
	ofPeriod  *Latest // in place of it, if the question asks for a period
	isOutside bool    // the question asks for a period of which the series has no value
	isClose   bool    // it is of what the question asks for, but no answer: of another period, or per inhabitant
}

// latestOf returns the latest observed values of the series that a question asks for, for those
// of its areas that have one, or without areas for the area that stands for all. If none is an answer,
// they are of the default series.
func (q *question) latestOf(ctx context.Context, v *store.Vintage, h *Hit) (d details, err error) {
	chosen, err := v.Default()
	if err != nil || chosen == nil {
		return d, err
	}
	s, why := q.seriesFor(v, chosen, h)
	if why = cmp.Or(q.unclear, q.whySource(h), q.whyComparison(s, h), why); q.code != "" && !h.hasCode() && !h.hasValueCode() {
		why = fmt.Sprintf("the question names the dataset %s, and this is another one", q.code)
	}
	areas, whyArea := q.areasFor(v, s)
	if why = cmp.Or(why, whyArea); why == "" && len(areas) == 1 {
		s.chooseTotals(v, areas[0])
	}
	list, whyValue, err := q.valuesOf(ctx, v, s, areas, why)
	if err == nil && list == nil && why == "" {
		if other := q.seriesWithValues(v, s, areas, h); other != nil {
			s = other
			list, whyValue, err = q.valuesOf(ctx, v, s, areas, "")
		}
	}
	if err != nil {
		return d, err
	}
	why = cmp.Or(why, whyValue)
	if h.Concept != nil && s.isSameMeasure(chosen.Key) {
		for _, l := range list {
			cmp.Or(l.ofPeriod, l).Concept = h.Concept.ID
		}
	}
	lacks := list == nil && why == "" && (q.areas != nil || q.isWorld) || slices.ContainsFunc(list, func(l *Latest) bool { return l.isOutside })
	needsArea := false
	switch {
	case list != nil || why != "":
	case q.isWorld:
		why = "the question is for the world, and the dataset has no value of it; name an area"
	case areas != nil:
		why = fmt.Sprintf("the series%s has no observed value there", s.inBrackets())
	case q.areas != nil:
		why = "the dataset has no value of the area itself; " + cmp.Or(similarAreas(v, q.areas, nil), "its dimensions list the areas that it has")
	default:
		needsArea = q.whyOtherKind(s, &Latest{Unit: s.dataset.UnitOf(s.key, "")}) == ""
		why = "none of its areas stands for all; name an area"
	}
	selection := q.selectionOf(s, chosen.Key, h, list != nil && why == "")
	isClose := slices.ContainsFunc(list, func(l *Latest) bool { return l.isClose })
	return details{selection: selection, latest: list, why: why, needsArea: needsArea, isClose: isClose, lacks: lacks, lacksAsked: s.lacksAsked, present: s.present}, nil
}

// valuesOf returns the latest observed values of a series for those of the areas that have one, or for the first one if the question asks for
// none. why says why they are no answer; without a reason so far, it is looked for.
func (q *question) valuesOf(ctx context.Context, v *store.Vintage, s *series, areas []int32, reason string) (list []*Latest, why string, err error) {
	why = reason
	for _, area := range areas {
		found, err := latestIn(ctx, v, s.key, area, stat.Period{})
		if err != nil {
			return nil, "", err
		}
		if found == nil {
			continue
		}
		isOther := why != ""
		if !isOther {
			why = cmp.Or(whyNoUnit(s, found), q.whyOtherKind(s, found))
			isOther = why != "" || q.whyPart(s, found.Unit) != ""
			why = cmp.Or(why, q.whyCapita(s), q.whyOtherPer(s, found.Unit), q.whyPart(s, found.Unit), q.whyMonth(s))
		}
		if why == "" {
			if why, err = q.addPeriod(ctx, v, s, area, found); err != nil {
				return nil, "", err
			}
			found.isOutside = why != ""
		}
		shown := cmp.Or(found.ofPeriod, found)
		if why = cmp.Or(why, q.whyObserved(s, shown), q.whyOtherFrequency(s, shown)); why == "" {
			why = q.readYears(shown, found.ofPeriod != nil)
		}
		found.isClose = why != "" && !isOther
		if err := found.addUnsaid(ctx, v, s.key, area); err != nil {
			return nil, "", err
		}
		for _, l := range []*Latest{found, found.ofPeriod} {
			if l != nil {
				l.Area.Name = q.nameOf(l.Area)
				l.ReadAs = strings.Trim(strings.Join(s.readAs, "; ")+"; "+l.ReadAs, "; ")
			}
		}
		if list = append(list, found); q.areas == nil {
			break
		}
	}
	return list, why, nil
}

// areasFor returns the areas of a dataset that the question asks for, or those that stand for all if it names none. why says
// why values of them are no answer.
func (q *question) areasFor(v *store.Vintage, s *series) (areas []int32, why string) {
	if areas, why, isPart := q.partAreas(v); isPart {
		return areas, why
	}
	areas, isBeside := q.placesIn(v, s)
	isBeside = isBeside || s.isPlaced
	switch {
	case s.areas != nil:
		if slices.ContainsFunc(s.areas, func(area int32) bool { return !q.isInside(v, area) }) {
			why = "the dataset has the name only as that of an area elsewhere"
		}
		return s.areas, why
	case len(areas) == 0 && q.isWorld && !s.isPlaced:
		if areas = positions(v.Dataset, search.SameAreas("WLD")); areas == nil {
			areas = citiesNamed(v, search.OwnNames("WLD", "World")) // with a code of the office
		}
		return areas, ""
	case len(areas) == 0 && (q.areas == nil || isBeside):
		return positions(v.Dataset, nil), ""
	}
	return areas, q.whyPlaces(isBeside)
}

// wholes are the areas that stand for all others of a dataset, best first.
var wholes = []string{"WLD", "EU27_2020", "EU", "EA20", "EA", "OECD", "G20"}

// idsOfWholes returns the codes of wholes in all lists.
var idsOfWholes = sync.OnceValue(func() (ids []string) {
	for _, id := range wholes {
		ids = append(ids, search.SameAreas(id)...)
	}
	return ids
})

// positions returns the positions of an area by its IDs, or without them of the areas that stand for all.
func positions(d *stat.Dataset, ids []string) (list []int32) {
	codes := d.Geography.Codes
	if ids == nil {
		if len(codes) == 1 {
			return []int32{0}
		}
		ids = idsOfWholes()
	}
	for _, id := range ids {
		i := slices.IndexFunc(codes, func(c stat.Code) bool {
			return strings.EqualFold(cmp.Or(c.Area, c.ID), id) && !search.NamesOtherGroup(&c)
		})
		if i >= 0 && !slices.Contains(list, int32(i)) {
			list = append(list, int32(i))
		}
	}
	return list
}

// latestIn returns the latest observed value of a series for an area. In a part of the time, that is the value of this period itself if
// there is one: of the year, and not of its last month.
func latestIn(ctx context.Context, v *store.Vintage, key []int32, area int32, within stat.Period) (*Latest, error) {
	if !within.IsZero() {
		found, err := lastOf(ctx, v, key, area, stat.Query{Flags: true, Within: within})
		if err != nil || found != nil {
			return found, err
		}
	}
	return lastOf(ctx, v, key, area, stat.Query{Latest: stat.LatestObserved, Flags: true, Within: within})
}

// lastOf returns the last value of a series for an area that a query selects; of one without a mode only that of its period itself.
func lastOf(ctx context.Context, v *store.Vintage, key []int32, area int32, q stat.Query) (*Latest, error) {
	for _, code := range key {
		q.Select = append(q.Select, []int32{code})
	}
	q.Select = append(q.Select, []int32{area})
	extract, err := v.Select(ctx, q)
	if err != nil {
		return nil, err
	}
	for block, err := range extract.Blocks {
		if err != nil {
			return nil, err
		}
		var only stat.Period
		if q.Latest == "" {
			only = q.Within
		}
		if l := lastOfBlock(v, extract, block, only); l != nil {
			return l, nil
		}
	}
	return nil, nil
}

// lastOfBlock returns the last number of a block, which is valid only until the next one. If a period is not zero, it is the number of this one.
func lastOfBlock(v *store.Vintage, extract *stat.Extract, block *stat.Block, only stat.Period) *Latest {
	for i := len(block.Value) - 1; i >= 0; i-- {
		if value := block.Value[i]; value == value { // not NaN
			row, _ := slices.BinarySearch(block.RowStart, int32(i)+1)
			area := v.Dataset.Geography.Codes[block.Areas[block.Area[i]]]
			period := extract.Periods[block.Periods[row-1]]
			if !only.IsZero() && period != only {
				continue
			}
			l := &Latest{
				Area: Area{cmp.Or(area.Area, area.ID), area.Label}, Composition: geo.EditionText(area.Area),
				Period: period.String(), period: period, Label: v.Dataset.PeriodLabels[period],
				Value:  strconv.AppendFloat(nil, value+0, 'f', -1, 64),
				Series: map[string]string{}, Mode: stat.LatestObserved, Flags: block.Flags[i].List(), IsForecast: v.IsForecast(period, block.Flags[i]),
			}
			l.Unit, l.UnitCode = unitOf(v.Dataset, block.Key, block.Unit)
			if l.IsForecast {
				l.Mode = stat.LatestLast
			}
			for axis, code := range block.Key {
				l.Series["dim"+strconv.Itoa(axis+1)+"_value"] = v.Dataset.Dimensions[axis].Codes[code].Label
			}
			return l
		}
	}
	return nil
}

// unitOf returns the unit of a series as the file states it. If the file states none, or only a code, it is the one that pictures and agents
// name, beside the code.
func unitOf(d *stat.Dataset, key []int32, stated string) (unit, code string) {
	unit = d.UnitOf(key, stated)
	if caption.IsOpenUnit(unit) {
		return withLabel(d, key, caption.UnitOf(d, key, stated)), ""
	}
	if !caption.IsCode(unit) {
		return unit, ""
	}
	named := caption.UnitOf(d, key, stated)
	if named == "" || strings.EqualFold(named, unit) {
		return unit, ""
	}
	return named, unit
}

// baseYear matches a unit that is only the base of an index.
var baseYear = lazyregexp.New(`^[0-9]{4} ?= ?100$`)

// withLabel returns a unit, or if it is only the base of an index the label that has it: "preisbereinigt, Kettenindex (2015=100)".
func withLabel(d *stat.Dataset, key []int32, unit string) string {
	for axis := range d.Dimensions {
		if label := d.Dimensions[axis].Codes[key[axis]].Label; baseYear.MatchString(unit) && strings.Contains(label, unit) {
			return label
		}
	}
	return unit
}

// whyNoUnit says why a value without a unit is no answer: the file says only that each value has a unit of its own. It is empty if the
// value has a unit, or the file says nothing.
func whyNoUnit(s *series, found *Latest) string {
	stated := s.dataset.UnitOf(s.key, "")
	if found.Unit != "" || !caption.IsOpenUnit(stated) {
		return ""
	}
	return fmt.Sprintf("the file states %q as the unit of the usual series%s, and no label says which unit that is", stated, s.inBrackets())
}
