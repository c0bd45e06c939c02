package sdmx_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// newHarness serves a built-in office with changes.
func newHarness(t *testing.T, h http.Handler, id string, change func(*source.Office)) *sourcetest.Harness {
	t.Helper()
	server := sourcetest.CloseAtEnd(t, replay.Serve(h))
	o := sourcetest.OfficeAt(t, id, server)
	if change != nil {
		change(&o)
	}
	return sourcetest.NewOf(t, server, o)
}

// The dataset that a search finds is fetched and imported, with the values of the office's
// real file.
func TestOffices(t *testing.T) {
	dir := stattest.DataDir(t)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, test := range []struct {
		office, search, code string
		files                []string
	}{
		{"ecb", "exchange", "EXR", []string{"ecb/ecb-datastructure-2.1.xml", "ecb/ecb-data-specific-2.1.xml"}},
		{"insee", "industrial production", "IPI-2010-A21", []string{"insee/insee-datastructure-2.1.xml", "insee/insee-data-specific-2.1.xml"}},
		{"istat", "infancy", "47_850", []string{"istat/47_850-dsd.xml", "istat/47_850-data.xml"}},
		{"unicef", "mortality", "UNICEF,CME", []string{"unicef/CME_MRY0T4_all_2020.csv"}},
		{"imf", "trade", "IMF.STA,DOT", []string{"imf/imf-dot-datastructure-2.0.xml", "imf/imf-dot-data-compact-2.0.xml"}},
		{"oecd", "main indicators", "OECD.SDD.STES,DSD_MEI@DF_MEI", []string{"oecd/oecd-mei-datastructure-2.0.xml", "oecd/oecd-mei-data-generic.xml"}},
		{"bis", "derivatives", "WEBSTATS_DER_DATAFLOW", []string{"bis/BIS_DER-structure-specific.xml"}},
		{"statcan", "housing starts", "34100158", []string{"statcan/34100158.zip"}},
	} {
		t.Run(test.code, func(t *testing.T) {
			h := sdmxtest.StatCan(dir)
			if test.office != "statcan" {
				h = sdmxtest.Offices(dir)[test.office]
			}
			b := newHarness(t, h, test.office, nil)
			entries, err := b.Contents(t, source.Filter{Search: test.search})
			if err != nil || len(entries) != 1 || entries[0].Code != test.code {
				t.Fatalf("the search found %+v, %v", entries, err)
			}
			o := b.MustImport(t, entries[0].Code)
			// The archives of Statistics Canada contain their codes.
			if o.Status != importer.Created || strings.TrimPrefix(o.Code, "DF_") != test.code {
				t.Fatalf("%s %s %q: %s", o.Status, o.Code, o.Format, o.Error)
			}
			var files []string
			for _, f := range test.files {
				files = append(files, at(f))
			}
			want := sourcetest.ValuesOfFile(t, importer.Options{Source: sourcetest.OfficeAt(t, test.office, b.Server).Name}, files...)
			sourcetest.WantSameValues(t, b.Values(t, o.ID), want)
			t.Logf("%d values", len(want))

			before := len(b.Requests("/"))
			d, err := b.Fetch(t, test.code, nil)
			if err != nil || !d.Unchanged {
				t.Errorf("second fetch: got %+v, %v, want unchanged", d, err)
			}
			if requests := b.Requests("/")[before:]; test.office != "statcan" && (len(requests) != 1 || requests[0].Status != http.StatusNotModified) {
				t.Errorf("the second fetch sent %+v", requests)
			}
			before = len(b.Requests("/"))
			listed := entries[0]
			listed.Updated = time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)
			b.State.Updated = listed.Updated
			d, err = b.Fetch(t, test.code, &listed)
			if err != nil || !d.Unchanged || len(b.Requests("/")) != before {
				t.Errorf("unchanged in the list: got %+v, %v after %d requests, want none", d, err, len(b.Requests("/"))-before)
			}
		})
	}
}

