package access

import (
	"context"
	"time"

	"almanac/internal/stat"
)

// Followed is a dataset that an organisation follows.
type Followed struct {
	Dataset   int
	Name      string         // of the dataset when it was last set; for one that was removed since
	Selection stat.Selection // empty: all of it
	Since     time.Time      // when it was first followed; whole seconds, UTC
}

// Follow makes an organisation follow a dataset, or sets what it follows of it.
// Since stays what it was if it follows it already.
func (a *Access) Follow(ctx context.Context, organisation int64, f Followed) (Followed, error) {
	panic("not yet")
}

// Unfollow ends it; the error is [stat.NotFound] if it does not follow it.
func (a *Access) Unfollow(ctx context.Context, organisation int64, dataset int) error {
	panic("not yet")
}

// Followed returns what an organisation follows of a dataset; ok is false if
// it does not follow it.
func (a *Access) Followed(ctx context.Context, organisation int64, dataset int) (f Followed, ok bool, err error) {
	panic("not yet")
}

// AllFollowed returns a page of what an organisation follows, by ascending id
// of the dataset, and how many it follows altogether.
func (a *Access) AllFollowed(ctx context.Context, organisation int64, page, limit int) (list []Followed, total int, err error) {
	panic("not yet")
}
