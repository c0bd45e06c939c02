package faostat

import (
	"errors"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The code of rows whose month or year is their period, in the dimension of parts of a
// year such as "Meteorological year" and "Dec–Jan–Feb".
const (
	calendarCode  = "_Z"
	calendarLabel = "Calendar month or year"
	annualValue   = "annual value"
)

// addMonths maps the columns of years and months. Only a file with other parts of a year
// gets a dimension for them.
func addMonths(m *table.Mapping, in format.Input, h headings) error {
	m.Period = table.Period{Columns: []string{"Year", "Months"}, Read: readMonth}
	if h.isWide {
		m.Period = table.Period{Columns: []string{"Months"}, Read: readMonthOfColumn}
	}
	hasOthers, err := hasOtherParts(in)
	if err != nil || !hasOthers {
		return err
	}
	column := "Months"
	if h.has("Months Code") {
		column = "Months Code"
		m.Ignore = slices.DeleteFunc(m.Ignore, func(name string) bool { return name == column })
	}
	calendar := map[string]bool{} // parts of the year that are known
	isCalendar := false           // the one in the current row
	m.Row = func(r *table.Row) table.Action {
		part := r.Cell("Months")
		is, isKnown := calendar[part]
		if !isKnown {
			is = isMonth(part)
			calendar[strings.Clone(part)] = is
		}
		isCalendar = is
		return table.Use
	}
	m.Axes = append(m.Axes, table.Axis{Codes: column, Labels: "Months", ID: "Months", Label: "Months", Split: func(cell string) (code, label string) {
		if isCalendar {
			return calendarCode, calendarLabel
		}
		return cell, ""
	}, List: []stat.Code{{ID: calendarCode, Label: calendarLabel}}})
	return nil
}

// hasOtherParts reports whether the file has parts of a year that are not months.
func hasOtherParts(in format.Input) (bool, error) {
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return false, err
	}
	defer rows.Close()
	at, known := -1, map[string]bool{}
	for row, err := range table.All(rows) {
		switch {
		case err != nil:
			return false, err
		case at < 0:
			at = slices.IndexFunc(row, func(heading string) bool { return strings.EqualFold(heading, "Months") })
		case at >= len(row) || row[at] == "" || known[row[at]]:
		case !isMonth(row[at]):
			return true, nil
		default:
			known[strings.Clone(row[at])] = true
		}
	}
	return false, nil
}

// isMonth reports whether a part of a year is a month, or all of the calendar year.
func isMonth(name string) bool {
	if strings.EqualFold(name, annualValue) {
		return true
	}
	alone, _ := text.FindYearParts(0, []string{name}) // what it leaves open cannot be read
	part, err := alone.Read(2000, name)
	return err == nil && part.Frequency() == stat.Month
}

// readMonthOfColumn parses the name of a month and the heading of a year: "January Y1961".
func readMonthOfColumn(text string) (stat.Period, error) {
	if at := strings.LastIndex(text, " Y"); at > 0 {
		return readMonth(text[at+2:] + " " + text[:at])
	}
	return readMonth("2000 " + text) // of a row, which has several years
}

// readMonth parses a year and the name of a month, or the year for all other parts.
func readMonth(text string) (stat.Period, error) {
	year, part, _ := strings.Cut(text, " ")
	if part == "" {
		return stat.Period{}, errors.New("the column Months is empty")
	}
	if isMonth(part) && !strings.EqualFold(part, annualValue) {
		return table.ReadPeriod(text)
	}
	return stat.ParsePeriod(year)
}
