package portal_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/stattest"
)

// block is a part of the response of /data.
type block struct {
	Key       map[string]string `json:"series_key"`
	Countries []string
	Codes     map[string]struct{ Code string } `json:"country_codes"`
	Rows      []struct {
		Period string
		Values map[string]json.Number
		Flags  map[string][]string
	}
}

// readJSON reads a response of the interface.
func readJSON(t testing.TB, address string, into any) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode == http.StatusOK {
		err = json.Unmarshal(body, into)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v %.300s", address, response.Status, err, body)
	}
}

// with returns the element with an id.
func withID(t testing.TB, root *html.Node, id string) *html.Node {
	t.Helper()
	for n := range root.Descendants() {
		if got, _ := attribute(n, "id"); got == id {
			return n
		}
	}
	t.Fatalf("the page has no element with the id %s", id)
	return nil
}

// numberIn is a number that a page shows, as the interface writes it.
func numberIn(text string) string {
	return strings.NewReplacer("\u202f", "", "\u2212", "-").Replace(text)
}

// TestTableHasTheValues compares each cell of tables with the response of /data at the same address:
// the value, with the decimals of its series, and the flags; periods that are hidden too.
func TestTableHasTheValues(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, one := range []struct {
		page, query, data string
		decimals          int // of all values
	}{
		{"/datasets/1/une_rt_a", "dim2=Y15-74&dim3=PC_ACT&dim4=T&country=EL&country=ES&country=MK", "", 1},
		{"/datasets/1/une_rt_a", "dim2=Y15-74&dim3=PC_ACT&dim4=T&country=EL&period=2005", "", 1},
		{"/datasets/1/une_rt_a", "dim2=Y15-24&dim3=THS_PER&dim4=F&country=FR&period_from=2010", "&view=table", 0},
		{"/datasets/1/une_rt_a", "dim2=Y15-24&dim3=PC_ACT&dim4=F&dim4=M&country=FR&country=IT", "", 1},
		{"/datasets/2/eurofxref", "dim1=USD&period_from=2024-01-01", "", 4},
		{"/datasets/4/statfin_ktps_pxt_111p", "", "", 4},
		{"/datasets/5/sp.pop.totl", "country=LUX&country=MLT", "", 0},
	} {
		t.Run(one.page+"?"+one.query, func(t *testing.T) {
			got := ask(t, "GET", base+one.page+"?"+one.query+one.data)
			if to := got.Header.Get("Location"); to != "" {
				t.Fatalf("the page is at %s", to)
			}
			root := parse(t, got.body)
			data := dataLink(t, got)
			var want struct{ Data []block }
			readJSON(t, data+"&flags=true&codes=true", &want)
			shown := cells(t, root)
			count := 0
			for _, b := range want.Data {
				count += compareBlock(t, b, shown, one.decimals)
			}
			if count == 0 || count != len(shown) {
				t.Errorf("the page shows %d values, the interface has %d", len(shown), count)
			}
		})
	}
}

// A page shows the last periods of a series that is too long for it, says how many come before, and
// remarks on what it shows.
func TestTableOfLongSeries(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/datasets/2/eurofxref?dim1=USD")
	shown := cells(t, root)
	if len(shown) != 15 || shown["U2 27/06/2025 0"] != "1.1704" || shown["U2 09/06/2025 0"] != "1.1410" {
		t.Errorf("the page shows %v", shown)
	}
	for id, want := range map[string]string{"table": "show 6 776 more periods", "about": "Remarks on the latest 15 of 6 782 values"} {
		if text := numberSpaces.Replace(textOf(withID(t, root, id))); !strings.Contains(text, want) {
			t.Errorf("section %s does not say %q: %s", id, want, text)
		}
	}
}

