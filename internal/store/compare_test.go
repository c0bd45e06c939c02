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

// sheet is a dataset as these tests write it.
type sheet struct {
	dims  string   // "item unit=unit freq=frequency": IDs and roles, without the geography
	rows  []string // "GDP EUR A DE 2020 1.5": a code for each axis, the period, the value (- for none)
	unit  string   // of the dataset
	units []string // of the codes of the first dimension
	each  string   // of each series
	parts int      // of the file
	paged bool     // the parts are pages
	fix   bool     // the last dimension is fixed
}

// draft returns a complete draft of the sheet.
func (sh *sheet) draft(t testing.TB, s *store.Store) *store.Draft {
	t.Helper()
	d := &stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: "sheet", Name: "Sheet", Unit: sh.unit,
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

// years returns n rows of a series, one for each year from 2000.
func years(series string, n int) []string {
	var rows []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("%s %d %d", series, 2000+i, i+1))
	}
	return rows
}

// update is a case of checkUpdates.
type update struct {
	name          string
	before, after sheet
	lacks         string // as reported; empty: it is published
}

// A new vintage that loses more than a fifth of the values is quarantined.
func TestMissingValues(t *testing.T) {
	checkUpdates(t, []update{
		{
			"a fifth of the values is missing",
			sheet{rows: years("DE", 10)}, sheet{rows: years("DE", 8)}, "",
		},
		{
			"more than a fifth is missing",
			sheet{rows: years("DE", 10)}, sheet{rows: years("DE", 7)}, "3 of 10 values (30.0 %)",
		},
		{
			"200 of 1000 are missing",
			sheet{rows: years("DE", 1000)}, sheet{rows: years("DE", 800)}, "",
		},
		{
			"201 of 1000 are missing",
			sheet{rows: years("DE", 1000)}, sheet{rows: years("DE", 799)}, "201 of 1000 values (20.1 %)",
		},
		{
			"other values in their place",
			sheet{rows: years("DE", 10)}, sheet{rows: append(years("DE", 7), years("FR", 50)...)}, "3 of 10 values (30.0 %)",
		},
		{
			"a value became a flag",
			sheet{rows: []string{"DE 2020 1", "DE 2021 2", "DE 2022 3"}}, sheet{rows: []string{"DE 2020 1", "DE 2021 2", "DE 2022 -"}}, "1 of 3 values (33.3 %)",
		},
		{
			"observations without a value are missing",
			sheet{rows: []string{"DE 2020 1", "DE 2021 -", "DE 2022 -"}}, sheet{rows: []string{"DE 2020 1"}}, "",
		},
		{
			"all values are revised",
			sheet{rows: []string{"DE 2020 1", "DE 2021 2"}}, sheet{rows: []string{"DE 2020 3", "DE 2021 4"}}, "",
		},
	})
}

// A vintage that loses a dimension is quarantined.
func TestMissingDimensions(t *testing.T) {
	checkUpdates(t, []update{
		{
			"a dimension is missing",
			sheet{dims: "sex item", rows: []string{"T GDP DE 2020 1"}}, sheet{dims: "item", rows: []string{"GDP DE 2020 1"}},
			"1 of 1 values (100.0 %) and the dimension sex",
		},
		{
			"a new dimension",
			sheet{dims: "item", rows: []string{"GDP DE 2020 1"}}, sheet{dims: "item sex", rows: []string{"GDP T DE 2020 1"}},
			"1 of 1 values (100.0 %; the dimension sex is new)",
		},
		{
			"another order of dimensions",
			sheet{dims: "sex item", rows: []string{"T GDP DE 2020 1"}}, sheet{dims: "item sex", rows: []string{"GDP T DE 2020 1"}}, "",
		},
		{
			"a fixed dimension is missing",
			sheet{dims: "item base", fix: true, rows: []string{"GDP 2015 DE 2020 1"}}, sheet{dims: "item", rows: []string{"GDP DE 2020 1"}},
			"the dimension base",
		},
	})
}

