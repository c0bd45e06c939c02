package text

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// PeriodFinder finds the [PeriodStyle] of a column, or of the headings of a wide table,
// as [StyleFinder] does for numbers: call Add with every text, then Find. What one text
// leaves open the others decide: whether 03/04/2020 has the day first, whether 2010-11 is
// a month, and whether dates stand for months, quarters or years. What they do not decide
// is an error. Texts that are no periods are ignored.
type PeriodFinder struct {
	// Heading is that of the column; "Quarter" decides that 2010:1 is one.
	Heading string
	// Frequency is what the file states for the whole column; 0: nothing.
	Frequency stat.Frequency
	// Choices are what the caller states, of those that a [PeriodDoubt] names.
	Choices []string
	// At is the position of the next text, for errors.
	At stat.Position

	seen     map[string]bool
	found    []foundPeriod
	possible [formClasses]reading
	overflow bool
	others   int  // texts that are no periods
	isOpen   bool // the other texts of the column may change what one means
	isCBS    bool // a text is one of Statistics Netherlands: 2019JJ00
	last     string
}

type foundPeriod struct {
	periodForm
	text string
	at   stat.Position
}

// maxFoundPeriods bounds the memory for a column: the days of 180 years.
const maxFoundPeriods = 1 << 16

// Add records how a period is written.
func (f *PeriodFinder) Add(text string) {
	if text == f.last && f.seen != nil {
		return
	}
	if f.seen[text] {
		return
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
		for i := range f.possible {
			f.possible[i] = ^reading(0)
		}
	}
	text = strings.Clone(text)
	f.last = text
	form, ok := parseForm(text)
	if !ok {
		f.others++
		return
	}
	f.isOpen = f.isOpen || !form.isCertain()
	f.possible[form.class] &= form.readings()
	f.isCBS = f.isCBS || len(text) == 8 && strings.Contains("JJ MM HJ", text[4:6])
	if f.overflow = len(f.found) >= maxFoundPeriods; !f.overflow {
		f.seen[text] = true
		f.found = append(f.found, foundPeriod{form, text, f.At})
	}
}

// IsCertain reports whether [IsCertain] holds for all texts, of which one or more are
// periods.
func (f *PeriodFinder) IsCertain() bool { return len(f.found) > 0 && !f.isOpen && !f.mayBeQuarters() }

// IsCertain reports whether the other texts of a column cannot change what a text means. A
// day is not certain: it may stand for a month or a longer period.
func IsCertain(text string) bool {
	form, ok := parseForm(text)
	return !ok || form.isCertain()
}

func (f *periodForm) isCertain() bool {
	return f.class == formCertain && f.frequency != stat.Day && !f.isShortYear && f.name == (monthName{})
}

// Len returns the number of different periods that were added.
func (f *PeriodFinder) Len() int { return len(f.found) }

// Find returns the style. The error is a [PeriodDoubt] if the texts leave something open.
func (f *PeriodFinder) Find() (PeriodStyle, error) {
	s := PeriodStyle{languages: ^uint64(0), isDaily: f.isDaily()}
	for i := range f.found {
		if names := f.found[i].name; names.months[0] != 0 {
			s.languages &= names.languages[0] | names.languages[1]
		}
	}
	for class := formDate; class < formClasses; class++ {
		if err := f.choose(&s, class); err != nil {
			return s, err
		}
	}
	if err := f.findCentury(&s); err != nil {
		return s, err
	}
	f.findCoarse(&s)
	return s, nil
}

// isDaily reports whether no two texts differ only in their time of day.
func (f *PeriodFinder) isDaily() bool {
	days := map[periodForm]bool{}
	for i := range f.found {
		day := f.found[i].periodForm
		if day.clock = ""; days[day] {
			return false
		}
		days[day] = true
	}
	return !f.overflow
}

// of returns the texts of a class.
func (f *PeriodFinder) of(class formClass) (found []*foundPeriod) {
	for i := range f.found {
		if f.found[i].class == class {
			found = append(found, &f.found[i])
		}
	}
	return found
}

func (f *PeriodFinder) choose(s *PeriodStyle, class formClass) error {
	texts := f.of(class)
	if len(texts) == 0 {
		return nil
	}
	possible := f.possible[class]
	if class == formShort {
		if f.areBareYears() {
			s.chosen[class] = readFewDigits
		}
		return nil
	}
	if stated := f.statedReading(class) & possible; stated != 0 {
		possible = stated
	}
	if class == formPart && f.areDecimals() && f.areOctobers() {
		s.chosen[class] = readOctober
		return nil
	}
	if bits.OnesCount8(uint8(possible)) > 1 {
		if decided := f.decide(class, texts, possible) & possible; decided != 0 {
			possible = decided
		}
	}
	if bits.OnesCount8(uint8(possible)) == 1 && !(class == formPart && f.areDecimals()) {
		s.chosen[class] = possible
		if class == formMonths && possible == readMonthly && (len(texts) < 3 || !f.isOrdered(s)) { // the year of Dec-Feb may be that of the first month
			return &PeriodDoubt{Text: texts[0].text, At: texts[0].at, Readings: readingNames(class, possible), Why: "no three of them are in order"}
		}
		return nil
	}
	return f.doubt(class, texts, possible)
}

