// Package encodetest checks the output forms. Every form runs the same suite: real files of offices
// are imported and written in the form and as JSON, both are read back, and all cells must be
// equal.
package encodetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/encode"
	jsonform "almanac/internal/encode/json"
	"almanac/internal/stat"
)

// Cell is an observation as a file has it.
type Cell struct {
	Codes  []string // of the dimensions dim1 …, then of the area; empty for a dataset without areas
	Labels []string // likewise; nil if the form has none
	Period string   // in any spelling that [stat.ParsePeriod] reads
	Value  float64  // NaN if missing
	Flags  string   // codes separated by spaces, in any order
	Note   string
	Unit   string // its label, empty if none is stated
	Area   string // what available_geo calls the area; empty for a dataset without areas
}

// key is what tells cells apart.
func (c *Cell) key() string { return strings.Join(c.Codes, " | ") + " in " + c.Period }

// content is what must be equal, as text.
func (c *Cell) content(f *Form) string {
	value := "missing"
	if !math.IsNaN(c.Value) {
		value = fmt.Sprint(c.Value)
	}
	text := value + " [" + string(stat.NewFlags(strings.Fields(c.Flags)...)) + "]"
	switch {
	case f.FoldsUnits:
		text += " " + strings.ToLower(c.Unit)
	case !f.LacksUnits:
		text += " " + c.Unit
	}
	if !f.LacksNotes {
		text += " note " + c.Note
	}
	if !f.LacksAreas {
		text += " in area " + c.Area
	}
	if c.Labels != nil && !f.LacksLabels {
		text += " " + strings.Join(c.Labels, " | ")
	}
	return text
}

// byKey returns cells by their keys, with periods as the interface writes them.
func byKey(t testing.TB, cells []Cell) map[string]*Cell {
	t.Helper()
	all := make(map[string]*Cell, len(cells))
	for i := range cells {
		c := &cells[i]
		p, err := stat.ParsePeriod(c.Period)
		if err != nil {
			t.Fatalf("a cell has the period %q: %v", c.Period, err)
		}
		c.Period = p.String()
		if all[c.key()] != nil {
			t.Errorf("%s is there twice", c.key())
		}
		all[c.key()] = c
	}
	return all
}

// compare reports how cells differ from those of the JSON.
func compare(t *testing.T, f *Form, got, want []Cell) {
	t.Helper()
	g, w := byKey(t, got), byKey(t, want)
	differences := 0
	report := func(format string, args ...any) {
		if differences++; differences <= 5 {
			t.Errorf(format, args...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w)) {
		switch {
		case g[key] == nil:
			report("%s is not there, want %s", key, w[key].content(f))
		case f.LacksLabels || g[key].Labels == nil:
			w[key].Labels = nil
			fallthrough
		default:
			if got, want := g[key].content(f), w[key].content(f); got != want {
				report("%s is %s, want %s", key, got, want)
			}
		}
	}
	for key := range g {
		if w[key] == nil {
			report("%s is there, but not in the JSON: %s", key, g[key].content(f))
		}
	}
	if differences > 0 {
		t.Errorf("%d differences in %d cells", differences, len(w))
	}
}

// jsonBlock is a series block of the interface.
type jsonBlock struct {
	Key   map[string]string `json:"series_key"`
	Codes map[string]struct {
		Code string `json:"code"`
		ISO  string `json:"iso"` // if it is not Code
	} `json:"country_codes"`
	Rows []struct {
		Period string              `json:"period"`
		Values map[string]float64  `json:"values"`
		Unit   string              `json:"unit"`
		Flags  map[string][]string `json:"flags"`
		Notes  map[string][]string `json:"notes"`
	} `json:"rows"`
}

// jsonCells returns the cells of a table in the JSON of the interface.
func jsonCells(t *testing.T, table *encode.Table) []Cell {
	t.Helper()
	var w jsonform.Writer
	w.Send = func() error { return nil } // keeps all
	if _, err := w.Series(table.Vintage, table.Extract, jsonform.SeriesOptions{Flags: true, Codes: true, Transform: table.Transform}); err != nil {
		t.Fatal(err)
	}
	var blocks []jsonBlock
	if err := json.Unmarshal(w.Buf, &blocks); err != nil {
		t.Fatal(err)
	}
	hasArea := !table.Vintage.Dataset.HasNoArea()
	var cells []Cell
	for _, b := range blocks {
		var codes, labels []string
		for i := range table.Vintage.Dataset.Dimensions {
			codes = append(codes, b.Key[fmt.Sprintf("dim%d_code", i+1)])
			labels = append(labels, b.Key[fmt.Sprintf("dim%d_value", i+1)])
		}
		for _, row := range b.Rows {
			areas := maps.Clone(row.Flags)
			for area := range row.Values {
				areas[area] = row.Flags[area]
			}
			for area := range row.Notes {
				areas[area] = row.Flags[area]
			}
			for area, flags := range areas {
				c := Cell{Codes: slices.Clone(codes), Labels: slices.Clone(labels), Period: row.Period, Flags: strings.Join(flags, " "), Note: strings.Join(row.Notes[area], " "), Unit: row.Unit}
				if hasArea {
					c.Codes, c.Labels = append(c.Codes, b.Codes[area].Code), append(c.Labels, area)
					c.Area = cmp.Or(b.Codes[area].ISO, b.Codes[area].Code)
				}
				var ok bool
				if c.Value, ok = row.Values[area]; !ok {
					c.Value = math.NaN()
				}
				cells = append(cells, c)
			}
		}
	}
	return cells
}
