package portal_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/internal/store"
)

// twoVersions returns a store with two versions of a dataset of density.
func twoVersions(t testing.TB) *store.Store {
	t.Helper()
	s := newStore(t)
	for _, rows := range []string{"2020,LU,Luxembourg,10.5\n2020,MT,Malta,7\n2021,MT,Malta,8\n", "2020,LU,Luxembourg,10.6\n2020,MT,Malta,7\n2021,LU,Luxembourg,11\n"} {
		load(t, s, "density.csv", strings.NewReader("TIME_PERIOD,REF_AREA,Area,OBS_VALUE\n"+rows))
	}
	return s
}

// TestVersionsCompared compares two versions cell by cell: what is added, revised and removed is listed
// with its old and new value, and each kind alone. The versions may be given in either order.
func TestVersionsCompared(t *testing.T) {
	base := serve(t, twoVersions(t), nil)
	first := ask(t, "GET", base+"/datasets/1")
	page := base + first.Header.Get("Location")
	root := openPage(t, page)
	if text := textOf(withID(t, root, "versions")); !strings.Contains(text, "1.1 current") {
		t.Fatalf("section 6 says %s", text)
	}
	for address, want := range map[string][]string{
		"/versions":                        {"Luxembourg 2020 Revised 10.5 10.6", "Luxembourg 2021 Added … 11.0", "Malta 2021 Removed 8 …", "All 3", "Added 1", "Revised 1", "Removed 1", "1–3 of 3"},
		"/versions?a=1.0&b=1.1":            {"Luxembourg 2020 Revised 10.5 10.6", "Luxembourg 2021 Added … 11", "Malta 2021 Removed 8 …"},
		"/versions?a=1.1&b=1.0":            {"From version 1.0 to version 1.1", "Malta 2021 Removed 8 …"},
		"/versions?a=1.0&b=1.1&kind=added": {"Luxembourg 2021 Added … 11"},
		"/versions?a=1.0&b=1.1&page=7":     {"No value differs."},
	} {
		text := textOf(withID(t, openPage(t, page+address), "changes"))
		for _, line := range want {
			if !strings.Contains(text, line) {
				t.Errorf("%s has no %q: %s", address, line, text)
			}
		}
		if strings.Contains(address, "kind=added") && strings.Contains(text, "Malta") {
			t.Errorf("%s has other changes: %s", address, text)
		}
	}
	if got := ask(t, "GET", page+"/versions?a=9.9"); got.StatusCode != http.StatusNotFound && got.StatusCode != http.StatusBadRequest {
		t.Errorf("an unknown version has status %d", got.StatusCode)
	}
	old := textOf(withID(t, openPage(t, page+"?version=1.0"), "t1"))
	if !strings.Contains(old, "10.5") || strings.Contains(old, "10.6") {
		t.Errorf("the page of version 1.0 shows %s", old)
	}
}

// The closed heads of the groups of options say what the picture has.
func TestStudioSaysChoices(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const studio = "/datasets/1/une_rt_a/studio"
	for query, want := range map[string][]string{
		"": {"Sex 3 to choose Total", "Areas 40 have data usual areas", "Periods annual ", "Lines Smooth, linear, Bounds of values as bands", "Values Nothing added", "Text Show the title, Source line, English", "Colours and names White ground", "Size 1200 × 675"},
		"?type=map&country=EL&country=ES&mapLocation=europe&showLegend=false&width=640&height=480&font=embed&customTitle=Work": {"Areas 40 have data 2 chosen", "Periods annual ", "Map Europe, Borders, Period in the title", "Text Work, Show the title, Source line, English", "Size 640 × 480, Fonts in SVG: embedded"},
		"?lang=de&curve=step&scale=log&referenceLines=10+%3D+Ziel":                                                             {"Linien Stufen, logarithmisch, Grenzen der Werte als Band, Bezugslinien", "Text Titel zeigen, Quellenzeile, Deutsch"},
	} {
		root := openPage(t, base+studio+query)
		var heads []string
		for _, head := range elements(withID(t, root, "pick"), "summary") {
			heads = append(heads, textOf(head))
		}
		for _, one := range want {
			if !slices.ContainsFunc(heads, func(head string) bool {
				return head == one || strings.HasSuffix(one, " ") && strings.HasPrefix(head, one)
			}) {
				t.Errorf("%s: no head says %q: %q", query, one, heads)
			}
		}
	}
}

// TestStudioDrawsWhatItSays reads the picture of the studio, and that of the address and of the request
// body that it offers: all are the same chart, with the options of the form.
func TestStudioDrawsWhatItSays(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const options = "?country=EL&country=ES&customTitle=Work&includeSource=false&referenceLines=10+%3D+Target&seriesColors=%7B%22Greece%22%3A%22%23123456%22%7D&width=640&height=480&includeSource=true&includeSource=false"
	root := openPage(t, base+"/datasets/1/une_rt_a/studio"+options)
	picture := elements(withClass(root, "div", "framed")[0], "img")[0]
	source, _ := attribute(picture, "src")
	if got := ask(t, "GET", base+source); got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%s: %d %s", source, got.StatusCode, got.Header.Get("Content-Type"))
	}
	alt, _ := attribute(picture, "alt")
	for _, want := range []string{`"customTitle": "Work"`, `"includeSource": false`, `"referenceLines": { "10": "Target" }`, `"Greece": "#123456"`, `"width": 640`, `"country": [ "EL", "ES" ]`, alt} {
		if !strings.Contains(textOf(root), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, a := range elements(root, "a", "download") {
		address, _ := attribute(a, "href")
		got := ask(t, "GET", address)
		if got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %.200s", address, got.StatusCode, got.body)
		}
		if strings.Contains(address, ".svg") && (!strings.Contains(got.body, ">Work<") || !strings.Contains(got.body, "#123456") || strings.Contains(got.body, "Source:")) {
			t.Errorf("%s does not follow the options", address)
		}
	}
	if value := textOf(elements(root, "textarea", "name=referenceLines")[0]); value != "10 = Target" {
		t.Errorf("the field of reference lines has %q", value)
	}
	wrong := ask(t, "GET", base+"/datasets/1/une_rt_a/studio?width=7&customTitle=Kept")
	if wrong.StatusCode != http.StatusBadRequest || !strings.Contains(wrong.body, `value="Kept"`) || !strings.Contains(wrong.body, `name="width" value="7" autofocus aria-invalid="true"`) || !strings.Contains(wrong.body, "Width must be") {
		t.Errorf("a mistake: %d %.3000s", wrong.StatusCode, textOf(parse(t, wrong.body)))
	}
}

// The studio begins with the areas that the page of the dataset shows.
func TestStudioBeginsWithWhatIsShown(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, view := range []string{"", "?country=EL&country=ES", "?view=ranking"} {
		root := openPage(t, base+"/datasets/1/une_rt_a"+view)
		var address string
		for _, a := range elements(withID(t, root, "pick"), "a") {
			if href, _ := attribute(a, "href"); strings.Contains(href, "/studio") {
				address = href
			}
		}
		shown := elements(withID(t, root, "pick"), "input", "name=country", "checked")
		begins := elements(withID(t, openPage(t, base+address), "pick"), "input", "name=country", "checked")
		if view != "?view=ranking" && len(shown) == 0 || len(begins) != len(shown) {
			t.Errorf("%q shows %d areas, and the studio begins with %d: %s", view, len(shown), len(begins), address)
		}
	}
}
