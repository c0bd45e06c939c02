package store_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// sheet is a table in the notation of these tests.
type sheet struct {
	dims  string   // "item unit=unit freq=frequency": IDs and roles, without the geography
	rows  []string // "GDP EUR A DE 2020 1.5": a code an axis, the period, the value (- is none)
	unit  string   // of the whole
	units []string // of the codes of the first dimension
	each  string   // of each series
	parts int      // of the file
	paged bool     // the parts are pages
	fix   bool     // the last dimension leaves the key
}

// draft makes a draft of the sheet that is ready to be published.
func (sh *sheet) draft(t testing.TB, s *store.Store) *store.Draft {
	t.Helper()
	d := &stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: "guarded", Name: "Guarded", Unit: sh.unit,
		Geography: stat.Dimension{ID: "geo", Label: "Area", Role: stat.RoleGeo},
	}
	for _, text := range strings.Fields(sh.dims) {
		id, role, _ := strings.Cut(text, "=")
		if role == "" {
			role = "other"
		}
		d.Dimensions = append(d.Dimensions, stat.Dimension{ID: id, Label: id, Role: stat.Role(role)})
	}
	b := s.NewBuilder(d)
	for i, row := range sh.rows {
		if err := b.Add(observation(t, d, row, sh.each)); err != nil {
			t.Fatal(err)
		}
		if sh.parts > 0 && (i+1)*sh.parts/len(sh.rows) > i*sh.parts/len(sh.rows) {
			b.EndPart(fmt.Sprint("part ", i), testTime)
		}
	}
	draft, err := b.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, axis := range d.Axes() {
		for i := range axis.Codes {
			axis.Codes[i].Label, axis.Codes[i].Area = axis.Codes[i].ID, axis.Codes[i].ID
		}
	}
	for i, unit := range sh.units {
		d.Dimensions[0].Codes[i].Unit = unit
	}
	if last := len(d.Dimensions) - 1; sh.fix {
		draft.OmitFromKey(last)
	}
	return draft
}

func observation(t testing.TB, d *stat.Dataset, row, unit string) stat.Observation {
	t.Helper()
	cells := strings.Fields(row)
	o := stat.Observation{Unit: unit, Value: none, Flags: "M"}
	for axis, dim := range d.Axes() {
		o.Key = append(o.Key, position(dim, cells[axis]))
	}
	period, err := stat.ParsePeriod(cells[len(cells)-2])
	if err != nil {
		t.Fatal(err)
	}
	o.Period = period
	if value := cells[len(cells)-1]; value != "-" {
		if o.Value, err = strconv.ParseFloat(value, 64); err != nil {
			t.Fatal(err)
		}
		o.Flags = ""
	}
	return o
}

func (sh *sheet) publish(t testing.TB, s *store.Store) store.Result {
	t.Helper()
	r, err := sh.draft(t, s).Publish(t.Context(), store.PublishOptions{Pages: sh.paged})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// years are rows of a series, one a year from 2000 on.
func years(series string, n int) []string {
	var rows []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("%s %d %d", series, 2000+i, i+1))
	}
	return rows
}

// update is a case of the guard.
type update struct {
	name          string
	before, after sheet
	lacks         string // empty: it is published
}

// A new vintage that loses more than a fifth of the values is quarantined.
func TestGuardOfValues(t *testing.T) {
	guard(t, []update{
		{
			"a fifth of the values is gone",
			sheet{rows: years("DE", 10)}, sheet{rows: years("DE", 8)}, "",
		},
		{
			"more than a fifth is gone",
			sheet{rows: years("DE", 10)}, sheet{rows: years("DE", 7)}, "3 of 10 values (30.0 %)",
		},
		{
			"200 of 1000 are gone",
			sheet{rows: years("DE", 1000)}, sheet{rows: years("DE", 800)}, "",
		},
		{
			"201 of 1000 are gone",
			sheet{rows: years("DE", 1000)}, sheet{rows: years("DE", 799)}, "201 of 1000 values (20.1 %)",
		},
		{
			"others came in their place",
			sheet{rows: years("DE", 10)}, sheet{rows: append(years("DE", 7), years("FR", 50)...)}, "3 of 10 values (30.0 %)",
		},
		{
			"values became missing",
			sheet{rows: []string{"DE 2020 1", "DE 2021 2", "DE 2022 3"}}, sheet{rows: []string{"DE 2020 1", "DE 2021 2", "DE 2022 -"}}, "1 of 3 values (33.3 %)",
		},
		{
			"what had no value is gone",
			sheet{rows: []string{"DE 2020 1", "DE 2021 -", "DE 2022 -"}}, sheet{rows: []string{"DE 2020 1"}}, "",
		},
		{
			"all values are revised",
			sheet{rows: []string{"DE 2020 1", "DE 2021 2"}}, sheet{rows: []string{"DE 2020 3", "DE 2021 4"}}, "",
		},
	})
}

// A vintage that loses a dimension is quarantined.
func TestGuardOfDimensions(t *testing.T) {
	guard(t, []update{
		{
			"a dimension is gone",
			sheet{dims: "sex item", rows: []string{"T GDP DE 2020 1"}}, sheet{dims: "item", rows: []string{"GDP DE 2020 1"}},
			"1 of 1 values (100.0 %) and the dimension sex",
		},
		{
			"a dimension came",
			sheet{dims: "item", rows: []string{"GDP DE 2020 1"}}, sheet{dims: "item sex", rows: []string{"GDP T DE 2020 1"}},
			"1 of 1 values (100.0 %)",
		},
		{
			"the order of dimensions is another",
			sheet{dims: "sex item", rows: []string{"T GDP DE 2020 1"}}, sheet{dims: "item sex", rows: []string{"GDP T DE 2020 1"}}, "",
		},
		{
			"a fixed dimension is gone",
			sheet{dims: "item base", fix: true, rows: []string{"GDP 2015 DE 2020 1"}}, sheet{dims: "item", rows: []string{"GDP DE 2020 1"}},
			"the dimension base",
		},
	})
}

