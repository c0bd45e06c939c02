package clients

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
)

// TestJSONStat reads JSON-stat. pyjstat reads neither status nor units.
func TestJSONStat(t *testing.T) {
	s := serve(t)
	var selections []selection
	var addresses []string
	for _, sel := range s.selections(t, maxShort) {
		if sel.Observations <= maxWhole/2 { // a cube has all combinations, and clients hold it in memory
			selections = append(selections, sel)
			addresses = append(addresses, s.url+sel.path("data.jsonstat"))
		}
	}
	for client, read := range map[string]func() string{
		"jsonstat-toolkit": func() string { return run(t, "node", append([]string{"testdata/jsonstat.mjs"}, addresses...)...) },
		"pyjstat":          func() string { return python(t, "jsonstat.py", addresses...) },
	} {
		t.Run(client, func(t *testing.T) {
			tables := readTables(t, read())
			if len(tables) != len(selections) {
				t.Fatalf("the client read %d datasets of %d", len(tables), len(selections))
			}
			for i, sel := range selections {
				t.Run(sel.Source+" "+sel.Code, func(t *testing.T) {
					want, _ := s.wantPeriods(t, sel, "&iso_periods=true")
					if client == "pyjstat" {
						for key, c := range want {
							want[key] = cell{value: c.value}
						}
						maps.DeleteFunc(want, func(_ string, c cell) bool { return math.IsNaN(c.value) })
					}
					compare(t, cubeCells(tables[i], s.columns(t, sel.dataset, tables[i][0])), want, equal)
				})
			}
		})
	}
}

// columns returns where a table has the dimensions of a dataset, in the order of keys.
func (s *service) columns(t *testing.T, d dataset, names []any) []int {
	t.Helper()
	var body struct{ Dimensions []struct{ Dim, ID string } }
	if err := json.Unmarshal(s.read(t, fmt.Sprintf("/api/datasets/%d/dimensions", d.ID)), &body); err != nil {
		t.Fatal(err)
	}
	var meta struct {
		Fixed []struct{ ID string } `json:"fixed_dimensions"`
	}
	if err := json.Unmarshal(s.read(t, fmt.Sprintf("/api/datasets/%d/meta", d.ID)), &meta); err != nil {
		t.Fatal(err)
	}
	others := []any{"value", "status", "unit label"}
	for _, dim := range meta.Fixed {
		others = append(others, dim.ID)
	}
	var at, rest []int
	for _, dim := range body.Dimensions {
		if i := slices.Index(names, any(dim.ID)); i >= 0 && dim.Dim != "country" {
			at = append(at, i)
		}
	}
	for i := range names {
		if !slices.Contains(others, names[i]) && !slices.Contains(at, i) {
			rest = append(rest, i) // the area and the time
		}
	}
	return append(at, rest...)
}

// cubeCells returns the observations of a table with a column for each dimension.
func cubeCells(rows [][]any, columns []int) cells {
	value, status, unit := slices.Index(rows[0], any("value")), slices.Index(rows[0], any("status")), slices.Index(rows[0], any("unit label"))
	all := cells{}
	for _, row := range rows[1:] {
		var key []string
		for _, i := range columns {
			key = append(key, fmt.Sprint(row[i]))
		}
		c := cell{value: math.NaN()}
		if number, ok := row[value].(float64); ok {
			c.value = number
		}
		if status >= 0 && row[status] != nil {
			c.flags = fmt.Sprint(row[status])
		}
		if unit >= 0 {
			c.unit = fmt.Sprint(row[unit])
		}
		if status >= 0 || !math.IsNaN(c.value) {
			all[cellKey(key...)] = c
		}
	}
	return all
}
