package api_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
)

// licenceOf returns the member licence of an answer, or of its members in turn.
func licenceOf(t *testing.T, body string, members ...string) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(body), &object); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	for _, name := range members {
		switch inner := object[name].(type) {
		case map[string]any:
			object = inner
		case []any:
			object = inner[0].(map[string]any)
		}
	}
	licence, _ := object["licence"].(map[string]any)
	return licence
}

const tidyOf = "#almanac-tidy,1\n#source,%,%\n#dataset,d,A dataset\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nFR,2020,1\nDE,2020,2\n"

// docs/api.md, Licences: the licence stands in the metadata, the dataset and the list if it
// is asked for; a dataset's own goes before that of its source; nothing is said of unknown
// sources.
func TestLicence(t *testing.T) {
	s := newStore(t)
	load(t, s, "a.csv", strings.NewReader(strings.ReplaceAll(tidyOf, "%", "ons")))
	load(t, s, "b.csv", strings.NewReader(strings.Replace(strings.ReplaceAll(tidyOf, "%", "eurostat"), "#geography", "#licence,\"CC BY-NC 4.0\"\n#geography", 1)))
	load(t, s, "c.csv", strings.NewReader(strings.ReplaceAll(tidyOf, "%", "invented")))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for id, want := range map[string]string{"1": "OGL 3.0", "2": "CC BY-NC 4.0", "3": ""} {
		for path, members := range map[string][]string{
			id + "/meta": nil, id: {"dataset"}, id + "/data": {"meta"}, "?fields=licence&limit=1&page=" + string(rune(id[0]-1)): {"data"},
		} {
			address := base + "/api/datasets/" + path
			address = strings.Replace(address, "/?", "?", 1)
			got := licenceOf(t, ask(t, "GET", address).body, members...)
			if name, _ := got["name"].(string); name != want || (got == nil) != (want == "") {
				t.Errorf("%s: licence %v, want %q", path, got, want)
			}
		}
	}
	got := licenceOf(t, ask(t, "GET", base+"/api/datasets/1/meta").body)
	if got["redistribution"] != "allowed" || got["attribution"] != "Source: Office for National Statistics licensed under the Open Government Licence v.3.0" || got["stated_at"] == nil || got["url"] == nil || got["bulk"] != nil {
		t.Errorf("%v", got)
	}
	if list := ask(t, "GET", base+"/api/datasets?fields=code").body; strings.Contains(list, "licence") {
		t.Errorf("a list that does not ask for licences has them: %s", list)
	}
}

// docs/api.md, Licences: whole datasets of a source are 403 as soon as its host forbids
// them, parts are not, and the licence says so.
func TestBulkIsForbidden(t *testing.T) {
	s := newStore(t)
	load(t, s, "a.csv", strings.NewReader(strings.ReplaceAll(tidyOf, "%", "ons")))
	load(t, s, "b.csv", strings.NewReader(strings.ReplaceAll(tidyOf, "%", "invented")))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	whole := []string{"/1", "/1?flags=true", "/1/data", "/1/data?flags=true", "/ons:d", "/ons:d/data"}
	parts := []string{"/1/data?country=DE", "/1/data?period=2020", "/1/data?latest=true", "/1/meta", "/1/latest", "/1/dimensions", "/2", "/2/data"}
	tags := map[string]string{}
	for _, path := range whole {
		got := ask(t, "GET", base+"/api/datasets"+path)
		if tags[path] = got.Header.Get("ETag"); got.StatusCode != 200 {
			t.Errorf("%s at first: %d %s", path, got.StatusCode, got.body)
		}
	}
	metaTag := ask(t, "GET", base+"/api/datasets/1/meta").Header.Get("ETag")
	if err := s.SetBulk(t.Context(), "ons", false); err != nil {
		t.Fatal(err)
	}
	for _, path := range whole {
		for _, header := range []string{"Accept: */*", "If-None-Match: " + tags[path]} {
			wantError(t, ask(t, "GET", base+"/api/datasets"+path, header), 403)
		}
	}
	for _, path := range parts {
		if got := ask(t, "GET", base+"/api/datasets"+path); got.StatusCode != 200 {
			t.Errorf("%s: %d %s", path, got.StatusCode, got.body)
		}
	}
	meta := ask(t, "GET", base+"/api/datasets/1/meta", "If-None-Match: "+metaTag)
	if got := licenceOf(t, meta.body); got["bulk"] != false {
		t.Errorf("meta: %v", got)
	}
	if got := licenceOf(t, ask(t, "GET", base+"/api/datasets?fields=licence").body, "data"); got["bulk"] != false {
		t.Errorf("list: %v", got)
	}
	if err := s.SetBulk(t.Context(), "ons", true); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, "GET", base+"/api/datasets/1"); got.StatusCode != 200 || got.Header.Get("ETag") != tags["/1"] {
		t.Errorf("allowed again: %d %s", got.StatusCode, got.body)
	}
}

