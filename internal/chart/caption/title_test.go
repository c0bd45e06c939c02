package caption_test

import (
	"testing"

	"almanac/internal/chart/caption"
	"almanac/internal/stat"
)

// A picture has the subject of a table for a title, without what belongs to the table: its
// number, what it is broken down by, how often it appears. Codes and names of files become
// words.
func TestTitles(t *testing.T) {
	for name, want := range map[string]string{
		"12c1 -- Key figures on families by family type and area, 2006-2022":                         "Key figures on families",
		"11327: Flyttingar, etter statsborgerskap, kvartal og statistikkvariabel":                    "Flyttingar",
		"22.1.2.1. A lakónépesség nem, vármegye és régió szerint, január 1.":                         "A lakónépesség, január 1",
		"24369 - Taxa de desocupação":                                                                "Taxa de desocupação",
		"Table 7. Population":                                                                        "Population",
		"Tabelle 3: Bevölkerung":                                                                     "Bevölkerung",
		"Population January 1st 1977-2023 [BEESTA]":                                                  "Population January 1st",
		"Population by sex and age group. Canada. 2012":                                              "Population. Canada",
		"Unemployment by sex and age – annual data":                                                  "Unemployment",
		"House price index (2015 = 100) - quarterly data":                                            "House price index (2015 = 100)",
		"Healthy life years by sex (from 2004 onwards)":                                              "Healthy life years",
		"Young people neither in employment nor in education by sex and NUTS 2 regions (NEET rates)": "Young people neither in employment nor in education (NEET rates)",
		"Share of young adults living with their parents by age and sex - EU-SILC survey":            "Share of young adults living with their parents",
		"Greenhouse gas emissions by source sector (source: EEA)":                                    "Greenhouse gas emissions",
		"Number of deaths caused by fire and smoke":                                                  "Number of deaths caused by fire and smoke",
		"Households: owners and tenants":                                                             "Households: owners and tenants",
		"2011 - Population census":                                                                   "2011 - Population census",
		"EU27: Trade in goods":                                                                       "EU27: Trade in goods",
		"INTEREST RATES AND YIELDS, GDP OF THE EU":                                                   "Interest rates and yields, GDP of the EU",
		"07A01_02. Total housing stock area (RDC)":                                                   "Total housing stock area",
		"GDP": "GDP",
		"CPI": "CPI",
		"Arbeitslose sowie Quoten - Jahresdurchschnitt - regionale Tiefe: Kreise und krfr. Städte": "Arbeitslose sowie Quoten",
		"Bevölkerung - Stichtag 31.12. - regionale Tiefe: Gemeinden":                               "Bevölkerung",
		"discount_rate":                    "Discount rate",
		"children-per-woman":               "Children per woman",
		"unemployment1948":                 "Unemployment 1948",
		"gdp-tidy":                         "GDP",
		"rv021":                            "rv021",
		"BIS_DER":                          "BIS_DER",
		"DSWS Data Structure Definition":   "hrst_st",
		"undata_export_20241005_161251297": "Indicator not stated in the file",
	} {
		d := &stat.Dataset{Name: name, Code: name}
		if want == "hrst_st" {
			d.Code = want
		}
		if got := caption.Of(&caption.Picture{Dataset: d}).Title; got != want {
			t.Errorf("the title of %q is %q, want %q", name, got, want)
		}
	}
}

// A title of GENESIS lists the dimensions, and others name theirs in the office's language.
func TestTitleThatListsDimensions(t *testing.T) {
	for name, want := range map[string]string{
		"Bevölkerung: Bundesländer, Stichtag":             "Bevölkerung",
		"Bevölkerung: Frauen, Stichtag":                   "Bevölkerung: Frauen, Stichtag",
		"Deaths by Ursache and year":                      "Deaths",
		"Befolkning efter Bundesländer, tid":              "Befolkning",
		"Gebäude nach Baujahr":                            "Gebäude nach Baujahr",
		"Kuolleet muuttujina Kuukausi, Ursache ja Tiedot": "Kuolleet",
		"Prebivalstvo po ursache, leto":                   "Prebivalstvo",
		"Knihy po roce 1989":                              "Knihy po roce 1989",
	} {
		d := &stat.Dataset{Name: name, Dimensions: []stat.Dimension{{ID: "ursache", Label: "Ursache", Codes: []stat.Code{{ID: "1", Label: "1"}}}}, Geography: stat.Dimension{ID: "Bundesländer"}}
		if got := caption.Of(&caption.Picture{Dataset: d, Key: []int32{0}}).Title; got != want {
			t.Errorf("the title of %q is %q, want %q", name, got, want)
		}
	}
}

// The number of a table is cut off its title, a word of the title that is the name of its file too is not.
func TestTitleWithNameOfFile(t *testing.T) {
	for _, test := range []struct{ code, name, want string }{
		{"f1-data", "F1 INTEREST RATES AND YIELDS", "Interest rates and yields"},
		{"co2", "CO2 emissions", "CO2 emissions"},
		{"m3", "M3 MONEY SUPPLY", "M3 money supply"},
		{"b1", "B1 cells per litre", "B1 cells per litre"},
		{"export_2024_07_final", "GDP", "GDP"},
		{"wirtschaft", "BIP", "BIP"},
		{"data", "CPI", "CPI"},
		{"x3", "Gdp", "GDP"},
		{"cpi", "CPI", "CPI"},
	} {
		if got := caption.Of(&caption.Picture{Dataset: &stat.Dataset{Code: test.code, Name: test.name}}).Title; got != test.want {
			t.Errorf("the title of %q in %s is %q, want %q", test.name, test.code, got, test.want)
		}
	}
}

