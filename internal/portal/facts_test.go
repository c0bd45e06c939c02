package portal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// A page names each value that the reader chose and the dataset does not have, and leads to the selection without it.
func TestUnknownChoicesAreNamed(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct{ query, text, without string }{
		{"dim1=nonsense&country=EL", "“nonsense” is no value of freq in this dataset.", "?country=EL"},
		{"dim4=F&dim4=zz&country=EL", "“zz” is no value of Sex in this dataset.", "?dim4=F&country=EL"},
		{"like.dim4=zz*&country=EL", "“zz*” is no value of Sex in this dataset.", "?country=EL"},
		{"country=EL&country=XX", "“XX” is no area of this dataset.", "?country=EL"},
		{"within=ZZ", "“ZZ” is no area of this dataset.", ""},
		{"country=EL&period=1800", "This dataset has no period in “1800”; it has 1992–2019.", "?country=EL"},
		{"country=EL&period_from=2100&view=bar", "This dataset has no period in “2100”; it has 1992–2019.", "?country=EL&view=bar"},
	} {
		root := openPage(t, base+"/datasets/1/une_rt_a?"+c.query)
		said := elements(root, "p", "class=say warn")
		if len(said) != 1 || !strings.HasPrefix(textOf(said[0]), c.text) {
			t.Errorf("%s: the page says %d things, want %q: %s", c.query, len(said), c.text, textOf(elements(root, "main")[0]))
			continue
		}
		if without, _ := attribute(elements(said[0], "a")[0], "href"); without != "/datasets/1/une_rt_a"+c.without {
			t.Errorf("%s: the selection without it is %s, want %s", c.query, without, c.without)
		}
	}
}

// Remarks are counted on all values that are shown, not only on those in the columns that fit; or the page says on which.
func TestRemarksAreOnAllThatIsShown(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, want := range map[string]string{
		"/datasets/5/sp.pop.totl?country=DE&country=FR":                                                  "Remarks on 114 values",
		"/datasets/2/eurofxref?dim1=USD":                                                                 "Remarks on the latest 15 of ",
		"/datasets/1/une_rt_a?within=EU27_2020&dim2=Y15-24&dim2=Y25-74&dim2=Y15-74&dim4=M&dim4=F&dim4=T": "Remarks on ",
	} {
		root := openPage(t, base+address)
		shown := textOf(elements(withID(t, root, "pick"), "span", "class=mute")[0])
		captions := elements(withID(t, root, "about"), "caption")
		got := textOf(captions[0])
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
		values, _, _ := strings.Cut(shown, " of ")
		if !strings.Contains(want, "latest") && got != "Remarks on "+values {
			t.Errorf("%s shows %s and has %q", address, shown, got)
		}
	}
}

// TestCompositionsAreToldApart reads the choices of a dataset with the European Union of several times: each label says which.
func TestCompositionsAreToldApart(t *testing.T) {
	base := serve(t, realStore(t), nil)
	alone := openPage(t, base+"/datasets/1/une_rt_a?country=EU27_2020")
	if subtitle := textOf(elements(elements(alone, "figcaption")[0], "p", "class=note")[0]); !strings.Contains(subtitle, "EU-27 (2020)") {
		t.Errorf("one composition alone: the chart says %q", subtitle)
	}
	root := openPage(t, base+"/datasets/1/une_rt_a?country=EU27_2020&country=EU28")
	text := textOf(root)
	for _, want := range []string{"EU-27 (2020)", "EU-28", "EU-15"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, row := range tableRows(root) {
		if heads := elements(row, "th"); len(heads) > 0 && textOf(heads[0]) == "EU" {
			t.Error("a row is called only EU beside EU-28")
		}
	}
}

// TestYearsApart reads how often a dataset has values whose periods are five years.
func TestYearsApart(t *testing.T) {
	s := newStore(t)
	name := "un/WPP2019_Period_Indicators_Medium.csv"
	file, err := os.Open(filepath.Join(stattest.DataDir(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load(t, s, name, file)
	base := serve(t, s, nil)
	for lang, want := range map[string]string{"en": "every 5 years", "de": "alle 5 Jahre", "fr": "tous les 5 ans", "es": "cada 5 años"} {
		page := openPage(t, base+"/datasets/1/wpp_period_indicators_medium?lang="+lang)
		if facts := textOf(elements(page, "dl", "class=facts late")[0]); !strings.Contains(facts, "1955–2100, "+want) {
			t.Errorf("%s: the page has the facts %q, want %q", lang, facts, want)
		}
		found := openPage(t, base+"/search?here=here&q=population&lang="+lang)
		if text := textOf(elements(found, "p", "class=meta")[0]); !strings.Contains(text, want) {
			t.Errorf("%s: a hit says %q, want %q", lang, text, want)
		}
	}
}

// TestFactsOfSource reads the licence and the languages of what is here of an office.
func TestFactsOfSource(t *testing.T) {
	greenland := newStore(t)
	name := "px/greenland/SOXATI4.px"
	file, err := os.Open(filepath.Join(stattest.DataDir(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load(t, greenland, name, file)
	base, other := serve(t, realStore(t), nil), serve(t, greenland, nil)
	for source, want := range map[string][]string{
		"eurostat": {"Licence Reuse policy of the European Commission", "Kept up to date 0 of 1", "Last asked never"},
		"statfin":  {"Licence CC BY 4.0"},
		"owid":     {"Licence not stated"},
		"statgl":   {"Licence not stated", "Languages of titles da, en, kl"},
	} {
		base := base
		if source == "statgl" {
			base = other
		}
		var facts []string
		for _, fact := range elements(elements(openPage(t, base+"/sources/"+source), "dl", "class=facts")[0], "div") {
			facts = append(facts, textOf(elements(fact, "dt")[0])+" "+textOf(elements(fact, "dd")[0]))
		}
		for _, fact := range want {
			if !slices.Contains(facts, fact) {
				t.Errorf("%s: %q, want %q", source, facts, fact)
			}
		}
	}
}
