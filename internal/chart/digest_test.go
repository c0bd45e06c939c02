package chart_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// fullSpec returns a Spec with every field set.
func fullSpec() *chart.Spec {
	return &chart.Spec{
		Dataset: 7, Type: chart.Line, Width: 640, Height: 360,
		Title: "Töten \"&\" <b>", Name: "n", Subtitle: "s", Source: "o", Notes: []string{"a", "b"}, Aside: "l\nr", Unit: "%", Mixed: true, Period: "2024",
		Periods:    []stat.Period{stat.NewPeriod(stat.Annual, 1999, 1), stat.NewPeriod(stat.Quarter, 2000, 3), stat.NewDay(2000, 12, 31)},
		Categories: []chart.Category{{Label: "Germany", Area: "DE", Colour: "red"}, {Label: "EU", Area: "EU27_2020", Group: true}},
		Series: []chart.Series{
			{Key: "a", Label: "A", Colour: "#c00", Group: true, Focus: true, Values: chart.Values{1, math.NaN(), -0.1}, Flags: []stat.Flags{"P", "", "B P"}},
			{Key: "b", Label: "b", Values: chart.Values{1e-9, 1e15, math.MaxFloat64}},
		},
		HighlightLatest: true, HasWhole: true, ShowValues: true, ShowBorders: true, ShowLegend: true,
		Region: "europe", Transform: chart.Transform{X: 1.5, Y: -2, Scale: 3},
	}
}

// specsEqual compares Specs; NaN equals NaN.
var specsEqual = cmp.Options{cmpopts.EquateNaNs(), cmpopts.IgnoreUnexported(chart.Spec{}), cmp.Comparer(func(a, b stat.Period) bool { return a == b })}

// A decoded Spec equals the encoded one, including NaN: a picture depends on nothing
// but the stored Spec.
func TestDecodedSpecIsEqual(t *testing.T) {
	for _, s := range []*chart.Spec{fullSpec(), {}, {Series: []chart.Series{{Values: chart.Values{}}}}} {
		text, digest := s.Encode()
		decoded, err := chart.Decode(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, decoded, specsEqual, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the decoded Spec differs (-encoded +decoded):\n%s", diff)
		}
		if _, again := decoded.Encode(); again != digest {
			t.Errorf("the digest is %s, that of the decoded Spec %s", digest, again)
		}
	}
	if _, err := chart.Decode([]byte(`{"Type": 1}`), nil); err == nil {
		t.Error("Decode accepted an invalid Spec")
	}
}

// A picture with other outlines has another address, and without its outlines it cannot be
// drawn.
func TestOutlinesAreInTheDigest(t *testing.T) {
	s := &chart.Spec{Type: chart.Map}
	_, before := s.Encode()
	s.Outlines = "us"
	text, after := s.Encode()
	if before == after {
		t.Error("the digest does not depend on the outlines")
	}
	if decoded, err := chart.Decode(text, nil); err != nil || decoded.Set().Name() != "us" {
		t.Errorf("the decoded Spec has other outlines (%v)", err)
	}
	s.Outlines = "nuts 12345678"
	text, _ = s.Encode()
	if _, err := chart.Decode(text, nil); stat.KindOf(err) != stat.NotFound {
		t.Errorf("got the error %v for outlines that are gone, want NotFound", err)
	}
}

func TestValuesAreEncodedExactly(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), rapid.Just(math.NaN()))).Draw(rt, "values")
		s := &chart.Spec{Series: []chart.Series{{Values: values}}}
		text, _ := s.Encode()
		decoded, err := chart.Decode(text, nil)
		if err != nil {
			rt.Fatal(err)
		}
		for i, v := range values {
			if got := decoded.Series[0].Values[i]; got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
				rt.Fatalf("%v became %v", v, got)
			}
		}
	})
}

// The digest of a Spec is the same in every build, so that the same request for the same
// version of the data gives the same address. If it changes, all pictures get new
// addresses.
func TestDigest(t *testing.T) {
	_, digest := fullSpec().Encode()
	const want = "1f4238c452035e0ad67d4077f3680ca2"
	if digest != want {
		t.Errorf("the digest is %s, want %s", digest, want)
	}
	// Every change of the Spec changes the digest.
	seen := map[string]bool{digest: true}
	for i, change := range []func(*chart.Spec){
		func(s *chart.Spec) { s.Dataset++ }, func(s *chart.Spec) { s.Type = chart.Bar }, func(s *chart.Spec) { s.Width++ }, func(s *chart.Spec) { s.Height++ },
		func(s *chart.Spec) { s.Title += "." }, func(s *chart.Spec) { s.Subtitle += "." }, func(s *chart.Spec) { s.Source += "." }, func(s *chart.Spec) { s.Notes[1] = "c" },
		func(s *chart.Spec) { s.Aside = "" }, func(s *chart.Spec) { s.Unit = "" }, func(s *chart.Spec) { s.Mixed = false }, func(s *chart.Spec) { s.Period = "" },
		func(s *chart.Spec) { s.Periods[0] = stat.NewPeriod(stat.Annual, 1998, 1) }, func(s *chart.Spec) { s.Categories[0].Label = "DE" }, func(s *chart.Spec) { s.Categories[0].Colour = "" },
		func(s *chart.Spec) { s.Series[0].Values[1] = 0 }, func(s *chart.Spec) { s.Series[0].Values[2] = -0.1000000000000001 }, func(s *chart.Spec) { s.Series[0].Flags[0] = "" },
		func(s *chart.Spec) { s.Series[1].Label = "B" }, func(s *chart.Spec) { s.Series[1].Colour = "red" }, func(s *chart.Spec) { s.Series[1].Focus = true },
		func(s *chart.Spec) { s.HighlightLatest = false }, func(s *chart.Spec) { s.HasWhole = false }, func(s *chart.Spec) { s.ShowValues = false }, func(s *chart.Spec) { s.ShowBorders = false }, func(s *chart.Spec) { s.ShowLegend = false },
		func(s *chart.Spec) { s.Region = "" }, func(s *chart.Spec) { s.Transform.X = 0 }, func(s *chart.Spec) { s.Transform.Scale = 1 },
	} {
		s := fullSpec()
		change(s)
		_, digest := s.Encode()
		if seen[digest] {
			t.Errorf("change %d gives the digest of another Spec", i)
		}
		seen[digest] = true
	}
}

