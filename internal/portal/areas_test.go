package portal_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/stattest"
)

// TestAreas compares the index of areas with the list of datasets: each area leads to its page, which counts as many datasets.
func TestAreas(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/areas")
	counted := 0
	for _, item := range elements(root, "li") {
		links, counts := elements(item, "a"), elements(item, "span")
		if len(links) == 0 || len(counts) == 0 {
			continue
		}
		to, _ := attribute(links[0], "href")
		code, isArea := strings.CutPrefix(to, "/areas/")
		if !isArea {
			continue
		}
		counted++
		if counted%40 != 1 {
			continue // a part of them is enough
		}
		var list found
		fromInterface(t, base+"/api/datasets?country="+code, &list)
		if got := textOf(counts[0]); got != strconv.Itoa(list.Pagination.Total) {
			t.Errorf("%s: the index says %s, the list has %d", code, got, list.Pagination.Total)
		}
		if text := textOf(openPage(t, base+to)); !strings.Contains(text, strconv.Itoa(list.Pagination.Total)+" dataset") {
			t.Errorf("%s: the page of the area says %.200s", code, text)
		}
	}
	if counted < 100 {
		t.Errorf("the index has %d areas", counted)
	}
}

// TestAreasOfOneName reads the index with groups of one name from several lists of codes: each says of which, and none is joined.
func TestAreasOfOneName(t *testing.T) {
	base := serve(t, storeOf(t, "owid/co2-emissions-per-capita.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv"), nil)
	worlds := map[string]string{} // by address
	for _, a := range elements(openPage(t, base+"/areas"), "a") {
		if to, _ := attribute(a, "href"); strings.HasPrefix(textOf(a), "World") {
			worlds[to] = textOf(a)
		}
	}
	if len(worlds) != 2 || !strings.Contains(worlds["/areas/WLD"], "World Bank)") || !strings.Contains(worlds["/areas/OWID_WRL"], "Our World in Data)") {
		t.Errorf("the index has %q", worlds)
	}
}

