package api_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/store"
)

// unemployed is a table of two languages. Its labels share a text in German.
const unemployed = `CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="de";
LANGUAGES="de","en";
MATRIX="ALQ";
DESCRIPTION="Arbeitslose nach Dauer";
DESCRIPTION[en]="Unemployed by duration";
SOURCE="Statistics Test";
NOTE="Beschäftigt ist niemand davon.";
NOTE[en]="Nobody of them is employed.";
UNITS="Personen";
UNITS[en]="Persons";
STUB="Land","Dauer";
STUB[en]="country","duration";
HEADING="Jahr";
HEADING[en]="year";
VALUES("Land")="Deutschland","Frankreich";
VALUES[en]("country")="Germany","France";
CODES("Land")="DE","FR";
VARIABLECODE("Land")="GEO";
VARIABLECODE("Dauer")="DURATION";
VALUES("Dauer")="Arbeitslose","Arbeitslose","Kurz";
VALUES[en]("duration")="Unemployed","Long-term unemployed","Short";
CODES("Dauer")="T","L","S";
VALUES("Jahr")="2023","2024";
TIMEVAL("Jahr")=TLIST(A1),"2023","2024";
DATA=
1 2
3 4
5 6
7 8
9 10
11 12;
`

// unemployedInEnglish is an update of unemployed without German texts.
const unemployedInEnglish = `CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="en";
MATRIX="ALQ";
DESCRIPTION="Unemployed by duration";
SOURCE="Statistics Test";
UNITS="Persons";
STUB="country","duration";
HEADING="year";
VARIABLECODE("country")="GEO";
VARIABLECODE("duration")="DURATION";
VALUES("country")="Germany","France";
CODES("country")="DE","FR";
VALUES("duration")="Unemployed","Long-term unemployed","Short";
CODES("duration")="T","L","S";
VALUES("year")="2023","2024";
TIMEVAL("year")=TLIST(A1),"2023","2024";
DATA=
1 2
3 4
5 6
7 8
9 10
11 13;
`

// serveUnemployed serves unemployed as dataset 1.
func serveUnemployed(t *testing.T) string {
	t.Helper()
	s := newStore(t)
	load(t, s, "alq.px", strings.NewReader(unemployed))
	return serve(t, newAPI(t, api.Options{Store: s}))
}

