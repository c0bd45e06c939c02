package portal_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestPicturesSpeakTheLanguageOfThePage reads every address of a picture that a page offers: it has the language of the page. Code
// that is copied has the characters of texts themselves.
func TestPicturesSpeakTheLanguageOfThePage(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, want := range map[string]string{
		"/datasets/1/une_rt_a?country=EL&use=embed&lang=fr":          "locale=fr",
		"/datasets/1/une_rt_a/studio?country=EL&lang=de":             "locale=de",
		"/datasets/1/une_rt_a/studio?country=EL&lang=fr&locale=en":   "locale=en",
		"/datasets/1/une_rt_a/studio?country=EL&type=line&lang=es":   "locale=es",
		"/datasets/1/une_rt_a?country=EL&view=bar&use=embed&lang=es": "locale=es",
	} {
		root := openPage(t, base+address)
		var offered []string
		for _, a := range elements(root, "a", "href") {
			href, _ := attribute(a, "href")
			offered = append(offered, href)
		}
		for _, code := range elements(root, "code") {
			text := textOf(code)
			if strings.Contains(text, `\u`) {
				t.Errorf("%s: code to copy has characters of a program: %s", address, text)
			}
			offered = append(offered, strings.Split(html.UnescapeString(text), `"`)...)
		}
		pictures := 0
		for _, one := range offered {
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
