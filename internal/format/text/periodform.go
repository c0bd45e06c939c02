package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// periodForm is a text that is a period, or may be one. Its class says what the text
// alone leaves open; the other texts of its column decide that.
type periodForm struct {
	class       formClass
	frequency   stat.Frequency // of a certain form
	year        int
	isShortYear bool // year has its last two digits only
	first       int  // the numbers beside the year, in their order
	second      int
	name        monthName // of a month by name, instead of first
	isLabel     bool      // the text says more than the period, such as 2010-11
	isDotted    bool      // 2010.1
	isExact     bool      // the numbers beside the year have two digits
	clock       string    // a time of day other than midnight
}

// formClass is what a text leaves open.
type formClass uint8

const (
	formCertain  formClass = iota
	formDate               // 03/04/2020: the day or the month comes first
	formYearEnd            // 2010-11: a month, or the years 2010 to 2011
	formPart               // 2010:1 and 2010-I: a quarter, month or half-year
	formKW                 // 2010KW01: a quarter in Dutch and Polish, a week in German
	formMonths             // Jan-Mar 2024: a quarter, or three months of which the last one moves
	formMonthEnd           // Mar-15: the year 2015, or the 15th of a year that is not stated
	formShort              // 730: a year before 1000, or any number
	formClasses
)

var (
	// midnight matches that time of day after a date.
	midnight = regexp.MustCompile(`([0-9])[t ](?:0?0:00(?::00(?:[.,]0+)?)?(?:z|[+-][0-9]{2}:[0-9]{2})?|12:00(?::00)? ?am)$`)
	// clock matches any other time of day, except one without a zone that is midnight in
	// another one of Europe, and so belongs to the next day.
	clock       = regexp.MustCompile(`^(.*[0-9])[t ]([012]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?)$`)
	lateEvening = regexp.MustCompile(`^2[123]:00(:00([.,]0+)?)?$`)
	// shortEra matches S49.9.24, a day of a Japanese era.
	shortEra = regexp.MustCompile(`^([mtshr])([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{1,2})$`)
	// again matches how the World Bank's DataBank repeats a period.
	again = regexp.MustCompile(`^(.+) \[yr([^\]]+)\]$`)
)

// eras are the years before the first of each Japanese era.
var eras = map[string]int{"m": 1867, "t": 1911, "s": 1925, "h": 1988, "r": 2018}

// parseForm parses a text that may be a period. ok is false if it cannot be one.
func parseForm(text string) (f periodForm, ok bool) {
	if len(text) > maxPeriodText {
		return f, false
	}
	folded := strings.TrimSpace(foldText(text))
	if strings.ContainsAny(folded, ":]") {
		if m := again.FindStringSubmatch(folded); m != nil && m[1] == m[2] {
			folded = m[1]
		}
		folded = midnight.ReplaceAllString(folded, "$1")
		if m := clock.FindStringSubmatch(folded); m != nil && !lateEvening.MatchString(m[2]) {
			folded, f.clock = m[1], m[2]
		}
	}
	if m := shortEra.FindStringSubmatch(folded); m != nil {
		year, _ := strconv.Atoi(m[2]) // two digits
		folded = strconv.Itoa(eras[m[1]]+year) + "-" + m[3] + "-" + m[4]
	}
	if !strings.ContainsAny(folded, "0123456789") || folded[0] == '-' && folded[1] >= '0' && folded[1] <= '9' {
		return f, false
	}
	items, ok := splitPeriod(folded)
	if !ok {
		return f, false
	}
	p := newPattern(items)
	if read := patterns[p.kinds]; read != nil && read(&p, &f) {
		f.isLabel = f.isLabel || p.isFiscal
		isDay := f.class == formDate || f.class == formCertain && f.frequency == stat.Day
		return f, f.readings() != 0 && (isDay || f.clock == "")
	}
	return f, false
}

// pattern is the kinds of the items of a text, without those that have no meaning of
// their own.
type pattern struct {
	kinds    string
	items    []item
	part     stat.Frequency // of the word for a part of the year; 0 also for KW
	isFiscal bool
}

