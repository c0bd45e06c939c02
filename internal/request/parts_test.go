package request_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// Values of which none stands for all are shown beside one another: ages in their order,
// both directions of trade, all activities of a day.
func TestPartsOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct {
		file, chartType    string
		series, categories int
		text               string // of the subtitle, and names that the picture has
	}{
		{"px/scb/BE0101A1.px", "bar", 2, 101, "By age · Stockholm county · 2005|men|women|100+"},
		{"px/scb/BE0101F1langensvfiolikacelln.px", "bar", 2, 3, "Sweden · 2003|20|22"},
		{"px/ssb/Transmengde.px", "line", 2, 0, "Norway|Import|Eksport"},
		{"px/ssb/Transmengde.px", "bar", 2, 0, "Norway · Q1/2015–Q2/2018|Import|Eksport"},
		{"px/ssb/migration-MultipleContent.px", "line", 8, 0, "Norway|Polen|Ukraina|Norge"},
		{"px/ssb/migration-MultipleContent.px", "bar", 1, 276, "Norway · Q1/2023|Polen|Ukraina"},
		{"px/greenland/SOXATI4.px", "bar", 1, 11, "November · Persons · Greenland · 2021|Pensioners"},
		{"px/ine/27067.px", "line", 13, 0, "Cantabria|Industria química"},
		{"eurostat/tsv-new/estat_ilc_peps13.tsv.gz", "line", 35, 0, "Cities|EU-27 (2020)"},                // countries have three degrees of urbanisation
		{"../data-more/ksh-ido0002/stadat-ido0002-10.1.1.2-hu.csv", "bar", 1, 40, "Hungary · 2010|alvás"}, // not the minutes of all days
	} {
		if strings.HasPrefix(test.file, "..") {
			stattest.SampleMore(t, strings.TrimPrefix(test.file, "../data-more/"))
		}
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		c, err := request.BindChart("type=" + test.chartType)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Errorf("%s, %s: %v", test.file, test.chartType, err)
			continue
		}
		if len(s.Series) != test.series || len(s.Categories) != test.categories {
			t.Errorf("%s, %s: %d series, %d categories, want %d and %d", test.file, test.chartType, len(s.Series), len(s.Categories), test.series, test.categories)
		}
		subtitle, names, _ := strings.Cut(test.text, "|")
		if !strings.Contains(strings.ToLower(s.Subtitle), strings.ToLower(subtitle)) {
			t.Errorf("%s, %s: the subtitle is %q, want %q", test.file, test.chartType, s.Subtitle, subtitle)
		}
		for name := range strings.SplitSeq(names, "|") {
			isSeries := slices.ContainsFunc(s.Series, func(series chart.Series) bool { return series.Label == name })
			if !isSeries && !slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return c.Label == name }) {
				t.Errorf("%s, %s: the picture has no %s", test.file, test.chartType, name)
			}
		}
	}
}

const birthsBySex = `#almanac-tidy,1
#source,nso,National Statistical Office
#dataset,births,Births
#dimension,sex,Sex
#code,F,Female
#code,M,Male
#geography,geo,Country
#code,BE,Belgium
#code,DE,Germany
#code,FR,France
sex,geo,TIME_PERIOD,OBS_VALUE
F,BE,2013,60
F,BE,2014,61
F,BE,2015,62
M,BE,2013,70
M,BE,2014,71
M,BE,2015,72
F,DE,2013,370
F,DE,2014,371
F,DE,2015,372
M,DE,2013,380
M,DE,2014,381
M,DE,2015,382
F,FR,2013,400
F,FR,2014,401
F,FR,2015,402
M,FR,2013,410
M,FR,2014,411
M,FR,2015,412
`

// Both sexes of a few areas are lines, or bars side by side: neither stands for all.
func TestPartsOfAFewAreas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "births.csv")
	if err := os.WriteFile(file, []byte(birthsBySex), 0o644); err != nil {
		t.Fatal(err)
	}
	v := firstDataset(t, file, importer.Options{})
	for chartType, want := range map[string][2]int{"line": {6, 0}, "bar": {2, 3}} {
		c, err := request.BindChart("type=" + chartType)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil || len(s.Series) != want[0] || len(s.Categories) != want[1] {
			t.Errorf("%s: %d series, %d categories, %v; want %v", chartType, len(s.Series), len(s.Categories), err, want)
		}
	}
}
