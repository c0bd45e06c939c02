package transform

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"almanac/internal/stat"
)

// Population is how many people live in areas, as a dataset says.
type Population struct {
	Reference string // source and code of the dataset: "eurostat:demo_pjan"
	Version   string
	IsLater   bool // published here after the version of the values that the caller chose
	// AsOf is a time at which the versions of the values and of this dataset were the current ones here, and
	// those of all other datasets that might have had the population; zero if IsLater.
	AsOf time.Time
	// IsAmount reports whether the values of a block of the dataset that is divided are amounts,
	// such as money or persons, and no rates, shares or indices.
	IsAmount func(b *stat.Block) bool
	// IsSelf reports whether the values of a block are themselves the population of their areas.
	IsSelf func(b *stat.Block) bool
	// UnitOf returns the unit of a block of that dataset in words, where the office has a code or none.
	UnitOf func(b *stat.Block) string

	// LastYear is the last year of the population of the selected areas, if the latest values of the office
	// are later, so that those of a query for the latest ones end with it; else zero.
	LastYear int

	// Others are further populations of the dataset's areas, those to be preferred first. Later is
	// the one of them that reaches furthest beyond LastYear, to LaterYear; nil if none does.
	Others    []*Population
	Later     *Population
	LaterYear int

	persons map[areaYear]operand
}

// Has reports whether there is a population of an area in a year.
func (p *Population) Has(area string, year int) bool { return p.operand(area, year).value > 0 }

// AreaYear is an area, as the position of its code, in a year.
type AreaYear struct {
	Area int32
	Year int
}

// areaYear is an area, as [stat.Code.Area] has it, in a year.
type areaYear struct {
	area string
	year int
}

// Add adds the population of an area in a year, in persons.
func (p *Population) Add(area string, year int, persons float64, flags stat.Flags) {
	if p.persons == nil {
		p.persons = map[areaYear]operand{}
	}
	p.persons[areaYear{area, year}] = operand{value: persons, flags: []stat.Flags{flags}}
}

// operand returns what a value of an area in a year is divided by, NaN if that is unknown
// or nobody lived there.
func (p *Population) operand(area string, year int) operand {
	o, ok := p.persons[areaYear{area, year}]
	if !ok || o.value <= 0 {
		return operand{value: math.NaN()}
	}
	return o
}

// spanOfYears matches the office's text of a period of several years: "1950-1955".
var spanOfYears = regexp.MustCompile(`\b([12][0-9]{3})\D{1,4}([12][0-9]{3})\b`)

// SpanOfYears returns the office's text of a period that consists of several years, whose amounts are not those of
// one. It is empty if the period is a year or shorter; 2019-2020 is the year from the one to the other.
func SpanOfYears(d *stat.Dataset, p stat.Period) string {
	text := d.PeriodLabels[p]
	years := spanOfYears.FindStringSubmatch(text)
	if years == nil {
		return ""
	}
	first, _ := strconv.Atoi(years[1]) // four digits
	last, _ := strconv.Atoi(years[2])
	if last-first < 2 {
		return ""
	}
	return text
}
