package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
)

// ofEstimate matches the headings of columns that say how exact the estimate on their left
// is, and are repeated beside each estimate: 90% CI Lower Bound.
var ofEstimate = regexp.MustCompile(`(?i)\b(CI|confidence|lower|upper|bound|margin of error|MOE|standard error)\b`)

// nameRepeated names columns of values with a repeated heading by the estimate that they
// belong to, the next column on their left with a heading of its own.
func nameRepeated(values []table.Value, headings []string) {
	count := map[string]int{}
	for _, h := range headings {
		count[strings.ToLower(h)]++
	}
	for i, v := range values {
		n, err := strconv.Atoi(strings.TrimPrefix(v.Column, "#"))
		if err != nil || n < 1 || n > len(headings) || v.Code != "" || count[strings.ToLower(headings[n-1])] < 2 || !ofEstimate.MatchString(headings[n-1]) {
			continue
		}
		left := n - 2
		for left >= 0 && count[strings.ToLower(headings[left])] > 1 {
			left--
		}
		isValue := func(v table.Value) bool { return left >= 0 && strings.EqualFold(v.Column, headings[left]) }
		if left >= 0 && slices.ContainsFunc(values, isValue) {
			values[i].Code = headings[left] + ": " + headings[n-1]
			values[i].Label = values[i].Code
		}
	}
}
