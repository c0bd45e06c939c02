package text

import "almanac/internal/stat"

func readMonth(p *pattern, f *periodForm) bool {
	f.frequency, f.year, f.name = stat.Month, p.value(itemYear), p.item(itemMonth).name
	return true
}

// readMonthEnd reads Mar-15.
func readMonthEnd(p *pattern, f *periodForm) bool {
	f.class, f.year, f.isShortYear, f.name = formMonthEnd, p.items[1].value, true, p.items[0].name
	return p.items[1].width == 2
}

// readNamedDay reads 11 May 2023, May 11, 2023 and 11 May 23.
func readNamedDay(p *pattern, f *periodForm) bool {
	day, year := p.items[0], p.items[2]
	switch p.kinds {
	case "YMN":
		day, year = year, day
	case "MNY":
		day = p.items[1]
	}
	f.frequency, f.year, f.name, f.second = stat.Day, year.value, p.item(itemMonth).name, day.value
	f.isShortYear = year.kind == itemNumber
	return !f.isShortYear || year.width == 2
}

// readDate reads 31.12.2000, 12/31/2000 and 31.12.00. With dots the day comes first
// everywhere.
func readDate(p *pattern, f *periodForm) bool {
	gap, year := p.gap(1), p.items[2]
	if gap != p.gap(2) || gap != "." && gap != "/" && gap != "-" {
		return false
	}
	f.year, f.first, f.second = year.value, p.items[0].value, p.items[1].value
	f.isShortYear = year.kind == itemNumber
	f.class = formDate
	if gap == "." {
		f.class, f.frequency = formCertain, stat.Day
		f.first, f.second = f.second, f.first
	}
	return !f.isShortYear || year.width == 2
}

// readYearDate reads 2000-12-31, and 1994/1-3 as the months of a quarter.
func readYearDate(p *pattern, f *periodForm) bool {
	before, between := p.gap(1), p.gap(2)
	if before == between || before == " " && between == "" {
		f.frequency, f.year, f.first, f.second = stat.Day, p.items[0].value, p.items[1].value, p.items[2].value
		return before == "-" || before == "/" || before == "."
	}
	return readMonthSpan(p, f)
}

// readMonthSpan reads 1994/1-3 and 2024年1-3月.
func readMonthSpan(p *pattern, f *periodForm) bool {
	if gap := p.gap(2); gap != "-" && gap != "–" || p.part != 0 && p.part != stat.Month {
		return false
	}
	if before := p.gap(1); before != "/" && before != " " && before != "" {
		return false
	}
	f.year = p.items[0].value
	return f.setMonths(p.items[1].value, p.items[2].value)
}

// readMonths reads Jan-Mar 2024.
func readMonths(p *pattern, f *periodForm) bool {
	first, last := p.items[0], p.items[1]
	if p.kinds == "YMM" {
		first, last = last, p.items[2]
	}
	f.year = p.value(itemYear)
	return (last.before == "-" || last.before == "–") && f.setMonths(first.name.in(0), last.name.in(0))
}

// setMonths sets a span of months. A year that does not begin in January is one that
// ends in the next year.
func (f *periodForm) setMonths(first, last int) bool {
	length := last - first + 1
	switch {
	case first < 1 || first > 12 || last < 1 || last > 12:
		return false
	case length == 12:
		f.frequency, f.first = stat.Annual, 1
	case length == 0: // April to March
		f.frequency, f.first, f.year, f.isLabel = stat.Annual, 1, f.year+1, true
	case length == 3 || length == 3-12: // Dec-Feb 2024 ends in 2024
		f.class, f.first = formMonths, last
	case length == 6 && first%6 == 1:
		f.frequency, f.first = stat.HalfYear, last/6
	default:
		return false
	}
	return true
}
