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

	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Status says of each source how old its data are, and how the last attempts to
// bring newer ones went. What went wrong is said in words of ours: an office's
// answer, and the address that was asked, may tell of a network that callers have
// no business in.

// sourceStatus is one source, as the answer has it.
type sourceStatus struct {
	ID           string       `json:"id"`
	Name         string       `json:"name"`
	Datasets     int          `json:"datasets"`
	Watched      int          `json:"watched"`
	Failing      int          `json:"failing"`
	Quarantined  int          `json:"quarantined"`
	LastSuccess  string       `json:"last_success,omitempty"`
	LastError    *sourceError `json:"last_error,omitempty"`
	OldestUpdate string       `json:"oldest_update,omitempty"`
	NewestUpdate string       `json:"newest_update,omitempty"`

	stored  bool // its datasets have it as their source
	success time.Time
	oldest  time.Time
	newest  time.Time
}

// sourceError is the last attempt that failed.
type sourceError struct {
	Time    string `json:"time"`
	Message string `json:"message"`

	at time.Time
}

// plainSource stands for the addresses that are watched one by one.
var plainSource = stat.Source{ID: "addresses", Name: "Addresses of files"}

// statusText is the answer as it was last made. It is good for a second: nobody's
// requests for it are counted, so they must not cost a look into the database
// each.
type statusText struct {
	mu   sync.Mutex
	made int64 // the second
	text []byte
}

// status answers with the freshness of each source.
func (x *exchange) status() (reply, error) {
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return reply{}, err
	}
	text, err := x.api.statusText(x.r.Context())
	if err != nil {
		return reply{}, err
	}
	return jsonReply(text), nil
}

func (a *API) statusText(ctx context.Context) ([]byte, error) {
	s := &a.statusMade
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := a.now().Unix(); s.text == nil || s.made != now {
		sources, err := a.sources(ctx)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(struct {
			Sources []sourceStatus `json:"sources"`
		}{sources})
		if err != nil {
			return nil, fmt.Errorf("writing the status: %w", err)
		}
		s.made, s.text = now, text
	}
	return s.text, nil
}

// sources are those of the stored datasets and of the watched ones, by ID.
func (a *API) sources(ctx context.Context) ([]sourceStatus, error) {
	byID := map[string]*sourceStatus{}
	find := func(source stat.Source) *sourceStatus {
		if byID[source.ID] == nil {
			byID[source.ID] = &sourceStatus{ID: source.ID, Name: cmp.Or(source.Name, source.ID)}
		}
		return byID[source.ID]
	}
	for _, stored := range a.storedSources(ctx) {
		*find(stat.Source{ID: stored.ID, Name: stored.Name}) = stored
	}
	held, err := a.store.Quarantined(ctx)
	if err != nil {
		return nil, &stat.Error{Kind: stat.Unavailable, Message: "the quarantine cannot be read now; the log says why", Err: err}
	}
	for _, h := range held {
		if e := a.store.Catalog().Entry(h.ID); e != nil {
			find(stat.Source{ID: e.Source}).Quarantined++
		}
	}
	if a.watches != nil {
		offices, err := a.watches.Offices(ctx)
		if err != nil {
			return nil, &stat.Error{Kind: stat.Unavailable, Message: "what is watched cannot be read now; the log says why", Err: err}
		}
		for _, o := range offices {
			of := find(a.sourceOf(o.ID))
			of.add(o)
			if err := a.passedOn(ctx, o.ID, of); err != nil {
				return nil, &stat.Error{Kind: stat.Unavailable, Message: "what is watched cannot be read now; the log says why", Err: err}
			}
		}
	}
	sources := []sourceStatus{}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		sources = append(sources, byID[id].written())
	}
	return sources, nil
}

