package store_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// newBuilder returns a builder of a dataset with one dimension and one area.
func newBuilder(s *store.Store) *store.Builder {
	return s.NewBuilder(&stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: "parts", Name: "Parts",
		Dimensions: []stat.Dimension{{ID: "item", Label: "Item", Role: stat.RoleOther, Codes: []stat.Code{{ID: "A", Label: "A"}, {ID: "B", Label: "B"}}}},
		Geography:  stat.Dimension{ID: "geo", Label: "Area", Role: stat.RoleGeo, Codes: []stat.Code{{ID: "DE", Label: "Germany", Area: "DE"}}},
	})
}

// add adds observations to a builder, written "A 2024 = 1.5".
func add(t *testing.T, b *store.Builder, frequency stat.Frequency, observations ...string) {
	t.Helper()
	for i, text := range observations {
		var item, period string
		var value float64
		if _, err := fmt.Sscanf(text, "%s %s = %g", &item, &period, &value); err != nil {
			t.Fatal(err)
		}
		p, err := stat.ParsePeriod(period)
		if err != nil {
			t.Fatal(err)
		}
		o := stat.Observation{Key: []int32{int32(item[0] - 'A'), 0}, Period: p, Value: value, Frequency: frequency, At: stat.Position{Line: i + 1, Column: 1}}
		if err := b.Add(o); err != nil {
			t.Fatal(err)
		}
	}
}

// finish turns a builder into a draft.
func finish(t *testing.T, b *store.Builder) *store.Draft {
	t.Helper()
	draft, err := b.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	return draft
}

