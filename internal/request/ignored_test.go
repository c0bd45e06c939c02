package request_test

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// docs/api.md: keys without effect, and options that the type of the chart cannot follow, are
// reported in notices. Options with their default value are not.
func TestIgnoredOptions(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), filepath.FromSlash("eurostat/tsv-old/une_rt_a.tsv.gz")), importer.Options{})
	const two = `"selectedDimensions": {"country": ["Germany", "France"]}, `
	for body, want := range map[string]string{
		`"chartType": "line"`:                                                                                                      "",
		`"chartType": "line", "showBands": true`:                                                                                   "",
		`"chartType": "map", "showValues": true`:                                                                                   "",
		`"chartType": "horizontal-bar", "showValues": true`:                                                                        "",
		`"chartType": "spark", "curve": "smooth"`:                                                                                  "",
		`"chartType": "map", "latest_mode": "area"`:                                                                                "",
		`"chartType": "line", ` + two + `"showValues": true`:                                                                       `showValues "true"`,
		`"chartType": "small-multiples", ` + two + `"showValues": true`:                                                            `showValues "true"`,
		`"chartType": "spark", "showValues": true`:                                                                                 `showValues "true"`,
		`"chartType": "spark", "highlightLatest": true`:                                                                            `highlightLatest "true"`,
		`"chartType": "bar", "highlightLatest": true`:                                                                              `highlightLatest "true"`,
		`"chartType": "spark", "additionalText": "x"`:                                                                              `additionalText "x"`,
		`"chartType": "spark", "includeTitle": false`:                                                                              `includeTitle "false"`,
		`"chartType": "spark", "includeSource": false`:                                                                             `includeSource "false"`,
		`"chartType": "spark", "font": "embed"`:                                                                                    `font "embed"`,
		`"chartType": "spark", "customLegendLabels": {"x": "y"}`:                                                                   `customLegendLabels "1": a sparkline has no texts`,
		`"chartType": "spark", "seriesColors": {"Nowhere": "red"}`:                                                                 `seriesColors "Nowhere"`,
		`"chartType": "spark", "scale": "log"`:                                                                                     `scale "log"`,
		`"chartType": "bar", "referenceLines": {"3": "x", "4": "y"}`:                                                               `referenceLines "4"`,
		`"chartType": "bar", "showBands": false`:                                                                                   `showBands "false"`,
		`"chartType": "bar", "mapLocation": "asia"`:                                                                                `mapLocation "asia"`,
		`"chartType": "dumbbell", "seriesColors": {"Germany": "red"}`:                                                              `seriesColors "Germany": the dots of all rows have the same colours; their keys are`,
		`"chartType": "spark", ` + two + `"curve": "smooth"`:                                                                       `chartType "spark": a sparkline has one line; of 2 selected series, it shows "Germany"`,
		`"chartType": "line", "referenceLines": {"7.5": "x"}`:                                                                      "",
		`"chartType": "line", "referenceLines": {"-1e300": "x"}`:                                                                   `referenceLines "-1e+300": the line is so far`,
		`"chartType": "line", "seriesColors": {"Germany": "#c00", "DE": "#00c"}`:                                                   `seriesColors "DE": "Germany" names the same series`,
		`"chartType": "line", "seriesColors": {"Germany": "#c00", "DE": "#c00"}`:                                                   "",
		`"chartType": "bar", "customLegendLabels": {"Germany": "G", "DE": "D"}`:                                                    `customLegendLabels "DE": "Germany" names the same series`,
		`"chartType": "spark", "selectedDimensions": {"country": ["Germany", "France"], "period": "2015"}`:                         `of 2 selected series, it shows "Germany"`,
		`"chartType": "bar", "selectedDimensions": {"country": "Germany"}, "customLegendLabels": {"Germany": "x"}`:                 `customLegendLabels "Germany": bars of one series`,
		`"chartType": "map", "customLegendLabels": {"Germany": "x"}`:                                                               `customLegendLabels "Germany": a map has the names`,
		`"chartType": "line", "customLegendLabels": {"Germany": " "}`:                                                              `customLegendLabels "Germany": the label is blank`,
		`"chartType": "line", "width": 300, "height": 169, "referenceLines": {"7.5": "x"}`:                                         `referenceLines "x": the picture is too small for this label`,
		`"chartType": "line", "width": 300, "height": 169, "referenceLines": {"7.5": ""}`:                                          "",
		`"chartType": "line", "width": 400, "height": 225, "dateNotes": {"2015": "x"}`:                                             "",
		`"chartType": "small-multiples", "width": 400, "height": 225, ` + two + `"dateNotes": {"2015": "x"}`:                       `dateNotes "x": the picture may be too small for the note`,
		`"chartType": "dumbbell", "highlightLatest": true`:                                                                         `highlightLatest "true": only lines and bars that run along time have a latest point; the dots`,
		`"chartType": "dumbbell", "latest_mode": "area"`:                                                                           `latest_mode "area": a dumbbell compares all areas in the same two periods`,
		`"chartType": "bar", "selectedDimensions": {"country": "Germany", "period_from": "2010"}, "seriesColors": {"2015": "red"}`: `seriesColors "2015": the values of all periods have the colour and the name of their series; its key is "Germany"`,
		`"chartType": "line", "latest_mode": "area"`:                                                                               `latest_mode "area"`,
		`"chartType": "spark", "latest_mode": "last"`:                                                                              `latest_mode "last"`,
		`"chartType": "map", "format": "jpeg", "background": "transparent"`:                                                        `background "transparent": JPEG`,
		`"chartType": "map", "format": "png", "font": "embed"`:                                                                     `font "embed": only SVG`,
	} {
		c, err := request.ReadChart([]byte(`{"datasetId": 1, ` + body + `}`))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		_, notices, err := request.Spec(context.Background(), v, c)
		if got := request.JoinNotices(notices); err != nil || want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: notices %q, %v; want %q", body, got, err, want)
		}
	}
}

