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

// A map is offered of rates, prices, averages and indices, not of totals, by which large areas
// would always be dark. One that is asked for is drawn, with a note.
func TestMapsOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct {
		file string
		want bool
	}{
		{"un/SYB63_230_202009_GDP and GDP Per Capita.csv", false}, // gross domestic product comes first
		{"worldbank/csv/gdp-tidy.csv", false},
		{"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", false},
		{"worldbank/api-v2/NY.GDP.MKTP.CD.json", false},
		{"px/nordic/NAAC01.px", false},
		{"px/scb/TAB002-eurostat-by-citizenship.px", false},
		{"eurostat/tsv-old/demo_r_mwk_ts.tsv", false},
		{"eurostat/tsv-old/lfso_14leeow.tsv.gz", false},
		{"eurostat/tsv-new/estat_nama_10_gdp.tsv.gz", false},
		{"../data-more/who-gho-air1/AIR_1.csv", false}, // numbers of deaths
		{"../data-more/undata-anemia/UNdata_Export_20241005_161251297.csv", false},
		{"../data-more/wdi-zip/P_Data_Extract_From_World_Development_Indicators.zip", false}, // development aid
		{"../data-more/nbs-prov/分省年度数据 (1).csv", false},
		{"../data-more/census-nst/nst-est2019-alldata.csv", false},
		{"../data-more/oecd-gdp/data.csv", false},
		{"../data-more/unctad-pop/US_PopTotal_20230713030810 3.csv", false},

		{"who/HWF_0001-gho-export.csv", true}, // doctors per 10,000
		{"who/WHOSIS_000001.csv", true},       // life expectancy
		{"ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", true},
		{"owid/co2-emissions-per-capita.csv", true},
		{"unicef/CME_MRY0T4_all_2020.csv", true},
		{"un/WPP2019_Period_Indicators_Medium.csv", true}, // births per woman
		{"worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv", true},
		{"eurostat/tsv-new/sdg_08_10.tsv", true},       // euro per inhabitant
		{"eurostat/tsv-new/estat_ei_bsco_m.tsv", true}, // a balance of answers
		{"eurostat/tsv-old/earn_mw_cur.tsv", true},     // minimum wages
		{"eurostat/tsv-old/une_rt_a.tsv.gz", true},
		{"eurostat/tsv-old/tsdec220.tsv.gz", true}, // dispersion
		{"eurostat/json/nama_gdp_c-2016.json", true},
		{"../data-more/estat-crim-csv/crim_off_cat__custom_128689_20201028_155532.csv", true},
		{"../data-more/fao-temp/Environment_Temperature_change_E_All_Data_(Normalized).zip", true},
		{"../data-more/statcan-18100204/18100204-eng.zip", true}, // an index of prices
		{"../data-more/nchs-lcod/NCHS_-_Leading_Causes_of_Death__United_States.csv", true},
		{"../data-more/maddison/mpd2020.xlsx", true},
		{"../data-more/bea-download/download.csv", true}, // income per inhabitant
		{"../data-more/fiw-2022/All_data_FIW_2013-2022.xlsx", true},
		{"../data-more/owid-children/children-per-woman-un.csv", true},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		types, err := request.TypesFor(context.Background(), v, nil)
		if got := slices.Contains(types, chart.Map); err != nil || got != test.want {
			t.Errorf("%s: types %v, %v; want a map: %v", test.file, types, err, test.want)
		}
		c, err := request.BindChart("type=map")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil || s.ShowsTotals() == test.want {
			t.Errorf("%s: a map that is asked for: error %v, totals: %v, want %v", test.file, err, s.ShowsTotals(), !test.want)
		}
	}
}

// A map without a chosen period shows each area's latest value of ten years if no year has two
// thirds of the areas, else the last covered year.
func TestPeriodsOfMaps(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct{ file, options, want string }{
		{"who/HWF_0001-gho-export.csv", "", "2009–2019"}, // doctors: 96 of 191 countries in 2018
		{"who/HWF_0001-gho-export.csv", "&latest_mode=observed", "2018"},
		{"who/HWF_0001-gho-export.csv", "&period=2017", "2017"},
		{"who/WHOSIS_000001.csv", "", "2021"},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		c, err := request.BindChart("type=map" + test.options)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil || s.Period != test.want {
			t.Errorf("%s%s: the map shows %s, %v; want %s", test.file, test.options, s.Period, err, test.want)
		}
	}
}

