package api_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
)

// Media types after "application/vnd.sdmx.".
const (
	generic, specific        = "genericdata+xml;version=2.1", "structurespecificdata+xml;version=2.1"
	json1, json2             = "data+json;version=1.0.0", "data+json;version=2.0.0"
	csv1, csv2               = "data+csv;version=1.0.0", "data+csv;version=2.0.0"
	structure, structureJSON = "structure+xml;version=2.1", "structure+json;version=2.0.0"
	failure                  = "error+xml;version=2.1"
)

// sdmxCase is a request and what the response is.
type sdmxCase struct {
	name, path, accept string
	status             int
	kind               string // one of the media types
	has                string
}

// checkSDMX sends requests.
func checkSDMX(t *testing.T, cases []sdmxCase) {
	t.Helper()
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/sdmx"
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			header := []string{}
			if c.accept != "" {
				header = append(header, "Accept: "+c.accept)
			}
			got := ask(t, "GET", base+c.path, header...)
			kind := strings.TrimPrefix(got.Header.Get("Content-Type"), "application/vnd.sdmx.")
			if got.StatusCode != c.status || c.kind != "" && kind != c.kind || !strings.Contains(got.body, c.has) {
				t.Fatalf("%d %s, want %d %s with %s: %.1500s", got.StatusCode, kind, c.status, c.kind, c.has, got.body)
			}
			checkSyntax(t, kind, got.body)
		})
	}
}