// stored publishes a draft and returns the stored observations: "A 2024 = 1.5".
func stored(t *testing.T, s *store.Store, draft *store.Draft) []string {
	t.Helper()
	r, err := draft.Publish(t.Context(), store.PublishOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Vintage(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Select(t.Context(), stat.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		for row, p := range b.Periods {
			for _, value := range b.Value[b.RowStart[row]:b.RowStart[row+1]] {
				lines = append(lines, fmt.Sprintf("%s %s = %v", x.Dataset.Dimensions[0].Codes[b.Key[0]].ID, x.Periods[p], value))
			}
		}
	}
	return lines
}

// Of several parts with the same observation, the one prepared last has precedence,
// in whatever order they are added. The others are counted as superseded.
func TestLaterPartHasPrecedence(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	b := newBuilder(s)
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	add(t, b, 0, "A 2023 = 30", "A 2024 = 31")
	b.EndPart("third", day.AddDate(0, 2, 0))
	add(t, b, 0, "A 2023 = 10", "B 2023 = 11")
	b.EndPart("first", day)
	add(t, b, 0, "A 2023 = 20", "B 2023 = 21", "B 2024 = 21")
	b.EndPart("second", day.AddDate(0, 1, 0))
	draft := finish(t, b)
	got := stored(t, s, draft)
	want := []string{"A 2023 = 30", "A 2024 = 31", "B 2023 = 21", "B 2024 = 21"}
	if !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
	if d := draft.Superseded; d.Count != 3 || d.Example == "" {
		t.Errorf("%d superseded (%s), want 3 and an example", d.Count, d.Example)
	}
	if n := draft.Doubled.Count; n != 0 {
		t.Errorf("%d doubled, want none", n)
	}
}

// Within one part, and between parts prepared at one time, an equal observation is
// counted as doubled, and a different value is an error that names both places.
func TestEqualPartsMustAgree(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	b := newBuilder(s)
	add(t, b, 0, "A 2023 = 1")
	b.EndPart("a.xml", time.Time{})
	add(t, b, 0, "A 2023 = 1", "B 2023 = 2")
	b.EndPart("b.xml", time.Time{})
	draft := finish(t, b)
	if got := stored(t, s, draft); len(got) != 2 {
		t.Errorf("stored %v", got)
	}
	if n := draft.Doubled.Count; n != 1 {
		t.Errorf("%d doubled, want 1", n)
	}
	for _, prepared := range []time.Time{{}, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)} {
		b = newBuilder(s)
		add(t, b, 0, "A 2023 = 1")
		b.EndPart("a.xml", prepared)
		add(t, b, 0, "A 2023 = 2")
		b.EndPart("b.xml", time.Time{})
		const both = "the value 2 in b.xml conflicts with the value 1 at line 1, column 1 of a.xml, for the same series and period"
		if _, err := b.Finish(nil); err == nil || !strings.Contains(err.Error(), both) {
			t.Errorf("error %v, want one that names both places", err)
		}
	}
}

// A builder to which another one is appended holds the same observations as if they
// had been added to it, under its own code positions.
func TestAppend(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	b, other := newBuilder(s), newBuilder(s)
	add(t, b, 0, "A 2023 = 1")
	b.EndPart("one", time.Time{})
	add(t, other, stat.Month, "A 31/01/2024 = 2", "B 29/02/2024 = 3")
	other.EndPart("two", time.Time{})
	if err := b.Append(other, [][]int32{{1, 0}, {0}}); err != nil {
		t.Fatal(err)
	}
	got, want := stored(t, s, finish(t, b)), []string{"A 2023 = 1", "A 29/02/2024 = 3", "B 01/2024 = 2"}
	if !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
}

// Dates with a stated coarser frequency become periods of that frequency if every date
// of the series is the first day of one, or every date the last, and no two dates are
// in the same period.
func TestDatesOfCoarserFrequency(t *testing.T) {
	for _, c := range []struct {
		rule  string
		f     stat.Frequency
		dates []string
		want  []string
	}{
		{"first days of months", stat.Month, []string{"A 01/01/2024 = 1", "A 01/02/2024 = 2"}, []string{"A 01/2024 = 1", "A 02/2024 = 2"}},
		{"last days of months", stat.Month, []string{"A 31/01/2024 = 1", "A 29/02/2024 = 2"}, []string{"A 01/2024 = 1", "A 02/2024 = 2"}},
		{"last days of quarters", stat.Quarter, []string{"A 31/03/2024 = 1", "A 30/06/2024 = 2"}, []string{"A Q1/2024 = 1", "A Q2/2024 = 2"}},
		{"Sundays of weeks", stat.Week, []string{"A 07/01/2024 = 1"}, []string{"A W01/2024 = 1"}},
		{"last days of years", stat.Annual, []string{"A 31/12/2023 = 1"}, []string{"A 2023 = 1"}},
		{"first and last days mixed", stat.Month, []string{"A 01/01/2024 = 1", "A 29/02/2024 = 2"}, []string{"A 01/01/2024 = 1", "A 29/02/2024 = 2"}},
		{"another day among them", stat.Month, []string{"A 31/01/2024 = 1", "A 28/02/2024 = 2"}, []string{"A 31/01/2024 = 1", "A 28/02/2024 = 2"}},
		{"one series of two", stat.Month, []string{"A 31/01/2024 = 1", "B 15/01/2024 = 2"}, []string{"A 01/2024 = 1", "B 15/01/2024 = 2"}},
		{"daily stays daily", stat.Day, []string{"A 31/01/2024 = 1"}, []string{"A 31/01/2024 = 1"}},
		{"nothing stated", 0, []string{"A 31/01/2024 = 1"}, []string{"A 31/01/2024 = 1"}},
		{"a month among the dates", stat.Month, []string{"A 31/01/2024 = 1", "A 02/2024 = 2"}, []string{"A 31/01/2024 = 1", "A 02/2024 = 2"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := open(t, store.Options{Dir: t.TempDir()})
			b := newBuilder(s)
			add(t, b, c.f, c.dates...)
			draft := finish(t, b)
			if got := stored(t, s, draft); !slices.Equal(got, c.want) {
				t.Errorf("stored %v, want %v", got, c.want)
			}
			if got := draft.Summary().Periods; len(got) > len(c.want) {
				t.Errorf("periods %v, want those of %v", got, c.want)
			}
		})
	}
}

// A part can create a dataset but not replace one; the same part
// again changes nothing.
func TestPartDoesNotReplace(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	publishPart := func(value float64) (store.Result, error) {
		b := newBuilder(s)
		add(t, b, 0, fmt.Sprintf("A 2023 = %g", value))
		return finish(t, b).Publish(t.Context(), store.PublishOptions{CreateOnly: true})
	}
	for _, c := range []struct {
		value float64
		want  store.Status
	}{{1, store.Created}, {1, store.Unchanged}, {2, ""}} {
		r, err := publishPart(c.value)
		if r.Status != c.want || (err != nil) != (c.want == "") {
			t.Errorf("publishing %v: %v, error %v; want %q", c.value, r.Status, err, c.want)
		}
		if err != nil && stat.KindOf(err) != stat.Refused {
			t.Errorf("error %v is not a refusal", err)
		}
	}
}

// The summary of a draft counts what was added.
func TestSummary(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	b := newBuilder(s)
	year := stat.NewPeriod(stat.Annual, 2024, 1)
	for i, o := range []stat.Observation{
		{Value: 1, Flags: "E P"}, {Value: math.NaN(), Flags: "M"}, {Value: 3, Note: "see there"},
	} {
		o.Key, o.Period, o.At = []int32{int32(i % 2), 0}, stat.NewPeriod(stat.Annual, 2020+i, 1), stat.Position{Line: i + 1}
		if err := b.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	got := finish(t, b).Summary()
	if got.Series != 2 || got.Observations != 2 || len(got.Periods) != 3 || got.Notes != 1 || got.Periods[0] == year ||
		got.Flags["E"] != 1 || got.Flags["P"] != 1 || got.Flags["M"] != 1 {
		t.Errorf("%+v", got)
	}
}

// A dimension becomes the geography, and the previous geography a dimension at its
// place in the source's order, as if the file had been read that way; observations
// added later belong to the same series.
func TestSetGeography(t *testing.T) {
	for _, c := range []struct {
		geography  string // ID of the geography that the file has; "" is none
		key, after []int32
		want       string
	}{
		{"area", []int32{1, 1, 1}, []int32{1, 1, 1}, "item=B area=DE, geography country=FR at 2"},
		{"", []int32{1, 0, 0}, []int32{1, 0}, "item=B, geography country=AT at 1"},
	} {
		s := open(t, store.Options{Dir: t.TempDir()})
		codes := func(ids ...string) (list []stat.Code) {
			for _, id := range ids {
				list = append(list, stat.Code{ID: id, Label: id, Area: id})
			}
			return list
		}
		d := &stat.Dataset{
			Source: stat.Source{ID: "test", Name: "Test office"}, Code: "geography", Name: "Geography",
			Dimensions: []stat.Dimension{
				{ID: "item", Label: "Item", Role: stat.RoleOther, Codes: codes("A", "B")},
				{ID: "country", Label: "Country", Role: stat.RoleOther, Codes: codes("AT", "FR")},
			},
		}
		if c.geography != "" {
			d.Geography, d.GeographyAt = stat.Dimension{ID: c.geography, Label: "Area", Role: stat.RoleGeo, Codes: codes("BE", "DE")}, 1
		}
		b := s.NewBuilder(d)
		o := stat.Observation{Key: c.key, Period: stat.NewPeriod(stat.Annual, 2024, 1), Value: 1, Unit: "EUR", At: stat.Position{Line: 1}}
		if err := b.Add(o); err != nil {
			t.Fatal(err)
		}
		b.SetGeography(1)
		o.Key = c.after
		if err := b.Add(o); err != nil { // the same series, so doubled
			t.Fatal(err)
		}
		draft := finish(t, b)
		var got string
		for _, dim := range draft.Dataset.Dimensions {
			got += dim.ID + "=" + dim.Codes[0].ID + " "
		}
		got = strings.TrimSpace(got) + fmt.Sprintf(", geography %s=%s at %d", d.Geography.ID, d.Geography.Codes[0].ID, d.GeographyAt)
		if got != c.want || draft.Doubled.Count != 1 || d.Geography.Role != stat.RoleGeo {
			t.Errorf("%s, %d doubled; want %s and 1", got, draft.Doubled.Count, c.want)
		}
	}
}
