package source_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// A table of the Statbank comes in parts of at most the office's number of cells.
func TestStatbank(t *testing.T) {
	b := newHarness(t, replay.Statbank(), source.Office{ID: "dst", Name: "Statistics Denmark", Kind: "statbank", Cells: 4, Country: "DK"}, "/v1")
	entries, err := b.contents(t, source.Filter{Search: "population"})
	if err != nil || len(entries) != 1 || entries[0].Code != "FOLK1A" || entries[0].Updated.IsZero() {
		t.Fatalf("got %+v, %v, want the table", entries, err)
	}
	o := b.mustImport(t, "folk1a")
	if o.Status != importer.Created || o.Code != "FOLK1A" {
		t.Fatalf("got %+v, want FOLK1A", o)
	}
	if n := len(b.Requests("/data")); n != 2 {
		t.Errorf("got %d requests for data, want 2 parts", n)
	}
	sum, n := 0.0, 0
	for _, value := range b.values(t, o.ID) {
		sum, n = sum+value, n+1
	}
	if n != 6 || sum != 3*100+3*200+2*(1+2+3) {
		t.Errorf("got %d values with the sum %v: %v", n, sum, b.values(t, o.ID))
	}
	b.state = source.State{}
	if _, err := b.fetch(t, "NOPE", nil); err == nil || !strings.Contains(err.Error(), "has no table") {
		t.Errorf("an unknown table: got %v", err)
	}
	if _, err := b.fetch(t, "FOLK1A?OMRÅDE=999", nil); err == nil || !strings.Contains(err.Error(), `has no value "999"`) {
		t.Errorf("an unknown value: got %v", err)
	}
	if d, err := b.fetch(t, "FOLK1A?OMRÅDE=084", nil); err != nil || d.Code != "FOLK1A?OMRÅDE=084" || len(d.Data) != 1 {
		t.Errorf("a part: got %+v, %v", d, err)
	}
}

// An index is a JSON list whose records name the files, or documents that name them.
func TestIndex(t *testing.T) {
	files := replay.NewFiles(nil)
	server := replay.Serve(files)
	defer server.Close()
	const table = "country,year,value\nDE,2020,1.5\nFR,2020,2.5\n"
	files.SetBody("/datasets_E.json", fmt.Sprintf(`{"Datasets":{"Dataset":[{"DatasetCode":"QCL","DatasetName":"Crops and livestock","DateUpdate":"2025-11-21","FileLocation":"%s/QCL.csv"},{"DatasetCode":"X","DatasetName":"No file"}]}}`, server.URL))
	files.SetBody("/v1/datasets", fmt.Sprintf(`{"items":[{"id":"cpih01","title":"Consumer Prices","last_updated":"2026-10-22T09:35:09.652Z","links":{"latest_version":{"href":"%s/v1/datasets/cpih01/editions/time-series/versions/6"}}}],"count":1}`, server.URL))
	files.SetBody("/v1/datasets/cpih01/editions/time-series/versions/6", fmt.Sprintf(`{"downloads":{"csv":{"href":"%s/downloads/cpih01-v6.csv","size":"1"}}}`, server.URL))
	for _, path := range []string{"/QCL.csv", "/downloads/cpih01-v6.csv"} {
		files.SetBody(path, table)
		files.Header(path, "Content-Type", "text/csv")
	}
	for _, c := range []struct {
		office source.Office
		code   string
	}{
		{source.Office{ID: "fao", Name: "FAO", Kind: "index", Address: server.URL, Contents: server.URL + "/datasets_E.json",
			Index: &source.Index{Records: "Datasets.Dataset", Code: "DatasetCode", Title: "DatasetName", Updated: "DateUpdate", File: "FileLocation"}}, "QCL"},
		{source.Office{ID: "ons", Name: "ONS", Kind: "index", Address: server.URL, Contents: server.URL + "/v1/datasets?limit=1000",
			Index: &source.Index{Records: "items", Code: "id", Title: "title", Updated: "last_updated", File: "links.latest_version.href", Then: "downloads.csv.href"}}, "cpih01"},
	} {
		t.Run(c.office.ID, func(t *testing.T) {
			b := newHarnessOf(t, server, c.office)
			entries, err := b.contents(t, source.Filter{})
			if err != nil || len(entries) == 0 || entries[0].Code != c.code || entries[0].Updated.IsZero() {
				t.Fatalf("got %+v, %v, want %s", entries, err, c.code)
			}
			o := b.mustImport(t, c.code)
			want := map[string]float64{"DE 2020": 1.5, "FR 2020": 2.5}
			if o.Code != c.code || o.Status != importer.Created {
				t.Fatalf("got %+v, want %s", o, c.code)
			}
			wantSameValues(t, b.values(t, o.ID), want)
			if d, err := b.fetch(t, c.code, &entries[0]); err != nil || !d.Unchanged {
				t.Errorf("without a change: got %+v, %v", d, err)
			}
			if _, err := b.fetch(t, "NOPE", nil); err == nil || !strings.Contains(err.Error(), "has no dataset NOPE") {
				t.Errorf("an unknown dataset: got %v", err)
			}
			if _, err := b.fetch(t, "X", nil); err == nil {
				t.Error("a dataset without a file is fetched")
			}
		})
	}
}

