package clients

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// The largest datasets that are compared as a whole, and with their latest period.
const (
	maxWhole  = 10_000
	maxLatest = 100_000
)

// selection is a part of a dataset that is compared: the address of its data without the
// extension of a form, and the query string.
type selection struct {
	dataset
	query string
}

// path returns the address of the selection in a form, such as "data.csv".
func (s selection) path(form string) string {
	return fmt.Sprintf("/api/datasets/%d/%s?%s", s.ID, form, s.query)
}

// How many datasets the short form of the tests reads: each form with one client, and with
// its further clients.
const (
	maxShort   = 20
	maxFurther = 8
)

// selections returns small datasets as a whole, and the latest period of larger ones: all of
// them if ALMANAC_SOAK is 1 (`make soak`), else at most short, as many of each source as there are.
func (s *service) selections(t *testing.T, short int) []selection {
	t.Helper()
	var list []selection
	rank := map[int]int{} // of a dataset among those of its source
	count := map[string]int{}
	for _, d := range s.datasets {
		switch {
		case d.Observations <= maxWhole:
			list = append(list, selection{d, ""})
		case d.Observations <= maxLatest:
			list = append(list, selection{d, "latest=true"})
		default:
			continue
		}
		rank[d.ID] = count[d.Source]
		count[d.Source]++
	}
	slices.SortStableFunc(list, func(a, b selection) int { return cmp.Compare(rank[a.ID], rank[b.ID]) })
	return list[:min(len(list), stattest.Rounds(t, short, len(list)))]
}

// cell is one observation.
type cell struct {
	value float64 // NaN: missing
	unit  string
	flags string // separated by spaces
}

// cells holds observations by key: the codes of the dimensions, the code of the area and
// the period.
type cells map[string]cell

func cellKey(parts ...string) string { return strings.Join(parts, " | ") }

// want returns the observations of a selection as the JSON has them, and its number of
// dimensions.
func (s *service) want(t *testing.T, sel selection) (cells, int) {
	t.Helper()
	return s.wantPeriods(t, sel, "")
}

// wantPeriods returns the observations with periods as in ISO 8601, if more asks for them with
// iso_periods.
func (s *service) wantPeriods(t *testing.T, sel selection, more string) (cells, int) {
	t.Helper()
	var body struct {
		Data []block
		Meta map[string]any
	}
	if err := json.Unmarshal(s.read(t, sel.path("data")+"&flags=true&codes=true"+more), &body); err != nil {
		t.Fatal(err)
	}
	dims := 0
	for body.Meta[fmt.Sprintf("dim%d_label", dims+1)] != nil {
		dims++
	}
	all := cells{}
	for _, b := range body.Data {
		b.collect(t, dims, all)
	}
	return all, dims
}

type block struct {
	SeriesKey    map[string]string `json:"series_key"`
	CountryCodes map[string]struct{ Code string }
	Rows         []struct {
		Period string
		ISO    string `json:"period_iso"`
		Unit   string
		Values map[string]float64
		Flags  map[string][]string
		Notes  map[string][]string
	}
}

// UnmarshalJSON reads country_codes too, whose name encoding/json does not derive.
func (b *block) UnmarshalJSON(text []byte) error {
	type plain block
	body := struct {
		*plain
		Codes map[string]struct{ Code string } `json:"country_codes"`
	}{plain: (*plain)(b)}
	if err := json.Unmarshal(text, &body); err != nil {
		return err
	}
	b.CountryCodes = body.Codes
	return nil
}

// collect adds the observations of the block.
func (b *block) collect(t *testing.T, dims int, all cells) {
	t.Helper()
	var key []string
	for n := range dims {
		key = append(key, b.SeriesKey[fmt.Sprintf("dim%d_code", n+1)])
	}
	for _, row := range b.Rows {
		row.Period = cmp.Or(row.ISO, row.Period)
		add := func(country string, value float64) {
			k := cellKey(append(slices.Clone(key), b.CountryCodes[country].Code, row.Period)...)
			if _, twice := all[k]; twice {
				t.Errorf("the JSON has %s twice", k)
			}
			all[k] = cell{value, row.Unit, strings.Join(row.Flags[country], " ")}
		}
		for country, value := range row.Values {
			add(country, value)
		}
		for _, marks := range []map[string][]string{row.Flags, row.Notes} {
			for country := range marks {
				if _, has := row.Values[country]; !has {
					if _, has := all[cellKey(append(slices.Clone(key), b.CountryCodes[country].Code, row.Period)...)]; !has {
						add(country, math.NaN())
					}
				}
			}
		}
	}
}

