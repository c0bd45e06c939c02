package agent

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// defaultSeries are the members of default_series in metadata: the value of each dimension,
// and the rule that chose it.
type defaultSeries map[string]string

// totalRules are the rules of default_series that choose what stands for all.
var totalRules = []string{"only", "elimination", "total", "all-items", "root", "sum", "frequency", "unit", "adjusted", "value"}

// isPart reports whether the usual value of a dimension is one of several, as there is no total.
func (s defaultSeries) isPart(d *dimension) bool {
	value := s[d.Dim+"_value"]
	usual := slices.IndexFunc(d.Values, func(v codeLabel) bool { return v.Label == value })
	if usual < 0 {
		usual = int(d.position(value)) // a code without a label of the office
	}
	if usual < 0 {
		return false
	}
	of := stat.Dimension{ID: d.ID, Label: d.Label, Role: stat.Role(d.Role)}
	for _, v := range d.Values {
		of.Codes = append(of.Codes, stat.Code{ID: v.Code, Label: v.Label})
	}
	return defaults.IsPart(&of, int32(usual), defaults.Rule(s[d.Dim+"_rule"]))
}

// partNotices says which usual values are no totals, and which totals the dataset has beside them, of other areas.
func (s defaultSeries) partNotices(usual []chosen) (texts []string) {
	for _, u := range usual {
		rule := defaults.Rule(s[u.Dim+"_rule"])
		isTotal := func(v codeLabel) bool { return defaults.IsTotal(stat.Code{ID: v.Code, Label: v.Label}) }
		total := slices.IndexFunc(u.Values, isTotal)
		switch {
		case isTotal(u.value): // for the named areas
		case total >= 0 && !slices.Contains(totalRules, string(rule)):
			texts = append(texts, fmt.Sprintf("the values are those of %s only; the dataset also has %s, of fewer areas: name the area, or choose it in dimensions", withCode(u.value.Label, u.value.Code), withCode(u.Values[total].Label, u.Values[total].Code)))
		case rule == defaults.Measure:
			texts = append(texts, fmt.Sprintf("the values are those of %s only, one of %d values of %s, of which none is known as a total: name it with its numbers, or choose others in dimensions", withCode(u.value.Label, u.value.Code), len(u.Values), u.ID))
		case s.isPart(u.dimension):
			texts = append(texts, fmt.Sprintf("no total over %s is known in this dataset: the values are those of %s only, one of %d values; choose others in dimensions, and do not take these for a total", u.ID, withCode(u.value.Label, u.value.Code), len(u.Values)))
		}
	}
	return texts
}

// namedValues returns the values of the series of a hit that are no totals, with their dimensions. A question has named those
// that are parts: a hit without a total shows no value otherwise.
func namedValues(values map[string]string, s defaultSeries, labels map[string]string, unit string) string {
	var texts []string
	for n := 1; n <= 8; n++ {
		dim := fmt.Sprintf("dim%d", n)
		value, label := values[dim+"_value"], labels[dim+"_label"]
		isUsual, rule := value == s[dim+"_value"], s[dim+"_rule"]
		if value == "" || value == unit || isUsual && slices.Contains(totalRules, rule) {
			continue
		}
		text := value
		if label != "" {
			text = label + ": " + value
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}
