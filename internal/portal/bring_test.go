package portal_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/search"
	"almanac/internal/source/fetch"
	"almanac/internal/source/sourcetest"
	"almanac/internal/watch"
)

// offerDatasets changes the search of a service, which then also finds datasets that Eurostat offers.
func offerDatasets(t *testing.T, a *api.Options, some ...offer.Offer) *offer.DB {
	t.Helper()
	offers, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { offers.Close() })
	if _, err := offers.Replace(t.Context(), "eurostat", func(yield func(offer.Offer, error) bool) {
		for _, one := range some {
			one.Source, one.Language = "eurostat", "en"
			if !yield(one, nil) {
				return
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	a.Search = search.New(search.Options{Store: a.Store, Offers: offers})
	if err := a.Search.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return offers
}

// offerRates changes a service, which then offers a dataset of Eurostat that it does not have.
func offerRates(t *testing.T, a *api.Options, everyone bool) {
	t.Helper()
	offers := offerDatasets(t, a, offer.Offer{Code: "une_rt_m", Title: "Unemployment by month", Frequency: "M", First: "1983-01", Last: "2025-09"})
	watches, err := watch.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { watches.Close() })
	leave, ok, err := watches.Register(watch.BringsJobs)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	t.Cleanup(leave)
	a.Watches, a.Bringing = watches, api.Bringing{Sources: sourcetest.NewTable(t, fetch.Options{}), Offers: offers, Everyone: everyone, WorksHere: true, Limits: watch.DefaultJobLimits}
}

// ratesOffered is the page that finds the dataset.
const ratesOffered = "/search?q=unemployment+by+month&here=offered"

// TestOffered shows what an office only offers. The form that brings it is there only if the reader may; others are told who
// may.
func TestOffered(t *testing.T) {
	for _, everyone := range []bool{false, true} {
		base := serve(t, realStore(t), func(a *api.Options, _ *portal.Options) { offerRates(t, a, everyone) })
		root := openPage(t, base+ratesOffered)
		text := textOf(root)
		if !strings.Contains(text, "Offered by the office; not in this service yet.") || !strings.Contains(text, "01/1983–09/2025") {
			t.Errorf("the page is %.600s", text)
		}
		buttons := elements(root, "button", "name=reference", "value=eurostat:une_rt_m")
		if (len(buttons) == 1) != everyone || strings.Contains(text, "Accounts that the operator allows") == everyone {
			t.Errorf("everyone=%v, and the page has %d buttons that bring the dataset: %.600s", everyone, len(buttons), text)
		}
		checkBringing(t, base, everyone)
	}
}

// TestWaysOn reads hits that are only offered: they lead to the site of the office and to what is here of the same measure, and if nobody may
// have them brought the page says what can be done.
func TestWaysOn(t *testing.T) {
	base := serve(t, realStore(t), func(a *api.Options, p *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "demo_pjan", Title: "Population on 1 January by age and sex", Topic: "Population"},
			offer.Offer{Code: "demo_gind", Title: "Population change"})
		p.OfficePage = func(source, code, theme string) string {
			if code == "demo_gind" {
				return ""
			}
			return "https://" + source + ".example.org/" + code + "?theme=" + theme
		}
		p.OfficeSite = func(source string) string { return "https://" + source + ".example.org" }
	})
	root := openPage(t, base+"/search?q=population+Portugal+Greece+since+2000&here=offered")
	ways := map[string]string{}
	for _, hit := range withClass(root, "article", "hit") {
		for _, a := range elements(hit, "a") {
			ways[textOf(a)], _ = attribute(a, "href")
		}
	}
	if ways["On the office’s site"] != "https://eurostat.example.org/demo_pjan?theme=Population" || ways["Population, total"] != "/datasets/5/sp.pop.totl?country=PT&country=GR&period_from=2000" {
		t.Errorf("the hit leads to %v", ways)
	}
	if ways["The office’s site"] != "https://eurostat.example.org" { // of the dataset without a known page
		t.Errorf("the hits lead to %v", ways)
	}
	if text := textOf(root); !strings.Contains(text, "ask the operator of this service to import it") {
		t.Errorf("the page does not say what can be done: %.600s", text)
	}
	if site := elements(openPage(t, base+"/sources/eurostat"), "a", "href=https://eurostat.example.org"); len(site) != 1 || textOf(site[0]) != "eurostat.example.org" {
		t.Error("the page of the source does not lead to its site")
	}
}

