package api_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/search/hits"
	"almanac/internal/stattest"
)

// searchFiles serves real files and a search over them.
func searchFiles(t *testing.T, files ...string) string {
	t.Helper()
	return searchFilesOf(t, importer.Options{}, files...)
}

// searchFilesOf is [searchFiles] for files without a time or geography, which the options state.
func searchFilesOf(t *testing.T, o importer.Options, files ...string) string {
	t.Helper()
	return serveSearch(t, o, api.Options{}, files...)
}

// searchFilesAt is [searchFiles] for questions of a day.
func searchFilesAt(t *testing.T, day time.Time, files ...string) string {
	t.Helper()
	return serveSearch(t, importer.Options{}, api.Options{Now: func() time.Time { return day }}, files...)
}

func serveSearch(t *testing.T, o importer.Options, serving api.Options, files ...string) string {
	t.Helper()
	dir, s := stattest.DataDir(t), newStore(t)
	o.Labels = filepath.Join(dir, "eurostat", "dic")
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, file := range files {
		paths = append(paths, filepath.Join(dir, file))
	}
	for _, o := range im.Import(t.Context(), paths...) {
		if o.Status == importer.Refused && !strings.Contains(fmt.Sprint(o.Error), "holds no data to import") { // a structure is read
			t.Fatalf("%s is refused: %s", o.File, o.Error)
		}
	}
	serving.Store, serving.Search = s, newSearch(t, s, nil)
	return serve(t, newAPI(t, serving))
}

