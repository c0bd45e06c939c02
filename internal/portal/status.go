package portal

import (
	"net/url"
	"strings"
	"time"
)

// statusPage is the content of the page of the state of the service.
type statusPage struct {
	IsReady  bool
	Why      string // if it is not ready
	At       time.Time
	Version  string
	Datasets int
	Sources  []sourceCondition
}

// Offices is the number of offices.
func (c *statusPage) Offices() int {
	return countOffices(c.Sources, func(s sourceCondition) string { return s.ID })
}

// sourceCondition is the state of a source, as the interface writes it.
type sourceCondition struct {
	ID, Name                                string
	Datasets, Watched, Failing, Quarantined int
	LastSuccess                             catalogueTime `json:"last_success"`
	NewestUpdate                            catalogueTime `json:"newest_update"`
	LastError                               *struct {
		Time    catalogueTime
		Message string
	} `json:"last_error"`
}

// State is the name of the state: "failing", "held" for held back, "kept" up to date, "still".
func (s *sourceCondition) State() string {
	switch {
	case s.Failing > 0:
		return "failing"
	case s.Quarantined > 0:
		return "held"
	case s.Watched > 0:
		return "kept"
	}
	return "still"
}

// Address is that of the page of the source's datasets.
func (s *sourceCondition) Address() string { return "/search?source=" + url.QueryEscape(s.ID) }

// catalogueTime is a time as the catalogue writes it: 2025-07-04T11:00:00+0200.
type catalogueTime struct{ time.Time }

// UnmarshalText reads a time.
func (t *catalogueTime) UnmarshalText(text []byte) (err error) {
	t.Time, err = time.Parse("2006-01-02T15:04:05-0700", string(text))
	return err
}

// UnmarshalJSON reads a time in quotation marks.
func (t *catalogueTime) UnmarshalJSON(text []byte) error {
	return t.UnmarshalText([]byte(strings.Trim(string(text), `"`)))
}

// state is the page of the state of the service.
func (p *page) state() error {
	c := &statusPage{IsReady: true, At: p.opts.Now().UTC()}
	if _, err := p.get("/readyz", nil); err != nil {
		c.IsReady, c.Why = false, err.Error()
	}
	var d struct{ Info struct{ Version string } }
	if err := p.read("/openapi.json", nil, &d); err != nil {
		return err
	}
	c.Version = d.Info.Version
	var status struct{ Sources []sourceCondition }
	if err := p.read("/api/status", nil, &status); err != nil {
		return err
	}
	for _, one := range status.Sources {
		c.Datasets += one.Datasets
		if one.Datasets > 0 || one.Watched > 0 {
			c.Sources = append(c.Sources, one)
		}
	}
	p.template, p.Content = "status", c
	p.Title = p.lang.text("status.down")
	if c.IsReady {
		p.Title = p.lang.text("status.up")
	}
	p.Trail = []link{{p.lang.text("nav.status"), ""}}
	p.Aside = p.lang.text("reference.version", "version", c.Version)
	return nil
}
