package portal_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// readTexts returns the texts of a language, each in its forms.
func readTexts(t *testing.T, file string) map[string]map[string]string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(content, &raw); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	texts := map[string]map[string]string{}
	for key, value := range raw {
		forms, plain := map[string]string{}, ""
		if json.Unmarshal(value, &plain) == nil {
			forms["other"] = plain
		} else if err := json.Unmarshal(value, &forms); err != nil {
			t.Fatalf("%s: %s: %v", file, key, err)
		}
		texts[key] = forms
	}
	return texts
}

var (
	placeholder = regexp.MustCompile(`\{[a-z]+\}`)
	htmlTag     = regexp.MustCompile(`</?[a-z]+>|<code>[^<]*</code>`)
)

// parts returns what a translation must keep of a text: its values and its HTML, in any order.
func parts(text string) []string {
	found := append(placeholder.FindAllString(text, -1), htmlTag.FindAllString(text, -1)...)
	slices.Sort(found)
	return found
}

// TestTranslations compares the texts of all languages with the English ones: they have the same
// names, forms, values and HTML.
func TestTranslations(t *testing.T) {
	english := readTexts(t, "texts/en.json")
	files, err := filepath.Glob("texts/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files of texts: %v", len(files), err)
	}
	var missing []string
	for _, file := range files {
		texts := readTexts(t, file)
		for key, forms := range texts {
			if english[key] == nil {
				t.Errorf("%s has %s, which en.json has not", file, key)
				continue
			}
			for name, form := range forms {
				want, has := english[key][name]
				if !has {
					t.Errorf("%s: %s has the form %s, which the English text has not", file, key, name)
				} else if !slices.Equal(parts(form), parts(want)) {
					t.Errorf("%s: %s has %q, the English text has %q", file, key, parts(form), parts(want))
				}
			}
			if len(forms) != len(english[key]) {
				t.Errorf("%s: %s has %d forms, the English text has %d", file, key, len(forms), len(english[key]))
			}
		}
		for key := range english {
			if texts[key] == nil {
				missing = append(missing, file+": "+key)
			}
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		stattest.SkipOrFail(t, "these texts are not translated yet: "+strings.Join(missing, ", "))
	}
}

// TestLanguagesOfPages opens pages in each language: by the address, by the cookie, and by the
// header of the browser.
func TestLanguagesOfPages(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct{ code, title, decimal string }{
		{"en", "Official statistics, as published.", "17.3"},
		{"de", "Amtliche Statistik, wie veröffentlicht.", "17,3"},
		{"fr", "La statistique publique, telle que publiée.", "17,3"},
		{"es", "Estadística oficial, tal como se publica.", "17,3"},
	} {
		for _, how := range [][2]string{{"?lang=" + c.code, "Accept: text/html"}, {"", "Cookie: lang=" + c.code}, {"", "Accept-Language: " + c.code + "-CH, ja;q=0.5"}} {
			got := ask(t, "GET", base+"/"+how[0], how[1])
			root := parse(t, got.body)
			if heading(t, root) != c.title || got.Header.Get("Content-Language") != c.code || len(elements(root, "html", "lang="+c.code)) != 1 {
				t.Errorf("%s: %s, in %s", how, heading(t, root), got.Header.Get("Content-Language"))
			}
		}
		dataset := openPage(t, base+"/datasets/1/une_rt_a?country=GR", "Cookie: lang="+c.code)
		if cells := textOf(elements(dataset, "table")[0]); !strings.Contains(cells, c.decimal) {
			t.Errorf("in %s the table does not show %s: %s", c.code, c.decimal, cells)
		}
		for _, p := range pages {
			if got := ask(t, "GET", base+p.address, "Cookie: lang="+c.code); got.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s in %s: %d", p.address, c.code, got.StatusCode)
			}
		}
	}
	if got := ask(t, "GET", base+"/", "Accept-Language: ja"); got.Header.Get("Content-Language") != "en" {
		t.Errorf("without a language that there is: %s", got.Header.Get("Content-Language"))
	}
}

// A language in an address is that of the next pages too, until the browser is closed. One that the reader chose stays.
func TestLanguageOfAnAddressIsKept(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	const isPage = "Accept: text/html,*/*"
	for _, address := range []string{"/?lang=de", "/datasets/1/gapminder?lang=de", "/datasets/1/other?lang=de"} {
		got := ask(t, "GET", base+address, isPage)
		cookies := got.Cookies()
		if len(cookies) != 1 || cookies[0].Name != "lang" || cookies[0].Value != "de" || cookies[0].MaxAge != 0 || !cookies[0].Expires.IsZero() {
			t.Errorf("%s sets the cookies %v, want the language until the browser is closed", address, cookies)
		}
		if control := got.Header.Get("Cache-Control"); control != "private, no-cache" {
			t.Errorf("%s sets a cookie and has Cache-Control %q", address, control)
		}
	}
	for _, c := range []struct{ address, header string }{{"/?lang=de", "Cookie: lang=fr"}, {"/", "Accept-Language: de"}, {"/?lang=xx", "DNT: 1"}, {"/feed.atom?lang=de", "Accept: */*"}} {
		accept := isPage
		if strings.HasPrefix(c.header, "Accept:") {
			accept = c.header
		}
		if got := ask(t, "GET", base+c.address, accept, c.header).Cookies(); len(got) != 0 {
			t.Errorf("%s with %q sets the cookies %v", c.address, c.header, got)
		}
	}
	if control := ask(t, "GET", base+"/set?lang=de&to=/").Header.Get("Cache-Control"); control != "no-store" {
		t.Errorf("the choice of a language has Cache-Control %q", control)
	}
}