// A dataset that is too large for one response is fetched in parts, which together have
// each value of the whole once.
func TestParts(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	for _, test := range []struct {
		office, code, accept string
		limit                int
		status               int
		faultCase            string
	}{
		{"ecb", "EXR", "", 4000, 0, ""},
		{"ecb", "EXR", "application/vnd.sdmx.genericdata+xml;version=2.1", 3000, 0, ""},
		{"insee", "IPI-2010-A21", "", 400, 0, ""},
		{"insee", "IPI-2010-A21", "", 100, 0, ""}, // less than a year fits, so it is split by codes
		{"bis", "WEBSTATS_DER_DATAFLOW", "application/vnd.sdmx.data+csv;version=1.0.0", 300, 0, ""},
		{"bis", "WEBSTATS_DER_DATAFLOW", "", 300, 400, "Query size exceeds maximum limit (300 entries)."},
		{"bis", "WEBSTATS_DER_DATAFLOW", "", 300, 500, `{"Error":{"status":413,"message":"Response size exceeds service limit"}}`},
		{"bis", "WEBSTATS_DER_DATAFLOW", "", 300, 200, `{"Error":{"status":413,"message":"Response size exceeds service limit"}}`},
		{"bis", "WEBSTATS_DER_DATAFLOW", "", 300, 200, "EXTRACTION_TOO_BIG: the requested extraction is too big, estimated 46431889920 rows, max authorised is 5000000"},
		{"bis", "WEBSTATS_DER_DATAFLOW", "", 300, 200, sdmxtest.ErrorMessage("510", "Sorry")},
	} {
		t.Run(fmt.Sprintf("%s %d %d %.20s", test.code, test.limit, test.status, test.faultCase), func(t *testing.T) {
			h := sdmxtest.Offices(dir)[test.office]
			h.Status, h.Refusal = test.status, test.faultCase
			whole := newHarness(t, h, test.office, func(o *source.Office) { o.Accept = test.accept })
			want := whole.Values(t, whole.MustImport(t, test.code).ID)

			h.SetLimit(test.limit)
			b := newHarness(t, h, test.office, func(o *source.Office) { o.Accept = test.accept })
			o := b.MustImport(t, test.code)
			if o.Status != importer.Created {
				t.Fatalf("%s: %s", o.Status, o.Error)
			}
			sourcetest.WantSameValues(t, b.Values(t, o.ID), want)
			if o.Observations.Dropped != 0 {
				t.Errorf("got %d dropped observations, want none: %+v", o.Observations.Dropped, o.Notes)
			}
			first := len(b.Requests("/data/"))
			d, err := b.Fetch(t, test.code, nil)
			if err != nil || !d.Unchanged {
				t.Fatalf("second fetch: got %+v, %v, want unchanged", d, err)
			}
			again := b.Requests("/data/")[first:]
			for _, a := range again {
				if a.Status != http.StatusNotModified && a.Status != http.StatusNotFound {
					t.Errorf("%s: got status %d, want 304 or 404", a.Path, a.Status)
				}
			}
			t.Logf("%d requests, then %d", first, len(again))
		})
	}
}

// If one part has changed, the whole dataset is fetched.
func TestPartChanged(t *testing.T) {
	dir := stattest.DataDir(t)
	h := sdmxtest.Offices(dir)["bis"]
	h.SetLimit(300)
	b := newHarness(t, h, "bis", nil)
	o := b.MustImport(t, "WEBSTATS_DER_DATAFLOW")
	before := b.Values(t, o.ID)
	text, err := os.ReadFile(filepath.Join(dir, "bis", "BIS_DER-structure-specific.xml"))
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed.xml")
	revised := strings.Replace(string(text), `OBS_VALUE="14206.490766"`, `OBS_VALUE="14206.5"`, 1)
	if revised == string(text) {
		t.Fatal("the value to be revised is not in the file")
	}
	if err := os.WriteFile(changed, []byte(revised), 0o600); err != nil {
		t.Fatal(err)
	}
	h.Publish(sdmxtest.Flow{Agency: "BIS", ID: "WEBSTATS_DER_DATAFLOW", Data: []sdmxtest.Data{{Type: sdmxtest.Specific, File: changed}}})
	o = b.MustImport(t, "WEBSTATS_DER_DATAFLOW")
	if o.Status != importer.Updated || o.Changes != (importer.Changes{Revised: 1}) {
		t.Errorf("%s %+v %s", o.Status, o.Changes, o.Error)
	}
	if after := b.Values(t, o.ID); len(after) != len(before) {
		t.Errorf("got %d values, want %d as before", len(after), len(before))
	}
}

