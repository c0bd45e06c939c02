package api

import (
	"fmt"
	"net/http"
	"strconv"

	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// versions replies with a page of the versions of a dataset, newest first.
func (x *exchange) versions() (*reply, error) {
	p, err := bind[request.Versions](x)
	if err == nil {
		err = x.api.checkLimit(p.Limit)
	}
	if err != nil {
		return nil, err
	}
	v, err := x.vintage(request.Edition{})
	if err != nil {
		return nil, err
	}
	list, err := x.api.opts.Store.Versions(x.r.Context(), v.Dataset.ID)
	if err != nil {
		return nil, err
	}
	total := len(list)
	from, to := pageBounds(p.Page, p.Limit, total)
	buf := []byte(`{"data":[`)
	for i := from; i < to; i++ {
		version := &list[total-1-i]
		buf = json.AppendVersion(json.AppendComma(buf), version, x.versionAddress(v.Dataset.ID, version.Version))
	}
	buf = appendPagination(append(buf, ']'), p.Page, p.Limit, total)
	x.linkPages(p.Page, p.Limit, total)
	rep := constantReply(append(buf, '}'))
	rep.modified = modifiedAt(v.Imported)
	return rep, nil
}

// versionAddress returns the address of the data of a version.
func (x *exchange) versionAddress(id int, version string) string {
	return x.api.opts.BaseURL + "/api/datasets/" + strconv.Itoa(id) + "/data?version=" + version
}

// revisions replies with a page of the observations that differ between two versions of a
// dataset.
func (x *exchange) revisions() (*reply, error) {
	p, err := bind[request.Revisions](x)
	if err == nil {
		err = x.api.checkLimit(p.Limit)
	}
	if err != nil {
		return nil, err
	}
	old, now, err := x.compared(&p)
	if err != nil {
		return nil, err
	}
	base := baseOf(now)
	what := "revisions " + x.r.URL.RawQuery
	if old != nil {
		what += "\n" + string(baseOf(old).identity[:])
	}
	rep := &reply{tag: base.tag(what), modified: base.modified}
	if notModified(x.r.Header, rep.tag.etag(rep.coding(parseAccept(x.r.Header["Accept-Encoding"]))), x.dateOf(rep)) {
		rep.status = http.StatusNotModified
		return rep, nil
	}
	text, err := x.revisionPage(&p, old, now)
	rep.body = newBody(text)
	return rep, err
}

// compared opens the two versions that revisions are listed of, in the caller's language. old is
// nil if there is no version before the newer one and the caller chooses none.
func (x *exchange) compared(p *request.Revisions) (old, now *store.Vintage, err error) {
	from, to, err := p.Versions()
	if err != nil {
		return nil, nil, err
	}
	if now, err = x.vintageAt(to); err != nil {
		return nil, nil, err
	}
	if from == (store.At{}) {
		old, err = x.api.opts.Store.Before(x.r.Context(), now)
	} else {
		old, err = x.vintageAt(from)
	}
	if err != nil {
		return nil, nil, err
	}
	if old != nil && now.IsBefore(old) {
		return nil, nil, stat.Errorf(stat.Invalid, "from is version %s and to is version %s; from must be the older one", old.Version, now.Version)
	}
	for _, v := range []**store.Vintage{&old, &now} {
		if *v == nil {
			continue
		}
		l, err := x.localised(*v, p.Lang)
		if err != nil {
			return nil, nil, err
		}
		*v = l.Vintage
	}
	return old, now, nil
}

// revisionPage returns a page of the revisions between two versions; none if old is nil.
func (x *exchange) revisionPage(p *request.Revisions, old, now *store.Vintage) ([]byte, error) {
	isAlone := old == nil
	if isAlone {
		old = now
	}
	sides, isSelected, notices, err := p.Filter(old, now)
	if err != nil {
		return nil, err
	}
	id := now.Dataset.ID
	buf := json.AppendInt([]byte{'{'}, "id", int64(id))
	buf = json.AppendText(buf, "dataset_code", now.Dataset.Code)
	buf = json.AppendText(buf, "dataset_name", now.Dataset.Name)
	if !isAlone {
		buf = json.AppendVersion(json.AppendName(buf, "from"), old.Description(), x.versionAddress(id, old.Version))
	}
	buf = json.AppendVersion(json.AppendName(buf, "to"), now.Description(), x.versionAddress(id, now.Version))
	buf = append(json.AppendName(buf, "data"), '[')
	total := 0
	skipped := int64(p.Page) * int64(p.Limit)
	if p.Page > 0 && skipped/int64(p.Page) != int64(p.Limit) {
		skipped = int64(now.Observations) + int64(old.Observations) // a page past the end
	}
	counts, err := x.api.opts.Store.Revisions(x.r.Context(), sides[0], sides[1], isSelected, func(r *store.Revision) {
		if p.Kind != "" && store.RevisionKind(p.Kind) != r.Kind {
			return
		}
		if at := int64(total); at >= skipped && at < skipped+int64(p.Limit) {
			buf = json.AppendRevision(json.AppendComma(buf), r)
		}
		total++
	})
	if err == nil {
		err = x.checkShare(now, counts.Sum())
	}
	if err != nil {
		return nil, err
	}
	buf = append(buf, ']')
	buf = json.AppendInt(buf, "added", int64(counts.Added))
	buf = json.AppendInt(buf, "revised", int64(counts.Revised))
	buf = json.AppendInt(buf, "removed", int64(counts.Removed))
	buf = appendPagination(buf, p.Page, p.Limit, total)
	x.linkPages(p.Page, p.Limit, total)
	if !store.HaveSameAxes(old, now) {
		notices = append(notices, request.NewNotice("from, to", "", fmt.Sprintf("versions %s and %s have different dimensions, so that no series matches: all of the older one is listed as removed, then all of the newer one as added", old.Version, now.Version)))
	}
	return append(appendNotices(buf, notices), '}'), nil
}

// changedSince returns a view of a vintage with only what was added or changed since a time, and
// notices on what it does not show.
func (x *exchange) changedSince(v *store.Vintage, p request.Data) (*store.Vintage, []request.Notice, error) {
	if p.Transform != "" {
		return nil, nil, stat.Errorf(stat.Invalid, "transform and updated_since cannot be combined: values that have not changed are needed to derive others; leave one of them out")
	}
	since, err := p.Since()
	if err != nil {
		return nil, nil, err
	}
	view, wasDeleted, err := x.api.opts.Store.ChangedSince(x.r.Context(), v, since)
	if err != nil {
		return nil, nil, err
	}
	c, message := view.Changes(), ""
	switch {
	case wasDeleted:
		message = "the version that was current before is no longer kept, so that all observations are here"
	case c.Since == v.Version:
		message = fmt.Sprintf("nothing has changed: version %s was published before", v.Version)
	case c.Removed > 0:
		message = fmt.Sprintf("values of the dataset that were removed since version %s: %d; listed at %s/api/datasets/%d/revisions?from=%s&to=%s&kind=removed",
			c.Since, c.Removed, x.api.opts.BaseURL, v.Dataset.ID, c.Since, v.Version)
	default:
		return view, nil, nil
	}
	return view, []request.Notice{request.NewNotice("updated_since", p.UpdatedSince, message)}, nil
}
