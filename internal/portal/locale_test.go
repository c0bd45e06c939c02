package portal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/stattest"
)

// offeredAddresses are those of a page's links and of the code that it offers to copy.
func offeredAddresses(root *html.Node) (offered []string) {
	for _, a := range elements(root, "a", "href") {
		href, _ := attribute(a, "href")
		offered = append(offered, href)
	}
	for _, code := range elements(root, "code") {
		text := strings.ReplaceAll(textOf(code), `'\ '`, "") // an address in several lines of a shell
		offered = append(offered, strings.FieldsFunc(html.UnescapeString(text), func(r rune) bool { return strings.ContainsRune(" \"'", r) })...)
	}
	return offered
}

// TestPicturesSpeakTheLanguageOfThePage reads every address of a picture that a page offers: it has the language of the page. Code
// that is copied has the characters of texts themselves.
func TestPicturesSpeakTheLanguageOfThePage(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, want := range map[string]string{
		"/datasets/1/une_rt_a?country=EL&use=embed&lang=fr":          "lang=fr",
		"/datasets/1/une_rt_a/studio?country=EL&lang=de":             "lang=de",
		"/datasets/1/une_rt_a/studio?country=EL&lang=fr&locale=en":   "locale=en",
		"/datasets/1/une_rt_a/studio?country=EL&lang=fr&locale=it":   "lang=it",
		"/datasets/1/une_rt_a/studio?country=EL&type=line&lang=es":   "lang=es",
		"/datasets/1/une_rt_a?country=EL&view=bar&use=embed&lang=es": "lang=es",
	} {
		root := openPage(t, base+address)
		for _, code := range elements(root, "code") {
			if text := textOf(code); strings.Contains(text, `\u`) {
				t.Errorf("%s: code to copy has characters of a program: %s", address, text)
			}
		}
		pictures := 0
		for _, one := range offeredAddresses(root) {
			if !strings.Contains(one, "/chart.") {
				continue
			}
			if pictures++; !strings.Contains(one, want) {
				t.Errorf("%s offers a picture in another language: %s", address, one)
			}
		}
		if pictures < 3 {
			t.Errorf("%s offers only %d pictures", address, pictures)
		}
	}
}

// TestOfferedIsAsShown reads what a page of a dataset with texts in several languages shows and offers, in each language. The reader of
// an address that it offers prefers another language.
func TestOfferedIsAsShown(t *testing.T) {
	s := newStore(t)
	const name = "px/bfs/px-x-0602000000_107.px"
	file, err := os.Open(filepath.Join(stattest.DataDir(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load(t, s, name, file)
	base := serve(t, s, nil)
	for language, want := range map[string]struct{ title, value, office string }{
		"de": {"Betriebe nach Schwierigkeiten", "Obligatorische Schulbildung", "Bundesamt für Statistik"},
		"fr": {"Etablissements selon le niveau", "Ecole obligatoire", "Office fédéral de la statistique"},
		"en": {"Businesses by difficulties", "Compulsory education", "Swiss Federal Statistical Office"},
	} {
		offered := map[string]bool{}
		for _, use := range []string{"curl", "python", "r", "javascript", "address", "sdmx", "embed"} {
			root := openPage(t, base+"/datasets/1/px-x-0602000000_107?use="+use, "Accept-Language: "+language)
			if text := textOf(elements(root, "main")[0]); language != "en" && strings.Contains(text, "Businesses") {
				t.Errorf("%s: the page has the English title: %s", language, text)
			}
			if figure := textOf(elements(root, "figure", "class=fig")[0]); !strings.Contains(figure, want.title) || !strings.Contains(figure, want.office) {
				t.Errorf("%s: the chart has not %q and %q: %.300s", language, want.title, want.office, figure)
			}
			if cited := textOf(withID(t, root, "cite")); !strings.Contains(cited, want.office) {
				t.Errorf("%s: the citation has no %q: %s", language, want.office, cited)
			}
			for _, one := range offeredAddresses(root) {
				offered[one] = offered[one] || strings.Contains(one, "/api/datasets/1/data") || strings.Contains(one, "/api/datasets/1/chart.svg")
			}
		}
		read := 0
		for address, isRead := range offered { // some files are no text, some have only codes
			if !isRead || strings.Contains(address, ".xlsx") || strings.Contains(address, ".parquet") || strings.Contains(address, ".sdmx.csv") || strings.Contains(address, ".sdmx.xml") {
				continue
			}
			read++
			if body := ask(t, "GET", address, "Accept-Language: it").body; !strings.Contains(body, want.value) {
				t.Errorf("%s: %s has no %q: %.300s", language, address, want.value, body)
			}
		}
		if read < 6 {
			t.Errorf("%s: the page offers only %d texts", language, read)
		}
	}
}

// Thousands that are separated by a space, and by a comma or a point.
var (
	spacedThousands = regexp.MustCompile(`\d \d{3}\b`)
	otherThousands  = regexp.MustCompile(`\d[.,]\d{3}\b`)
)

// TestNumbersOfChartsInPages reads the numbers in and below charts: thousands are separated as in the table, in every language.
func TestNumbersOfChartsInPages(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, lang := range []string{"en", "de", "fr", "es"} {
		for _, view := range []string{"line", "bar"} {
			root := openPage(t, base+"/datasets/5/sp.pop.totl?country=MT&view="+view+"&lang="+lang)
			picture, words := textOf(elements(root, "svg", "role=img")[0]), textOf(withClass(root, "p", "words")[0])
			for _, text := range []string{picture, words} {
				if !spacedThousands.MatchString(text) || otherThousands.MatchString(text) {
					t.Errorf("%s, %s: %s", lang, view, text)
				}
			}
		}
	}
}
