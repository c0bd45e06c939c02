package agent_test

import (
	"strings"
	"testing"
)

// TestUnitsAndReasons checks that results state the unit of their values, why values are missing, and what a dataset lacks.
func TestUnitsAndReasons(t *testing.T) {
	s := newStore(t,
		"eurostat/tsv-old/lfso_14leeow.tsv.gz", "eurostat/tsv-old/lfst_r_lfe2eedu.tsv.gz", "eurostat/tsv-old/tgs00026.tsv.gz", "eurostat/tsv-new/sdg_08_10.tsv",
		"eurostat/tsv-new/estat_ilc_peps13.tsv.gz", "eurostat/tsv-old/une_rt_a.tsv.gz", "worldbank/api-v2/NY.GDP.MKTP.CD.json", "imf/WEOOct2009all.xls",
		"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const (
		managers = `"dataset": "eurostat:lfso_14leeow", "dimensions": {"isced11": "ED0-2", "mgstatus": "NBO", "isco08": "OC1"}`
		youth    = `"dataset": "eurostat:lfst_r_lfe2eedu", "dimensions": {"unit": "THS", "sex": "F", "age": "Y15-24", "isced11": "TOTAL"}`
		dollars  = `"dataset": "worldbank:NY.GDP.MKTP.CD", "areas": ["BR"]`
	)
	for _, c := range []struct {
		name, tool, arguments string
		want, wantNot         string
	}{
		{"the unit in a title", "get_latest", `{` + dollars + `}`, `"unit":"current US$"`, ""},
		{"the unit of a change", "get_data", `{` + dollars + `, "transform": "change"}`, `"unit":"Change on previous year, current US$"`, ""},
		{"the unit of an index", "get_data", `{` + dollars + `, "transform": "index:2010"}`, `"unit":"2010 = 100"`, ""},
		{"the unit in the label of a measure", "get_latest", `{"dataset": "unsd:T12", "areas": ["DE"]}`, `"unit":"millions of US dollars"`, ""},
		{"a unit that is a code", "get_latest", `{"dataset": "eurostat:sdg_08_10", "areas": ["DE"]}`, `"Unit":"Chain linked volumes (2020), euro per inhabitant [CLV20_EUR_HAB]"`, `"unit":`},
		{"the name of a code", "get_latest", `{"dataset": "eurostat:sdg_08_10", "areas": ["DE"], "dimensions": {"unit": "Chain linked volumes (2020), euro per inhabitant"}}`, `"rows":[[4`, ""},
		{"the name of a code in a description", "describe_dataset", `{"dataset": "eurostat:sdg_08_10", "dimension": "na_item"}`, `"usual":"Gross domestic product at market prices [B1GQ]"`, ""},
		{"the title of a dataset whose file has only a code", "get_latest", `{"dataset": "eurostat:ilc_peps13", "areas": ["DE"]}`, `"name":"Persons at risk of poverty or social exclusion by degree of urbanisation`, ""},
		{"the unit of a hit", "search_datasets", `{"query": "GDP of Brazil", "limit": 1}`, "1920095779022.73 current US$", ""},
		{"a ranking of several units", "get_latest", `{"dataset": "imf:WEO", "dimensions": {"dim1": ["NGDPD", "LUR"]}, "order": "highest"}`, `a ranking compares values of one unit, and this selection has several: U.S. dollars (Billions), Percent of total labor force; choose one value of "WEO Subject Code"`, ""},
		{"a ranking of national currencies", "get_latest", `{"dataset": "imf:WEO", "dimensions": {"dim1": "NGDP"}, "order": "highest", "limit": 2}`, "the values are in national currencies", ""},
		{"a unit in another dimension", "get_latest", `{"dataset": "ilo:ear_4mth_sex_geo_cur_nb_a", "areas": ["DE"]}`, `"unit":"2021 PPP $"`, ""},
		{"a unit that a dimension has", "get_latest", `{"dataset": "eurostat:une_rt_a", "areas": ["DE"]}`, `"Unit":"Percentage of active population [PC_ACT]"`, `"unit":`},
		{"no unit", "get_latest", `{"dataset": "worldbank:SP.POP.TOTL", "areas": ["DE"]}`, `"unit":"not stated by the office"`, ""},
		{"several units", "get_latest", `{"dataset": "imf:WEO", "areas": ["DE"], "dimensions": {"dim1": ["NGDPD", "LUR"]}}`, `"Percent of total labor force"`, ""},
		{"confidential values", "get_latest", `{` + managers + `, "order": "lowest"}`, "no value of 2014 is published for Bulgaria [BG], Czechia [CZ], Greece [EL], Luxembourg [LU], Poland [PL], Romania [RO], Slovenia [SI]: confidential, missing: suppressed", ""},
		{"missing values of several series", "get_latest", `{"dataset": "eurostat:lfso_14leeow", "areas": ["CY", "BE"], "dimensions": {"isced11": "ED0-2", "mgstatus": "NBO", "isco08": ["OC1", "OC2"]}}`, "values of 2014 are not published (null in rows), of ", ""},
		{"an area without any value", "get_latest", `{` + managers + `, "areas": ["PL"]}`, "no value of 2014 is published for Poland [PL]: confidential, missing: suppressed", "no observation has all of them"},
		{"values without reliability", "get_latest", `{` + managers + `, "areas": ["CY", "MT"]}`, "no value of 2014 is published for Cyprus [CY]: low reliability", ""},
		{"a later value that is missing", "get_latest", `{` + youth + `, "areas": ["EL41"], "mode": "area"}`, "no value of 2015 is published for Voreio Aigaio [EL41]: low reliability", ""},
		{"an earlier value", "get_latest", `{"dataset": "eurostat:ilc_peps13", "areas": ["DE", "IS"]}`, "Iceland [IS] has no values in this selection; its last value in the series is of 2018", "Iceland [IS] has no values in this selection, which takes"},
		{"a flag of the office", "get_data", `{"dataset": "eurostat:tgs00026", "areas": ["AT11"], "period": 2007}`, "see the metadata of the source", ""},
		{"a part of a dataset", "get_latest", `{"dataset": "worldbank:NY.GDP.MKTP.CD", "order": "highest", "limit": 3}`, "worldbank:NY.GDP.MKTP.CD is here only in part (page 1 of 2)", ""},
		{"an area that a part of a dataset lacks", "get_data", `{"dataset": "worldbank:NY.GDP.MKTP.CD", "areas": ["Zimbabwe"]}`, "worldbank:NY.GDP.MKTP.CD is here only in part (page 1 of 2)", ""},
		{"areas with other latest periods", "get_latest", `{"dataset": "eurostat:ilc_peps13", "order": "lowest", "areas": ["DE", "IS"]}`, "; mode=area shows the last value of each area", "; latest_mode=area shows"},
		{"values without a population", "get_data", `{"dataset": "worldbank:NY.GDP.MKTP.CD", "areas": ["BR"], "period_from": 2010, "transform": "per-capita"}`, "; a newer version of worldbank:SP.POP.TOTL may have it", "demo_pjan"},
		{"a source that lacks areas", "compare_sources", `{"measure": "GDP", "areas": ["BR", "US"]}`, `"lacks":"the dataset does not have US; worldbank:NY.GDP.MKTP.CD is here only in part`, ""},
		{"a source that lacks the period", "compare_sources", `{"measure": "unemployment rate", "areas": ["DE", "TR"], "period": 1995}`, `"lacks":"no value of Turkey [TR] in 1995 (the dataset has 1992 to 2019)"`, ""},
		{"a source that lacks members of a group", "compare_sources", `{"measure": "GDP", "areas": ["EU27_2020.members"]}`, `"lacks":"the dataset does not have ES, LT, LU, LV, MT, NL, PL, PT, RO, SE, SI, SK; `, ""},
		{"units of several sources", "compare_sources", `{"measure": "GDP", "areas": ["BR"]}`, `"current US$",""]`, ""},
		{"different periods", "compare_sources", `{"measure": "GDP", "areas": ["BR"]}`, "the values are of different periods", ""},
		{"one period", "compare_sources", `{"measure": "GDP", "areas": ["BR"], "period": 2005}`, `"2005"`, "of different periods"},
		{"both days", "get_latest", `{` + dollars + `}`, "updated by the office 2024-03-28, imported 20", "last update"},
		{"only the day of import", "get_latest", `{"dataset": "imf:WEO", "areas": ["DE"]}`, "(day of the office's update not known)", "updated by the office"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := ask(t, session, c.tool, c.arguments)
			if !strings.Contains(text, c.want) || c.wantNot != "" && strings.Contains(text, c.wantNot) {
				t.Errorf("%.4000s\nwant %s, not %s", text, c.want, c.wantNot)
			}
		})
	}
}