// TestSDMX asks for data and structures as clients of SDMX do.
func TestSDMX(t *testing.T) {
	checkSDMX(t, []sdmxCase{
		{"data of a flow", "/2.1/data/gapminder", "", 200, generic, `<gen:Value id="LICENCE"`},
		{"agency, ID and version", "/2.1/data/GAPMINDER,gapminder,1.0/all", "", 200, generic, "<gen:Series>"},
		{"the latest version", "/2.1/data/GAPMINDER,gapminder,latest/all/all", "", 200, generic, "<gen:Series>"},
		{"any agency", "/2.1/data/ALMANAC,gapminder", "", 200, generic, "<gen:Series>"},
		{"a slash at the end", "/2.1/data/gapminder/", "", 200, generic, "<gen:Series>"},
		{"periods", "/2.1/data/gapminder?startPeriod=2003&endPeriod=2006-12&detail=dataonly&format=csvdata1", "", 200, csv1 + ";charset=utf-8", "OBS_VALUE\r\n"},
		{"SDMX 3.0", "/3.0/data/dataflow/GAPMINDER/gapminder/1.0.0/*?c[TIME_PERIOD]=ge:2005", "", 200, json2, `"id":"2005"`},
		{"by structure", "/3.0/data/datastructure/GAPMINDER/DSD_gapminder/+", "", 200, json2, `"series":{`},
		{"an unknown flow", "/2.1/data/nothing", "", 404, failure, `code="100"`},
		{"any version since one", "/3.0/data/dataflow/GAPMINDER/gapminder/1+.0.0", "", 200, json2, `"series":{`},
		{"any version with a number", "/3.0/structure/dataflow/GAPMINDER/gapminder/1.0+.0", "", 200, structureJSON, `"version":"1.0.0"`},
		{"the last number is open", "/3.0/data/dataflow/GAPMINDER/gapminder/1.0.0+", "", 200, json2, `"series":{`},
		{"no version since one", "/3.0/data/dataflow/GAPMINDER/gapminder/2+.0.0", "", 404, "", `"code":100`},
		{"one version in all syntaxes", "/2.1/dataflow/GAPMINDER/gapminder", "", 200, structure, "gapminder(1.0.0)"},
		{"an unknown version", "/2.1/data/GAPMINDER,gapminder,7.0", "", 404, failure, `code="100"`},
		{"no results", "/2.1/data/gapminder?startPeriod=2100", "", 404, failure, `code="100"`},
		{"no results as JSON", "/3.0/data/dataflow/GAPMINDER/gapminder/*/*?c[TIME_PERIOD]=ge:2100", "", 404, "", `"code":100`},
		{"a key that is too long", "/2.1/data/gapminder/a.b.c.d.e.f.g.h", "", 400, failure, `code="140"`},
		{"a period that is none", "/2.1/data/gapminder?startPeriod=tomorrow", "", 400, failure, "startPeriod"},
		{"an unknown parameter", "/2.1/data/gapminder?nonsense=1", "", 400, failure, "nonsense"},
		{"a filter of an unknown dimension", "/3.0/data/dataflow/GAPMINDER/gapminder/*/*?c[X]=1", "", 400, "", `"code":140`},
		{"as of a time before all data", "/2.1/data/gapminder?asOf=1999-01-01", "", 404, failure, `code="100"`},
		{"as of now", "/2.1/data/gapminder?asOf=2100-01-01T00:00:00", "", 200, generic, "<gen:Series>"},
		{"what changed since the beginning", "/2.1/data/gapminder?updatedAfter=1999-01-01", "", 200, generic, "<gen:Series>"},
		{"nothing changed", "/2.1/data/gapminder?updatedAfter=2100-01-01T00:00:00Z", "", 404, failure, `code="100"`},
		{"a time that is none", "/2.1/data/gapminder?updatedAfter=later", "", 400, failure, "updatedAfter"},
		{"a version by its first number", "/2.1/data/GAPMINDER,gapminder,1", "", 200, generic, "<gen:Series>"},
		{"all versions of data", "/3.0/data/dataflow/GAPMINDER/gapminder/*", "", 200, json2, `"series":{`},
		{"all versions of a list", "/2.1/codelist/GAPMINDER/CL_gapminder--indicator/all", "", 200, structure, "<str:Code "},
		{"what is no version", "/2.1/data/GAPMINDER,gapminder,x", "", 400, failure, "1.3.0 or 1.3"},
		{"what is no version of a structure", "/3.0/structure/dataflow/GAPMINDER/gapminder/1.x", "", 400, "", "1.3.0 or 1.3"},
		{"an unknown version of a structure", "/2.1/datastructure/GAPMINDER/DSD_gapminder/7.0", "", 404, failure, `code="100"`},
		{"history", "/2.1/data/gapminder?includeHistory=true", "", 200, generic, `action="Replace" validFromDate="`},
		{"history as Python writes it", "/2.1/data/gapminder?includeHistory=True", "", 200, generic, `validFromDate="`},
		{"no history", "/2.1/data/gapminder?includeHistory=False&format=csvdata1", "", 200, csv1 + ";charset=utf-8", "DATAFLOW"},
		{"history that is neither true nor false", "/2.1/data/gapminder?includeHistory=some", "", 400, failure, "includeHistory"},
		{"history in a syntax with one data set", "/2.1/data/gapminder?includeHistory=true&format=csvdata1", "", 501, failure, `code="501"`},
		{"time series", "/2.1/data/gapminder?lastNObservations=1", "application/vnd.sdmx.generictimeseriesdata+xml;version=2.1", 200, "generictimeseriesdata+xml;version=2.1", "<mes:GenericTimeSeriesData "},
		{"what is not supported", "/2.1/data/gapminder?dimensionAtObservation=geo", "", 501, failure, `code="501"`},
		{"observations to skip and a limit", "/2.1/data/gapminder?offset=3&limit=2&format=csvdata1&detail=dataonly", "", 200, csv1 + ";charset=utf-8", "OBS_VALUE\r\n"},
		{"an offset behind the end", "/2.1/data/gapminder?offset=1000000", "", 404, failure, `code="100"`},
		{"another order", "/3.0/data/dataflow/*/gapminder?sort=TIME_PERIOD:desc", "", 501, "", `"code":501`},
		{"single attributes", "/3.0/data/dataflow/*/gapminder?attributes=OBS_STATUS,series&format=csvdata", "", 200, csv2 + ";charset=utf-8", "OBS_VALUE,UNIT_MEASURE,UNIT_MULT,OBS_STATUS\r\n"},
		{"attributes of a level", "/3.0/data/dataflow/*/gapminder?attributes=dataset&format=csvdata", "", 200, csv2 + ";charset=utf-8", "OBS_VALUE,LICENCE\r\n"},
		{"reference metadata, of which there are none", "/3.0/data/dataflow/*/gapminder?attributes=msd&format=csvdata", "", 200, csv2 + ";charset=utf-8", "OBS_VALUE\r\n"},
		{"an attribute that there is not", "/3.0/data/dataflow/*/gapminder?attributes=NONE", "", 400, "", "UNIT_MEASURE"},
		{"the provider", "/2.1/data/gapminder/all/GAPMINDER?lastNObservations=1", "", 200, generic, "<gen:Series>"},
		{"another provider", "/2.1/data/gapminder/all/ECB", "", 404, failure, "the provider of gapminder is GAPMINDER"},
		{"reference metadata", "/2.1/metadata/gapminder", "", 404, failure, "there is no metadata here"},
		{"an item that there is not", "/2.1/codelist/SDMX/CL_OBS_STATUS/latest/XX", "", 404, failure, "CL_OBS_STATUS with XX"},
		{"a list that there is not", "/2.1/codelist/ESTAT/X", "", 404, failure, "there is no codelist ESTAT,X"},
		{"several periods", "/3.0/data/dataflow/*/gapminder/*/*?c[TIME_PERIOD]=2000,2005&detail=dataonly&format=csvdata", "", 200, csv2 + ";charset=utf-8", ",2000,"},
		{"several periods without data", "/3.0/data/dataflow/*/gapminder/*/*?c[TIME_PERIOD]=2200,2201", "", 404, "", `"code":100`},
		{"availability of several periods", "/3.0/availability/dataflow/*/gapminder/*/*?c[TIME_PERIOD]=2000,2005", "", 200, structureJSON, `"cubeRegions":[`},
		{"what could be added to several periods", "/3.0/availability/dataflow/*/gapminder/*/*?c[TIME_PERIOD]=2000,2005&mode=available", "", 501, "", "mode=available"},
		{"periods in two ways", "/3.0/data/dataflow/*/gapminder/*/*?c[TIME_PERIOD]=2000&startPeriod=2004", "", 400, "", "startPeriod"},
		{"a filter of an unknown code", "/3.0/data/dataflow/*/gapminder/*/*?c[country]=XX", "", 404, "", "country=XX"},
		{"availability of changes", "/2.1/availableconstraint/gapminder?updatedAfter=1999-01-01", "", 200, structure, "<str:CubeRegion "},
		{"availability of no changes", "/2.1/availableconstraint/gapminder?updatedAfter=2100-01-01", "", 404, failure, `code="100"`},
		{"dataflows", "/2.1/dataflow", "", 200, structure, `<str:Dataflow id="gapminder"`},
		{"a structure with its lists", "/2.1/datastructure/GAPMINDER/DSD_gapminder/latest?references=children", "", 200, structure, "<str:Codelist "},
		{"a flow with all", "/2.1/dataflow/all/gapminder?references=all", "", 200, structure, "<str:ContentConstraint "},
		{"stubs", "/2.1/structure?detail=allstubs", "", 200, structure, `isExternalReference="true"`},
		{"structures of 3.0", "/3.0/structure/dataflow/GAPMINDER/gapminder/+?references=descendants", "", 200, structureJSON, `"dataStructures":[`},
		{"one code", "/2.1/codelist/SDMX/CL_OBS_STATUS/latest/P", "", 200, structure, `isPartial="true"`},
		{"an unknown resource", "/2.1/nonsense", "", 400, failure, `code="140"`},
		{"a resource that there is not", "/2.1/metadataflow", "", 404, failure, `code="100"`},
		{"availability", "/2.1/availableconstraint/gapminder?references=codelist", "", 200, structure, "<str:CubeRegion "},
		{"availability of 3.0", "/3.0/availability/dataflow/GAPMINDER/gapminder", "", 200, structureJSON, `"cubeRegions":[`},
		{"schema", "/3.0/schema/dataflow/GAPMINDER/gapminder/1.0.0", "", 200, structureJSON, `"dataStructures":[`},
		{"an unknown address", "/2.1", "", 404, failure, `code="100"`},
	})
}

