package portal

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/chart"
	"almanac/internal/chart/caption"
	"almanac/internal/stat"
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
	NextUpdate    string   `json:"next_update"` // when the source updates it next: a day or a time; empty: it does not say
	Areas         []string `json:"available_geo"`
	Unit          string
	Languages     []string // of its texts, as far as is known
	Frequencies   []string
	Annual        string `json:"annual_frequency"` // see [language.frequency]
	Partial       string
	Attribution   string
	Licence       *licence
	DefaultSeries map[string]string `json:"default_series"`
}

// Title is the name of the dataset on all pages: the office's, else the one by which it is well known, else its code.
func (m *metadata) Title() string { return titleOf(m.Source, m.Code, m.Name) }

// isNoTitle reports whether a file has no title: it gives none, the code, or a single letter, as the heading of a column is.
func isNoTitle(name, code string) bool {
	return name == code || len(name) <= 1
}

// IsLocal reports whether the dataset is of a file that anybody may have made, so that the office is only the one that it names.
func (m *metadata) IsLocal() bool { return m.Source == stat.LocalSource }

// NamesOffice reports whether a local file names an office.
func (m *metadata) NamesOffice() bool {
	return m.IsLocal() && m.SourceName != "" && m.SourceName != "Local file"
}

func titleOf(source, code, name string) string {
	if isNoTitle(name, code) {
		return cmp.Or(caption.KnownTitle(source, code), code)
	}
	return name
}

type licence struct{ Name, URL, Attribution, Note string }

// datasetPage is the content of the page of a dataset.
type datasetPage struct {
	Meta      metadata
	Selection *selection
	Views     []view
	Chart     template.HTML
	spec      *chart.Spec // nil: there is no chart
	// projectedFrom is the first period whose values are projections although no flag says so, as in the chart; empty: there is none.
	projectedFrom string
	sizes         []chartSize // of the chart; nil: the usual ones
	Described     description
	OnPhone       *description // of the picture for phones, if it says something else
	Empty         *empty       // why there is nothing to show
	Summary       string       // how much is shown
	Table         *table
	Files         []file
	Uses          []use
	Anonymous     *anonymous
	Facts         facts
	Frequency     string // in words
	Citation      citation
	Held          *HeldUpdate // an update that waits for a decision; nil: none does
	SendsKey      bool        // the examples do
	Followed      string      // the address of the list of what is followed, if this part is; else empty
	IsDone        bool        // the visitor has just followed it

	visitor *visitor // nil: nobody is signed in
	use     string   // the name of the example
}

// IsUntitled reports whether the office gives no title, so that the code stands for it.
func (c *datasetPage) IsUntitled() bool { return isNoTitle(c.Meta.Name, c.Meta.Code) }

// KnownTitle is the title of a well-known dataset, empty if it has none.
func (c *datasetPage) KnownTitle() string { return caption.KnownTitle(c.Meta.Source, c.Meta.Code) }

// Newer is the newest version if the page shows an older one, with the address of the same selection in it; nil if there is none.
func (c *datasetPage) Newer() *link {
	if len(c.Facts.Versions) == 0 || c.Facts.Versions[0].Version == c.Meta.Version {
		return nil
	}
	return &link{c.Facts.Versions[0].Version, c.Selection.changed(url.Values{"version": nil, "as_of": nil})}
}

type version struct {
	Version                                       string
	Imported                                      time.Time
	Series, Observations, Added, Revised, Removed int
}

// dataset is the page of a dataset: chart, table, files, addresses and citation of one selection.
func (p *page) dataset() error {
	c := &datasetPage{}
	query, isMoved, err := p.selectionQuery()
	if err != nil || isMoved {
		return err
	}
	if isMoved, err := p.readMeta(&c.Meta, query, ""); err != nil || isMoved {
		return err
	}
	s, err := p.readSelection(&c.Meta, query)
	if err != nil {
		return err
	}
	c.Selection = s
	if c.Views, err = p.views(s); err != nil {
		return err
	}
	if err := p.readShown(c); err != nil {
		return err
	}
	if c.Facts, err = p.readFacts(c); err != nil {
		return err
	}
	c.Held, c.Frequency = p.heldUpdate(c.Meta.ID), p.frequency(&c.Meta)
	if c.Anonymous, err = p.readAnonymous(); err != nil {
		return err
	}
	if err := p.readFollowed(c); err != nil {
		return err
	}
	c.SendsKey = p.sendsKey(c)
	c.Uses = p.uses(c)
	c.Citation = p.cite(c)
	p.showDataset(&c.Meta, "dataset", c)
	p.Trail[len(p.Trail)-1].Address = ""
	p.Feed = feedAddress(c.Meta.ID)
	p.linkForms(c)
	p.Card, err = p.cardOf(&c.Meta, s, c.Described.Alt)
	return err
}