// Colours of areas are for bars of one series; side by side, bars have those of their series. The
// message has the whole keys, so that they can be used.
func TestColoursOfCategories(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), "eurostat/tsv-old/une_rt_a.tsv.gz"), importer.Options{})
	for body, want := range map[string]string{
		`"chartType": "bar", "selectedDimensions": {"country": ["Germany", "France"]}`:                             "",
		`"chartType": "bar", "selectedDimensions": {"country": ["Germany", "France"], "sex": ["M", "F"]}`:          `bars side by side have the colours of their series; the keys of these are "`,
		`"chartType": "dumbbell", "selectedDimensions": {"country": ["Germany", "France"], "period_from": "2010"}`: `the dots of all rows have the same colours; their keys are "2010", "2019"`,
		`"chartType": "map"`: `the areas of a map are coloured by class, in shades of the colour of its series, "`,
	} {
		for _, key := range []string{"Germany", "DE"} {
			c, err := request.ReadChart([]byte(`{"datasetId": 1, "seriesColors": {"` + key + `": "#c00"}, ` + body + `}`))
			if err != nil {
				t.Fatal(err)
			}
			s, notices, err := request.Spec(context.Background(), v, c)
			if err != nil {
				t.Fatal(err)
			}
			got := request.JoinNotices(notices)
			if (want == "") != (got == "") || !strings.Contains(got, want) {
				t.Errorf("%s, %s: notices %q, want %q", body, key, got, want)
			}
			if c.Options.Type == chart.Map && !strings.Contains(got, strconv.Quote(s.Series[0].Key)) {
				t.Errorf("%q lacks the key %q", got, s.Series[0].Key)
			}
		}
	}
}

// A line with a colour or a label of the caller is one that stands out and has a name.
func TestChosenLinesStandOut(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), "eurostat/tsv-old/une_rt_a.tsv.gz"), importer.Options{})
	for _, field := range []string{"", `"seriesColors": {"MT": "#c00"}, `, `"customLegendLabels": {"MT": "Our island"}, `} {
		c, err := request.ReadChart([]byte(`{"datasetId": 1, ` + field + `"chartType": "line"}`))
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		inFocus := slices.ContainsFunc(s.Series, func(series chart.Series) bool { return series.Key == "Malta" && series.Focus })
		if inFocus != (field != "") {
			t.Errorf("%s: Malta is in focus: %t", field, inFocus)
		}
	}
}