// A dataset whose file has no title is headed by the one that it is known by, or its code, and says so.
func TestUntitledDataset(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{"estat_nrg_ind_ren.tsv", "estat_zzz.tsv"} {
		load(t, s, name, strings.NewReader("freq,unit,geo\\TIME_PERIOD\t2020 \nA,PC,DE\t1.5 \n"))
	}
	base := serve(t, s, nil)
	for address, want := range map[string]string{
		"/datasets/1/nrg_ind_ren": "Share of energy from renewable sources The file has no title. The dataset is known by this one; its code is nrg_ind_ren.",
		"/datasets/2/zzz":         "zzz The file has no title; its code stands for it.",
	} {
		if text := textOf(withClass(openPage(t, base+address), "div", "head")[0]); !strings.HasPrefix(text, want) {
			t.Errorf("%s begins with %s", address, text)
		}
	}
}

// A dataset has one name on all pages; in lists with another of this name, both have their code.
func TestNameOfDataset(t *testing.T) {
	s := newStore(t)
	load(t, s, "estat_nrg_ind_ren.tsv", strings.NewReader("freq,unit,geo\\TIME_PERIOD\t2020 \nA,PC,DE\t1.5 \n"))
	for _, code := range []string{"one", "two"} {
		load(t, s, code+".csv", strings.NewReader("#almanac-tidy,1\n#source,nso,National Office\n#dataset,"+code+",Fruit\n#geography,geo,Country\n#code,DE,Germany\ngeo,TIME_PERIOD,OBS_VALUE\nDE,2020,1\nDE,2021,2\n"))
	}
	base := serve(t, s, nil)
	const known = "Share of energy from renewable sources"
	for _, address := range []string{"/", "/areas/DE", "/sources/eurostat", "/search?q=renewable", "/datasets/1/nrg_ind_ren", "/datasets/1/nrg_ind_ren/versions", "/datasets/1/nrg_ind_ren/studio"} {
		if text := textOf(elements(openPage(t, base+address), "main")[0]); !strings.Contains(text, known) {
			t.Errorf("%s does not name %s: %.600s", address, known, text)
		}
	}
	for _, address := range []string{"/", "/areas/DE"} {
		text := textOf(elements(openPage(t, base+address), "main")[0])
		if !strings.Contains(text, "Fruit (one)") || !strings.Contains(text, "Fruit (two)") || strings.Contains(text, known+" (nrg_ind_ren)") {
			t.Errorf("%s does not tell datasets of one name apart: %.900s", address, text)
		}
	}
}

// Values of which some have more decimals than offices write everywhere have no zeros that the office did not give.
func TestNoZerosAreAdded(t *testing.T) {
	s := newStore(t)
	load(t, s, "few.csv", strings.NewReader("#almanac-tidy,1\n#source,nso,National Office\n#dataset,few,Fruit\n#geography,geo,Country\n#code,DE,Germany\ngeo,TIME_PERIOD,OBS_VALUE\nDE,2020,68.89193\nDE,2021,71.3687\n"))
	load(t, s, "all.csv", strings.NewReader("#almanac-tidy,1\n#source,nso,National Office\n#dataset,all,Bread\n#geography,geo,Country\n#code,DE,Germany\ngeo,TIME_PERIOD,OBS_VALUE\nDE,2020,68.9\nDE,2021,71.0\n"))
	base := serve(t, s, nil)
	for address, want := range map[string]string{"/search?q=fruit": "71,3687 ", "/datasets/1/few": "71,3687 ", "/search?q=bread": "71,0 ", "/datasets/2/all": "71,0 "} {
		text := textOf(elements(openPage(t, base+address, "Cookie: lang=fr"), "main")[0]) + " "
		if !strings.Contains(text, want) {
			t.Errorf("%s does not show %s: %.900s", address, want, text)
		}
	}
}

