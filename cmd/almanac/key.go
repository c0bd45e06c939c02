package main

import (
	"context"
	"fmt"
	"time"

	"almanac/internal/access"
)

// keyCmd is `almanac key`. A secret key is printed once, to standard output,
// and nowhere else.
type keyCmd struct {
	folder

	Create keyCreateCmd `cmd:"" help:"Create a key, and its account if needed. Only the key goes to standard output."`
	List   keyListCmd   `cmd:"" help:"List the keys by their public IDs."`
	Revoke keyRevokeCmd `cmd:"" help:"Revoke keys. Running servers refuse them within a second."`
	Rotate keyRotateCmd `cmd:"" help:"Replace a key. The old key stays valid for a while; only the new key goes to standard output."`
}

type keyCreateCmd struct {
	Account      string       `required:"" placeholder:"NAME" help:"The account; created if it does not exist."`
	Organisation *string      `placeholder:"NAME" help:"The organisation of a new account, created if it does not exist; default: one with the account's name."`
	Tier         *access.Tier `enum:"essential,pro" placeholder:"TIER" help:"The tier of a new account, essential or pro (default: essential)."`
	Expires      moment       `placeholder:"TIME" help:"When the key expires, such as 2027-01-01; default: never."`
}

func (c *keyCreateCmd) Run(ctx context.Context, f *folder, a newAccess, p printer) error {
	request := access.KeyRequest{Account: c.Account, Organisation: nameOrBlank(c.Organisation), Expires: c.Expires.Time}
	if c.Tier != nil {
		request.Tier = *c.Tier
	}
	key, err := a.CreateKey(ctx, request)
	if err != nil {
		return err
	}
	return showKey(f, p, key, key)
}

// showKey prints a new key, or with --json the response, which contains it.
func showKey(f *folder, p printer, key access.NewKey, response any) error {
	err := p.object(response)
	if !p.json {
		_, err = fmt.Fprintln(p.stdout, key.Secret)
	}
	if err != nil {
		return fmt.Errorf("key %s was created but could not be shown, and cannot be shown again: %w; to revoke it: almanac key revoke %s %s",
			key.ID, err, flagText("--data", f.Data), key.ID)
	}
	ends := ""
	if !key.Expires.IsZero() {
		ends = ", valid until " + toSecond(key.Expires) + " UTC"
	}
	fmt.Fprintf(p.stderr, "key %s: created for account %s (organisation %s, tier %s)%s\n"+
		"it is shown only once; send it with each request in the header X-API-Key: KEY\n",
		key.ID, key.Account, key.Organisation, key.Tier, ends)
	return nil
}

type keyListCmd struct {
	Account *string `placeholder:"NAME" help:"Only the keys of this account."`
}

func (c *keyListCmd) Run(ctx context.Context, a *access.Access, p printer) error {
	keys, err := a.Keys(ctx, nameOrBlank(c.Account))
	if err != nil {
		return err
	}
	heading := "ID\tACCOUNT\tORGANISATION\tTIER\tSTATE\tCREATED\tEXPIRES\tREVOKED\tLAST USED"
	return printList(p, heading, keys, func(key access.Key) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", key.ID, key.Account, key.Organisation, key.Tier, key.State,
			toSecond(key.Created), toSecond(key.Expires), toSecond(key.Revoked), toMinute(key.LastUsed))
	})
}

type keyRevokeCmd struct {
	IDs []string `arg:"" name:"id" help:"The public IDs of the keys, as almanac key list shows them, or leaked keys themselves."`
}

// Run revokes the keys. An unknown key does not stop the others.
func (c *keyRevokeCmd) Run(ctx context.Context, a revokingAccess, p printer) error {
	return p.each(ctx, c.IDs, func(id string) error {
		key, err := a.RevokeKey(ctx, id)
		if err != nil {
			return err
		}
		return p.result(key, fmt.Sprintf("key %s of account %s: revoked at %s UTC", key.ID, key.Account, toSecond(key.Revoked)))
	})
}

type keyRotateCmd struct {
	ID      string  `arg:"" name:"id" help:"The public ID of the key, as almanac key list shows it, or the key itself."`
	Expires moment  `placeholder:"TIME" help:"When the new key expires, such as 2027-01-01; default: never."`
	Overlap overlap `default:"24h" placeholder:"DURATION" help:"How long the old key stays valid: 0 to 7d, in hours or days (${default})."`
}

func (c *keyRotateCmd) Run(ctx context.Context, f *folder, a *access.Access, p printer) error {
	key, old, err := a.RotateKey(ctx, c.ID, time.Duration(c.Overlap), c.Expires.Time, "")
	if err != nil {
		return err
	}
	err = showKey(f, p, key, struct {
		access.NewKey
		Replaces access.Key `json:"replaces"`
	}{key, old})
	if err != nil {
		return err
	}
	if old.State != access.Valid {
		fmt.Fprintf(p.stderr, "the old key %s is no longer valid\n", old.ID)
	} else {
		fmt.Fprintf(p.stderr, "the old key %s stays valid until %s UTC\n", old.ID, toSecond(old.Expires))
	}
	return nil
}
