package plain_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/stat"
)

// manySheets is a workbook with two tables of different structures.
var manySheets = book{sheets: []string{
	"Trade by year", cells([]string{"item", "year", "value"}, []string{"A", number("2020"), number("1")}),
	"Prices", cells([]string{"sex", "year", "value"}, []string{"F", number("2020"), number("2")}, []string{"M", number("2020"), number("3")}),
}}

// TestSheetsAreDatasets checks that sheets of different structures are datasets of their
// own, named after them.
func TestSheetsAreDatasets(t *testing.T) {
	tables, err := readBook(t, manySheets, format.Input{})
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, error %v", len(tables), err)
	}
	for i, want := range [][2]string{{"book-trade-by-year", "Trade by year"}, {"book-prices", "Prices"}} {
		if d := tables[i].Dataset; d.Code != want[0] || d.Name != want[1] {
			t.Errorf("dataset %d has the code %q and the name %q, want %v", i+1, d.Code, d.Name, want)
		}
	}
}

// TestLongSheets checks that sheets with a row for each area and period are preferred to
// others unless these have more numbers.
func TestLongSheets(t *testing.T) {
	long := cells([]string{"country", "year", "rate"}, []string{"France", number("2019"), number("1.5")}, []string{"France", number("2020"), number("1.7")}, []string{"Germany", number("2019"), number("1.6")})
	wide := []string{"country", number("2019"), number("2020")}
	row := func(country string) []string { return []string{country, number("1"), number("2")} }
	for _, c := range []struct {
		title string
		wide  string
		want  string
	}{
		{"the same data as people read them", cells(wide, row("France"), row("Germany")), "book"},
		{"the main table", cells(wide, row("France"), row("Germany"), row("Italy"), row("Spain")), "book-population book-notes-on-rates"},
	} {
		tables, err := readBook(t, book{sheets: []string{"Population", c.wide, "Notes on rates", long}}, format.Input{})
		var codes []string
		for _, table := range tables {
			codes = append(codes, table.Dataset.Code)
		}
		if got := strings.Join(codes, " "); got != c.want || err != nil {
			t.Errorf("%s: the datasets are %s, want %s; error %v", c.title, got, c.want, err)
		}
	}
}

// TestRefusedSheets checks that nothing is read in silence from one sheet if another
// matters more, and that the suggestion helps.
func TestRefusedSheets(t *testing.T) {
	for _, c := range []struct {
		title string
		book  book
		in    format.Input
		want  string
	}{
		{"a sheet that cannot be read has more numbers", book{sheets: []string{
			"Small", cells([]string{"item", "year", "value"}, []string{"A", number("2020"), number("1")}),
			"Large", cells([]string{"x", "y"}, []string{number("11"), number("2")}, []string{number("3"), number("44")}, []string{number("13"), number("4")}),
		}}, format.Input{}, "sheet Large: "},
		{"a column has another unit in the next sheet", book{sheets: []string{
			"Data1", cells([]string{"country", "year", "births", "rate"}, []string{"Germany", number("2019"), number("7000"), "1.5%"}, []string{"France", number("2019"), number("8000"), "1.6%"}),
			"Data2", cells([]string{"country", "year", "births", "rate"}, []string{"Germany", number("2020"), number("7100"), number("15.2")}, []string{"France", number("2020"), number("8100"), number("16.1")}),
		}}, format.Input{}, `sheet Data2: the sheet continues others, but INDICATOR rate has the unit "%" in one part and "" in another: state the sheet`},
		{"a code has another label in the next sheet", book{sheets: []string{
			"Data1", cells([]string{"item code", "item", "country", "year", "value"}, []string{"1", "Wheat", "Germany", number("2020"), number("1.5")}, []string{"2", "Rice", "Germany", number("2020"), number("1.6")}),
			"Data2", cells([]string{"item code", "item", "country", "year", "value"}, []string{"1", "Barley", "Germany", number("2021"), number("1.5")}, []string{"2", "rice", "Germany", number("2021"), number("1.7")}),
		}}, format.Input{}, `item code 1 is "Wheat" in one part and "Barley" in another`},
		{"a sheet with the headings of another one cannot be read", book{sheets: []string{
			"Table_1", cells([]string{"country", number("2019"), number("2020")}, []string{"France", number("1"), number("2")}, []string{"Germany", number("3"), number("4")}),
			"Table_2", cells([]string{"country", number("2019"), number("2020")}, []string{"France", "[x]", number("2")}, []string{"Germany", "a lot", number("4")}),
		}}, format.Input{}, `sheet Table_2: the meaning of the columns is not clear: the column "2019" contains`},
		{"one code for two datasets", manySheets, format.Input{Code: "trade"}, "the workbook has 2 datasets, in the sheets Trade by year, Prices, but one code is stated"},
	} {
		_, err := readBook(t, c.book, c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.title, err, c.want)
			continue
		}
		for _, s := range stat.SuggestionsOf(err) {
			if c.in.Mapping = s.Value; s.Option == "mapping" {
				if _, err := readBook(t, c.book, c.in); err != nil {
					t.Errorf("%s: with the suggestion %q the error is %v", c.title, s.Value, err)
				}
			}
		}
	}
}

