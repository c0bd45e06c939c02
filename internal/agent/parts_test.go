package agent_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// TestParts checks that results say what their numbers are part of, and which areas they lack.
func TestParts(t *testing.T) {
	s := newStore(t, "px/greenland/BEXSTA_windows_1252.px", "px/scb/BE0101A1.px", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", "imf/WEOOct2009all.xls", "eurostat/tsv-old/nama_10r_2gdp.tsv.gz", "../data-more/ibge-csv/tabela1737.csv")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const earnings = `"dataset": "ilo:ear_4mth_sex_geo_cur_nb_a"`
	for _, c := range []struct {
		name, tool, arguments string
		want, wantNot         string
	}{
		{"a hit of age 0", "search_datasets", `{"query": "population of Greenland"}`, "no total over age is known in this dataset", "747"},
		{"a hit of a question for age 0", "search_datasets", `{"query": "population of Greenland aged 0"}`, "747 persons (age: 0)", ""},
		{"a question for another series", "search_datasets", `{"query": "inflation in Zimbabwe", "limit": 1}`, `"usual_series":"Inflation, average consumer prices [PCPIPCH]"`, "Gross domestic product"},
		{"a flag and a forecast", "search_datasets", `{"query": "economic growth Brazil 2010", "limit": 1}`, `"Brazil 2010: 3.464 Annual percent change, a forecast (Subject: `, ""},
		{"the meaning of a flag", "search_datasets", `{"query": "economic growth Brazil 2010", "limit": 1}`, `"flags":["E: forecast: an estimate or projection`, ""},
		{"a dataset whose file has only a code", "search_datasets", `{"query": "gross domestic product by region", "limit": 1}`, `"name":"Gross domestic product (GDP) at current market prices by NUTS`, ""},
		{"a word that the hits do not have", "search_datasets", `{"query": "outstanding inflation", "limit": 1}`, `do not have \"outstanding\"`, ""},
		{"a value like the last one shown", "get_latest", `{"dataset": "nama_10r_2gdp", "within": "Germany", "order": "highest", "limit": 3, "dimensions": {"unit": "EUR_HAB"}}`, "1 of the others have the same value as the last one shown", ""},
		{"a code without its source", "get_latest", `{"dataset": "NAMA_10R_2GDP", "areas": ["ES"]}`, `"dataset":"eurostat:nama_10r_2gdp"`, ""},
		{"a description by code", "describe_dataset", `{"dataset": "nama_10r_2gdp"}`, `"dataset":"eurostat:nama_10r_2gdp"`, ""},
		{"changes by code", "list_changes", `{"dataset": "nama_10r_2gdp"}`, `"dataset":"eurostat:nama_10r_2gdp"`, ""},
		{"a code that means another area elsewhere", "resolve_area", `{"area": "01", "dataset": "scb:BE0101A1"}`, `in the dataset, \"01\" is another area: 01 Stockholm county [01]`, ""},
		{"all values of a dimension in a picture", "render_chart", `{` + earnings + `, "type": "bar", "areas": ["Germany"], "dimensions": {"sex": "*"}}`, "Male", ""},
		{"a group with many members", "resolve_area", `{"area": "World"}`, "others; un:001.members in areas of other tools is each member", ""},
		{"a city in a region", "get_latest", `{"dataset": "nama_10r_2gdp", "areas": ["Munich", "Spain"]}`, "the dataset has no Munich [DE212], but the region that it is in: Oberbayern [DE21]", ""},
		{"the region of a city", "resolve_area", `{"dataset": "nama_10r_2gdp", "area": "Munich"}`, "the dataset lacks it, but has the region that it is in: Oberbayern [DE21]", ""},
		{"a region with the name of a city", "get_latest", `{"dataset": "nama_10r_2gdp", "areas": ["Köln"]}`, `is the region Köln [DEA2]; the dataset does not have the city by itself`, ""},
		{"the same in a picture", "render_chart", `{"dataset": "nama_10r_2gdp", "type": "bar", "areas": ["Köln", "Stuttgart"], "dimensions": {"unit": "EUR_HAB"}}`, `is the region Stuttgart [DE11]`, ""},
		{"two countries with a name", "compare_sources", `{"measure": "real GDP", "areas": ["Congo"]}`, `is taken to mean Congo, Republic of [634]; for Congo, Democratic Republic of`, ""},
		{"two countries with a name in a picture", "render_chart", `{"dataset": "imf:WEO", "type": "bar", "areas": ["Congo", "Kenya"], "dimensions": {"dim1": "NGDPD"}}`, `for Congo, Democratic Republic of`, ""},
		{"two countries with a name in a search", "search_datasets", `{"query": "inflation in Congo", "limit": 1}`, `for Democratic Republic of the Congo [CD] of the same name`, ""},
		{"a country and a state", "search_datasets", `{"query": "inflation in Georgia", "limit": 1}`, `for Georgia, United States [US-GA] of the same name`, ""},
		{"a country with one meaning", "search_datasets", `{"query": "inflation in China", "limit": 1}`, `"areas":["China [CN]"]`, "of the same name"},
		{"an unknown code", "get_latest", `{"dataset": "nama_99"}`, "call search_datasets with", ""},
		{"the name of a source", "search_datasets", `{"query": "GDP", "source": ["Statistics Sweden"]}`, "sources here: eurostat (Eurostat)", ""},
		{"a version that is not there", "get_latest", `{"dataset": "imf:WEO", "version": "9.9"}`, "call list_changes with", ""},
		{"changes since a day before the first version", "list_changes", `{"dataset": "imf:WEO", "since": "2001-01-01"}`, `"versions":["1.0`, ""},
		{"no dataset of a source has an area", "list_changes", `{"source": ["statgl"], "area": "US"}`, "no dataset fits source and area", "since then"},
		{"no rows", "get_latest", `{"dataset": "imf:WEO", "limit": 0}`, "limit must be from 1 to 500, not 0", ""},
		{"more rows than there may be", "get_data", `{"dataset": "imf:WEO", "max_rows": "501"}`, "max_rows must be from 1 to 500, not 501", ""},
		{"a measure that is not known", "compare_sources", `{"measure": "happiness", "areas": ["DE"]}`, "measures: Population; ", "measures: ;"},
		{"values with different units", "describe_dataset", `{"dataset": "imf:WEO", "find": "inflation"}`, "PCPIPCH = Inflation, average consumer prices [PCPIPCH] (Annual percent change)", ""},
		{"age 0", "get_latest", `{"dataset": "statgl:BEXSTA"}`, "no total over age is known in this dataset: the values are those of 0 only", ""},
		{"a dimension with a total", "get_latest", `{"dataset": "statgl:BEXSTA"}`, "", "no total over gender"},
		{"the usual value of a description", "describe_dataset", `{"dataset": "statgl:BEXSTA", "dimension": "age"}`, `"usual":"0 only: no total is known"`, ""},
		{"areas of other surveys", "get_latest", `{` + earnings + `, "areas": ["Kenya", "Germany", "Viet Nam"]}`, "Kenya has no values in this selection, which takes LFS - Labour Force Survey of source; it has values with HS - Continuous household survey (2019)", ""},
		{"the other of the areas", "get_latest", `{` + earnings + `, "areas": ["Kenya", "Germany", "Viet Nam"]}`, "Germany has no values in this selection", ""},
		{"a later value", "get_data", `{` + earnings + `, "areas": ["Kenya"]}`, "Kenya has a later value, of 2019, with HS - Continuous household survey", ""},
		{"an area without values of a named survey", "get_latest", `{` + earnings + `, "areas": ["Kenya", "Viet Nam"], "dimensions": {"source": "LFS - Labour Force Survey"}}`, "Kenya has no values in this selection\"", "Viet Nam has no"},
		{"the areas of a ranking", "get_latest", `{` + earnings + `, "order": "highest"}`, "24 of the 111 areas of the dataset have values here", ""},
		{"the whole and its parts", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "within": "Spain", "order": "highest", "limit": 3}`, "itself is left out of the ranking of its parts", `[["Spain"`},
		{"a ranking of one level", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "within": "Spain", "order": "highest", "limit": 3}`, `"level":"2 (19 areas, such as Galicia [ES11]); others: 1 (7 areas`, "Este (ES)\",2"},
		{"a level that is asked for", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "within": "Spain", "order": "highest", "level": 1}`, `"total_rows":7,`, "Madrid [ES30]"},
		{"a level that is not there", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "within": "Spain", "level": 5}`, "no areas of level 5; levels: 1 (7 areas", ""},
		{"a ranking of countries and regions", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "order": "highest", "limit": 1}`, `"level":"0 (`, "Inner London"},
		{"values left out and patterns", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "dimensions": {"not.area": ["ES"], "like.area": "ES?", "like.unit": "*HAB", "not.unit": "PPS*"}}`, "Noroeste (ES)", `["Spain"`},
		{"a ranking of a pattern with several levels", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "dimensions": {"like.area": "ES*"}, "order": "highest", "level": 2}`, `"total_rows":19,`, "[FR"},
		{"a ranking of labels", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "within": "Spain", "dimensions": {"like.area": "*ana*"}, "order": "highest"}`, "Canarias", "Galicia"},
		{"a ranking with groups", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "order": "highest", "groups": true, "limit": 3}`, `"total_rows"`, `"level":`},
		{"no hierarchy", "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "dimensions": {"below.unit": "EUR_HAB"}}`, "the office states no hierarchy", ""},
		{"a pattern in a picture", "render_chart", `{"dataset": "eurostat:nama_10r_2gdp", "type": "bar", "dimensions": {"like.area": "ES?", "unit": "EUR_HAB"}}`, "The highest is Comunidad de Madrid", ""},
		{"the label after the code", "get_data", `{"dataset": "scb:BE0101A1", "areas": ["Stockholm county"]}`, "01 Stockholm county [01]", ""},
		{"a name that another code may mean", "get_data", `{"dataset": "scb:BE0101A1", "areas": ["Stockholm"]}`, "one area in it, which may be the same: 01 Stockholm county", ""},
		{"every dimension without a total", "get_latest", `{"dataset": "scb:BE0101A1", "order": "highest"}`, "no total over marital status is known in this dataset: the values are those of single [OG] only", ""},
		{"the last of them", "get_latest", `{"dataset": "scb:BE0101A1", "order": "highest"}`, "no total over sex is known in this dataset: the values are those of men [1] only", ""},
		{"the same in a description", "describe_dataset", `{"dataset": "scb:BE0101A1"}`, `"usual":"men only: no total is known"`, ""},
		{"a misspelt area", "get_latest", `{"dataset": "imf:WEO", "areas": ["Nigera", "France"]}`, "nearest: Niger, Nigeria", "has no values in this selection"},
		{"forecasts that the office flags as estimates", "get_data", `{"dataset": "imf:WEO", "areas": ["DE"], "dimensions": {"dim1": "NGDPD"}}`, `"E":"forecast: `, ""},
		{"a forecast in the observed period", "get_latest", `{"dataset": "imf:WEO", "areas": ["JP", "DE"], "dimensions": {"dim1": "NGDPDPC"}}`, "forecasts, as their flags say, are the values of Japan [158]; with", "Germany [134]"},
		{"each area's last observed value", "get_latest", `{"dataset": "imf:WEO", "areas": ["JP", "DE"], "dimensions": {"dim1": "NGDPDPC"}, "mode": "area"}`, `"Japan"`, "forecast"},
		{"a measure that only the description names", "get_latest", `{"dataset": "ibge:tabela1737"}`, `"measure":"IPCA - Variação mensal (%)"`, ""},
		{"all rows with long notes", "get_latest", `{"dataset": "imf:WEO", "dimensions": {"dim1": "NGDPD"}, "limit": 500}`, "long notes are cut", `"left_out"`},
		{"the notes of a picture", "render_chart", `{` + earnings + `, "areas": ["Kenya", "Germany", "Viet Nam"], "type": "bar"}`, `"notes":["`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := ask(t, session, c.tool, c.arguments)
			if !strings.Contains(text, c.want) || c.wantNot != "" && strings.Contains(text, c.wantNot) {
				t.Errorf("%s %s: %.3000s, want %q and not %q", c.tool, c.arguments, text, c.want, c.wantNot)
			}
		})
	}
}