// TestFactsOfArea reads the facts and ways of the page of a country: its parts with data, the newest value, and a comparison of sources.
func TestFactsOfArea(t *testing.T) {
	base := serve(t, storeOf(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/tgs00026.tsv.gz"), nil)
	root := openPage(t, base+"/areas/PT")
	ways := map[string]string{} // addresses by text
	for _, a := range elements(root, "a") {
		ways[textOf(a)], _ = attribute(a, "href")
	}
	if ways["Compare sources"] != "/compare?country=PT" {
		t.Errorf("sources are compared at %q", ways["Compare sources"])
	}
	var list struct{ Pagination struct{ Total int } }
	fromInterface(t, base+"/api/areas?kind=region&here=true&within=PT&limit=1", &list)
	parts := fmt.Sprintf("%d regions", list.Pagination.Total)
	if list.Pagination.Total < 2 || ways[parts] != "/areas?within=PT" {
		t.Fatalf("%s are at %q", parts, ways[parts])
	}
	text := textOf(openPage(t, base+ways[parts]))
	if !strings.Contains(text, "Parts of Portugal") || !strings.Contains(text, "Algarve") || strings.Contains(text, "Andalucía") {
		t.Errorf("the parts are %.600s", text)
	}
	if text := textOf(root); !strings.Contains(text, "Newest value") {
		t.Errorf("the page does not say its newest value: %.600s", text)
	}
}

// TestRegionsOfOneName reads two regions of one name with codes of the same lists: their own codes tell them apart.
func TestRegionsOfOneName(t *testing.T) {
	base := serve(t, storeOf(t, "eurostat/tsv-old/tgs00026.tsv.gz", "eurostat/tsv-old/demo_r_pjangrp3.tsv.gz"), nil)
	names := map[string]int{}
	for _, a := range elements(withClass(openPage(t, base+"/areas?within=GR"), "ul", "index")[0], "a") {
		names[textOf(a)]++
	}
	for name, n := range names {
		if n > 1 || strings.Contains(name, "ISO3166_2") {
			t.Errorf("%d regions are %q", n, name)
		}
	}
}

// TestDatasetsOfArea reads the list of the datasets of an area. A dataset that lists the area without a value says so, another leads to a
// series with values, and the newest value is the first of the list.
func TestDatasetsOfArea(t *testing.T) {
	s := newStore(t)
	for _, d := range []struct{ name, rows string }{
		{"AHEAD", "X,ES,2019,1, X,ES,2050,2,F"},
		{"LACKING", "X,FR,2024,1, X,ES,2024,,C"},
		{"OTHER", "X,FR,2023,1, X,FR,2022,1, X,DE,2023,1, X,DE,2022,1, Y,ES,2022,3,"},
	} {
		text := "DATAFLOW,freq,na_item,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\n"
		for row := range strings.FieldsSeq(d.rows) {
			text += "ESTAT:" + d.name + "(1.0),A," + row + "\n"
		}
		load(t, s, d.name+".csv", strings.NewReader(text))
	}
	root := openPage(t, serve(t, s, nil)+"/areas/ES")
	var list []string
	for _, row := range tableRows(root) {
		to, _ := attribute(elements(row, "a")[0], "href")
		list = append(list, textOf(row)+" "+to)
	}
	want := []string{"OTHER Eurostat values in 1 year 2022 /datasets/3/other?dim1=A&dim2=Y&country=ES", "AHEAD Eurostat values in 1 year 2019 /datasets/1/ahead?country=ES", "LACKING Eurostat no value /datasets/2/lacking"}
	if !slices.Equal(list, want) {
		t.Errorf("the list is %q, want %q", list, want)
	}
	if text := textOf(withClass(root, "dl", "facts")[0]); !strings.Contains(text, "Newest value 2022, OTHER") {
		t.Errorf("the facts are %s", text)
	}
}

// TestPartsOfMeasures reads a measure of which a table of several ages has the value: it says which they are.
func TestPartsOfMeasures(t *testing.T) {
	base := serve(t, storeOf(t, "eurostat/tsv-new/edat_lfse_22.tsv.gz", "eurostat/tsv-old/une_rt_a.tsv.gz"), nil)
	const want = "From 15 to 24 years, Percentage, 2022"
	if text := textOf(openPage(t, base+"/areas/ES")); !strings.Contains(text, want) {
		t.Errorf("the page does not have %q: %.2000s", want, text)
	}
}

// TestProjectionsOfSource reads the newest period of a source with projections: it says that they are.
func TestProjectionsOfSource(t *testing.T) {
	base := serve(t, storeOf(t, "un/WPP2019_Period_Indicators_Medium.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv"), nil)
	for _, address := range []string{"/sources", "/sources/unpd"} {
		if text := textOf(openPage(t, base+address)); !strings.Contains(text, "projections to 2100") {
			t.Errorf("%s: %.800s", address, text)
		}
	}
	if text := textOf(withClass(openPage(t, base+"/sources/worldbank"), "dl", "facts")[0]); strings.Contains(text, "projections") {
		t.Errorf("observed values are projections: %s", text)
	}
}

// TestMeasuresOfArea follows each measure of an area to the page of its dataset, and finds its value in the data with its
// period, as the last one that is no forecast.
func TestMeasuresOfArea(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/areas/PT")
	articles := elements(root, "article")
	if len(articles) == 0 {
		t.Fatal("the page of Portugal has no measures")
	}
	for _, a := range articles {
		to, _ := attribute(elements(a, "a")[0], "href")
		page, query, _ := strings.Cut(to, "?")
		if status := ask(t, "GET", base+to).StatusCode; status != http.StatusOK {
			t.Errorf("%s: %d", to, status)
		}
		id := strings.Split(page, "/")[2]
		period, value := lastObserved(t, base+"/api/datasets/"+id+"/data?flags=true&"+query)
		shown := plainNumber(textOf(withClass(a, "span", "big")[0]))
		if !strings.HasPrefix(shown, value) || !strings.Contains(textOf(a), period) {
			t.Errorf("%q, the data say %s: %s", textOf(a), period, value)
		}
	}
}

// lastObserved returns the last value of a series of one area that is no forecast.
func lastObserved(t *testing.T, address string) (period, value string) {
	t.Helper()
	var data struct {
		Data []struct {
			Rows []struct {
				Period string
				Values map[string]json.Number
				Flags  map[string][]string
			}
		}
	}
	fromInterface(t, address, &data)
	for _, row := range data.Data[0].Rows {
		for area, v := range row.Values {
			if !strings.Contains(strings.Join(row.Flags[area], " "), "F") {
				period, value = row.Period, v.String()
			}
		}
	}
	return period, value
}

// TestProjectionIsNotLatest opens the page of an area in a store that has an outlook of 2009 only. Its projections, which have the
// flag of estimates, are not the latest values.
func TestProjectionIsNotLatest(t *testing.T) {
	s := newStore(t)
	file, err := os.Open(filepath.Join(stattest.DataDir(t), "imf", "WEOOct2009all.xls"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load(t, s, "WEOOct2009all.xls", file)
	text := textOf(openPage(t, serve(t, s, nil)+"/areas/ES"))
	if want := "Inflation, year 4.130 Annual percent change, 2008"; !strings.Contains(text, want) {
		t.Errorf("the page lacks %q: %s", want, text)
	}
}

// TestAreaByOtherCode leads from any code or name of an area to its page.
func TestAreaByOtherCode(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, text := range []string{"EL", "GRC", "300", "Griechenland", "gr"} {
		got := ask(t, "GET", base+"/areas/"+text)
		if to := got.Header.Get("Location"); got.StatusCode != http.StatusMovedPermanently || to != "/areas/GR" {
			t.Errorf("%s: %d to %q", text, got.StatusCode, to)
		}
	}
	got := ask(t, "GET", base+"/areas?q=Greece")
	if to := got.Header.Get("Location"); got.StatusCode != http.StatusSeeOther || to != "/areas/Greece" {
		t.Errorf("the form leads to %q", to)
	}
	for from, want := range map[string]string{"/areas/Griechenland?lang=de": "/areas/GR?lang=de", "/areas?q=Greece&lang=fr": "/areas/Greece?lang=fr"} {
		if to := ask(t, "GET", base+from).Header.Get("Location"); to != want {
			t.Errorf("%s leads to %q, which is not %s", from, to, want)
		}
	}
	if got := ask(t, "GET", base+"/areas/Atlantis"); got.StatusCode != http.StatusNotFound {
		t.Errorf("Atlantis: %d", got.StatusCode)
	}
}

// TestSources compares the pages of sources with the status and the list of datasets.
func TestSources(t *testing.T) {
	base := serve(t, realStore(t), nil)
	var status struct {
		Sources []struct {
			ID, Name               string
			Datasets, Observations int
		}
	}
	fromInterface(t, base+"/api/status", &status)
	for _, sort := range []string{"", "?sort=datasets", "?sort=latest_period", "?sort=last_update"} {
		if rows := tableRows(openPage(t, base+"/sources"+sort)); len(rows) != len(status.Sources) {
			t.Errorf("sources%s: %d rows, want %d", sort, len(rows), len(status.Sources))
		}
	}
	for _, s := range status.Sources {
		root := openPage(t, base+"/sources/"+url.PathEscape(s.ID))
		if got := heading(t, root); got != s.Name {
			t.Errorf("the page of %s is headed %q", s.ID, got)
		}
		if lead := plainNumber(textOf(withClass(root, "p", "lead")[0])); !strings.Contains(lead, strconv.Itoa(s.Datasets)+"dataset") || !strings.Contains(lead, strconv.Itoa(s.Observations)+"value") {
			t.Errorf("%s: %q, want %d datasets with %d values", s.ID, lead, s.Datasets, s.Observations)
		}
		if text := textOf(root); !strings.Contains(text, "None of these datasets is kept up to date by this service.") {
			t.Errorf("the page of %s does not say that it is imported by hand", s.ID)
		}
	}
	for address, want := range map[string]int{"/sources/nobody": 404, "/sources?sort=beauty": 400} {
		if got := ask(t, "GET", base+address); got.StatusCode != want {
			t.Errorf("%s: %d, want %d", address, got.StatusCode, want)
		}
	}
}

// tableRows returns the rows of the bodies of the tables of a page.
func tableRows(root *html.Node) (rows []*html.Node) {
	for _, body := range elements(root, "tbody") {
		rows = append(rows, elements(body, "tr")...)
	}
	return rows
}

// TestHome compares the first page with the list of datasets and the status: what is newest comes first, by periods that have
// been, and the counts are those of the lists.
func TestHome(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/")
	rows := tableRows(root)
	if len(rows) != len(realFiles) {
		t.Fatalf("%d datasets are shown of %d", len(rows), len(realFiles))
	}
	if got := textOf(rows[0]); !strings.Contains(got, "27/06/2025") {
		t.Errorf("the newest is %q", got)
	}
	var list found
	fromInterface(t, base+"/api/datasets?country=PT", &list)
	if text := textOf(root); !strings.Contains(text, "Portugal "+strconv.Itoa(list.Pagination.Total)) {
		t.Errorf("the page does not count %d datasets with Portugal", list.Pagination.Total)
	}
	if figures := elements(root, "figure"); len(figures) != 1 || len(elements(figures[0], "svg")) == 0 {
		t.Errorf("the page has %d figures", len(figures))
	}
	if len(elements(root, "a", "href=/feed.atom")) != 1 {
		t.Error("the page does not lead to its feed")
	}
}

// TestUnitsOfMeasures checks that the page of an area names the unit of a code without a label as the page of the dataset does, with the
// year of the prices, in each language.
func TestUnitsOfMeasures(t *testing.T) {
	s := newStore(t)
	load(t, s, "codes.csv", strings.NewReader("DATAFLOW,freq,unit,na_item,geo,TIME_PERIOD,OBS_VALUE\nESTAT:SDG_08_10(1.0),A,CLV20_EUR_HAB,B1GQ,ES,2020,25750\nESTAT:SDG_08_10(1.0),A,CLV20_EUR_HAB,B1GQ,ES,2021,27400\n"))
	load(t, s, "people.csv", strings.NewReader("DATAFLOW,freq,unit,sex,age,geo,TIME_PERIOD,OBS_VALUE\nESTAT:DEMO_PJAN(1.0),A,NR,T,TOTAL,ES,2021,47398695\n"))
	base := serve(t, s, nil)
	for language, persons := range map[string]string{"en": "persons", "de": "Personen"} {
		text := textOf(elements(openPage(t, base+"/areas/ES?lang="+language), "main")[0])
		for _, want := range []string{"27 400 Chain linked volumes (2020), euro per inhabitant, 2021", "47 398 695 " + persons + ", 2021"} {
			if !strings.Contains(strings.ReplaceAll(text, "\u202f", " "), want) {
				t.Errorf("%s: the page does not have %q: %s", language, want, text)
			}
		}
	}
}

// The page of an area names the groups that it belongs to now, and that of a group its members of now.
func TestMembershipsOfNow(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, want := range map[string]string{
		"/areas/GB":   "",
		"/areas/PT":   "EU",
		"/areas/NO":   "EFTA",
		"/areas/EFTA": "CH IS LI NO",
	} {
		var links []string
		for _, a := range elements(withClass(openPage(t, base+address), "dl", "facts")[0], "a") {
			if href, _ := attribute(a, "href"); slices.Contains(strings.Fields("EU EFTA AT CH DK IS LI NO PT SE"), strings.TrimPrefix(href, "/areas/")) {
				links = append(links, strings.TrimPrefix(href, "/areas/"))
			}
		}
		slices.Sort(links)
		if got := strings.Join(links, " "); got != want {
			t.Errorf("%s leads to %q, want %q", address, got, want)
		}
	}
}
