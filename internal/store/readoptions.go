package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// ReadOptions say how the file of a dataset is to be read, because the file does
// not say it or was understood wrongly.
type ReadOptions struct {
	Source   string `json:"source,omitempty"` // the office's name
	Mapping  string `json:"mapping,omitempty"`
	Decimal  string `json:"decimal,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

// SetReadOptions keeps o for the dataset with a source's code.
func (s *Store) SetReadOptions(ctx context.Context, source, code string, o ReadOptions) error {
	body, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("writing how %s is read: %w", code, err)
	}
	return s.catalog.SetReading(ctx, source, code, body)
}

// ReadOptions returns what was kept for the dataset with a code, and the ID of
// its source: of the source that is named, if one is. ok is false where nothing
// was kept, or where datasets of several sources have the code and none is
// named.
func (s *Store) ReadOptions(ctx context.Context, source, code string) (o ReadOptions, of string, ok bool, err error) {
	found, err := s.catalog.Readings(ctx, code)
	if err != nil || source == "" && len(found) != 1 {
		return o, "", false, err
	}
	for of, body := range found {
		if source != "" && of != source {
			continue
		}
		if err := json.Unmarshal(body, &o); err != nil {
			return o, "", false, fmt.Errorf("reading how %s is read: %w", code, err)
		}
		return o, of, true, nil
	}
	return o, "", false, nil
}
