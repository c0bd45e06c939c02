package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// settleHeadings settles how periods are read: as the mapping says, or else as the
// headings of a wide table decide together. Those of a column are settled by its cells.
func (r *reader) settleHeadings() error {
	m := r.plan.Mapping
	if m.Period.Read != nil {
		r.periods = NewPeriods(r.Table, m.Period.Read)
		return nil
	}
	r.periods = newPeriods(r.Table, r.readPeriod)
	if !m.Period.Wide && m.Other == nil {
		return nil
	}
	finder, hasFrequencies := text.PeriodFinder{Choices: m.Period.Choices, Frequency: m.Period.Frequency}, false
	for at, heading := range r.plan.headings {
		if r.plan.isUsed[at] || r.plan.ignores(at) || heading == "" {
			continue
		}
		finder.At = r.rows.At(at)
		if m.Period.Wide && text.IsPeriod(heading) {
			finder.Add(heading)
		} else if m.Other != nil {
			if v, ok := m.Other(heading); ok && v.Period != "" {
				finder.Add(v.Period)
				hasFrequencies = hasFrequencies || v.Frequency != 0
			}
		}
	}
	if finder.Len() == 0 {
		return nil
	}
	err := r.findDates(&finder)
	if hasFrequencies && finder.Frequency == 0 {
		r.dates = r.dates.Days() // those of the columns decide
	}
	return err
}

// readPeriod reads a period in the style of the file. It is called once for each text.
func (r *reader) readPeriod(s string) (stat.Period, bool, error) {
	if r.isEarly && !text.IsCertain(s) {
		if err := r.settleAgain(); err != nil {
			return stat.Period{}, false, err
		}
	}
	return r.dates.Read(s)
}

// findDates finds the style of the periods.
func (r *reader) findDates(finder *text.PeriodFinder) (err error) {
	r.dates, err = finder.Find()
	return text.RefusePeriods(err, r.in.Mapping)
}

func (r *reader) settlePeriod() (err error) {
	if r.plan.Period.IsOfStated {
		return nil
	}
	stated := r.in.Period
	if stated == "" {
		stated = r.plan.Stated
	}
	if r.plan.Stated != "" && stated != r.plan.Stated {
		return stat.BadFile(r.plan.at, "the file states that its period is %s, not %s", r.plan.Stated, stated)
	}
	isDated := func(c cell) bool { return !c.period.IsZero() }
	hasPeriods := len(r.plan.periods) > 0 || r.plan.Period.Wide || slices.ContainsFunc(r.plan.cells, isDated)
	r.stated, err = r.FilePeriod(hasPeriods, stated, stat.BadFile(r.plan.at,
		"the table has no column of periods; state the period of the whole file; the headings are %s", quoted(r.plan.headings)))
	return err
}

// settleStyles finds the styles of the numbers and of the periods, which the whole file
// decides, in a separate pass, unless the mapping states them. The pass ends early if no
// later cell can change what the rows before have decided, except one that makes
// settleAgain necessary.
func (r *reader) settleStyles() error { return r.surveyStyles(false) }

// settleAgain finds the styles again, from the whole file, for a cell that does not have
// those of the first rows. What was read before has the same meaning in both.
func (r *reader) settleAgain() error {
	r.isEarly = false
	return r.surveyStyles(true)
}

func (r *reader) surveyStyles(isWhole bool) error {
	needsNumbers := r.plan.Numbers == (text.Style{}) || r.in.Decimal != ""
	needsDates := r.plan.Period.Read == nil && len(r.plan.periods) > 0
	if !needsNumbers {
		r.style = r.plan.Numbers
	}
	if !needsNumbers && !needsDates && r.stated.IsZero() {
		return nil
	}
	numbers := text.StyleFinder{Usual: cmp.Or(r.plan.Decimal, office.Decimal(r.Dataset.Source.ID), decimalOf(r.plan.headings)), IsEnglish: r.isEnglish()}
	dates := text.PeriodFinder{Choices: r.plan.Period.Choices, Frequency: r.plan.Period.Frequency}
	if needsDates && len(r.plan.periods) == 1 {
		dates.Heading = r.plan.headings[r.plan.periods[0]]
	}
	others := newOtherTimes(r)
	n := 0
	err := r.eachRow(func(row []string, rows Rows) bool {
		if needsNumbers {
			for _, c := range r.plan.cells {
				if c.column >= len(row) || row[c.column] == NoCell {
					continue
				}
				numbers.At, numbers.Column = rows.At(c.column), c.column
				if IsStored(rows, c.column) {
					numbers.SeeStored(row[c.column])
				} else {
					numbers.See([]byte(row[c.column]))
				}
			}
		}
		if needsDates && r.plan.isComplete(row) {
			dates.At = rows.At(r.plan.periods[0])
			dates.Add(periodText(row, r.plan.periods))
		}
		others.see(row, rows)
		n++
		r.isEarly = !isWhole && n == rowsForStyles && r.stated.IsZero() &&
			(!needsNumbers || numbers.IsPoint()) && (!needsDates || dates.IsCertain())
		return !r.isEarly
	})
	if err != nil {
		return err
	}
	if err := others.check(); err != nil {
		return err
	}
	if needsDates {
		if err := r.settleDates(&dates); err != nil {
			return err
		}
	}
	if !needsNumbers {
		return nil
	}
	r.style, err = numbers.Style(r.in.Decimal)
	if err == nil && r.style != DecimalPoint {
		r.Report.Add(stat.NoteNumberStyle, 1, StyleText(r.style))
	}
	return err
}