// TestAccountsBring has a dataset brought in the name of an account that may, and tells members of others, and who is not
// signed in, how they may.
func TestAccountsBring(t *testing.T) {
	o := openOfficeOver(t, realStore(t), func(a *api.Options, _ *portal.Options) { offerRates(t, a, false) })
	buttons := func(r *reader) int { return len(elements(r.root, "button", "name=reference")) }
	stranger := o.newReader(t)
	stranger.open(ratesOffered).want(200, "/search", "Accounts that the operator allows", "Sign in")
	stranger.post("/bring", "reference", "eurostat:une_rt_m").want(200, "/signin?to=%2Fsearch%3Fq%3Deurostat")
	member := o.member(t, "ann@example.org", "Example Times", people.MemberOnly)
	if member.open(ratesOffered).want(200, "/search", "Ask the operator"); buttons(stranger)+buttons(member) != 0 {
		t.Error("there is a button for readers who may not have datasets brought")
	}
	member.post("/bring", "reference", "eurostat:une_rt_m").want(403, "/bring")
	if _, err := o.access.SetMayBring(context.Background(), "Example Times", true); err != nil {
		t.Fatal(err)
	}
	if member.open(ratesOffered); buttons(member) != 1 || strings.Contains(member.text(), "operator") {
		t.Errorf("the page of an account that may: %.600s", member.text())
	}
	member.post("/bring", "reference", "eurostat:une_rt_m").want(200, "/jobs/", "eurostat:une_rt_m")
}

// sendBring sends the form that has the dataset brought, from a page of this site or of another one.
func sendBring(t *testing.T, base, site string) *http.Response {
	t.Helper()
	r, err := http.NewRequest("POST", base+"/bring", strings.NewReader("reference=eurostat:une_rt_m"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", site)
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response
}

// checkBringing sends the form of a dataset, from this service and from another one.
func checkBringing(t *testing.T, base string, isAllowed bool) {
	t.Helper()
	if got := sendBring(t, base, "cross-site"); got.StatusCode != http.StatusForbidden {
		t.Errorf("a form of another service: %d", got.StatusCode)
	}
	got := sendBring(t, base, "same-origin")
	if !isAllowed {
		if got.StatusCode != http.StatusForbidden {
			t.Errorf("a reader who may not: %d", got.StatusCode)
		}
		return
	}
	to := got.Header.Get("Location")
	if got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/jobs/") {
		t.Fatalf("%d to %q", got.StatusCode, to)
	}
	if title := heading(t, openPage(t, base+to)); !strings.Contains(title, "eurostat:une_rt_m") {
		t.Errorf("the page of the job is %q", title)
	}
}

// TestSameMeasureHere follows from hits that are only offered to datasets here: the address selects the measure, of which the dataset has more
// than one, and a dataset without the area is not named.
func TestSameMeasureHere(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv"), func(a *api.Options, _ *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "une_rt_q", Title: "Unemployment by sex and age – quarterly data"},
			offer.Offer{Code: "gov_10dd_edpt1", Title: "Government deficit/surplus, debt and associated data"})
	})
	for _, c := range []struct{ question, want string }{
		{"unemployment in Germany", "/datasets/1/weo?dim1=LUR&country=DE"},
		{"chomage allemagne", "/datasets/1/weo?dim1=LUR&country=DE"},
		{"goverment debt greece", "/datasets/1/weo?dim1=GGD_NGDP&country=GR"},
		{"Staatsverschuldung Italien", "/datasets/1/weo?dim1=GGD_NGDP&country=IT"},
		{"unemployment in Greenland", ""}, // which the World Economic Outlook does not have
	} {
		var got string
		for _, hit := range withClass(openPage(t, base+"/search?here=offered&q="+url.QueryEscape(c.question)), "article", "hit") {
			for _, a := range elements(hit, "a") {
				if href, _ := attribute(a, "href"); strings.HasPrefix(href, "/datasets/") {
					got = href
				}
			}
		}
		if got != c.want {
			t.Errorf("%q leads to %q, want %q", c.question, got, c.want)
		}
	}
}