// A code before a label is cut off, the first word of a phrase is not.
func TestLabelThatBeginsWithItsCode(t *testing.T) {
	for _, test := range []struct{ code, label, want string }{
		{"F", "F Construction", "Construction"},
		{"F", "F construction", "construction"},
		{"C10", "C10 food products", "food products"},
		{"_T", "_T: total", "total"},
		{"IDA", "IDA total", "IDA total"},
		{"1", "(Percentage of GDP (excessive deficit procedure))", "Percentage of GDP (excessive deficit procedure)"},
		{"1", "(Men) and (women)", "(Men) and (women)"},
		{"Diabetes", "Diabetes mellitus", "Diabetes mellitus"},
	} {
		if got := caption.Label("x", "d", stat.Code{ID: test.code, Label: test.label}); got != test.want {
			t.Errorf("the label of %s %q is %q, want %q", test.code, test.label, got, test.want)
		}
	}
}

// A code for a title says nothing, unless the drawn lines have names in words.
func TestCodeForTitle(t *testing.T) {
	dim := func(label string) stat.Dimension {
		return stat.Dimension{ID: "x", Label: "x", Codes: []stat.Code{{ID: "1", Label: label}, {ID: "2", Label: label + "2"}}}
	}
	for label, want := range map[string]bool{"GRGEMAKT-10101": true, "Live births": false} {
		d := &stat.Dataset{Name: "ogd_bev2002_b", Code: "ogd_bev2002_b", Dimensions: []stat.Dimension{dim(label)}}
		c := caption.Of(&caption.Picture{Dataset: d, Key: []int32{0}, Varies: []int{0}})
		if c.SaysNoMeasure() != want {
			t.Errorf("lines like %q under the title %q: says no measure is %t, want %t", label, c.Title, !want, want)
		}
	}
}

// In each language a title has the parts that it has without a choice of language, in the same order.
func TestTitlesInLanguages(t *testing.T) {
	for _, c := range []struct {
		own, want    string
		translations map[string]string // the titles that are wanted
	}{
		{"Businesses by difficulties in recruiting staff, economic divisions (selection) and education level (in %)", "Businesses by difficulties in recruiting staff", map[string]string{
			"Betriebe nach Schwierigkeiten bei der Personalrekrutierung, ausgewählten Abteilungen und Niveau (in %)":                   "Betriebe nach Schwierigkeiten bei der Personalrekrutierung",
			"Etablissements selon le niveau de difficultés de recrutement, certaines divisions et le niveau de formation (en %)":       "Etablissements selon le niveau de difficultés de recrutement",
			"Stabilimenti secondo la difficoltà di reclutamento, alcune divisioni economiche e il livello di formazione (in percento)": "Stabilimenti secondo la difficoltà di reclutamento",
		}},
		{"Unemployment by sex and age – annual data", "Unemployment", map[string]string{
			"Arbeitslosigkeit nach Geschlecht und Alter – jährliche Daten": "Arbeitslosigkeit",
			"Chômage par sexe et âge – données annuelles":                  "Chômage",
			"Desempleo según sexo y edad – datos anuales":                  "Desempleo",
		}},
		{"Healthy life years by sex (from 2004 onwards)", "Healthy life years", map[string]string{"Gesunde Lebensjahre nach Geschlecht (ab 2004)": "Gesunde Lebensjahre"}},
		{"Households: owners and tenants", "Households: owners and tenants", map[string]string{"Haushalte: Eigentümer und Mieter": "Haushalte: Eigentümer und Mieter"}},
		{"Trade - services", "Trade - services", map[string]string{"Handel - Dienstleistungen": "Handel - Dienstleistungen"}},
	} {
		own := &stat.Dataset{Name: c.own, Code: "t"}
		if got := caption.Of(&caption.Picture{Dataset: own, Unit: "Percent"}).Title; got != c.want {
			t.Errorf("the title of %q is %q, want %q", c.own, got, c.want)
		}
		for text, want := range c.translations {
			view := &stat.Dataset{Name: text, Code: "t", Base: own}
			if got := caption.Of(&caption.Picture{Dataset: view, Unit: "Prozent", OwnUnit: "Percent"}).Title; got != want {
				t.Errorf("the title of %q is %q, want %q", text, got, want)
			}
		}
	}
}

// A title in one language only keeps what its table is about, in that language too.
func TestTitleThatListsItsSubjectFirst(t *testing.T) {
	d := &stat.Dataset{Name: "Betriebe nach Schwierigkeiten bei der Personalrekrutierung und Niveau", Code: "t", Dimensions: []stat.Dimension{{ID: "n", Label: "Niveau", Codes: []stat.Code{{ID: "1", Label: "1"}}}}}
	if got := caption.Of(&caption.Picture{Dataset: d, Key: []int32{0}}).Title; got != "Betriebe nach Schwierigkeiten bei der Personalrekrutierung" {
		t.Errorf("the title is %q", got)
	}
}
