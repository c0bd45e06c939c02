package api

import (
	"fmt"
	"strconv"
	"time"

	"almanac/internal/encode/json"
	"almanac/internal/licence"
	"almanac/internal/request"
	"almanac/internal/search"
	"almanac/internal/search/hits"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/topics"
	"almanac/internal/watch"
)

// listing replies with a page of the catalogue in a chosen order, of some datasets, with
// chosen members.
func (x *exchange) listing(c *store.Catalog, p *request.Catalog, readers request.Readers) (*reply, error) {
	var unknown []request.Notice
	l, err := request.ParseCatalog(c, p, func() (ids []int, err error) {
		ids, unknown, err = x.foundFor(p)
		return ids, err
	})
	if err != nil {
		return nil, err
	}
	l.Notices = append(unknown, l.Notices...)
	total := len(l.Positions)
	from, to := pageBounds(p.Page, p.Limit, total)
	page := listPage{catalog: c, readers: readers, fields: l.Fields, positions: l.Positions[from:to]}
	if err := page.read(x); err != nil {
		return nil, err
	}
	buf := append(page.append([]byte(`{"data":[`)), ']')
	buf = appendPagination(buf, p.Page, p.Limit, total)
	x.linkPages(p.Page, p.Limit, total)
	rep := constantReply(append(appendNotices(buf, l.Notices), '}'))
	if !p.IsSearch() && l.Fields.ChangeWithData() {
		rep.modified = modifiedAt(c.Changed)
	}
	return rep, nil
}

// foundFor returns the IDs of the datasets that the search finds for the parameters q and
// topic, and a notice for each unknown topic.
func (x *exchange) foundFor(p *request.Catalog) (ids []int, notices []request.Notice, err error) {
	query := search.Query{Text: p.Q}
	for _, value := range p.Topic {
		if t, ok := topics.Find(value); ok {
			query.Topic = append(query.Topic, t.Code)
			continue
		}
		n := request.NewNotice("topic", value, fmt.Sprintf("%.100q is not the code or name of a topic; /api/topics lists them", value))
		if len(notices) == 0 {
			n.Nearest = append(n.Nearest, topics.Nearest(value)...)
		}
		notices = append(notices, n)
	}
	if p.Topic != nil && query.Topic == nil {
		return nil, notices, nil
	}
	s, err := x.index()
	if err != nil {
		return nil, nil, err
	}
	ids, corrected, err := s.Stored(x.r.Context(), query)
	for _, n := range hits.Corrections(p.Q, corrected, x.titlesOf(ids, corrected)) {
		notices = append(notices, request.Notice(n))
	}
	return ids, notices, err
}

// titlesOf returns the titles of the first datasets that were found by a question with corrected words.
func (x *exchange) titlesOf(ids []int, corrected []search.Correction) (titles []string) {
	if len(corrected) == 0 {
		return nil
	}
	const most = 20
	catalog := x.api.opts.Store.Catalog()
	for _, id := range ids[:min(len(ids), most)] {
		if e := catalog.Entry(id); e != nil {
			titles = append(titles, e.Name)
		}
	}
	return titles
}

// index returns the search as soon as its index is built, or an error after a short time.
func (x *exchange) index() (*search.Search, error) {
	s := x.api.opts.Search
	if s == nil {
		return nil, errNoIndex
	}
	if catalogue, _, _ := x.awaitIndex(s); catalogue < 0 {
		return nil, errNoIndex // it may have the offers by now, but lacks what is here
	}
	return s, nil
}

// listPage is a page of datasets with the fields that are not in the catalogue's memory.
type listPage struct {
	catalog   *store.Catalog
	readers   request.Readers
	fields    request.Fields
	positions []int32

	texts   map[int]string    // descriptions
	topics  map[int][]string  // codes
	checked map[int]time.Time // of watched datasets

	areFetched bool // a process fetches new versions of watched datasets
}

// read reads the fields that are in a database or in the index of the search.
func (l *listPage) read(x *exchange) (err error) {
	ctx, a := x.r.Context(), x.api
	ids := make([]int, len(l.positions))
	for i, at := range l.positions {
		ids[i] = l.catalog.Entries[at].ID
	}
	if l.fields["topics"] {
		index, err := x.index()
		if err != nil {
			return err
		}
		l.topics = index.TopicsOf(ids)
	}
	if l.fields["description"] {
		if l.texts, err = a.opts.Store.DescriptionsIn(ctx, ids, l.readers); err != nil {
			return &stat.Error{Kind: stat.Unavailable, Message: "descriptions cannot be read at the moment; see the log", Err: err}
		}
	}
	if (l.fields["kept_up_to_date"] || l.fields["last_checked"]) && a.opts.Watches != nil {
		if l.checked, err = a.opts.Watches.Checked(ctx, ids); err != nil {
			return errUnreadWatches(err)
		}
	}
	if l.fields["kept_up_to_date"] && len(l.checked) > 0 {
		if l.areFetched, err = a.opts.Watches.IsDone(watch.FetchesUpdates); err != nil {
			return errUnreadWatches(err)
		}
	}
	return nil
}