// passedOn says how old the data are that came from a server which is no source
// itself: it passes on those of others, as DBnomics does, or is an address.
func (a *API) passedOn(ctx context.Context, office string, s *sourceStatus) error {
	if s.stored {
		return nil
	}
	ids, err := a.watches.DatasetsOf(ctx, office)
	if err != nil {
		return err
	}
	catalog := a.store.Catalog()
	for _, id := range ids {
		if e := catalog.Entry(id); e != nil {
			s.count(e)
		}
	}
	return nil
}

// count takes a dataset in.
func (s *sourceStatus) count(e *store.Entry) {
	if s.Datasets++; s.Datasets == 1 {
		s.oldest, s.newest = e.LastUpdate, e.LastUpdate
	}
	if e.LastUpdate.Before(s.oldest) {
		s.oldest = e.LastUpdate
	}
	if e.LastUpdate.After(s.newest) {
		s.newest = e.LastUpdate
	}
}

// sourceOf is the source that an office's datasets are of.
func (a *API) sourceOf(office string) stat.Source {
	if office == "" {
		return plainSource
	}
	if source, ok := a.offices[office]; ok {
		return source
	}
	return stat.Source{ID: office}
}

type storedSourcesKey struct{}

// storedSources are the sources of the datasets that are stored.
func (a *API) storedSources(ctx context.Context) []sourceStatus {
	catalog := a.store.Catalog()
	return catalog.Memo(storedSourcesKey{}, func() any {
		at := map[string]int{}
		var sources []sourceStatus
		for i := range catalog.Entries {
			e := &catalog.Entries[i]
			n, known := at[e.Source]
			if !known {
				n = len(sources)
				at[e.Source] = n
				sources = append(sources, sourceStatus{ID: e.Source, Name: a.sourceName(ctx, e), stored: true})
			}
			sources[n].count(e)
		}
		return sources
	}).([]sourceStatus)
}

// sourceName is the name of a dataset's source. A dataset that cannot be read is
// no reason to say nothing of the others.
func (a *API) sourceName(ctx context.Context, e *store.Entry) string {
	v, err := a.store.Vintage(context.WithoutCancel(ctx), e.ID) // it is kept for other callers
	if err != nil {
		return e.Source
	}
	return cmp.Or(v.Dataset.Source.Name, e.Source)
}

// add adds what is known of an office's server. Several offices may serve the
// datasets of one source.
func (s *sourceStatus) add(o watch.Office) {
	s.Watched += o.Watched
	s.Failing += o.Failing
	if o.LastSuccess.After(s.success) {
		s.success = o.LastSuccess
	}
	if !o.LastError.IsZero() && (s.LastError == nil || o.LastError.After(s.LastError.at)) {
		s.LastError = &sourceError{Time: o.LastError.UTC().Format(catalogTime), Message: failureText(o.Error), at: o.LastError}
	}
}

// written is the source with its times in the catalog's form.
func (s *sourceStatus) written() sourceStatus {
	write := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(catalogTime)
	}
	s.LastSuccess, s.OldestUpdate, s.NewestUpdate = write(s.success.UTC()), write(s.oldest), write(s.newest)
	return *s
}

// toldFailure finds in a failure's text what may be told of it: the kind of
// failure, in the words of package fetch, and the server's status. What stands
// around it, addresses and what the server said, may not.
var toldFailure = regexp.MustCompile("(?:" + strings.Join([]string{
	"the server cannot be reached", "the server is too slow", "the server cannot answer now", "the answer came damaged or was cut off",
	"the server answers with a web page instead of data", "the server does not have it", "the answer is too big",
	"the server refuses the request", "this is not asked, since it is not safe",
}, "|") + ")(?:: status [1-5][0-9]{2}(?: [A-Z][A-Za-z' -]*)?)?")

// failureText says what a failure was. Of one that is none of these nothing is
// repeated: its text is for whoever runs the service.
func failureText(text string) string {
	return cmp.Or(strings.TrimSpace(toldFailure.FindString(text)), "the last attempt failed; the service's own log says why")
}