// Lists in several objects are one list, the query of an address may be sent as a form, and
// a code may have a query.
func TestIndexOfForms(t *testing.T) {
	server := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch _ = r.ParseForm(); {
		case r.URL.Path == "/list":
			fmt.Fprint(w, `[{"id":"A","agregados":[{"id":"1","nome":"One"}]},{"id":"B","agregados":[{"id":2,"nome":"Two"}]}]`)
		case r.Method == http.MethodPost && r.URL.RawQuery == "" && r.PostForm.Get("seriesCodes") == "2", r.URL.RequestURI() == "/a/b?get=X,Y&for=state:*":
			fmt.Fprint(w, "country,year,value\nDE,2020,1.5\n")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	b := newHarnessOf(t, server, source.Office{
		ID: "sdg", Name: "SDG", Kind: "index", Address: server.URL, Contents: server.URL + "/list", Post: true,
		Data: server.URL + "/DataCSV?seriesCodes={code}", Index: &source.Index{Records: "agregados", Code: "id", Title: "nome"},
	})
	entries, err := b.contents(t, source.Filter{})
	if err != nil || len(entries) != 2 || entries[1].Code != "2" || entries[1].Title != "Two" {
		t.Fatalf("got %+v, %v, want two entries", entries, err)
	}
	want := map[string]float64{"DE 2020": 1.5}
	wantSameValues(t, b.values(t, b.mustImport(t, "2").ID), want)
	census := newHarnessOf(t, server, source.Office{ID: "made", Name: "Made", Kind: "files", Address: server.URL, Data: server.URL + "/{code}"})
	wantSameValues(t, census.values(t, census.mustImport(t, "a/b?get=X,Y&for=state:*").ID), want)
}

// GENESIS needs a token, which is sent in a header, and answers with messages.
func TestGenesis(t *testing.T) {
	const token = "0123456789abcdef0123456789abcdef"
	server := replay.Serve(replay.Genesis(token, []byte("Statistik_Code;x\n1;2\n")))
	defer server.Close()
	row := source.Office{ID: "destatis", Name: "Destatis", Kind: "genesis", Address: server.URL + "/rest/2020", Key: &source.Key{Header: "username", From: "https://www-genesis.destatis.de"}}
	without := newHarnessOf(t, server, row)
	if _, err := without.fetch(t, "81000-0001", nil); err == nil || !strings.Contains(err.Error(), "get one at https://www-genesis.destatis.de, and set ALMANAC_KEY_DESTATIS") {
		t.Errorf("without a key: got %v", err)
	}
	b := newHarnessOf(t, server, row, fetch.Secret{Address: row.Address, Header: "username", Value: token})
	entries, err := b.contents(t, source.Filter{Search: "kreise"})
	if err != nil || len(entries) != 1 || entries[0].Title != "Bevölkerung: Kreise, Stichtag" {
		t.Fatalf("got %+v, %v, want a table", entries, err)
	}
	d, err := b.fetch(t, "81000-0001", nil)
	if err != nil || len(d.Data) != 1 {
		t.Fatalf("got %+v, %v, want a file", d, err)
	}
	b.state = d.State
	if d, err := b.fetch(t, "81000-0001", nil); err != nil || !d.Unchanged {
		t.Errorf("without a change: got %+v, %v", d, err)
	}
	for code, message := range map[string]string{
		"99999-0001": "has no dataset 99999-0001", "12411-0015": "fetch a part of it, such as destatis:12411-0015?startyear=2015", "12411-0018": "as a job, which Almanac does not wait for; fetch a part of it, such as destatis:12411-0018?startyear=2015", "nothing": "must look like",
	} {
		if _, err := b.fetch(t, code, nil); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %s", code, err, message)
		}
	}
	wrong := newHarnessOf(t, server, row, fetch.Secret{Address: row.Address, Header: "username", Value: "not-the-token"})
	if _, err := wrong.fetch(t, "81000-0001", nil); err == nil || !strings.Contains(err.Error(), "ist nicht bekannt") || strings.Contains(err.Error(), "not-the-token") {
		t.Errorf("with a wrong token: got %v", err)
	}
}

