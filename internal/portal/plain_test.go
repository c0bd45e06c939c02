package portal_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestPagesWithoutScript reads each page as a browser without scripts does: its links and the
// addresses of its forms exist, each field that a form sends has a name and a label, and nothing
// has a script, a style or a handler in the page.
func TestPagesWithoutScript(t *testing.T) {
	base := serve(t, realStore(t), nil)
	known := map[string]int{} // status by address
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			got := ask(t, "GET", base+p.address)
			if to := got.Header.Get("Location"); to != "" {
				t.Fatalf("the page is at %s", to)
			}
			root := parse(t, got.body)
			heading(t, root)
			checkInline(t, root)
			checkForms(t, root)
			for _, address := range addresses(t, base+p.address, root) {
				if known[address] == 0 {
					known[address] = ask(t, "HEAD", address).StatusCode
				}
				isExample := strings.Contains(textOf(root), fmt.Sprint(known[address])+", ") // of a mistake, in the guide
				if known[address] >= http.StatusBadRequest && !isExample {
					t.Errorf("%s: status %d", strings.TrimPrefix(address, base), known[address])
				}
			}
		})
	}
}

// checkInline reports scripts, styles and handlers in the page, which its policy forbids. Data in
// a script element, and the presentation attributes of a chart, are none.
func checkInline(t *testing.T, root *html.Node) {
	t.Helper()
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		kind, _ := attribute(n, "type")
		_, isFile := attribute(n, "src")
		if n.Data == "style" || n.Data == "script" && !isFile && !strings.HasSuffix(kind, "json") {
			t.Errorf("the page has a %s element with content", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("<%s> has the attribute %s", n.Data, a.Key)
			}
		}
	}
}

// checkForms reports forms that need a script.
func checkForms(t *testing.T, root *html.Node) {
	t.Helper()
	for _, form := range elements(root, "form") {
		if _, has := attribute(form, "action"); !has {
			t.Error("a form has no address")
		}
	}
	for _, tag := range []string{"input", "select", "textarea"} {
		for _, field := range elements(root, tag) {
			id, _ := attribute(field, "id")
			_, isNamed := attribute(field, "aria-label")
			kind, _ := attribute(field, "type")
			if kind != "hidden" && !isNamed && !isInLabel(field) && (id == "" || len(elements(root, "label", "for="+id)) == 0) {
				t.Errorf("<%s id=%q> has no label", tag, id)
			}
		}
	}
}

func isInLabel(n *html.Node) bool {
	for a := range n.Ancestors() {
		if a.Data == "label" {
			return true
		}
	}
	return false
}

// addresses returns the addresses of this service that a page names, without fragments. A fragment
// that the page itself does not have is an error.
func addresses(t *testing.T, page string, root *html.Node) (all []string) {
	t.Helper()
	from, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	for tag, name := range map[string]string{"a": "href", "link": "href", "script": "src", "img": "src", "form": "action"} {
		for _, n := range elements(root, tag, name) {
			text, _ := attribute(n, name)
			to, err := from.Parse(text)
			if err != nil {
				t.Errorf("<%s %s=%q>: %v", tag, name, text, err)
				continue
			}
			if method, _ := attribute(n, "method"); to.Host != from.Host || strings.EqualFold(method, "post") {
				continue
			}
			if strings.HasPrefix(text, "#") {
				if !hasID(root, to.Fragment) {
					t.Errorf("the page has no %s", text)
				}
				continue
			}
			to.Fragment = ""
			if address := to.String(); !slices.Contains(all, address) {
				all = append(all, address)
			}
		}
	}
	slices.Sort(all)
	return all
}

func hasID(root *html.Node, id string) bool {
	for n := range root.Descendants() {
		if got, has := attribute(n, "id"); has && got == id {
			return true
		}
	}
	return false
}
