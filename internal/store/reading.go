package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// Reading is what a person said of how the file of a dataset is to be read,
// because the file does not say it or was understood wrongly.
type Reading struct {
	Source   string `json:"source,omitempty"` // the office's name
	Mapping  string `json:"mapping,omitempty"`
	Decimal  string `json:"decimal,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

// RememberReading keeps r for the dataset with a source's code.
func (s *Store) RememberReading(ctx context.Context, source, code string, r Reading) error {
	flags, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing how %s is read: %w", code, err)
	}
	return s.catalog.SetReading(ctx, source, code, flags)
}

// RememberedReading returns what was kept for the dataset with a code, of a
// source if one is named; ok is false where nothing was, or where datasets of
// several sources have the code and none is named.
func (s *Store) RememberedReading(ctx context.Context, source, code string) (r Reading, ok bool, err error) {
	found, err := s.catalog.Readings(ctx, code)
	if err != nil {
		return r, false, err
	}
	flags, ok := found[source]
	if source == "" && len(found) == 1 {
		for _, flags = range found {
			ok = true
		}
	}
	if !ok {
		return r, false, nil
	}
	if err := json.Unmarshal(flags, &r); err != nil {
		return r, false, fmt.Errorf("reading how %s is read: %w", code, err)
	}
	return r, true, nil
}
