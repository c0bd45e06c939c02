package text

import (
	"strconv"

	"almanac/internal/stat"
)

// SpansBesideYears returns the texts of spans of several years that end in a year which
// another text means alone: 2018–23 beside 2023. s is the style that was found.
func (f *PeriodFinder) SpansBesideYears(s *PeriodStyle) map[string]bool {
	years, ends := map[stat.Period]bool{}, map[string]stat.Period{}
	for i := range f.found {
		text := f.found[i].text
		p, isLabel, err := s.read(text, f.found[i].periodForm)
		if err != nil || p.Frequency() != stat.Annual || len(text) < 4 {
			continue
		}
		first, err := strconv.Atoi(text[:4])
		switch {
		case !isLabel:
			years[p] = true
		case err == nil && p.Year()-first > 1: // 2022-23 may be a fiscal year
			ends[text] = p
		}
	}
	spans := map[string]bool{}
	for text, p := range ends {
		if years[p] {
			spans[text] = true
		}
	}
	return spans
}
