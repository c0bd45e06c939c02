package api

import (
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/encode/json"
	"almanac/internal/stat"
)

func (a *API) checkLimit(limit int) error {
	if limit > a.opts.MaxLimit {
		return stat.Errorf(stat.Invalid, "parameter limit must be between 1 and %d, not %d", a.opts.MaxLimit, limit)
	}
	return nil
}

// pageBounds returns the index of the first entry of a page and of the one after its
// last.
func pageBounds(page, limit, total int) (from, to int) {
	if page > total/limit {
		return total, total // page × limit might overflow
	}
	from = min(page*limit, total)
	return from, min(from+limit, total)
}

func appendPagination(buf []byte, page, limit, total int) []byte {
	_, end := pageBounds(page, limit, total)
	buf = json.AppendInt(append(json.AppendName(buf, "pagination"), '{'), "page", int64(page))
	buf = json.AppendInt(buf, "limit", int64(limit))
	buf = json.AppendInt(buf, "total", int64(total))
	return append(strconv.AppendBool(json.AppendName(buf, "hasMore"), end < total), '}')
}

// linkPages sets the header Link (RFC 8288) to the first, previous, next and last page of a
// list, with the parameters of the request. Addresses are absolute if the base address is
// known.
func (x *exchange) linkPages(page, limit, total int) {
	last := 0
	if total > 0 {
		last = (total - 1) / limit
	}
	var links []string
	before := x.addressOfPages()
	add := func(rel string, page int) {
		links = append(links, "<"+before+strconv.Itoa(page)+`>; rel="`+rel+`"`)
	}
	add("first", 0)
	if page > 0 {
		add("prev", min(page-1, last))
	}
	if page < last {
		add("next", page+1)
	}
	add("last", last)
	x.w.Header()["Link"] = []string{strings.Join(links, ", ")}
}

// escapeInLinks encodes what cannot stand in an address in the header Link.
var escapeInLinks = strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22")

// addressOfPages returns the address of the pages of the list that the request asks for, up to
// the number of the page.
func (x *exchange) addressOfPages() string {
	var kept []string
	for pair := range strings.SplitSeq(x.r.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); pair != "" && (err != nil || plain != "page") {
			kept = append(kept, escapeInLinks.Replace(pair))
		}
	}
	query := strings.Join(append(kept, "page="), "&")
	return access.Redact(x.api.opts.BaseURL + x.r.URL.EscapedPath() + "?" + query)
}
