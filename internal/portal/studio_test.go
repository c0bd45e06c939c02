package portal_test

import (
	"net/url"
	"strings"
	"testing"
)

// The studio names a series of the chart where it asks for series, and says which names are of none.
func TestStudioNamesSeries(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	for _, c := range []struct{ lang, example, says string }{
		{"en", "Germany = #12436d", "The chart has no series or category \"Narnia\""},
		{"de", "Deutschland = #12436d", "Das Diagramm hat keine Reihe oder Kategorie „Narnia“"},
	} {
		query := url.Values{"country": {"DE"}, "seriesColors": {"Narnia = red"}, "lang": {c.lang}}
		form := withID(t, openPage(t, base+"/datasets/1/gapminder/studio?"+query.Encode()), "pick")
		if text := textOf(form); !strings.Contains(text, c.says) {
			t.Errorf("%s: the form does not say %q", c.lang, c.says)
		}
		field := elements(form, "textarea", "name=seriesColors")[0]
		if example, _ := attribute(field, "placeholder"); example != c.example {
			t.Errorf("%s: the example is %q, want %q", c.lang, example, c.example)
		}
	}
}