// A table of OData 4 becomes one dataset with labels, units and usual periods.
func TestOdata4(t *testing.T) {
	files := replay.NewFiles(nil)
	server := replay.Serve(files)
	defer server.Close()
	base := "/CBS/37296eng"
	for path, body := range map[string]string{
		"/CBS/Datasets":         `{"value":[{"Identifier":"37296eng","Title":"Population; key figures","Modified":"2026-01-02T02:00:00+01:00"}]}`,
		base + "/Properties":    `{"Identifier":"37296eng","Title":"Population; key figures","Modified":"2026-01-02T02:00:00+01:00"}`,
		base + "/Dimensions":    `{"value":[{"Identifier":"RegioS","Title":"Regions","Kind":"GeoDimension"},{"Identifier":"Perioden","Title":"Periods","Kind":"TimeDimension"}]}`,
		base + "/RegioSCodes":   `{"value":[{"Identifier":"NL01  ","Title":"Netherlands"},{"Identifier":"PV20  ","Title":"Groningen"}]}`,
		base + "/PeriodenCodes": `{"value":[{"Identifier":"2019JJ00","Title":"2019"},{"Identifier":"2019KW02","Title":"2019 2nd quarter"}]}`,
		base + "/MeasureCodes":  `{"value":[{"Identifier":"M000352","Title":"Total population","Unit":"number","Decimals":0},{"Identifier":"T001","Title":"Density","Unit":"per km2","Decimals":1}]}`,
		base + "/Observations?page=2": `{"value":[{"Id":2,"Measure":"T001","ValueAttribute":"None","Value":0.10,"RegioS":"PV20  ","Perioden":"2019KW02"},
{"Id":3,"Measure":"T001","ValueAttribute":"Impossible","Value":null,"RegioS":"PV20  ","Perioden":"2019JJ00"}]}`,
	} {
		files.SetBody(path, body)
		files.Header(path, "Content-Type", "application/json")
	}
	files.SetBody(base+"/Observations", fmt.Sprintf(`{"value":[{"Id":0,"Measure":"M000352","ValueAttribute":"None","Value":17282163,"RegioS":"NL01  ","Perioden":"2019JJ00"},
{"Id":1,"Measure":"M000352","ValueAttribute":"None","Value":583990,"RegioS":"PV20  ","Perioden":"2019JJ00"}],"@odata.nextLink":"%s%s/Observations?page=2"}`, server.URL, base))
	b := newHarnessOf(t, server, source.Office{ID: "cbs", Name: "Statistics Netherlands", Kind: "odata4", Address: server.URL + "/CBS", Country: "NL"})
	entries, err := b.contents(t, source.Filter{Search: "population"})
	if err != nil || len(entries) != 1 || entries[0].Code != "37296eng" || entries[0].Updated.IsZero() {
		t.Fatalf("got %+v, %v, want the table", entries, err)
	}
	o := b.mustImport(t, "37296eng")
	if o.Status != importer.Created || o.Code != "37296eng" {
		t.Fatalf("got %+v", o)
	}
	wantSameValues(t, b.values(t, o.ID), map[string]float64{
		"M000352,NL01 2019": 17282163, "M000352,PV20 2019": 583990, "T001,PV20 Q2/2019": 0.1,
	})
	if d, err := b.fetch(t, "37296eng", nil); err != nil || !d.Unchanged {
		t.Errorf("without a change: got %+v, %v", d, err)
	}
	if _, err := b.fetch(t, "nope", nil); err == nil || !strings.Contains(err.Error(), "has no dataset nope") {
		t.Errorf("an unknown table: got %v", err)
	}
}

