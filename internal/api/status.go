package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// sourceStatus describes the age of a source's data and the result of its updates.
type sourceStatus struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Datasets     int             `json:"datasets"`
	Watched      int             `json:"watched"`
	Failing      int             `json:"failing"`
	Quarantined  int             `json:"quarantined"`
	Damaged      int             `json:"damaged,omitempty"`
	Observations int             `json:"observations,omitempty"`
	LatestPeriod string          `json:"latest_period,omitempty"`
	LastSuccess  statusTime      `json:"last_success,omitzero"`
	LastError    *sourceError    `json:"last_error,omitempty"`
	OldestUpdate statusTime      `json:"oldest_update,omitzero"`
	NewestUpdate statusTime      `json:"newest_update,omitzero"`
	Offered      *listStatus     `json:"offered,omitempty"`
	Licences     []statedLicence `json:"licences,omitempty"`
	Languages    []string        `json:"languages,omitempty"`

	newest   stat.Period
	isStored bool // it is the source of stored datasets
}

type sourceError struct {
	Time    statusTime `json:"time"`
	Message string     `json:"message"`
}

// listStatus describes the list of what a source offers.
type listStatus struct {
	Datasets int        `json:"datasets"`
	Listed   statusTime `json:"listed,omitzero"`
	Failed   bool       `json:"failed,omitempty"`
}

// statusTime is written like the times of the catalogue.
type statusTime struct{ time.Time }

// MarshalJSON formats the time.
func (t statusTime) MarshalJSON() ([]byte, error) { return json.Marshal(t.Format(catalogTime)) }

// plainSource represents single addresses that are watched.
var plainSource = stat.Source{ID: "addresses", Name: "File addresses"}

// statusCache has the last response, which is valid for a second, because the requests are
// not counted.
type statusCache struct {
	mu     sync.Mutex
	second int64
	text   []byte
}

func (x *exchange) status() (*reply, error) {
	c := &x.api.status
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := x.api.opts.Now().Unix(); c.text == nil || c.second != now {
		sources, err := x.api.sources(x.r.Context())
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(struct {
			Sources  []sourceStatus `json:"sources"`
			Bringing string         `json:"bringing"`
		}{sources, x.api.whoBrings()})
		if err != nil {
			return nil, fmt.Errorf("encoding the status: %w", err)
		}
		c.second, c.text = now, text
	}
	return constantReply(c.text), nil
}

// sources returns the sources of stored, watched and offered datasets, by ID.
func (a *API) sources(ctx context.Context) ([]sourceStatus, error) {
	byID := map[string]*sourceStatus{}
	find := func(source stat.Source) *sourceStatus {
		if byID[source.ID] == nil {
			byID[source.ID] = &sourceStatus{ID: source.ID, Name: cmp.Or(source.Name, source.ID)}
		}
		return byID[source.ID]
	}
	catalog := a.opts.Store.Catalog()
	for i := range catalog.Entries {
		e := &catalog.Entries[i]
		if byID[e.Source] == nil {
			s := &sourceStatus{ID: e.Source, Name: e.Source, isStored: true}
			if e.Source == stat.LocalSource {
				s.Name = localFiles
			} else if v, err := a.opts.Store.Vintage(context.WithoutCancel(ctx), e.ID); err == nil { // it is cached for other callers; one that cannot be read must not hide the others
				s.Name = cmp.Or(v.Dataset.Source.Name, e.Source)
			}
			byID[e.Source] = s
		}
		byID[e.Source].addDataset(e)
	}
	quarantined, err := a.opts.Store.Quarantined(ctx)
	if err != nil {
		return nil, &stat.Error{Kind: stat.Unavailable, Message: "the quarantine cannot be read at the moment; see the log", Err: err}
	}
	for _, q := range quarantined {
		if e := catalog.Entry(q.ID); e != nil {
			find(stat.Source{ID: e.Source}).Quarantined++
		}
	}
	for _, d := range a.opts.Store.Damages() {
		if e := catalog.Entry(d.ID); e != nil && e.Version == d.Version {
			find(stat.Source{ID: e.Source}).Damaged++
		}
	}
	if err := a.addWatched(ctx, catalog, find); err != nil {
		return nil, &stat.Error{Kind: stat.Unavailable, Message: "the watched datasets cannot be read at the moment; see the log", Err: err}
	}
	if err := a.addOffered(ctx, find); err != nil {
		return nil, &stat.Error{Kind: stat.Unavailable, Message: "the lists of offered datasets cannot be read at the moment; see the log", Err: err}
	}
	for source, licences := range licencesOf(catalog) {
		find(stat.Source{ID: source}).Licences = licences
	}
	sources := []sourceStatus{}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		sources = append(sources, *byID[id])
	}
	return sources, nil
}