// readMeta reads the metadata of the dataset in the address. isMoved reports whether the reader was
// sent to the right address of the page, which ends with tail.
func (p *page) readMeta(m *metadata, query url.Values, tail string) (isMoved bool, err error) {
	texts := only(query, "version", "as_of")
	texts.Set("lang", p.lang.Code)
	if err := p.read("/api/datasets/"+url.PathEscape(p.r.PathValue("id"))+"/meta", texts, m); err != nil {
		return false, err
	}
	own := m.address() + tail
	if p.r.URL.EscapedPath() == own {
		return false, nil
	}
	if p.r.URL.RawQuery != "" {
		own += "?" + p.r.URL.RawQuery
	}
	http.Redirect(p.w, p.r, own, http.StatusMovedPermanently)
	return true, nil
}

// showDataset sets what pages of a dataset have in common.
func (p *page) showDataset(m *metadata, template string, content any) {
	p.template, p.Section, p.Title, p.Content = template, "datasets", m.Title(), content
	name := p.lang.office(m.SourceName)
	if m.IsLocal() {
		name = p.lang.text("source.local")
	}
	p.Trail = []link{{p.lang.text("nav.datasets"), "/search"}, {name, "/sources/" + url.PathEscape(m.Source)}, {m.Code, m.address()}}
	p.Aside = p.lang.text("dataset.number", "id", strconv.Itoa(m.ID), "version", m.Version)
}

// readShown reads the chart, the counts, the table and the files of the selection.
func (p *page) readShown(c *datasetPage) error {
	s := c.Selection
	if err := p.describe(c); err != nil {
		return err
	}
	drawn := make(chan error, 1)
	go func() { drawn <- p.draw(c) }()
	c.markDrawn()
	err := p.readValues(c)
	if failed := <-drawn; err == nil && s.Values > 0 { // nothing is drawn of no values
		err = failed
	}
	return err
}

// markDrawn marks bars as what is seen if lines were asked for and bars are drawn, because there is one period.
func (c *datasetPage) markDrawn() {
	if c.Selection.View != "line" || c.Described.Type != chart.Bar && c.Described.Type != chart.HorizontalBar {
		return
	}
	for i := range c.Views {
		c.Views[i].IsChosen = c.Views[i].Name == "bar"
	}
}

// readValues reads the counts, the table and the files of the selection.
func (p *page) readValues(c *datasetPage) (err error) {
	s := c.Selection
	if err = p.count(s); err != nil {
		return err
	}
	if s.Values == 0 {
		return p.explainEmpty(c)
	}
	if err = p.readTable(c); err != nil {
		return err
	}
	c.Summary = p.summary(c)
	c.Files, err = p.files(s)
	return err
}

// summary says how much is shown: "150 values of 6 areas".
func (p *page) summary(c *datasetPage) string {
	values := p.lang.text("values", "n", c.Selection.Values)
	n := len(c.Table.areas)
	if n == 0 || len(c.Selection.Areas.Options) == 0 {
		return values
	}
	return p.lang.text("pick.of", "values", values, "areas", p.lang.text("areas", "n", n))
}

// linkForms names the other forms of the page and its canonical address in the header Link.
func (p *page) linkForms(c *datasetPage) {
	s := c.Selection
	base := strings.TrimSuffix(p.opts.BaseURL, "/")
	query := s.fileQuery()
	chart := s.pictureQuery()
	for _, form := range []struct {
		address, kind string
		query         url.Values
	}{
		{"/data", "application/json", query}, {"/data.csv", "text/csv", query}, {"/chart.svg", "image/svg+xml", chart},
	} {
		if form.address == "/chart.svg" && c.spec == nil {
			continue
		}
		p.w.Header().Add("Link", "<"+addressWith(base+s.api+form.address, form.query)+`>; rel="alternate"; type="`+form.kind+`"`)
	}
	p.w.Header().Add("Link", "<"+base+s.canonical()+`>; rel="canonical"`)
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
