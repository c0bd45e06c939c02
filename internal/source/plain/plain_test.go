package plain_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/plaintest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// A file at an address is saved unchanged, under a name that shows its format.
func TestAddress(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	files := plaintest.New(dir)
	s := sourcetest.CloseAtEnd(t, replay.Serve(files))
	web := sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{ID: "web", Name: "Web", Kind: "files", Address: s.URL, Data: s.URL + "/{code}"})

	d := sourcetest.MustFetch(t, web, source.Request{Code: s.URL + "/grapher/co2-emissions-per-capita.csv?v=1"})
	if len(d.Data) != 1 || filepath.Base(d.Data[0]) != "co2-emissions-per-capita.csv" || d.Code != "" {
		t.Fatalf("%+v", d)
	}
	sourcetest.WantSameFile(t, d.Data[0], filepath.Join(dir, "owid", "co2-emissions-per-capita.csv"))

	again := sourcetest.MustFetch(t, web, source.Request{Code: s.URL + "/grapher/co2-emissions-per-capita.csv?v=1", Known: d.State})
	if !again.Unchanged || len(again.Data) > 0 {
		t.Errorf("unchanged file: got %+v", again)
	}
	files.SetBody("/grapher/co2-emissions-per-capita.csv", "Entity,Code,Year,Emissions\nDenmark,DNK,2023,4.9\n")
	changed := sourcetest.MustFetch(t, web, source.Request{Code: s.URL + "/grapher/co2-emissions-per-capita.csv?v=1", Known: again.State})
	if got := sourcetest.MustImport(t, changed); changed.Unchanged || sourcetest.ValueAt(t, got, "2023", map[string]string{"entity": "DNK"}) != 4.9 {
		t.Errorf("changed file: got %+v", changed)
	}
}

// hashSuffix matches the suffix that distinguishes equal names.
var hashSuffix = regexp.MustCompile("-[0-9a-f]{8}")

func TestNames(t *testing.T) {
	t.Parallel()
	files := replay.NewFiles(nil)
	s := sourcetest.CloseAtEnd(t, replay.Serve(files))
	host := strings.NewReplacer("http://", "", ".", "-", ":", "-").Replace(s.URL)
	web := sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{ID: "web", Name: "Web", Kind: "files", Address: s.URL, Data: s.URL + "/{code}"})
	office := sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{ID: "own", Name: "Own", Kind: "files", Address: s.URL, Data: s.URL + "/files/{code}.csv.zip?x=1"})
	for _, c := range []struct {
		server                   source.Server
		code, path, header, name string
	}{
		{web, s.URL + "/a/table.csv", "/a/table.csv", "", "table.csv"},
		{web, s.URL + "/a/table.csv?x=../../etc/passwd", "/a/table.csv", "", "table.csv"},
		{web, s.URL + "/download?id=5", "/download", `attachment; filename="births.px"`, "births.px"},
		{web, s.URL + "/births.csv", "/births.csv", `attachment; filename="export"`, "births.csv"},
		{web, s.URL + "/births.csv", "/births.csv", `attachment; filename="../../.ssh/authorized_keys"`, "births.csv"},
		{web, s.URL + "/%2e%2e%2fpasswd.csv", "/../passwd.csv", "", "passwd.csv"},
		{web, s.URL + "/b/", "/b/", "", host + "-b"},
		{web, s.URL, "/", "", host},
		{web, s.URL + "/api?table=5", "/api", "", host + "-api-HASH"},
		{web, s.URL + "/api?x=" + strings.Repeat("y", 200) + "&table=6", "/api", "", host + "-api-HASH"},
		{web, s.URL + "/was-packed.tsv.gz", "/was-packed.tsv.gz", "", "was-packed.tsv"},
		{web, s.URL + "/" + strings.Repeat("ä", 90) + ".csv.gz", "/" + strings.Repeat("ä", 90) + ".csv.gz", "", strings.Repeat("ä", 48) + ".csv"},
		{office, "births", "/files/births.csv.zip", "", "births.csv.zip"},
		{office, "a/b", "/files/a/b.csv.zip", "", "a_b-HASH.csv.zip"},
	} {
		files.SetBody(c.path, "year,value\n2024,1\n")
		files.Header(c.path, "Content-Disposition", c.header)
		d := sourcetest.MustFetch(t, c.server, source.Request{Code: c.code})
		if got := hashSuffix.ReplaceAllString(filepath.Base(d.Data[0]), "-HASH"); got != c.name {
			t.Errorf("%s (%s): got name %q, want %q", c.code, c.header, got, c.name)
		}
	}
}

// bisBulk is a file as the BIS writes it: headings and cells contain labels, and there
// is no space after the colon of a heading.
const bisBulk = `STRUCTURE,STRUCTURE_ID,ACTION,FREQ:Frequency,REF_AREA:Reference area,TIME_PERIOD:Time period or range,OBS_VALUE:Observation Value,UNIT_MEASURE:Unit of measure,OBS_STATUS:Observation Status
dataflow,BIS:WS_CBPOL(1.0): Central bank policy rates,I,M: Monthly,CH: Switzerland,2020-01,-0.75,368: Per cent per year,A: Normal value
dataflow,BIS:WS_CBPOL(1.0): Central bank policy rates,I,M: Monthly,SE: Sweden,2020-01,0,368: Per cent per year,A: Normal value
`

