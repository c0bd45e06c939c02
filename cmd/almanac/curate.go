package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

type restoreCmd struct {
	ID      int    `arg:"" help:"The dataset's ID."`
	Version string `arg:"" help:"The version to publish again, as dataset vintages lists them."`
}

// Run publishes an earlier vintage again.
func (c *restoreCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
		result, err := s.Restore(ctx, c.ID, c.Version)
		if err != nil {
			return err
		}
		return d.reportResult(out, result, "version "+c.Version+" is published again")
	})
}

// reportResult tells of a new version.
func (c *datasetCmd) reportResult(out streams, r store.Result, done string) error {
	if r.Status == store.Unchanged {
		done = "nothing changed"
	}
	fmt.Fprintf(c.human(out), "dataset %d: %s; the version is %s\n", r.ID, done, r.Vintage.Version)
	if !c.JSON {
		return nil
	}
	return writeJSON(out.stdout, struct {
		ID     int          `json:"id"`
		Status store.Status `json:"status"`
		stat.Vintage
	}{r.ID, r.Status, r.Vintage})
}

type removeCmd struct {
	ID int `arg:"" help:"The dataset's ID."`
}

// Run takes a dataset out of the catalog.
func (c *removeCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
		if err := s.Remove(ctx, c.ID); err != nil {
			return err
		}
		fmt.Fprintf(d.human(out), "dataset %d: removed; an import of its code brings it back under the same ID\n", c.ID)
		if ref := watchedAs(ctx, d.Data, c.ID); ref != "" {
			fmt.Fprintf(out.stderr, "it is watched as %s, so the next sync brings it back; to end that: almanac watch remove %s\n", printable(ref), flagText("--data", d.Data))
		}
		if !d.JSON {
			return nil
		}
		return writeJSON(out.stdout, struct {
			ID     int    `json:"id"`
			Status string `json:"status"`
		}{c.ID, "removed"})
	})
}

// watchedAs is the reference by which a dataset is kept up to date, empty if none
// is. What cannot be read is none: it is a hint.
func watchedAs(ctx context.Context, dir string, id int) (ref string) {
	_ = withWatches(ctx, dir, func(db *watch.DB) error {
		brought, err := db.BroughtAs(ctx, id)
		ref = brought.Ref
		return err
	})
	return ref
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
func (c *pruneCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
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
			fmt.Fprintf(d.human(out), "dataset %d: vintages deleted: %d\n", id, gone)
			if !d.JSON {
				continue
			}
			if err := writeJSON(out.stdout, struct {
				ID     int `json:"id"`
				Pruned int `json:"pruned"`
			}{id, gone}); err != nil {
				return err
			}
		}
		return nil
	})
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
	switch {
	case new(stat.Dataset).Text(field) == nil:
		return fmt.Errorf("%q cannot be set: name, description, source_url, metadata_url, licence, attribution and default.dim1 … default.dim%d can", field, stat.MaxDimensions)
	}
	return nil
}

// Run publishes the dataset with its new metadata.
func (c *setCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
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
		return d.reportResult(out, result, "set")
	})
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
