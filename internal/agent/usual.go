package agent

import (
	"fmt"
	"slices"
	"strings"
)

// defaultSeries are the members of default_series in metadata: the value of each dimension,
// and the rule that chose it.
type defaultSeries map[string]string

// Rules of default_series by what the value that they choose is.
var (
	totalRules = []string{"only", "elimination", "total", "all-items", "root", "sum", "frequency", "unit", "adjusted", "value"}
	// partRules choose one of several values, none of which stands for all.
	partRules = []string{"range", "largest", "middle", "areas", "observations"}
)

// isPart reports whether the usual value of a dimension is one of several, as there is no total.
func (s defaultSeries) isPart(d *dimension) bool {
	return d.Role != "unit" && d.Role != "frequency" && slices.Contains(partRules, s[d.Dim+"_rule"])
}

// partNotices says which usual values are no totals.
func (s defaultSeries) partNotices(usual []chosen) (texts []string) {
	for _, u := range usual {
		if s.isPart(u.dimension) {
			texts = append(texts, fmt.Sprintf("no total over %s is known in this dataset: the values are those of %s only, one of %d values; choose others in dimensions, and do not take these for a total", u.ID, withCode(u.value.Label, u.value.Code), len(u.Values)))
		}
	}
	return texts
}

// namedValues returns the values of a series that are no totals, with their dimensions.
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
		if isUsual && slices.Contains(partRules, rule) {
			text += " only, no total over it is known"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}
