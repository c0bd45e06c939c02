package update

import (
	"context"
	"fmt"

	"almanac/internal/stat"
)

// datasetName identifies a dataset that has no ID yet.
type datasetName struct{ source, code string }

// claimOwner is the item that publishes a dataset.
type claimOwner struct {
	item int64
	ref  string
}

// claim reserves a dataset for an item that is about to publish it. Two
// references may lead to one dataset, because its code may be a file's name, and
// would overwrite each other in turn. The first one keeps it.
func (u *Updater) claim(ctx context.Context, j *job, source, code string, id int) error {
	owner := claimOwner{j.item.ID, j.item.Ref}
	if id != 0 {
		b, err := u.options.Watches.DatasetByID(ctx, id)
		if err != nil {
			return err
		}
		if b.Item != 0 {
			owner = claimOwner{b.Item, b.Ref}
		}
	}
	if owner.item == j.item.ID && j.item.ID != 0 { // else an import by hand of an unwatched dataset
		owner = u.firstClaim(datasetName{source, code}, owner)
	}
	if owner.item == j.item.ID {
		return nil
	}
	j.isContested = true
	which := "the dataset " + code
	if id != 0 {
		which = fmt.Sprintf("dataset %d (%s)", id, code)
	}
	return stat.Errorf(stat.Refused, "it is %s, which %s already updates; two references cannot update one dataset: watch only one of them (`almanac watch remove`), "+
		"or import one by hand under another --code", which, owner.ref)
}

// firstClaim returns the first owner that claimed a dataset.
func (u *Updater) firstClaim(dataset datasetName, c claimOwner) claimOwner {
	u.mu.Lock()
	defer u.mu.Unlock()
	if first, ok := u.claims[dataset]; ok {
		return first
	}
	u.claims[dataset] = c
	return c
}

// unclaim releases the claims of an item after its datasets are recorded.
func (u *Updater) unclaim(item int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for dataset, c := range u.claims {
		if c.item == item {
			delete(u.claims, dataset)
		}
	}
}
