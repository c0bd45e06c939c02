package transform_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// extractOf returns an extract of one area from a text: "2015 10, 2016 12 P". A value "-"
// is missing.
func extractOf(t testing.TB, text string) *stat.Extract {
	t.Helper()
	x := &stat.Extract{Dataset: &stat.Dataset{Unit: "Million euro", Geography: stat.Dimension{Codes: []stat.Code{{ID: "A", Label: "Austria"}}}}}
	b := &stat.Block{Key: []int32{}, Areas: []int32{0}, RowStart: []int32{0}}
	for i, cell := range strings.Split(text, ", ") {
		words := strings.Fields(cell)
		p, err := stat.ParsePeriod(words[0])
		if err != nil {
			t.Fatal(err)
		}
		v := math.NaN()
		if words[1] != "-" {
			fmt.Sscan(words[1], &v)
		}
		x.Periods = append(x.Periods, p)
		b.Periods, b.RowStart = append(b.Periods, int32(i)), append(b.RowStart, int32(i+1))
		b.Area, b.Value = append(b.Area, 0), append(b.Value, v)
		b.Flags, b.Note = append(b.Flags, stat.NewFlags(words[2:]...)), append(b.Note, "")
	}
	x.Blocks = func(yield func(*stat.Block, error) bool) { yield(b, nil) }
	return x
}

// write writes the blocks of an extract as extractOf reads them, with units.
func write(t testing.TB, x *stat.Extract) string {
	t.Helper()
	var text []string
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range b.Value {
			cell := fmt.Sprintf("%s %.6g", x.Periods[b.Periods[i]], v)
			if b.Flags[i] != "" {
				cell += " " + string(b.Flags[i])
			}
			text = append(text, cell)
		}
		text[len(text)-1] += " [" + b.Unit + "]"
	}
	return strings.Join(text, ", ")
}

