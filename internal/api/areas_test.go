package api_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
)

// areaReply is what tests read of the replies about areas.
type areaReply struct {
	Area struct {
		Code, Kind, Name string
		OfficialName     string `json:"official_name"`
		Codes            map[string]string
		PartOf           struct{ Code string } `json:"part_of"`
		Groups, Members  []struct{ Code, Name, From, To string }
		Composition      struct{ From, To, Source string }
		Names            map[string]string
	}
	Lists   []string
	Other   []struct{ Code, Name string } `json:"other_meanings"`
	Data    []struct{ Code, Kind, Name string }
	Notices []struct{ Parameter string }

	Pagination struct {
		Total   int
		HasMore bool
	}
}

func askArea(t *testing.T, doc *reference, base, path string) (r areaReply) {
	t.Helper()
	got := ask(t, "GET", base+path)
	doc.check(t, path, got)
	if err := json.Unmarshal([]byte(got.body), &r); err != nil || got.StatusCode != 200 {
		t.Fatalf("%s: %d %s %v", path, got.StatusCode, got.body, err)
	}
	return r
}

// TestArea reads one area by codes and names of any kind.
func TestArea(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: newStore(t)}))
	doc := readReference(t, base)
	for _, text := range []string{"EL", "GR", "grc", "300", "Greece", "Hellenic Republic", "Ελλάδα", "اليونان", "希腊", "Griechenland", "imf:174", "eurostat:EL"} {
		r := askArea(t, doc, base, "/api/areas/"+url.PathEscape(text))
		a := r.Area
		if a.Code != "GR" || a.Kind != "country" || a.Name != "Greece" || a.OfficialName != "Hellenic Republic" {
			t.Errorf("%s: %+v", text, a)
		}
		for list, code := range map[string]string{"iso2": "GR", "iso3": "GRC", "m49": "300", "eurostat": "EL", "nuts": "EL", "worldbank": "GRC", "imf": "174"} {
			if a.Codes[list] != code {
				t.Errorf("%s: code of %s is %q, want %q", text, list, a.Codes[list], code)
			}
		}
		at := slices.IndexFunc(a.Groups, func(g struct{ Code, Name, From, To string }) bool { return g.Code == "EU27_2020" })
		if at < 0 || a.Groups[at].From != "1981-01-01" || a.Groups[at].To != "" {
			t.Errorf("%s: groups %+v", text, a.Groups)
		}
	}
	if r := askArea(t, doc, base, "/api/areas/156"); r.Area.Code != "CN" || len(r.Other) == 0 || r.Other[0].Code != "CA" {
		t.Errorf("156: %+v", r)
	}
	if r := askArea(t, doc, base, "/api/areas/BE31"); r.Area.PartOf.Code != "BE3" || r.Area.Codes["nuts"] != "BE31" {
		t.Errorf("BE31: %+v", r)
	}
	if r := askArea(t, doc, base, "/api/areas/US-GA"); r.Area.PartOf.Code != "US" || r.Area.Codes["iso3166_2"] != "US-GA" {
		t.Errorf("US-GA: %+v", r)
	}
	for text, want := range map[string]string{
		"DE2?lang=fr": "DE2 Bavière", "DE-BY": "DE-BY Bavaria", "M%C3%BCnchen?lang=en": "DE212 Munich", "Lombardei?lang=it": "IT-25 Lombardia",
		"G20?lang=fr": "G20 Groupe des vingt", "ASEAN?lang=de": "ASEAN Verband Südostasiatischer Nationen", "K%C3%B8benhavn?lang=de": "DK-84 Hauptstadtregion",
	} {
		if r := askArea(t, doc, base, "/api/areas/"+text); r.Area.Code+" "+r.Area.Name != want {
			t.Errorf("%s: %s %s, want %s", text, r.Area.Code, r.Area.Name, want)
		}
	}
	if r := askArea(t, doc, base, "/api/areas/DE2"); r.Area.Codes["iso3166_2"] != "DE-BY" || len(r.Other) > 0 {
		t.Errorf("DE2: %+v", r)
	}
	eu := askArea(t, doc, base, "/api/areas/EU28").Area
	at := slices.IndexFunc(eu.Members, func(m struct{ Code, Name, From, To string }) bool { return m.Code == "GB" })
	if len(eu.Members) != 28 || at < 0 || eu.Members[at].From != "1973-01-01" || eu.Members[at].To != "2020-01-31" || eu.Composition.From != "2013-07-01" {
		t.Errorf("EU28: %+v", eu)
	}
}

