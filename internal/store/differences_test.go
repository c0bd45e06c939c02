package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// A version says what it changed besides observations, and the differences between two versions
// say it one by one.
func TestDifferences(t *testing.T) {
	rows := []string{"GDP T DE 2020 1", "POP T FR 2020 2"}
	before := sheet{dims: "item sex", unit: "Euro", rows: rows}
	cases := []struct {
		name    string
		after   sheet
		edit    func(*stat.Dataset)
		changed string
		list    []string
		revised int
	}{
		{
			"a label of a code", before, func(d *stat.Dataset) { d.Dimensions[0].Codes[0].Label = "Product" },
			"labels", []string{"labels label item GDP: GDP → Product"}, 0,
		},
		{
			"a label with its code, because another code had it first", before, func(d *stat.Dataset) {
				d.Dimensions[0].Codes[0].Label, d.Dimensions[0].Codes[0].SourceLabel = "Product [GDP]", "Product"
			},
			"labels", []string{"labels label item GDP: GDP → Product [GDP]", "labels source_label item GDP: GDP → Product"}, 0,
		},
		{
			"a label of an area and of a dimension", before, func(d *stat.Dataset) { d.Geography.Label, d.Geography.Codes[1].Label = "Country", "France" },
			"labels", []string{"labels label geo : Area → Country", "labels label geo FR: FR → France"}, 0,
		},
		{
			"metadata", before, func(d *stat.Dataset) { d.Name, d.Licence = "Accounts", "CC BY 4.0" },
			"metadata", []string{"metadata name  : Sheet → Accounts", "metadata licence  :  → CC BY 4.0"}, 0,
		},
		{
			"the unit of the dataset", before, func(d *stat.Dataset) { d.Unit = "1000 Euro" },
			"units", []string{"units unit  : Euro → 1000 Euro"}, 2,
		},
		{
			"the unit of one code", before, func(d *stat.Dataset) { d.Dimensions[0].Codes[1].Unit = "Persons" },
			"units", []string{"units unit item POP:  → Persons"}, 1,
		},
		{"the same unit stated for each series", sheet{dims: "item sex", unit: "Euro", each: "Euro", rows: rows}, nil, "", nil, 0},
		{"another unit stated for each series", sheet{dims: "item sex", unit: "Euro", each: "US dollar", rows: rows}, nil, "units", nil, 2},
		{
			"the order of dimensions", sheet{dims: "sex item", unit: "Euro", rows: []string{"T GDP DE 2020 1", "T POP FR 2020 2"}}, nil,
			"structure", []string{"structure dimensions  : geo, item, sex → geo, sex, item"}, 0,
		},
		{
			"the hierarchy", before, func(d *stat.Dataset) { d.Dimensions[0].Codes[1].Parents = []string{"GDP"} },
			"structure", []string{"structure parents item POP:  → GDP"}, 0,
		},
		{
			"a new code", sheet{dims: "item sex", unit: "Euro", rows: append(slices.Clone(rows), "POP T IT 2020 -")}, nil,
			"structure", []string{"structure code geo IT:  → IT"}, 0,
		},
		{
			"texts in another language", before, func(d *stat.Dataset) {
				d.Translation("de").Name = "Tabelle"
				d.Translation("de").Dimension("geo").Codes["DE"] = "Deutschland"
			},
			"labels metadata", []string{"metadata name  : → Tabelle in de", "labels label geo DE: → Deutschland in de"}, 0,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, store.Options{Dir: t.TempDir()})
			before.publish(t, s)
			draft := c.after.draft(t, s)
			if c.edit != nil {
				c.edit(draft.Dataset)
			}
			r, err := draft.Publish(t.Context(), store.PublishOptions{Accept: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != store.Updated && c.changed != "" {
				t.Fatalf("the result is %s", r.Status)
			}
			list, err := s.Versions(t.Context(), r.ID)
			if err != nil {
				t.Fatal(err)
			}
			last := list[len(list)-1]
			if string(last.Changed) != c.changed || last.Revised != c.revised {
				t.Errorf("changed is %q with %d revised, want %q with %d", last.Changed, last.Revised, c.changed, c.revised)
			}
			checkDifferences(t, s, r.ID, c.list, c.revised)
		})
	}
}

func checkDifferences(t *testing.T, s *store.Store, id int, want []string, revised int) {
	t.Helper()
	now, err := s.Vintage(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	old, err := s.VintageAt(t.Context(), id, store.At{Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := store.Differences(t.Context(), old, now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		text := fmt.Sprintf("%s %s %s %s: %s → %s", d.Kind, d.Member, d.Dimension, d.Code, d.Old, d.New)
		if d.Language != "" {
			text = strings.Replace(text, ":  →", ": →", 1) + " in " + d.Language
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the differences are %q, want %q", got, want)
	}
	counts, err := s.Revisions(context.Background(), store.Side{Vintage: old}, store.Side{Vintage: now}, nil, func(r *store.Revision) {
		if r.Kind == store.Revised && (r.OldUnit == "" && r.Unit != "Persons" && r.Unit != "US dollar" && r.Unit != "1000 Euro" || r.OldUnit == r.Unit) {
			t.Errorf("the unit of a revision is %q, before %q", r.Unit, r.OldUnit)
		}
	})
	if err != nil || counts.Revised != revised || counts.Units != revised {
		t.Errorf("%+v, %v; want %d revised", counts, err, revised)
	}
}