func (s *sourceStatus) addDataset(e *store.Entry) {
	for language := range e.Names {
		if at, isKnown := slices.BinarySearch(s.Languages, language); !isKnown && language != "" {
			s.Languages = slices.Insert(s.Languages, at, language)
		}
	}
	s.Datasets++
	s.Observations += e.Observations
	if e.Newest.Compare(s.newest) > 0 {
		s.newest, s.LatestPeriod = e.Newest, e.Newest.String()
	}
	if s.Datasets == 1 || e.LastUpdate.Before(s.OldestUpdate.Time) {
		s.OldestUpdate.Time = e.LastUpdate
	}
	if s.Datasets == 1 || e.LastUpdate.After(s.NewestUpdate.Time) {
		s.NewestUpdate.Time = e.LastUpdate
	}
}

// addWatched adds the watched datasets of each server to their source. It also counts
// the datasets of servers that are not their source, such as DBnomics, which
// republishes data, and plain addresses.
func (a *API) addWatched(ctx context.Context, catalog *store.Catalog, find func(stat.Source) *sourceStatus) error {
	if a.opts.Watches == nil {
		return nil
	}
	offices, err := a.opts.Watches.Offices(ctx)
	if err != nil {
		return err
	}
	for _, o := range offices {
		source, ok := a.opts.Offices[o.ID]
		switch {
		case o.ID == "":
			source = plainSource
		case !ok:
			source.ID = o.ID
		}
		s := find(source)
		s.addOffice(o)
		if s.isStored {
			continue
		}
		ids, err := a.opts.Watches.DatasetsOf(ctx, o.ID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if e := catalog.Entry(id); e != nil {
				s.addDataset(e)
			}
		}
	}
	return nil
}

// addOffered adds the lists of what the sources offer.
func (a *API) addOffered(ctx context.Context, find func(stat.Source) *sourceStatus) error {
	if a.opts.Bringing.Offers == nil {
		return nil
	}
	lists, err := a.opts.Bringing.Offers.Sources(ctx)
	for _, l := range lists {
		source, ok := a.opts.Offices[l.Source]
		if !ok {
			source.ID = l.Source
		}
		s := find(source)
		if s.Offered == nil {
			s.Offered = &listStatus{Listed: statusTime{l.Listed}}
		}
		s.Offered.Datasets += l.Datasets
		s.Offered.Failed = s.Offered.Failed || l.Error != ""
		if l.Origin == "" && l.Listed.After(s.LastSuccess.Time) {
			s.LastSuccess.Time = l.Listed
		}
		if l.Listed.Before(s.Offered.Listed.Time) { // one of several servers of the source
			s.Offered.Listed.Time = l.Listed
		}
	}
	return err
}

// addOffice adds the state of a server, one or several of a source.
func (s *sourceStatus) addOffice(o watch.Office) {
	s.Watched += o.Watched
	s.Failing += o.Failing
	if o.LastSuccess.After(s.LastSuccess.Time) {
		s.LastSuccess.Time = o.LastSuccess.UTC()
	}
	if !o.LastError.IsZero() && (s.LastError == nil || o.LastError.After(s.LastError.Time.Time)) {
		s.LastError = &sourceError{Time: statusTime{o.LastError.UTC()}, Message: cmp.Or(strings.TrimSpace(publicErrors.FindString(o.Error)), "the last attempt failed; see the log of the service")}
	}
}

// publicErrors matches the part of an error that may be published: the kind of failure, in
// the words of package fetch, and the status. The rest might reveal an internal network.
var publicErrors = regexp.MustCompile("(?:" + strings.Join([]string{
	"the server cannot be reached", "the server is too slow", "the server is unavailable", "the response is damaged or incomplete",
	"the server returned a web page instead of data", "the server returned an empty response",
	"not found on the server", "the request or its response is too large", "the server refused the request", "not requested because it is unsafe",
	"the server accepts no more requests for now", "the server blocks requests from here for now; try again in an hour or two",
	"the server asks for a key, or does not accept the one that it got",
}, "|") + ")(?:: status [1-5][0-9]{2}(?: [A-Z][A-Za-z' -]*)?)?")
