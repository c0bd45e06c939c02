package request_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/request"
)

// A name of several places is that of one of them, and a notice names the others. Labels and codes mean one place.
func TestNamesakes(t *testing.T) {
	const regions = "geo,geo_label,TIME_PERIOD,OBS_VALUE\nBE22,Prov. Limburg (BE),2020,1\nNL42,Limburg (NL),2020,2\nDE2,Bayern,2020,3\n" +
		"LU,Luxembourg,2020,4\nBE34,Prov. Luxembourg (BE),2020,5\nES613,Córdoba,2020,6\n"
	const dutch = "geo,geo_label,TIME_PERIOD,OBS_VALUE\nNL42,Limburg (NL),2020,2\nNL41,Noord-Brabant,2020,3\nDE2,Bayern,2020,4\nDE3,Berlin,2020,5\nFR1,Île-de-France,2020,6\n"
	const countries = "geo,geo_label,TIME_PERIOD,OBS_VALUE\nVIR,Virgin Islands (U.S.),2020,1\nVGB,British Virgin Islands,2020,2\nKOR,\"Korea, Rep.\",2020,3\n" +
		"COD,\"Congo, Dem. Rep.\",2020,4\nCHN,China,2020,5\nHKG,\"Hong Kong SAR, China\",2020,6\nGEO,Georgia,2020,7\n"
	const trade = "#almanac-tidy,1\n#source,unctad,UNCTAD\n#dataset,t,Population\n#updated,2024-01-01\n#geography,geo,Area\n" +
		"#code,840,United States of America excluding Puerto Rico\n#code,842,United States of America\n#code,250,France\n" +
		"geo,TIME_PERIOD,OBS_VALUE\n250,2020,68\n840,2020,333\n842,2020,337\n"
	for _, c := range []struct{ what, rows, param, name, want, notice string }{
		{"a label that is the name of another country here", trade, "country", "United States of America", "842", `"United States of America" is read as United States of America [842]; it is also a name of United States of America excluding Puerto Rico [840]: give the code of the one that is meant; nearest: 842, 840`},
		{"a name that another area has as its label", trade, "country", "United States", "840", `"United States" is read as United States of America excluding Puerto Rico [840]; it is also a name of United States of America [842]`},
		{"its code of ISO", trade, "country", "US", "840", ""},
		{"its whole label", trade, "country", "United States of America excluding Puerto Rico", "840", ""},
		{"the code of the other area", trade, "country", "842", "842", ""},
		{"two regions here", regions, "country", "Limburg", "BE22", `the name "Limburg" is taken to mean Prov. Limburg (BE) [BE22]; for Limburg (NL) [NL42] of the same name, give the code; nearest: NL42`},
		{"its label", regions, "country", "Limburg (NL)", "NL42", ""},
		{"its code", regions, "country", "NL-LI", "NL42", ""},
		{"all in a region of two", regions, "within", "Limburg", "BE22", `is taken to mean Prov. Limburg (BE) [BE22]; for Limburg (NL) [NL42]`},
		{"a country with the name of a province", regions, "country", "Luxemburg", "LU", `is taken to mean Luxembourg [LU]; for Prov. Luxembourg (BE) [BE34]`},
		{"the label of a country", regions, "country", "Luxembourg", "LU", ""},
		{"a region with one name", regions, "country", "Bavaria", "DE2", ""},
		{"a label of a region", regions, "country", "Córdoba", "ES613", ""},
		{"the other region only", dutch, "country", "Limburg", "", `; it has Limburg (NL) [NL42] of the same name; nearest: NL42`},
		{"two countries here", countries, "country", "Virgin Islands", "VIR", `is taken to mean Virgin Islands (U.S.) [VIR]; for British Virgin Islands [VGB] of the same name, give the code`},
		{"the other country is not here", countries, "country", "Korea", "KOR", `is taken to mean Korea, Rep. [KOR]; the dataset does not have North Korea [KP] of the same name`},
		{"only the other country", countries, "country", "Congo", "", `; it has Congo, Dem. Rep. [COD] of the same name`},
		{"a country in the names of others", countries, "country", "Chine", "CHN", ""},
		{"a country, no state here", countries, "country", "Géorgie", "GEO", ""},
	} {
		file := filepath.Join(t.TempDir(), "areas.csv")
		if err := os.WriteFile(file, []byte(c.rows), 0o600); err != nil {
			t.Fatal(err)
		}
		v := firstDataset(t, file, importer.Options{})
		p := &request.Data{Country: []string{c.name}}
		if c.param == "within" {
			p = &request.Data{Within: []string{c.name}}
		}
		q, notices, err := request.Parse(v, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pos := range q.Select[len(q.Select)-1] {
			got = append(got, v.Dataset.Geography.Codes[pos].ID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.what, got, c.want)
		}
		if text := request.JoinNotices(notices); !strings.Contains(text, c.notice) || c.notice == "" && text != "" {
			t.Errorf("%s: notices %q, want %q", c.what, text, c.notice)
		}
	}
}
