package search_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/stat"
)

// small returns a search over a few offers in several languages and scripts.
func small(t testing.TB) *search.Search {
	t.Helper()
	return searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "une_rt_m", Title: "Unemployment by sex and age – monthly data", Language: "en", Frequency: "M", First: "1983-01", Last: "2026-09"},
		{Source: "eurostat", Code: "nama_10_gdp", Title: "GDP and main components (output, expenditure and income)", Language: "en", Frequency: "A", Last: "2025"},
		{Source: "eurostat", Code: "demo_pjan", Title: "Population on 1 January by age and sex", Language: "en", Frequency: "A", Last: "2025"},
		{Source: "eurostat", Code: "demo_pjan", Title: "Bevölkerung am 1. Januar nach Alter und Geschlecht", Language: "de"},
		{Source: "eurostat", Code: "el_stat", Title: "Ανεργία κατά φύλο", Language: "el"},
		{Source: "eurostat", Code: "bare"},
	})
}

// searchOver returns a search over offers, of which those of a source follow one another.
func searchOver(t testing.TB, list []offer.Offer) *search.Search {
	t.Helper()
	db, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for len(list) > 0 {
		source := list[0].Source
		end := slices.IndexFunc(list, func(o offer.Offer) bool { return o.Source != source })
		if end < 0 {
			end = len(list)
		}
		if _, err := db.Replace(t.Context(), source, withoutErrors(slices.Values(list[:end]))); err != nil {
			t.Fatal(err)
		}
		list = list[end:]
	}
	s := search.New(search.Options{Offers: db})
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTypicalQuestions(t *testing.T) {
	s := small(t)
	for _, c := range []struct{ name, text, first string }{
		{"word", "unemployment", "une_rt_m"},
		{"capitals", "UNEMPLOYMENT", "une_rt_m"},
		{"begun word", "unempl", "une_rt_m"},
		{"swapped letters", "unemploymnet", "une_rt_m"},
		{"first letter is wrong", "inemployment", "une_rt_m"},
		{"other language", "Arbeitslosigkeit", "une_rt_m"},
		{"umlaut", "Bevölkerung", "demo_pjan"},
		{"umlaut without dots", "Bevolkerung", "demo_pjan"},
		{"umlaut as two letters", "Bevoelkerung", "demo_pjan"},
		{"code", "nama_10_gdp", "nama_10_gdp"},
		{"code with other marks", "NAMA10-gdp", "nama_10_gdp"},
		{"code of a source", "eurostat:demo_pjan", "demo_pjan"},
		{"beginning of a code", "nama_10", "nama_10_gdp"},
		{"question", "how many people are out of work?", "une_rt_m"},
		{"quotes and operators", `"population" AND NOT (x OR *)`, "demo_pjan"},
		{"Greek", "ανεργια", "el_stat"},
		{"dataset without a title", "bare", "bare"},
	} {
		t.Run(c.name, func(t *testing.T) {
			hits := find(t, s, c.text)
			if len(hits) == 0 || hits[0].Code != c.first {
				t.Errorf("%q finds %+v, not %s first", c.text, hits, c.first)
			}
		})
	}
}

func TestBadQuestions(t *testing.T) {
	s := small(t)
	for name, q := range map[string]search.Query{
		"blanks":           {Text: " \t\n"},
		"marks":            {Text: `"*?%_()&|`},
		"too long":         {Text: strings.Repeat("unemployment ", 800)},
		"too many words":   {Text: strings.Repeat("a ", 200)},
		"one endless word": {Text: strings.Repeat("x", 10000)},
		"negative page":    {Text: "gdp", Page: -1},
		"deep page":        {Text: "gdp", Page: 1 << 40},
		"large page":       {Text: "gdp", Limit: 1 << 20},
		"unknown place":    {Text: "gdp", Here: "there"},
		"last period":      {Text: "gdp", LastPeriodFrom: "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.Find(t.Context(), q); stat.KindOf(err) != stat.Invalid {
				t.Errorf("the error is %v, not of the kind %v", err, stat.Invalid)
			}
		})
	}
	all, err := s.Find(t.Context(), search.Query{})
	if err != nil || all.Total != 5 {
		t.Errorf("without a question or filter: %+v, error %v; want all 5 datasets", all, err)
	}
	// A filter alone is a question: the datasets of a source.
	r, err := s.Find(t.Context(), search.Query{Source: []string{"Eurostat"}, Limit: 2, Page: 1})
	if err != nil || r.Total != 5 || len(r.Hits) != 2 {
		t.Errorf("a filter without a question finds %+v, error %v", r, err)
	}
}

// A question is answered or [stat.Invalid], whatever it consists of.
func FuzzFind(f *testing.F) {
	for _, text := range []string{"gdp", "nama_10_gdp", "how many people", `"a" OR *`, "Ανεργία", "日本", "\xff\xfe", "é́́́", "a\u0000b", "France", "x:y", ":", "de DE", "ﬁ²½"} {
		f.Add(text, "DE", "en")
	}
	s := small(f)
	f.Fuzz(func(t *testing.T, text, area, language string) {
		start := time.Now()
		r, err := s.Find(t.Context(), search.Query{Text: text, Language: language, Area: []string{area}})
		if err != nil && stat.KindOf(err) != stat.Invalid {
			t.Fatalf("%q: %v", text, err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q took %v", text, took)
		}
		if err != nil {
			return
		}
		for _, h := range r.Hits {
			if !utf8.ValidString(h.Name) || h.Code == "" || h.Score < 0 {
				t.Errorf("%q finds %+v", text, h)
			}
		}
	})
}