// TestLatestOfTheMeasure checks that no hit shows a number of another measure than the question asks for.
func TestLatestOfTheMeasure(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/tsv-old/gov_10dd_edpt1.tsv", "eurostat/tsv-old/nama_10r_2gdp.tsv.gz",
		"eurostat/sdmx-csv/ilc_lvps08.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "un/WPP2019_Period_Indicators_Medium.csv",
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "who/WHOSIS_000001.csv", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
	for _, c := range []struct{ question, code, want string }{
		{"unemployment rate France", "une_rt_a", "France 2019: 8.5 … Total"},
		{"male unemployment rate France", "une_rt_a", "France 2019: 8.5 … Males"},
		{"unemployment rate of women in France", "une_rt_a", "France 2019: 8.4 … Females"},
		{"How did unemployment in France develop since 2010?", "une_rt_a", "France 2019: 8.5 … Total"},
		{"Arbeitslosenquote Männer Frankreich", "une_rt_a", "France 2019: 8.5 … Males"},
		{"Arbeitslosenquote Frankreich", "une_rt_a", "France 2019: 8.5 … Total"},
		{"youth unemployment France", "une_rt_a", `France 2019: 19.6 … "youth unemployment" is read as From 15 to 24 years [Y15-24]`},
		{"unemployed persons France", "une_rt_a", "the question is for a number"},
		{"how many people are unemployed in France", "une_rt_a", "the question is for a number"},
		{"government debt France", "gov_10dd_edpt1", "France 2014: 95.6 … GD"},
		{"government deficit France", "gov_10dd_edpt1", `the title has "government deficit" among other things`},
		{"surplus France", "gov_10dd_edpt1", `the title has that only in "Government deficit/surplus"`},
		{"GDP Lombardia", "nama_10r_2gdp", "is of values per inhabitant"},
		{"GDP per inhabitant Lombardia", "nama_10r_2gdp", "Lombardia 2014: 34900"},
		{"births France", "WHOSIS_000001", `"births" is neither`},
		{"births France", "wpp_period_indicators_medium", "France 2020: 3643.815 … Births"},
		{"deaths France", "wpp_period_indicators_medium", "the question is for a number"}, // and not the crude rate
		{"births per woman Niger", "wpp_period_indicators_medium", "Niger 2020: 6.95"},
		{"une_rt_a France", "une_rt_a", "France 2019: 8.5"},
		{"population France", "wpp_period_indicators_medium", `the title has "population" among other things`},
		{"employment France", "ear_4mth_sex_geo_cur_nb_a", `"employment" is neither`},
		{"population aged 65 and over France", "SP.POP.TOTL", "is neither"},
		{"population France 2016", "SP.POP.TOTL", "France 2016: 66896109"},
		{"population France 2005", "SP.POP.TOTL", "France 2005: 63179356 … FR known 2016"},
		{"population France 2022", "SP.POP.TOTL", "no observed value of 2022 there; its latest one is of 2016"},
		{"unemployment rate France 2015", "une_rt_a", "France 2015: 10.4 … FR known 2019"},
		{"unemployment rate France since 2015", "une_rt_a", "France 2019: 8.5"},
		{"life expectancy France", "WHOSIS_000001", "France 2021: 81.92274"},
		{"population France", "SP.POP.TOTL", "France 2016: 66896109"},
		{"population of the Republic of the Congo", "SP.POP.TOTL", "Congo, Rep. 2016: 5125821"},
		{"Republic of Congo population", "SP.POP.TOTL", "Congo, Rep. 2016: 5125821"},
		{"population of DR Congo", "SP.POP.TOTL", "Congo, Dem. Rep. 2016: 78736153"},
		{"population of Congo", "SP.POP.TOTL", `"Congo" may mean Congo [CG] or Democratic Republic of the Congo [CD]`},
		{"population of Korea", "SP.POP.TOTL", "Korea, Rep. 2016"},
		{"population of Guinea", "SP.POP.TOTL", "Guinea 2016"},
		{"population of Sudan", "SP.POP.TOTL", "Sudan 2016"},
		{"population Niemcy", "SP.POP.TOTL", "Germany 2016"},
		{"population of Tallinn", "SP.POP.TOTL", "no value of the area itself … EE-784 lacking"},
		{"population growth France", "SP.POP.TOTL", `"population growth" is neither`},
		{"population Atlantis", "SP.POP.TOTL", `"Atlantis" is neither`},
		{"fertility Niger", "wpp_period_indicators_medium", "Niger 2020: 6.95 … Total fertility"},
		{"child mortality Niger", "wpp_period_indicators_medium", "Under-five mortality"},
		{"life expectancy Niger", "wpp_period_indicators_medium", "Niger 2020: 61.8 … Life expectancy at birth, both sexes"},
		{"GDP per capita France", "T12", "France 2018: 41358.0856 GDP per capita (US dollars) … is read as"},
		{"GDP France", "T12", "GDP in current prices"},
		{"young adults living with their parents Italy", "ILC_LVPS08", "Italy 2022: "},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// checkValue checks the coverage and value of a dataset, or why it has none. want are parts of it.
func checkValue(t *testing.T, page hits.Page, question, code, want string) {
	t.Helper()
	got := "is not found"
	for _, h := range page.Data {
		if h.Code != code {
			continue
		}
		got = h.NoLatest
		if h.Latest != nil {
			got += fmt.Sprintf("%s %s: %s", h.Latest.Area.Name, h.Latest.Period, h.Latest.Value)
			for n := 1; n <= 8; n++ {
				got += " " + h.Latest.Series[fmt.Sprintf("dim%d_value", n)]
			}
		}
		if h.Latest != nil {
			got += " " + h.Latest.Composition + " " + h.Latest.ReadAs
			if h.Latest.IsForecast {
				got += fmt.Sprintf(" forecast, latest_mode %s, flags %q", h.Latest.Mode, h.Latest.Flags)
			}
		}
		for _, c := range h.Coverage {
			got += fmt.Sprintf(" %s %s %s", c.Area, c.Status, c.LatestPeriod)
		}
	}
	for _, part := range strings.Split(want, " … ") {
		if !strings.Contains(got, part) {
			t.Errorf("%s: got %q, want %q", question, got, want)
		}
	}
}

// TestPlacesOfOffices checks that places are found that have codes of the office only, or that are values of another
// dimension than the geography.
func TestPlacesOfOffices(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "px/statfin/perheet-LargeFinnishDatasetWithManyValues.px", "px/ssb/migration-MultipleContent.px", "eurostat/tsv-old/nama_10r_2gdp.tsv.gz")
	for _, c := range []struct{ query, code, want string }{
		{"q=families+in+Tampere", "statfin_perh_pxt_12c1", "Tampere 2022: 60647 … Families"},
		{"q=families+in+Helsinki", "statfin_perh_pxt_12c1", "Helsinki 2022: 161417 … FI-18 known 2022"},
		{"q=families&area=Tampere", "statfin_perh_pxt_12c1", "Tampere 2022: 60647 … Tampere known 2022"},
		{"q=families+in+Lyon", "statfin_perh_pxt_12c1", "has no value of the area itself … FR-69M lacking"},
		{"q=innvandring+Denmark", "11327", "Norway … Danmark … DK dimension"},
		{"q=gdp+per+inhabitant+Helsinki", "nama_10r_2gdp", "Helsinki-Uusimaa"},
	} {
		checkValue(t, find(t, base, c.query), c.query, c.code, c.want)
	}
}

// TestPartsOfTheWhole checks that no hit shows the number of a part for that of the whole.
func TestPartsOfTheWhole(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "px/greenland/BEXSTA_windows_1252.px", "eurostat/tsv-old/une_rt_a.tsv.gz")
	for _, c := range []struct{ question, code, want string }{
		{"population of Greenland", "BEXSTA", `no total over age is known … of "0" only`},
		{"BEXSTA", "BEXSTA", `no total over age is known`},
		{"population of Greenland aged 0", "BEXSTA", "Greenland 2023: 747"},
		{"unemployment rate France", "une_rt_a", "France 2019: 8.5 … Total"}, // of the ages of 15 to 74
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestAgesOfGroups checks that words for a group of people choose its ages, if the dataset has just one value of them, and that no
// rate of change is shown for which the question does not ask.
func TestAgesOfGroups(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "px/greenland/BEXSTA_windows_1252.px", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "imf/WEOOct2009all.xls")
	for _, c := range []struct{ question, code, want string }{
		{"youth unemployment in Spain", "une_rt_a", "Spain 2019: … read as"},
		{"youth unemployment rate Spain", "une_rt_a", "Spain 2019: … read as"},
		{"Jugendarbeitslosigkeit Spanien", "une_rt_a", "Spain 2019: … read as"},
		{"chômage des jeunes Espagne", "une_rt_a", "Spain 2019: … read as"},
		{"unemployment of young people in Spain", "une_rt_a", "Spain 2019: … read as"},
		{"youth unemployment rate of women in Spain", "une_rt_a", "Spain 2019: … Females … read as"},
		{"unemployment elderly Spain", "une_rt_a", "is neither"},
		{"youth employment Spain", "une_rt_a", "is neither"},
		{"young population Greenland", "BEXSTA", "is neither"}, // single years of age
		{"youth population Spain", "SP.POP.TOTL", "is neither"},
		{"GDP real France", "WEO", "France 2008: 1643.178 … [NGDP_R]"},
		{"PIB aux prix constants France", "WEO", "[NGDP_R]"},
		{"GDP PPP France", "WEO", "France 2008: 2130.126"},
		{"GDP in dollars France", "WEO", "current prices [NGDPD]"},
		{"GDP France", "WEO", "is of rates of change"},
		{"real GDP growth France", "WEO", "France 2008: 0.323"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestCurrencies checks that no hit shows a value in another currency than the question names.
func TestCurrencies(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "ecb/eurofxref-hist.csv", "eurostat/tsv-old/earn_mw_cur.tsv", "eurostat/tsv-new/estat_nama_10_gdp.tsv.gz")
	for _, c := range []struct{ question, code, want string }{
		{"euro dollar", "eurofxref", "1.1704 USD"},
		{"Swiss franc rate", "eurofxref", "0.9359 CHF"},
		{"Schweizer Franken Kurs", "eurofxref", "0.9359 CHF"},
		{"franc suisse", "eurofxref", "0.9359 CHF"},
		{"yen euro", "eurofxref", " JPY"},
		{"pound sterling euro", "eurofxref", " GBP"},
		{"exchange rate", "eurofxref", "1.1704 USD"},
		{"krone euro", "eurofxref", "names a currency (NOK or DKK)"},
		{"minimum wage France", "earn_mw_cur", "France H1/2021: 1554.58"},
		{"wages France", "earn_mw_cur", `the title has that only in "minimum wage`},
		{"minimum wage France in dollars", "earn_mw_cur", "names a currency (USD)"},
		{"euro dollar", "earn_mw_cur", "is neither"},
		{"EUR/GBP 24 June 2016", "eurofxref", "24/06/2016: 0.8075 GBP"},
		{"EUR USD 2008-07-15", "eurofxref", "15/07/2008: 1.599 USD"},
		{"EURGBP", "eurofxref", "0.8529 GBP"},
		{"GDP France in dollars", "nama_10_gdp", "names a currency (USD)"},
		{"GDP France in euro", "nama_10_gdp", "France 20"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestEditions checks that a name without a number of members finds a group in the composition that a dataset has, and
// that the answer says which one it is.
func TestEditions(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "ecb/eurofxref-hist.csv", "eurostat/sdmx-csv/ilc_lvps08.csv", "eurostat/tsv-new/sdg_08_10.tsv")
	for _, c := range []struct{ query, code, want string }{
		{"q=unemployment+rate+euro+area", "une_rt_a", "2019: 7.5 … EA known 2019 … Euro area (EA19), 19 countries, 2015–2022"},
		{"q=Arbeitslosenquote+Euroraum", "une_rt_a", "2019: 7.5 … Euro area (EA19)"},
		{"q=taux+de+chômage+zone+euro", "une_rt_a", "2019: 7.5 … Euro area (EA19)"},
		{"q=tasa+de+paro+zona+del+euro", "une_rt_a", "2019: 7.5 … Euro area (EA19)"},
		{"q=tasso+di+disoccupazione+area+euro", "une_rt_a", "2019: 7.5 … Euro area (EA19)"},
		{"q=unemployment+rate&area=Eurozone", "une_rt_a", "2019: 7.5 … Euro area (EA19)"},
		{"q=unemployment+rate&area=EA20", "une_rt_a", "has no value of the area itself … EA20 parts"},
		{"q=unemployment+rate+EU", "une_rt_a", "European Union (EU"},
		{"q=Swiss+franc+rate+euro+zone", "eurofxref", "EA known"},
		{"q=young+adults+living+with+their+parents+euro+area", "ILC_LVPS08", "2022: 49.2 … Euro area (EA20), 20 countries, 2023–2025"},
		{"q=real+GDP+per+capita+eurozone", "sdg_08_10", "2025: 36940 … Euro area (EA21), 21 countries, from 2026"},
	} {
		checkValue(t, find(t, base, "limit=20&"+strings.ReplaceAll(c.query, "ô", "%C3%B4")), c.query, c.code, c.want)
	}
	for query, want := range map[string]string{
		"country=Euro%20area":           `is read as Euro area (EA19), 19 countries, 2015–2022`,
		"country=eurozone":              `is read as Euro area (EA19), 19 countries, 2015–2022`,
		"country=European%20Union":      `EU27_2020`,
		"country=EA20":                  `it has another composition of the group: Euro area (EA19), 19 countries, 2015–2022`,
		"country=EA":                    `it has another composition of the group`,
		"country=EA19&country=Euroraum": `"Euroraum\" is read as Euro area (EA19)`,
	} {
		if body := ask(t, "GET", base+"/api/datasets/1/data?latest=true&codes=true&"+query).body; !strings.Contains(body, want) {
			t.Errorf("%s lacks %q: %.600s", query, want, body)
		}
	}
}

// TestPlacesOfQuestions checks that no hit shows the number of another place than the question names.
func TestPlacesOfQuestions(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/demo_r_pjangrp3.tsv.gz", "eurostat/tsv-old/earn_mw_cur.tsv", "eurostat/tsv-old/migr_emi2.tsv.gz")
	const world, regions = "SP.POP.TOTL", "demo_r_pjangrp3"
	for _, c := range []struct{ question, code, want string }{
		{"population Indiana", world, "no value of the area itself … US-IN lacking"},
		{"population Indiana US", world, "no value of the area itself … US-IN lacking  US known"},
		{"population of Nigera", world, `"Nigera" may mean Niger [NE] or Nigeria [NG]`},
		{"population of Mala", world, `"Mala" may mean Mali [ML] or Malta [MT]`},
		{"population of Germny", world, "Germany 2016"},
		{"population of Northern Sweden", regions, `"Northern Sweden" is a part of Sweden [SE]`},
		{"population of the south of Norway", regions, `"south of Norway" is a part of Norway [NO]`},
		{"population Southern Italy", world, `"Southern Italy" is a part of Italy [IT]`},
		{"population West Germany", regions, "no value of the area itself"},
		{"Bevölkerung Süditalien", world, "is a part of Italy [IT]"},
		{"población Italia meridional", world, "is a part of Italy [IT]"},
		{"population of Norra Sverige", regions, "Norra Sverige"},
		{"population of South Holland", regions, "Zuid-Holland"},
		{"population of South Korea", world, "Korea"},
		{"population of Southern", regions, "Southern"},
		{"population Southern Portugal", regions, `is a part of Portugal [PT]`},
		{"population Islands", world, `"Islands" is neither`},
		{"population Pacific islands", world, "no value of the area itself … X55 lacking"},
		{"population Iceland", world, "Iceland 2016"},
		{"Bevölkerung Island", world, "Iceland 2016"},
		{"minimum wage in England", "earn_mw_cur", "no value of the area itself … GB-ENG"},
		{"population Limburg", regions, `"Limburg" may mean Limburg, Netherlands [NL-LI] or Limburg`},
		{"population Limburg Belgium", regions, "Limburg (BE)"},
		{"population of the world", regions, "the question is for the world"},
		{"population of the world", world, "World 2016"},
		{"population Austria Vienna", regions, "Wien"},
		{"population Denmark region Hovedstaden", regions, "Hovedstaden"},
		{"population London Ontario", regions, "the question names London and Ontario"},
		{"population France and Germany", world, "France 2016"},
		{"emigration to Germany from Spain", "migr_emi2", "the question names Germany and Spain"},
		{"population Bremen", regions, "Bremen [DE5] 2022: 676463"}, // and not the city
		{"population Brandenburg", regions, "Brandenburg [DE4] 2022: 2537868"},
		{"population Brandenburg an der Havel", regions, "Brandenburg an der Havel, Kreisfreie Stadt 2022: 72461"},
		{"population Luxembourg, Belgium", regions, "Prov. Luxembourg (BE) 2022: 294400"},
		{"population Luxembourg", regions, "Luxembourg [LU] 2022: 645397"},
		{"population Kassel", regions, "Kassel 2022: 1217688 … areas with a similar name are Kassel, Kreisfreie Stadt [DE731], Kassel, Landkreis [DE734]"},
		{"population Namur", regions, "Prov. Namur 2022: 503408 … areas with a similar name are Arr. Namur [BE352]"},
		{"population Emden", regions, "Emden, Kreisfreie Stadt 2022: 49523"},
		{"population Netherlands Antilles", world, "no value of the area itself … AN lacking"},
		{"minimum wage Germany dollars", "earn_mw_cur", "names a currency (USD) … DE known"},
		{"population Lisboa", regions, "Área Metropolitana de Lisboa [PT17]"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestQualifiedMeasures checks that words such as nominal choose the series, or that no value is shown.
func TestQualifiedMeasures(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "bis/full_bis_eer_csv.zip", "px/statfin/HalfYearStatistics.px", "fao/FAOSTAT_data-UKR-crops.csv", "un/WPP2019_Period_Indicators_Medium.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-new/estat_nrg_ind_ren.tsv", "px/scb/TAB002-eurostat-by-citizenship.px",
		"statcan/34100158.zip", "who/HWF_0001-gho-export.csv", "eurostat/tsv-old/earn_mw_cur.tsv", "eurostat/tsv-old/une_rt_a.tsv.gz")
	const wpp, crops, wages = "wpp_period_indicators_medium", "QCL", "earn_mw_cur"
	for _, c := range []struct{ question, code, want string }{
		{"nominal effective exchange rate Japan", "bis_eer", "Nominal"},
		{"real effective exchange rate Japan", "bis_eer", "Real"},
		{"wheat production Ukraine", crops, "Production"},
		{"wheat yield in Ukraine", crops, "Ukraine 2022: 3924.9 … Yield [5412] Wheat"}, // there are other yields, but not of wheat
		{"wheat yield per hectare Ukraine", crops, "Yield [5412] Wheat"},
		{"yield Ukraine", crops, "Yield [5412] Wheat … names no Item; the value is of Wheat"},
		{"barley yield Ukraine", crops, "Yield [5412] Barley"},
		{"Hektarertrag Mais Ukraine", crops, "Yield [5412] Maize (corn)"},
		{"crop yields Ukraine", crops, "choose a series by the dimensions"},
		{"crop production Ukraine", crops, "choose a series by the dimensions"},
		{"area harvested rye Ukraine", crops, "Area harvested Rye"},
		{"stocks of goats Ukraine", crops, "Stocks [5111] Goats"},
		{"cattle Ukraine 2020", crops, "Ukraine 2020: 3092000 Stocks [5111] Cattle"}, // there is no production of cattle
		{"cattle production Ukraine", crops, "(Production [5510], Cattle) has no observed value there"},
		{"infant mortality France", wpp, "Infant mortality rate"},
		{"neonatal mortality France", wpp, "a measure that is called neonatal"},
		{"perinatal mortality France", wpp, "a measure that is called perinatal"},
		{"mortalité néonatale France", wpp, "a measure that is called neonatal"},
		{"Neugeborenensterblichkeit Frankreich", wpp, "a measure that is called neonatal"},
		{"renewable energy Sweden", "nrg_ind_ren", "Sweden 2024: 62.846"},
		{"renewable electricity Sweden", "nrg_ind_ren", "Sweden 2024: 88.143"},
		{"foreign population Spain", "TAB002", "347233 … Foreign country"},
		{"étrangers Espagne", "TAB002", "347233 … Foreign country"},
		{"Ausländer Spanien", "TAB002", "347233 … Foreign country"},
		{"housing starts Ontario", "DF_34100158", "Ontario 04/2022: 84.088"},
		{"housing completions Ontario", "DF_34100158", "a measure that is called completions"},
		{"housing stock Ontario", "DF_34100158", "a measure that is called stock"},
		{"housing starts Ontario March 2022", "DF_34100158", "Ontario 03/2022: "},
		{"housing starts Ontario 2022-03", "DF_34100158", "Ontario 03/2022: "},
		{"housing starts Ontario March 2023", "DF_34100158", "no observed value of 03/2023 there; its latest one is of 04/2022"},
		{"doctors in Germany", "HWF_0001", "Germany 2018: 43"},
		{"specialist doctors in Germany", "HWF_0001", `"specialist" is neither`},
		{"wages Finland", "statfin_ktps_pxt_111p", `of "F Construction" only`},
		{"wages in construction Finland", "statfin_ktps_pxt_111p", "Finland H2/2022"},
		{"SP.POP.TOTL Italy", "SP.POP.TOTL", "Italy 2016"},
		{"minimum wage Spain", wages, "Spain H1/2021"},
		{"maximum wage Spain", wages, "is neither"},
		{"unemployment rate France November 2015", "une_rt_a", "no observed value of 11/2015"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestWordsOfTheSeries checks that no hit shows a number because words of the question are in another part of the title, in another
// series, in a broader term or in the name of a file.
func TestWordsOfTheSeries(t *testing.T) {
	stattest.SkipUnderRace(t)
	const more = "../data-more/"
	base := searchFiles(t, more+"unctad-pop/US_PopTotal_20230713030810 3.csv", "imf/WEOOct2009all.xls", "eurostat/tsv-old/lfst_r_lfe2eedu.tsv.gz",
		more+"who-gho-air1/AIR_1.csv", more+"ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv", "eurostat/tsv-old/tsdec220.tsv.gz", "eurostat/json/nama_gdp_c-2016.json", more+"undata-anemia/UNdata_Export_20241005_161251297.csv", more+"undp-hdr/HDR21-22_complete_time_series.csv")
	const urban, education, anaemia, development = "us_poptotal", "lfst_r_lfe2eedu", "undata_export_20241005_161251297", "hdr21-22_complete_time_series"
	for _, c := range []struct{ question, code, want string }{
		{"population India", urban, "India 2022: 1417173.173"},
		{"urban population India", urban, `the title has "urban population" among other things`},
		{"rural population Kenya", urban, `"rural population" is neither`},
		{"urbanisation Kenya", urban, `"urbanisation" is neither`},
		{"GDP current prices Germany", "WEO", "a measure that is called nominal"},
		{"GDP constant prices Germany", "WEO", "Germany 2008: 2274 … [NGDP_R]"},
		{"real GDP growth Germany", "WEO", "Germany 2008: 1.248"},
		{"employment Sweden", education, "Sweden 2015: 4659.9"},
		{"employment Sweden tertiary", education, `"tertiary" is neither`},
		{"exports Hungary", anaemia, `"exports" is neither`},
		{"deaths Hungary", "AIR_1", "only of a part by its cause"},
		{"deaths Hungary", "ihme-gbd_2021_data-446de514-1", "the question is for a number"},
		{"GDP per capita France", "tsdec220", "is of a difference between values"},
		{"nominal GDP France", "nama_gdp_c", "is of values per inhabitant"},
		{"GDP per capita France", "nama_gdp_c", "Euro per inhabitant"},
		{"complete Chile", development, `"complete" is neither`},
		{"time series Norway", development, "does not say what is measured"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}