// TestSDMXForms asks for syntaxes by the header Accept and the parameter format.
func TestSDMXForms(t *testing.T) {
	checkSDMX(t, []sdmxCase{
		{"structure-specific", "/2.1/data/gapminder?lastNObservations=1", "application/vnd.sdmx." + specific, 200, specific, `TIME_PERIOD="2005" OBS_VALUE="`},
		{"SDMX-ML 3.0", "/3.0/data/dataflow/*/gapminder", "application/vnd.sdmx.data+xml;version=3.0.0", 200, "data+xml;version=3.0.0", `<com:StructureUsage>urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=GAPMINDER:gapminder(1.0.0)</`},
		{"a version of SDMX-ML", "/3.0/data/dataflow/*/gapminder?format=structurespecificdata&formatVersion=3.0.0", "", 200, "data+xml;version=3.0.0", "/schemas/v3_0/message"},
		{"XML of any kind", "/2.1/data/gapminder", "application/xml", 200, generic, "<gen:Series>"},
		{"JSON of any kind", "/2.1/data/gapminder", "application/json", 200, json1, `"structure":{`},
		{"the better of two", "/2.1/data/gapminder", "application/xml;q=0.5, application/vnd.sdmx." + json2, 200, json2, `"structures":[`},
		{"CSV", "/2.1/data/gapminder", "text/csv", 200, csv1 + ";charset=utf-8", "DATAFLOW,"},
		{"CSV with names", "/2.1/data/gapminder", "application/vnd.sdmx." + csv2 + ";labels=name", 200, csv2 + ";charset=utf-8", "STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,"},
		{"the parameter format", "/2.1/data/gapminder?format=jsondata", "", 200, json2, `"structures":[`},
		{"CSV with labels", "/2.1/data/gapminder?format=csvfilewithlabels", "", 200, csv2 + ";charset=utf-8", "STRUCTURE,STRUCTURE_ID,STRUCTURE_NAME,ACTION,"},
		{"CSV with labels, but of codes only", "/2.1/data/gapminder?format=csvfilewithlabels&labels=id", "", 200, csv2 + ";charset=utf-8", "STRUCTURE,STRUCTURE_ID,ACTION,"},
		{"a version of a format", "/3.0/data/dataflow/*/gapminder?format=jsondata&formatVersion=1.0.0", "", 200, json1, `"structure":{`},
		{"a media type as format", "/2.1/data/gapminder?format=application/vnd.sdmx.data%2Bcsv;version=1.0.0", "", 200, csv1 + ";charset=utf-8", "DATAFLOW,"},
		{"a format that there is not", "/2.1/data/gapminder?format=tsv", "", 400, failure, "csvdata"},
		{"a media type that there is not", "/2.1/data/gapminder", "image/png", 406, failure, "Accept"},
	})
}

