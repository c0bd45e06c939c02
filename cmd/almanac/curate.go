package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

type restoreCmd struct {
	ID      int    `arg:"" help:"The dataset's ID."`
	Version string `arg:"" help:"The version to publish again, as dataset vintages lists them."`
}

// Run publishes an earlier vintage again.
func (c *restoreCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	result, err := s.Restore(ctx, c.ID, c.Version)
	if err != nil {
		return err
	}
	return reportVersion(p, result, "version "+c.Version+" is published again")
}

// reportVersion tells of a new version.
func reportVersion(p printer, r store.Result, done string) error {
	if r.Status == store.Unchanged {
		done = "nothing changed"
	}
	return p.result(struct {
		ID     int          `json:"id"`
		Status store.Status `json:"status"`
		stat.Vintage
	}{r.ID, r.Status, r.Vintage}, fmt.Sprintf("dataset %d: %s; the version is %s", r.ID, done, r.Vintage.Version))
}

type removeCmd struct {
	ID int `arg:"" help:"The dataset's ID."`
}

// Run takes a dataset out of the catalog.
func (c *removeCmd) Run(ctx context.Context, f *folder, open *closers, s *store.Store, p printer) error {
	if err := s.Remove(ctx, c.ID); err != nil {
		return err
	}
	err := p.result(struct {
		ID     int    `json:"id"`
		Status string `json:"status"`
	}{c.ID, "removed"}, fmt.Sprintf("dataset %d: removed; an import of its code brings it back under the same ID", c.ID))
	if err != nil {
		return err
	}
	watches, err := f.ProvideWatches(ctx, open)
	if err != nil {
		return nil // nothing is watched, or it cannot be read: this is a hint
	}
	if brought, err := watches.DatasetByID(ctx, c.ID); err == nil && brought.Ref != "" {
		fmt.Fprintf(p.stderr, "it is watched as %s, so the next sync brings it back; to end that: almanac watch remove %s\n", printable(brought.Ref), flagText("--data", f.Data))
	}
	return nil
}

type pruneCmd struct {
	Keep int   `required:"" placeholder:"N" help:"How many of the newest vintages stay."`
	IDs  []int `arg:"" optional:"" name:"id" help:"The datasets; all if none is given."`
}

// Validate refuses to delete the current vintage.
func (c *pruneCmd) Validate() error {
	if c.Keep < 1 {
		return fmt.Errorf("--keep is at least 1, not %d: the current vintage always stays (dataset remove takes out a whole dataset)", c.Keep)
	}
	return nil
}

// Run deletes old vintages.
func (c *pruneCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	ids := c.IDs
	if len(ids) == 0 {
		for _, e := range s.Catalog().Entries {
			ids = append(ids, e.ID)
		}
	}
	for _, id := range ids {
		gone, err := s.Prune(ctx, id, c.Keep)
		if err != nil {
			return err
		}
		if err := p.result(struct {
			ID     int `json:"id"`
			Pruned int `json:"pruned"`
		}{id, gone}, fmt.Sprintf("dataset %d: vintages deleted: %d", id, gone)); err != nil {
			return err
		}
	}
	return nil
}

type setCmd struct {
	ID       int          `arg:"" help:"The dataset's ID."`
	Settings []assignment `arg:"" name:"field=value" help:"What to set: name, description, source_url, metadata_url, licence, attribution, or default.dim1 … default.dim8 with a code of that dimension. An empty value takes a setting back."`
}

// assignment is one field=value.
type assignment struct {
	field, value string
	dimension    int // of default.dimN: N-1
}

// UnmarshalText reads field=value.
func (a *assignment) UnmarshalText(text []byte) error {
	field, value, ok := strings.Cut(string(text), "=")
	if !ok {
		return fmt.Errorf("%q is not field=value", text)
	}
	*a = assignment{field: field, value: strings.TrimSpace(value), dimension: -1}
	if number, ok := strings.CutPrefix(field, "default.dim"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > stat.MaxDimensions {
			return fmt.Errorf("%q: there are default.dim1 to default.dim%d", field, stat.MaxDimensions)
		}
		a.dimension = n - 1
		return nil
	}
	if new(stat.Dataset).Text(field) == nil {
		return fmt.Errorf("%q cannot be set: name, description, source_url, metadata_url, licence, attribution and default.dim1 … default.dim%d can", field, stat.MaxDimensions)
	}
	return nil
}

// Run publishes the dataset with its new metadata.
func (c *setCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	result, err := s.Edit(ctx, c.ID, func(dataset *stat.Dataset) error {
		for _, a := range c.Settings {
			if err := a.apply(dataset); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return reportVersion(p, result, "set")
}

func (a assignment) apply(d *stat.Dataset) error {
	if a.dimension < 0 {
		d.Curate(a.field, a.value)
		return nil
	}
	if a.dimension >= len(d.Dimensions) {
		return stat.Errorf(stat.Invalid, "%s: dataset %d has %d dimensions", a.field, d.ID, len(d.Dimensions))
	}
	dim := &d.Dimensions[a.dimension]
	known := slices.ContainsFunc(dim.Codes, func(c stat.Code) bool { return c.ID == a.value })
	if !known && a.value != "" {
		return stat.Errorf(stat.Invalid, "%s: %q is no code of %s", a.field, a.value, dimensionText(*dim))
	}
	dim.Default = a.value
	return nil
}