// TestPlacesOfOneName checks that numbers of places with one name are not taken for those of one place, and that a
// ranking has no groups of the areas that it ranks.
func TestPlacesOfOneName(t *testing.T) {
	s := newStore(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "../data-more/census-nst/nst-est2019-alldata.csv", "../data-more/unctad-pop/US_PopTotal_20230713030810 3.csv", "../data-more/dst-folk1a/FOLK1A.csv")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const states = `"dataset": "local:nst-est2019-alldata"`
	for _, c := range []struct {
		name, tool, arguments string
		want, wantNot         string
	}{
		{"a country and a state", "compare_sources", `{"measure": "population", "areas": ["Georgia"], "period": "2015"}`, "the dataset does not have Georgia [GE]; its Georgia is another place: Georgia, United States [US-GA]", "10178447"},
		{"beside an area that is there", "compare_sources", `{"measure": "population", "areas": ["US", "Georgia"], "period": "2015"}`, `"lacks":"the dataset does not have Georgia [GE]; its Georgia`, "10178447"},
		{"a word that no dataset has", "search_datasets", `{"query": "homicides in Japan"}`, `no dataset here has \"homicides\" in a title`, "filters"},
		{"a word that no dataset has, with a filter", "search_datasets", `{"query": "homicides", "area": ["JP"]}`, "no dataset here fits, with or without the filters", "without them"},
		{"a filter that leaves nothing", "search_datasets", `{"query": "population of Texas", "frequency": ["M"]}`, "passes the filters (frequency); without them it finds ", "with or without"},
		{"a hit of a state", "search_datasets", `{"query": "population in Georgia 2015", "source": ["local"]}`, `"latest":"Georgia, United States [US-GA] 2015: `, `"latest":"Georgia 2015`},
		{"what a hit of a state was taken for", "search_datasets", `{"query": "population in Georgia 2015", "source": ["local"]}`, `is read as Georgia, United States [US-GA]`, ""},
		{"a hit of a state that a filter names", "search_datasets", `{"query": "population in Georgia 2015", "area": ["US-GA"]}`, `"latest":"Georgia 2015: 10178447`, "Georgia [GE]"},
		{"a hit of a state that a filter names, without its reading", "search_datasets", `{"query": "population in Georgia 2015", "area": ["US-GA"], "source": ["local"]}`, `"coverage":"US-GA known, latest 2019"`, "is read as"},
		{"a hit of a state without a namesake", "search_datasets", `{"query": "population in Texas 2015", "source": ["local"]}`, `"latest":"Texas 2015: `, "is read as"},
		{"a hit of the country", "search_datasets", `{"query": "population in Georgia 2015", "source": ["worldbank"]}`, `"latest":"Georgia 2015: `, "United States [US-GA] 2015"},
		{"the state by its code", "compare_sources", `{"measure": "population", "areas": ["US-GA"], "period": "2015"}`, "10178447", "another place"},
		{"a territory is the same place", "compare_sources", `{"measure": "population", "areas": ["Puerto Rico"], "period": "2015"}`, `"local:nst-est2019-alldata","Puerto Rico"`, "another place"},
		{"a ranking without the country and its groups", "get_latest", `{` + states + `, "order": "highest", "limit": 3}`, `"rows":[["California"`, "South Region\","},
		{"the level of the ranking", "get_latest", `{` + states + `, "order": "highest", "limit": 3}`, `"level":"1 (52 areas, such as Alabama); others: 0 (1 areas, such as United States), 2 (4 areas, such as Northeast Region)"`, ""},
		{"the region with a name of its city", "resolve_area", `{"area": "Copenhagen", "dataset": "dst:folk1a"}`, "084, which may be Capital Region [DK-84]; its values are not those of the city", "may be the same"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := ask(t, session, c.tool, c.arguments)
			if !strings.Contains(text, c.want) || c.wantNot != "" && strings.Contains(text, c.wantNot) {
				t.Errorf("%s %s: %.3000s, want %q and not %q", c.tool, c.arguments, text, c.want, c.wantNot)
			}
		})
	}
}

