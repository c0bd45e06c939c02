package api_test

import (
	"net/url"
	"testing"

	"almanac/internal/stattest"
)

// TestSourcesOfQuestions checks that a source or dataset that a question names beside other words comes first, and that no other source
// shows a number then.
func TestSourcesOfQuestions(t *testing.T) {
	stattest.SkipUnderRace(t)
	const more = "../data-more/"
	base := searchFiles(t, more+"maddison/mpd2020.xlsx", more+"pwt/pwt1001.xlsx", "imf/WEOOct2009all.xls", "eurostat/tsv-new/estat_nama_10_gdp.tsv.gz", "eurostat/tsv-new/sdg_08_10.tsv",
		more+"undp-hdr/HDR21-22_complete_time_series.csv", "fao/FAOSTAT_data-UKR-crops.csv", more+"unctad-pop/US_PopTotal_20230713030810 3.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	const other = "this dataset is of another source"
	for _, c := range []struct{ question, first, code, want string }{
		{"GDP per capita Maddison", "mpd2020", "sdg_08_10", other},
		{"BIP pro Kopf Maddison Project", "mpd2020", "sdg_08_10", other},
		{"gdp penn world table", "pwt1001", "nama_10_gdp", other},
		{"PWT GDP France", "pwt1001", "nama_10_gdp", other},
		{"GDP real France WEO", "WEO", "WEO", "France 2008: 1643.178 … [NGDP_R]"},
		{"PIB réel France FMI", "WEO", "WEO", "[NGDP_R]"},
		{"WEO unemployment rate Spain", "WEO", "WEO", "Spain 2008: "},
		{"real GDP France Eurostat", "nama_10_gdp", "nama_10_gdp", "France 2024: 2612509.8 … CLV20_MEUR"},
		{"wheat Ukraine QCL", "QCL", "QCL", "Ukraine 2022: 20729240"},
		{"producción de trigo Ucrania FAO", "QCL", "QCL", "Ukraine 2022: 20729240"},
		{"Bevölkerung Indien UNCTAD", "us_poptotal", "SP.POP.TOTL", other},
		{"population India World Bank", "SP.POP.TOTL", "us_poptotal", other},
		{"population India", "SP.POP.TOTL", "us_poptotal", "India 2022: 1417173.173"}, // no source
	} {
		page := find(t, base, "limit=20&q="+url.QueryEscape(c.question))
		if len(page.Data) == 0 || page.Data[0].Code != c.first {
			t.Errorf("%s: finds %v, want %s first", c.question, codesOf(page), c.first)
			continue
		}
		if c.want != other || len(page.Data) > 1 {
			checkValue(t, page, c.question, c.code, c.want)
		}
	}
}