// equal reports whether two numbers are the same, or both missing.
func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// equalInR reports the same, or that they are neighbours: R reads decimals in its own way, which
// is not always exact.
func equalInR(a, b float64) bool { return equal(a, b) || math.Nextafter(a, b) == b }

// compare reports the differences between what a client read and the JSON.
func compare(t *testing.T, got, want cells, same func(a, b float64) bool) {
	t.Helper()
	const shown = 5
	differences := 0
	report := func(format string, args ...any) {
		if differences++; differences <= shown {
			t.Errorf(format, args...)
		}
	}
	for key, w := range want {
		g, ok := got[key]
		switch {
		case !ok:
			report("%s is missing; the JSON has %v", key, w)
		case !same(g.value, w.value) || g.unit != w.unit || g.flags != w.flags:
			report("%s is %v; the JSON has %v", key, g, w)
		}
	}
	for key, g := range got {
		if _, ok := want[key]; !ok {
			report("%s is %v; the JSON does not have it", key, g)
		}
	}
	if differences > shown {
		t.Errorf("%d differences in %d cells", differences, len(want))
	}
}

// readTables reads what a script prints of tables in the form of tidy CSV: for each a line
// with the names of its columns, a JSON array of strings, then a line for each row, an
// array of strings, numbers and nulls, and an empty line at the end.
func readTables(t *testing.T, printed string) [][][]any {
	t.Helper()
	var tables [][][]any
	var rows [][]any
	lines := bufio.NewScanner(strings.NewReader(printed))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "" {
			tables, rows = append(tables, rows), nil
			continue
		}
		var row []any
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%v in %.200s", err, lines.Text())
		}
		rows = append(rows, row)
	}
	return tables
}

// tableCells returns the observations of a table with the columns of tidy CSV. Columns are
// found by their place: behind the dataset two for each dimension and for the area.
func tableCells(t *testing.T, rows [][]any, dims int) cells {
	t.Helper()
	period := 1 + 2*(dims+1) + 2 // behind geo_iso3 and geo_iso
	value, unit, status := period+3, period+4, period+5
	if got := fmt.Sprint(rows[0][period], " ", rows[0][value]); got != "period value" {
		t.Fatalf("where the columns period and value are expected are %s", got)
	}
	all := cells{}
	for _, row := range rows[1:] {
		text := func(i int) string {
			if row[i] == nil {
				return ""
			}
			return fmt.Sprint(row[i])
		}
		var key []string
		for n := range dims + 1 {
			key = append(key, text(1+2*n))
		}
		key = append(key, text(period))
		number, ok := row[value].(float64)
		if !ok {
			number = math.NaN()
		}
		if _, twice := all[cellKey(key...)]; twice {
			t.Errorf("%s is there twice", cellKey(key...))
		}
		all[cellKey(key...)] = cell{number, text(unit), text(status)}
	}
	return all
}

// compareTables runs a client that prints the tables at the addresses of selections in a form, and
// compares each with the JSON.
func (s *service) compareTables(t *testing.T, selections []selection, form string, same func(a, b float64) bool, client func(addresses []string) string) {
	t.Helper()
	var addresses []string
	for _, sel := range selections {
		addresses = append(addresses, s.url+sel.path(form))
	}
	tables := readTables(t, client(addresses))
	if len(tables) != len(selections) {
		t.Fatalf("the client read %d tables of %d", len(tables), len(selections))
	}
	for i, sel := range selections {
		t.Run(sel.Source+" "+sel.Code, func(t *testing.T) {
			want, dims := s.want(t, sel)
			compare(t, tableCells(t, tables[i], dims), want, same)
		})
	}
}
