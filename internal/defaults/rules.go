package defaults

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Rule names what decided for a code.
type Rule string

// The rules, in order. What they prefer is a choice only if it has data in the recent
// years for at least half of the areas that another code has.
const (
	Only        Rule = "only"         // no other code has data
	Curator     Rule = "curator"      // set with almanac dataset set
	Table       Rule = "table"        // the table of well-known datasets
	Value       Rule = "value"        // the only one that is no error bound, weight or unknown
	Elimination Rule = "elimination"  // the office's elimination value
	Total       Rule = "total"        // a label or code that means total, all, both
	Adjusted    Rule = "adjusted"     // seasonally adjusted
	AllItems    Rule = "all-items"    // all items, all causes, total economy, GDP
	Frequency   Rule = "frequency"    // months, else quarters, years, other frequencies, if most areas have them
	Title       Rule = "title"        // the title of the dataset names it
	Prices      Rule = "prices"       // current prices before volumes, levels before their changes
	Range       Rule = "range"        // the widest range; of single years of age the first
	Root        Rule = "root"         // the code of a classification that contains the others
	Sum         Rule = "sum"          // the code whose values are the sums of the others
	Largest     Rule = "largest"      // of parts of very different size the largest
	Unit        Rule = "unit"         // the unit that the title speaks of, or one for all areas
	Measure     Rule = "measure"      // the first of the measures with most series: the office's headline
	MostAreas   Rule = "areas"        // the most areas in the recent years
	MostValues  Rule = "observations" // the most observations in the recent years
	Middle      Rule = "middle"       // the middle of the distribution of values
)

// Rules lists all rules.
var Rules = []Rule{
	Only, Curator, Table, Value, Elimination, Total, Adjusted, AllItems, Frequency, Title, Prices, Range, Root, Sum, Largest,
	Unit, Measure, MostAreas, MostValues, Middle,
}

// rule prefers some of the candidates of a chooser, or none.
type rule struct {
	name   Rule
	prefer func(*chooser) []int32
}

// rulesFor returns the rules that apply to a dimension, in order. The first measure of a
// list is an office's headline; the first of other codes is only the first.
func rulesFor(d *stat.Dimension) []rule {
	switch {
	case d.Role == stat.RoleFrequency:
		return []rule{{Frequency, preferFrequency}}
	case d.Role == stat.RoleUnit:
		return []rule{{Unit, preferUnit}}
	case isLeg(d): // amounts in each currency, of which the largest is known best
		return []rule{{Elimination, preferElimination}, {Total, preferTotal}, {Largest, func(c *chooser) []int32 { return c.largest(c.codes) }}}
	case IsCurrency(d):
		return []rule{{Elimination, preferElimination}, {Total, preferTotal}, {Unit, preferCurrency}}
	case isMeasure(d):
		return []rule{
			{Elimination, preferElimination}, {Adjusted, preferAdjusted}, {Title, preferTitle}, {AllItems, preferAllItems},
			{Total, preferTotalPart}, {Unit, preferRate}, {Prices, preferVolumes}, {Measure, preferMainMeasure},
		}
	}
	return []rule{
		{Elimination, preferElimination}, {Total, preferTotal}, {Adjusted, preferAdjusted}, {AllItems, preferAllItems},
		{Title, preferTitle}, {Prices, preferPrices}, {Range, preferRange}, {Root, preferRoot}, {Unit, preferUnitOfAll}, {Sum, preferSum}, {Largest, preferLargest},
	}
}

func preferElimination(c *chooser) []int32 {
	if code, ok := c.withID(c.dimension.Total); ok {
		return []int32{code}
	}
	return nil
}

// preferFrequency prefers the frequency in which most areas have data; of several, the one
// that shows most without being noise: months, quarters, years, half-years, weeks, days.
func preferFrequency(c *chooser) []int32 {
	most := 0
	for _, i := range c.codes {
		most = max(most, c.tallies[i].Areas)
	}
	for _, words := range [][]string{{"m", "monthly", "month", "months"}, {"q", "quarterly", "quarter"}, {"a", "annual", "yearly", "year"}, {"s", "h", "half-yearly"}, {"w", "weekly"}, {"d", "b", "daily"}} {
		found := c.filter(func(code stat.Code) bool {
			return slices.Contains(words, strings.ToLower(code.ID)) || slices.Contains(words, labelOf(code))
		})
		found = slices.DeleteFunc(found, func(i int32) bool { return 10*c.tallies[i].Areas < 9*most })
		if len(found) > 0 {
			return first(found)
		}
	}
	return nil
}

// preferVolumes prefers volumes to current prices where [preferPrices] does, which is not for
// measures of several areas: offices list their headline first.
func preferVolumes(c *chooser) []int32 {
	if len(c.dataset.Geography.Codes) > 1 || !c.dataset.SubAnnual {
		return nil
	}
	return preferPrices(c)
}

// preferMainMeasure prefers the first measure: an office lists its headline first. It
// passes over measures that only a part of the items has, such as the area harvested in a
// dataset of crops and livestock.
func preferMainMeasure(c *chooser) []int32 {
	return first(slices.DeleteFunc(slices.Clone(c.codes), func(i int32) bool { return 3*c.tallies[i].Series < 2*c.mostSeries() }))
}

// mostSeries returns the number of series of the code with most.
func (c *chooser) mostSeries() int {
	most := 0
	for _, t := range c.tallies {
		most = max(most, t.Series)
	}
	return most
}

// filter returns the candidates for which a claim is true.
func (c *chooser) filter(claim func(stat.Code) bool) []int32 {
	var list []int32
	for _, i := range c.codes {
		if claim(c.code(i)) {
			list = append(list, i)
		}
	}
	return list
}

// labelOf returns the office's label of a code in lower case, or the code if it has no
// label.
func labelOf(c stat.Code) string { return strings.ToLower(cmp.Or(c.SourceLabel, c.Label, c.ID)) }

// measureIDs are the IDs and labels of dimensions whose codes are what is measured, in
// lower case. Offices write them the same in all their tables.
var measureIDs = []string{
	"na_item", "bop_item", "indicator", "indicator2", "ind", "indicators", "indic", "measure", "measures", "msr", "statistic", "statistics", "contentscode",
	"tiedot", "element", "variable", "variables", "var", "series", "series_id", "serie", "idserie", "scode", "subject", "weo subject code", "concept",
	"concepts", "linecode", "index", "observations", "data type", "data_type", "statistikkvariabel", "tunnusluvut", "item_code",
	"topic", "topics", "kennzahl", "wertart",
}

// isMeasure reports whether the codes of a dimension are measures, which differ in unit.
func isMeasure(d *stat.Dimension) bool {
	if d.Role != stat.RoleOther || areBases(d) {
		return false
	}
	id := strings.ToLower(d.ID)
	return slices.Contains(measureIDs, id) || strings.HasPrefix(id, "indic_") || strings.HasPrefix(id, "measure_") || strings.HasPrefix(id, "tipo_dato") || strings.HasSuffix(id, " characteristics") ||
		slices.Contains(measureIDs, strings.ToLower(d.Label)) ||
		slices.ContainsFunc(d.Codes, func(c stat.Code) bool { return c.Unit != "" })
}