// A province of which a dataset has no other is not said to be its country.
func TestOnePart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "part.csv")
	if err := os.WriteFile(file, []byte("geo,geo_label,TIME_PERIOD,OBS_VALUE\nCA-SK,Saskatchewan,2020,1\nFR,France,2020,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(stattest.DataDir(t), file)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := serve(t, newStore(t, relative), unlimited)
	text, result := ask(t, connect(t, base, http.DefaultClient), "get_data", `{"dataset": "local:part", "areas": ["Canada"]}`)
	if !result.IsError || !strings.Contains(text, "has parts of it (use within): Saskatchewan") || strings.Contains(text, "may be the same") {
		t.Errorf("%s", text)
	}
}

// TestRankingLink checks that the file behind a cut ranking has the rows of the ranking.
func TestRankingLink(t *testing.T) {
	base, _ := serve(t, newStore(t, "eurostat/tsv-old/nama_10r_2gdp.tsv.gz"), unlimited)
	session := connect(t, base, nil)
	for _, arguments := range []string{`"within": "Spain"`, `"within": "Germany", "level": 2`, `"level": 2`, `"level": 0`} {
		text, _ := ask(t, session, "get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "order": "highest", "limit": 1, `+arguments+`}`)
		var r struct {
			Total   int    `json:"total_rows"`
			LeftOut string `json:"left_out"`
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err, text)
		}
		link := regexp.MustCompile(`/api/\S+`).FindString(r.LeftOut)
		response, err := http.Get(base + link)
		if err != nil {
			t.Fatal(err)
		}
		file, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if rows := strings.Count(string(file), "\r\n") - 1; rows != r.Total || r.Total < 2 || len(link) > 500 {
			t.Errorf("%s: %s has %d rows, want %d", arguments, link, rows, r.Total)
		}
	}
}