func TestAreaLanguages(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: newStore(t)}))
	doc := readReference(t, base)
	for _, c := range []struct{ query, header, language, name, official string }{
		{"", "", "en", "Germany", "Federal Republic of Germany"},
		{"?lang=fr", "", "fr", "Allemagne", "République fédérale d'Allemagne"},
		{"?lang=fr", "de", "fr", "Allemagne", "République fédérale d'Allemagne"},
		{"?lang=de-AT", "", "de", "Deutschland", "Federal Republic of Germany"},
		{"", "pl, en;q=0.5", "pl", "Niemcy", "Federal Republic of Germany"},
		{"", "tlh, ;;", "en", "Germany", "Federal Republic of Germany"},
		{"?lang=ja", "", "ja", "ドイツ", "Federal Republic of Germany"},
		{"?lang=tlh", "", "en", "Germany", "Federal Republic of Germany"},
	} {
		got := ask(t, "GET", base+"/api/areas/DE"+c.query, "Accept-Language: "+c.header)
		doc.check(t, "/api/areas/DE"+c.query, got)
		var r areaReply
		if err := json.Unmarshal([]byte(got.body), &r); err != nil {
			t.Fatal(err)
		}
		if r.Area.Name != c.name || r.Area.OfficialName != c.official || got.Header.Get("Content-Language") != c.language || !strings.Contains(got.Header.Get("Vary"), "Accept-Language") {
			t.Errorf("%q, %q: %q %q %q", c.query, c.header, r.Area.Name, r.Area.OfficialName, got.Header.Get("Content-Language"))
		}
		if isUnknown := c.query == "?lang=tlh"; isUnknown != (len(r.Notices) == 1) {
			t.Errorf("%q: notices %v", c.query, r.Notices)
		}
	}
	if r := askArea(t, doc, base, "/api/areas/DE?names=all"); len(r.Area.Names) < 100 || r.Area.Names["fi"] != "Saksa" {
		t.Errorf("names %v", r.Area.Names)
	}
}

func TestNamesOfGroups(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: newStore(t)}))
	doc := readReference(t, base)
	for id, want := range map[string]string{
		"EU27_2020": "Union européenne (27 pays, à partir de 2020)", "EA20": "Zone euro (20 pays)", "EFTA": "Association européenne de libre-échange",
		"OECD": "OCDE", "HIC": "Pays à revenu élevé",
	} {
		if a := askArea(t, doc, base, "/api/areas/"+id+"?lang=fr&names=all").Area; a.Code != id || a.Name != want || len(a.Names) < 5 {
			t.Errorf("%s: %s %q, names %v, want %q", id, a.Code, a.Name, a.Names, want)
		}
	}
}

func TestAreas(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: newStore(t)}))
	doc := readReference(t, base)
	for query, want := range map[string]string{
		"kind=country&within=EU27_2020&limit=3":    "AT BE BG total 27",
		"within=EA.&limit=2":                       " total 0",
		"kind=region&within=MT&limit=3":            "MT0 MT00 MT001 total",
		"q=guinea":                                 "GN GQ GW PG total 4",
		"q=Elf&kind=country":                       "CI total 1", // Elfenbeinküste
		"q=EL&limit=1":                             "GR total",
		"kind=group&within=EU27_2020":              "EU27_2020 total 1",
		"q=nothing+of+that+name":                   " total 0",
		"kind=country&limit=1&page=100000000":      " total",
		"within=OECD&kind=country&limit=1&page=37": "US total 38",
	} {
		r := askArea(t, doc, base, "/api/areas?"+query)
		var codes []string
		for _, a := range r.Data {
			codes = append(codes, a.Code)
		}
		got := strings.Join(codes, " ") + " total"
		if strings.Contains(want, "total ") {
			got += " " + strconv.Itoa(r.Pagination.Total)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestAreasErrors sends what is not understood, and texts that are long or no text at all.
func TestAreasErrors(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: newStore(t)}))
	doc := readReference(t, base)
	for path, want := range map[string]string{
		"/api/areas/Germny":                         "404 nearest: Germany",
		"/api/areas/" + strings.Repeat("x", 10_000): "404 no area",
		"/api/areas/%00%25*%22":                     "404 no area",
		"/api/areas/Deutchland":                     "404 nearest: Deutschland",
		"/api/areas?within=foo":                     `200 "notices":[{"parameter":"within","value":"foo"`,
		"/api/areas/%ff":                            "404 no area",
		"/api/areas?kind=planet":                    "400 parameter kind must be country, former, group, region, other",
		"/api/areas?q=":                             "400 parameter q is empty",
		"/api/areas?limit=100000":                   "400 parameter limit",
		"/api/areas/DE?lang=12345678901":            "400 parameter lang",
		"/api/areas/DE?names=de":                    "400 parameter names must be all",
		"/api/areas/DE?colour=red":                  "400 unknown parameter",
	} {
		got := ask(t, "GET", base+path)
		doc.check(t, path, got)
		status, message, _ := strings.Cut(want, " ")
		if strconv.Itoa(got.StatusCode) != status || !strings.Contains(got.body, message) {
			t.Errorf("%.60s: %d %.300s, want %s", path, got.StatusCode, got.body, want)
		}
	}
}
