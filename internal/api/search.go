package api

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/defaults"
	"almanac/internal/request"
	"almanac/internal/search"
	"almanac/internal/search/hits"
	"almanac/internal/stat"
)

// errNoIndex means that the index is not built yet, a short time after the start.
var errNoIndex = stat.Errorf(stat.Unavailable, "the index of the search is being built; try again in a few seconds")

// search replies with a page of datasets. The response depends on the generations of the
// catalogue and of the offers, on the parameters, and on the day: "last year".
func (x *exchange) search() (*reply, error) {
	p, err := bind[request.Search](x)
	if err != nil {
		return nil, err
	}
	q, err := searchQuery(&p, x.acceptLanguage())
	if err != nil {
		return nil, err
	}
	s := x.api.opts.Search
	if s == nil {
		return nil, errNoIndex
	}
	catalogue, offers, ok := x.awaitIndex(s)
	if !ok {
		return nil, errNoIndex
	}
	x.w.Header()["Vary"] = varyLanguage
	canonical, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	what := []byte(strings.Join([]string{"search", encoderVersion, defaults.Edition(), x.api.opts.Version, strconv.FormatBool(x.api.brings()), x.api.opts.Now().Format(time.DateOnly), string(canonical)}, " "))
	for _, generation := range []int64{catalogue, offers, x.api.opts.Store.Catalog().Generation} {
		what = binary.AppendVarint(what, generation)
	}
	if has := x.hasReply(tagOf(what)); has != nil {
		return has, nil
	}
	reader := x.api.hits
	if x.isAside {
		reader = reader.Hurried()
	}
	page, isWhole, err := reader.Find(x.r.Context(), s, q)
	if err != nil {
		return nil, err
	}
	x.api.addSources(page)
	if p.Page == 0 && p.Q != "" && !x.isAside {
		x.api.opts.Demand.Search(p.Q, page.Pagination.Total > 0 || catalogue < 0)
	}
	x.linkPages(p.Page, p.Limit, min(page.Pagination.Total, search.MaxDepth))
	if catalogue < 0 {
		isWhole = false
		if page.Pagination.Total == 0 { // which words no dataset has is not known yet
			page.Notices = slices.DeleteFunc(page.Notices, func(n hits.Notice) bool { return n.Parameter == "q" })
		}
		page.Notices = append(page.Notices, hits.Notice{Message: "the datasets of this service are still being indexed; only those that offices offer are found yet", Nearest: []string{}})
	}
	rep := jsonReply(searchText(page))
	if isWhole {
		rep.tag = tagOf(what)
	} else {
		rep.cacheControl = noStore
	}
	return rep, nil
}

// addSources adds what is known of the sources of a page: their names, and whether their datasets can be brought.
func (a *API) addSources(page *hits.Page) {
	for i := range page.Facets.Source {
		f := &page.Facets.Source[i]
		f.Label = a.sourceName(f.Value)
	}
	for i := range page.Data {
		h := &page.Data[i]
		h.SourceName = cmp.Or(h.SourceName, a.opts.Offices[h.Source].Name)
		if !h.Here {
			canBring := a.canBring(h.Source, h.Code)
			h.CanBeBrought = &canBring
		}
	}
}

// sourceName returns the name of a source: that in the table of offices, else that in its datasets.
// Empty: it has none.
func (a *API) sourceName(id string) string {
	if id == stat.LocalSource {
		return localFiles
	}
	if name := a.opts.Offices[id].Name; name != "" {
		return name
	}
	catalog := a.opts.Store.Catalog()
	return catalog.Memo(sourceNamesKey{}, func() any {
		names := map[string]string{}
		for i := range catalog.Entries {
			e := &catalog.Entries[i]
			names[strings.ToLower(e.Source)] = cmp.Or(names[strings.ToLower(e.Source)], e.SourceName)
		}
		return names
	}).(map[string]string)[id]
}

type sourceNamesKey struct{}

// localFiles is the name of the source of local files, of which each names its own publisher.
const localFiles = "Local files"

// hasReply returns a reply without a body if the caller names the ETag of a reply with a tag in one
// of the codings that it accepts, else nil. So a reply that the caller has is not computed.
func (x *exchange) hasReply(t tag) *reply {
	accepted := parseAccept(x.r.Header["Accept-Encoding"])
	for _, list := range x.r.Header["If-None-Match"] {
		switch {
		case strings.Contains(list, t.etag(accepted.large)):
			return &reply{status: http.StatusNotModified, tag: t}
		case strings.Contains(list, t.etag(accepted.small)):
			return &reply{status: http.StatusNotModified, tag: t, isPacked: true}
		}
	}
	return nil
}

// How long a request waits for an index that is being built. That of a small store is there
// sooner.
const (
	indexTime  = 150 * time.Millisecond
	indexPause = 10 * time.Millisecond
)

// awaitIndex returns the generations of the index as soon as there is one. That of the
// catalogue is negative if only the offers can be found yet.
func (x *exchange) awaitIndex(s *search.Search) (catalogue, offers int64, ok bool) {
	late := time.After(indexTime)
	for {
		if catalogue, offers = s.Generation(); catalogue >= 0 {
			return catalogue, offers, true
		}
		select {
		case <-time.After(indexPause):
		case <-late:
			return catalogue, offers, offers >= 0
		case <-x.r.Context().Done():
			return 0, 0, false
		}
	}
}

// searchQuery returns the query of the parameters and of the header Accept-Language.
func searchQuery(p *request.Search, acceptLanguage string) (*search.Query, error) {
	language, err := request.BaseLanguage(p.Lang, acceptLanguage)
	if err != nil {
		return nil, err
	}
	since, err := p.Since()
	if err != nil {
		return nil, err
	}
	q := &search.Query{
		Text: p.Q, Source: p.Source, Topic: p.Topic, Frequency: p.Frequency, Area: p.Area,
		LastPeriodFrom: p.LastPeriodFrom, UpdatedSince: since, Language: language, Limit: p.Limit, Page: p.Page,
	}
	if q.Order.By, q.Order.IsDescending, err = p.Order(); err != nil {
		return nil, err
	}
	switch p.Here {
	case "":
	case "true", "1", "here":
		q.Here = "here"
	case "false", "0", "offered":
		q.Here = "offered"
	default:
		return nil, stat.Errorf(stat.Invalid, "parameter here must be true, false, 1, 0, here or offered, not %.40q", p.Here)
	}
	return q, nil
}

// searchText encodes a page without the keys that a caller may have sent by mistake.
func searchText(page *hits.Page) []byte {
	for i := range page.Notices {
		n := &page.Notices[i]
		n.Value, n.Message = access.Redact(n.Value), access.Redact(n.Message)
		for k, text := range n.Nearest {
			n.Nearest[k] = access.Redact(text)
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(page); err != nil {
		panic(err) // a page consists of texts and numbers
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}
