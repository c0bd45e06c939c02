package store

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// What an office sends may be damaged on the way or by a mistake there, and it
// looks like an update. An import that takes too much away is therefore not
// published but held (quarantine.go) until a person has looked. Too much is more
// than a fifth of the values, and any dimension, unit, frequency or part of the
// file.

// lostShare: more than one in so many values may not be gone.
const lostShare = 5

// sides are the vintage that serves and the one that is to take its place.
type sides struct {
	oldSet, newSet     *stat.Dataset
	old, new           *columns
	oldParts, newParts int
	removed            int // values of old that new has none for
}

// losses names what the new vintage lacks that holds it back: "the dimension
// sex"; nothing if it may be published.
func (s *sides) losses() []string {
	var lost []string
	if had := s.old.values(); s.removed*lostShare > had {
		lost = append(lost, fmt.Sprintf("%d of %d values (%.1f %%)", s.removed, had, 100*float64(s.removed)/float64(had)))
	}
	dimensions, units, frequencies := s.lostCodes()
	units = append(units, missing(unitTexts(s.oldSet, s.old), unitTexts(s.newSet, s.new))...)
	// Periods that are gone say it better than the code of their frequency.
	if gone := missing(frequencyNames(s.old), frequencyNames(s.new)); len(gone) > 0 {
		frequencies = gone
	}
	for _, l := range []struct {
		one, several string
		names        []string
	}{
		{"the dimension", "the dimensions", dimensions},
		{"the unit", "the units", units},
		{"the frequency", "the frequencies", frequencies},
	} {
		switch len(l.names) {
		case 0:
		case 1:
			lost = append(lost, l.one+" "+l.names[0])
		default:
			lost = append(lost, l.several+" "+nameSome(l.names))
		}
	}
	// Fewer parts that hold all the values are only packed in another way.
	if s.newParts > 0 && s.newParts < s.oldParts && s.removed > 0 {
		lost = append(lost, fmt.Sprintf("%d of the %d parts of the file", s.oldParts-s.newParts, s.oldParts))
	}
	return lost
}

// lostCodes names the dimensions that are gone, and the codes that are gone from
// the dimensions of units and frequencies that are still there.
func (s *sides) lostCodes() (dimensions, units, frequencies []string) {
	now := codesByDimension(s.newSet)
	for _, dim := range allDimensions(s.oldSet) {
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

// allDimensions are the axes of a dataset and the dimensions that left its key.
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

func codesByDimension(d *stat.Dataset) map[string][]string {
	codes := map[string][]string{}
	for _, dim := range allDimensions(d) {
		codes[dim.ID] = idsOf(dim.Codes)
	}
	return codes
}

func idsOf(codes []stat.Code) []string {
	ids := make([]string, len(codes))
	for i, c := range codes {
		ids[i] = c.ID
	}
	return ids
}

// unitTexts are the units that a vintage states as texts: for the whole, for a
// series, for a code that is a measure.
func unitTexts(d *stat.Dataset, c *columns) []string {
	units := []string{d.Unit}
	seen := make([]bool, len(c.units))
	for _, u := range c.unit {
		if !seen[u] {
			seen[u] = true
			units = append(units, c.units[u])
		}
	}
	for _, dim := range allDimensions(d) {
		for _, code := range dim.Codes {
			units = append(units, code.Unit)
		}
	}
	return units
}

// frequencyNames are the frequencies of the periods that occur.
func frequencyNames(c *columns) []string {
	var names []string
	for _, p := range c.periods {
		if name := p.Frequency().String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// missing are the texts of before that are not in now, each once; "" is none.
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

// namesShown is how many names a sentence bears.
const namesShown = 5

// nameSome lists names: "EUR, USD and 3 more".
func nameSome(names []string) string {
	if more := len(names) - namesShown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:namesShown], ", "), more)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
