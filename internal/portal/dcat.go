package portal

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// catalogueEntry is a dataset as the list of datasets describes it whole.
type catalogueEntry struct {
	ID          int
	Name        string `json:"dataset_name"`
	Code        string `json:"dataset_code"`
	Description string
	Source      string
	SourceName  string `json:"source_name"`
	Version     string
	Topics      []struct{ Name string }
	Updated     catalogueTime `json:"last_update"`
	Oldest      string        `json:"oldest_period"`
	Latest      string        `json:"latest_period"`
	Licence     *licence
}

// cataloguePage is a page of the list of datasets.
type cataloguePage struct {
	Data       []catalogueEntry
	Pagination struct {
		Page, Total int
		HasMore     bool
	}
}

// datasetsOnPage is the number of datasets on a page of the catalogue in DCAT.
const datasetsOnPage = 100

// dcat is the catalogue in DCAT-AP, as Turtle or JSON-LD, a page at a time.
func (p *page) dcat() error {
	number := p.r.URL.Query().Get("page")
	if number == "" {
		number = "0"
	}
	var list cataloguePage
	if err := p.read("/api/datasets", url.Values{"fields": {"all"}, "limit": {strconv.Itoa(datasetsOnPage)}, "page": {number}, "lang": {p.lang.Code}}, &list); err != nil {
		return err
	}
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	here := base + p.r.URL.Path
	view := thing{id: iri(here + "?page=" + strconv.Itoa(list.Pagination.Page)), kind: "hydra:PartialCollectionView"}
	view.add("hydra:first", iri(here+"?page=0"))
	if n := list.Pagination.Page; n > 0 {
		view.add("hydra:previous", iri(here+"?page="+strconv.Itoa(n-1)))
	}
	if list.Pagination.HasMore {
		next := here + "?page=" + strconv.Itoa(list.Pagination.Page+1)
		view.add("hydra:next", iri(next))
		p.w.Header().Add("Link", "<"+next+`>; rel="next"`)
	}
	catalogue := thing{id: iri(base + "/"), kind: "dcat:Catalog"}
	catalogue.add("dct:title", "Almanac")
	catalogue.add("dct:description", p.lang.text("home.title"))
	catalogue.add("dct:publisher", &thing{kind: "foaf:Agent", properties: []property{{"foaf:name", hostOf(base)}}})
	catalogue.add("foaf:homepage", iri(base+"/"))
	catalogue.add("hydra:totalItems", typed{strconv.Itoa(list.Pagination.Total), "xsd:integer"})
	catalogue.add("hydra:view", view.id)
	graph := []*thing{&catalogue, &view}
	for i := range list.Data {
		one := list.Data[i].dcat(base)
		catalogue.add("dcat:dataset", one.id)
		graph = append(graph, one)
	}
	p.w.Header().Add("Vary", "Cookie, Accept-Language")
	if strings.HasSuffix(p.r.URL.Path, ".ttl") {
		p.sendFile("text/turtle; charset=utf-8", []byte(turtle(graph)))
		return nil
	}
	text, err := json.Marshal(map[string]any{"@context": prefixes, "@graph": graph})
	if err != nil {
		return err
	}
	p.sendFile("application/ld+json", text)
	return nil
}

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Hostname()
}

var yearOfPeriod = regexp.MustCompile(`[12][0-9]{3}`)

// dcat describes the dataset in DCAT-AP. What is mandatory there and missing is made from what
// there is: a dataset without a description has its office and code.
func (e *catalogueEntry) dcat(base string) *thing {
	page := base + (&metadata{ID: e.ID, Code: e.Code}).address()
	one := &thing{id: iri(page), kind: "dcat:Dataset"}
	one.add("dct:title", e.Name)
	description := e.Description
	if description == "" {
		description = e.Name + ". " + e.SourceName + ", " + e.Code + "."
	}
	one.add("dct:description", description)
	one.add("dct:identifier", e.Source+":"+e.Code)
	one.add("dct:publisher", &thing{kind: "foaf:Agent", properties: []property{{"foaf:name", e.SourceName}}})
	one.add("dcat:landingPage", iri(page))
	one.add("dcat:version", e.Version)
	if !e.Updated.IsZero() {
		one.add("dct:modified", typed{e.Updated.Format(time.RFC3339), "xsd:dateTime"})
	}
	for _, topic := range e.Topics {
		one.add("dcat:keyword", topic.Name)
	}
	span := &thing{kind: "dct:PeriodOfTime"}
	for _, end := range [...]struct{ name, period string }{{"dcat:startDate", e.Oldest}, {"dcat:endDate", e.Latest}} {
		if year := yearOfPeriod.FindString(end.period); year != "" {
			span.add(end.name, typed{year, "xsd:gYear"})
		}
	}
	if len(span.properties) > 0 {
		one.add("dct:temporal", span)
	}
	for _, form := range []struct{ ending, title, kind string }{
		{"/data.csv", "CSV", "text/csv"}, {"/data", "JSON", "application/json"}, {"/data.parquet", "Parquet", "application/vnd.apache.parquet"}, {"/data.sdmx.xml", "SDMX-ML", "application/xml"},
	} {
		file := iri(base + "/api/datasets/" + strconv.Itoa(e.ID) + form.ending)
		d := &thing{kind: "dcat:Distribution"}
		d.add("dct:title", form.title)
		d.add("dcat:accessURL", file)
		d.add("dcat:downloadURL", file)
		d.add("dcat:mediaType", iri("https://www.iana.org/assignments/media-types/"+form.kind))
		if e.Licence != nil && e.Licence.URL != "" {
			d.add("dct:license", iri(e.Licence.URL))
		}
		one.add("dcat:distribution", d)
	}
	return one
}

// robots is /robots.txt: crawlers read pages, and not the interface, which counts.
func (p *Portal) robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write([]byte("User-agent: *\nDisallow: /api/\nDisallow: /sdmx/\nDisallow: /set\nDisallow: /account\nDisallow: /signin\nDisallow: /join/\n" +
		"Allow: /\n\nSitemap: " + strings.TrimSuffix(p.opts.BaseURL, "/") + "/sitemap.xml\n")) // the client may be gone
}