// A vintage that loses a unit, a frequency or a part of the file is quarantined, and
// every reason is listed.
func TestMissingUnitsFrequenciesAndParts(t *testing.T) {
	checkUpdates(t, []update{
		{
			"the unit of the dataset is missing",
			sheet{unit: "Euro", rows: years("DE", 5)}, sheet{rows: years("DE", 5)}, "the unit Euro",
		},
		{
			"the unit of the dataset is stated for each series",
			sheet{unit: "Euro", rows: years("DE", 5)}, sheet{each: "Euro", rows: years("DE", 5)}, "",
		},
		{
			"another unit of the series",
			sheet{each: "Euro", rows: years("DE", 5)}, sheet{each: "Dollar", rows: years("DE", 5)}, "the unit Euro",
		},
		{
			"the unit of a measure is missing",
			sheet{dims: "item", units: []string{"Euro", "Persons"}, rows: append(years("GDP DE", 9), "POP DE 2020 1")},
			sheet{dims: "item", units: []string{"Euro"}, rows: append(years("GDP DE", 9), "POP DE 2020 1")},
			"the unit Persons",
		},
		{
			"codes of the unit dimension are missing",
			sheet{dims: "unit=unit", rows: append(years("EUR DE", 9), "IDX DE 2020 1", "PC DE 2020 -")}, sheet{dims: "unit=unit", rows: years("EUR DE", 9)},
			"the units IDX and PC",
		},
		{
			"the unit dimension has another role but its codes",
			sheet{dims: "unit=unit", rows: years("EUR DE", 9)}, sheet{dims: "unit", rows: years("EUR DE", 10)}, "",
		},
		{
			"another fixed unit",
			sheet{dims: "unit=unit", fix: true, rows: years("EUR DE", 9)}, sheet{dims: "unit=unit", fix: true, rows: years("USD DE", 9)},
			"the unit EUR",
		},
		{
			"a frequency of the periods is missing",
			sheet{rows: append(years("DE", 9), "DE 2020-Q1 1")}, sheet{rows: years("DE", 10)}, "the frequency quarterly",
		},
		{
			"a code of the frequency dimension is missing",
			sheet{dims: "freq=frequency", rows: append(years("A DE", 9), "Q DE 2020-Q1 1")}, sheet{dims: "freq=frequency", rows: years("A DE", 9)},
			"the frequency quarterly",
		},
		{
			"a part of the file and a value are missing",
			sheet{rows: years("DE", 12), parts: 4}, sheet{rows: years("DE", 11), parts: 3}, "1 of the 4 parts of the file",
		},
		{
			"all values in fewer parts",
			sheet{rows: years("DE", 12), parts: 4}, sheet{rows: years("DE", 13), parts: 3}, "",
		},
		{
			"fewer pages",
			sheet{rows: years("DE", 12), parts: 4, paged: true}, sheet{rows: years("DE", 11), parts: 1}, "",
		},
		{
			"everything is missing",
			sheet{dims: "sex unit=unit", unit: "Euro", parts: 2, rows: []string{"T EUR DE 2020 1", "T USD DE 2020-Q1 1", "T IDX DE 2021 2", "T PC DE 2021 3"}},
			sheet{dims: "unit=unit", parts: 1, rows: []string{"XDC DE 2020-01 1"}},
			"4 of 4 values (100.0 %), the dimension sex, the units EUR, IDX, PC, USD, Euro, the frequencies annual and quarterly and 1 of the 2 parts of the file",
		},
	})
}

func checkUpdates(t *testing.T, cases []update) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, store.Options{Dir: t.TempDir()})
			first := c.before.publish(t, s)
			got := c.after.publish(t, s)
			lacks := ""
			if got.Quarantined != nil {
				lacks = got.Quarantined.Lacks()
			}
			if want := c.lacks; !sameNames(lacks, want) || (got.Status == store.Quarantined) != (want != "") {
				t.Errorf("%s: lacks %q, want %q", got.Status, lacks, want)
			}
			if got.Status == store.Quarantined && got.Vintage.Version != first.Vintage.Version {
				t.Errorf("the current version is %s, want %s", got.Vintage.Version, first.Vintage.Version)
			}
		})
	}
}

// sameNames compares the words of two sentences, in any order.
func sameNames(a, b string) bool {
	words := func(text string) []string {
		list := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
		list = slices.DeleteFunc(list, func(word string) bool { return word == "and" })
		slices.Sort(list)
		return list
	}
	return slices.Equal(words(a), words(b))
}

// A restored vintage and an accepted import are not quarantined.
func TestPublishedByHand(t *testing.T) {
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
