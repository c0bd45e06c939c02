package portal

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// source is an office, and how old its data are.
type source struct {
	ID, Name     string
	Datasets     int
	Watched      int
	Failing      int
	Quarantined  int
	Observations int
	Latest       string                          `json:"latest_period"`
	OldestUpdate string                          `json:"oldest_update"`
	NewestUpdate string                          `json:"newest_update"`
	LastSuccess  string                          `json:"last_success"`
	LastError    *struct{ Time, Message string } `json:"last_error"`
	Offered      *struct{ Datasets int }
	Licences     []sourceLicence
	Languages    []string

	State state

	stated string // the name as the interface has it
}

// sourceLicence is a licence of datasets of a source, and how many have it.
type sourceLicence struct {
	Name, URL string
	Datasets  int
}

// state says in a word whether a source is kept up to date.
type state struct{ Text, Class string }

// Address is that of the page of the source.
func (s *source) Address() string { return "/sources/" + url.PathEscape(s.ID) }

// countOffices counts sources without the local files, which are of no office.
func countOffices[S any](sources []S, id func(S) string) (n int) {
	for _, s := range sources {
		if id(s) != stat.LocalSource {
			n++
		}
	}
	return n
}

func idOf(s source) string { return s.ID }

// allSources reads the status of all sources.
func (p *page) allSources() ([]source, error) {
	var status struct{ Sources []source }
	if err := p.read("/api/status", nil, &status); err != nil {
		return nil, err
	}
	for i := range status.Sources {
		s := &status.Sources[i]
		s.stated = s.Name
		s.Name, s.State = p.lang.office(s.Name), p.stateOf(s)
	}
	return status.Sources, nil
}

// sourcesHere are the sources of datasets that are here, that with the most datasets first.
func (p *page) sourcesHere() ([]source, error) {
	all, err := p.allSources()
	all = slices.DeleteFunc(all, func(s source) bool { return s.Datasets == 0 })
	slices.SortStableFunc(all, func(a, b source) int {
		if a.Datasets != b.Datasets {
			return b.Datasets - a.Datasets
		}
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all, err
}

// stateOf says whether a source is kept up to date.
func (p *page) stateOf(s *source) state {
	switch {
	case s.Failing > 0:
		return state{p.lang.text("state.failing", "n", s.Failing), "warn"}
	case s.Quarantined > 0:
		return state{p.lang.text("state.held", "n", s.Quarantined), "warn"}
	case s.Watched == 0:
		return state{p.lang.text("state.hand"), "mute hollow"}
	case s.Watched < s.Datasets:
		return state{p.lang.text("state.some", "n", s.Watched, "all", s.Datasets), "ok"}
	}
	return state{p.lang.text("state.kept"), "ok"}
}

// When writes a time of the status as a day; empty if there is none.
func (p *page) When(text string) string {
	at, err := time.Parse("2006-01-02T15:04:05-0700", text)
	if err != nil {
		return ""
	}
	return p.lang.date(at.UTC())
}

// Ago says in words how long ago a time of the status is: today, 3 days ago, 2 years ago.
func (p *page) Ago(text string) string {
	at, err := time.Parse("2006-01-02T15:04:05-0700", text)
	if err != nil {
		return ""
	}
	days := int(p.opts.Now().Sub(at).Hours() / 24)
	switch {
	case days < 1:
		return p.lang.text("ago.today")
	case days < 60:
		return p.lang.text("ago.days", "n", days)
	case days < 730:
		return p.lang.text("ago.months", "n", days/30)
	}
	return p.lang.text("ago.years", "n", days/365)
}

// Newest writes the last period of a source or a dataset. One that has not begun has no observed values: they are projections.
func (p *page) Newest(period string) string {
	if at, _, ok := yearsOf(period); ok && at > yearOf(p.opts.Now()) {
		return p.lang.text("source.projections", "period", p.lang.period(period))
	}
	return p.lang.period(period)
}

// sourceIndex is the content of the page of all sources.
type sourceIndex struct {
	Sources []source
	Others  []source // that only offer datasets
	Sorts   []choice
}

// The orders of the list of sources.
var sourceOrders = map[string]func(a, b source) int{
	"name":          func(a, b source) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) },
	"datasets":      func(a, b source) int { return b.Datasets - a.Datasets },
	"latest_period": func(a, b source) int { return comparePeriods(b.Latest, a.Latest) },
	"last_update":   func(a, b source) int { return strings.Compare(b.NewestUpdate, a.NewestUpdate) },
}

