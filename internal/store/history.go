package store

import (
	"context"
	"iter"
)

// History opens the kept versions of a dataset up to a vintage of it, oldest first; the vintage
// itself is the last. It opens one at a time, when it is asked for, within the memory of the
// store. After an error, there are no more. The error is [stat.Unavailable] if a version was
// deleted meanwhile.
func (s *Store) History(ctx context.Context, until *Vintage) iter.Seq2[*Vintage, error] {
	return func(yield func(*Vintage, error) bool) {
		list, err := s.Versions(ctx, until.Dataset.ID)
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range list {
			if list[i].seq >= until.seq {
				break
			}
			v, err := s.openVersion(ctx, until.Dataset.ID, &list[i])
			if !yield(v, err) || err != nil {
				return
			}
		}
		yield(until, nil)
	}
}