// TestManyMissing checks that a ranking counts areas without a value if they are many, and names none of them twice.
func TestManyMissing(t *testing.T) {
	base, _ := serve(t, newStore(t, "../data-more/destatis-12411-0015/12411-0015.csv"), unlimited)
	session := connect(t, base, nil)
	const many = "76 areas have no value of 2018; their last values are of other periods, such as Göttingen, Landkreis (2017), "
	for _, c := range []struct {
		arguments string
		want      []string
	}{
		{`{"dataset": "destatis:12411-0015", "order": "highest", "limit": 3}`, []string{many, "no value of 2018 is published for 76 areas, among them Hannover, kreisfreie Stadt (bis 31.10.2001) [03201], "}},
		{`{"dataset": "destatis:12411-0015", "order": "highest", "areas": ["03159", "11000"]}`, []string{"Göttingen, Landkreis (2017)", "no value of 2018 is published for the areas named above: flag -"}},
	} {
		_, result := ask(t, session, "get_latest", c.arguments)
		var answer struct{ Notices []string }
		decode(t, result.StructuredContent, &answer)
		text := strings.Join(answer.Notices, "\n")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.arguments, want, text)
			}
		}
		if n := strings.Count(text, "Göttingen, Landkreis (bis 31.10.2016)"); len(text) > 850 || n > 1 {
			t.Errorf("%s: %d letters, an area %d times:\n%s", c.arguments, len(text), n, text)
		}
	}
}
