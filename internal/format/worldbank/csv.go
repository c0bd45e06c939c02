package worldbank

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// layout names the columns of indicators, which exports of DataBank call series.
type layout struct{ code, name string }

var layouts = []layout{
	{"Indicator Code", "Indicator Name"},
	{"Series Code", "Series Name"},
}

const (
	countryCode = "Country Code"
	countryName = "Country Name"
)

// layoutOf returns the layout of the first row with all its headings and a period.
func layoutOf(rows [][]string) (layout, bool) {
	l, _, ok := findLayout(rows)
	return l, ok
}

// findLayout also returns the headings.
func findLayout(rows [][]string) (l layout, headings []string, ok bool) {
	for _, row := range rows {
		isDated := slices.ContainsFunc(row, func(h string) bool { _, err := table.ReadPeriod(h); return err == nil })
		if !isDated || columnOf(row, "Attribute") >= 0 { // the IMF's bulk files have values and their statuses in rows
			continue
		}
		for _, l := range layouts {
			if table.HasHeadings([][]string{row}, countryCode, countryName, l.code, l.name) {
				return l, row, true
			}
		}
	}
	return layout{}, nil, false
}

// otherAxes returns the dimensions in columns among the known ones, such as the level of a
// region.
func otherAxes(l layout, headings []string) (axes []table.Axis) {
	known := []string{l.code, l.name, countryCode, countryName}
	last := 0
	for i, h := range headings {
		if slices.Contains(known, h) {
			last = i
		}
	}
	for _, h := range headings[:last] {
		if h != "" && !slices.Contains(known, h) {
			axes = append(axes, table.Axis{Codes: h, Role: stat.RoleOther, Split: func(cell string) (string, string) { return cmp.Or(cell, "_Z"), "" }})
		}
	}
	return axes
}

// columnOf returns the column with a heading, or -1.
func columnOf(row []string, name string) int {
	return slices.IndexFunc(row, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
}

func mapping(in format.Input, rows [][]string) (table.Mapping, error) {
	l, headings, ok := findLayout(rows)
	if !ok {
		return table.Mapping{}, stat.BadFile(stat.Position{Line: 1}, "no line has the headings %s, %s, %s, %s and years", countryName, countryCode, layouts[0].name, layouts[0].code)
	}
	first, hasSeveral, err := findIndicators(in)
	if err != nil {
		return table.Mapping{}, err
	}
	country, indicator := countries(), assemble.Indicators(nil)
	m := table.Mapping{
		Dataset: stat.Dataset{Code: first.ID, Name: first.Label},
		Numbers: table.DecimalPoint,
		Axes:    []table.Axis{{Codes: countryCode, Labels: countryName, ID: country.ID, Label: country.Label, Role: country.Role}},
		Period:  table.Period{Wide: true},
		Ignore:  []string{l.code, l.name},
		Row:     readFooter,
	}
	if hasSeveral {
		m.Dataset.Code, m.Dataset.Name, m.Ignore = databaseCode(in.Name), "", nil
		m.Axes = slices.Insert(m.Axes, 0, table.Axis{Codes: l.code, Labels: l.name, ID: indicator.ID, Label: indicator.Label})
	}
	m.Axes = append(m.Axes, otherAxes(l, headings)...)
	m.Preamble = func(lines [][]string, t *stat.Table) error {
		for _, line := range lines {
			if len(line) < 2 {
				continue
			}
			switch strings.TrimSuffix(strings.ToLower(line[0]), ":") {
			case "last updated date", "last updated":
				t.Dataset.Updated = updatedAt(line[1])
			case "data source":
				if hasSeveral {
					t.Dataset.Name = strings.Clone(line[1])
				}
			}
		}
		if code := t.Dataset.Code; hasSeveral && code != "" && cmp.Or(in.Code, code) == code {
			t.Report.Add(stat.NoteCodeFromFilename, 1, code)
		}
		return nil
	}
	return m, nil
}

// findIndicators returns the first indicator of a table, and whether there are others.
func findIndicators(in format.Input) (first stat.Code, hasSeveral bool, err error) {
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return first, false, err
	}
	defer rows.Close()
	code, name := -1, -1
	for row, err := range table.All(rows) {
		if err != nil {
			return first, false, err
		}
		switch {
		case code < 0:
			if l, ok := layoutOf([][]string{row}); ok {
				code, name = columnOf(row, l.code), columnOf(row, l.name)
			}
		case max(code, name) >= len(row) || isFooter(row): // or a blank line
		case first.ID == "":
			first = stat.Code{ID: strings.Clone(row[code]), Label: strings.Clone(row[name])}
		case row[code] != first.ID:
			return first, true, nil
		}
	}
	return first, false, nil
}

// The names of the Bank's files: WDIData.csv, WDICSV.csv, EdStatsData.csv, and
// API_FRA_DS2_en_csv_v2_1234567.csv, whose number changes with every download.
var (
	databaseName = regexp.MustCompile(`^(.+?)_?(?:Data|CSV)$`)
	downloadName = regexp.MustCompile(`^(API_.+?)_DS[0-9]+_`)
)

// databaseCode returns the code of a dataset of several indicators, by the file's name.
func databaseCode(name string) string {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		name = name[:at]
	}
	for _, known := range []*regexp.Regexp{downloadName, databaseName} {
		if m := known.FindStringSubmatch(name); m != nil {
			return m[1]
		}
	}
	return name
}

// Beginnings of the lines that DataBank puts below a table.
const (
	fromDatabase = "Data from database:"
	lastUpdated  = "Last Updated:"
)

func isFooter(row []string) bool {
	return len(row) > 0 && (strings.HasPrefix(row[0], fromDatabase) || strings.HasPrefix(row[0], lastUpdated))
}

// readFooter skips the lines below a table, and reads the dataset's name and time of
// update from them.
func readFooter(r *table.Row) table.Action {
	if !isFooter(r.Cells) {
		return table.Use
	}
	if text, ok := strings.CutPrefix(r.Cells[0], fromDatabase); ok && r.Table.Dataset.Name == "" {
		r.Table.Dataset.Name = strings.Clone(strings.TrimSpace(text))
	}
	if text, ok := strings.CutPrefix(r.Cells[0], lastUpdated); ok {
		r.Table.Dataset.Updated = updatedAt(text)
	}
	return table.Skip
}
