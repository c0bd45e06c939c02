package request_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/property"
	"almanac/internal/store"
)

// wideTable is a dataset of two dimensions, six areas and five years in which a
// part of the observations is missing.
func wideTable() string {
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,eurostat,Invented office\n#dataset,t,Table\n#updated,2024-01-01\n")
	codes := map[string][]string{"sex": {"T", "F", "M"}, "age": {"TOTAL", "Y15", "Y65", "OLD"}, "geo": {"DE", "EL", "UK", "FR", "IT", "EU27_2020"}}
	for _, axis := range []string{"sex", "age", "geo"} {
		role := "dimension"
		if axis == "geo" {
			role = "geography"
		}
		fmt.Fprintf(&b, "#%s,%s,The %s\n", role, axis, axis)
		for _, code := range codes[axis] {
			fmt.Fprintf(&b, "#code,%s,Label of %s\n", code, code)
		}
	}
	b.WriteString("sex,age,geo,TIME_PERIOD,OBS_VALUE\n")
	n := 0
	for _, sex := range codes["sex"] {
		for _, age := range codes["age"] {
			for _, geo := range codes["geo"] {
				for year := 2018; year < 2023; year++ {
					if n++; n*n%7 < 3 {
						fmt.Fprintf(&b, "%s,%s,%s,%d,%d\n", sex, age, geo, year, n)
					}
				}
			}
		}
	}
	return b.String()
}

// found is an observation of an extract, with its codes.
type found struct {
	at     [3]string
	period string
	value  float64
}

// allOf returns the observations of a query, in order.
func allOf(t rapid.TB, v *store.Vintage, q stat.Query) []found {
	t.Helper()
	extract, err := v.Select(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []found
	for b, err := range extract.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Periods {
			for cell := b.RowStart[row]; cell < b.RowStart[row+1]; cell++ {
				axes := v.Dataset.Axes()
				all = append(all, found{
					at:     [3]string{axes[0].Codes[b.Key[0]].ID, axes[1].Codes[b.Key[1]].ID, axes[2].Codes[b.Areas[b.Area[cell]]].ID},
					period: extract.Periods[b.Periods[row]].String(), value: b.Value[cell],
				})
			}
		}
	}
	return all
}

// anyCodes generates a choice of codes of an axis, nil for none; some of them
// may be gone from the dataset.
func anyCodes(rt *rapid.T, name string, axis *stat.Dimension, gone ...string) []string {
	if rapid.Bool().Draw(rt, name+" open") {
		return nil
	}
	var ids []string
	for _, c := range axis.Codes {
		ids = append(ids, c.ID)
	}
	return rapid.SliceOfN(rapid.SampledFrom(append(ids, gone...)), 1, 6).Draw(rt, name)
}

// selection is a request and a followed selection.
type selection struct {
	filters  [3][]string // codes of each axis; nil: all
	from, to int         // years
	latest   bool
	followed stat.Selection
}

func anySelection(rt *rapid.T, axes []*stat.Dimension) selection {
	w := selection{followed: stat.Selection{}}
	for i, axis := range axes {
		w.filters[i] = anyCodes(rt, "filter "+axis.ID, axis)
		if codes := anyCodes(rt, "followed "+axis.ID, axis, "GONE", "GONE TOO"); codes != nil {
			w.followed[axis.ID] = codes
		}
	}
	w.from = rapid.IntRange(2017, 2022).Draw(rt, "from")
	w.to = rapid.IntRange(w.from, 2023).Draw(rt, "to")
	w.latest = rapid.Bool().Draw(rt, "latest")
	return w
}

// of returns the observations that match a selection, by testing each.
func (w *selection) of(all []found, axes []*stat.Dimension) []found {
	var want []found
	latest := ""
	for _, o := range all {
		isSelected := o.period >= fmt.Sprint(w.from) && o.period <= fmt.Sprint(w.to)
		for i, axis := range axes {
			followed := w.followed[axis.ID]
			isSelected = isSelected && (w.filters[i] == nil || slices.Contains(w.filters[i], o.at[i]))
			isSelected = isSelected && (followed == nil || slices.Contains(followed, o.at[i]))
		}
		if isSelected {
			want = append(want, o)
			latest = max(latest, o.period)
		}
	}
	if w.latest {
		want = slices.DeleteFunc(want, func(o found) bool { return o.period != latest })
	}
	return want
}

// docs/api.md, What an organisation follows: followed=true combines with every other
// filter. The result is exactly what both select; with latest=true, only its most recent
// period.
func TestFollowedCombinesWithEveryFilter(t *testing.T) {
	v := openAfter(t, wideTable())
	axes := v.Dataset.Axes()
	all := allOf(t, v, stat.Query{})
	some := 0
	for range stattest.Rounds(t, 1, 100) {
		property.Check(t, func(rt *rapid.T) {
			w := anySelection(rt, axes)
			p := request.Data{Country: w.filters[2], PeriodFrom: fmt.Sprint(w.from), PeriodTo: fmt.Sprint(w.to), Latest: w.latest}
			p.Dims[0], p.Dims[1] = w.filters[0], w.filters[1]
			q, _, err := request.Parse(v, &p, nil)
			if err != nil {
				rt.Fatal(err)
			}
			q, _ = request.Restrict(v, q, w.followed)
			want := w.of(all, axes)
			if diff := cmp.Diff(want, allOf(rt, v, q), cmp.AllowUnexported(found{})); diff != "" {
				rt.Fatalf("%+v: %s", w, diff)
			}
			some += len(want)
		})
	}
	if some == 0 {
		t.Error("no query selected anything, so the test proves nothing")
	}
}

// HasData agrees with a test of every observation.
func TestHasData(t *testing.T) {
	v := openAfter(t, wideTable())
	all := allOf(t, v, stat.Query{})
	property.Check(t, func(rt *rapid.T) {
		w := selection{from: 2018, to: 2022, followed: stat.Selection{}}
		for _, axis := range v.Dataset.Axes() {
			if codes := anyCodes(rt, axis.ID, axis, "GONE"); codes != nil {
				w.followed[axis.ID] = codes[:1]
			}
		}
		want := len(w.of(all, v.Dataset.Axes())) > 0
		if got, err := request.HasData(context.Background(), v, w.followed); got != want || err != nil {
			rt.Fatalf("%v has values: %v, %v", w.followed, got, err)
		}
	})
}

// The description of a selection has every stored code under distinct names, whatever is
// gone, so that reading a selection and setting it again loses nothing silently.
func TestDescribeSelectionIsComplete(t *testing.T) {
	v := openTable(t)
	ids := rapid.SampledFrom([]string{"sex", "unit", "geo", "age", "dim1", "dim2", "country", "Country", "dim1 "})
	codes := rapid.SliceOfN(rapid.SampledFrom([]string{"T", "F", "DE", "GONE"}), 1, 4)
	property.Check(t, func(rt *rapid.T) {
		followed := stat.Selection(rapid.MapOf(ids, codes).Draw(rt, "followed"))
		for _, v := range []*store.Vintage{v, nil} {
			var want, got []string
			for _, codes := range followed {
				want = append(want, strings.Join(codes, " "))
			}
			names := map[string]bool{}
			for _, part := range request.DescribeSelection(v, followed) {
				got = append(got, strings.Join(part.Codes, " "))
				if names[part.Param] || len(part.Labels) != len(part.Codes) {
					rt.Fatalf("%v: a part is %+v", followed, part)
				}
				names[part.Param] = true
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatalf("%v: %s", followed, diff)
			}
		}
	})
}
