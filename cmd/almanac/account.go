package main

import (
	"cmp"
	"context"
	"fmt"

	"almanac/internal/access"
)

type organisationCmd struct {
	folder

	Create organisationCreateCmd `cmd:"" help:"Create an organisation."`
	List   organisationListCmd   `cmd:"" help:"List the organisations."`
}

type organisationCreateCmd struct {
	Name string `arg:"" help:"The name; case does not matter."`
}

func (c *organisationCreateCmd) Run(ctx context.Context, a newAccess, p printer) error {
	created, err := a.CreateOrganisation(ctx, c.Name)
	if err != nil {
		return err
	}
	return p.result(created, fmt.Sprintf("organisation %s: created", created.Name))
}

type organisationListCmd struct{}

func (*organisationListCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	all, err := a.Organisations(ctx)
	if err != nil {
		return err
	}
	return printList(p, "ORGANISATION\tACCOUNTS\tFOLLOWED DATASETS\tCREATED", all, func(o access.Organisation) string {
		return fmt.Sprintf("%s\t%d\t%d\t%s", o.Name, o.Accounts, o.Followed, toSecond(o.Created))
	})
}

type accountCmd struct {
	folder

	Create      accountCreateCmd `cmd:"" help:"Create an account without a key; almanac key create creates both."`
	List        accountListCmd   `cmd:"" help:"List the accounts."`
	SetTier     setTierCmd       `cmd:"" help:"Change the tier of an account. Requests already counted today stay counted."`
	Invite      inviteCmd        `cmd:"" help:"Invite a person to an organisation. Only the address of the invitation goes to standard output."`
	People      peopleCmd        `cmd:"" help:"List the people who sign in."`
	SetAdmin    setAdminCmd      `cmd:"" help:"Set whether a person may change everything on the pages, in the name of the operator."`
	Reset       resetCmd         `cmd:"" help:"Print an address with which a person sets a new password."`
	SignOut     signOutCmd       `cmd:"" help:"End all sessions of a person, or of everybody."`
	SetMayBring setMayBringCmd   `cmd:"" help:"Set whether an account may have datasets brought that offices offer, with POST /api/datasets."`
}

type accountCreateCmd struct {
	Name         string      `arg:"" help:"The name; case does not matter."`
	Organisation *string     `placeholder:"NAME" help:"The account's organisation, created if it does not exist; default: one with the account's name."`
	Tier         access.Tier `default:"essential" enum:"essential,pro" placeholder:"TIER" help:"essential or pro (${default})."`
}

func (c *accountCreateCmd) Run(ctx context.Context, f *folder, a newAccess, p printer) error {
	created, err := a.CreateAccount(ctx, c.Name, nameOrBlank(c.Organisation), c.Tier)
	if err != nil {
		return err
	}
	sentence := fmt.Sprintf("account %s: created, organisation %s, tier %s", created.Name, created.Organisation, created.Tier)
	if err := p.result(created, sentence); err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "to create a key: almanac key create %s %s\n", flagText("--data", f.Data), flagText("--account", created.Name))
	return nil
}

type accountListCmd struct{}

func (*accountListCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	all, err := a.Accounts(ctx)
	if err != nil {
		return err
	}
	return printList(p, "ACCOUNT\tORGANISATION\tTIER\tVALID KEYS\tCREATED\tMAY BRING", all, func(a access.Account) string {
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s", a.Name, a.Organisation, a.Tier, a.Keys, toSecond(a.Created), yesOrNo(a.MayBring))
	})
}

type setTierCmd struct {
	Name string      `arg:"" help:"The account's name."`
	Tier access.Tier `arg:"" enum:"essential,pro" help:"essential or pro."`
}

func (c *setTierCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	changed, err := a.SetTier(ctx, c.Name, c.Tier)
	if err != nil {
		return err
	}
	return p.result(changed, fmt.Sprintf("account %s: tier %s", changed.Name, changed.Tier))
}

type setMayBringCmd struct {
	Name string `arg:"" help:"The account's name."`
	May  string `arg:"" enum:"yes,no" name:"yes|no" help:"yes or no."`
}

func (c *setMayBringCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	changed, err := a.SetMayBring(ctx, c.Name, c.May == yesOrNo(true))
	if err != nil {
		return err
	}
	return p.result(changed, fmt.Sprintf("account %s: may bring datasets: %s", changed.Name, yesOrNo(changed.MayBring)))
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// nameOrBlank returns the value of a flag, or "" if the flag was not given. An
// empty value becomes a blank: package access takes "" as not given and refuses
// a blank name.
func nameOrBlank(flag *string) string {
	if flag == nil {
		return ""
	}
	return cmp.Or(*flag, " ")
}
