package table

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// caches hold what many rows say in the same words, each read once. They grow
// with the different periods, flags and units of a file, not with its rows.
type caches struct {
	periods map[string]dated
	years   map[stat.Period]string // how each year was first written: itself or a span
	labels  map[stat.Period]string // the spans
	undated []string
	flags   map[flagText]flagged
	texts   text.Interner
	marks   map[string]stat.Flags // of missing values
}

type dated struct {
	period  stat.Period
	undated bool
}

// flagText is a cell of flags and the column whose meaning it has.
type flagText struct {
	column int
	text   string
}

type flagged struct {
	flags stat.Flags
	known bool
}

func newCaches() caches {
	return caches{
		periods: map[string]dated{}, years: map[stat.Period]string{}, labels: map[stat.Period]string{},
		flags: map[flagText]flagged{}, texts: text.Interner{}, marks: map[string]stat.Flags{},
	}
}

// markOf is the mark of a missing value as a flag of the office: ".." and "n/a"
// may say why there is no number. An empty cell and a colon say no more than
// that there is none.
func (c *caches) markOf(source, text string) stat.Flags {
	if text == ":" {
		return ""
	}
	flags, ok := c.marks[text]
	if !ok {
		flags = OwnFlag(source, text)
		c.marks[strings.Clone(text)] = flags
	}
	return flags
}

// OwnFlag is a mark that only a source has, as a flag.
func OwnFlag(source, mark string) stat.Flags {
	return stat.NewFlags(strings.ToUpper(source) + ":" + strings.ReplaceAll(mark, " ", "-"))
}

// period reads a period as the mapping says. A year can have one meaning only
// in a dataset: itself, or one span of years.
func (c *caches) period(m *Mapping, text string) (p stat.Period, undated bool, err error) {
	if d, ok := c.periods[text]; ok {
		return d.period, d.undated, nil
	}
	text = strings.Clone(text)
	p, isSpan := ReadSpan(text)
	if !isSpan {
		read := m.Period.Read
		if read == nil {
			read = ReadPeriod
		}
		p, err = read(text)
		if errors.Is(err, ErrUndated) {
			c.undated = append(c.undated, text)
			c.periods[text] = dated{undated: true}
			return p, true, nil
		}
		if err != nil {
			return p, false, err
		}
		if p.IsZero() {
			return p, false, fmt.Errorf("%q is no period", text)
		}
	}
	if p.Frequency() == stat.Annual {
		as := p.String() // 2024-A1 and 2024 are the same year
		if isSpan {
			as = text
			c.labels[p] = text
		}
		if before, ok := c.years[p]; ok && before != as {
			return p, false, &periodClash{p, as, before}
		}
		c.years[p] = as
	}
	c.periods[text] = dated{period: p}
	return p, false, nil
}

// periodClash says that two texts would be stored as the same year.
type periodClash struct {
	year        stat.Period
	now, before string
}

func (e *periodClash) Error() string {
	return fmt.Sprintf("%s would be stored as the year %s, and so is %s before; a dataset can have one of them", e.now, e.year, e.before)
}

// ReadSpan reads a span of years, 1950-1955, as the year it ends in.
func ReadSpan(text string) (stat.Period, bool) {
	first, last, found := strings.Cut(text, "-")
	if !found || len(first) != 4 || len(last) != 4 {
		return stat.Period{}, false
	}
	from, err1 := strconv.ParseUint(first, 10, 16)
	to, err2 := strconv.ParseUint(last, 10, 16)
	if err1 != nil || err2 != nil || from >= to {
		return stat.Period{}, false
	}
	p := stat.NewPeriod(stat.Annual, int(to), 1)
	return p, !p.IsZero()
}

// ReadPeriod reads a period in the spellings of [stat.ParsePeriod] and in those that
// tables have beside: "2024 Q1", "Q1-2024", "2024 M01", "2024 01", "Jan 2024",
// "2024 January", "2024 [YR2024]", and days at midnight ("2024-01-31T00:00:00").
func ReadPeriod(text string) (stat.Period, error) {
	p, err := stat.ParsePeriod(text)
	if err == nil {
		return p, nil
	}
	if p, ok := twoWords(text); ok {
		return p, nil
	}
	if year, again, ok := strings.Cut(text, " [YR"); ok && again == year+"]" {
		return ReadPeriod(year) // the World Bank's DataBank
	}
	if len(text) > 10 && (text[10] == 'T' || text[10] == ' ') {
		if p, err := stat.ParsePeriod(text[:10]); err == nil && p.Frequency() == stat.Day && isClock(text[11:]) {
			return p, nil
		}
	}
	return p, err
}

// isClock reports whether a text is a time of day: it must be midnight, for
// the hour of an observation would be lost.
func isClock(text string) bool {
	for _, layout := range []string{"15:04", "15:04:05", "15:04:05.999", "15:04:05Z07:00", "15:04:05.999Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0
		}
	}
	return false
}

// twoWords reads a period that is a year and a part of it, in either order.
func twoWords(text string) (stat.Period, bool) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' || r == '/' || r == ',' })
	if len(words) != 2 {
		return stat.Period{}, false
	}
	year, part := words[0], words[1]
	if len(part) == 4 && (len(year) != 4 || !isDigits(year)) {
		year, part = part, year
	}
	if len(year) != 4 || !isDigits(year) {
		return stat.Period{}, false
	}
	y, _ := strconv.Atoi(year)
	if isDigits(part) && !strings.Contains(text, " ") {
		return stat.Period{}, false // 2010/11 is a year of business, not November
	}
	if f, n, ok := ReadPart(part); ok {
		p := stat.NewPeriod(f, y, n)
		return p, !p.IsZero()
	}
	return stat.Period{}, false
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// ReadPart reads a part of a year that says its own frequency: "Q1", "1Q", "S1",
// "H1", "M01", "W05", "Jan", "January"; and "01" as a month.
func ReadPart(text string) (f stat.Frequency, n int, ok bool) {
	folded := strings.TrimSuffix(strings.ToLower(text), ".")
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if folded == name || folded == name[:3] || folded == "sept" && m == time.September {
			return stat.Month, int(m), true
		}
	}
	if isDigits(folded) && len(folded) == 2 {
		n, _ = strconv.Atoi(folded)
		return stat.Month, n, true
	}
	letters := map[byte]stat.Frequency{'q': stat.Quarter, 's': stat.HalfYear, 'h': stat.HalfYear, 'm': stat.Month, 'w': stat.Week}
	if len(folded) < 2 || len(folded) > 3 {
		return 0, 0, false
	}
	if letter, ok := letters[folded[0]]; ok && isDigits(folded[1:]) {
		n, _ = strconv.Atoi(folded[1:])
		return letter, n, true
	}
	if letter, ok := letters[folded[len(folded)-1]]; ok && isDigits(folded[:len(folded)-1]) {
		n, _ = strconv.Atoi(folded[:len(folded)-1])
		return letter, n, true
	}
	return 0, 0, false
}
