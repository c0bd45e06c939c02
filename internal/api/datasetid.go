package api

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Wherever the id of a dataset stands in an address, its source and code may stand instead:
// eurostat:une_rt_a. A code with a slash may be written as it is or with %2F.

// vintage opens the current vintage of the dataset in the address.
func (x *exchange) vintage() (*store.Vintage, error) {
	text := x.r.PathValue("id")
	v, err := x.vintageOf(text)
	if err == nil && isReference(text) {
		x.locate(v.Dataset.ID)
	}
	return v, err
}

// vintageOf opens the current vintage of the dataset with an id in text form, or with a
// source and code.
func (x *exchange) vintageOf(text string) (*store.Vintage, error) {
	id, err := x.datasetID(text)
	var v *store.Vintage
	if err == nil {
		v, err = x.api.opts.Store.Vintage(x.r.Context(), id)
	}
	x.demands(text, v, err)
	if err != nil {
		return nil, err
	}
	if _, err := v.Default(); err != nil { // what follows relies on it
		return nil, err
	}
	return v, nil
}

// datasetID returns the id of a dataset in text form, or that of the dataset with a source
// and code. It does not check that there is a dataset with the id.
func (x *exchange) datasetID(text string) (int, error) {
	if isReference(text) {
		return x.idOfReference(text)
	}
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, stat.Errorf(stat.Invalid, "a dataset id must be a decimal integer, or a source and code such as eurostat:une_rt_a, not %.200q; /api/datasets lists all datasets", text)
	}
	id, err := strconv.Atoi(text)
	if err != nil {
		return 0, stat.Errorf(stat.NotFound, "there is no dataset %s; /api/datasets lists all datasets", text)
	}
	return id, nil
}

func isReference(text string) bool { return strings.Contains(text, ":") }

func (x *exchange) idOfReference(text string) (int, error) {
	source, code, _ := strings.Cut(text, ":")
	if source == "" || code == "" {
		return 0, stat.Errorf(stat.Invalid, "a dataset is named by its source and code, such as eurostat:une_rt_a, not %.200q", text)
	}
	c := x.api.opts.Store.Catalog()
	if e := c.Find(source, code); e != nil {
		return e.ID, nil
	}
	if of, ok := x.api.opts.Offices[strings.ToLower(source)]; ok { // a server that is not a source of its own
		if e := c.Find(of.ID, code); e != nil {
			return e.ID, nil
		}
	}
	return 0, stat.Errorf(stat.NotFound, "there is no dataset %.300s here; /api/datasets?fields=source,code lists the sources and codes of all", text)
}

// locate sets the header Content-Location to the address with the dataset's id, which stays
// the same if the office changes the code.
func (x *exchange) locate(id int) {
	_, tail, hasTail := strings.Cut(strings.TrimPrefix(x.r.URL.EscapedPath(), "/api/datasets/"), "/")
	address := x.api.opts.BaseURL + "/api/datasets/" + strconv.Itoa(id)
	if hasTail {
		address += "/" + tail
	}
	if x.r.URL.RawQuery != "" {
		address += "?" + x.r.URL.RawQuery
	}
	x.w.Header()["Content-Location"] = []string{access.Redact(address)}
}

// withEscapedCode returns a request whose address has a code with plain slashes as one
// segment, so that the mux finds its route: /api/datasets/scb:BE/BE0101/Folk/data. The last
// segment is part of the code unless an address of datasets ends so.
func withEscapedCode(r *http.Request) *http.Request {
	escaped := r.URL.EscapedPath()
	for _, prefix := range []string{"/api/datasets/", "/api/followed/"} {
		rest, ok := strings.CutPrefix(escaped, prefix)
		first, _, hasSlash := strings.Cut(rest, "/")
		if !ok || !hasSlash || !strings.Contains(first, ":") && !strings.Contains(strings.ToLower(first), "%3a") {
			continue
		}
		code, tail := rest, ""
		if cut := strings.LastIndexByte(rest, '/'); datasetTails[prefix+rest[cut:]] {
			code, tail = rest[:cut], rest[cut:]
		}
		if !strings.Contains(code, "/") {
			return r
		}
		changed := *r
		changed.URL = new(url.URL)
		*changed.URL = *r.URL
		changed.URL.RawPath = prefix + strings.ReplaceAll(code, "/", "%2F") + tail
		return &changed
	}
	return r
}

// datasetTails has the ends of addresses that follow the id of a dataset, each after the
// beginning of the address: "/api/datasets//data".
var datasetTails = func() map[string]bool {
	tails := map[string]bool{}
	for i := range routes {
		if prefix, tail, ok := strings.Cut(routes[i].path, "{id}"); ok && tail != "" {
			tails[prefix+tail] = true
		}
	}
	return tails
}()
