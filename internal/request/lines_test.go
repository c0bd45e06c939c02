package request_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// Lines that stand out at any time have a name, and lines that others are compared with are
// drawn, if nothing was chosen.
func TestLinesOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	stattest.SampleMore(t, "fred-graph/fredgraph.csv") // skips the test if the folder is missing
	for _, test := range []struct{ name, file, inColour, not, note string }{
		{"rich countries are a group", "eurostat/json/nama_gdp_c-2016.json", "Luxembourg|Bulgaria", "Liechtenstein", "Too large for the scale: Liechtenstein (€114,700 in 2011)."},
		{"peaks of earlier years", "../data-more/wdi-zip/P_Data_Extract_From_World_Development_Indicators.zip", "Ukraine|Iraq|Nigeria", "EU", ""},
		{"highest for most of the time", "jsonstat/oecd-canada.json", "Greece|Spain", "", ""},
		{"ends before the others", "eurostat/tsv-new/estat_nama_10_gdp.tsv.gz", "United Kingdom", "", ""},
		{"an amount too low to be true", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", "Norway", "", "Not drawn, because under a thousandth of all other values of the line: Rwanda (0.003 in 2024)."},
		{"a dot beyond all lines", "eurostat/tsv-old/tgs00026.tsv.gz", "DE60, Germany", "", "Not drawn, because single values beyond all lines: NO02, Norway (35,835 in 2004)."},
		{"zeros before the first value", "eurostat/tsv-old/tsdec220.tsv.gz", "Latvia", "", "Zeros before all other values are not drawn: Denmark 1995–2004, Estonia 1995, Latvia 1995."},
		{"a month of zero", "statcan/34100158.zip", "Quebec", "", "Zero as published: Quebec Apr 2020."},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
			c := &request.Chart{Options: chart.DefaultOptions()}
			c.Options.Type = chart.Line
			spec, _, err := request.Spec(t.Context(), v, c)
			if err != nil {
				t.Fatal(err)
			}
			var inColour []string
			for _, s := range spec.Series {
				if s.Focus {
					inColour = append(inColour, s.Label)
				}
			}
			for name := range strings.SplitSeq(test.inColour, "|") {
				if !slices.Contains(inColour, name) {
					t.Errorf("%s is not in colour: %q", name, inColour)
				}
			}
			if slices.Contains(inColour, test.not) {
				t.Errorf("%s is in colour", test.not)
			}
			if notes := strings.Join(spec.Notes, "\n"); !strings.Contains(notes, test.note) {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}
