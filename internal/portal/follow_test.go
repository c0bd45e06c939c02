package portal_test

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/store"
)

// Follow on the page of a dataset leads, over the page for signing in, to a page that says what is
// followed. That part is then on the page of the account, as the interface has it.
func TestFollow(t *testing.T) {
	o := openOffice(t, nil)
	r := o.newReader(t)
	r.open("/datasets/1/gapminder?dim1=fertility&country=DE&country=JP").want(200, "/datasets/1/gapminder", "Follow")
	var follow string
	for _, a := range elements(r.root, "a") {
		if address, _ := attribute(a, "href"); strings.HasPrefix(address, "/account/follow?") {
			follow = address
		}
	}
	r.open(follow).want(200, "/signin?to=")
	r = o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open(follow).want(200, "/account/follow?", "Life expectancy, fertility and population", "Fertility", "Germany, Japan", "The whole dataset")
	form := []string{"part", "shown"}
	for _, hidden := range elements(r.root, "input", "type=hidden") {
		name, _ := attribute(hidden, "name")
		value, _ := attribute(hidden, "value")
		form = append(form, name, value)
	}
	r.post("/account/follow", form...).want(200, "/datasets/1/gapminder?", "This is followed")
	const list = "/account?account=Example+Times#followed"
	if links := elements(r.root, "a", "href="+list); len(links) != 2 || textOf(links[0]) != "Followed" {
		t.Errorf("the page of the dataset has %d links to what is followed", len(links))
	}
	r.open("/datasets/1/gapminder?dim1=fertility&country=DE&country=FR").want(200, "/datasets/1/gapminder", "Follow")
	if len(elements(r.root, "a", "href="+list)) != 0 || strings.Contains(r.text(), "This is followed") {
		t.Error("another part is called followed")
	}
	r.open("/account").want(200, "/account", "Germany, Japan; Fertility", "no change since")
	r.open(follow).want(200, "/account/follow?", "This is followed")
	r.open(strings.Replace(follow, "country=JP", "country=FR", 1)).want(200, "/account/follow?", "This replaces what is followed of the dataset now: Germany, Japan; Fertility.")
	r.post("/account/follow", "dataset", "1", "part", "whole").want(200, "/datasets/1/gapminder?done=followed", "This is followed", "Followed")
	r.open("/account").want(200, "/account", "whole dataset")

	r.post("/account/follow", "dataset", "1", "part", "shown", "dim1", "fertilty").want(400, "/account/follow", "fertilty")
	r.open("/account/follow?dataset=99").want(404, "/account/follow?")
	r.open("/account/follow").want(400, "/account/follow")
}

// The page of the account counts what changed in the followed part, not in all of the dataset.
func TestFollowedPartIsCounted(t *testing.T) {
	now := published
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	importFruit(t, s, fruit(1, "Apples", "Pears", "Plums"))
	o := openOfficeOver(t, s, func(*api.Options, *portal.Options) {})
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/follow", "dataset", "1", "part", "shown", "dim1", "Apples", "country", "DE").want(200, "/datasets/1/fruit?")
	now = now.Add(time.Hour)
	importFruit(t, s, fruit(2, "Apples", "Pears", "Plums"))
	r.open("/account").want(200, "/account", "0 added, 1 revised, 0 removed")
}