// A code with a key is a separate dataset with the series of the key. The whole dataset
// does not change.
func TestKey(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	b := newHarness(t, sdmxtest.Offices(dir)["ecb"], "ecb", nil)
	whole := b.MustImport(t, "EXR")
	state := b.State
	b.State = source.State{}
	part := b.MustImport(t, "EXR/A.ARS+AUD.EUR.SP00.A")
	if part.Code != "EXR/A.ARS+AUD.EUR.SP00.A" || part.ID == whole.ID || part.Status != importer.Created {
		t.Fatalf("%+v", part)
	}
	all, some := b.Values(t, whole.ID), b.Values(t, part.ID)
	if len(some) == 0 || len(some) >= len(all) {
		t.Errorf("got %d values, want fewer than the %d of the whole", len(some), len(all))
	}
	b.State = state
	if d, err := b.Fetch(t, "ecb,EXR", nil); err != nil || !d.Unchanged || d.Code != "EXR" {
		t.Errorf("%+v, %v", d, err)
	}
	for _, code := range []string{"", "../EXR", "EXR/../../x", "EXR?x=1", "A,B,C,D", "EXR/a b", "EXR,", ",EXR"} {
		if d, err := b.Fetch(t, code, nil); stat.KindOf(err) != stat.Invalid && stat.KindOf(err) != stat.NotFound {
			t.Errorf("%q: %+v, %v", code, d, err)
		}
	}
}

// A message that differs only in the time of its header is unchanged.
func TestOnlyHeaderChanged(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	inner := sdmxtest.Offices(dir)["insee"]
	inner.NoTags = true
	text, err := os.ReadFile(filepath.Join(dir, "insee", "insee-data-specific-2.1.xml"))
	if err != nil {
		t.Fatal(err)
	}
	b := newHarness(t, inner, "insee", nil)
	b.MustImport(t, "IPI-2010-A21")
	for what, again := range map[string]bool{"<message:Prepared>2016-01-20T06:22:49": true, `OBS_VALUE="96.98"`: false} {
		b.Mend()
		other := strings.Replace(string(text), what, what[:len(what)-2]+"1"+what[len(what)-1:], 1)
		if other == string(text) {
			t.Fatalf("%s is not in the file", what)
		}
		b.Fault(replay.Fault{Match: "/data/", Body: other})
		if d, err := b.Fetch(t, "IPI-2010-A21", nil); err != nil || d.Unchanged != again {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
	}
}

// If an office truncates responses without an error, a response of the maximum length is
// requested in parts.
func TestSilentTruncation(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	csv := "application/vnd.sdmx.data+csv;version=1.0.0"
	h := sdmxtest.Offices(dir)["bis"]
	whole := newHarness(t, h, "bis", func(o *source.Office) { o.Accept = csv })
	want := whole.Values(t, whole.MustImport(t, "WEBSTATS_DER_DATAFLOW").ID)
	h.Silent = true
	h.SetLimit(300)
	b := newHarness(t, h, "bis", func(o *source.Office) { o.Accept, o.Cells = csv, 300 })
	sourcetest.WantSameValues(t, b.Values(t, b.MustImport(t, "WEBSTATS_DER_DATAFLOW").ID), want)
}

// If an office ignores the requested years, the dataset is split by codes.
func TestYearsIgnored(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	inner := sdmxtest.Offices(dir)["insee"]
	want := func() map[string]float64 {
		b := newHarness(t, inner, "insee", nil)
		return b.Values(t, b.MustImport(t, "IPI-2010-A21").ID)
	}()
	inner.SetLimit(1000)
	b := newHarness(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.RawQuery = ""
		inner.ServeHTTP(w, r)
	}), "insee", nil)
	o := b.MustImport(t, "IPI-2010-A21")
	sourcetest.WantSameValues(t, b.Values(t, o.ID), want)
	if o.Observations.Dropped != 0 {
		t.Errorf("%+v", o)
	}
	before := len(b.Requests("/data/"))
	if d, err := b.Fetch(t, "IPI-2010-A21", nil); err != nil || !d.Unchanged {
		t.Errorf("%+v, %v", d, err)
	}
	t.Logf("%d requests, then %d", before, len(b.Requests("/data/"))-before)
}

