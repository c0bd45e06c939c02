package api_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/stattest"
)

// TestPerCapitaOfFiles runs the cases of testdata/percapita_files.txt on the offices' real files.
func TestPerCapitaOfFiles(t *testing.T) {
	stattest.SkipUnderRace(t)
	s := newStore(t)
	for _, file := range []string{
		"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv", "worldbank/csv/gdp-tidy.csv", "who/WHOSIS_000001.csv",
		"un/WPP2019_Period_Indicators_Medium.csv", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", "px/scb/BE0101A1.px", "eurostat/tsv-old/une_rt_a.tsv.gz",
	} {
		sample := stattest.Sample(t, file)
		load(t, s, sample.Name, bytes.NewReader(sample.Data))
	}
	for _, file := range []string{"pwt/pwt1001.xlsx", "maddison/mpd2020.xlsx"} {
		sample := stattest.SampleMore(t, file)
		load(t, s, sample.Name, bytes.NewReader(sample.Data))
	}
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/"
	text, err := os.ReadFile("testdata/percapita_files.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range strings.Split(strings.TrimSpace(string(text)), "\n\n")[1:] {
		lines := strings.Split(one, "\n")
		t.Run(lines[0], func(t *testing.T) {
			got := ask(t, "GET", base+lines[1])
			status, first, _ := strings.Cut(lines[2], " ")
			if got.Status[:3] != status {
				t.Fatalf("%s: %s", got.Status, got.body)
			}
			for _, want := range append(lines[3:], first) {
				if !strings.Contains(got.body, want) && !strings.Contains(got.body, strings.ReplaceAll(want, `"`, `\"`)) {
					t.Errorf("lacks %s: %s", want, got.body)
				}
			}
		})
	}
}