// A table with as many rows as the office returns at most is refused, because the rest
// would be missing.
func TestTruncatedTable(t *testing.T) {
	files := replay.NewFiles(nil)
	server := replay.Serve(files)
	defer server.Close()
	files.SetBody("/short.csv", "country,year,value\nDE,2020,1.5\n")
	files.SetBody("/long.csv", "country,year,value\nDE,2020,1.5\nFR,2020,2.5\n")
	b := newHarnessOf(t, server, source.Office{ID: "nso", Name: "NSO", Kind: "files", Address: server.URL, Data: server.URL + "/{code}.csv", Cells: 2})
	if o := b.mustImport(t, "short"); o.Status != importer.Created {
		t.Errorf("got %+v", o)
	}
	b.state = source.State{}
	if _, err := b.fetch(t, "long", nil); err == nil || !strings.Contains(err.Error(), "truncates longer tables") {
		t.Errorf("got %v, want a refusal", err)
	}
}

// A secret goes to its host only, not after a redirect to another, and is in no answer.
func TestSecretsStay(t *testing.T) {
	const key = "sesame-open-1234"
	other := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.String()+fmt.Sprint(r.Header), key) {
			t.Error("the key was sent to another host")
		}
		_, _ = w.Write([]byte("country,year,value\nDE,2020,1.5\n"))
	}))
	defer other.Close()
	server := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("api_key") != key {
			http.Error(w, "no key", http.StatusBadRequest)
			return
		}
		switch r.URL.Path {
		case "/away.csv":
			http.Redirect(w, r, other.URL+"/away.csv", http.StatusFound)
		case "/echo.csv":
			_, _ = fmt.Fprintf(w, "country,year,value,address\nDE,2020,1.5,%s\n", r.URL)
		default:
			http.Error(w, "refused: "+r.URL.String(), http.StatusBadRequest)
		}
	}))
	defer server.Close()
	row := source.Office{ID: "nso", Name: "NSO", Kind: "files", Address: server.URL, Data: server.URL + "/{code}.csv", Key: &source.Key{Parameter: "api_key"}}
	b := newHarnessOf(t, server, row, fetch.Secret{Address: row.Address, Parameter: "api_key", Value: key})
	for _, code := range []string{"away", "echo"} {
		d, err := b.fetch(t, code, nil)
		if err != nil || strings.Contains(fmt.Sprintf("%+v", d), key) {
			t.Errorf("%s: got %+v, %v", code, d, err)
			continue
		}
		for _, file := range d.Data {
			if strings.Contains(fileText(t, file), key) {
				t.Errorf("%s: the file contains the key", code)
			}
		}
	}
	if _, err := b.fetch(t, "refused", nil); err == nil || !strings.Contains(err.Error(), "refused: ") || strings.Contains(err.Error(), key) {
		t.Errorf("got %v, want the message without the key", err)
	}
}

func fileText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
