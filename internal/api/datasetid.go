package api

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/offer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Wherever the id of a dataset stands in an address, its source and code may stand instead:
// eurostat:une_rt_a. A code with a slash may be written as it is or with %2F.

// vintage opens the version of the dataset in the address that parameters choose.
func (x *exchange) vintage(e request.Edition) (*store.Vintage, error) {
	at, err := e.At()
	if err != nil {
		return nil, err
	}
	return x.vintageAt(at)
}

// vintageAt opens a version of the dataset in the address.
func (x *exchange) vintageAt(at store.At) (*store.Vintage, error) {
	text := x.r.PathValue("id")
	v, err := x.vintageOf(text, at)
	if err == nil && isReference(text) {
		x.locate(v.Dataset.ID)
	}
	return v, err
}

// vintageOf opens a version of the dataset with an id in text form, or with a source and code.
func (x *exchange) vintageOf(text string, at store.At) (*store.Vintage, error) {
	id, err := x.datasetID(text)
	var v *store.Vintage
	if err == nil {
		v, err = x.api.opts.Store.VintageAt(x.r.Context(), id, at)
	}
	if err == nil {
		_, err = v.Default() // what follows relies on it
	}
	x.demands(text, v, err)
	if err != nil {
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
	if !isDecimal(digits) {
		remedy := "/api/datasets lists all datasets"
		if id, extension, _ := strings.Cut(digits, "."); isDecimal(id) && !isDecimal(extension) {
			remedy = "files are at addresses such as /api/datasets/" + id + "/data.csv"
		}
		return 0, stat.Errorf(stat.Invalid, "a dataset id must be a decimal integer, or a source and code such as eurostat:une_rt_a, not %.200q; %s", text, remedy)
	}
	if usual := strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]; usual != digits { // an id has one address
		return 0, stat.Errorf(stat.Invalid, "a dataset id has no zeros in front: %.200s, not %.200q", usual, text)
	}
	id, err := strconv.Atoi(text)
	if err != nil {
		return 0, stat.Errorf(stat.NotFound, "there is no dataset %s; /api/datasets lists all datasets", text)
	}
	return id, nil
}

func isDecimal(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

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
	if at := strings.LastIndexByte(code, '/'); at > 0 && c.Find(source, code[:at]) != nil { // the rest is no part of a code
		return 0, x.api.errNothingAt("/api/datasets/" + text)
	}
	id, err := x.idOfOffer(text)
	if id == 0 && err == nil {
		err = stat.Errorf(stat.NotFound, "there is no dataset %.300s here; /api/datasets?fields=source,code lists the sources and codes of all", text)
	}
	return id, err
}

// idOfOffer returns the id of the dataset that was fetched by a reference, which may have
// another code than the reference. The error is [stat.NotFound] for one that an office offers
// and that is not here. The id is 0 if nothing is known of the reference.
func (x *exchange) idOfOffer(text string) (int, error) {
	b := &x.api.opts.Bringing
	if b.Sources == nil || x.api.opts.Watches == nil {
		return 0, nil
	}
	ref, err := b.Sources.ParseRef(text)
	if err != nil {
		return 0, nil // no server is known that could bring it
	}
	var offers []offer.Offer
	if b.Offers != nil {
		if offers, err = b.Offers.Find(x.r.Context(), ref.Office, ref.Code); err != nil {
			return 0, err
		}
	}
	if len(offers) > 0 {
		ref.Code = offers[0].Code // in the office's spelling
	}
	switch e, err := x.storedDataset(ref); {
	case e != nil:
		return e.ID, nil
	case err != nil || len(offers) == 0:
		return 0, err
	}
	o := offers[max(0, slices.IndexFunc(offers, func(o offer.Offer) bool { return o.Language == "en" }))]
	who := ""
	if !b.Everyone {
		who = ", for accounts that may have datasets brought"
	}
	return 0, stat.Errorf(stat.NotFound, "there is no dataset %.300s here, but %s offers it (%.200s); POST /api/datasets with {\"reference\": %q} has it brought%s", text, o.Source, o.Title, o.Source+":"+o.Code, who)
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
