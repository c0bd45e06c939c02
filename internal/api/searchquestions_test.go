package api_test

import (
	"net/url"
	"testing"

	"almanac/internal/importer"
)

// TestPeriodsOfQuestions checks that no hit shows the value of another day, week, month or year than the question names.
func TestPeriodsOfQuestions(t *testing.T) {
	base := searchFiles(t, "ecb/eurofxref-hist.csv", "eurostat/tsv-old/demo_r_mwk_ts.tsv", "worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv", "px/statfin/HalfYearStatistics.px",
		"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	const rates, deaths, fertility, wages, people = "eurofxref", "demo_r_mwk_ts", "SP.DYN.TFRT.IN", "statfin_ktps_pxt_111p", "SP.POP.TOTL"
	for _, c := range []struct{ question, code, want string }{
		{"pound sterling euro rate 24 June 2016", rates, "24/06/2016: 0.8075 GBP"},
		{"Wechselkurs Pfund Euro am 24. Juni 2016", rates, "24/06/2016: 0.8075 GBP"},
		{"pound sterling euro June 24th, 2016", rates, "24/06/2016: 0.8075 GBP"},
		{"pound sterling euro 2015-01-15", rates, "15/01/2015: 0.7672 GBP"},
		{"pound sterling euro 15.01.2015", rates, "15/01/2015: 0.7672 GBP"},
		{"pound sterling euro 15/01/2015", rates, "15/01/2015: 0.7672 GBP"},
		{"pound sterling euro 04/03/2015", rates, `04/03/2015: 0.7259 GBP … "04/03/2015" is read as 4 March 2015`},
		{"pound sterling euro 25 June 2016", rates, "no observed value of 25/06/2016"}, // a Saturday
		{"pound sterling euro 31 February 2016", rates, "the calendar has no 31 February 2016"},
		{"pound sterling euro June 2016", rates, `30/06/2016: 0.8265 GBP … "June 2016" is read as the last period in it with a value, 30/06/2016`},
		{"pound sterling euro week 13 2020", rates, "no observed value of W13/2020"},
		{"deaths France week 13 2020", deaths, "France W13/2020: 16431"},
		{"deaths France W13/2020", deaths, "France W13/2020: 16431"},
		{"Sterbefälle Frankreich KW 13 2020", deaths, "France W13/2020: 16431"},
		{"fertility rate in Japan in 2100", fertility, "no observed value of 2100"},
		{"fertility rate in Japan in 2150", fertility, "no observed value of 2150"},
		{"wage index construction Finland 2015", wages, `H2/2015: 106.2031 … "2015" is read as the last period in it with a value, H2/2015`},
		{"wage index construction Finland 2015=100", wages, "H2/2022: "},
		{"wage index construction Finland second half of 2016", wages, "H2/2016: "},
		{"population France 2000-2016", people, "France 2016: 66896109"},
		{"population France since 2000", people, "France 2016: 66896109"},
		{"population France 1990 and 2000", people, "is of 2016, and the question is for 1990 and 2000"},
		{"population France until 2000", people, "is of 2016, and the question is for until 2000"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestRatesAndNumbers checks that no hit shows a rate, or a value per inhabitant, for a number, and that a unit is shown that only the
// title or a label names.
func TestRatesAndNumbers(t *testing.T) {
	base := searchFiles(t, "who/HWF_0001-gho-export.csv", "owid/co2-emissions-per-capita.csv", "unicef/CME_MRY0T4_all_2020.csv", "un/WPP2019_Period_Indicators_Medium.csv",
		"worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv")
	const doctors, emissions, children, people, fertility = "HWF_0001", "co2-emissions-per-capita", "cme_mry0t4_all_2020", "wpp_period_indicators_medium", "SP.DYN.TFRT.IN"
	for _, c := range []struct{ question, code, want string }{
		{"how many doctors are in Cuba", doctors, "the question is for a number"},
		{"Anzahl der Ärzte in Kuba", doctors, "the question is for a number"},
		{"número de médicos en España", doctors, "the question is for a number"},
		{"total doctors Cuba", doctors, "the question is for a total"},
		{"doctors in Cuba", doctors, "Cuba 2018: 84.2"},
		{"doctors per 10,000 people Cuba", doctors, "Cuba 2018: 84.2"},
		{"CO2 emissions of China 2020", emissions, "is of values per inhabitant"},
		{"CO2 emissions per capita China 2020", emissions, "China 2020: 7.6471825"},
		{"under-five deaths Nigeria 2020", children, "the question is for a number"},
		{"under-five mortality Nigeria 2020", children, "Nigeria 2020: 114.369991025191"},
		{"under-five deaths Nigeria 2020", people, "the question is for a number"},
		{"births Japan", people, "Japan 2020: 4766.941 … Births"},
		{"total fertility Japan", people, "Japan 2020: 1.37"},
		{"births Japan", fertility, "among other things"},
		{"births per woman Japan", fertility, "Japan 2015: 1.46"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
	for _, h := range find(t, base, "q=doctors+in+Cuba").Data {
		if h.Code == doctors && h.Latest.Unit != "per 10,000" {
			t.Errorf("the unit of doctors is %q", h.Latest.Unit)
		}
	}
}

// TestLongNames checks that a name of several words is not read as that of a larger place of which it begins with the name.
func TestLongNames(t *testing.T) {
	base := searchFiles(t, "eurostat/tsv-old/demo_r_pjangrp3.tsv.gz", "../data-more/destatis-12411-0015/12411-0015.csv")
	const regions, districts = "demo_r_pjangrp3", "12411-0015"
	for _, c := range []struct{ question, code, want string }{
		{"Bevölkerung von Frankfurt (Oder)", regions, "Frankfurt (Oder), Kreisfreie Stadt 2022: 56679"},
		{"Einwohner Frankfurt an der Oder", regions, "Frankfurt (Oder), Kreisfreie Stadt 2022: 56679"},
		{"population Frankfurt Oder 2020", regions, "Frankfurt (Oder), Kreisfreie Stadt 2020: 57751"},
		{"Bevölkerung Frankfurt oder Berlin", regions, "Frankfurt am Main"},
		{"population of Frankfurt", regions, "Frankfurt am Main, Kreisfreie Stadt 2022: 759224"},
		{"population Halle (Saale)", regions, "Halle (Saale), Kreisfreie Stadt 2022: 238061"},
		{"population Halle Saale", districts, "DEE02 known"},
		{"population Brandenburg an der Havel", regions, "Brandenburg an der Havel, Kreisfreie Stadt 2022: 72461"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestCounties checks that a county of a dataset is not read as its state, nor a city as the state if the dataset has its county.
func TestCounties(t *testing.T) {
	base := searchFilesOf(t, importer.Options{Period: "2018"}, "../data-more/saipe-2018/est18all.xls")
	for _, c := range []struct{ question, want string }{
		{"poverty rate Los Angeles County", "Los Angeles County 2018: 14.2"},
		{"poverty rate Los Angeles", `Los Angeles County 2018: 14.2 … "Los Angeles" is read as Los Angeles County`},
		{"poverty rate San Francisco", `San Francisco County 2018: 10.1 … "San Francisco" is read as San Francisco County`},
		{"poverty rate California", "California 2018: 12.8"},
		{"number of people in poverty in Los Angeles County", "the question is for a number"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, "est18all", c.want)
	}
}

// TestPlacesThatAreThere checks that no dataset is said to lack a place that it has with a code or a label of its own.
func TestPlacesThatAreThere(t *testing.T) {
	base := searchFiles(t, "../data-more/unctad-pop/US_PopTotal_20230713030810 3.csv", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "owid/co2-emissions-per-capita.csv")
	const people, gdp, emissions = "us_poptotal", "T12", "co2-emissions-per-capita"
	for _, c := range []struct{ question, code, want string }{
		{"world population 1960", people, "World 1960: 3019233.44"},
		{"population of Africa 2000", people, "Africa 2000: 818007.417 … un:002 known"},
		{"Bevölkerung Afrika 2000", people, "Africa 2000: 818007.417"},
		{"population EU 2000", people, "European Union (2020 …) 2000: 428378.865"},
		{"GDP Zanzibar", gdp, "Zanzibar 20 … un:836 known"},
		{"PIB a precios corrientes España 2010", gdp, "Spain 2010: "},
		{"GDP France", gdp, "France 2018: 2778892.247"},
		{"GDP per capita China in 1820", gdp, "no observed value of 1820"},
		{"CO2 emissions per capita world 1900", emissions, "World 1900: 1.1740984"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestPlacesFirst checks that datasets with the place of a question come before those that surely lack it.
func TestPlacesFirst(t *testing.T) {
	base := searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/demo_r_pjangrp3.tsv.gz", "../data-more/census-nst/nst-est2019-alldata.csv")
	for question, want := range map[string]string{
		"population of Texas": "nst-est2019-alldata", "population of Washington": "nst-est2019-alldata",
		"population of Japan": "SP.POP.TOTL", "population of Bavaria": "demo_r_pjangrp3",
	} {
		page := find(t, base, "q="+url.QueryEscape(question))
		if len(page.Data) == 0 || page.Data[0].Code != want {
			t.Errorf("%s: got %q, want %s first", question, codesOf(page), want)
		}
	}
}

// TestGroupsByCode checks that the code of a group is read as the group, and that no dataset has it which gives its code to another group.
func TestGroupsByCode(t *testing.T) {
	base := searchFiles(t, "jsonstat/oecd.json", "eurostat/tsv-old/une_rt_a.tsv.gz")
	for _, c := range []struct{ question, code, want string }{
		{"unemployment rate EU15", "une_rt_a", "European Union - 15 countries (1995-2004) 2019: 6.9 … EU15 known 2019"},
		{"unemployment rate EU15", "oecd", "no value of the area itself … EU15 parts"}, // its EU15 is the euro area
		{"unemployment rate ea19", "une_rt_a", "Euro area - 19 countries (from 2015) 2019: 7.5 … EA19 known"},
		{"unemployment rate EU27", "une_rt_a", "EU27_2020 known"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}

// TestAgesOfQuestions checks that ages in figures choose the value of just these ages, if the dataset has one.
func TestAgesOfQuestions(t *testing.T) {
	base := searchFiles(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/tsv-old/lfst_r_lfe2eedu.tsv.gz")
	const unemployment, employment = "une_rt_a", "lfst_r_lfe2eedu"
	for _, c := range []struct{ question, code, want string }{
		{"unemployment rate of women under 25 in Italy 2010", unemployment, `Italy 2010: 29.4 A From 15 to 24 years Percentage of active population Females … "under 25" is read as From 15 to 24 years [Y15-24]`},
		{"Arbeitslosenquote unter 25 Italien", unemployment, "Italy 2019: 29.2 A From 15 to 24 years"},
		{"chômage des moins de 25 ans en France", unemployment, "France 2019: 19.6 A From 15 to 24 years"},
		{"unemployment men aged 25 to 54 France", unemployment, "France 2019: 7.3 A From 25 to 54 years Percentage of active population Males"},
		{"unemployment under 30 Italy", unemployment, `"under" is neither`},
		{"unemployment between 20 and 30 Italy", unemployment, "is neither"},
		{"employment 15 and over Germany", employment, "2015: 40210.9 A THS Total 15 years or over"},
		{"unemployment 25-54 France 2015-01", unemployment, "no observed value of 01/2015"},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}
