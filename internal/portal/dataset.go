package portal

import (
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// metadata are those of a dataset, as the interface writes them.
type metadata struct {
	ID            int
	Code          string `json:"dataset_code"`
	Name          string `json:"dataset_name"`
	Description   string
	Source        string
	SourceName    string `json:"source_name"`
	SourceURL     string `json:"source_url"`
	MetadataURL   string `json:"metadata_url"`
	Version       string
	Oldest        string `json:"oldest_period"`
	Latest        string `json:"latest_period"`
	Imported      time.Time
	UpdatedBy     string   `json:"updated_by_source"`
	Areas         []string `json:"available_geo"`
	Unit          string
	Frequencies   []string
	Partial       string
	Attribution   string
	Licence       *licence
	DefaultSeries map[string]string `json:"default_series"`
}

type licence struct{ Name, URL, Attribution, Note string }

// datasetPage is the content of the page of a dataset.
type datasetPage struct {
	Meta      metadata
	Selection *selection
	Views     []view
	Chart     template.HTML
	Described description
	Empty     string // why there is no chart
	Table     *table
	Files     []file
	Uses      []use
	Versions  []version
	Citation  citation
}

// description says what a chart shows.
type description struct {
	Type, Title, Subtitle, Unit, Source, Alt string
	Notes                                    []string
	Series                                   []shown
	Categories                               []shown
}

// shown is a line of a chart, a bar, or an area of a map.
type shown struct {
	Name, Area string
	InColour   bool `json:"in_colour"`
}

type version struct {
	Version                               string
	Imported                              time.Time
	Observations, Added, Revised, Removed int
}

// view is a way to look at a selection.
type view struct {
	Name, Text, Address string
	IsChosen            bool
	chart               string // the type of the chart; empty: there is none
}

// dataset is the page of a dataset: chart, table, files, addresses and citation of one selection.
func (p *page) dataset() error {
	address := "/api/datasets/" + url.PathEscape(p.r.PathValue("id"))
	c := &datasetPage{}
	query := p.r.URL.Query()
	edition := only(query, "version", "as_of")
	if err := p.read(address+"/meta", edition, &c.Meta); err != nil {
		return err
	}
	if own := c.Meta.address(); p.r.URL.EscapedPath() != own {
		if p.r.URL.RawQuery != "" {
			own += "?" + p.r.URL.RawQuery
		}
		http.Redirect(p.w, p.r, own, http.StatusMovedPermanently)
		return nil
	}
	s, err := p.readSelection(&c.Meta, query)
	if err != nil {
		return err
	}
	c.Selection = s
	c.Views = p.views(s)
	if err := p.draw(c); err != nil {
		return err
	}
	if c.Table, err = p.readTable(c); err != nil {
		return err
	}
	var versions struct{ Data []version }
	if err := p.read(s.api+"/versions", url.Values{"limit": {"5"}}, &versions); err != nil {
		return err
	}
	c.Versions = versions.Data
	if c.Files, err = p.files(s, c.Empty == ""); err != nil {
		return err
	}
	c.Uses = p.uses(s)
	c.Citation = p.cite(c)
	p.template, p.Section, p.Title, p.Content = "dataset", "datasets", c.Meta.Name, c
	p.Feed = "/datasets/" + strconv.Itoa(c.Meta.ID) + "/feed"
	p.Trail = []link{{p.lang.text("nav.datasets"), "/search"}, {c.Meta.SourceName, "/search?source=" + url.QueryEscape(c.Meta.Source)}, {c.Meta.Code, ""}}
	p.Aside = p.lang.text("dataset.number", "id", strconv.Itoa(c.Meta.ID), "version", c.Meta.Version)
	return nil
}

// address is the address of the page of a dataset.
func (m *metadata) address() string {
	return "/datasets/" + strconv.Itoa(m.ID) + "/" + url.PathEscape(strings.ToLower(m.Code))
}

// only returns the parameters of a query with the given names.
func only(query url.Values, names ...string) url.Values {
	part := url.Values{}
	for _, name := range names {
		if values, ok := query[name]; ok {
			part[name] = values
		}
	}
	return part
}

// views lists the ways to look at the selection.
func (p *page) views(s *selection) []view {
	all := []view{{Name: "line", chart: "line"}, {Name: "bar", chart: "bar"}, {Name: "ranking", chart: "horizontal-bar"}, {Name: "map", chart: "map"}, {Name: "table"}}
	for i := range all {
		v := &all[i]
		v.Text = p.lang.text("view." + v.Name)
		v.IsChosen = v.Name == s.View
		v.Address = s.with("view", v.Name)
	}
	return all
}

// Sizes of charts in pages, in pixels. One is for wide windows, one for phones; the stylesheet
// chooses.
var chartSizes = []struct{ class, width, height string }{{"desk-only", "900", "520"}, {"phone", "480", "440"}}

// draw makes the chart of the selection, and takes its areas for the table if the reader has
// chosen none.
func (p *page) draw(c *datasetPage) error {
	s := c.Selection
	kind := "line"
	if i := slices.IndexFunc(c.Views, func(v view) bool { return v.IsChosen }); c.Views[i].chart != "" {
		kind = c.Views[i].chart
	}
	query := s.query()
	query.Set("type", kind)
	query.Set("locale", p.lang.Code)
	err := p.read(s.api+"/chart.json", query, &c.Described)
	if isRefused(err) {
		c.Empty = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	s.takeAreas(&c.Described)
	if s.View == "table" {
		return nil
	}
	query = s.query()
	if kind == "map" || kind == "horizontal-bar" {
		query = s.chosen() // these choose areas themselves
	}
	query.Set("type", kind)
	query.Set("locale", p.lang.Code)
	query.Set("plain", "true")
	query.Set("theme", "light")
	query.Set("background", "transparent")
	for _, size := range chartSizes {
		query.Set("width", size.width)
		query.Set("height", size.height)
		picture, err := p.get(s.api+"/chart.svg", query)
		if err != nil {
			return err
		}
		c.Chart += template.HTML(`<div class="` + size.class + `">` + withOwnIDs(picture, size.class) + `</div>`)
	}
	return nil
}

// pictureID is the id of a picture, which it has from its texts.
var pictureID = regexp.MustCompile(`id="title-([0-9a-z]+)"`)

// withOwnIDs returns a picture with the ids that only the picture of its size has in the page.
func withOwnIDs(picture []byte, size string) string {
	id := pictureID.FindSubmatch(picture)
	if id == nil {
		return string(picture)
	}
	return strings.ReplaceAll(string(picture), "-"+string(id[1]), "-"+string(id[1])+"-"+size)
}