func errUnreadWatches(err error) error {
	return &stat.Error{Kind: stat.Unavailable, Message: "the watched datasets cannot be read at the moment; see the log", Err: err}
}

func (l *listPage) append(buf []byte) []byte {
	for _, at := range l.positions {
		e := &l.catalog.Entries[at]
		buf = appendEntry(append(json.AppendComma(buf), '{'), e, l.readers.Name(e))
		buf = l.appendFields(buf, int(at), e)
		buf = append(buf, '}')
	}
	return buf
}

// appendEntry appends the members that every dataset in the list has.
func appendEntry(buf []byte, e *store.Entry, name string) []byte {
	buf = json.AppendInt(buf, "id", int64(e.ID))
	buf = json.AppendString(json.AppendName(buf, "dataset_name"), name)
	buf = append(json.AppendName(buf, "last_update"), '"')
	return append(e.LastUpdate.AppendFormat(buf, catalogTime), '"')
}

func (l *listPage) appendFields(buf []byte, at int, e *store.Entry) []byte {
	if l.fields["source"] {
		buf = json.AppendText(buf, "source", e.Source)
		buf = json.AppendText(buf, "source_name", e.SourceName)
	}
	if l.fields["code"] {
		buf = json.AppendText(buf, "dataset_code", e.Code)
	}
	if l.fields["version"] {
		buf = json.AppendText(buf, "version", e.Version)
	}
	if l.fields["versions"] {
		buf = json.AppendInt(buf, "versions", int64(e.Versions))
	}
	if l.fields["description"] {
		buf = json.AppendText(buf, "description", l.texts[e.ID])
	}
	if l.fields["topics"] {
		buf = appendTopics(buf, l.topics[e.ID])
	}
	if l.fields["frequency"] {
		buf = json.AppendTexts(json.AppendName(buf, "frequencies"), json.FrequencyNames(e.Frequencies))
	}
	if l.fields["periods"] {
		buf = json.AppendText(buf, "oldest_period", e.Oldest.String())
		buf = json.AppendText(buf, "latest_period", e.Newest.String())
	}
	areas := l.catalog.Areas(at)
	if l.fields["areas"] {
		buf = json.AppendInt(buf, "areas", int64(len(areas)))
	}
	if l.fields["available_geo"] {
		buf = json.AppendTexts(json.AppendName(buf, "available_geo"), areas)
	}
	if l.fields["observations"] {
		buf = json.AppendInt(buf, "observations", int64(e.Observations))
	}
	if l.fields["licence"] {
		d := licence.Dataset{Source: e.Source, Name: e.Name, Updated: e.LastUpdate, Licence: e.Licence, Attribution: e.Attribution}
		buf = json.AppendLicence(buf, d, l.catalog.AllowsBulk(e.Source))
	}
	if l.fields["next_update"] {
		buf = json.AppendText(buf, "next_update", nextUpdateText(e.NextUpdate))
	}
	return l.appendChecked(buf, e)
}

// nextUpdateText writes when a source updates a dataset next: a day if it states no time of the
// day, empty if it states nothing.
func nextUpdateText(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format(time.RFC3339)
}

func appendTopics(buf []byte, codes []string) []byte {
	buf = append(json.AppendName(buf, "topics"), '[')
	for _, code := range codes {
		if t, ok := topics.Find(code); ok {
			buf = json.AppendText(append(json.AppendComma(buf), '{'), "code", t.Code)
			buf = append(json.AppendText(buf, "name", t.Name), '}')
		}
	}
	return append(buf, ']')
}

// appendChecked appends whether the dataset is kept up to date, and when it was last
// checked for that.
func (l *listPage) appendChecked(buf []byte, e *store.Entry) []byte {
	at, isWatched := l.checked[e.ID]
	if l.fields["kept_up_to_date"] {
		buf = strconv.AppendBool(json.AppendName(buf, "kept_up_to_date"), isWatched && l.areFetched)
	}
	if l.fields["last_checked"] && !at.IsZero() {
		buf = json.AppendText(buf, "last_checked", at.UTC().Format(catalogTime))
	}
	return buf
}
