package api

import (
	"encoding/binary"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/defaults"
	"almanac/internal/encode/json"
	"almanac/internal/licence"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// data replies with a part of a dataset. The query runs when send calls encode.
func (x *exchange) data() (*reply, error) {
	x.varyByForm()
	form, _, err := formFor(x.r.Header["Accept"])
	if err != nil {
		return nil, err
	}
	if form != nil {
		return x.file(form)
	}
	if rep := x.unchangedData(); rep != nil {
		return rep, nil
	}
	return x.jsonData()
}

// jsonData replies with a part of a dataset as JSON.
func (x *exchange) jsonData() (*reply, error) {
	sel, err := x.selected(&x.params, request.Bind(x.r.URL.RawQuery, &x.params))
	if err != nil {
		return nil, err
	}
	if sel.params.DryRun {
		return x.dryRun(sel), nil
	}
	encode := func(s *stream) error {
		s.Buf = append(s.Buf, '{')
		if err := x.writeData(s, sel); err != nil {
			return err
		}
		s.Buf = append(s.Buf, '}')
		return nil
	}
	rep := &x.reply
	*rep = reply{tag: sel.tag("data"), modified: sel.modified(), encode: encode, isKept: sel.isWhole()}
	if !sel.dependsOnMore() && x.r.Header["If-None-Match"] != nil {
		x.api.tags.put(x.tagKey(sel.vintage.Stored()), rep.tag) // for unchangedData
	}
	return rep, nil
}

// unchangedData returns a 304 for a repeated query string, without parsing it, or nil if
// the caller is not known to have the response.
func (x *exchange) unchangedData() *reply {
	if x.r.Header["If-None-Match"] == nil {
		return nil
	}
	v, err := x.vintage(request.Edition{})
	if err != nil {
		return nil // data reports the errors in order
	}
	base := baseOf(v)
	x.varyByLanguage(v)
	t, ok := x.api.tags.get(x.tagKey(v))
	rep := &reply{status: http.StatusNotModified, tag: t, modified: base.modified}
	if !ok || !notModified(x.r.Header, t.etag(rep.coding(parseAccept(x.r.Header["Accept-Encoding"]))), rep.modified.at) {
		return nil
	}
	return rep
}

// tagKey returns the key of the tag of the response to a query string, of a vintage that is
// no view.
func (x *exchange) tagKey(v *store.Vintage) tagKey {
	query := x.r.URL.RawQuery
	if v.Languages() != nil {
		query += "\n" + x.acceptLanguage()
	}
	return tagKey{baseOf(v), query}
}

func (x *exchange) details() (*reply, error) {
	p, err := bind[request.Details](x)
	if err != nil {
		return nil, err
	}
	v, notices, err := x.localisedVintage(p.Lang, p.Edition)
	if err != nil {
		return nil, err
	}
	encode := func(s *stream) error {
		extract, err := v.Select(x.r.Context(), stat.Query{Flags: p.Flags})
		if err != nil {
			return err
		}
		s.Buf = json.AppendDataset(append(s.Buf, `{"dataset":`...), v)
		s.Buf = append(s.Buf, `,"data":`...)
		if _, err := s.Series(v, extract, json.SeriesOptions{Flags: p.Flags, Codes: p.Codes}); err != nil {
			return err
		}
		s.Buf = append(appendNotices(s.Buf, notices), '}')
		return nil
	}
	if err := checkBulk(v, true); err != nil {
		return nil, err
	}
	what := "details"
	if p.Flags {
		what = "details with flags"
	}
	what += withCodes(p.Codes)
	base := baseOf(v)
	return &reply{tag: base.tag(what, notices...), modified: base.modified, encode: encode, isKept: true}, nil
}

// selectsAll reports whether a query selects the whole dataset.
func selectsAll(q *stat.Query) bool {
	return q.Select == nil && q.From.IsZero() && q.To.IsZero() && q.Within.IsZero() && q.Latest == "" && q.FirstN == 0 && q.LastN == 0
}

func (x *exchange) meta() (*reply, error) {
	p, err := bind[request.Texts](x)
	if err != nil {
		return nil, err
	}
	v, notices, err := x.localisedVintage(p.Lang, p.Edition)
	if err != nil {
		return nil, err
	}
	base, next := baseOf(v), x.nextUpdate(v)
	if notices == nil && next == "" {
		return &reply{tag: base.metaTag, modified: base.modified, body: base.meta}, nil
	}
	text := json.AppendText(slices.Clone(base.meta.plain[:len(base.meta.plain)-1]), "next_update", next)
	rep := &reply{tag: base.tag("meta"+next, notices...), body: newBody(append(appendNotices(text, notices), '}'))}
	if next == "" { // a date can change without a new version
		rep.modified = base.modified
	}
	return rep, nil
}

// nextUpdate returns when the source updates a dataset next, for its current version; empty if that
// is not known.
func (x *exchange) nextUpdate(v *store.Vintage) string {
	e := x.api.opts.Store.Catalog().Entry(v.Dataset.ID)
	if e == nil || e.Version != v.Version {
		return ""
	}
	return nextUpdateText(e.NextUpdate)
}

func (x *exchange) dimensions() (*reply, error) {
	p, err := bind[request.Texts](x)
	if err != nil {
		return nil, err
	}
	v, notices, err := x.localisedVintage(p.Lang, p.Edition)
	if err != nil {
		return nil, err
	}
	base := baseOf(v)
	encode := func(s *stream) error {
		if err := s.Dimensions(v); err != nil {
			return err
		}
		s.Buf = append(appendNotices(s.Buf, notices), '}')
		return nil
	}
	return &reply{tag: base.tag("dimensions with iso", notices...), modified: base.modified, encode: encode}, nil
}

// latest replies with the latest values of the default series or of a chosen one.
func (x *exchange) latest() (*reply, error) {
	p, err := bind[request.Latest](x)
	if err != nil {
		return nil, err
	}
	v, notices, err := x.localisedVintage(p.Lang, p.Edition)
	if err != nil {
		return nil, err
	}
	query, unknown, err := request.Parse(v, &request.Data{Dims: p.Dims, Country: p.Country, NoAggregates: p.NoAggregates, Latest: true, LatestMode: p.LatestMode}, nil)
	if err != nil {
		return nil, err
	}
	notices = append(unknown, notices...)
	if query.Select == nil && query.Latest == stat.LatestLast && notices == nil && !p.Codes {
		return x.defaultLatest(v)
	}
	found, err := v.LatestOf(query.Select, query.Latest)
	if err == nil {
		err = x.checkShare(v, len(found.Areas))
	}
	if err != nil {
		return nil, addNotices(err, notices)
	}
	projected, err := request.ProjectionNotice(v, query, found)
	if err != nil {
		return nil, err
	}
	notices = append(notices, projected...)
	base := baseOf(v)
	memory := make([]byte, 0, 1024+64*len(found.Areas)) // mostly enough
	text := append(appendNotices(json.AppendLatest(memory, v.Dataset, found, query.Latest, p.Codes), notices), '}')
	return &reply{tag: base.queryTag(&query, notices, "latest ", withCodes(p.Codes)), modified: base.modified, body: newBody(text)}, nil
}

type defaultLatestKey struct{}

// defaultLatest returns the reply for the default series, rendered once.
func (x *exchange) defaultLatest(v *store.Vintage) (*reply, error) {
	latest, err := v.Default()
	if err != nil {
		return nil, err
	}
	if latest == nil {
		return nil, stat.Errorf(stat.NotFound, "dataset %d has no values", v.Dataset.ID)
	}
	if err := x.checkShare(v, len(latest.Areas)); err != nil {
		return nil, err
	}
	notices, err := request.ProjectionNotice(v, stat.Query{Latest: stat.LatestLast}, latest)
	if err != nil {
		return nil, err
	}
	return v.Memo(defaultLatestKey{}, func() any {
		base := baseOf(v)
		text := append(appendNotices(json.AppendLatest(nil, v.Dataset, latest, stat.LatestLast, false), notices), '}')
		return &reply{tag: base.tag("latest", notices...), modified: base.modified, body: newBody(text)}
	}).(*reply), nil
}

// addNotices adds the unknown values to the error that no series is left.
func addNotices(err error, notices []request.Notice) error {
	known, ok := errors.AsType[*stat.Error](err)
	if !ok || known.Kind != stat.NotFound || len(notices) == 0 {
		return err
	}
	return &stat.Error{Kind: stat.NotFound, Message: known.Message + "; " + request.JoinNotices(notices), Err: err}
}

// replyBase is what the replies about a vintage share.
type replyBase struct {
	identity  tag // digest of what every tag of the vintage depends on
	modified  lastModified
	meta      *body
	metaTag   tag
	reference string // such as eurostat:une_rt_a
}

type replyBaseKey struct{ allowsBulk bool }

// withCodes returns what the tag of a response has if codes stand beside its labels.
func withCodes(isWanted bool) string {
	if isWanted {
		return " with codes "
	}
	return ""
}

func baseOf(v *store.Vintage) *replyBase {
	return v.Memo(replyBaseKey{v.AllowsBulk()}, func() any {
		meta, _ := json.Meta(v) // vintageOf has checked it
		base := &replyBase{identity: tagOf([]byte(identityOf(v))), modified: modifiedAt(v.Imported), meta: newBody(meta), reference: v.Dataset.Source.ID + ":" + v.Dataset.Code}
		base.metaTag = base.tag("meta")
		return base
	}).(*replyBase)
}

// identityOf returns what every tag of a vintage depends on.
func identityOf(v *store.Vintage) string {
	identity := strings.Join([]string{"vintage", encoderVersion, defaults.Edition(), licence.Edition(), strconv.FormatBool(v.AllowsBulk()), strconv.Itoa(v.Dataset.ID), v.Version, v.Digest, strconv.FormatInt(v.LastUpdate.Unix(), 10), ""}, " ")
	if c := v.Changes(); c != nil {
		identity += "since " + c.Since + " "
	}
	if v.IsView() {
		identity += "in " + v.Dataset.Language + " "
	}
	return identity
}

// tag returns the tag of a response of the vintage without parameters.
func (b *replyBase) tag(what string, notices ...request.Notice) tag {
	return tagOf(appendNotices(append(b.identity[:], what...), notices))
}

// queryTag returns the tag of the response to a query, however that is written.
func (b *replyBase) queryTag(q *stat.Query, notices []request.Notice, what ...string) tag {
	var memory [256]byte
	buf := append(memory[:0], b.identity[:]...)
	for _, text := range what {
		buf = append(buf, text...)
	}
	for _, codes := range q.Select {
		if codes == nil {
			buf = append(buf, '*')
			continue
		}
		buf = binary.AppendUvarint(append(buf, '='), uint64(len(codes)))
		for _, code := range codes {
			buf = binary.AppendUvarint(buf, uint64(code))
		}
	}
	for _, p := range [...]stat.Period{q.From, q.To, q.Within} {
		buf = append(binary.AppendVarint(buf, int64(p.StartDay())), byte(p.Frequency()))
	}
	buf = strconv.AppendBool(append(buf, q.Latest...), q.Flags)
	if q.FirstN > 0 || q.LastN > 0 {
		buf = binary.AppendUvarint(binary.AppendUvarint(buf, uint64(q.FirstN)), uint64(q.LastN))
	}
	return tagOf(appendNotices(buf, notices))
}

// withoutKeys returns notices that do not repeat a key that a caller sent by mistake.
func withoutKeys(notices []request.Notice) []request.Notice {
	notices = slices.Clone(notices)
	for i := range notices {
		n := &notices[i]
		n.Value, n.Message = access.Redact(n.Value), access.Redact(n.Message)
	}
	return notices
}

// appendNotices appends the JSON member "notices", if there are any.
func appendNotices(buf []byte, notices []request.Notice) []byte {
	if len(notices) == 0 {
		return buf
	}
	buf = append(buf, `,"notices":[`...)
	for _, n := range withoutKeys(notices) {
		buf = append(json.AppendComma(buf), '{')
		buf = json.AppendString(json.AppendName(buf, "parameter"), n.Parameter)
		buf = json.AppendString(json.AppendName(buf, "value"), n.Value)
		buf = json.AppendString(json.AppendName(buf, "message"), n.Message)
		buf = json.AppendTexts(json.AppendName(buf, "nearest"), n.Nearest)
		buf = append(buf, '}')
	}
	return append(buf, ']')
}
