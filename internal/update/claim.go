package update

import (
	"context"
	"fmt"

	"almanac/internal/stat"
)

// datasetName is a dataset as the store knows it before it has a number.
type datasetName struct{ source, code string }

// claimOwner is an item that is bringing a dataset.
type claimOwner struct {
	item int64
	ref  string
}

// claim takes a dataset for an item that is about to publish it. Two references
// may come to one dataset, since its code may be a file's name, and would
// overwrite each other in turn: it stays with who brought it first.
func (k *Keeper) claim(ctx context.Context, j *job, source, code string, id int) error {
	owner := claimOwner{j.item.ID, j.item.Ref}
	if id != 0 {
		b, err := k.options.Watches.DatasetByID(ctx, id)
		if err != nil {
			return err
		}
		if b.Item != 0 {
			owner = claimOwner{b.Item, b.Ref}
		}
	}
	if owner.item == j.item.ID && j.item.ID != 0 { // else by hand, once, and nobody watches it
		owner = k.firstClaim(datasetName{source, code}, owner)
	}
	if owner.item == j.item.ID {
		return nil
	}
	j.contested = true
	which := "the dataset " + code
	if id != 0 {
		which = fmt.Sprintf("dataset %d (%s)", id, code)
	}
	return stat.Errorf(stat.Refused, "it is %s, which %s brings: two references cannot be one dataset; watch one of them only (`almanac watch remove`), "+
		"or import one by hand under another --code", which, owner.ref)
}

// firstClaim is who claimed a dataset first.
func (k *Keeper) firstClaim(dataset datasetName, c claimOwner) claimOwner {
	k.mu.Lock()
	defer k.mu.Unlock()
	if first, ok := k.claims[dataset]; ok {
		return first
	}
	k.claims[dataset] = c
	return c
}

// unclaim forgets what an item claimed: what it brought is written down now.
func (k *Keeper) unclaim(item int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for dataset, c := range k.claims {
		if c.item == item {
			delete(k.claims, dataset)
		}
	}
}
