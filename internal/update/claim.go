package update

import (
	"context"
	"fmt"

	"almanac/internal/stat"
)

// claimed is a dataset as the store knows it before it has a number.
type claimed struct{ source, code string }

// claimant is an item that is bringing a dataset.
type claimant struct {
	item int64
	ref  string
}

// claim takes a dataset for an item that is about to publish it. Two references
// may come to one dataset, since its code may be a file's name, and would
// overwrite each other in turn: it stays with who brought it first.
func (k *Keeper) claim(ctx context.Context, j *job, source, code string, id int) error {
	owner, err := k.owner(ctx, j, claimed{source, code}, id)
	if err != nil || owner.item == 0 || owner.item == j.item.ID {
		return err
	}
	j.contested = true
	which := "the dataset " + code
	if id != 0 {
		which = fmt.Sprintf("dataset %d (%s)", id, code)
	}
	return stat.Errorf(stat.Refused, "it is %s, which %s brings: two references cannot be one dataset; watch one of them only (`almanac watch remove`), "+
		"or import one by hand under another --code", which, owner.ref)
}

// owner is whose a dataset is: the job's item, if it was nobody's.
func (k *Keeper) owner(ctx context.Context, j *job, dataset claimed, id int) (claimant, error) {
	if id != 0 {
		b, err := k.options.Watches.BroughtAs(ctx, id)
		if err != nil || b.Item != 0 && b.Item != j.item.ID {
			return claimant{b.Item, b.Ref}, err
		}
	}
	if j.item.ID == 0 {
		return claimant{}, nil // by hand, once, and nobody watches it
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	owner, ok := k.claims[dataset]
	if !ok {
		owner = claimant{j.item.ID, j.item.Ref}
		k.claims[dataset] = owner
	}
	return owner, nil
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