// The page that follows says what of the selection is not followed, and its way back leads to the selection.
func TestFollowSaysWhatIsLeftOut(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	for shown, texts := range map[string][]string{
		"/datasets/1/gapminder?country=DE&period_from=1980&period_to=1990&view=bar":              {"All periods are followed, not only 1980–1990."},
		"/datasets/1/gapminder?country=DE&period=1980":                                           {"All periods are followed, not only 1980."},
		"/datasets/1/gapminder?within=DE&not.dim1=pop&transform=index%3A1980&view=bar":           {"Left out: within=DE, transform=index:1980, not.dim1=pop."},
		"/datasets/1/gapminder?country=DE&" + strings.Repeat("country=DE&", 200) + "period=1980": {"All periods are followed, not only 1980."},
	} {
		r.open(shown).want(200, "/datasets/1/gapminder")
		here, follow := r.path, ""
		for _, a := range elements(r.root, "a") {
			if address, _ := attribute(a, "href"); strings.HasPrefix(address, "/account/follow?") {
				follow = address
			}
		}
		r.open(follow).want(200, "/account/follow", texts...)
		r.post("/account/follow", "dataset", "1", "dim1", "fertilty", "back", r.value("back")).want(400, "/account/follow") // the error keeps it
		for _, a := range elements(withID(t, r.root, "main"), "a", "class=btn") {
			back, _ := attribute(a, "href")
			got, _ := url.ParseQuery(strings.TrimPrefix(back, "/datasets/1/gapminder?"))
			want, _ := url.ParseQuery(strings.TrimPrefix(here, "/datasets/1/gapminder?"))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("back leads to %s, want %s", back, here)
			}
		}
	}
	r.open("/account/follow?dataset=1&back=https://example.org/datasets/1/gapminder").want(200, "/account/follow")
	if back := r.value("back"); back != "/datasets/1/gapminder" {
		t.Errorf("back leads to %s", back)
	}
}

// What is followed has the labels of the page's language.
func TestFollowedIsTranslated(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/follow?lang=fr", "dataset", "1", "part", "shown", "country", "DE").want(200, "/datasets/1/gapminder?", "Allemagne")
	r.open("/account/follow?dataset=1&country=JP&lang=fr").want(200, "/account/follow", "Allemagne", "Japon")
}

// A webhook is added, tested, and its messages are shown; its secret is shown once. Members of other
// organisations do not see it.
func TestWebhooksPage(t *testing.T) {
	db, err := notice.Open(context.Background(), database.Location{Dir: t.TempDir()}, [notice.KeyLength]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	db.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	t.Cleanup(func() { db.Close() })
	o := openOffice(t, func(p *portal.Options) { p.Notices = db })
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open("/account/webhooks").want(200, "/account/webhooks", "There is no address yet")
	r.post("/account/webhooks", "do", "add", "address", "example.org").want(400, "/account/webhooks", "is not the address of a web server")
	for _, refused := range []string{"http://10.0.0.5/x", "https://192.168.1.1/x", "https://[fd00::1]/x", "https://8.8.8.8/x"} {
		r.post("/account/webhooks?lang=fr", "do", "add", "address", refused).want(400, "/account/webhooks", "a une adresse IP qui n’est dans aucun réseau")
		if r.value("address") != refused {
			t.Errorf("the form has %q, want %q", r.value("address"), refused)
		}
	}
	r.open("/set?lang=en&to=/account/webhooks")
	r.post("/account/webhooks", "do", "add", "address", receiver.URL).want(200, "/account/webhooks", "whsec_", "in use", "The secret of "+receiver.URL)
	secret := r.find(`whsec_\S{20,}`)
	r.open("/account/webhooks")
	if strings.Contains(r.text(), secret) {
		t.Error("the secret is shown twice")
	}
	r.post("/account/webhooks", "do", "add", "address", receiver.URL).want(409, "/account/webhooks", "go to this address already")
	n := notice.NewNotifier(notice.Options{DB: db, Service: nobody{}, Transport: http.DefaultTransport, Now: o.now})
	go n.Run(t.Context())
	r.post("/account/webhooks", "do", "test", "endpoint", "1").want(200, "/account/webhooks", "test", "200 OK", "delivered") // the page waits for it
	r.open("/account/webhooks").want(200, "/account/webhooks", "delivered", "1 attempt", "200 OK")

	other := o.member(t, "bob@example.org", "Other Times", people.Owner)
	other.open("/account/webhooks").want(200, "/account/webhooks", "There is no address yet")
	other.post("/account/webhooks", "do", "remove", "endpoint", "1").want(404, "/account/webhooks")
	r.post("/account/webhooks", "do", "remove", "endpoint", "1").want(200, "/account/webhooks", "There is no address yet")
}

// nobody is a service of which nobody follows anything.
type nobody struct{}

func (nobody) Datasets() iter.Seq[notice.Dataset]              { return slices.Values([]notice.Dataset(nil)) }
func (nobody) Followers(context.Context, int) ([]int64, error) { return nil, nil }
func (nobody) Change(context.Context, int64, int, string, string) (c notice.Change, ok bool, err error) {
	return c, false, nil
}