// decimalOf returns the decimal sign of the languages of the headings: a point where they are
// in Japanese, Chinese, Korean or Thai, else nothing.
func decimalOf(headings []string) string {
	isOfPoint := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	}
	if slices.ContainsFunc(headings, func(h string) bool { return strings.ContainsFunc(h, isOfPoint) }) {
		return "."
	}
	return ""
}

// isEnglish reports whether commas stand between the cells of a text and its headings are in English.
func (r *reader) isEnglish() bool {
	rows, isText := r.rows.(*TextRows)
	return isText && rows.csv.Comma == ',' && slices.ContainsFunc(r.plan.headings, func(h string) bool {
		return slices.ContainsFunc(strings.Fields(assemble.Fold(h)), func(w string) bool {
			return slices.Contains([]string{"year", "month", "quarter", "country", "state", "name", "value", "units"}, w)
		})
	})
}

// rowsForStyles is the number of rows that can decide the styles of a file.
const rowsForStyles = 1000

// eachRow calls see for each row below the headings, in a pass of its own, until see
// returns false.
func (r *reader) eachRow(see func(row []string, rows Rows) bool) error {
	rows, err := r.again()
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0 // rows before
	for row, err := range All(rows) {
		if err != nil {
			return err
		}
		if n > len(r.plan.above) {
			if r.plan.Clean != nil {
				row = r.plan.Clean(row)
			}
			if !see(row, rows) {
				return nil
			}
		}
		n++
	}
	return nil
}

// periodText returns the period of a row, which may have several columns.
func periodText(row []string, columns []int) string {
	s := row[columns[0]]
	for _, c := range columns[1:] {
		s += " " + row[c]
	}
	return s
}

// otherTimes looks for times in a table for whose cells the caller states one period.
type otherTimes struct {
	reader  *reader
	columns []otherColumn
}

type otherColumn struct {
	periods, filled int
	first           string
	at              stat.Position
}

func newOtherTimes(r *reader) *otherTimes {
	o := &otherTimes{reader: r}
	if !r.stated.IsZero() {
		o.columns = make([]otherColumn, len(r.plan.headings))
	}
	return o
}

func (o *otherTimes) see(row []string, rows Rows) {
	for i := range o.columns {
		if i >= len(row) || row[i] == "" {
			continue
		}
		c := &o.columns[i]
		c.filled++
		if c.periods < c.filled-1 || !isTime(row[i]) {
			continue
		}
		c.periods++
		if p, err := text.ReadPeriod(row[i]); c.first == "" && (err != nil || p != o.reader.stated) {
			c.first, c.at = strings.Clone(row[i]), rows.At(i)
		}
	}
}

// isTime reports whether a cell is a period and no other number.
func isTime(cell string) bool {
	if text.IsDigits(cell) {
		return len(cell) == 4 && cell >= "1800" && cell <= "2100"
	}
	return text.IsPeriod(cell)
}

// check refuses a table with a column of other periods, or with headings that are. A
// dimension that the caller states is one, unless its codes are days.
func (o *otherTimes) check() error {
	r := o.reader
	for i, c := range o.columns {
		isValue := slices.ContainsFunc(r.plan.cells, func(v cell) bool { return v.column == i })
		isStated := r.in.Mapping != "" && slices.ContainsFunc(r.plan.axes, func(a axisColumns) bool { return a.codes == i || a.labels == i })
		heading := r.plan.headings[i]
		day, err := text.ReadPeriod(c.first)
		switch {
		case isStated && (err != nil || day.Frequency() != stat.Day) || slices.Contains(r.plan.notes, i):
		case !isValue && c.filled > 0 && c.periods == c.filled && c.first != "":
			return stat.BadFile(c.at, "the column %q has periods, such as %s, but %s is stated for the whole file; import it without a stated period", r.plan.headings.name(i), c.first, r.stated)
		case isTime(heading):
			if p, err := text.ReadPeriod(heading); err != nil || p != r.stated {
				return stat.BadFile(r.plan.at, "the heading %q is a period, but %s is stated for the whole file; import it without a stated period", heading, r.stated)
			}
		}
	}
	return nil
}