func newPattern(items []item) pattern {
	var p pattern
	isDay := false
	for i := range items {
		it := items[i]
		switch it.kind {
		case itemFill:
			continue
		case itemAnnual:
			if it.value > 0 && i+1 < len(items) && items[i+1].kind == itemNumber { // an era and its year
				items[i+1].kind, items[i+1].value = itemYear, it.value+items[i+1].value
			}
			continue
		case itemFiscal:
			p.isFiscal = true
			continue
		case itemDay:
			isDay = true
			continue
		case itemPart:
			p.part = it.frequency
		}
		p.items = append(p.items, it)
		p.kinds += string(it.kind)
	}
	if (isDay && p.kinds == "YNPN" || p.kinds == "YPNN") && p.part == stat.Month { // 2024年1月31日, 2024M01D31
		p.items = slices.DeleteFunc(p.items, func(it item) bool { return it.kind == itemPart })
		p.kinds = "YNN"
		p.items[1].before, p.items[2].before = "-", "-"
	}
	if p.kinds == "YPM" { // "2024 m. sausis"
		p.kinds, p.items = "YM", []item{p.items[0], p.items[2]}
	}
	return p
}

// value returns the value of the first item of a kind.
func (p *pattern) value(kind itemKind) int { return p.item(kind).value }

func (p *pattern) item(kind itemKind) item {
	return p.items[strings.IndexByte(p.kinds, byte(kind))]
}

// gap returns the separators between the first items.
func (p *pattern) gap(at int) string { return p.items[at].before }

// patterns are the orders in which a period's items may stand.
var patterns map[string]func(*pattern, *periodForm) bool

func init() {
	patterns = map[string]func(*pattern, *periodForm) bool{
		"Y": readYear, "N": readShort, "D": readDigits, "YY": readYears,
		"YN": readYearNumber, "NY": readNumberYear, "YR": readRoman, "RY": readRoman,
		"YP": readPart, "YPN": readPart, "PNY": readPart, "YNP": readPart, "NPY": readPart,
		"YPR": readPart, "PRY": readPart, "YRP": readPart, "RPY": readPart, "PYN": readPart,
		"NPN": readShortPart, "PNN": readShortPart, "RPN": readShortPart, "PRN": readShortPart,
		"PD": readPartDigits, "MY": readMonth, "YM": readMonth, "MN": readMonthEnd,
		"NMY": readNamedDay, "YMN": readNamedDay, "MNY": readNamedDay, "NMN": readNamedDay,
		"NNY": readDate, "NNN": readDate, "YNN": readYearDate, "MMY": readMonths, "YMM": readMonths,
		"YNNP": readMonthSpan,
	}
}

func readYear(p *pattern, f *periodForm) bool {
	f.frequency, f.first, f.year = stat.Annual, 1, p.items[0].value
	return true
}

// readShort reads FY24, and a bare number that may be a year of few digits.
func readShort(p *pattern, f *periodForm) bool {
	f.frequency, f.first, f.year = stat.Annual, 1, p.items[0].value
	f.isShortYear = p.isFiscal && p.items[0].width == 2
	if !p.isFiscal {
		f.class = formShort
	}
	return !p.isFiscal || f.isShortYear
}

// readDigits reads 730, 202401 and 20240131.
func readDigits(p *pattern, f *periodForm) bool {
	n := p.items[0].value
	switch p.items[0].width {
	case 3:
		return readShort(p, f) && f.class == formShort
	case 6:
		*f = periodForm{frequency: stat.Month, year: n / 100, first: n % 100}
		return f.year >= 1000
	case 8:
		*f = periodForm{frequency: stat.Day, year: n / 10000, first: n / 100 % 100, second: n % 100}
		return f.year >= 1800 && f.year < 2200
	}
	return false
}

// readYears reads a span of years, 1950-1955 or 2010/2011.
func readYears(p *pattern, f *periodForm) bool {
	f.frequency, f.first, f.year, f.isLabel = stat.Annual, 1, p.items[1].value, true
	gap := p.gap(1)
	return f.year > p.items[0].value && (gap == "/" && f.year == p.items[0].value+1 || gap == "-" || gap == "–")
}

// readPartDigits reads M201701 and Q201701.
func readPartDigits(p *pattern, f *periodForm) bool {
	n := p.items[1].value
	f.frequency, f.year, f.first = p.part, n/100, n%100
	return p.items[1].width == 6 && p.gap(1) == "" && isLikelyYear(f.year) && (p.part == stat.Month || p.part == stat.Quarter)
}