// TestAvailabilityOfChanges compares what changed since the beginning, which is everything, with everything.
func TestAvailabilityOfChanges(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/sdmx/2.1/availableconstraint/gapminder"
	for _, key := range []string{"", "/life_expect.", "/.AT+AF"} {
		want, got := ask(t, "GET", base+key), ask(t, "GET", base+key+"?updatedAfter=1999-01-01")
		if got.body != want.body || want.StatusCode != 200 {
			t.Errorf("%s: %d %.1500s\nwant %d %.1500s", key, got.StatusCode, got.body, want.StatusCode, want.body)
		}
	}
}

// TestPages reads data page by page: together they are the data.
func TestPages(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/sdmx/2.1/data/gapminder?format=csvdata1&lastNObservations=3"
	rows := func(query string) []string {
		got := ask(t, "GET", base+query)
		if got.StatusCode == 404 {
			return nil
		}
		return strings.Split(strings.TrimSpace(got.body), "\r\n")[1:]
	}
	want := rows("")
	var got []string
	for {
		page := rows("&limit=7&offset=" + strconv.Itoa(len(got)))
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
	}
	if len(want) < 14 || !slices.Equal(got, want) {
		t.Errorf("%d rows in pages, want %d", len(got), len(want))
	}
}

// TestSeveralPeriods compares data and availability of several periods with those of each.
func TestSeveralPeriods(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/sdmx/3.0/"
	rows := func(periods string) []string {
		got := ask(t, "GET", base+"data/dataflow/*/gapminder/*/*?format=csvdata&c[TIME_PERIOD]="+periods)
		list := strings.Split(strings.TrimSpace(got.body), "\r\n")[1:]
		slices.Sort(list)
		return list
	}
	want := append(append(rows("2000"), rows("2005")...), rows("1990")...)
	slices.Sort(want)
	if got := rows("2005,1990,2000"); len(want) < 6 || !slices.Equal(got, want) {
		t.Errorf("%d rows of three years, want %d", len(got), len(want))
	}
	counts := ask(t, "GET", base+"availability/dataflow/*/gapminder/*/*?format=sdmx-ml&c[TIME_PERIOD]=2005,1990,2000").body
	if number := fmt.Sprintf(`"obs_count"><com:AnnotationTitle>%d<`, len(want)); !strings.Contains(counts, number) {
		t.Errorf("availability does not have %s: %.1500s", number, counts)
	}
	if same, other := ask(t, "GET", base+"data/dataflow/*/gapminder?c[TIME_PERIOD]=2000,2005"), ask(t, "GET", base+"data/dataflow/*/gapminder?c[TIME_PERIOD]=1990,2005"); same.Header.Get("Etag") == other.Header.Get("Etag") {
		t.Error("different periods have the same ETag")
	}
}

// checkSyntax checks that a body is XML or JSON.
func checkSyntax(t *testing.T, kind, body string) {
	t.Helper()
	switch {
	case strings.Contains(kind, "xml"):
		d := xml.NewDecoder(strings.NewReader(body))
		for {
			if _, err := d.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("%v in %.500s", err, body)
			}
		}
	case strings.Contains(kind, "json") && !json.Valid([]byte(body)):
		t.Fatalf("no JSON: %.500s", body)
	}
}

