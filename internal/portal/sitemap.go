package portal

import (
	"encoding/json"
	"encoding/xml"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// siteAddress is a page in /sitemap.xml.
type siteAddress struct {
	Address  string `xml:"loc"`
	Modified string `xml:"lastmod,omitempty"`
}

// maxSitemap is the largest number of addresses that a sitemap may have.
const maxSitemap = 50_000

// sitemap lists the pages for search engines: those of datasets, and of text.
func (p *page) sitemap() error {
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	list := struct {
		XMLName   xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Addresses []siteAddress `xml:"url"`
	}{}
	for _, path := range []string{"/", "/search", "/areas", "/sources", "/reference", "/status", "/changes"} {
		list.Addresses = append(list.Addresses, siteAddress{Address: base + path})
	}
	for _, c := range guide {
		list.Addresses = append(list.Addresses, siteAddress{Address: base + "/guide/" + c.name})
	}
	for number, hasMore := 0, true; hasMore && len(list.Addresses) < maxSitemap; number++ {
		var part cataloguePage
		if err := p.read("/api/datasets", url.Values{"fields": {"code"}, "limit": {"1000"}, "page": {strconv.Itoa(number)}}, &part); err != nil {
			return err
		}
		for i := range part.Data[:min(len(part.Data), maxSitemap-len(list.Addresses))] {
			e := &part.Data[i]
			list.Addresses = append(list.Addresses, siteAddress{base + (&metadata{ID: e.ID, Code: e.Code}).address(), e.Updated.UTC().Format(time.DateOnly)})
		}
		hasMore = part.Pagination.HasMore
	}
	text, err := xml.Marshal(list)
	if err != nil {
		return err
	}
	p.sendFile("application/xml; charset=utf-8", append([]byte(xml.Header), text...))
	return nil
}

// card is what programs that link to a page show of it.
type card struct {
	Description string
	Canonical   string
	Picture     string
	// Data describes the dataset of the page in the vocabulary of schema.org, as JSON-LD.
	Data template.JS
}

// cardOf returns the card of the page of a dataset.
func (p *page) cardOf(m *metadata, s *selection, description string) (*card, error) {
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	about := m.Description
	if about == "" {
		about = m.Title() + ". " + m.SourceName + ", " + m.Code + ", " + p.lang.span(m.Oldest, m.Latest) + "."
	}
	data := map[string]any{
		"@context": "https://schema.org", "@type": "Dataset", "name": m.Title(), "description": about, "url": base + m.address(), "identifier": m.Source + ":" + m.Code, "version": m.Version,
		"creator": map[string]any{"@type": "Organization", "name": m.SourceName}, "isAccessibleForFree": true, "dateModified": m.Imported.UTC().Format(time.DateOnly),
		"includedInDataCatalog": map[string]any{"@type": "DataCatalog", "name": "Almanac", "url": base + "/"},
		"temporalCoverage":      yearOfPeriod.FindString(m.Oldest) + "/" + yearOfPeriod.FindString(m.Latest),
	}
	if m.SourceURL != "" {
		data["sameAs"] = m.SourceURL
	}
	if m.Licence != nil && m.Licence.URL != "" {
		data["license"] = m.Licence.URL
	}
	var files []any
	for _, f := range []struct{ ending, kind string }{{"/data.csv", "text/csv"}, {"/data", "application/json"}, {"/data.parquet", "application/vnd.apache.parquet"}} {
		files = append(files, map[string]any{"@type": "DataDownload", "encodingFormat": f.kind, "contentUrl": base + s.api + f.ending})
	}
	data["distribution"] = files
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	if description == "" {
		description = about
	}
	picture := s.start()
	if p.lang.Code != "en" {
		picture.Set("lang", p.lang.Code)
	}
	return &card{Description: description, Canonical: base + s.canonical(), Picture: base + addressWith(m.address()+"/picture.png", picture), Data: template.JS(text)}, nil
}

// Size of the picture of a page that links to it show.
const (
	cardWidth  = "1200"
	cardHeight = "630"
)

// picture is the picture of the chart of a dataset's page, for programs that link to the page.
func (p *page) picture() error {
	var m metadata
	query, isMoved, err := p.selectionQuery()
	if err != nil || isMoved {
		return err
	}
	if isMoved, err := p.readMeta(&m, query, "/picture.png"); err != nil || isMoved {
		return err
	}
	s, err := p.readSelection(&m, query)
	if err != nil {
		return err
	}
	chart := s.query()
	chart.Set("type", chartTypes[s.View])
	chart.Set("width", cardWidth)
	chart.Set("height", cardHeight)
	chart.Set("lang", p.lang.Code)
	content, err := p.get(s.api+"/chart.png", chart)
	if err != nil {
		return err
	}
	p.sendFile("image/png", content)
	return nil
}
