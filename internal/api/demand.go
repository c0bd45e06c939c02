package api

import (
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
		x.demand = demanded{v.Dataset.Source.ID + ":" + v.Dataset.Code, true}
	case stat.KindOf(err) == stat.NotFound:
		x.demand = demanded{text, false}
	}
}

// recordDemand counts the request for its dataset, after the response.
func (x *exchange) recordDemand() {
	if x.demand.ref != "" {
		x.api.opts.Demand.Dataset(x.demand.ref, x.demand.isFound)
	}
}
