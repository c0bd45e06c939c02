package api

import (
	"fmt"
	"math"
	"net/http"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// checkBulk returns a refusal if a response has the whole dataset and the host does not hand
// out whole datasets of the source.
func checkBulk(v *store.Vintage, isWhole bool) error {
	if !isWhole || v.AllowsBulk() {
		return nil
	}
	return &refusal{http.StatusForbidden, fmt.Sprintf("whole datasets of %s are not handed out here; select a part of dataset %d with /api/datasets/%[2]d/data, such as a country, a period or a value of a dimension", v.Dataset.Source.Name, v.Dataset.ID)}
}

// A selection of a dataset with more than smallDataset observations is as good as the whole
// dataset if it has more than this share of them.
const (
	smallDataset = 100
	wholeShare   = .9
)

// checkSelection is checkBulk for a selection: what is derived from all observations has them
// all too.
func (x *exchange) checkSelection(v *store.Vintage, q *stat.Query) error {
	if v.AllowsBulk() || selectsAll(q) && v.Changes() == nil {
		return checkBulk(v, selectsAll(q))
	}
	unflagged := *q
	unflagged.Flags = false
	extract, err := v.Select(x.r.Context(), unflagged)
	if err != nil {
		return err
	}
	selected := 0
	for b, err := range extract.Blocks {
		if err != nil {
			return err
		}
		for _, value := range b.Value {
			if !math.IsNaN(value) {
				selected++
			}
		}
	}
	return x.checkShare(v, selected)
}

// checkShare is checkBulk for a response with a number of the dataset's observations.
func (x *exchange) checkShare(v *store.Vintage, selected int) error {
	return checkBulk(v, v.Observations > smallDataset && float64(selected) > wholeShare*float64(v.Observations))
}
