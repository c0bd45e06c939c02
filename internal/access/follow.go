package access

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// Followed is a dataset that an organisation follows.
type Followed struct {
	Dataset   int
	Name      string         // of the dataset when it was last set; for one that was removed since
	Selection stat.Selection // empty: all of it
	Since     time.Time      // when it was first followed; whole seconds, UTC
}

func followedOf(r register.Followed) (Followed, error) {
	f := Followed{Dataset: r.Dataset, Name: r.Name, Since: r.Since}
	if err := json.Unmarshal([]byte(r.Selection), &f.Selection); err != nil {
		return f, fmt.Errorf("reading what is followed of dataset %d: %w", r.Dataset, err)
	}
	return f, nil
}

// Follow makes an organisation follow a dataset, or sets what it follows of it.
// Since stays what it was if it follows it already; otherwise it is now.
func (a *Access) Follow(ctx context.Context, organisation int64, f Followed) (Followed, error) {
	if f.Selection == nil {
		f.Selection = stat.Selection{}
	}
	selection, err := json.Marshal(f.Selection)
	if err != nil {
		return f, fmt.Errorf("writing what is followed of dataset %d: %w", f.Dataset, err)
	}
	row, err := a.db.Follow(ctx, organisation, register.Followed{Dataset: f.Dataset, Name: f.Name, Selection: string(selection), Since: a.now()})
	if err != nil {
		return f, err
	}
	return followedOf(row)
}

// Unfollow ends it; the error is [stat.NotFound] if it does not follow it.
func (a *Access) Unfollow(ctx context.Context, organisation int64, dataset int) error {
	was, err := a.db.Unfollow(ctx, organisation, dataset)
	if err == nil && !was {
		err = stat.Errorf(stat.NotFound, "your organisation does not follow dataset %d", dataset)
	}
	return err
}

// Followed returns what an organisation follows of a dataset; ok is false if
// it does not follow it.
func (a *Access) Followed(ctx context.Context, organisation int64, dataset int) (f Followed, ok bool, err error) {
	row, err := a.db.Followed(ctx, organisation, dataset)
	if err != nil || row.Dataset == 0 {
		return f, false, err
	}
	f, err = followedOf(row)
	return f, err == nil, err
}

// AllFollowed returns a page of what an organisation follows, by ascending id
// of the dataset, and how many it follows altogether.
func (a *Access) AllFollowed(ctx context.Context, organisation int64, page, limit int) (list []Followed, total int, err error) {
	rows, total, err := a.db.AllFollowed(ctx, organisation, page, limit)
	if err != nil {
		return nil, 0, err
	}
	for _, row := range rows {
		f, err := followedOf(row)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, f)
	}
	return list, total, nil
}
