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

func (c *restoreCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	result, err := s.Restore(ctx, c.ID, c.Version)
	if err != nil {
		return err
	}
	return reportVersion(p, result, "version "+c.Version+" published again")
}

func reportVersion(p printer, r store.Result, done string) error {
	if r.Status == store.Unchanged {
		done = "nothing changed"
	}
	return p.result(struct {
		ID     int          `json:"id"`
		Status store.Status `json:"status"`
		stat.Vintage
	}{r.ID, r.Status, r.Vintage}, fmt.Sprintf("dataset %d: %s; the current version is %s", r.ID, done, r.Vintage.Version))
}

type removeCmd datasetArg

func (c *removeCmd) Run(ctx context.Context, f *folder, atExit *cleanups, s freeingStore, p printer) error {
	if err := s.Remove(ctx, c.ID); err != nil {
		return err
	}
	err := p.result(change{ID: c.ID, Status: "removed"}, fmt.Sprintf("dataset %d: removed; importing its code again restores it under the same ID", c.ID))
	if err != nil {
		return err
	}
	watches, err := f.ProvideWatches(ctx, atExit)
	if err != nil {
		return nil // the hint below is optional
	}
	if d, err := watches.DatasetByID(ctx, c.ID); err == nil && d.Ref != "" {
		fmt.Fprintf(p.stderr, "it is watched as %s, so the next sync imports it again; to stop watching it: almanac watch remove %s\n", printable(d.Ref), flagText("--data", f.Data))
	}
	return nil
}

type pruneCmd struct {
	Keep int   `required:"" placeholder:"N" help:"The number of newest vintages to keep."`
	IDs  []int `arg:"" optional:"" name:"id" help:"IDs of the datasets; default: all."`
}

// Validate refuses to delete the current vintage.
func (c *pruneCmd) Validate() error {
	if c.Keep < 1 {
		return fmt.Errorf("--keep must be at least 1, not %d: the current vintage is always kept (dataset remove removes a whole dataset)", c.Keep)
	}
	return nil
}

func (c *pruneCmd) Run(ctx context.Context, s freeingStore, p printer) error {
	ids := c.IDs
	if len(ids) == 0 {
		for _, e := range s.Catalog().Entries {
			ids = append(ids, e.ID)
		}
	}
	for _, id := range ids {
		deleted, err := s.Prune(ctx, id, c.Keep)
		if err != nil {
			return err
		}
		if err := p.result(struct {
			ID     int `json:"id"`
			Pruned int `json:"pruned"`
		}{id, deleted}, fmt.Sprintf("dataset %d: vintages deleted: %d", id, deleted)); err != nil {
			return err
		}
	}
	return nil
}

type setCmd struct {
	ID       int          `arg:"" help:"The dataset's ID."`
	Settings []assignment `arg:"" name:"field=value" help:"What to set: name, description, source_url, metadata_url, licence, attribution, or default.dim1 … default.dim8 with a code of that dimension. An empty value resets a field."`
}

type assignment struct {
	field, value string
	dimension    int // of default.dimN: N-1
}

func (a *assignment) UnmarshalText(text []byte) error {
	field, value, ok := strings.Cut(string(text), "=")
	if !ok {
		return fmt.Errorf("invalid setting %q; use field=value", text)
	}
	*a = assignment{field: field, value: strings.TrimSpace(value), dimension: -1}
	if number, ok := strings.CutPrefix(field, "default.dim"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > stat.MaxDimensions {
			return fmt.Errorf("unknown field %q; use default.dim1 to default.dim%d", field, stat.MaxDimensions)
		}
		a.dimension = n - 1
		return nil
	}
	if new(stat.Dataset).Text(field) == nil {
		return fmt.Errorf("field %q cannot be set; use name, description, source_url, metadata_url, licence, attribution or default.dim1 … default.dim%d", field, stat.MaxDimensions)
	}
	return nil
}

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
		return stat.Errorf(stat.Invalid, "%s: %q is not a code of %s", a.field, a.value, dimensionText(*dim))
	}
	dim.Default = a.value
	return nil
}

type quarantinedCmd struct{}

func (*quarantinedCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	list, err := s.Quarantined(ctx)
	if err != nil {
		return err
	}
	return printList(p, "ID\tCODE\tSINCE\tAGAINST\tOBSERVATIONS\tADDED\tREVISED\tREMOVED\tLACKS", list, func(h store.QuarantinedVintage) string {
		return fmt.Sprintf("%d\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s", h.ID, printable(h.Code), toMinute(h.Since), h.Against,
			h.Observations, h.Added, h.Revised, h.Removed, printable(h.Lacks()))
	})
}

type acceptCmd datasetArg

func (c *acceptCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	result, err := s.Accept(ctx, c.ID)
	if err != nil {
		return err
	}
	v := result.Vintage
	return reportVersion(p, result, fmt.Sprintf("accepted, %d added, %d revised, %d removed", v.Added, v.Revised, v.Removed))
}

type rejectCmd datasetArg

func (c *rejectCmd) Run(ctx context.Context, s freeingStore, p printer) error {
	held, err := s.Reject(ctx, c.ID)
	if err != nil {
		return err
	}
	return p.result(change{ID: held.ID, Code: held.Code, Status: "rejected"}, fmt.Sprintf("dataset %d: rejected; the current version is still served, and the same data will not go into quarantine again", c.ID))
}
