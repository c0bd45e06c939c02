package main

import (
	"context"
	"fmt"

	"almanac/internal/store"
)

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

func (c *rejectCmd) Run(ctx context.Context, s *store.Store, p printer) error {
	held, err := s.Reject(ctx, c.ID)
	if err != nil {
		return err
	}
	return p.result(change{ID: held.ID, Code: held.Code, Status: "rejected"}, fmt.Sprintf("dataset %d: rejected; the current version is still served, and the same data will not be offered again", c.ID))
}