// No type is offered if pictures would leave open what they show, until somebody says it. Who
// asks for a type gets it, with a notice.
func TestUnstatedInRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct{ file, want string }{
		{"sdmx-twg/csv-2.0-example-06.csv", "the file does not state what is measured"}, // "Value A · Value B"
		{"istat/47_850-data.xml", "the file does not state the names of the areas"},     // 001001
		{"../data-more/bcb-json/bcb-data.json", "the file does not state what is measured"},
		{"../data-more/undata-anemia/UNdata_Export_20241005_161251297.csv", "the file does not state what is measured"},
		{"../data-more/bcb-stp/STP-20221119194100222.csv", ""},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{NoGeo: strings.HasPrefix(test.file, "sdmx-twg")})
		types, err := request.TypesFor(context.Background(), v, nil)
		if err != nil || (len(types) == 0) != (test.want != "") {
			t.Errorf("%s: types %v, %v", test.file, types, err)
		}
		c, err := request.BindChart("type=bar")
		if err != nil {
			t.Fatal(err)
		}
		_, notices, err := request.Spec(context.Background(), v, c)
		if got := request.JoinNotices(notices); err != nil || !strings.Contains(got, test.want) || test.want == "" && strings.Contains(got, "does not state") {
			t.Errorf("%s: notices %q, %v; want %q", test.file, got, err, test.want)
		}
	}
	v := firstDataset(t, filepath.Join(dir, filepath.FromSlash("../data-more/bcb-json/bcb-data.json")), importer.Options{})
	v.Dataset.Name = "Exchange rate of the US dollar in reais"
	if types, err := request.TypesFor(context.Background(), v, nil); err != nil || len(types) == 0 {
		t.Errorf("with a name: types %v, %v", types, err)
	}
}

// No type is offered of an incomplete dataset: the areas or series that lack may be the largest.
// Who asks for a type gets the notice.
func TestIncompleteRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct{ file, part string }{
		{"worldbank/api-v2/NY.GDP.MKTP.CD.json", "page 1 of 2"},
		{"dbnomics/CEPII-CHELEM-TRADE-CHEL.json", "1000 of 7419264 series"},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		types, err := request.TypesFor(context.Background(), v, nil)
		if err != nil || len(types) > 0 {
			t.Errorf("%s: types %v, %v; want none", test.file, types, err)
		}
		if reason, err := request.ReasonForNone(context.Background(), v, nil); err != nil || reason != "it is incomplete: "+test.part {
			t.Errorf("%s: the reason is %q, %v", test.file, reason, err)
		}
		c, err := request.BindChart("type=line")
		if err != nil {
			t.Fatal(err)
		}
		_, notices, err := request.Spec(context.Background(), v, c)
		if want := "the dataset is incomplete (" + test.part + ")"; err != nil || !strings.Contains(request.JoinNotices(notices), want) {
			t.Errorf("%s: notices %q, %v; want %q", test.file, request.JoinNotices(notices), err, want)
		}
	}
}

// No type is offered of two values of an index, or of two days. Two years of a population are bars.
func TestPairsInRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct {
		file string
		want []chart.Type
	}{
		{"sdmx-twg/exr-time-series.json", nil},
		{"../data-more/sdmx-CNA-2010-CONSO-SI-A17/CNA-2010-CONSO-SI-A17.xml", nil},
		{"jsonstat/denmark-HISB3.json", []chart.Type{chart.Bar}},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		if types, err := request.TypesFor(context.Background(), v, nil); err != nil || !slices.Equal(types, test.want) {
			t.Errorf("%s: types %v, %v; want %v", test.file, types, err, test.want)
		}
	}
}