func readBook(t *testing.T, b book, in format.Input) ([]*stat.Table, error) {
	t.Helper()
	tables, err := formattest.Read(t.Context(), plain.Formats()[0], formattest.Sample{Name: "book.xlsx", Data: b.xlsx(t), In: in})
	all := make([]*stat.Table, 0, len(tables))
	for _, table := range tables {
		all = append(all, table.Table)
	}
	return all, err
}

// TestSheetsOfAreas checks that sheets that are called by areas are one dataset of these,
// unless their tables differ or a dimension holds areas, too.
func TestSheetsOfAreas(t *testing.T) {
	countries := map[string]bool{"France": true, "Italy": true, "Nord": true, "Lazio": true}
	in := format.Input{Areas: func(_, _ string, names []string) int {
		if slices.ContainsFunc(names, func(name string) bool { return !countries[name] }) {
			return 0
		}
		return len(names)
	}}
	sheet := func(title, heading, item, year, value string) string {
		return cells([]string{title}, []string{"year", heading, "value"}, []string{number(year), item, number(value)})
	}
	for _, c := range []struct {
		title  string
		sheets []string
		want   string
	}{
		{"one table", []string{"France", sheet("Births in France", "sex", "F", "2020", "1"), "Italy", sheet("Births in Italy", "sex", "M", "2021", "2")}, `dataset local:book "Births in"
other sex "sex": F
geo geo "Geography": France
F,France, 2020 = 1
read 1 missing 0 dropped 0
note areas-of-sheets 1 France
note code-from-filename 1 book
note mapping 1 dim=sex, period=year, value=value
dataset local:book "Births in"
other sex "sex": M
geo geo "Geography": Italy
M,Italy, 2021 = 2
read 1 missing 0 dropped 0
note areas-of-sheets 1 Italy
note code-from-filename 1 book
note mapping 1 dim=sex, period=year, value=value
`},
		{"regions in countries", []string{"France", sheet("", "part", "Nord", "2020", "1"), "Italy", sheet("", "part", "Lazio", "2021", "2")},
			"error file: the sheets are called by areas, but part holds areas, too: state the sheet"},
		{"no areas", []string{"Boys", sheet("", "part", "Nord", "2020", "1"), "Girls", sheet("", "part", "Lazio", "2021", "2")}, `dataset local:book-boys "Boys"
other part "part": Nord
  "":
Nord, 2020 = 1
read 1 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 dim=part, period=year, value=value
dataset local:book-girls "Girls"
other part "part": Lazio
  "":
Lazio, 2021 = 2
read 1 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 dim=part, period=year, value=value
`},
	} {
		tables, err := formattest.Read(t.Context(), plain.Formats()[0], formattest.Sample{Name: "book.xlsx", Data: book{sheets: c.sheets}.xlsx(t), In: in})
		got := formattest.Describe(tables)
		if err != nil {
			got = "error " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s: the meaning is\n%s\nwant\n%s", c.title, got, c.want)
		}
	}
}
