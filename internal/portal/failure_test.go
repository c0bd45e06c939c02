package portal_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestPagesOfErrors opens wrong addresses. Each page has the status of the interface, says what is
// wrong and has a way on.
func TestPagesOfErrors(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct {
		name, address string
		status        int
		heading       string
		shows         []string
		leadsTo       []string
	}{
		{"unknown number", "/datasets/99", 404, "There is no dataset 99", []string{"Numbers are never given twice", `"statusCode":404`}, []string{"/search", "/datasets/5/sp.pop.totl"}},
		{"unknown code", "/datasets/eurostat:une_rt", 404, "There is no dataset eurostat:une_rt here", []string{"Nearest datasets"}, []string{"/datasets/1/une_rt_a"}},
		{"no number", "/datasets/unemployment", 400, "A dataset id must be a decimal integer", nil, nil},
		{"unknown address", "/data/unemployment", 404, "There is no page at this address", []string{"Nearest datasets"}, []string{"/datasets/1/une_rt_a"}},
		{"period", "/datasets/1/une_rt_a?period=soon&country=GR", 400, "“soon” is no period", []string{"Write 2019, Q1/2019 (or Q1 2019, 2019-Q1), H1/2019, 01/2019 or 2019-01-31."}, []string{"/datasets/1/une_rt_a?country=GR"}},
		{"periods in the wrong order", "/datasets/1/une_rt_a?period_from=2010&period_to=2000", 400, "Parameter period_from (2010) is after period_to (2000)", nil, []string{"/datasets/1/une_rt_a?period_to=2000"}},
		{"unknown area", "/areas/Portugl", 404, "No area has the code or name “Portugl”", []string{"Nearest areas"}, []string{"/areas/PT", "/areas"}},
		{"page of results", "/search?q=gdp&page=x", 400, "Parameter page must be", nil, []string{"/search?q=gdp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, "GET", base+c.address)
			root := parse(t, got.body)
			if got.StatusCode != c.status || !strings.HasPrefix(heading(t, root), c.heading) {
				t.Errorf("%d %s, want %d %s", got.StatusCode, heading(t, root), c.status, c.heading)
			}
			text := textOf(root)
			for _, want := range c.shows {
				if !strings.Contains(text, want) {
					t.Errorf("the page does not show %q: %s", want, text)
				}
			}
			for _, address := range c.leadsTo {
				if len(elements(root, "a", "href="+address)) == 0 {
					t.Errorf("the page does not lead to %s: %s", address, got.body)
				}
			}
		})
	}
}

// The page of a removed dataset says what it was, and leads to datasets that its code finds.
func TestRemovedDataset(t *testing.T) {
	s := newStore(t)
	load(t, s, "fruit.csv", strings.NewReader(fruit(1, "Apples")))
	load(t, s, "fruit.csv", strings.NewReader(strings.ReplaceAll(fruit(1, "Apples"), "nso,National", "other,Other")))
	if err := s.Remove(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	base := serve(t, s, nil)
	for _, address := range []string{"/datasets/1", "/datasets/1/fruit", "/datasets/1/fruit/versions"} {
		got := ask(t, "GET", base+address)
		root := parse(t, got.body)
		if got.StatusCode != http.StatusNotFound || heading(t, root) != "Dataset 1 was removed" || !strings.Contains(textOf(root), "It was fruit of nso") || len(elements(root, "a", "href=/datasets/2/fruit")) == 0 {
			t.Errorf("%s: %d %.900s", address, got.StatusCode, textOf(root))
		}
	}
}

// A form on the page of a wrong period keeps all other parameters.
func TestFormOfWrongPeriod(t *testing.T) {
	base := serve(t, realStore(t), nil)
	got := ask(t, "GET", base+"/datasets/1/une_rt_a?period_from=2019-13&country=GR&country=PT&view=bar")
	form := elements(parse(t, got.body), "form", "action=/datasets/1/une_rt_a")
	if got.StatusCode != http.StatusBadRequest || len(form) != 1 {
		t.Fatalf("%d, %d forms", got.StatusCode, len(form))
	}
	for _, field := range []string{"name=country value=GR", "name=country value=PT", "name=view value=bar", "name=period_from value=2019-13"} {
		if len(elements(form[0], "input", strings.Fields(field)...)) != 1 {
			t.Errorf("the form lacks the field %s", field)
		}
	}
}