// Lines are not offered if gaps cut all of them into pieces. No type is offered if only one of
// many parts without a total could be shown. Bars that are asked for show the parts of the largest.
func TestExamplesInRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct{ file, subtitle, reason string }{
		{"../data-more/nbs-prov/分省年度数据 (1).csv", "Persons in the sample, not the whole population · China · 2024", ""}, // a sample survey, without the years of censuses
		{"eurostat/tsv-new/tran_r_rapa.tsv", "Region of loading: ES30 · by region of unloading · Spain · 2020", "it has no totals over c_unload, c_load"},
		{"px/scb/BE0101A1.px", "By age · Stockholm county · 2005", "it has no totals over marital status"},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		types, err := request.TypesFor(context.Background(), v, nil)
		if err != nil || slices.Equal(types, []chart.Type{chart.Bar}) != (test.reason == "") {
			t.Errorf("%s: types %v, %v", test.file, types, err)
		}
		if reason, err := request.ReasonForNone(context.Background(), v, nil); err != nil || reason != test.reason {
			t.Errorf("%s: %q, %v; want %q", test.file, reason, err, test.reason)
		}
		c, err := request.BindChart("type=bar")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil || s.Subtitle != test.subtitle || len(s.Categories) < 10 {
			t.Errorf("%s: %d bars, %q, %v; want %q", test.file, len(s.Categories), s.Subtitle, err, test.subtitle)
		}
	}
}

// Bars along time are not offered if a line shows more: of an index, and of values that hardly
// differ.
func TestBarsAlongTimeOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct {
		file string
		want bool
	}{
		{"px/scb/TAB2936.px", false},          // 4,744 to 4,704 thousand employees
		{"px/scb/PR0101B3-month.px", false},   // an index of prices
		{"px/scb/HA0201E8-quarter.px", false}, // the same
		{"fao/FAOSTAT_data-UKR-crops.csv", false},
		{"../data-more/nz-cpi_infoshare/cpi_infoshare.csv", false},
		{"worldbank/api-v1/NYGDPMKTPKDZ-fra.json", true}, // growth
		{"bis/BIS_DER-generic.xml", true},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		types, err := request.TypesFor(context.Background(), v, nil)
		if got := slices.Contains(types, chart.Bar); err != nil || got != test.want {
			t.Errorf("%s: types %v, %v; want bars: %v", test.file, types, err, test.want)
		}
	}
}

// Lines that show nothing but their levels are not offered: the areas of provinces. Lines of
// an index, and those of values near one another, show small changes.
func TestFlatLinesOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for file, want := range map[string]bool{
		"../data-more/cbs-70262/70262ned_TypedDataSet_22052019_134459.csv": false,
		"who/WHOSIS_000001.csv":                           true, // life expectancy
		"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv": true,
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(file)), importer.Options{})
		types, err := request.TypesFor(context.Background(), v, nil)
		if got := slices.Contains(types, chart.Line); err != nil || got != want {
			t.Errorf("%s: types %v, %v; want lines: %v", file, types, err, want)
		}
	}
}

// A map of a part of the world in which no area or one has a value has a notice, and so has one of an area with its parts, if the
// dataset has none of these. A map of one area that was chosen has none.
func TestMapsOfRegionsWithoutValues(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), filepath.FromSlash("eurostat/tsv-old/une_rt_a.tsv.gz")), importer.Options{})
	for query, want := range map[string]string{
		"type=map":                    "",
		"type=map&mapLocation=europe": "",
		"type=map&mapLocation=africa": `mapLocation "africa": no area in africa has a value`,
		"type=map&mapLocation=africa&country=DE&country=FR": `no area in africa has a value, but 2 elsewhere have`,
		"type=map&mapLocation=asia&country=DE&country=CY":   `only Cyprus has an outline and a value in asia`,
		"type=map&country=DE":                               "",
		"type=map&within=DE":                                `within "DE": the dataset has no parts of Germany, and the map shows it as a whole`,
		"type=map&within=Germany":                           `the dataset has no parts of Germany`,
		"type=map&within=EA19":                              "",
	} {
		c, err := request.BindChart(query)
		if err != nil {
			t.Fatal(err)
		}
		_, notices, err := request.Spec(context.Background(), v, c)
		if got := request.JoinNotices(notices); err != nil || want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: notices %q, %v; want %q", query, got, err, want)
		}
	}
}