// extractOf returns an extract of one series in one area.
func extractOf(values ...float64) *stat.Extract {
	d := &stat.Dataset{Name: "d", Geography: stat.Dimension{Codes: []stat.Code{{ID: "DE", Label: "Germany", Area: "DE"}}}, Dimensions: []stat.Dimension{{ID: "x", Label: "X", Codes: []stat.Code{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}}}}}
	x := &stat.Extract{Dataset: d}
	b := &stat.Block{Key: []int32{0}, Areas: []int32{0}, RowStart: []int32{0}}
	for i := range values {
		x.Periods = append(x.Periods, stat.NewPeriod(stat.Annual, 1990+i, 1))
		b.Periods = append(b.Periods, int32(i))
		b.Area = append(b.Area, 0)
		b.RowStart = append(b.RowStart, int32(i+1))
	}
	b.Value = values
	x.Blocks = func(yield func(*stat.Block, error) bool) { yield(b, nil) }
	return x
}

// New rejects invalid input, including some that no request can cause.
func TestNewRejects(t *testing.T) {
	options := chart.DefaultOptions()
	options.Type = chart.Line
	for _, c := range []struct {
		what string
		x    *stat.Extract
		edit func(*chart.Options)
		want string // part of the error; empty for none
	}{
		{"an infinite value", extractOf(1, math.Inf(1)), nil, "infinite value for Germany in 1991"},
		{"only missing values", extractOf(math.NaN()), nil, "holds no data"},
		{"an empty extract", extractOf(), nil, "holds no data"},
		{"an unknown type", extractOf(1), func(o *chart.Options) { o.Type = "pie" }, `"pie"`},
		{"a transform of NaN", extractOf(1), func(o *chart.Options) { o.Transform.X = math.NaN() }, "mapTransform"},
		{"a transform of NaN", extractOf(1), func(o *chart.Options) { o.Transform.Scale = math.NaN() }, "mapTransform"},
		{"an infinite transform", extractOf(1), func(o *chart.Options) { o.Transform.Y = math.Inf(-1) }, "mapTransform"},
		{"an unknown region", extractOf(1), func(o *chart.Options) { o.Region = "atlantis" }, "mapLocation"},
		{"a width without height", extractOf(1), func(o *chart.Options) { o.Height = 0 }, "between 100 and 4096"},
		{"two periods in one bar", extractOf(1, 2), func(o *chart.Options) { o.Type = chart.HorizontalBar }, ""},
		{"more values than a picture can show", extractOf(make([]float64, 500_001)...), nil, "more than 500000 values"},
	} {
		o := options
		if c.edit != nil {
			c.edit(&o)
		}
		s, err := chart.New(c.x, stat.Query{}, o, time.Time{})
		if c.want == "" {
			if err != nil || s == nil {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		if err == nil || stat.KindOf(err) != stat.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want an invalid request that contains %q", c.what, err, c.want)
		}
	}
}

// Requests for the same picture have the same address, if a default is written out or a colour has
// several ways to write it.
func TestDigestOfDefaults(t *testing.T) {
	v := vintageOf(t, "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Prices\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nGB,2020,108\nGB,2021,111\nGB,2022,112")
	digest := func(query string) string {
		c, err := request.BindChart(query)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		_, digest := s.Encode()
		return digest
	}
	plain := digest("")
	for query, isSame := range map[string]bool{
		"curve=smooth": true, "curve=straight": false, "background=white": true, "background=%23FFF": true, "background=transparent": false, "background=black": false,
		"theme=print&background=white": false, "theme=light": false,
	} {
		if got := digest(query); (got == plain) != isSame {
			t.Errorf("%s: the digest is %s, that without it %s", query, got, plain)
		}
	}
	if digest("theme=print&background=white") != digest("theme=print") || digest("background=%23ABC") != digest("background=%23aabbcc") {
		t.Error("the digest depends on how a colour is written")
	}
}