// docs/api.md, Licences: a selection that has nearly all of a dataset is the whole dataset, and
// what is derived from it too. A dataset of one page may be selected.
func TestBulkInASelection(t *testing.T) {
	s := newStore(t)
	var long strings.Builder
	head, _, _ := strings.Cut(strings.ReplaceAll(tidyOf, "%", "ons"), "FR,")
	for year := range 60 {
		fmt.Fprintf(&long, "FR,%d,%[2]d\nDE,%[1]d,%[2]d\n", 1950+year, 1+year)
	}
	load(t, s, "a.csv", strings.NewReader(head+long.String()))
	load(t, s, "b.csv", strings.NewReader(strings.Replace(strings.ReplaceAll(tidyOf, "%", "ons"), "#dataset,d", "#dataset,e", 1)))
	var wide strings.Builder
	for area := range 120 {
		fmt.Fprintf(&wide, "R%d,2020,%d\n", area, 1+area)
	}
	load(t, s, "c.csv", strings.NewReader(strings.Replace(head, "#dataset,d", "#dataset,f", 1)+wide.String()))
	if err := s.SetBulk(t.Context(), "ons", false); err != nil {
		t.Fatal(err)
	}
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for path, want := range map[string]int{
		"1/data?period_from=1900": 403, "1/data?within=001": 403, "1/data?aggregates=false": 403, "1/data?transform=percent": 403,
		"1/data?country=DE&country=FR": 403, "1/data?period_from=1955": 403, "1/data?period_from=1957": 200,
		"1/data?country=DE": 200, "1/data?country=DE&transform=percent": 200, "1/data?latest=true": 200,
		"2/data?period_from=1900": 200, "2/data": 403, "1/latest": 200, "2/latest": 200,
		"3/latest": 403, "3/latest?latest_mode=area": 403, "3/latest?country=R1": 200, "3/data?latest=true": 403, "3/chart.svg": 200,
	} {
		if got := ask(t, "GET", base+"/api/datasets/"+path); got.StatusCode != want {
			t.Errorf("%s: %d %.200s, want %d", path, got.StatusCode, got.body, want)
		}
	}
}

// docs/api.md, Licences: the source line of a chart names a licence that demands it, once,
// and no other; what a dataset states itself goes before.
func TestLicenceOnPictures(t *testing.T) {
	s := newStore(t)
	cases := []struct{ source, header, want string }{
		{"ons", "", "Open Government Licence v3.0"},
		{"it-nrw", "", "dl-de/by-2-0"},
		{"worldbank", "", "CC BY 4.0"},
		{"istat", "", "CC BY 3.0"},
		{"ssb", "", "NLOD"},
		{"bcb", "", "ODbL 1.0"},
		{"eurostat", "", ""},
		{"scb", "", ""},
		{"nobody", "", ""},
		{"invented", "#licence,dl-de/by-2-0\n#attribution,\"© Office, dl-de/by-2-0\"\n", "dl-de/by-2-0"},
		{"gapminder", "#licence,\"CC BY 4.0, https://creativecommons.org/licenses/by/4.0/\"\n", "CC BY 4.0"},
		{"oecd", "#licence,CC0 1.0\n", ""},
		{"cso", "#attribution,Under Creative Commons Attribution 4.0 International.\n", "Creative Commons Attribution 4.0 International"},
	}
	for i, tc := range cases {
		load(t, s, strconv.Itoa(i)+".csv", strings.NewReader(strings.Replace(strings.ReplaceAll(tidyOf, "%", tc.source), "#geography", tc.header+"#geography", 1)))
	}
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for i, tc := range cases {
		picture := ask(t, "GET", base+"/api/datasets/"+strconv.Itoa(i+1)+"/chart.svg?type=bar&width=900&height=500").body
		for _, licence := range []string{"Open Government Licence v3.0", "dl-de/by-2-0", "CC BY", "CC0", "NLOD", "ODbL", "Creative Commons Attribution 4.0 International", "reuse policy"} {
			count := 0
			if tc.want != "" && strings.HasPrefix(tc.want, licence) {
				count = 1
			}
			if got := strings.Count(picture, licence); got != count {
				t.Errorf("dataset of %s %s: %q stands %d times in the picture, want %d", tc.source, tc.header, licence, got, count)
			}
		}
		if !strings.Contains(picture, tc.want) {
			t.Errorf("dataset of %s: the picture does not name %q", tc.source, tc.want)
		}
	}
}

// docs/downloads.md: a file of a source with terms of its own, which have no name, has their address. That of a source
// whose terms nobody knows has none.
func TestTermsInFiles(t *testing.T) {
	for source, want := range map[string]string{
		"ecb":      "https://www.ecb.europa.eu/stats/ecb_statistics/governance_and_quality_framework/html/usage_policy.en.html",
		"eurostat": "Reuse policy of the European Commission",
		"unicef":   "",
	} {
		s := newStore(t)
		load(t, s, "a.csv", strings.NewReader("#almanac-tidy,1\n#source,"+source+",Office\n#dataset,a,A\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nDE,2020,1\n"))
		file := ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets/1/data.csv")
		link := strings.Join(file.Header["Link"], ", ")
		if !strings.HasSuffix(file.body, ","+want+"\r\n") || strings.Contains(link, `rel="license"`) != (want != "") || strings.HasPrefix(want, "https:") && !strings.Contains(link, "<"+want+`>; rel="license"`) {
			t.Errorf("%s: %s in\n%s", source, link, file.body)
		}
	}
}
