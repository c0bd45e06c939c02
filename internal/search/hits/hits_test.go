package hits

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/search"
)

func newTestSearch(t *testing.T, list ...offer.Offer) (*search.Search, *Reader) {
	t.Helper()
	offers, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { offers.Close() })
	for _, o := range list {
		if _, err := offers.Replace(t.Context(), o.Source, func(yield func(offer.Offer, error) bool) { yield(o, nil) }); err != nil {
			t.Fatal(err)
		}
	}
	s := search.New(search.Options{Offers: offers})
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, NewReader(nil, offers)
}

// Other sources of a concept have the codes and names of their offices.
func TestAlsoFrom(t *testing.T) {
	s, r := newTestSearch(t,
		offer.Offer{Source: "eurostat", Code: "demo_mlexpec", Title: "Life expectancy by age and sex", Language: "en"},
		offer.Offer{Source: "worldbank", Code: "SP.DYN.LE00.IN", Title: "Life expectancy at birth, total (years)", Language: "en"})
	page, isWhole, err := r.Find(t.Context(), s, &search.Query{Text: "demo_mlexpec", Limit: 1})
	if err != nil || !isWhole || len(page.Data) != 1 {
		t.Fatal(page, isWhole, err)
	}
	h := page.Data[0]
	if h.Code != "demo_mlexpec" || h.Concept == nil || h.Concept.ID != "life-expectancy" {
		t.Fatalf("%+v", h)
	}
	want := Other{Source: "worldbank", Code: "SP.DYN.LE00.IN", Name: "Life expectancy at birth, total (years)"}
	if !slices.ContainsFunc(h.AlsoFrom, func(o Other) bool { o.Remark = ""; return o == want }) {
		t.Errorf("%+v does not contain %+v", h.AlsoFrom, want)
	}
	if slices.ContainsFunc(h.AlsoFrom, func(o Other) bool { return o.Source == "eurostat" }) {
		t.Errorf("%+v contains its own source", h.AlsoFrom)
	}
}

// A page of a few offers has what the offices say, in the form of the interface.
func TestOfferedPeriods(t *testing.T) {
	s, r := newTestSearch(t, offer.Offer{Source: "made", Code: "x", Title: "Wages", Frequency: "Q", First: "2001-Q1", Last: "from time to time"})
	page, _, err := r.Find(t.Context(), s, &search.Query{Text: "wages"})
	if err != nil || len(page.Data) != 1 {
		t.Fatal(page, err)
	}
	if h := page.Data[0]; h.OldestPeriod != "Q1/2001" || h.LatestPeriod != "from time to time" || h.LastUpdate != "" {
		t.Errorf("%+v", h)
	}
	if p := page.Pagination; p.Limit == 0 || p.Total != 1 || p.HasMore {
		t.Errorf("%+v", p)
	}
}

// Some offices state the first day of a period of any length.
func TestPeriodOfDay(t *testing.T) {
	for _, c := range []struct{ text, frequency, want string }{
		{"2009-04-01", "M", "04/2009"},
		{"2009-04-01", "Q", "Q2/2009"},
		{"1999-01-01", "A", "1999"},
		{"2009-07-01", "S", "H2/2009"},
		{"2009-04-01", "W", "W14/2009"},
		{"2009-04-01", "D", "01/04/2009"},
		{"2009-04-01", "", "01/04/2009"},
		{"2009", "M", "2009"},
		{"2009-W14", "D", "W14/2009"},
		{"soon", "M", "soon"},
	} {
		if got := periodText(c.text, c.frequency); got != c.want {
			t.Errorf("%q with the frequency %q is %q, want %q", c.text, c.frequency, got, c.want)
		}
	}
}

// A dataset that is not in its office's list is not named; one that is has the code that the
// list gives it, also with an agency.
func TestAlsoFromLists(t *testing.T) {
	s, r := newTestSearch(t,
		offer.Offer{Source: "worldbank", Code: "SP.DYN.IMRT.IN", Title: "Mortality rate, infant", Language: "en"},
		offer.Offer{Source: "unicef", Code: "UNICEF,CME", Title: "Child mortality", Language: "en"})
	page, _, err := r.Find(t.Context(), s, &search.Query{Text: "SP.DYN.IMRT.IN", Limit: 1})
	if err != nil || len(page.Data) != 1 {
		t.Fatal(page, err)
	}
	var unicef []string
	for _, o := range page.Data[0].AlsoFrom {
		if o.Source == "unicef" {
			unicef = append(unicef, o.Code)
		}
	}
	if !slices.Equal(unicef, []string{"UNICEF,CME"}) {
		t.Errorf("datasets of UNICEF: %v, want UNICEF,CME alone", unicef)
	}
}

func TestReplaceWord(t *testing.T) {
	for text, want := range map[string]string{
		"Unemplyment rate?":            "unemployment rate?",
		"how high is (unemplyment)?":   "how high is unemployment",
		"unemplymentx and unemplyment": "unemplymentx and unemployment",
	} {
		if got := replaceWord(text, "unemplyment", "unemployment"); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// A word of a term that matched as a whole is no reason of its own.
func TestWordsOfTerms(t *testing.T) {
	all := []search.Found{{Field: "title", Asked: "life"}, {Field: "title", Asked: "life expectancy"}, {Field: "label", Asked: "life"}}
	for i, want := range []bool{true, false, false} {
		if got := isInTerm(all[i], all); got != want {
			t.Errorf("%+v: %t, want %t", all[i], got, want)
		}
	}
}

// A question that finds nothing says why, and an area that is none has no coverage.
func TestNothing(t *testing.T) {
	s, r := newTestSearch(t, offer.Offer{Source: "made", Code: "x", Title: "Wages", Frequency: "Q"})
	for name, c := range map[string]struct {
		q       search.Query
		message string
	}{
		"weak words":     {search.Query{Text: "the of and in"}, "only words that say nothing"},
		"short pattern":  {search.Query{Text: "e*"}, "\"e*\" has too few letters; a word with * or ? needs at least 3"},
		"pattern inside": {search.Query{Text: "the *e*"}, "needs at least 3"},
		"other script":   {search.Query{Text: "失业率"}, "English, German"},
		"unknown words":  {search.Query{Text: "xqzv wvkj"}, `no dataset has "xqzv", "wvkj" in a title`},
		"unknown here":   {search.Query{Text: "GDP data", Here: "here"}, `no dataset here has "GDP" in a title`},
		"only general":   {search.Query{Text: "data"}, "no dataset has these words"},
		"offered":        {search.Query{Text: "wages", Here: "here"}, "no dataset here has what the question asks for; of those that offices offer, it finds 1"},
		"filters":        {search.Query{Text: "wages", Frequency: []string{"annual"}}, "no dataset that the question finds passes the filters (frequency); without them it finds 1"},
		"filters too":    {search.Query{Text: "GDP", Frequency: []string{"annual"}}, `no dataset has "GDP" in a title, a description or a label that is searched, with or without the filters`},
		"unknown area":   {search.Query{Text: "wages", Area: []string{"Atlantis"}}, "not a code or name of an area"},
		"no such letter": {search.Query{Text: "wages", Frequency: []string{"sometimes"}}, "not a frequency"},
	} {
		t.Run(name, func(t *testing.T) {
			page, _, err := r.Find(t.Context(), s, &c.q)
			if err != nil || len(page.Data) > 0 || len(page.Areas) > 0 || len(page.Notices) != 1 || !strings.Contains(page.Notices[0].Message, c.message) {
				t.Errorf("%+v, error %v", page, err)
			}
		})
	}
}
