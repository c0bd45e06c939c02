package portal_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"net/http"
	"strings"
	"testing"
)

// node is a part of a graph in JSON-LD.
type node = map[string]any

// TestCatalogueInDCAT reads the catalogue in JSON-LD and Turtle. Each dataset has what DCAT-AP asks
// for: title, description, and of its distributions the address.
func TestCatalogueInDCAT(t *testing.T) {
	base := serve(t, realStore(t), nil)
	got := ask(t, "GET", base+"/catalog.jsonld")
	var document struct {
		Graph []node `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(got.body), &document); err != nil || got.Header.Get("Content-Type") != "application/ld+json" {
		t.Fatalf("%v, %s", err, got.Header.Get("Content-Type"))
	}
	datasets := 0
	for _, one := range document.Graph {
		switch one["@type"] {
		case "dcat:Catalog":
			needs(t, one, "dct:title", "dct:description", "dct:publisher", "dcat:dataset", "foaf:homepage")
		case "dcat:Dataset":
			datasets++
			needs(t, one, "@id", "dct:title", "dct:description", "dct:publisher", "dct:modified", "dct:temporal", "dcat:distribution")
			needs(t, one["dct:publisher"].(node), "foaf:name")
			for _, d := range one["dcat:distribution"].([]any) {
				needs(t, d.(node), "dcat:accessURL", "dcat:mediaType")
			}
			if page := ask(t, "HEAD", one["@id"].(string)); page.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", one["@id"], page.StatusCode)
			}
		}
	}
	text := ask(t, "GET", base+"/catalog.ttl")
	if again := ask(t, "GET", base+"/catalog.ttl"); again.body != text.body {
		t.Error("the same catalogue is written in two ways")
	}
	if n := strings.Count(text.body, " a dcat:Dataset"); datasets != len(realFiles) || n != datasets || !strings.HasPrefix(text.Header.Get("Content-Type"), "text/turtle") {
		t.Errorf("%d datasets in JSON-LD, %d in Turtle, want %d", datasets, n, len(realFiles))
	}
	if got := ask(t, "GET", base+"/catalog.ttl?page=x"); got.StatusCode != http.StatusBadRequest {
		t.Errorf("a wrong page: %d", got.StatusCode)
	}
}

func needs(t *testing.T, one node, names ...string) {
	t.Helper()
	for _, name := range names {
		if one[name] == nil || one[name] == "" {
			t.Errorf("%v lacks %s", one["@id"], name)
		}
	}
}

// TestForSearchEngines reads what search engines and programs that link to a page read.
func TestForSearchEngines(t *testing.T) {
	base := serve(t, realStore(t), nil)
	if robots := ask(t, "GET", base+"/robots.txt"); !strings.Contains(robots.body, "Sitemap: "+base+"/sitemap.xml\n") {
		t.Errorf("robots.txt: %s", robots.body)
	}
	var site struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal([]byte(ask(t, "GET", base+"/sitemap.xml").body), &site); err != nil || len(site.URL) < 20 {
		t.Fatalf("the sitemap has %d addresses: %v", len(site.URL), err)
	}
	for _, one := range site.URL {
		if got := ask(t, "HEAD", one.Loc); got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d to %s", one.Loc, got.StatusCode, got.Header.Get("Location"))
		}
	}
	page := openPage(t, base+"/datasets/1/une_rt_a?country=GR")
	data := elements(page, "script", "type=application/ld+json")
	var described node
	if len(data) != 1 || json.Unmarshal([]byte(data[0].FirstChild.Data), &described) != nil {
		t.Fatalf("the page has %d descriptions", len(data))
	}
	needs(t, described, "name", "description", "creator", "license", "distribution", "temporalCoverage")
	picture, _ := attribute(elements(page, "meta", "property=og:image")[0], "content")
	got := ask(t, "GET", picture)
	if drawn, err := png.Decode(bytes.NewReader([]byte(got.body))); err != nil || drawn.Bounds().Dx() != 1200 || drawn.Bounds().Dy() != 630 {
		t.Errorf("%s: %d %v", picture, got.StatusCode, err)
	}
	if got := ask(t, "GET", base+"/datasets/1/une_rt_a/picture.png?period=soon"); got.StatusCode != http.StatusBadRequest {
		t.Errorf("a picture of a wrong period: %d", got.StatusCode)
	}
}
