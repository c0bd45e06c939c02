package defaults

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/stat"
)

// Ranges as the offices' codes and labels write them.
func TestSpanOf(t *testing.T) {
	over := math.Inf(1)
	for text, want := range map[string]span{
		"Y15-74": {15, 74}, "Y_GE15": {15, over}, "Y_LT5": {0, 4}, "Y15T74": {15, 74}, "YGE65": {65, over}, "GE10": {10, over}, "15-24": {15, 24}, "100+": {100, over}, "Y20": {20, 20},
		"From 15 to 74 years": {15, 74}, "15 years or over": {15, over}, "Under 5": {0, 4}, "Less than 15 years": {0, 14}, "15–64": {15, 64}, "15 to 24 years": {15, 24},
		"De 16 a 19 años": {16, 19}, "25 y más años": {25, over}, "Menores de 25 años": {0, 24}, "65 Jahre und älter": {65, over}, "65 ans et plus": {65, over}, "16 bis 24": {16, 24},
		"B-S": {1, 18}, "B-S_X_K642": {1, 18}, "A_TO_F": {0, 5}, "B-N_S95_X_K": {1, 13}, "AGE_YTHADULT_YGE15": {15, over}, "AGE_YTHADULT_Y15-24": {15, 24},
		"Age 22": {22, 22}, "Age under 1": {0, 0}, "Age 85 and over": {85, over},
	} {
		if got, ok := spanOf(stat.Code{ID: text}); !ok || got != want {
			t.Errorf("%s: %v, %t; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"TOTAL", "2010=100", "Chain linked volumes (2010), million euro", "ED3_4", "College 2", "CP01", ""} {
		if got, ok := spanOf(stat.Code{ID: text}); ok {
			t.Errorf("%s: %v, want no range", text, got)
		}
	}
}

// singleYears are the codes of single years of age without a sum.
var singleYears = func() string {
	var codes []string
	for age := range 100 {
		codes = append(codes, strconv.Itoa(age))
	}
	return strings.Join(append(codes, "100+"), "|")
}()

// What each rule chooses among equally covered codes. A case is the title, the dimension,
// the codes (with = before a label, @ before the size of their values, else their number)
// and the result.
func TestRules(t *testing.T) {
	for _, c := range []struct{ title, dimension, codes, want string }{
		{"Births", "sex", "F=Women|M=Men|T=Total", "T total"},
		{"Births", "sex", "1=Kvinnor|2=Män|1+2=Båda", "1+2 total"},
		{"出生", "sex", "1=男|2=女|0=総数", "0 total"},
		{"Deaths", "variant", "H=High variant|M=Medium variant|L=Low variant", "M total"},
		{"Trade", "partner", "AR=Argentina|W=World|Z=Zambia", "W all-items"},
		{"Prices", "coicop", "CP01=Food|CP00=HICP|CP02=Alcohol", "CP00 all-items"},
		{"Energy", "siec", "TOT_X_NRG=Without energy|A=Coal|B=Oil", "TOT_X_NRG all-items"},
		{"Young people aged 18-24 not in employment", "age", "Y15-24|Y15-29|Y18-24", "Y18-24 title"},
		{"Employment by age", "age", "Y15-24|Y15-64|Y20-64|Y_GE15", "Y_GE15 range"},
		{"Enterprises by size", "size", "0-9|10-49|50-249|GE250|GE10", "GE10 range"},
		{"Population", "age", "0-14|15-64|65+", "15-64 range"},
		{"Population", "age", "1=0-4|2=5-9|3=10-14|4=15-19|5=100+", "3 middle"},
		{"Prices", "group", "01=Food|01.1=Bread|01.2=Meat", "01 root"},
		{"Production", "s_adj", "NSA=Unadjusted data|SA=Seasonally adjusted data|TREND=Trend, seasonally adjusted", "SA adjusted"},
		{"Production", "s_adj", "NSA=Not seasonally adjusted|X=Saisonbereinigt", "X adjusted"},
		{"Production", "Ajustement", "Données CVS|Données brutes|Données CVS-CJO", "Données CVS-CJO adjusted"},
		{"Produktion", "Bereinigung", "Originalwert|Saisonbereinigt|Kalender- und saisonbereinigt", "Kalender- und saisonbereinigt adjusted"},
		{"Chômage", "Correction", "Données brutes|Données corrigées des variations saisonnières", "Données corrigées des variations saisonnières adjusted"},
		{"Chômage", "Correction", "Non corrigé des variations saisonnières|Corrigé des variations saisonnières et des jours ouvrables", "Corrigé des variations saisonnières et des jours ouvrables adjusted"},
		{"Paro", "Serie", "Datos brutos|Datos corregidos de efectos estacionales y de calendario", "Datos corregidos de efectos estacionales y de calendario adjusted"},
		{"Desemprego", "Ajuste", "Sem ajuste sazonal|Com ajuste sazonal", "Com ajuste sazonal adjusted"},
		{"Disoccupazione", "Correzione", "Dati grezzi|Dati corretti per la stagionalità", "Dati corretti per la stagionalità adjusted"},
		{"Werkloosheid", "Correctie", "Niet gecorrigeerd|Gecorrigeerd voor seizoen", "Gecorrigeerd voor seizoen adjusted"},
		{"Nezaměstnanost", "Očištění", "Neočištěno|Sezónně očištěno", "Sezónně očištěno adjusted"},
		{"Production", "s_adj", "Seasonally unadjusted|Adjusted for seasonal effects", "Adjusted for seasonal effects adjusted"},
		{"Prices", "Base", "a=2005=100|b=2010=100|c=2015=100", "c unit"},
		{"Prices", "Index", "a=2011-12=100|b=2001-02 = 100", "a unit"},
		{"Prix", "Base", "Base 100 en 1998|Base 100 en 2015", "Base 100 en 2015 unit"},
		{"物価", "基準", "a=2015年=100|b=2020年=100", "b unit"},
		{"Unemployment rate", "unit:", "THS_PER=Thousand persons|PC_POP=Percentage of total population|PC_ACT=Percentage of active population", "PC_ACT unit"},
		{"Employment rate", "unit:", "THS_PER=Thousand persons|PC_POP=Percentage of total population|PC_ACT=Percentage of active population", "PC_POP unit"},
		{"Households with access", "unit:", "PC_HH_IACC=Percentage of households with access to the internet|PC_HH=Percentage of households", "PC_HH unit"},
		{"Production index", "unit:", "I10=Index, 2010=100|I15=Index, 2015=100|PCH_PRE=Percentage change on previous period", "I15 unit"},
		{"Income per inhabitant", "unit:", "MIO_EUR=Million euro|EUR_HAB=Euro per inhabitant|PPS_HAB=PPS per inhabitant", "EUR_HAB unit"},
		{"National accounts", "unit:", "CP_MNAC=Million units of national currency|CLV15_MEUR=Chain linked volumes (2015), million euro|CP_MEUR=Current prices, million euro", "CP_MEUR unit"},
		{"Population on 1 January", "unit:", "THS=Thousand|NR=Number", "NR unit"},
		{"Exchange rates", "CURRENCY", "ARS|NZD|USD|ZAR", "USD unit"},
		{"Derivatives", "DER_CURR_LEG2", "AUD@3|CAD@5|CHF@4", "CAD largest"},
		{"Derivatives", "DER_CURR_LEG2", "AUD@3|TO1=All currencies@9|EUR@4", "TO1 total"},
		{"Life expectancy", "indicator", "A=Births|B=Life expectancy|C=Deaths", "B title"},
		{"Population", "measure", "A=Density|B=Number of people", "A measure"},
		{"Earnings", "series", "A=Earnings ; Males ; Total|B=Earnings ; Persons ; Total|C=Earnings ; Females ; Total", "B total"},
		{"Deaths", "ESTIMATE", "LOWER=Lower|VALUE=Value|UPPER=Upper", "VALUE value"},
		{"Deaths", "icd10", "A=Some diseases|A-R_V-Y|B=Others", "A-R_V-Y all-items"},
		{"Output", "ADJUSTMENT", "N|Y", "Y adjusted"},
		{"Employment", "classif1", "AGE_YTHADULT_Y15-24=Age (Youth, adults): 15-24|AGE_YTHADULT_YGE15=Age (Youth, adults): 15+|AGE_YTHADULT_YGE25=Age (Youth, adults): 25+", "AGE_YTHADULT_YGE15 range"},
		{"Lending", "FREQ:", "A|M|Q", "M frequency"},
		{"Crops", "item", "1=Almonds|2=Barley|3=Wheat|4=Rye|5=Rice", "3 middle"},
		{"Crops", "item", "1=Almonds|2=Barley|3=Wheat", "3 sum"},
		{"Crops", "item", "A=Almonds|B=Barley@9|C=Wheat@50|CA=Durum@49", "C largest"},
		{"Prices of crops", "item", "A=Almonds|B=Barley@2|C=Wheat@50", "B middle"},
		{"Unemployment rate", "education", "A=Low@9|B=Middle@1|C=High@1.5", "C middle"},
		{"Population", "age", singleYears, "0 range"},
		{"Trade", "product", "TT=TT - Total|BA=BA - Cement", "TT total"},
		{"Trade (sectoral classification)", "group", "STR=Sector@1|CAT=Category@2|STG=Stage@5", "CAT middle"},
		{"GDP", "PRICE_BASE", "L=Chain linked volume|V=Current prices|D=Deflator", "V prices"},
		{"Real GDP", "PRICE_BASE", "V=Current prices|L=Chain linked volume|D=Deflator", "L prices"},
		{"GDP", "TRANSFORMATION", "G1=Growth rate, period on period|N=Non transformed data|GY=Growth rate, over one year", "N prices"},
		{"Health", "icha11_hf", "HF1=Government schemes|TOT_HF|HF3=Household payments", "TOT_HF total"},
		{"Mortality", "indicator", "A=Deaths|B=Population|C=Crude rate|D=Age-adjusted rate", "A measure"},
		{"Labour force survey", "Labour force characteristics", "Labour force|Population|Employment", "Labour force measure"},
		{"Consumer prices", "group", "A=All-items excluding food|B=All-items|C=Food", "B all-items"},
		{"Consumer prices", "aggregate", "1=01 Food|2=02 Alcohol|3=CPI (overall index)|4=04 Housing", "3 all-items"},
		{"Consumer prices", "aggregate", "1=01: FOOD|2=CPI INDEX 00: ALL ITEMS 2015=100|3=04: HOUSING", "2 all-items"},
		{"Nights spent", "nace_r2", "I551|I552|I553|I551-I553", "I551-I553 range"},
		{"Enterprises", "nace_r2", "C|C10-S951_X_K|F|G", "C10-S951_X_K range"},
		{"Waste", "hazard", "HAZ|HAZ_NHAZ|NHAZ", "HAZ_NHAZ total"},
		{"Emissions", "src_crf", "CRF1|CRF2|TOTX4_MEMO", "TOTX4_MEMO all-items"},
		{"Employment rate by age", "age", "Y15-64|Y_GE15|Y15-24|Y20-64", "Y15-64 range"},
		{"Unemployed", "age", "15 bis unter 25 Jahre|15 bis unter 65 Jahre|25 bis unter 65 Jahre", "15 bis unter 65 Jahre range"},
		{"Smokers", "AGEGROUP", "AGEGROUP_YEARS18-PLUS|AGEGROUP_YEARS18-29|AGEGROUP_YEARS30-44", "AGEGROUP_YEARS18-PLUS range"},
		{"Exchange rates", "statinfo", "END|AVG", "AVG prices"},
		{"Health care expenditure", "unit:", "MIO_EUR|PC_CHE|PC_GDP", "PC_GDP unit"},
		{"Internet use", "unit:", "PC_IND_ILT12|PC_IND", "PC_IND unit"},
		{"Hospital beds", "unit:", "HAB_P|NR|P_HTHAB", "P_HTHAB unit"},
		{"Residential property prices", "unit:", "771=Year-on-year changes, in per cent|628=Index, 2010 = 100", "628 unit"},
		{"Earnings", "classif2", "CUR_TYPE_LCU|CUR_TYPE_USD", "CUR_TYPE_USD unit"},
		{"Production", "s_adj", "SA=Seasonally adjusted|SCA=Seasonally and calendar adjusted|NSA=Unadjusted", "SCA adjusted"},
	} {
		checkRule(t, c.title, c.dimension, c.codes, c.want)
	}
}

// checkRule chooses a code of a dimension that is written as in TestRules.
func checkRule(t *testing.T, title, dimension, codes, want string) {
	t.Helper()
	var sizes []float64
	dim := stat.Dimension{ID: strings.TrimSuffix(dimension, ":"), Role: stat.RoleOther}
	switch dimension {
	case "unit:":
		dim.Role = stat.RoleUnit
	case "FREQ:":
		dim.Role = stat.RoleFrequency
	}
	for text := range strings.SplitSeq(codes, "|") {
		text, size, ok := strings.Cut(text, "@")
		id, label, _ := strings.Cut(text, "=")
		dim.Codes = append(dim.Codes, stat.Code{ID: id, Label: label})
		sizes = append(sizes, float64(len(dim.Codes)))
		if ok {
			sizes[len(sizes)-1], _ = strconv.ParseFloat(size, 64)
		}
	}
	d := &Dataset{Dataset: &stat.Dataset{Name: title, Dimensions: []stat.Dimension{dim}}, SubAnnual: true}
	d.Count = func(int, []int32) (map[int32]Tally, error) {
		tallies := map[int32]Tally{}
		for i := range dim.Codes {
			tallies[int32(i)] = Tally{Series: 1, Areas: 1, Values: 1, Typical: sizes[i]}
		}
		return tallies, nil
	}
	choice, err := Choose(d)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(dim.Codes[choice.Key[0]].ID, " ", choice.Rules[0]); got != want {
		t.Errorf("%s, %s (%s): %s, want %s", title, dimension, codes, got, want)
	}
}

// A total that few areas have is no default, and a curator's choice always is.
func TestCoverage(t *testing.T) {
	dim := stat.Dimension{ID: "sex", Role: stat.RoleOther, Codes: []stat.Code{{ID: "T", Label: "Total"}, {ID: "F", Label: "Women"}}}
	d := &Dataset{Dataset: &stat.Dataset{Dimensions: []stat.Dimension{dim}}}
	d.Count = func(int, []int32) (map[int32]Tally, error) {
		return map[int32]Tally{0: {Series: 1, Areas: 4, Values: 4}, 1: {Series: 1, Areas: 9, Values: 9}}, nil
	}
	for _, c := range []struct{ curated, want string }{{"", "F areas"}, {"T", "T curator"}, {"unknown", "F areas"}} {
		d.Dimensions[0].Default = c.curated
		choice, _ := Choose(d)
		if got := fmt.Sprint(dim.Codes[choice.Key[0]].ID, " ", choice.Rules[0]); got != c.want {
			t.Errorf("curator %q: %s, want %s", c.curated, got, c.want)
		}
	}
}

// Choosing among the codes of a dataset such as Eurostat's national accounts, without
// counting the series.
func BenchmarkChoose(b *testing.B) {
	codes := func(n int, label string) (list []stat.Code) {
		for i := range n {
			list = append(list, stat.Code{ID: fmt.Sprintf("%c%02d", 'A'+i%20, i), Label: fmt.Sprintf(label, i)})
		}
		return list
	}
	d := &Dataset{SubAnnual: true, Dataset: &stat.Dataset{Name: "National accounts by industry, age and unit", Dimensions: []stat.Dimension{
		{ID: "unit", Role: stat.RoleUnit, Codes: codes(32, "Chain linked volumes (20%02d), million euro")},
		{ID: "na_item", Role: stat.RoleOther, Codes: codes(39, "Final consumption of group %d")},
		{ID: "nace_r2", Role: stat.RoleOther, Codes: codes(60, "Manufacture of %d")},
		{ID: "age", Role: stat.RoleOther, Codes: codes(100, "%d years")},
	}}}
	d.Count = func(axis int, _ []int32) (map[int32]Tally, error) {
		tallies := map[int32]Tally{}
		for i := range d.Dimensions[axis].Codes {
			tallies[int32(i)] = Tally{Series: 1, Areas: 30, Values: 150, Typical: float64(i%17 + 1)}
		}
		return tallies, nil
	}
	for b.Loop() {
		if _, err := Choose(d); err != nil {
			b.Fatal(err)
		}
	}
}
