package main

import (
	"context"
	"fmt"
	"strconv"

	"almanac/internal/store"
)

// heldByDataset is what waits in quarantine, by the dataset's ID.
func heldByDataset(ctx context.Context, s *store.Store) (map[int]*store.Held, error) {
	list, err := s.Quarantined(ctx)
	held := make(map[int]*store.Held, len(list))
	for i := range list {
		held[list[i].ID] = &list[i]
	}
	return held, err
}

type quarantinedCmd struct{}

// Run lists what is in quarantine.
func (*quarantinedCmd) Run(ctx context.Context, c *datasetCmd, out streams) error {
	return c.with(ctx, func(s *store.Store) error {
		list, err := s.Quarantined(ctx)
		if err != nil {
			return err
		}
		return printList(&c.folder, out, "ID\tCODE\tSINCE\tAGAINST\tOBSERVATIONS\tADDED\tREVISED\tREMOVED\tLACKS", list, func(h store.Held) string {
			return fmt.Sprintf("%d\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s", h.ID, printable(h.Code), toMinute(h.Since), h.Against,
				h.Observations, h.Added, h.Revised, h.Removed, printable(h.Lacks()))
		})
	})
}

type acceptCmd struct {
	ID int `arg:"" help:"The dataset's ID."`
}

// Run publishes what is in quarantine.
func (c *acceptCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
		result, err := s.Accept(ctx, c.ID)
		if err != nil {
			return err
		}
		v := result.Vintage
		return d.reportResult(out, result, fmt.Sprintf("accepted, %d added, %d revised, %d removed", v.Added, v.Revised, v.Removed))
	})
}

type rejectCmd struct {
	ID int `arg:"" help:"The dataset's ID."`
}

// Run discards what is in quarantine.
func (c *rejectCmd) Run(ctx context.Context, d *datasetCmd, out streams) error {
	return d.with(ctx, func(s *store.Store) error {
		held, err := s.Reject(ctx, c.ID)
		if err != nil {
			return err
		}
		return printMade(&d.folder, out, struct {
			ID     int    `json:"id"`
			Code   string `json:"code"`
			Status string `json:"status"`
		}{held.ID, held.Code, "rejected"}, "dataset "+strconv.Itoa(c.ID)+": rejected; what serves stays, and nobody is asked about the same data again")
	})
}