func TestApply(t *testing.T) {
	for _, c := range []struct{ name, how, query, from, want string }{
		{"index", "index:2015", "", "2014 8, 2015 10, 2016 12", "2014 80, 2015 100, 2016 120 [2015 = 100]"},
		{"index of quarters at a year", "index:2015", "", "Q1/2015 9, Q2/2015 10, Q3/2015 10, Q4/2015 11, Q1/2016 12", "Q1/2015 90, Q2/2015 100, Q3/2015 100, Q4/2015 110, Q1/2016 120 [2015 = 100]"},
		{"index at an incomplete year", "index:2015", "", "Q1/2015 9, Q2/2015 10, Q3/2015 10, Q1/2016 12", ""},
		{"index at a quarter", "index:Q1/2016", "", "Q1/2015 9, Q1/2016 12", "Q1/2015 75, Q1/2016 100 [Q1/2016 = 100]"},
		{"index at a base outside of the selected periods", "index:2015", "2016", "2014 8, 2015 10, 2016 12", "2016 120 [2015 = 100]"},
		{"index at zero", "index:2015", "", "2015 0, 2016 12", ""},
		{"index of years and quarters", "index:2015", "", "2015 20, Q1/2015 5, Q2/2015 5, Q3/2015 5, Q4/2015 5, 2016 25, Q1/2016 6", "2015 100, 2016 125 [2015 = 100], Q1/2015 100, Q2/2015 100, Q3/2015 100, Q4/2015 100, Q1/2016 120 [2015 = 100]"},
		{"change", "change", "", "2014 3.2, 2015 3.3, 2016 3.1", "2015 0.1, 2016 -0.2 [Change on previous year, Million euro]"},
		{"change through zero", "change", "", "2014 1, 2015 -1, 2016 0", "2015 -2, 2016 1 [Change on previous year, Million euro]"},
		{"change over a gap", "change", "", "2013 1, 2014 2, 2016 5, 2017 7", "2014 1, 2017 2 [Change on previous year, Million euro]"},
		{"change after a missing value", "change", "", "2013 1, 2014 - M, 2015 5, 2016 7", "2014 NaN M, 2016 2 [Change on previous year, Million euro]"},
		{"change of five-yearly values", "change", "", "2010 1, 2015 2, 2020 5", ""},
		{"change of quarters over the year", "change", "", "Q4/2015 9, Q1/2016 12", "Q1/2016 3 [Change on previous quarter, Million euro]"},
		{"change of weeks", "change", "", "W53/2020 9, W01/2021 12", "W01/2021 3 [Change on previous week, Million euro]"},
		{"per cent", "percent", "", "2014 8, 2015 10, 2016 0, 2017 5", "2015 25, 2016 -100 [% change on previous year]"},
		{"per cent of negative values", "percent", "", "2014 8, 2015 -10, 2016 -12, 2017 5, 2018 6", "2018 20 [% change on previous year]"},
		{"per cent of months on the year", "percent-year", "", "01/2015 10, 02/2015 10, 01/2016 12", "01/2016 20 [% change on same month of previous year]"},
		{"per cent of days on the year", "percent-year", "", "28/02/2023 10, 29/02/2024 12, 28/02/2024 11", "28/02/2024 10 [% change on same day of previous year]"},
		{"per cent of a 53rd week on the year", "percent-year", "", "W52/2019 10, W52/2020 11, W53/2020 12", "W52/2020 10 [% change on same week of previous year]"},
		{"flags of both values", "percent", "", "2014 8 E, 2015 10 P, 2016 10", "2015 25 E P, 2016 0 P [% change on previous year]"},
		{"index at a base with flags", "index:2015", "", "2014 8 E, 2015 10 P, 2016 12", "2014 80 E P, 2015 100 P, 2016 120 P [2015 = 100]"},
		{"index at the first value after a break", "index:2015", "", "2014 8, 2015 10 B, 2016 12", "2014 80 B, 2015 100, 2016 120 [2015 = 100]"},
		{"index across a break", "index:2014", "", "2012 6 B, 2013 7, 2014 8, 2015 10, 2016 12 B, 2017 13", "2012 75, 2013 87.5, 2014 100, 2015 125, 2016 150 B, 2017 162.5 B [2014 = 100]"},
		{"index before a break", "index:2016", "", "2013 6, 2014 10 B, 2015 10, 2016 10", "2013 60 B, 2014 100, 2015 100, 2016 100 [2016 = 100]"},
		{"index at a mean that begins with a break", "index:2015", "", "Q4/2014 8, Q1/2015 10 B, Q2/2015 10, Q3/2015 10, Q4/2015 10", "Q4/2014 80 B, Q1/2015 100, Q2/2015 100, Q3/2015 100, Q4/2015 100 [2015 = 100]"},
		{"index across a break at a missing value", "index:2014", "", "2014 8, 2015 - B, 2016 12", "2014 100, 2015 NaN B, 2016 150 B [2014 = 100]"},
		{"index at a mean across a break", "index:2015", "", "Q1/2015 10, Q2/2015 10, Q3/2015 10 B, Q4/2015 10, Q1/2016 12", "Q1/2015 100 B, Q2/2015 100 B, Q3/2015 100 B, Q4/2015 100 B, Q1/2016 120 B [2015 = 100]"},
		{"per cent on the year across a break", "percent-year", "", "Q1/2015 10, Q2/2015 10, Q3/2015 10 B, Q4/2015 10, Q1/2016 12, Q2/2016 12, Q3/2016 12", "Q1/2016 20 B, Q2/2016 20 B, Q3/2016 20 [% change on same quarter of previous year]"},
		{"a break of years is none of quarters", "index:2015", "", "2015 10, Q1/2015 10, Q2/2015 10, Q3/2015 10, Q4/2015 10, 2016 12 B, Q1/2016 12", "2015 100, 2016 120 B [2015 = 100], Q1/2015 100, Q2/2015 100, Q3/2015 100, Q4/2015 100, Q1/2016 120 [2015 = 100]"},
		{"a break belongs to its own period", "percent", "", "2014 8, 2015 10 B, 2016 10", "2015 25 B, 2016 0 [% change on previous year]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			how, err := transform.Parse(c.how)
			if err != nil {
				t.Fatal(err)
			}
			q := stat.Query{Flags: true}
			if c.query != "" {
				q.Within, _ = stat.ParsePeriod(c.query)
			}
			if got := write(t, how.Apply(extractOf(t, c.from), q, words.In("")).Extract); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Lines in charts have breaks only where they are.
func TestOwnBreaks(t *testing.T) {
	how := transform.Transform{Kind: transform.Index, Base: stat.NewPeriod(stat.Annual, 2014, 1), OwnBreaks: true}
	const want = "2013 75, 2014 100 B, 2015 125 P, 2016 150 B [2014 = 100]"
	if got := write(t, how.Apply(extractOf(t, "2013 6, 2014 8 B, 2015 10 P, 2016 12 B"), stat.Query{Flags: true}, words.In("")).Extract); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The first and last values are those that can be derived.
func TestQuery(t *testing.T) {
	for _, kind := range []transform.Kind{transform.Index, transform.Percent, transform.PerCapita} {
		if q := (transform.Transform{Kind: kind}).Query(stat.Query{FirstN: 2, LastN: 3}); q.FirstN != 0 || q.LastN != 0 {
			t.Errorf("%s is derived from %d first and %d last values", kind, q.FirstN, q.LastN)
		}
	}
}

// Values that cannot be derived are counted.
func TestCounts(t *testing.T) {
	d := transform.Transform{Kind: transform.Percent}.Apply(extractOf(t, "2014 0, 2015 10, 2016 -1, 2017 3"), stat.Query{}, words.In(""))
	write(t, d.Extract)
	if d.Undefined != 3 {
		t.Errorf("%d undefined, want 3", d.Undefined)
	}
	d = transform.Transform{Kind: transform.Index, Base: stat.NewPeriod(stat.Annual, 2000, 1)}.Apply(extractOf(t, "2014 0, 2015 10"), stat.Query{}, words.In(""))
	write(t, d.Extract)
	if d.Unbased != 1 {
		t.Errorf("%d unbased, want 1", d.Unbased)
	}
	d = transform.Transform{Kind: transform.Change}.Apply(extractOf(t, "2012 1, 2013 2, 2015 3, 2016 -, 2017 4, 2018 5"), stat.Query{}, words.In(""))
	write(t, d.Extract)
	if d.Values != 5 || d.Gaps != 2 {
		t.Errorf("%d values, %d gaps, want 5 and 2", d.Values, d.Gaps)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"index:2015", "index:Q1/2015", "change", "percent", "percent-year"} {
		if how, err := transform.Parse(text); err != nil || how.String() != text {
			t.Errorf("%q is read as %q, %v", text, how, err)
		}
	}
	for _, text := range []string{"", "index", "index:", "index:x", "Percent", "log"} {
		if _, err := transform.Parse(text); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%q is read: %v", text, err)
		}
	}
}

// values draws the values of consecutive years, in text.
func years(t *rapid.T, value *rapid.Generator[float64]) (text string, values []float64) {
	values = rapid.SliceOfN(value, 2, 30).Draw(t, "values")
	for i, v := range values {
		text += fmt.Sprintf(", %d %v", 1990+i, v)
	}
	return text[2:], values
}

func derive(t *rapid.T, x *stat.Extract, kind transform.Kind) []float64 {
	how := transform.Transform{Kind: kind, Base: stat.NewPeriod(stat.Annual, 1990, 1)}
	var values []float64
	for b, err := range how.Apply(x, stat.Query{Flags: true}, words.In("")).Blocks {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, b.Value...)
	}
	return values
}

func isNear(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1) }

// An index has the ratios of the values, is the same whatever their unit, and has the
// same rates of change.
func TestIndexKeepsRatios(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text, values := years(r, rapid.Float64Range(.01, 1e9))
		index := derive(r, extractOf(t, text), transform.Index)
		indexText := ""
		for i, v := range index {
			if !isNear(v*values[0], 100*values[i]) {
				r.Fatalf("index %v of %v to %v", v, values[i], values[0])
			}
			indexText += fmt.Sprintf(", %d %v", 1990+i, v)
		}
		before, after := derive(r, extractOf(t, text), transform.Percent), derive(r, extractOf(t, indexText[2:]), transform.Percent)
		for i := range before {
			if !isNear(before[i], after[i]) {
				r.Fatalf("%v %% of the values, %v %% of their index", before[i], after[i])
			}
		}
	})
}

// A constant does not change.
func TestConstant(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text, _ := years(r, rapid.Just(rapid.Float64Range(.01, 1e9).Draw(r, "constant")))
		for _, kind := range []transform.Kind{transform.Change, transform.Percent, transform.PercentYear} {
			for _, v := range derive(r, extractOf(t, text), kind) {
				if v != 0 {
					r.Fatalf("%s of a constant is %v", kind, v)
				}
			}
		}
	})
}

// Changes add up to the difference between the last and the first value.
func TestChangesAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		whole := rapid.Map(rapid.IntRange(-1e9, 1e9), func(n int) float64 { return float64(n) / 100 })
		text, values := years(r, whole)
		sum := 0.0
		for _, v := range derive(r, extractOf(t, text), transform.Change) {
			sum += v
		}
		if want := values[len(values)-1] - values[0]; math.Abs(sum-want) > 1e-6 {
			r.Fatalf("the changes add up to %v, want %v", sum, want)
		}
	})
}
