package plain_test

import (
	"slices"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestDetectedMapping checks that a mapping that was detected reads the same when it is
// stated.
func TestDetectedMapping(t *testing.T) {
	for _, path := range []string{
		"bcb-stp/STP-20221119194100222.csv",
		"bls-cu/cu.data.0.Current",
		"cbs-70262/70262ned_TypedDataSet_22052019_134459.csv",
		"cdc-wonder-div/Division.txt",
		"census-nst/nst-est2019-alldata.csv",
		"gdl-shdi/GDL-Subnational-HDI-data.csv",
		"ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv",
		"inegi-acc/INEGI_exporta_13_10_2022_22_45_51.csv",
		"ksh-ido0002/stadat-ido0002-10.1.1.2-hu.csv",
		"owid-children/children-per-woman-un.csv",
		"snb-devkum/snb-data-devkum-en-selection-20190902_1430.csv",
		"undp-hdr/HDR21-22_complete_time_series.csv",
	} {
		s := stattest.SampleMore(t, path)
		found, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range found[0].Report.Notes() {
			if n.Kind == "mapping" {
				s.In.Mapping = n.Example
			}
		}
		stated, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err != nil {
			t.Errorf("%s: --mapping %s: %v", path, s.In.Mapping, err)
			continue
		}
		if !slices.Equal(linesOf(stated[0]), linesOf(found[0])) {
			t.Errorf("%s: --mapping %s reads something else", path, s.In.Mapping)
		}
	}
}

func linesOf(table formattest.Table) (lines []string) {
	for _, o := range table.All {
		lines = append(lines, formattest.Line(table.Dataset, o))
	}
	slices.Sort(lines)
	return lines
}

// TestSuggestions checks that files that are refused are read once the caller states
// what the refusal suggests.
func TestSuggestions(t *testing.T) {
	samples := []formattest.Sample{
		stattest.SampleMore(t, "acs-s1901/ACSST5Y2017.S1901_data_with_overlays_2020-09-23T184134.csv"),
		{Name: "a.csv", Data: []byte("country,year,value,sum\nA,2020,1,2.5\nA,2021,2,3.5\n")},
		{Name: "a.csv", Data: []byte("Country,Year,export,import\nA,2020,1.5,7\nA,2021,2.5,-\nB,2020,3.5,secret\nB,2021,4.5,8\n")},
		{Name: "a.csv", Data: []byte("Country,Year,Seen,Tons\nA,2020,2024-01-31,1.5\nA,2021,2024-02-28,2.5\n")},
		{Name: "estimates.csv", Data: []byte("\"Estimates of 2018\nRelease date: December 2019\",,,,,\nCountry,Poor,CI lower,CI upper,Rich,CI lower\nA,10,9,11,5,4\nB,20,19,21,6,5\n")},
		{Name: "population 2020.csv", Data: []byte("Country,Population\nA,10\nB,20\n")},
	}
	for _, s := range samples {
		_, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err == nil {
			t.Errorf("%s is not refused", s.Name)
		}
		for _, stated := range stat.SuggestionsOf(err) {
			switch stated.Option {
			case "mapping":
				s.In.Mapping = stated.Value
			case "period":
				s.In.Period = stated.Value
			}
		}
		if _, err := formattest.Read(t.Context(), plain.Formats()[1], s); err != nil {
			t.Errorf("%s with %s: %v", s.Name, s.In.Mapping, err)
		}
	}
}
