package store

import (
	"fmt"

	"almanac/internal/stat"
)

// A file damaged in transit, or by a mistake of the office, looks like an update.
// Therefore an import is quarantined (quarantine.go) until a person has checked it, if
// it removes more than a fifth of the values, or any dimension, unit, frequency or
// part of the file.

// lostShare is the share of values that an import may remove: one in lostShare.
const lostShare = 5

// namesShown is how many names a reason lists: "the units EUR, USD and 3 more".
const namesShown = 5

// reasonsToQuarantine describes what a new vintage lacks, such as "the dimension sex". It
// returns nil if the vintage may be published. removed counts the lacking values.
func reasonsToQuarantine(old, new contents, removed int) []string {
	var reasons []string
	if had := old.observations.values; removed*lostShare > had {
		reason := fmt.Sprintf("%d of %d values (%.1f %%", removed, had, 100*float64(removed)/float64(had))
		added, _, _ := missingCodes(new.Dataset, old.Dataset)
		for _, dim := range added {
			reason += "; the dimension " + dim + " is new" // the values have other codes
		}
		reasons = append(reasons, reason+")")
	}
	dimensions, units, frequencies := missingCodes(old.Dataset, new.Dataset)
	units = append(units, missing(unitTexts(old), unitTexts(new))...)
	// Missing periods are clearer than the code of their frequency.
	if gone := missing(frequencyNames(old.observations), frequencyNames(new.observations)); len(gone) > 0 {
		frequencies = gone
	}
	for _, m := range []struct {
		one, several string
		names        []string
	}{
		{"the dimension ", "the dimensions ", dimensions},
		{"the unit ", "the units ", units},
		{"the frequency ", "the frequencies ", frequencies},
	} {
		if len(m.names) == 0 {
			continue
		}
		kind, names := m.one, m.names
		if len(names) > 1 {
			kind = m.several
		}
		if more := len(names) - namesShown; more > 0 {
			names = append(names[:namesShown:namesShown], fmt.Sprintf("%d more", more))
		}
		reasons = append(reasons, kind+stat.JoinWords(names))
	}
	// Fewer parts with all the values are only packed in another way.
	if new.parts > 0 && new.parts < old.parts && removed > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of the %d parts of the file", old.parts-new.parts, old.parts))
	}
	return reasons
}

func missingCodes(old, new *stat.Dataset) (dimensions, units, frequencies []string) {
	now := map[string][]string{} // codes by dimension
	for _, dim := range allDimensions(new) {
		now[dim.ID] = idsOf(dim.Codes)
	}
	for _, dim := range allDimensions(old) {
		codes, there := now[dim.ID]
		switch {
		case !there:
			dimensions = append(dimensions, dim.ID)
		case dim.Role == stat.RoleUnit:
			units = append(units, missing(idsOf(dim.Codes), codes)...)
		case dim.Role == stat.RoleFrequency:
			for _, code := range missing(idsOf(dim.Codes), codes) {
				frequencies = append(frequencies, code+" of "+dim.ID)
			}
		}
	}
	return dimensions, units, frequencies
}

// allDimensions returns the axes of a dataset and its fixed dimensions.
func allDimensions(d *stat.Dataset) []stat.Dimension {
	var all []stat.Dimension
	for _, axis := range d.Axes() {
		all = append(all, *axis)
	}
	for _, f := range d.Fixed {
		all = append(all, stat.Dimension{ID: f.ID, Role: f.Role, Codes: []stat.Code{f.Code}})
	}
	return all
}

func idsOf(codes []stat.Code) []string {
	ids := make([]string, len(codes))
	for i, c := range codes {
		ids[i] = c.ID
	}
	return ids
}

// unitTexts returns the units stated for the dataset, its series and its codes.
func unitTexts(v contents) []string {
	units := []string{v.Unit}
	for i, isUsed := range v.observations.isUnitUsed {
		if isUsed {
			units = append(units, v.observations.units[i])
		}
	}
	for _, dim := range allDimensions(v.Dataset) {
		for _, code := range dim.Codes {
			units = append(units, code.Unit)
		}
	}
	return units
}

func frequencyNames(o *observations) []string {
	names := make([]string, len(o.periods))
	for i, p := range o.periods {
		names[i] = p.Frequency().String()
	}
	return names
}

// missing returns the distinct texts of before that are not in now, except "".
func missing(before, now []string) []string {
	seen := map[string]bool{"": true}
	for _, text := range now {
		seen[text] = true
	}
	var gone []string
	for _, text := range before {
		if !seen[text] {
			seen[text] = true
			gone = append(gone, text)
		}
	}
	return gone
}
