package portal_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/people"
	"almanac/internal/portal"
)

// TestLongSelections walks through a selection that is too long for an address: it has the same short one in any order, shows what
// it would show, and its links are short, and change or remove a part of it.
func TestLongSelections(t *testing.T) {
	o := openOfficeOver(t, realStore(t), func(*api.Options, *portal.Options) {})
	const page = "/datasets/1/une_rt_a"
	var all struct{ Geography []struct{ Code string } }
	fromInterface(t, o.base+"/api/datasets/1/dimensions", &all)
	query := "dim2=Y15-24&dim4=F"
	reverse := ""
	for i := range 300 { // most are unknown to the dataset
		code := all.Geography[i%len(all.Geography)].Code
		if i >= len(all.Geography) {
			code += "-unknown"
		}
		query += "&country=" + code
		reverse = "&country=" + code + reverse
	}
	got := ask(t, "GET", o.base+page+"?view=table&"+query)
	to := got.Header.Get("Location")
	if got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, page+"?sel=") || !strings.HasSuffix(to, "&view=table") {
		t.Fatalf("%d to %.300q", got.StatusCode, to)
	}
	if other := ask(t, "GET", o.base+page+"?view=table&dim4=F"+reverse+"&dim2=Y15-24").Header.Get("Location"); other != to {
		t.Errorf("in another order, the address is %q, not %q", other, to)
	}
	root := openPage(t, o.base+to)
	if n := len(tableRows(root)); n < len(all.Geography)-5 || !strings.Contains(textOf(root), "Females") {
		t.Errorf("the page has %d rows for %d areas", n, len(all.Geography))
	}
	ways := 0
	for _, a := range elements(root, "a") {
		address, _ := attribute(a, "href")
		if (strings.HasPrefix(address, page) || strings.HasPrefix(address, "/account")) && len(address) > 2100 {
			t.Errorf("a link has %d characters: %.200s", len(address), address)
		}
		if strings.Contains(address, "sel=") {
			ways++
		}
	}
	if ways < 10 {
		t.Errorf("%d links have the selection", ways)
	}
	hash := strings.TrimSuffix(strings.TrimPrefix(to, page+"?sel="), "&view=table")
	changed := ask(t, "GET", o.base+page+"?sel="+hash+"&dim4=M").Header.Get("Location")
	if !strings.HasPrefix(changed, page+"?sel=") || strings.Contains(changed, hash) || !strings.Contains(textOf(openPage(t, o.base+changed)), "Males") {
		t.Errorf("with another value, the selection is at %q", changed)
	}
	short := ask(t, "GET", o.base+page+"?sel="+hash+"&country=").Header.Get("Location")
	if want, _ := url.ParseQuery("dim2=Y15-24&dim4=F"); short != page+"?"+want.Encode() {
		t.Errorf("without areas, the selection is at %q", short)
	}
	member := o.member(t, "ann@example.org", "Example Times", people.Owner)
	member.open("/account/follow?dataset=1&sel="+hash).want(200, "/account/follow", "Females", "Belgium")
	unknown := ask(t, "GET", o.base+page+"?sel=0123456789abcdef0123456789abcdef")
	ways = len(elements(parse(t, unknown.body), "a", "href="+page))
	if unknown.StatusCode != http.StatusNotFound || ways != 1 {
		t.Errorf("an unknown selection: %d, and %d links to the page: %.600s", unknown.StatusCode, ways, textOf(parse(t, unknown.body)))
	}
	for _, path := range []string{"/studio", "/cite.bib"} {
		if got := ask(t, "GET", o.base+page+path+"?sel="+hash); got.StatusCode != 200 {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
}