// TestSDMXIsAsOtherAddresses checks what all addresses have in common.
func TestSDMXIsAsOtherAddresses(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/sdmx"
	for _, path := range []string{"/2.1/data/gapminder?lastNObservations=1", "/2.1/dataflow", "/3.0/structure/datastructure/GAPMINDER", "/2.1/availableconstraint/gapminder"} {
		first := ask(t, "GET", base+path)
		tag := first.Header.Get("Etag")
		if tag == "" || !strings.Contains(first.Header.Get("Vary"), "Accept") {
			t.Errorf("%s: ETag %q, Vary %q", path, tag, first.Header.Get("Vary"))
		}
		if again := ask(t, "GET", base+path, "If-None-Match: "+tag); again.StatusCode != 304 {
			t.Errorf("%s is sent again: %d", path, again.StatusCode)
		}
		if head := ask(t, "HEAD", base+path); head.StatusCode != 200 || head.Header.Get("Etag") != tag {
			t.Errorf("HEAD %s: %d", path, head.StatusCode)
		}
		if other := ask(t, "POST", base+path); other.StatusCode != 405 || other.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST %s: %d, Allow %q", path, other.StatusCode, other.Header.Get("Allow"))
		}
		if options := ask(t, "OPTIONS", base+path); options.StatusCode != 204 {
			t.Errorf("OPTIONS %s: %d", path, options.StatusCode)
		}
	}
}

// TestDerivedValuesAreInformation checks that files of derived values do not ask to replace observed ones.
func TestDerivedValuesAreInformation(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/api/datasets/1/data.sdmx."
	for extension, has := range map[string]string{"csv": "(1.0.0),I,", "json": `"action":"Information"`, "xml": `ss:action="Information"`} {
		if got := ask(t, "GET", base+extension+"?transform=index:2005"); got.StatusCode != 200 || !strings.Contains(got.body, has) {
			t.Errorf("%s: %d, without %s: %.1600s", extension, got.StatusCode, has, got.body)
		}
		if got := ask(t, "GET", base+extension); got.StatusCode != 200 || strings.Contains(got.body, has) {
			t.Errorf("%s of observed values: %d, with %s", extension, got.StatusCode, has)
		}
	}
}

// docs/sdmx.md: several keys select the series of each of them, in all syntaxes and also where what they
// select is no product of lists.
func TestSDMXKeys(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)})) + "/sdmx/3.0/"
	rows := func(keys, rest string) []string {
		t.Helper()
		got := ask(t, "GET", base+"data/dataflow/*/gapminder/*/"+keys+"?format=csvdata&detail=dataonly"+rest)
		if got.StatusCode != 200 {
			t.Fatalf("%s: %d %.300s", keys, got.StatusCode, got.body)
		}
		list := strings.Split(strings.TrimSpace(got.body), "\r\n")[1:]
		slices.Sort(list)
		return list
	}
	for _, keys := range []string{
		"life_expect.DE,fertility.JP", "life_expect.DE%2BFR,fertility.JP", "life_expect.DE,fertility.*", "life_expect.*,*.JP", "life_expect.DE,life_expect.JP",
		"life_expect.DE,life_expect.DE", "life_expect.DE,nothing.JP", "life_expect.XX,fertility.JP", "fertility,life_expect.DE",
	} {
		for _, rest := range []string{"", "&c[TIME_PERIOD]=2000,2005", "&lastNObservations=1"} {
			var want []string
			for key := range strings.SplitSeq(keys, ",") {
				if !strings.Contains(key, "nothing") && !strings.Contains(key, "XX") {
					want = append(want, rows(key, rest)...)
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			if got := rows(keys, rest); len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s%s: %d observations, the keys one by one have %d", keys, rest, len(got), len(want))
			}
		}
	}
	for keys, want := range map[string]int{
		"life_expect.DE,nothing.JP": 200, "nothing.DE,life_expect.XX": 404, "*?c[country]=DE,ZZ": 200, "*?c[country]=XX:AT,DE": 200, "*?c[country]=sw:ZZ,DE": 200, "*?c[country]=ZZ": 404, "*?c[country]=xx:DE": 400,
	} {
		if got := ask(t, "GET", base+"data/dataflow/*/gapminder/*/"+keys); got.StatusCode != want || got.Header.Get("X-Notice") == "" && want == 200 {
			t.Errorf("%s: %d, X-Notice %q", keys, got.StatusCode, got.Header.Get("X-Notice"))
		}
	}
	whole := ask(t, "GET", base+"availability/dataflow/*/gapminder/*/life_expect.DE,fertility.JP")
	if !strings.Contains(whole.body, `"DE"`) || !strings.Contains(whole.body, `"JP"`) || strings.Contains(whole.body, `"FR"`) {
		t.Errorf("availability of two keys: %.600s", whole.body)
	}
}
