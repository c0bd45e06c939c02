package request

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// series returns the key of the series of a version that has the population of areas, or why none has. The table of
// well-known datasets has its codes; else a label of a measure, or the title if no measure has one, must be a name of the
// population. In all other dimensions but units and frequencies the series has a total.
func (c *populationCandidate) series(v *store.Vintage) (key []int32, why string, err error) {
	d := v.Dataset.Original()
	selected := make([][]int32, len(d.Dimensions)+1)
	isFound := c.selectKnown(v, selected)
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		switch {
		case selected[i] != nil:
		case dim.Role == stat.RoleUnit:
			selected[i] = personUnits(dim)
		case dim.Role == stat.RoleOther:
			if code := slices.IndexFunc(dim.Codes, func(code stat.Code) bool { return isPopulationCode(d, dim, code) }); code >= 0 {
				selected[i], isFound = []int32{int32(code)}, true
			}
		}
	}
	title := cmp.Or(caption.KnownTitle(d.Source.ID, d.Code), d.Name)
	if !isFound && !namesPopulation(d.Name) && !namesPopulation(title) {
		return nil, fmt.Sprintf("neither its title %.80q nor the label of a measure is a name of the population", d.Name), nil
	}
	series, err := v.LatestOf(selected, stat.LatestLast)
	switch {
	case stat.KindOf(err) == stat.NotFound:
		return nil, "its series of the population is empty", nil
	case err != nil:
		return nil, "", err
	}
	for i, code := range series.Key {
		dim := &d.Dimensions[i]
		if len(selected[i]) != 1 && defaults.IsPart(dim, code, defaults.Rule(series.Rules[i])) {
			return nil, fmt.Sprintf("it has no total over %s", cmp.Or(dim.Label, dim.ID)), nil
		}
	}
	if unit := d.UnitOf(series.Key, ""); saysNoAmount(unit) || ratioCode.MatchString(d.UnitCodeOf(series.Key, "")) {
		return nil, fmt.Sprintf("its unit %.80q is not that of persons", unit), nil
	}
	return series.Key, "", nil
}

// selectKnown selects the codes of the table of well-known datasets and reports whether they are in all of the
// dimensions that the table names and the dataset has.
func (c *populationCandidate) selectKnown(v *store.Vintage, selected [][]int32) bool {
	for i := range v.Dataset.Dimensions {
		codes := c.codes[strings.ToLower(v.Dataset.Dimensions[i].ID)]
		for _, code := range codes {
			if at, ok := v.Position(i, code); ok && selected[i] == nil {
				selected[i] = []int32{at}
			}
		}
		if codes != nil && selected[i] == nil {
			return false
		}
	}
	return c.codes != nil
}

// isPopulationCode reports whether a code of a measure has a name of the population.
func isPopulationCode(d *stat.Dataset, dim *stat.Dimension, c stat.Code) bool {
	label := cmp.Or(c.SourceLabel, c.Label, c.ID)
	if label == c.ID && (strings.EqualFold(c.ID, "pop") || strings.EqualFold(c.ID, "population")) {
		return true
	}
	return namesPopulation(label) || namesPopulation(caption.Label(d.Source.ID, dim.ID, c))
}

// isPopulationItself reports whether a series is the number of all residents of its areas, by which others
// are divided. The population of a part, such as women, is a share when it is divided.
func isPopulationItself(d *stat.Dataset, key []int32) bool {
	d = d.Original()
	isNamed := false
	see := func(dim *stat.Dimension, c stat.Code) (mayBe bool) {
		isName := isPopulationCode(d, dim, c) && namesNoPart(cmp.Or(c.SourceLabel, c.Label))
		isNamed = isNamed || isName
		return isName || dim.Role != stat.RoleOther || isUnitOrCurrency(dim) || defaults.IsWhole(c)
	}
	for i, code := range key {
		if dim := &d.Dimensions[i]; !see(dim, dim.Codes[code]) {
			return false
		}
	}
	for i := range d.Fixed {
		if f := &d.Fixed[i]; !see(&stat.Dimension{ID: f.ID, Role: f.Role}, f.Code) {
			return false
		}
	}
	title, _, _ := strings.Cut(cmp.Or(caption.KnownTitle(d.Source.ID, d.Code), d.Name), " by ")
	return isNamed || namesPopulation(title) && namesNoPart(title)
}

// namesNoPart reports whether a name of the population says nothing of a part of it: "Population: Total",
// "Population (in thousands)", not "Population: Under age 5" or "Population, female".
func namesNoPart(label string) bool {
	_, rest, _ := strings.Cut(strings.NewReplacer(",", ":", ";", ":", "(", ":", "[", ":", " - ", ":").Replace(label), ":")
	return strings.Trim(beside.ReplaceAllString(rest, ""), ": )]") == ""
}

// personUnits returns the codes of a dimension that may be units of persons; nil: all.
func personUnits(dim *stat.Dimension) (list []int32) {
	for i, c := range dim.Codes {
		if label := cmp.Or(c.SourceLabel, c.Label, c.ID); !saysNoAmount(label) && !ratioCode.MatchString(c.ID) {
			list = append(list, int32(i))
		}
	}
	return list
}

var (
	// breakdown matches what a title or label says after the name of what is counted: areas, dimensions, units.
	breakdown = regexp.MustCompile(`(?i)(:| by | nach | par | por | per (region|county|municipality)| \(|\[| - ).*$|, (in )?(thousands?|millions?|persons?|number)\b.*$`)
	// beside matches words beside the name that leave the population what it is.
	beside = regexp.MustCompile(`(?i)\b(total|all ages|both sexes|residents?|usual(ly)?|national concept|(on|at|as of|as at)? ?(1st|1) (january|july)|mid-?year|middle of the year|at the end of the year|end of year|` +
		`annual|average|yearly|estimates?|estimated|projections?|projected|historical|de facto|number of|in|the|of|persons?|people|thousands?|millions?|and|(to )?[12][0-9]{3})\b|\b\p{N}+\b`)
)

// namesPopulation reports whether a text is a name of all residents of an area, whatever it says of units and dates:
// "Population on 1 January by age and sex". "Urban population" is none.
func namesPopulation(text string) bool {
	isName := func(text string) bool {
		concept := defaults.ConceptNamed(text)
		return concept != nil && concept.ID == "population"
	}
	text = breakdown.ReplaceAllString(text, "")
	return isName(text) || isName(beside.ReplaceAllString(text, ""))
}
