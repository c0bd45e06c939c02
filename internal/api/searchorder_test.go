package api_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/search"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// checkOrder checks the first hits of questions: lines of a question and the codes of datasets.
func checkOrder(t *testing.T, base, table string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(table)) {
		question, wanted, _ := strings.Cut(line, "|")
		question = strings.TrimSpace(question)
		want := strings.Fields(wanted)
		var got []string
		for _, h := range find(t, base, "limit=20&q="+url.QueryEscape(question)).Data {
			got = append(got, h.Code)
		}
		if first := strings.Join(got[:min(len(got), len(want))], " "); first != strings.Join(want, " ") {
			t.Errorf("%s: the hits are %v, want first %v", question, got, want)
		}
	}
}

// TestValuesFirst checks that a dataset which has no value of the place or the period, or no word for what is asked for, comes after one that has it.
func TestValuesFirst(t *testing.T) {
	stattest.SkipUnderRace(t)
	more := filepath.Join("..", "data-more")
	checkOrder(t, searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", filepath.Join(more, "destatis-12411-0010/12411-0010.csv")), `
Bevölkerung Deutschland      | SP.POP.TOTL 12411-0010
Bevölkerung Deutschland 2010 | SP.POP.TOTL 12411-0010
Bevölkerung Bayern           | 12411-0010 SP.POP.TOTL
`)
	checkOrder(t, searchFiles(t, filepath.Join(more, "undp-annex2018/2018_statistical_annex_all.xlsx"), filepath.Join(more, "abs-640101/640101.xlsx")), `
consumer price index Australia | 640101
`)
	made := func(code, geo, rows string) string {
		return ownFile(t, code+".csv", "#almanac-tidy,1\n#source,made,Invented office\n#dataset,"+code+",Reservoirs\n#unit,Number\n#geography,geo,Area\n"+geo+"geo,TIME_PERIOD,OBS_VALUE\n"+rows)
	}
	checkOrder(t, searchFiles(t, made("several", "#code,FR,France\n#code,DE,Germany\n", "FR,2020,1\nDE,2020,2\n"), made("single", "#code,IT,Italy\n", "IT,2020,3\n")), `
reservoirs         | several single
reservoirs Italy   | single several
reservoirs Germany | several single
`)
	checkOrder(t, searchFilesOf(t, importer.Options{Country: "US"}, "imf/WEOOct2009all.xls", filepath.Join(more, "fred-unrate/UNRATE.csv")), `
unemployment rate US November 2022 | unrate WEO
unemployment rate US 2008          | WEO unrate
`)
}

// TestCurrentValuesFirst checks that old values, and those of a country that nobody asked for, come after current ones of many countries, also for
// the beginning of a word; and that the beginning of a term is not read as a shorter one.
func TestCurrentValuesFirst(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFilesOf(t, importer.Options{Country: "US"}, "jsonstat/oecd.json", "eurostat/tsv-old/une_rt_a.tsv.gz", "../data-more/fred-unrate/UNRATE.csv",
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "eurostat/tsv-new/sdg_08_10.tsv")
	checkAnswers(t, base, `
gdp per ca             | T12 | Total, all countries or areas 2018: 11232.2178 GDP per capita (US dollars)
unemployment us        | unrate | United States
unemployment rate of people by age us 2010 | unrate | United States
what is the us unemployment rate           | unrate | United States
tell us the unemployment rate in the US | unrate | United States
`)
	checkOrder(t, base, `
gdp per ca             | sdg_08_10 T12
unemployment rate      | une_rt_a oecd unrate
taux de chômage France | une_rt_a oecd
Arbeitslosenquote 2008 | une_rt_a oecd
unemp                  | une_rt_a oecd unrate
arbeitsl               | une_rt_a oecd
`)
}

// TestBroaderNames checks that a question finds datasets of broader terms by their short names, after those with a value, and without a value of the
// broader term: an index of consumer prices is no inflation.
func TestBroaderNames(t *testing.T) {
	base := searchFilesOf(t, importer.Options{Country: "GB"}, filepath.Join("..", "data-more", "ons-series/series-070322.csv"), "imf/WEOOct2009all.xls",
		ownFile(t, "rates.csv", "#almanac-tidy,1\n#source,made,Invented office\n#dataset,rates,CPI of all items\n#unit,Index\n#geography,geo,Area\n#code,GB,United Kingdom\ngeo,TIME_PERIOD,OBS_VALUE\nGB,2020,108\n"))
	checkOrder(t, base, "inflation UK | WEO")
	checkAnswers(t, base, `
inflation UK                        | series-070322 | "inflation" is neither
inflation UK                        | rates         | "inflation" is neither
CPI UK                              | rates         | United Kingdom 2020: 108
CPIH UK                             | series-070322 | United Kingdom 01/2022: 114.6
consumer price index UK             | series-070322 | "consumer price index" is neither
Inflation Vereinigtes Königreich    | series-070322 | "Inflation" is neither
owner occupiers' housing costs UK   | series-070322 | United Kingdom 01/2022: 114.6
`)
}

// TestWhileIndexing checks that no word is said to be unknown while only the offers can be found.
func TestWhileIndexing(t *testing.T) {
	dir := t.TempDir()
	open := func() *store.Store {
		s, err := store.Open(t.Context(), store.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	t.Cleanup(func() { s.Close() })
	load(t, s, "lands.csv", strings.NewReader("#almanac-tidy,1\n#source,made,Invented office\n#dataset,lands,Elephants\n#unit,Heads\n#geography,geo,Area\n#code,FR,France\ngeo,TIME_PERIOD,OBS_VALUE\nFR,2020,3\n"))
	closed := open()
	closed.Close() // its datasets cannot be indexed
	begun := search.New(search.Options{Store: closed, Offers: testOffers(t)})
	if err := begun.Refresh(t.Context()); err == nil {
		t.Fatal("the datasets are indexed")
	}
	base := serve(t, newAPI(t, api.Options{Store: s, Search: begun}))
	for _, question := range []string{"elephants", "elephants in France", "unemployment"} {
		got := ask(t, "GET", base+"/api/search?q="+url.QueryEscape(question)).body
		if !strings.Contains(got, "still being indexed") || strings.Contains(got, "no dataset has") {
			t.Errorf("%s: %s", question, got)
		}
	}
	checkNotices(t, serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, testOffers(t))})), "rhinos | no dataset has \"rhinos\" … not still being indexed")
}

// TestErrorsOfEstimates checks that how exact estimates of a measure are is no answer to a question for it.
func TestErrorsOfEstimates(t *testing.T) {
	stattest.SkipUnderRace(t)
	checkAnswers(t, searchFiles(t, filepath.Join("..", "data-more", "px-ine-1001/1001.px")), `
unemployment Spain                 | 1001 | is of errors of estimates
parados España                     | 1001 | is of errors of estimates
errores de muestreo parados España | 1001 | Spain Q4/2013: 0.86
`)
}
