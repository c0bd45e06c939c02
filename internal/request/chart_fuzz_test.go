package request_test

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/chart"
	"almanac/internal/chart/layout"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// chartSeeds are valid and invalid bodies of chart requests on the test's table.
var chartSeeds = []string{
	`{"datasetId": 1, "chartType": "line"}`,
	`{"datasetId": 1, "chartType": "map", "period": "2020", "mapLocation": "europe", "mapTransform": {"x": -3.5, "y": 1e3, "scale": 2}, "includeDate": false}`,
	`{"datasetId": 1, "chartType": "bar", "selectedDimensions": {"sex": ["T", "F", "Total"], "country": "Germany"}, "seriesColors": {"Females": "#c00", "Total": "teal"}, "customLegendLabels": {"Total": "All"}}`,
	`{"datasetId": 1, "chartType": "horizontal-bar", "dimensions_query": "dim1=F&country=UK&period_from=2019", "width": 4096, "height": 100, "format": "jpeg", "showValues": true}`,
	`{"datasetId": 1, "chartType": "line", "customTitle": "\u202e\u0000 a", "additionalText": "\ud800", "highlightLatest": true, "selectedDimensions": {"period": "Q1/2020"}}`,
	`{"datasetId": 1, "chartType": "line", "seriesColors": {"": "red"}, "width": 1e3}`,
	`{"datasetId": -0, "chartType": "bar", "selectedDimensions": {"dim1": [], "country": null}}`,
	`{"a": [1, {"b": {"c": [2]}}], "a": 2} x`,
	"{\"customTitle\": \"\xff\"}", "null", "[", "",
}

// FuzzReadChart checks that any body is rejected with a message or accepted, and that an
// accepted request reads back as itself.
func FuzzReadChart(f *testing.F) {
	for _, body := range chartSeeds {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := request.ReadChart(body)
		if err != nil {
			if stat.KindOf(err) != stat.Invalid || err.Error() == "" || !utf8.ValidString(err.Error()) {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if !json.Valid(body) {
			t.Fatalf("%q is accepted but is not JSON", body)
		}
		again, err := request.ReadChart(encodeChart(t, c))
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("%q is read as %+v, and written again as %+v, %v", body, c, again, err)
		}
	})
}

// encodeChart returns the body of a chart request.
func encodeChart(t *testing.T, c *request.Chart) []byte {
	t.Helper()
	selected := map[string][]string{}
	for _, choice := range c.Selected {
		selected[choice.Key] = choice.Values
	}
	o := &c.Options
	fields := map[string]any{
		"datasetId": json.Number(c.DatasetID), "chartType": o.Type, "dimensions_query": c.Query,
		"customTitle": o.Title, "width": o.Width, "height": o.Height, "includeTitle": o.IncludeTitle, "includeSource": o.IncludeSource,
		"includeDate": o.IncludeDate, "highlightLatest": o.HighlightLatest, "showValues": o.ShowValues, "showBorders": o.ShowBorders,
		"showLegend": o.ShowLegend, "additionalText": o.Aside,
		"mapTransform": map[string]float64{"x": o.Transform.X, "y": o.Transform.Y, "scale": o.Transform.Scale},
	}
	optional := func(name string, given bool, value any) {
		if given {
			fields[name] = value
		}
	}
	optional("selectedDimensions", len(c.Selected) == 1, selected)
	optional("period", c.Period != "", c.Period)
	optional("seriesColors", o.Colours != nil, o.Colours)
	optional("customLegendLabels", o.Labels != nil, o.Labels)
	optional("mapLocation", o.Region != "", o.Region)
	optional("format", c.Format != "", c.Format)
	if len(c.Selected) > 1 { // a map would lose the order
		var members []string
		for _, choice := range c.Selected {
			members = append(members, string(encoded(t, choice.Key))+":"+string(encoded(t, choice.Values)))
		}
		fields["selectedDimensions"] = json.RawMessage("{" + strings.Join(members, ",") + "}")
	}
	return encoded(t, fields)
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// FuzzBindChart checks that any query is rejected with a message, or accepted and also
// accepted by net/url.
func FuzzBindChart(f *testing.F) {
	for _, query := range []string{
		"", "type=map&mapLocation=asia", "country=DE&country=FR&dim1=x&width=200", "seriesColors=%7B%22a%22%3A%22red%22%7D",
		"mapTransform=%7B%22x%22%3A1e999%7D", "type=line&chartType=bar", "%", "=", "a=%zz&b", "latest=1&flags=0&followed=false", "showLegend=1&showLegend=0",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		c, err := request.BindChart(query)
		if err != nil {
			if stat.KindOf(err) != stat.Invalid || err.Error() == "" {
				t.Fatalf("%q: %v", query, err)
			}
			return
		}
		values, bad := url.ParseQuery(query)
		if bad != nil && !strings.Contains(query, ";") {
			t.Fatalf("%q is accepted, but net/url says %v", query, bad)
		}
		if err := c.Options.Check(); err != nil {
			t.Fatalf("%q is accepted with invalid options: %v", query, err)
		}
		if title := values.Get("customTitle"); bad == nil && title != c.Options.Title {
			t.Fatalf("%q: title %q, want %q", query, c.Options.Title, title)
		}
	})
}

// FuzzSpec checks that an accepted request either becomes a Spec that can be encoded and
// laid out, or gives an error of kind Invalid.
func FuzzSpec(f *testing.F) {
	for _, body := range chartSeeds {
		f.Add([]byte(body))
	}
	v := openTable(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := request.ReadChart(body)
		if err != nil {
			return
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			if stat.KindOf(err) != stat.Invalid {
				t.Fatalf("%s: %v", body, err)
			}
			return
		}
		text, digest := s.Encode()
		decoded, err := chart.Decode(text, nil)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if _, again := decoded.Encode(); again != digest {
			t.Fatalf("%s: the digest is %s, after decoding %s", body, digest, again)
		}
		if s.Alt() != decoded.Alt() || !utf8.ValidString(s.Alt()) {
			t.Fatalf("%s: alt %q, after decoding %q", body, s.Alt(), decoded.Alt())
		}
		if sc := layout.Layout(decoded); sc.PixelWidth != c.Options.Width || sc.PixelHeight != c.Options.Height || len(sc.Marks) == 0 {
			t.Fatalf("%s: a scene of %d × %d pixels with %d marks", body, sc.PixelWidth, sc.PixelHeight, len(sc.Marks))
		}
	})
}
