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

// RememberedReading returns what was kept for the dataset with a code, and the
// ID of its source: of the source that is named, if one is. ok is false where
// nothing was kept, or where datasets of several sources have the code and none
// is named.
func (s *Store) RememberedReading(ctx context.Context, source, code string) (r Reading, of string, ok bool, err error) {
	found, err := s.catalog.Readings(ctx, code)
	if err != nil || source == "" && len(found) != 1 {
		return r, "", false, err
	}
	for of, flags := range found {
		if source != "" && of != source {
			continue
		}
		if err := json.Unmarshal(flags, &r); err != nil {
			return r, "", false, fmt.Errorf("reading how %s is read: %w", code, err)
		}
		return r, of, true, nil
	}
	return r, "", false, nil
}
