package portal

import (
	"html/template"
	"net/url"
	"strconv"
)

// homePage is the content of the first page.
type homePage struct {
	Datasets int
	Values   int
	Newest   []entry
	Sources  []source
	Figure   *figure
}

// entry is a dataset of the catalogue.
type entry struct {
	ID           int
	Name         string `json:"dataset_name"`
	Code         string `json:"dataset_code"`
	SourceName   string `json:"source_name"`
	Oldest       string `json:"oldest_period"`
	Latest       string `json:"latest_period"`
	Areas        int
	Observations int
}

// Address is that of the page of the dataset.
func (e *entry) Address() string { return (&metadata{ID: e.ID, Code: e.Code}).address() }

type source struct {
	ID, Name string
	Datasets int
}

// figure is a chart outside of the page of its dataset.
type figure struct {
	Address   string
	Described description
	Chart     template.HTML
}

const newestOnHome = 10

// home is the first page: the question, what is newest, and the sources.
func (p *page) home() error {
	c := &homePage{}
	var catalogue struct {
		Data       []entry
		Pagination struct{ Total int }
	}
	if err := p.read("/api/datasets", url.Values{"sort": {"-latest_period"}, "limit": {strconv.Itoa(newestOnHome)}, "fields": {"source,code,periods,areas,observations"}, "lang": {p.lang.Code}}, &catalogue); err != nil {
		return err
	}
	c.Newest, c.Datasets = catalogue.Data, catalogue.Pagination.Total
	var status struct{ Sources []source }
	if err := p.read("/api/status", nil, &status); err != nil {
		return err
	}
	for _, one := range status.Sources {
		if one.Datasets > 0 {
			c.Sources = append(c.Sources, one)
		}
	}
	for _, one := range c.Newest {
		c.Values += one.Observations
	}
	p.Feed = "/feed"
	p.template, p.IsHome, p.Title, p.Content = "home", true, p.lang.text("home"), c
	return nil
}
