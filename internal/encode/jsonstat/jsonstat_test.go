package jsonstat_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/encode/jsonstat"
	"almanac/internal/stattest"
)

// dataset is a dataset of JSON-stat 2.0.
type dataset struct {
	Version   string              `json:"version"`
	Class     string              `json:"class"`
	ID        []string            `json:"id"`
	Size      []int               `json:"size"`
	Role      map[string][]string `json:"role"`
	Dimension map[string]struct {
		Category struct {
			Index []string          `json:"index"`
			Label map[string]string `json:"label"`
			Unit  map[string]struct {
				Label string `json:"label"`
			} `json:"unit"`
		} `json:"category"`
		Extension struct {
			ISO map[string]string `json:"iso"`
		} `json:"extension"`
	} `json:"dimension"`
	Value     json.RawMessage   `json:"value"`
	Status    map[string]string `json:"status"`
	Extension struct {
		Dataset, Version string
		Notes            struct {
			Text  []string       `json:"text"`
			Index map[string]int `json:"index"`
		} `json:"notes"`
	} `json:"extension"`
}

// values returns the values by position: those of an array that are not null, or those of an object.
func (d *dataset) values(t *testing.T) map[int]float64 {
	t.Helper()
	values := map[int]float64{}
	var array []*float64
	if json.Unmarshal(d.Value, &array) == nil {
		for at, v := range array {
			if v != nil {
				values[at] = *v
			}
		}
		return values
	}
	var object map[string]float64
	if err := json.Unmarshal(d.Value, &object); err != nil {
		t.Fatal(err)
	}
	for at, v := range object {
		n, err := strconv.Atoi(at)
		if err != nil {
			t.Fatal(err)
		}
		values[n] = v
	}
	return values
}

// read reads a dataset as the format's page says, without code of this project.
func read(t *testing.T, file []byte, table *encode.Table) []encodetest.Cell {
	var d dataset
	if err := json.Unmarshal(file, &d); err != nil {
		t.Fatal(err)
	}
	if d.Version != "2.0" || d.Class != "dataset" || d.Extension.Dataset != table.Reference() || d.Extension.Version != table.Vintage.Version || len(d.Role["time"]) != 1 {
		t.Errorf("%.300s", file)
	}
	values := d.values(t)
	positions := map[int]bool{}
	for at := range values {
		positions[at] = true
	}
	for at := range d.Status {
		n, _ := strconv.Atoi(at)
		positions[n] = true
	}
	for at := range d.Extension.Notes.Index {
		n, _ := strconv.Atoi(at)
		positions[n] = true
	}
	order := []string{} // of the cells' codes
	for _, dim := range table.Vintage.Dataset.Dimensions {
		order = append(order, dim.ID)
	}
	if !table.Vintage.Dataset.HasNoArea() {
		order = append(order, d.Role["geo"][0])
	}
	var cells []encodetest.Cell
	for at := range positions {
		v, ok := values[at]
		if !ok {
			v = math.NaN()
		}
		key := strconv.Itoa(at)
		c := encodetest.Cell{Codes: make([]string, len(order)), Labels: make([]string, len(order)), Value: v, Flags: d.Status[key]}
		if i, ok := d.Extension.Notes.Index[key]; ok {
			c.Note = d.Extension.Notes.Text[i]
		}
		for i, id := range slices.Backward(d.ID) {
			category := d.Dimension[id].Category
			code := category.Index[at%d.Size[i]]
			at /= d.Size[i]
			if unit := category.Unit[code].Label; unit != "" {
				c.Unit = unit
			}
			if id == d.Role["time"][0] {
				c.Period = code
			} else if i := slices.Index(order, id); i >= 0 {
				c.Codes[i], c.Labels[i] = code, strings.TrimSuffix(category.Label[code], ": "+category.Unit[code].Label) // derived values say it
			}
			if area, ok := d.Dimension[id].Extension.ISO[code]; ok {
				c.Area = area
			}
		}
		cells = append(cells, c)
	}
	return cells
}

func TestForm(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t), encodetest.Form{Name: "JSON-stat", Write: jsonstat.Write, Read: read})
}
