package store

import (
	"almanac/internal/stat"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
)

// ReadOptions state how to read the file of a dataset whose format does not say so
// or was detected wrongly.
type ReadOptions struct {
	Source   string `json:"source,omitempty"` // the office's name
	Mapping  string `json:"mapping,omitempty"`
	Decimal  string `json:"decimal,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

// SetReadOptions remembers o for the dataset with a source and code.
func (s *Store) SetReadOptions(ctx context.Context, source, code string, o ReadOptions) error {
	body, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encoding the read options of %s: %w", code, err)
	}
	return s.catalog.SetReading(ctx, source, code, body)
}

// ReadOptions returns the options remembered for the dataset with a source and
// code, and the ID of its source. If source is empty, the code must be that of one
// source only. ok is false if nothing is remembered or the code is ambiguous.
func (s *Store) ReadOptions(ctx context.Context, source, code string) (o ReadOptions, of string, ok bool, err error) {
	found, err := s.catalog.Readings(ctx, code)
	if err != nil || source == "" && len(found) != 1 {
		return o, "", false, err
	}
	for of := range found {
		source = cmp.Or(source, of)
	}
	body, ok := found[source]
	if ok {
		err = json.Unmarshal(body, &o)
	}
	return o, source, ok, stat.Wrap(err, "decoding the read options of %s", code)
}

// LabelsDir returns the remembered dictionary folder of a source, "" if there is
// none.
func (s *Store) LabelsDir(ctx context.Context, source string) (string, error) {
	return s.catalog.LabelsDir(ctx, source)
}

// SetLabelsDir remembers the dictionary folder of a source.
func (s *Store) SetLabelsDir(ctx context.Context, source, dir string) error {
	return s.catalog.SetLabelsDir(ctx, source, dir)
}