// TestLanguage chooses languages by parameter and header. An answer has the parts of want, and
// not those after a minus.
func TestLanguage(t *testing.T) {
	base := serveUnemployed(t)
	for _, c := range []struct {
		name, path, accept, language string
		want                         []string
	}{
		{"without a choice", "/1/dimensions", "", "en", []string{`"label":"Germany"`, `"label":"Long-term unemployed"`, "-Arbeitslose"}},
		{"parameter", "/1/dimensions?lang=de", "", "de", []string{`"label":"Deutschland"`, `"label":"Arbeitslose [T]"`, `"label":"Arbeitslose [L]"`, `"label":"Dauer"`}},
		{"variety of the language", "/1/dimensions?lang=de-AT", "", "de", []string{`"label":"Deutschland"`}},
		{"header", "/1/meta", "de-DE,de;q=0.9,en;q=0.8", "de", []string{`"dataset_name":"Arbeitslose nach Dauer"`, `"unit":"Personen"`, `"languages":["en","de"]`}},
		{"first language that there is", "/1/meta", "fr,en;q=0.5,de;q=0.4", "en", []string{`"dataset_name":"Unemployed by duration"`}},
		{"no language that there is", "/1/meta", "fr", "en", []string{`"dataset_name":"Unemployed by duration"`, "-notices"}},
		{"parameter over header", "/1/meta?lang=en", "de", "en", []string{`"dataset_name":"Unemployed by duration"`}},
		{"names of countries without texts", "/1/latest?lang=fr", "", "en", []string{`"Allemagne":"2"`, `"Unemployed"`, `the dataset has no texts in fr; it has them in en, de`}},
		{"unreadable header", "/1/meta", ";;q=9,-", "en", []string{`"dataset_name":"Unemployed by duration"`}},
		{"data and its unit", "/1/data?lang=de&latest=true&dim1=S", "", "de", []string{`"dim1_value":"Kurz"`, `"values":{"Deutschland":6,"Frankreich":12},"unit":"Personen"`}},
		{"details", "/1?lang=de", "", "de", []string{`"dataset_name":"Arbeitslose nach Dauer"`, `"Deutschland"`}},
		{"list", "?lang=de", "", "", []string{`"dataset_name":"Arbeitslose nach Dauer"`}},
		{"list by header", "?fields=code", "de", "", []string{`"dataset_name":"Arbeitslose nach Dauer"`}},
		{"descriptions in the list", "?fields=description&lang=de", "", "", []string{`"description":"Beschäftigt ist niemand davon."`, "-Nobody"}},
		{"descriptions in the list by header", "?fields=description", "fr,de", "", []string{`"description":"Beschäftigt ist niemand davon."`}},
		{"descriptions in the list in the own language", "?fields=description", "en,de", "", []string{`"description":"Nobody of them is employed."`}},
		{"descriptions in the list in no language", "?fields=description&lang=fr", "", "", []string{`"description":"Nobody of them is employed."`}},
		{"list without a choice", "", "", "", []string{`"dataset_name":"Unemployed by duration"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var headers []string
			if c.accept != "" {
				headers = append(headers, "Accept-Language: "+c.accept)
			}
			a := ask(t, "GET", base+"/api/datasets"+c.path, headers...)
			if a.StatusCode != 200 || a.Header.Get("Content-Language") != c.language || !strings.Contains(a.Header.Get("Vary"), "Accept-Language") {
				t.Errorf("%d in %q, Vary %q, want 200 in %q", a.StatusCode, a.Header.Get("Content-Language"), a.Header.Get("Vary"), c.language)
			}
			for _, part := range c.want {
				part, isUnwanted := strings.CutPrefix(part, "-")
				if strings.Contains(a.body, part) == isUnwanted {
					t.Errorf("%s: got %s", part, a.body)
				}
			}
		})
	}
}

// TestModifiedInAnotherLanguage: a date does not say in which language a caller has a response,
// so only its ETag gives 304 where the language depends on Accept-Language.
func TestModifiedInAnotherLanguage(t *testing.T) {
	base := serveUnemployed(t) + "/api/datasets"
	for _, path := range []string{"", "/1", "/1/meta", "/1/latest", "/1/data", "/1/dimensions"} {
		german := ask(t, "GET", base+path, "Accept-Language: de")
		date, tag := "If-Modified-Since: "+german.Header.Get("Last-Modified"), "If-None-Match: "+german.Header.Get("Etag")
		for _, c := range []struct {
			language, condition string
			status              int
		}{{"de", date, 200}, {"en", date, 200}, {"de", tag, 304}, {"en", tag, 200}} {
			got := ask(t, "GET", base+path, "Accept-Language: "+c.language, c.condition)
			if got.StatusCode != c.status {
				t.Errorf("%s in %s with %s: %d, want %d", path, c.language, c.condition, got.StatusCode, c.status)
			}
		}
	}
}

// TestFilterLanguage: a filter is a label without a choice of language, else a code, else a
// label in the chosen language, else in any; areas have names in any language.
func TestFilterLanguage(t *testing.T) {
	base := serveUnemployed(t) + "/api/datasets/1/data?latest=true&"
	for _, c := range []struct{ query, want string }{
		{"dim1=Short&country=Germany", `"values":{"Germany":6}`},
		{"dim1=Kurz&country=Deutschland", `"values":{"Germany":6}`},
		{"dim1=Kurz&country=Alemania", `"values":{"Germany":6}`},
		{"dim1=Arbeitslose&country=DE", `"values":{"Germany":2}`},
		{"lang=de&dim1=" + url.QueryEscape("Arbeitslose [L]"), `"values":{"Deutschland":4,"Frankreich":10}`},
		{"lang=de&dim1=Long-term+unemployed&country=DE", `"values":{"Deutschland":4}`},
		{"dim1=KURZ", `"KURZ\" is not a label`},
		{"lang=zz9zz9zz9z", `parameter lang must be a language tag`},
		{"lang=" + strings.Repeat("a-", 5000), `parameter lang must be a language tag`},
	} {
		if a := ask(t, "GET", base+c.query); !strings.Contains(a.body, c.want) {
			t.Errorf("%s: %d %.400s, want %s", c.query, a.StatusCode, a.body, c.want)
		}
	}
}

// TestLanguageTags: responses in two languages have different ETags, and a caller who has one
// of them does not have the other.
func TestLanguageTags(t *testing.T) {
	base := serveUnemployed(t) + "/api/datasets/1"
	for _, path := range []string{"", "/meta", "/dimensions", "/latest", "/data", "/chart.svg"} {
		etag := ask(t, "GET", base+path, "Accept-Language: de").Header.Get("Etag")
		if other := ask(t, "GET", base+path).Header.Get("Etag"); other == etag || etag == "" {
			t.Errorf("%s: the same ETag %s", path, etag)
		}
		for range 2 { // the second time, the tag is remembered
			has := ask(t, "GET", base+path, "Accept-Language: de", "If-None-Match: "+etag).StatusCode
			if lacks := ask(t, "GET", base+path, "If-None-Match: "+etag).StatusCode; has != 304 || lacks != 200 {
				t.Errorf("%s: %d in the language, %d in the other", path, has, lacks)
			}
		}
	}
}

// TestChartLanguage: pictures have the texts of the dataset and the chart's own words in the
// language, and colours by labels in either.
func TestChartLanguage(t *testing.T) {
	base := serveUnemployed(t)
	for _, c := range []struct {
		path, accept string
		want         []string
	}{
		{"lang=de", "", []string{"Deutschland", "Quelle:"}},
		{"", "de", []string{"Deutschland", "Quelle:"}},
		{"lang=de&locale=en", "", []string{"Deutschland", "Source:"}},
		{"", "fr", []string{"Germany", "Source:"}},
		{"lang=fr", "", []string{"Allemagne", "Unemployed"}},
		{`seriesColors={"Germany":"%23ff0000"}`, "de", []string{"Deutschland", "#ff0000"}},
	} {
		svg := ask(t, "GET", base+"/api/datasets/1/chart.svg?type=bar&period=2024&"+c.path, "Accept-Language: "+c.accept)
		for _, part := range c.want {
			if svg.StatusCode != 200 || !strings.Contains(svg.body, part) {
				t.Errorf("%s in %s: %d, no %q in the picture", c.path, c.accept, svg.StatusCode, part)
			}
		}
	}
	a := post(t, base, `{"datasetId":1,"chartType":"bar","lang":"de","selectedDimensions":{"duration":"Short","Dauer":"Kurz"}}`)
	if a.StatusCode != 400 || !strings.Contains(a.body, "mean the same") {
		t.Errorf("labels of a dimension in two languages: %d %.200s", a.StatusCode, a.body)
	}
}

// TestOneLanguage: a dataset in one language has the same responses whatever the caller reads.
func TestOneLanguage(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, path := range []string{"", "/meta", "/dimensions", "/latest", "/data?country=France"} {
		plain, german := ask(t, "GET", base+"/api/datasets/1"+path), ask(t, "GET", base+"/api/datasets/1"+path, "Accept-Language: de")
		if plain.body != german.body || plain.Header.Get("Etag") != german.Header.Get("Etag") || strings.Contains(plain.Header.Get("Vary"), "Language") || plain.Header.Get("Content-Language") != "" {
			t.Errorf("%s differs for a reader of German, or has headers of a language: %v", path, plain.Header)
		}
	}
}

// TestAreasInTheOwnLanguage: an area for which the office gives no name has its English one, and with lang that in the
// dataset's own language.
func TestAreasInTheOwnLanguage(t *testing.T) {
	base := searchFiles(t, "px/ssb/Transmengde.px")
	for query, want := range map[string]string{"": "Norway", "?lang=no": "Norge", "?lang=nb&country=Norway": "Norge", "?lang=de": "Norwegen", "?lang=en": "Norway"} {
		if got := ask(t, "GET", base+"/api/datasets/1/latest"+query); !strings.Contains(got.body, `"countries":{"`+want+`":`) {
			t.Errorf("%q: %s; want %s", query, got.body, want)
		}
	}
}

// TestTranslationsAreKept: a catalogue that is built again from the files, a curator's edit, a
// restored version and an update in one language keep the texts in all languages.
func TestTranslationsAreKept(t *testing.T) {
	dir := t.TempDir()
	open := func() *store.Store {
		s, err := store.Open(t.Context(), store.Options{Dir: dir, Now: func() time.Time { return published }})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	check := func(s *store.Store, step string) {
		t.Helper()
		v, err := s.Vintage(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := v.Translation(t.Context(), "de")
		if err != nil || texts == nil || texts.Texts("GEO").Codes["DE"] != "Deutschland" || s.Catalog().Entry(1).Names["de"] == "" {
			t.Errorf("after %s: %v, error %v, languages %q", step, texts, err, v.Languages())
		}
	}
	s := open()
	load(t, s, "alq.px", strings.NewReader(unemployed))
	check(s, "import")
	if o := load(t, s, "alq.px", strings.NewReader(unemployed)); o.Status != "unchanged" {
		t.Errorf("the same file again is %s", o.Status)
	}
	changed := strings.Replace(unemployed, `"Frankreich"`, `"France (métropolitaine)"`, 1)
	if o := load(t, s, "alq.px", strings.NewReader(changed)); o.Status != "updated" || o.Version != "1.1" {
		t.Errorf("a file with another translation is %s, version %s", o.Status, o.Version)
	}
	if _, err := s.Restore(t.Context(), 1, "1.0"); err != nil {
		t.Fatal(err)
	}
	check(s, "restoring")
	if o := load(t, s, "alq.px", strings.NewReader(unemployedInEnglish)); o.Status != "updated" {
		t.Errorf("a file in one language is %s", o.Status)
	}
	check(s, "an update in one language")
	s.Close()
	for _, name := range []string{"catalog.db", "catalog.db-wal", "catalog.db-shm"} {
		os.Remove(filepath.Join(dir, name))
	}
	s = open()
	defer s.Close()
	check(s, "building the catalogue again")
}

// TestUnitsOfSeries: a unit that is stated for series by its code is in the language that a reader chose, if the office's
// list of units has it there.
func TestUnitsOfSeries(t *testing.T) {
	base := searchFiles(t, "statcan/34100158.zip")
	for language, want := range map[string]string{"en": "Units (thousands)", "fr": "Unités (thousands)", "de": "Units (thousands)"} {
		got := ask(t, "GET", base+"/api/datasets/1/data?latest=true&country=CA&lang="+language)
		if !strings.Contains(got.body, `"unit":"`+want+`"`) {
			t.Errorf("%s: %s; want the unit %s", language, got.body, want)
		}
	}
}