// Unknown and empty datasets and responses without data are errors.
func TestFaults(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	b := newHarness(t, sdmxtest.Offices(dir)["ilo"], "ilo", nil)
	if _, err := b.Fetch(t, "DF_NONE", nil); stat.KindOf(err) != stat.NotFound {
		t.Errorf("unknown dataset: got error %v, want kind NotFound", err)
	}
	if _, err := b.Fetch(t, "DF_EMPTY", nil); stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), "no observations") {
		t.Errorf("dataset without observations: got error %v, want kind Refused", err)
	}
	b = newHarness(t, sdmxtest.Offices(dir)["insee"], "insee", nil)
	b.CheckFaults(t, "IPI-2010-A21", []sourcetest.FaultCase{
		{Name: "an HTML page", Fault: replay.Fault{Match: "/data/", Page: true}, Message: "/data/IPI-2010-A21/all"},
		{Name: "truncated", Fault: replay.Fault{Match: "/data/", Cut: 50_000}, Message: "/data/IPI-2010-A21/all"},
		{Name: "an error instead of data", Fault: replay.Fault{Match: "/data/", Body: sdmxtest.ErrorMessage("500", "Internal error")}, Message: "Internal error"},
		{Name: "text instead of data", Fault: replay.Fault{Match: "/data/", Body: "Service is being restarted"}, Message: "Service is being restarted"},
		{Name: "every request too large", Fault: replay.Fault{Match: "/data/", Status: 413}, Message: "no dimension is left"},
	})
	b.Fault(replay.Fault{Match: "/data/", Times: 2, Status: 429, After: "30"})
	if d, err := b.Fetch(t, "IPI-2010-A21", nil); err != nil || len(d.Data) != 1 {
		t.Errorf("429 twice: got error %v", err)
	}
	b.Fault(replay.Fault{Match: "/data/", Times: 1, Status: 429, After: "7200"})
	var failure *fetch.Error
	if _, err := b.Fetch(t, "IPI-2010-A21", nil); !errors.As(err, &failure) || !failure.Outage() || failure.After != 2*time.Hour {
		t.Errorf("Retry-After of two hours: got error %v, want an outage", err)
	}
}

// If a footer says that the message is truncated or that the data will be ready later, the
// data are requested in parts.
func TestFooter(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	text, err := os.ReadFile(filepath.Join(dir, "bis", "BIS_DER-structure-specific.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for name, footer := range map[string]string{
		"cut":          `<footer:Footer xmlns:footer="f"><footer:Message code="413"><common:Text>Response too large</common:Text></footer:Message></footer:Footer>`,
		"asynchronous": `<footer:Footer xmlns:footer="f"><footer:Message code="150" severity="Information"><common:Text>Due to the large query the data will be available at: http://x/y.zip</common:Text></footer:Message></footer:Footer>`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newHarness(t, sdmxtest.Offices(dir)["bis"], "bis", nil)
			end := strings.LastIndex(string(text), "</message:StructureSpecificData>")
			cut := string(text[:strings.LastIndex(string(text), "<Series ")]) + "</message:DataSet>" + footer + string(text[end:])
			b.Fault(replay.Fault{Match: "/data/WEBSTATS_DER_DATAFLOW/all", Times: 1, Body: cut})
			o := b.MustImport(t, "WEBSTATS_DER_DATAFLOW")
			want := sourcetest.ValuesOfFile(t, importer.Options{Source: "BIS"}, filepath.Join(dir, "bis", "BIS_DER-structure-specific.xml"))
			sourcetest.WantSameValues(t, b.Values(t, o.ID), want)
			if len(b.Requests("startPeriod")) == 0 {
				t.Error("nothing was requested in parts")
			}
		})
	}
}