func readYearNumber(p *pattern, f *periodForm) bool {
	year, number, gap := p.items[0], p.items[1], p.gap(1)
	f.year, f.first, f.isDotted = year.value, number.value, gap == "."
	switch {
	case f.isDotted && !isLikelyYear(f.year):
		return false
	case p.isFiscal:
		return readYearEnd(f, number, gap)
	case number.width == 1 && number.value == 0 && gap == ".": // 2010.0, as programs write numbers
		return readYear(p, f)
	case number.width == 1:
		f.class = formPart
		return gap != ""
	case gap == "-" || gap == "–" || gap == "/":
		f.class = formYearEnd
		return gap != "–" || readYearEnd(f, number, gap)
	}
	f.frequency, f.isExact = stat.Month, true
	return gap == " " || gap == ":" || gap == "." || gap == "_"
}

// readYearEnd reads 2010-11 as a span of years.
func readYearEnd(f *periodForm, number item, gap string) bool {
	last := spanEnd(f.year, number.value)
	f.class, f.frequency, f.isLabel = formCertain, stat.Annual, true
	f.year, f.first = last, 1
	return last > 0 && number.width == 2 && gap != "" && gap != " "
}

// spanEnd returns the last year of a span that is written with two digits, 2011 for
// 2010-11; 0 if it does not follow the first.
func spanEnd(first, digits int) int {
	last := first - first%100 + digits
	if digits == 0 && first%100 == 99 {
		return first + 1
	}
	if last <= first {
		return 0
	}
	return last
}

// isLikelyYear reports whether a number with a point, 1.6093, may contain a year.
func isLikelyYear(year int) bool { return year >= 1800 && year < 2200 }

func readNumberYear(p *pattern, f *periodForm) bool {
	f.frequency, f.first, f.year, f.isExact = stat.Month, p.items[0].value, p.items[1].value, true
	gap := p.gap(1)
	if p.items[0].width == 1 {
		f.class, f.isExact = formPart, false
	}
	if f.isDotted = gap == "."; f.isDotted && !isLikelyYear(f.year) {
		return false
	}
	return gap == "/" || gap == "-" || gap == "." || gap == " " || gap == ":"
}

func readRoman(p *pattern, f *periodForm) bool {
	f.class, f.year, f.first = formPart, p.value(itemYear), p.value(itemRoman)
	return true
}

// readPart reads a year and a numbered part of it: 2013T4, Q1 2024, 1. Quartal 2024.
func readPart(p *pattern, f *periodForm) bool {
	f.year, f.frequency, f.first = p.value(itemYear), p.part, 1
	if p.kinds == "YP" {
		return p.part == stat.Annual // 2019A
	}
	number := item{}
	if strings.ContainsRune(p.kinds, rune(itemRoman)) {
		number = p.item(itemRoman)
	} else {
		number = p.item(itemNumber)
	}
	f.first = number.value
	switch {
	case p.part == stat.Annual: // A1, JJ00
		f.first = 1
		return number.value <= 1
	case p.part == 0 && number.kind == itemRoman:
		f.frequency = stat.Quarter
	case p.part == 0:
		f.class = formKW
	case p.kinds == "PYN" && p.part != stat.Week: // only KW 2024/05 is written like this
		return false
	case number.width == 2:
		f.frequency, f.first = PartOfYear(p.part, number.value)
		return f.frequency == p.part || p.kinds == "YPN" || p.kinds == "PNY"
	}
	return true
}

// PartOfYear returns the frequency and the number of a part of a year. The U.S. Bureau of
// Labor Statistics numbers the average of the year as the last part: M13, Q05 and S03.
func PartOfYear(f stat.Frequency, n int) (stat.Frequency, int) {
	if f == stat.Month && n == 13 || f == stat.Quarter && n == 5 || f == stat.HalfYear && n == 3 {
		return stat.Annual, 1
	}
	return f, n
}

// readShortPart reads 1Q24 and Q1/24.
func readShortPart(p *pattern, f *periodForm) bool {
	year := p.items[2]
	f.year, f.isShortYear, f.frequency, f.first = year.value, true, p.part, p.items[0].value
	if p.kinds[0] == byte(itemPart) {
		f.first = p.items[1].value
	}
	return year.width == 2 && (p.part == stat.Quarter || p.part == stat.HalfYear)
}
