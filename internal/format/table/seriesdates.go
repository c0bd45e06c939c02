package table

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// settleDates finds what the dates of a column of periods stand for. Where those of one
// series stand for quarters and those of another for years, each series has its own
// frequency, and those of a series that does not prove one are days.
func (r *reader) settleDates(finder *text.PeriodFinder) error {
	err := r.findDates(finder)
	r.periods.noted = finder.SpansBesideYears(&r.dates)
	if err != nil || r.dates.Coarse() == 0 || finder.Frequency != 0 {
		return err
	}
	hasFrequency := slices.ContainsFunc(r.plan.dimensions, func(d stat.Dimension) bool { return d.Role == stat.RoleFrequency })
	if hasFrequency || r.plan.ofPeriod >= 0 || r.plan.statesFrequencies() {
		r.dates = r.dates.Days() // what the rows state decides
		return nil
	}
	all := &seriesDates{of: map[uint64]int32{}, next: map[dateRun]int32{}, numbers: map[string]int32{}, runs: make([]dateRun, 1)}
	err = r.eachRow(func(row []string, _ Rows) bool {
		if len(row) < len(r.plan.headings) {
			return true
		}
		date := periodText(row, r.plan.periods)
		for _, c := range r.plan.cells {
			if mark, isMark := r.plan.Marks[row[c.column]]; text.IsMissing(row[c.column]) || row[c.column] == NoCell || isMark && !mark.Zero {
				continue
			}
			all.add(r.seriesOf(row, c.column), date)
		}
		return len(all.runs) < maxDateRuns
	})
	if len(all.runs) >= maxDateRuns {
		r.dates = r.dates.Days() // it is not known what the dates of each series stand for
		return err
	}
	frequencies := all.frequencies(finder)
	if r.dates.IsOfMonths() {
		for _, run := range all.of {
			if frequencies[run] == 0 {
				r.dates = r.dates.Days() // the months of a series are not those of all quarters
				return err
			}
		}
	}
	if r.dates.IsOfMonths() {
		r.Report.Add(NoteQuarterEnds, 1, finder.First()+" stands for the quarter")
	}
	if slices.ContainsFunc(frequencies, func(f stat.Frequency) bool { return f != 0 && f != r.dates.Coarse() }) {
		r.dates, r.ofSeries = r.dates.Days(), map[uint64]stat.Frequency{}
		for series, run := range all.of {
			r.ofSeries[series] = frequencies[run]
		}
	}
	return err
}

// seriesDates are the dates of each series. Series with the same dates in the same order
// share one run of dates.
type seriesDates struct {
	of      map[uint64]int32  // the runs of the series
	runs    []dateRun         // each has one date more than another, or is the empty run 0
	next    map[dateRun]int32 // the numbers of the runs
	dates   []string
	numbers map[string]int32 // of the dates
}

// dateRun is a run of dates: another run, then a date.
type dateRun struct{ before, date int32 }

// maxDateRuns bounds the memory for the dates of series.
const maxDateRuns = 1 << 20

func (s *seriesDates) add(series uint64, date string) {
	n, ok := s.numbers[date]
	if !ok {
		n = int32(len(s.dates))
		date = strings.Clone(date)
		s.dates, s.numbers[date] = append(s.dates, date), n
	}
	run := dateRun{s.of[series], n}
	at, ok := s.next[run]
	if !ok {
		at = int32(len(s.runs))
		s.runs, s.next[run] = append(s.runs, run), at
	}
	s.of[series] = at
}

// frequencies returns for each run that is the dates of a series the frequency that these
// prove; 0 for others.
func (s *seriesDates) frequencies(column *text.PeriodFinder) []stat.Frequency {
	proven := make([]stat.Frequency, len(s.runs))
	isKnown := make([]bool, len(s.runs))
	for _, run := range s.of {
		if isKnown[run] {
			continue
		}
		isKnown[run] = true
		finder := &text.PeriodFinder{Choices: column.Choices}
		if column.Heading == "Period" {
			finder.Heading = column.Heading
		}
		for at := run; at != 0; at = s.runs[at].before {
			finder.Add(s.dates[s.runs[at].date])
		}
		if style, err := finder.Find(); err == nil && finder.Len() > 2 {
			proven[run] = style.Coarse()
		}
	}
	return proven
}

var seriesSeed = maphash.MakeSeed()

// seriesOf returns a hash that tells the series of a cell from the others.
func (r *reader) seriesOf(row []string, column int) uint64 {
	id := strconv.Itoa(column)
	for i := range r.plan.axes {
		id += "\x00" + row[max(r.plan.axes[i].codes, 0)]
	}
	return maphash.String(seriesSeed, id)
}