// Files of the offices without another service are fetched by their codes and imported.
func TestOfficesToStore(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	files := plaintest.New(dir)
	files.SetBody("/static/bulk/WS_CBPOL_csv_flat.zip", zipOf(t, "WS_CBPOL_csv_flat.csv", bisBulk))
	s := sourcetest.CloseAtEnd(t, replay.Serve(files))
	for _, c := range []struct {
		office, code   string
		period, source string
		codes          map[string]string
		want           float64
	}{
		{"bis-bulk", "WS_CBPOL", "2020-01", "bis", map[string]string{"REF_AREA": "CH"}, -0.75},
		{"ecb-rates", "eurofxref-hist", "1999-01-04", "ecb", map[string]string{"CURRENCY": "USD"}, 1.1789},
		{"owid", "co2-emissions-per-capita", "1750", "owid", map[string]string{"entity": "GBR"}, 1.0019121},
		{"un-wpp", "WPP2019_Period_Indicators_Medium", "1955", "unpd", map[string]string{"LocID": "4", "INDICATOR": "TFR"}, 7.45},
	} {
		t.Run(c.office, func(t *testing.T) {
			d := sourcetest.MustFetch(t, sourcetest.NewServer(t, sourcetest.NewClock(), sourcetest.OfficeAt(t, c.office, s)), source.Request{Code: c.code})
			v := sourcetest.MustImport(t, d)
			if got := sourcetest.ValueAt(t, v, c.period, c.codes); got != c.want {
				t.Errorf("got value %v, want %v as in the file", got, c.want)
			}
			if v.Dataset.Source.ID != c.source {
				t.Errorf("got source %+v, want %q", v.Dataset.Source, c.source)
			}
		})
	}
}

// zipOf returns a zip archive with one member.
func zipOf(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	member, err := w.Create(name)
	if err == nil {
		_, err = io.WriteString(member, text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestContents(t *testing.T) {
	t.Parallel()
	files := replay.NewFiles(nil)
	s := sourcetest.CloseAtEnd(t, replay.Serve(files))
	files.SetBody("/list", "births\tLive births\n\ndeaths\tDeaths by cause\nbirths\tagain\n")
	own := source.Office{ID: "own", Name: "Own", Kind: "files", Address: s.URL, Contents: s.URL + "/list", Data: s.URL + "/{code}.csv"}
	server := sourcetest.NewServer(t, sourcetest.NewClock(), own)
	if got := sourcetest.Entries(t, server.Contents(t.Context(), source.Filter{})); len(got) != 2 || got[1].Title != "Deaths by cause" {
		t.Errorf("got list %+v", got)
	}
	if got := sourcetest.Entries(t, server.Contents(t.Context(), source.Filter{Search: "LIVE bir"})); len(got) != 1 || got[0].Code != "births" {
		t.Errorf("the search found %+v", got)
	}
	files.SetBody("/list", "births\tLive births\nno title\n")
	if err := sourcetest.ListError(server.Contents(t.Context(), source.Filter{})); stat.KindOf(err) != stat.Unavailable || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("line without a title: got error %v, want one for line 2", err)
	}
	own.Contents = ""
	if err := sourcetest.ListError(sourcetest.NewServer(t, sourcetest.NewClock(), own).Contents(t.Context(), source.Filter{})); stat.KindOf(err) != stat.Refused {
		t.Errorf("office without a list: got error %v", err)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	files := replay.NewFiles(nil)
	files.SetBody("/a.csv", strings.Repeat("year,value\n2024,1\n", 100))
	s := sourcetest.CloseAtEnd(t, replay.Serve(files))
	web := sourcetest.NewServer(t, sourcetest.NewClock(), source.Office{ID: "web", Name: "Web", Kind: "files", Address: s.URL, Data: s.URL + "/{code}"})
	for _, c := range []struct {
		fault  replay.Fault
		reason fetch.Reason
	}{
		{replay.Fault{Status: 404}, fetch.Missing},
		{replay.Fault{Status: 429}, fetch.Busy},
		{replay.Fault{Status: 503}, fetch.Busy},
		{replay.Fault{Status: 413}, fetch.TooBig},
		{replay.Fault{Cut: 100}, fetch.Cut},
		{replay.Fault{Page: true}, fetch.WebPage},
	} {
		s.Mend()
		s.Fault(c.fault)
		err := sourcetest.FetchError(t, web, s.URL+"/a.csv")
		sourcetest.WantReason(t, err, c.reason)
		if c.reason == fetch.Missing && stat.KindOf(err) != stat.NotFound {
			t.Errorf("404: got %v", err)
		}
	}
	if err := sourcetest.FetchError(t, sourcetest.NewTable(t, fetch.Options{}).Server(""), "births"); stat.KindOf(err) != stat.NotFound {
		t.Errorf("code without an office: got %v", err)
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
	b := sourcetest.NewOf(t, server, source.Office{ID: "nso", Name: "NSO", Kind: "files", Address: server.URL, Data: server.URL + "/{code}.csv", Cells: 2})
	if o := b.MustImport(t, "short"); o.Status != importer.Created {
		t.Errorf("got %+v", o)
	}
	b.State = source.State{}
	if _, err := b.Fetch(t, "long", nil); err == nil || !strings.Contains(err.Error(), "truncates longer tables") {
		t.Errorf("got %v, want a refusal", err)
	}
}
