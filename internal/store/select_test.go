package store_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"almanac/internal/stat"
	"almanac/internal/stattest/property"
	"almanac/internal/store"
)

// drawCells draws observations with distinct keys and periods, of one frequency or
// several. Some have no value, flags, note or unit.
func drawCells(t *rapid.T) []cell {
	forms := []string{"%d", "Q1/%d", "Q3/%d", "06/%d", "W10/%d", "01/06/%d"}
	mixed := rapid.Bool().Draw(t, "mixed")
	only := rapid.SampledFrom(forms).Draw(t, "form of all")
	seen := map[string]bool{}
	var cells []cell
	for range rapid.IntRange(1, 60).Draw(t, "cells") {
		form := only
		if mixed {
			form = rapid.SampledFrom(forms).Draw(t, "form")
		}
		c := cell{
			Key: [3]string{
				fmt.Sprint("I", rapid.IntRange(0, 3).Draw(t, "item")),
				fmt.Sprint("U", rapid.IntRange(0, 2).Draw(t, "unit")),
				fmt.Sprint("A", rapid.IntRange(0, 5).Draw(t, "area")),
			},
			Period: fmt.Sprintf(form, rapid.IntRange(1990, 2020).Draw(t, "year")),
			Value:  rapid.Float64Range(-1e6, 1e6).Draw(t, "value"),
			Flags:  rapid.SampledFrom([]stat.Flags{"", "", "P", "B CONF_STATUS:C"}).Draw(t, "flags"),
			Note:   rapid.SampledFrom([]string{"", "", "revised"}).Draw(t, "note"),
		}
		if c.Key[2] > "A3" { // a block whose areas differ in unit is split
			c.Unit = "persons"
		}
		if c.Flags != "" && rapid.Bool().Draw(t, "missing") {
			c.Value = math.NaN()
		}
		if place := fmt.Sprint(c.Key, c.Period); !seen[place] {
			seen[place] = true
			cells = append(cells, c)
		}
	}
	return cells
}

// drawSelection draws some codes of each axis, or all.
func drawSelection(t *rapid.T, d *stat.Dataset) [][]int32 {
	sel := make([][]int32, 3)
	for axis, dim := range d.Axes() {
		if rapid.Bool().Draw(t, "select") {
			sel[axis] = []int32{}
			for i := range dim.Codes {
				if rapid.Bool().Draw(t, "code") {
					sel[axis] = append(sel[axis], int32(i))
				}
			}
		}
	}
	return sel
}

// Select returns the cells that plainFilter returns, in order, from memory and from the
// file.
func TestSelect(t *testing.T) {
	stores := []*store.Store{
		open(t, store.Options{Dir: t.TempDir()}),
		open(t, store.Options{Dir: t.TempDir(), Memory: 1}), // reads the file each time
	}
	property.Check(t, func(rt *rapid.T) {
		cells := drawCells(rt)
		s := rapid.SampledFrom(stores).Draw(rt, "store")
		id := replace(t, s, "t", cells).ID
		v, err := s.Vintage(context.Background(), id)
		if err != nil {
			rt.Fatal(err)
		}
		period := func(name string) stat.Period {
			if rapid.Bool().Draw(rt, name+"?") {
				return stat.Period{}
			}
			return v.Periods[rapid.IntRange(0, len(v.Periods)-1).Draw(rt, name)]
		}
		q := stat.Query{
			Select: drawSelection(rt, v.Dataset), From: period("from"), To: period("to"), Within: period("within"),
			Latest: rapid.SampledFrom([]stat.LatestMode{"", stat.LatestLast}).Draw(rt, "latest"), Flags: rapid.Bool().Draw(rt, "flags"),
		}
		x, err := v.Select(context.Background(), q)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(plainFilter(v, cells, q), cellsOf(t, x, q.Flags), sameCells, cmpopts.EquateEmpty()); diff != "" {
			rt.Errorf("query %+v (-want +got):\n%s", q, diff)
		}
	})
}

// plainFilter answers a query cell by cell.
func plainFilter(v *store.Vintage, cells []cell, q stat.Query) []cell {
	rank := func(c cell) []int32 {
		ranks := make([]int32, 0, 5)
		for axis := range 3 {
			pos, _ := v.Find(axis, c.Key[axis])
			ranks = append(ranks, pos)
		}
		p, _ := stat.ParsePeriod(c.Period)
		unit := int32(0)
		if c.Unit != "" {
			unit = 1
		}
		// Blocks by dimensions and unit, rows by period, cells by area.
		return []int32{ranks[0], ranks[1], unit, int32(slices.Index(v.Periods, p)), ranks[2]}
	}
	var kept []cell
	for _, c := range cells {
		r := rank(c)
		p := v.Periods[r[3]]
		ok := q.Flags || !math.IsNaN(c.Value)
		for axis, at := range []int32{r[0], r[1], r[4]} {
			ok = ok && (q.Select[axis] == nil || slices.Contains(q.Select[axis], at))
		}
		if !q.Within.IsZero() {
			ok = ok && p.Within(q.Within)
		} else {
			ok = ok && p.OverlapsSpan(q.From, q.To)
		}
		if ok {
			kept = append(kept, c)
		}
	}
	if q.Latest != "" {
		latest := int32(-1)
		for _, c := range kept {
			if !math.IsNaN(c.Value) {
				latest = max(latest, rank(c)[3])
			}
		}
		kept = slices.DeleteFunc(kept, func(c cell) bool { return rank(c)[3] != latest })
	}
	if !q.Flags {
		for i := range kept {
			kept[i].Flags, kept[i].Note = "", ""
		}
	}
	slices.SortFunc(kept, func(a, b cell) int { return slices.Compare(rank(a), rank(b)) })
	return kept
}

func TestLongSparseSpan(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	cells := []cell{
		{Key: [3]string{"A", "U", "DE"}, Period: "01/01/1950", Value: 1},
		{Key: [3]string{"A", "U", "FR"}, Period: "31/12/2020", Value: 2},
		{Key: [3]string{"A", "U", "FR"}, Period: "01/01/1950", Value: 3},
	}
	for day := range 300 { // many other days, so that the first block's span is long and sparse
		cells = append(cells, cell{Key: [3]string{"B", "U", "DE"}, Period: fmt.Sprintf("%02d/%02d/1980", day%28+1, day/28+1), Value: 1})
	}
	id := publish(t, s, "sparse", cells).ID
	got := read(t, s, id, stat.Query{Select: [][]int32{{0}, nil, nil}})
	if diff := cmp.Diff([]cell{cells[0], cells[2], cells[1]}, got, sameCells); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