// A map without outlines of the parts of an area does not say that the dataset has none.
func TestMapWithoutOutlinesOfParts(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), filepath.FromSlash("eurostat/tsv-old/nama_10r_2gdp.tsv.gz")), importer.Options{})
	c, err := request.BindChart("type=map&within=France")
	if err != nil {
		t.Fatal(err)
	}
	_, notices, err := request.Spec(context.Background(), v, c)
	const want = "no outlines of its parts in the dataset, of which 36 have values"
	if got := request.JoinNotices(notices); err != nil || !strings.Contains(got, want) || strings.Contains(got, "has no parts") {
		t.Errorf("notices %q, %v; want %q", got, err, want)
	}
}

const amountsInCurrencies = `DATAFLOW,FREQ,REF_AREA,MEASURE,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE,UNIT_MULT
OECD:QNA(1.0),A,AUS,B1_GE,2019,1300000,AUD,6
OECD:QNA(1.0),A,AUS,B1_GE,2020,1310000,AUD,6
OECD:QNA(1.0),A,AUS,B1_GE,2021,1350000,AUD,6
OECD:QNA(1.0),A,CHL,B1_GE,2019,104000000,CLP,6
OECD:QNA(1.0),A,CHL,B1_GE,2020,105000000,CLP,6
OECD:QNA(1.0),A,CHL,B1_GE,2021,110000000,CLP,6
OECD:QNA(1.0),A,DEU,B1_GE,2019,2400000,EUR,6
OECD:QNA(1.0),A,DEU,B1_GE,2020,2300000,EUR,6
OECD:QNA(1.0),A,DEU,B1_GE,2021,2400000,EUR,6
`

// Amounts in several currencies are lines of an index. Bars and a map would compare them.
func TestTypesOfAmountsInCurrencies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "qna.csv")
	if err := os.WriteFile(file, []byte(amountsInCurrencies), 0o644); err != nil {
		t.Fatal(err)
	}
	types, err := request.TypesFor(context.Background(), firstDataset(t, file, importer.Options{}), nil)
	if err != nil || !slices.Equal(types, []chart.Type{chart.Line}) {
		t.Errorf("types %v, %v; want lines only", types, err)
	}
}

const twoSurveys = `DATAFLOW,FREQ,REF_AREA,INDICATOR,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE
UNICEF:NUTRITION(1.0),A,IND,NT_ANT_HAZ_NE2,2019,34.7,PCT
UNICEF:NUTRITION(1.0),A,IND,NT_ANT_HAZ_NE2,2021,31.7,PCT
UNICEF:NUTRITION(1.0),A,ETH,NT_ANT_HAZ_NE2,2019,36.8,PCT
UNICEF:NUTRITION(1.0),A,ETH,NT_ANT_HAZ_NE2,2022,33.4,PCT
UNICEF:NUTRITION(1.0),A,BGD,NT_ANT_HAZ_NE2,2019,28.0,PCT
UNICEF:NUTRITION(1.0),A,BGD,NT_ANT_HAZ_NE2,2022,26.1,PCT
`

// Two values in each area are no lines, although the dataset has three periods. Codes of
// well-known indicators have names.
func TestTypesOfTwoSurveys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "nutrition.csv")
	if err := os.WriteFile(file, []byte(twoSurveys), 0o644); err != nil {
		t.Fatal(err)
	}
	v := firstDataset(t, file, importer.Options{})
	types, err := request.TypesFor(context.Background(), v, nil)
	if err != nil || !slices.Equal(types, []chart.Type{chart.Bar}) {
		t.Errorf("types %v, %v; want bars only", types, err)
	}
	c, err := request.BindChart("type=bar")
	if err != nil {
		t.Fatal(err)
	}
	if s, _, err := request.Spec(context.Background(), v, c); err != nil || s.Title != "Stunting among children under five (height for age)" {
		t.Errorf("the title is %q, %v", s.Title, err)
	}
}
