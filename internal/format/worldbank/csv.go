package worldbank

import (
	"context"
	"errors"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// layout is one way in which the Bank names the columns of a table: downloads
// speak of indicators, DataBank's exports of series.
type layout struct{ code, name string }

var layouts = []layout{
	{"Indicator Code", "Indicator Name"},
	{"Series Code", "Series Name"},
}

const (
	countryCode = "Country Code"
	countryName = "Country Name"
)

// headRows is in how many rows from the top the headings are sought.
const headRows = 12

func isTable(_ string, head []byte) bool {
	return slices.ContainsFunc(table.FirstRows(head, ',', headRows), func(row []string) bool {
		_, ok := layoutOf(row)
		return ok
	})
}

// layoutOf tells from the headings which layout a table has.
func layoutOf(row []string) (layout, bool) {
	if !slices.ContainsFunc(row, func(h string) bool { _, err := readYear(h); return err == nil }) {
		return layout{}, false
	}
	for _, l := range layouts {
		if table.HasHeadings([][]string{row}, countryCode, countryName, l.code, l.name) {
			return l, true
		}
	}
	return layout{}, false
}

// columnOf is the column with a heading, -1 if there is none.
func columnOf(row []string, name string) int {
	if name == "" {
		return -1
	}
	return slices.IndexFunc(row, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
}

// bracketed is a period as DataBank writes it: "1990 [YR1990]".
var bracketed = regexp.MustCompile(`^(\S+) \[YR(\S+)\]$`)

func readYear(heading string) (stat.Period, error) {
	heading = strings.TrimSpace(heading)
	if m := bracketed.FindStringSubmatch(heading); m != nil {
		heading = m[1]
	}
	return stat.ParsePeriod(heading)
}

func readCSV(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		s, err := look(in)
		if err != nil {
			yield(nil, err)
			return
		}
		for t, err := range table.Read(ctx, in, s.mapping(in)) {
			if err == nil && s.fromName != "" && t.Dataset.Code == s.fromName {
				t.Report.Add(stat.NoteCodeFromFilename, 1, s.fromName)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// survey is what a first look through a table finds.
type survey struct {
	layout   layout
	dataset  stat.Dataset
	database string // its name
	several  bool   // indicators
	fromName string // the code, where the file's name tells it
}

// look reads what stands above the headings and, until there are two, which
// indicators the rows have.
func look(in format.Input) (survey, error) {
	s := survey{dataset: stat.Dataset{Source: sourceOf(in)}}
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return s, err
	}
	defer rows.Close()
	code, name, err := s.readHead(rows)
	if err != nil {
		return s, err
	}
	for !s.several {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
		if max(code, name) >= len(row) || isEnd(row) {
			continue // a blank line, or one of those below the table
		}
		if s.dataset.Code == "" {
			s.dataset.Code, s.dataset.Name = strings.Clone(row[code]), strings.Clone(row[name])
		}
		s.several = row[code] != s.dataset.Code
	}
	return s, nil
}

// readHead reads to the headings and returns the columns of the indicators.
func (s *survey) readHead(rows table.Rows) (code, name int, err error) {
	for range headRows {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		if l, ok := layoutOf(row); ok {
			s.layout = l
			return columnOf(row, l.code), columnOf(row, l.name), nil
		}
		if len(row) >= 2 {
			switch strings.TrimSuffix(strings.ToLower(row[0]), ":") {
			case "last updated date", "last updated":
				s.dataset.Updated = updatedAt(row[1])
			case "data source":
				s.database = strings.Clone(row[1])
			}
		}
	}
	return 0, 0, stat.BadFile(stat.Position{Line: 1}, "no line has the headings %s, %s, %s, %s and years", countryName, countryCode, layouts[0].name, layouts[0].code)
}

// mapping says what the columns of the table mean.
func (s *survey) mapping(in format.Input) table.Mapping {
	m := table.Mapping{
		Separator: ',',
		Numbers:   text.Style{Decimal: '.'},
		Period:    table.Period{Wide: true, Read: readYear},
		Row:       row,
	}
	if s.several {
		s.fromName = databaseCode(in.Name)
		s.dataset.Code, s.dataset.Name = s.fromName, s.database
		indicator := assemble.Indicators(nil)
		m.Axes = append(m.Axes, table.Axis{Codes: s.layout.code, Labels: s.layout.name, ID: indicator.ID, Label: indicator.Label})
	} else {
		m.Ignore = []string{s.layout.code, s.layout.name}
	}
	country := countries()
	m.Axes = append(m.Axes, table.Axis{Codes: countryCode, Labels: countryName, ID: country.ID, Label: country.Label, Role: country.Role})
	m.Dataset = s.dataset
	return m
}

// The names of the Bank's files: WDIData.csv, WDICSV.csv, EdStatsData.csv, and
// API_FRA_DS2_en_csv_v2_1234567.csv, whose number changes with every download.
var (
	databaseName = regexp.MustCompile(`^(.+?)_?(?:Data|CSV)$`)
	downloadName = regexp.MustCompile(`^(API_.+?)_DS[0-9]+_`)
)

// databaseCode is the code of a dataset of several indicators, by the name of
// its file.
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

// row passes over the lines that DataBank puts below a table, and takes from
// them what they say of the dataset.
func row(r *table.Row) table.Verdict {
	if !isEnd(r.Cells) {
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

// What the lines below a table of DataBank begin with.
const (
	fromDatabase = "Data from database:"
	lastUpdated  = "Last Updated:"
)

func isEnd(row []string) bool {
	return len(row) > 0 && (strings.HasPrefix(row[0], fromDatabase) || strings.HasPrefix(row[0], lastUpdated))
}