// doubt returns the error for a class whose reading is not decided, or for which no
// reading fits all texts.
func (f *PeriodFinder) doubt(class formClass, texts []*foundPeriod, possible reading) error {
	at := 0
	d := &PeriodDoubt{}
	if possible == 0 { // two texts contradict each other
		first := texts[0].readings()
		for at = 1; at < len(texts)-1 && texts[at].readings()&first != 0; at++ {
			first &= texts[at].readings()
		}
		return stat.BadFile(texts[at].at, "%q (line %d) and %q (line %d) cannot be periods of one kind: one is %s, the other is not", Clip(texts[0].text), texts[0].at.Line,
			Clip(texts[at].text), texts[at].at.Line, strings.Join(readingNames(class, texts[0].readings()), " or "))
	}
	d.Text, d.At, d.Readings = texts[at].text, texts[at].at, readingNames(class, possible)
	if class == formPart && f.areDecimals() {
		d.Readings, d.Why = []string{"a month of one digit", "one whose last zero is lost"}, "others have two digits"
		return d
	}
	d.Why = fmt.Sprintf("none of the %d periods of this kind decides which", len(texts))
	if len(texts) == 1 {
		d.Why = "no other period of this kind decides which"
	}
	for _, c := range periodChoices {
		if c.class == class && c.is&possible != 0 {
			d.Choices = append(d.Choices, c.name)
		}
	}
	return d
}

// periodChoices are what a caller may state about the periods of a table.
var periodChoices = []struct {
	name  string
	class formClass
	is    reading
}{
	{"day-first", formDate, readDayFirst}, {"month-first", formDate, readMonthFirst},
	{"months", formYearEnd, readMonthNumber}, {"years", formYearEnd, readSpan},
	{"quarters", formPart, readQuarters}, {"months", formPart, readMonthly}, {"half-years", formPart, readHalfYears},
	{"quarters", formKW, readQuarters}, {"weeks", formKW, readWeeks},
	{"months", formMonthEnd, readShortEnd},
}

// keepDays is the choice that dates are days, whatever they look like.
const keepDays = "days"

// IsPeriodChoice reports whether a text is one that [PeriodFinder.Choices] may have.
func IsPeriodChoice(name string) bool {
	for _, c := range periodChoices {
		if c.name == name {
			return true
		}
	}
	return name == keepDays
}

func (f *PeriodFinder) statedReading(class formClass) (stated reading) {
	for _, c := range periodChoices {
		if c.class == class && slices.Contains(f.Choices, c.name) {
			stated |= c.is
		}
	}
	return stated
}

// areBareYears reports whether all texts are bare numbers, and some are years of four
// digits: then the others are years before 1000.
func (f *PeriodFinder) areBareYears() bool {
	hasYear := false
	for i := range f.found {
		p := &f.found[i]
		isYear := p.class == formCertain && p.frequency == stat.Annual && !p.isLabel && len(p.text) == 4
		if p.class != formShort && !isYear {
			return false
		}
		hasYear = hasYear || isYear
	}
	return hasYear && f.others == 0
}

// areDecimals reports whether 1871.1 may be October, written as a number: with two digits
// behind the point, the last is lost if it is 0. It is not if 1871.10 or 1871.9 occur.
func (f *PeriodFinder) areDecimals() bool {
	isOne, hasOther, hasZero, isLong, hasTen := false, false, false, false, false
	for i := range f.found {
		switch p := &f.found[i]; {
		case !p.isDotted || len(p.text) < 6 || p.text[4] != '.':
		case p.class == formPart:
			isOne, hasOther = isOne || p.first == 1, hasOther || p.first != 1
		case p.isExact:
			isLong, hasZero, hasTen = true, hasZero || p.first < 10, hasTen || p.first == 10
		}
	}
	return hasZero && (isOne || hasOther) || isLong && isOne && !hasOther && !hasTen
}

// areOctobers reports whether all texts such as 1871.1 are October, whose zero is lost: 1871.10 is
// missing, and 1871.1 stands between 1871.09 and 1871.11 or is not January, which is 1871.01.
func (f *PeriodFinder) areOctobers() bool {
	for i := range f.found {
		p := &f.found[i]
		if p.class != formPart {
			continue
		}
		isBetween := i > 0 && f.found[i-1].text == p.text[:4]+".09" || i+1 < len(f.found) && f.found[i+1].text == p.text[:4]+".11"
		if p.first != 1 || !p.isDotted || f.seen[p.text+"0"] || !isBetween && !f.seen[p.text[:4]+".01"] {
			return false
		}
	}
	return true
}

// findCentury decides the century of years of two digits.
func (f *PeriodFinder) findCentury(s *PeriodStyle) error {
	var late, middle, early *foundPeriod // 70 to 99, 50 to 69, 00 to 49
	for i := range f.found {
		switch p := &f.found[i]; {
		case !p.isShortYear:
		case p.year >= certain1900s:
			late = p
		case p.year >= openingYears:
			middle = p
		default:
			early = p
		}
	}
	if late != nil {
		s.century = century1950
	}
	var open *foundPeriod
	switch {
	case middle != nil && late == nil:
		open = middle
	case late != nil && early != nil && !f.isOrdered(s):
		open = late
	default:
		return nil
	}
	return &PeriodDoubt{Text: open.text, At: open.at, Readings: []string{fmt.Sprintf("of the year 19%02d", open.year), fmt.Sprintf("20%02d", open.year)}}
}

// isOrdered reports whether the periods stand in order of time, one way or the other.
func (f *PeriodFinder) isOrdered(s *PeriodStyle) bool {
	var periods []stat.Period
	for i := range f.found {
		p, _, err := s.read(f.found[i].text, f.found[i].periodForm)
		if err != nil {
			return false
		}
		periods = append(periods, p)
	}
	up, down := orderOf(periods)
	return up || down
}

// orderOf reports whether each period is after the one before it, or each is before it.
func orderOf(periods []stat.Period) (up, down bool) {
	up, down = true, true
	for i := 1; i < len(periods); i++ {
		order := periods[i].Compare(periods[i-1])
		up, down = up && order > 0, down && order < 0
	}
	return up, down
}
