package api

import (
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
	if p.Followed && x.caller.Organisation == 0 {
		return nil, errFollowedNeedsKey
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
	if !p.Followed && notModified(x.r.Header, rep.tag.etag(rep.coding(parseAccept(x.r.Header["Accept-Encoding"]))), x.dateOf(rep)) {
		rep.status = http.StatusNotModified
		return rep, nil
	}
	text, err := x.revisionPage(&p, old, now)
	if rep.body = newBody(text); p.Followed { // what the organisation follows may change
		rep.tag, rep.modified = tagOf(text), lastModified{}
	}
	return rep, err
}

// compared opens the two versions that revisions are listed of, in the caller's language. old is
// nil if there is no version before the newer one and the caller chooses none.
func (x *exchange) compared(p *request.Revisions) (old, now *store.Vintage, err error) {
	isHeld := x.isOperator && p.To == store.HeldVersion
	if isHeld {
		p.To = ""
	}
	from, to, err := p.Versions()
	if err != nil {
		return nil, nil, err
	}
	now, err = x.vintageAt(to)
	if err == nil && to == (store.At{}) && !isHeld && now.IsInstead() { // the one that was asked for is damaged
		now, err = x.vintageAt(store.At{Version: x.api.opts.Store.Catalog().Entry(now.Dataset.ID).Version})
	}
	if err != nil {
		return nil, nil, err
	}
	if isHeld { // compared with the version that it would replace
		old = now
		if now, err = x.api.opts.Store.OpenQuarantined(x.r.Context(), old.Dataset.ID); err != nil {
			return nil, nil, err
		}
		return old, now, nil
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
