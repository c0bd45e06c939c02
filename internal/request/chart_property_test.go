package request_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart"
	"almanac/internal/chart/layout"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// oddTexts are unusual texts that callers may send.
var oddTexts = []string{
	"", " ", "Germany", "Total", "x\x00y", "\u202eright to left", "a\nb\tc", strings.Repeat("long title ", 200), strings.Repeat("unbroken", 250),
	"العربية", "日本語の題", "<b>&amp;</b>", "\"quoted\"", "e\u0301\u0301\u0301\u0301\u0301", "🇩🇪🏳️‍🌈", "%d %s", "-", "#c00", "\ufffd\ufeff",
}

// anyOf generates one of some values, or nothing.
func anyOf[T any](rt *rapid.T, name string, values ...T) (value T, given bool) {
	if !rapid.Bool().Draw(rt, "with "+name) {
		return value, false
	}
	return rapid.SampledFrom(values).Draw(rt, name), true
}

// anyChart generates the body of a readable chart request.
func anyChart(rt *rapid.T) []byte {
	body := map[string]any{"datasetId": 1, "chartType": rapid.SampledFrom([]string{"line", "bar", "horizontal-bar", "map"}).Draw(rt, "type")}
	set := func(name string, value any, given bool) {
		if given {
			body[name] = value
		}
	}
	values := func(name string, all ...string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(all), 1, 4).Draw(rt, name)
	}
	selected := map[string]any{}
	if rapid.Bool().Draw(rt, "with sex") {
		selected["sex"] = values("sex", "T", "Females", "Total", "nothing")
	}
	if rapid.Bool().Draw(rt, "with country") {
		selected["country"] = values("country", "Germany", "EU27_2020", "GB", "Greece", "Atlantis", "DE")
	}
	for _, name := range []string{"period", "period_from", "period_to"} {
		if p, given := anyOf(rt, name, "2019", "2020", "Q1/2020", "2020-Q4", "1900"); given {
			selected[name] = p
		}
	}
	set("selectedDimensions", selected, len(selected) > 0)
	query, given := anyOf(rt, "query", "country=Germany&country=UK", "dim1=F&flags=true", "latest=true", "period_from=2019&period_to=2020")
	set("dimensions_query", query, given)
	for _, name := range []string{"customTitle", "additionalText"} {
		text, given := anyOf(rt, name, oddTexts...)
		set(name, text, given)
	}
	for _, name := range []string{"includeTitle", "includeSource", "includeDate", "highlightLatest", "showValues", "showBorders", "showLegend"} {
		on, given := anyOf(rt, name, true, false)
		set(name, on, given)
	}
	for _, name := range []string{"width", "height"} {
		if rapid.Bool().Draw(rt, "with "+name) {
			body[name] = rapid.IntRange(chart.MinSide, chart.MaxSide).Draw(rt, name)
		}
	}
	colours, labels := map[string]string{}, map[string]string{}
	for _, key := range values("keys", append(oddTexts, "Germany", "Females", "Germany, Females")...) {
		colours[key] = rapid.SampledFrom([]string{"#fff", "#000000", "teal", "Yellow"}).Draw(rt, "colour")
		labels[key] = rapid.SampledFrom(oddTexts).Draw(rt, "label")
	}
	set("seriesColors", colours, rapid.Bool().Draw(rt, "with colours"))
	set("customLegendLabels", labels, rapid.Bool().Draw(rt, "with labels"))
	region, given := anyOf(rt, "region", "europe", "asia", "africa", "north-america", "south-america", "oceania")
	set("mapLocation", region, given)
	shift := rapid.Float64Range(-chart.MaxShift, chart.MaxShift)
	set("mapTransform", map[string]float64{"x": shift.Draw(rt, "x"), "y": shift.Draw(rt, "y"), "scale": rapid.Float64Range(chart.MinZoom, chart.MaxZoom).Draw(rt, "scale")}, rapid.Bool().Draw(rt, "with transform"))
	text, err := json.Marshal(body)
	if err != nil {
		rt.Fatal(err)
	}
	return text
}

// Any request on any numbers gives a picture or an error of kind Invalid.
func TestAnyChart(t *testing.T) {
	v := openTable(t)
	property.Check(t, func(rt *rapid.T) {
		body := anyChart(rt)
		c, err := request.ReadChart(body)
		if err != nil {
			if w, h := c.Options.Width, c.Options.Height; w*h > chart.MaxPixels {
				return
			}
			rt.Fatalf("%s: %v", body, err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			if stat.KindOf(err) != stat.Invalid {
				rt.Fatalf("%s: %v", body, err)
			}
			return
		}
		number := rapid.SampledFrom([]float64{0, 1, -1, 1e-9, 1e15, -3.5, 0.1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.NaN()})
		if rapid.Bool().Draw(rt, "other numbers") {
			for i := range s.Series {
				for at := range s.Series[i].Values {
					s.Series[i].Values[at] = number.Draw(rt, "number")
				}
			}
		}
		if sc := layout.Layout(s); sc.PixelWidth != c.Options.Width || sc.PixelHeight != c.Options.Height {
			rt.Fatalf("%s: %d × %d pixels", body, sc.PixelWidth, sc.PixelHeight)
		}
		_ = s.Alt()
	})
}