// A vintage that loses a unit, a frequency or a part of the file is quarantined, and
// every reason is listed.
func TestGuardOfUnitsFrequenciesAndParts(t *testing.T) {
	guard(t, []update{
		{
			"the unit of the whole is gone",
			sheet{unit: "Euro", rows: years("DE", 5)}, sheet{rows: years("DE", 5)}, "the unit Euro",
		},
		{
			"the unit of the whole stands with each series",
			sheet{unit: "Euro", rows: years("DE", 5)}, sheet{each: "Euro", rows: years("DE", 5)}, "",
		},
		{
			"the unit of the series is another",
			sheet{each: "Euro", rows: years("DE", 5)}, sheet{each: "Dollar", rows: years("DE", 5)}, "the unit Euro",
		},
		{
			"the unit of a measure is gone",
			sheet{dims: "item", units: []string{"Euro", "Persons"}, rows: append(years("GDP DE", 9), "POP DE 2020 1")},
			sheet{dims: "item", units: []string{"Euro"}, rows: append(years("GDP DE", 9), "POP DE 2020 1")},
			"the unit Persons",
		},
		{
			"codes of the dimension of units are gone",
			sheet{dims: "unit=unit", rows: append(years("EUR DE", 9), "IDX DE 2020 1", "PC DE 2020 -")}, sheet{dims: "unit=unit", rows: years("EUR DE", 9)},
			"the units IDX and PC",
		},
		{
			"the dimension of units has another role, and its codes",
			sheet{dims: "unit=unit", rows: years("EUR DE", 9)}, sheet{dims: "unit", rows: years("EUR DE", 10)}, "",
		},
		{
			"a fixed unit is another",
			sheet{dims: "unit=unit", fix: true, rows: years("EUR DE", 9)}, sheet{dims: "unit=unit", fix: true, rows: years("USD DE", 9)},
			"the unit EUR",
		},
		{
			"a frequency of the periods is gone",
			sheet{rows: append(years("DE", 9), "DE 2020-Q1 1")}, sheet{rows: years("DE", 10)}, "the frequency quarterly",
		},
		{
			"a code of the dimension of frequencies is gone",
			sheet{dims: "freq=frequency", rows: append(years("A DE", 9), "Q DE 2020-Q1 1")}, sheet{dims: "freq=frequency", rows: years("A DE", 9)},
			"the frequency quarterly",
		},
		{
			"a part of the file is gone, and a value with it",
			sheet{rows: years("DE", 12), parts: 4}, sheet{rows: years("DE", 11), parts: 3}, "1 of the 4 parts of the file",
		},
		{
			"all values stand in fewer parts",
			sheet{rows: years("DE", 12), parts: 4}, sheet{rows: years("DE", 13), parts: 3}, "",
		},
		{
			"fewer pages",
			sheet{rows: years("DE", 12), parts: 4, paged: true}, sheet{rows: years("DE", 11), parts: 1}, "",
		},
		{
			"all of it",
			sheet{dims: "sex unit=unit", unit: "Euro", parts: 2, rows: []string{"T EUR DE 2020 1", "T USD DE 2020-Q1 1", "T IDX DE 2021 2", "T PC DE 2021 3"}},
			sheet{dims: "unit=unit", parts: 1, rows: []string{"XDC DE 2020-01 1"}},
			"4 of 4 values (100.0 %), the dimension sex, the units EUR, IDX, PC, USD, Euro, the frequencies annual and quarterly and 1 of the 2 parts of the file",
		},
	})
}

func guard(t *testing.T, cases []update) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, store.Options{Dir: t.TempDir()})
			first := c.before.publish(t, s)
			got := c.after.publish(t, s)
			lacks := ""
			if got.Held != nil {
				lacks = got.Held.Lacks()
			}
			if want := c.lacks; !sameNames(lacks, want) || (got.Status == store.Quarantined) != (want != "") {
				t.Errorf("%s: lacks %q, wanted %q", got.Status, lacks, want)
			}
			if got.Status == store.Quarantined && got.Vintage.Version != first.Vintage.Version {
				t.Errorf("version %s serves, wanted %s", got.Vintage.Version, first.Vintage.Version)
			}
		})
	}
}

// sameNames compares sentences whose lists may have any order.
func sameNames(a, b string) bool {
	words := func(text string) []string {
		list := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
		list = slices.DeleteFunc(list, func(word string) bool { return word == "and" })
		slices.Sort(list)
		return list
	}
	return slices.Equal(words(a), words(b))
}

// A vintage published by a person's command is not quarantined.
func TestGuardPassesPersons(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	small, large := sheet{rows: years("DE", 5)}, sheet{rows: years("DE", 50)}
	small.publish(t, s)
	id := large.publish(t, s).ID
	if r, err := s.Restore(t.Context(), id, "1.0"); err != nil || r.Status != store.Updated {
		t.Errorf("restoring the small vintage: %+v, %v", r, err)
	}
	large.publish(t, s)
	if r, err := small.draft(t, s).Publish(t.Context(), store.PublishOptions{Accept: true}); err != nil || r.Status != store.Updated || r.Vintage.Removed != 45 {
		t.Errorf("an accepted import: %+v, %v", r, err)
	}
}