// sources is the page of all sources.
func (p *page) sources() error {
	all, err := p.allSources()
	if err != nil {
		return err
	}
	by := p.r.URL.Query().Get("sort")
	if by == "" {
		by = "name"
	}
	compare := sourceOrders[by]
	if compare == nil {
		return p.wrong(p.lang.text("error.sort", "value", by))
	}
	slices.SortStableFunc(all, sourceOrders["name"])
	slices.SortStableFunc(all, compare)
	c := &sourceIndex{}
	for _, s := range all {
		if s.Datasets > 0 {
			c.Sources = append(c.Sources, s)
		} else if s.Offered != nil {
			c.Others = append(c.Others, s)
		}
	}
	for _, name := range []string{"name", "datasets", "latest_period", "last_update"} {
		c.Sorts = append(c.Sorts, choice{p.lang.text("sources.sort." + name), "/sources?sort=" + name, name == by})
	}
	p.template, p.Section, p.Content = "sources", "sources", c
	p.Title, p.Trail = p.lang.text("sources.title"), []link{{p.lang.text("nav.sources"), ""}}
	p.Aside = p.lang.text("sources", "n", countOffices(c.Sources, idOf))
	return nil
}

// sourcePage is the content of the page of a source.
type sourcePage struct {
	Source   source
	Datasets []sourceDataset
	More     int     // datasets that are not listed
	Search   string  // the address with all
	Local    []entry // of local files that name the office

	Site        string // of the office; empty: unknown
	Host        string // of the site
	HasCalendar bool   // the source states when it updates data next
	From, To    int
	Others      []source
}

// sourceDataset is a dataset of a source, with the time that it covers.
type sourceDataset struct {
	entry
	Version string
	IsKept  bool        `json:"kept_up_to_date"`
	Update  string      `json:"last_update"`
	Held    *HeldUpdate `json:"-"` // a newer version that waits for a decision; nil: none does

	Span *coverage
}

const datasetsOfSource = 100

// source is the page of a source: how old its data are, and its datasets.
func (p *page) source() error {
	all, err := p.allSources()
	if err != nil {
		return err
	}
	id := p.r.PathValue("source")
	at := slices.IndexFunc(all, func(s source) bool { return strings.EqualFold(s.ID, id) })
	if at < 0 {
		message := p.lang.text("source.unknown", "source", id)
		return &refusal{Status: 404, Message: message, isTranslated: true, Body: `{"statusCode":404,"statusMessage":` + strconv.Quote(message) + `}`}
	}
	c := &sourcePage{Source: all[at], From: firstYear, To: p.opts.Now().UTC().Year(), Search: "/search?" + url.Values{"source": {all[at].ID}}.Encode()}
	if c.Source.Datasets > 0 {
		list, total, err := readCatalogue[sourceDataset](p, url.Values{"source": {c.Source.ID}, "sort": {"-latest_period"}, "limit": {strconv.Itoa(datasetsOfSource)}})
		if err != nil {
			return err
		}
		c.More = total - len(list)
		held := p.heldUpdates()
		for i := range list {
			list[i].Span, list[i].Held = p.spanOf(&list[i].entry), held[list[i].ID]
		}
		c.Datasets = list
		if c.Local, err = p.localOf(&c.Source); err != nil {
			return err
		}
		if c.HasCalendar, err = p.hasReleases(c.Source.ID); err != nil {
			return err
		}
	}
	c.Site = p.officeSite(c.Source.ID)
	if u, err := url.Parse(c.Site); err == nil {
		c.Host = strings.TrimPrefix(u.Host, "www.")
	}
	for i := range all {
		if i != at && all[i].Datasets > 0 {
			c.Others = append(c.Others, all[i])
		}
	}
	p.template, p.Section, p.Title, p.Content = "source", "sources", c.Source.Name, c
	p.Trail = []link{{p.lang.text("nav.sources"), "/sources"}, {c.Source.Name, ""}}
	p.Aside = p.lang.date(p.opts.Now().UTC())
	if c.Source.ID != stat.LocalSource {
		p.Feed = c.Source.Address() + "/feed"
	}
	return nil
}

// localOf returns datasets of local files that name an office as their source.
func (p *page) localOf(s *source) ([]entry, error) {
	if s.ID == stat.LocalSource {
		return nil, nil
	}
	list, _, err := readCatalogue[entry](p, url.Values{"source": {s.stated}, "sort": {"-latest_period"}, "limit": {strconv.Itoa(datasetsOfSource)}})
	return slices.DeleteFunc(list, func(e entry) bool { return e.Source != stat.LocalSource }), err
}

// spanOf returns the years between the first and the last period of a dataset.
func (p *page) spanOf(e *entry) *coverage {
	from, _, ok := yearsOf(e.Oldest)
	to, _, isRead := yearsOf(e.Latest)
	if !ok || !isRead {
		return nil
	}
	s := &series{}
	for year := int(from); year <= int(to); year++ {
		s.Points = append(s.Points, point{at: float64(year)})
	}
	return p.coverage(s, "")
}
