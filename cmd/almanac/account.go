package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"almanac/internal/access"
)

// organisationCmd is `almanac organisation` with its commands.
type organisationCmd struct {
	folder

	Create organisationCreateCmd `cmd:"" help:"Make an organisation."`
	List   organisationListCmd   `cmd:"" help:"List the organisations."`
}

type organisationCreateCmd struct {
	Name string `arg:"" help:"Its name; upper and lower case are the same."`
}

// Run makes an organisation.
func (c *organisationCreateCmd) Run(ctx context.Context, a newAccess, p printer) error {
	made, err := a.CreateOrganisation(ctx, c.Name)
	if err != nil {
		return err
	}
	return p.result(made, fmt.Sprintf("organisation %s: created", made.Name))
}

type organisationListCmd struct{}

// Run lists the organisations.
func (*organisationListCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	all, err := a.Organisations(ctx)
	if err != nil {
		return err
	}
	return printList(p, "ORGANISATION\tACCOUNTS\tFOLLOWED DATASETS\tCREATED", all, func(o access.Organisation) string {
		return fmt.Sprintf("%s\t%d\t%d\t%s", o.Name, o.Accounts, o.Followed, toSecond(o.Created))
	})
}

// accountCmd is `almanac account` with its commands.
type accountCmd struct {
	folder

	Create  accountCreateCmd `cmd:"" help:"Make an account. It needs a key to be of use: almanac key create makes both."`
	List    accountListCmd   `cmd:"" help:"List the accounts."`
	SetTier setTierCmd       `cmd:"" help:"Give an account another tier. What it has used today stays."`
}

type accountCreateCmd struct {
	Name         string  `arg:"" help:"Its name; upper and lower case are the same."`
	Organisation *string `placeholder:"NAME" help:"The organisation it belongs to, made if it is not there; one of the account's name if not given."`
	Tier         tier    `default:"essential" placeholder:"TIER" help:"essential or pro (${default})."`
}

// Run makes an account.
func (c *accountCreateCmd) Run(ctx context.Context, f *folder, a newAccess, p printer) error {
	made, err := a.CreateAccount(ctx, c.Name, nameGiven(c.Organisation), c.Tier.Tier)
	if err != nil {
		return err
	}
	sentence := fmt.Sprintf("account %s: created, organisation %s, tier %s", made.Name, made.Organisation, made.Tier)
	if err := p.result(made, sentence); err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "a key is made by: almanac key create %s %s\n", flagText("--data", f.Data), flagText("--account", made.Name))
	return nil
}

type accountListCmd struct{}

// Run lists the accounts.
func (*accountListCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	all, err := a.Accounts(ctx)
	if err != nil {
		return err
	}
	return printList(p, "ACCOUNT\tORGANISATION\tTIER\tVALID KEYS\tCREATED", all, func(a access.Account) string {
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%s", a.Name, a.Organisation, a.Tier, a.Keys, toSecond(a.Created))
	})
}

type setTierCmd struct {
	Name string `arg:"" help:"The account's name."`
	Tier tier   `arg:"" help:"essential or pro."`
}

// Run gives an account another tier.
func (c *setTierCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	changed, err := a.SetTier(ctx, c.Name, c.Tier.Tier)
	if err != nil {
		return err
	}
	return p.result(changed, fmt.Sprintf("account %s: tier %s", changed.Name, changed.Tier))
}

// nameGiven is the name that a flag gives, or empty if it was left out. An empty
// one becomes a blank one: package access takes the former for one that was left
// out, and refuses the latter as it does every name with nothing in it.
func nameGiven(flag *string) string {
	if flag == nil {
		return ""
	}
	return cmp.Or(*flag, " ")
}

// flagText is a flag with its value, as it is typed into a shell. What begins
// with a dash is taken for another flag unless it stands behind an equals sign.
func flagText(flag, value string) string {
	if strings.HasPrefix(value, "-") {
		return flag + "=" + shellWord(value)
	}
	return flag + " " + shellWord(value)
}

// shellWord is a text as one word of a shell's command line.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if text != "" && strings.TrimFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