// If a server does not support a media type, the next one is requested. Later requests
// begin with the supported one.
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	h := sdmxtest.Offices(dir)["bis"]
	h.Strict = true
	b := newHarness(t, h, "bis", func(o *source.Office) {
		o.Accept = "application/vnd.sdmx.nothing, application/vnd.sdmx.data+json, application/vnd.sdmx.data+csv;version=1.0.0"
	})
	if o := b.MustImport(t, "WEBSTATS_DER_DATAFLOW"); o.Format != "sdmx-csv" {
		t.Errorf("%+v", o)
	}
	if _, err := b.Fetch(t, "WEBSTATS_DER_DATAFLOW", nil); err != nil {
		t.Error(err)
	}
	if requests := b.Requests("/data/"); len(requests) != 4 {
		t.Errorf("got %d requests, want 4", len(requests))
	}
}

// An office of version 3.0 receives SDMX 3.0 requests.
func Test3(t *testing.T) {
	t.Parallel()
	files := replay.NewFiles(nil)
	files.SetBody("/structure/dataflow/X/*/+?detail=allstubs", sdmxtest.ListHead+sdmxtest.Flow{Agency: "X", ID: "POP", Names: map[string]string{"en": "Population"}}.XML()+sdmxtest.ListTail)
	all := "STRUCTURE,STRUCTURE_ID,ACTION,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\ndataflow,X:POP(1.0),I,A,FR,1950,41.6\ndataflow,X:POP(1.0),I,A,FR,2020,67.5\n"
	files.SetBody("/data/dataflow/X/POP/+/*", all)
	b := sourcetest.New(t, files, source.Office{ID: "office-x", Name: "office-x", Kind: "sdmx", Version: "3.0", Agency: "X"}, "")
	entries, err := b.Contents(t, source.Filter{})
	if err != nil || len(entries) != 1 || entries[0].Code != "POP" {
		t.Fatalf("%+v, %v", entries, err)
	}
	o := b.MustImport(t, "POP")
	if values := b.Values(t, o.ID); len(values) != 2 {
		t.Errorf("%+v: %v", o, values)
	}
	b.State = source.State{}
	b.Fault(replay.Fault{Match: "/data/dataflow/X/POP/+/*", Times: 1, Status: 413})
	if _, err := b.Fetch(t, "POP", nil); err != nil {
		t.Error(err)
	}
	if len(b.Requests("/data/dataflow/X/POP/+/*?c%5BTIME_PERIOD%5D=le:1963")) != 1 || len(b.Requests("/data/dataflow/X/POP/+/*?c%5BTIME_PERIOD%5D=ge:1964")) != 1 {
		t.Errorf("got requests %+v", b.Requests("/data/"))
	}
}

// A structure is fetched once a day, and also if the caller does not have it.
func TestStructureOnce(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	h := sdmxtest.Offices(dir)["insee"]
	b := newHarness(t, h, "insee", nil)
	b.MustImport(t, "IPI-2010-A21")
	if len(b.Requests("/dataflow/FR1/IPI-2010-A21/latest")) != 1 {
		t.Errorf("got requests %+v", b.Requests("/"))
	}
	h.Publish(sdmxtest.Flow{Agency: "FR1", ID: "IPI-2010-A21", Structure: filepath.Join(dir, "insee", "insee-datastructure-2.1.xml"),
		Data: []sdmxtest.Data{{Type: sdmxtest.Specific, File: filepath.Join(dir, "insee", "insee-data-generic-2.1.xml")}}})
	d, err := b.Fetch(t, "IPI-2010-A21", nil)
	if err != nil || d.Unchanged || len(d.Companions) != 0 || d.Name == "" || len(b.Requests("/dataflow/")) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	b.State = source.State{}
	if d, err = b.Fetch(t, "IPI-2010-A21", nil); err != nil || len(d.Companions) != 1 || len(b.Requests("/dataflow/")) != 2 {
		t.Errorf("%+v, %v", d, err)
	}
}
