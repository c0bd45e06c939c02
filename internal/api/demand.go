package api

import (
	"context"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// demanded is the dataset that a request is for: the first one that it opens.
type demanded struct {
	ref     string // eurostat:une_rt_a, or the text of the request if there is no such dataset; empty: none
	isFound bool
}

// demands notes that the request is for a dataset. v and err are what the store returned
// for text. Failures of the service say nothing about what callers want.
func (x *exchange) demands(text string, v *store.Vintage, err error) {
	switch {
	case x.demand.ref != "":
	case err == nil:
		x.demand = demanded{baseOf(v).reference, true}
	case stat.KindOf(err) == stat.NotFound:
		x.demand = demanded{text, false}
	}
}

// recordDemand counts the request for its dataset, after the response. What is no reference
// to a dataset of a known source is not counted.
func (x *exchange) recordDemand() {
	if x.demand.ref == "" || x.isAside || x.api.opts.Demand == nil {
		return
	}
	ref := x.demand.ref
	if !x.demand.isFound {
		ref = x.api.officialRef(context.WithoutCancel(x.r.Context()), ref)
	}
	if ref != "" {
		x.api.opts.Demand.Dataset(ref, x.demand.isFound)
	}
}

// officialRef returns a reference as the office writes it, or as it is if the office's list
// is not known to have the code. It is empty if the text has not the form of a reference, or
// no source of this name is known.
func (a *API) officialRef(ctx context.Context, text string) string {
	b := &a.opts.Bringing
	source, code, _ := strings.Cut(text, ":")
	if source == "" || strings.TrimSpace(code) == "" {
		return ""
	}
	known := ""
	if b.Sources != nil {
		if ref, err := b.Sources.ParseRef(text); err == nil && ref.Office != "" {
			known, code = ref.Office, ref.Code
		}
	}
	if known == "" {
		known = a.sourceID(ctx, source)
	}
	if known == "" {
		return ""
	}
	if b.Offers != nil {
		if found, err := b.Offers.Find(ctx, known, code); err == nil && len(found) > 0 {
			code = found[0].Code
		}
	}
	return known + ":" + code
}

// sourceID returns the ID of a source of stored or offered datasets, whatever its case; empty
// if there is none.
func (a *API) sourceID(ctx context.Context, source string) string {
	if id := strings.ToLower(source); a.opts.Offices[id].ID != "" {
		return id
	}
	c := a.opts.Store.Catalog()
	for i := range c.Entries {
		if strings.EqualFold(source, c.Entries[i].Source) {
			return c.Entries[i].Source
		}
	}
	if a.opts.Bringing.Offers == nil {
		return ""
	}
	lists, err := a.opts.Bringing.Offers.Sources(ctx)
	if err != nil {
		return ""
	}
	for _, l := range lists {
		if strings.EqualFold(source, l.Source) {
			return l.Source
		}
	}
	return ""
}
