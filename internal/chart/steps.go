package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxMissingSteps is the share of all steps of an ordered dimension that may be missing.
const maxMissingSteps = .1

// missingSteps returns the numbers that are missing among categories which are whole numbers in
// steps of one, such as the age of 38 among single years of age; nil if they are no such numbers
// or many are missing.
func missingSteps(starts []float64) []int {
	numbers := slices.DeleteFunc(slices.Clone(starts), func(v float64) bool { return math.IsInf(v, 0) })
	if len(numbers) < minSteps || slices.ContainsFunc(numbers, func(v float64) bool { return v != math.Trunc(v) }) {
		return nil
	}
	first, last := int(numbers[0]), int(numbers[len(numbers)-1])
	if all := last - first + 1; float64(all-len(numbers)) > maxMissingSteps*float64(all) {
		return nil
	}
	var missing []int
	for n := first; n <= last; n++ {
		if !slices.Contains(numbers, float64(n)) {
			missing = append(missing, n)
		}
	}
	return missing
}

// fewNumbers returns which numbers the categories are, such as ", 20–22" of single years of age, if
// they are so few that readers would take them for all.
func (s *Spec) fewNumbers() string {
	n := len(s.Categories)
	if n < 2 || n >= minSteps {
		return ""
	}
	first, err := strconv.Atoi(s.Categories[0].Label)
	last, err2 := strconv.Atoi(s.Categories[n-1].Label)
	if err != nil || err2 != nil || first == 0 || last-first != n-1 {
		return ""
	}
	return ", " + strconv.Itoa(first) + "–" + strconv.Itoa(last)
}

// minSteps is the number of categories from which a missing one is noticed.
const minSteps = 10

// addMissingSteps adds the categories that are missing between ordered ones with an empty place,
// so that bars on both sides of it do not look like neighbours. The layout notes empty
// places. starts are those of the categories.
func (s *Spec) addMissingSteps(t *selection, starts []float64) {
	for _, n := range missingSteps(starts) {
		at := slices.Index(starts, float64(n-1))
		label := s.Categories[at].Label
		name := strings.Replace(label, strconv.Itoa(n-1), strconv.Itoa(n), 1)
		if name == label {
			return
		}
		s.Categories = slices.Insert(s.Categories, at+1, Category{Label: name})
		starts = slices.Insert(starts, at+1, float64(n))
		for _, st := range t.series {
			if st.column > at {
				st.column++
			}
		}
	}
}