// The caption of a table states the unit of its values, also where the chart writes them in full.
func TestCaptionOfTable(t *testing.T) {
	s := newStore(t)
	file, err := os.Open(filepath.Join(stattest.DataDir(t), "japan-esri", "gaku-mg1532.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load(t, s, "gaku-mg1532.csv", file)
	base := serve(t, s, nil)
	for _, view := range []string{"line", "bar", "table"} {
		table := withID(t, openPage(t, base+"/datasets/1/gaku-mg?view="+view), "t1")
		caption := textOf(elements(table, "caption")[0])
		if want := "Table 1 Nominal Gross Domestic Product (original series) · GDP (Expenditure Approach) · Billion Yen · Japan"; caption != want {
			t.Errorf("view %s: %s", view, caption)
		}
	}
}

var numberSpaces = strings.NewReplacer("\u202f", " ")

// dataLink returns the address of the data of a page, which its header Link has.
func dataLink(t testing.TB, page answer) string {
	t.Helper()
	for _, line := range page.Header.Values("Link") {
		if strings.Contains(line, `rel="alternate"`) && strings.Contains(line, "application/json") {
			return strings.Trim(strings.SplitN(line, ">", 2)[0], "<")
		}
	}
	t.Fatalf("the page does not link its data: %q", page.Header.Values("Link"))
	return ""
}

// cells returns the values of the table of a page with their flags, by area, period and the number of
// the row of the area.
func cells(t testing.TB, root *html.Node) map[string]string {
	t.Helper()
	all, rows := map[string]string{}, map[string]int{}
	for _, row := range elements(withID(t, root, "t1"), "tr") {
		heads := elements(row, "th", "data-area")
		if len(heads) == 0 {
			continue
		}
		area, _ := attribute(heads[0], "data-area")
		for _, cell := range elements(row, "td", "data-p") {
			period, _ := attribute(cell, "data-p")
			if text := cellText(cell); !strings.HasPrefix(text, "…") {
				all[fmt.Sprintf("%s %s %d", area, period, rows[area])] = text
			}
		}
		rows[area]++
	}
	return all
}

// cellText returns the value of a cell, as the interface writes it, and its flags.
func cellText(cell *html.Node) string {
	var parts []string
	for n := range cell.Descendants() {
		if text := strings.TrimSpace(n.Data); n.Type == html.TextNode && text != "" {
			parts = append(parts, numberIn(text))
		}
	}
	return strings.Join(parts, " ")
}

// compareBlock compares the values of a block with those of a page, and returns how many there are.
// The rows of an area are in the order of the blocks.
func compareBlock(t *testing.T, b block, shown map[string]string, decimals int) (count int) {
	t.Helper()
	for _, area := range b.Countries {
		code, isSeen := b.Codes[area].Code, false
		for _, row := range b.Rows {
			value, ok := row.Values[area]
			if !ok {
				continue
			}
			v, _ := value.Float64()
			want := strconv.FormatFloat(v, 'f', decimals, 64)
			if flags := row.Flags[area]; len(flags) > 0 {
				want += " " + strings.ToLower(strings.Join(flags, " ")) // all are of SDMX
			}
			found := false
			for n := 0; n < 4 && !found; n++ {
				found = shown[fmt.Sprintf("%s %s %d", code, row.Period, n)] == want
			}
			if !found {
				t.Errorf("%s %s: the page does not show %s but %s", area, row.Period, want, shown[code+" "+row.Period+" 0"])
			}
			count, isSeen = count+1, true
		}
		if !isSeen {
			t.Errorf("%s has no values", area)
		}
	}
	return count
}

// TestChoicesSayWhatTheyLeave follows each choice of the pickers: the page then shows as many values
// as stood beside it. Choices that leave nothing are there and disabled.
func TestChoicesSayWhatTheyLeave(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const selection = "dim2=Y15-74&dim3=PC_ACT&dim4=T&country=EL&country=MK&period_from=1995&period_to=2004"
	root := openPage(t, base+"/datasets/1/une_rt_a?"+selection)
	form := withID(t, root, "pick")
	checked := 0
	for _, field := range elements(form, "input", "name") {
		name, _ := attribute(field, "name")
		value, _ := attribute(field, "value")
		_, isDisabled := attribute(field, "disabled")
		kind, _ := attribute(field, "type")
		if kind != "radio" && kind != "checkbox" {
			continue
		}
		said := countBeside(t, field)
		query, _ := url.ParseQuery(selection)
		query.Del(name)
		query.Set(name, value)
		var data struct{ Data []block }
		readJSON(t, base+"/api/datasets/1/data?"+query.Encode(), &data)
		has := 0
		for _, b := range data.Data {
			for _, row := range b.Rows {
				has += len(row.Values)
			}
		}
		if said != has {
			t.Errorf("%s=%s: the page says %d values, the data have %d", name, value, said, has)
		}
		if _, isChosen := attribute(field, "checked"); isDisabled != (has == 0 && !isChosen) {
			t.Errorf("%s=%s leaves %d values; disabled is %t", name, value, has, isDisabled)
		}
		checked++
	}
	if checked < 50 {
		t.Errorf("only %d choices", checked)
	}
}

// countBeside returns the number that stands beside a choice.
func countBeside(t testing.TB, field *html.Node) int {
	t.Helper()
	beside := elements(field.Parent, "span", "class=n")
	if len(beside) != 1 {
		t.Fatalf("a choice has no number: %s", textOf(field.Parent))
	}
	n, err := strconv.Atoi(numberIn(textOf(beside[0])))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestStripsAreTheData reads the strip of each area: a tick stands where the area has a value.
func TestStripsAreTheData(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const query = "dim2=Y15-74&dim3=PC_ACT&dim4=T"
	root := openPage(t, base+"/datasets/1/une_rt_a?"+query)
	var data struct{ Data []block }
	readJSON(t, base+"/api/datasets/1/data?codes=true&"+query, &data)
	years := map[string][]int{}
	for _, row := range data.Data[0].Rows {
		year, _ := strconv.Atoi(row.Period)
		for area := range row.Values {
			code := data.Data[0].Codes[area].Code
			years[code] = append(years[code], year)
		}
	}
	span := regexp.MustCompile(`M([\d.]+) 5.5H([\d.]+)`)
	for _, field := range elements(withID(t, root, "pick"), "input", "name=country") {
		code, _ := attribute(field, "value")
		path, _ := attribute(elements(field.Parent, "path", "class=has")[0], "d")
		var ticks []int
		for _, m := range span.FindAllStringSubmatch(path, -1) {
			from, _ := strconv.Atoi(m[1])
			to, _ := strconv.Atoi(m[2])
			for x := from; x < to; x += 2 {
				ticks = append(ticks, 1992+x/2)
			}
		}
		if !slices.Equal(ticks, years[code]) {
			t.Errorf("%s: ticks at %v, values in %v", code, ticks, years[code])
		}
	}
}

// TestSizesOfFiles reads each file of a page: it is as large as the page says, up to 5 %.
func TestSizesOfFiles(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/datasets/1/une_rt_a?country=EL&country=ES")
	checked := 0
	for _, row := range elements(withID(t, root, "take"), "tr") {
		links := elements(row, "a")
		if len(links) == 0 {
			continue
		}
		address, _ := attribute(links[0], "href")
		fields := strings.Fields(textOf(elements(row, "td", "class=num")[0]))
		if len(fields) == 0 { // not known
			continue
		}
		said, err := strconv.ParseFloat(numberIn(fields[0]), 64)
		if err != nil {
			t.Fatal(err)
		}
		said *= map[string]float64{"B": 1, "kB": 1e3, "MB": 1e6}[fields[1]]
		served := float64(len(ask(t, "GET", address).body))
		if math.Abs(served-said) > 0.05*served {
			t.Errorf("%s: the page says %v bytes, %v are served", address, said, served)
		}
		checked++
	}
	if checked < 8 {
		t.Errorf("only %d files have a size", checked)
	}
}
