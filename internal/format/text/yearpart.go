package text

import (
	"fmt"
	"strconv"
	"time"

	"almanac/internal/stat"
)

// YearParts reads the parts of years that stand in a column or in headings of their own: Jan,
// Q1, M03, 3月, and bare numbers.
type YearParts struct {
	style     PeriodStyle
	frequency stat.Frequency // of bare numbers
}

// FindYearParts finds how such texts are read. What one of them leaves open, the frequency that
// a heading states or the other texts decide, as for [PeriodFinder].
func FindYearParts(frequency stat.Frequency, texts []string) (p YearParts, err error) {
	finder := PeriodFinder{Frequency: frequency}
	for _, t := range texts {
		if !IsDigits(t) {
			finder.Add("2000 " + t)
		}
	}
	if p.frequency = frequency; frequency == 0 || frequency == stat.Annual {
		p.frequency = stat.Month
	}
	p.style, err = finder.Find()
	return p, err
}

// Read reads a part of a year. M13, Q05 and S03 are the year.
func (p *YearParts) Read(year int, part string) (stat.Period, error) {
	q, isLabel, err := stat.Period{}, false, error(nil)
	if n, wrong := strconv.ParseUint(part, 10, 8); wrong == nil {
		q = stat.NewPeriod(p.frequency, year, int(n))
	} else {
		q, isLabel, err = p.style.Read(fmt.Sprintf("%04d %s", year, part))
	}
	if err != nil || isLabel || q.IsZero() || q.Frequency() == stat.Day {
		return stat.Period{}, fmt.Errorf("%q is not a part of the year %d (frequency %s), such as 3, Q1, M03 or %s", part, year, p.frequency, time.March)
	}
	return q, nil
}

// ReadYear reads a calendar year: 2015, 2015年.
func ReadYear(text string) (year int, err error) {
	f, ok := parseForm(text)
	if !ok || f.class != formCertain || f.frequency != stat.Annual || f.isLabel || f.isShortYear {
		return 0, fmt.Errorf("%q is not a year", Clip(text))
	}
	return f.year, nil
}
