package access

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// Names of organisations and accounts are compared without regard to case. They
// have 1 to 100 characters that can be read, a letter or digit among them; white space at the ends is dropped
// and inner white space collapsed. The errors of the
// methods below are [stat.Invalid] for a name that is none, [stat.NotFound]
// for an account, organisation or key that is not there, and [stat.Conflict]
// for one that is there already or is another's.

const maxName = 100

// nameOf puts a name into the form that it is kept in.
func nameOf(what, text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", stat.Errorf(stat.Invalid, "the name of the %s is not valid UTF-8", what)
	}
	name := norm.NFC.String(strings.Join(strings.Fields(text), " "))
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", stat.Errorf(stat.Invalid, "the name of the %s is empty; right are 1 to %d characters", what, maxName)
	case !strings.ContainsFunc(register.NameKey(name), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }):
		return "", stat.Errorf(stat.Invalid, "the name of the %s has no letter and no digit", what)
	case n > maxName:
		return "", stat.Errorf(stat.Invalid, "the name of the %s has %d characters; right are 1 to %d", what, n, maxName)
	}
	if Redact(name) != name {
		return "", stat.Errorf(stat.Invalid, "the name of the %s holds a key, %s; names are shown in lists", what, Redact(name))
	}
	for _, r := range name {
		if !unicode.IsGraphic(r) && !strings.ContainsRune(register.Joiners, r) || r == utf8.RuneError {
			return "", stat.Errorf(stat.Invalid, "the name of the %s has the character %U, which cannot be read", what, r)
		}
	}
	return name, nil
}

// CreateOrganisation makes an organisation.
func (a *Access) CreateOrganisation(ctx context.Context, name string) (Organisation, error) {
	name, err := nameOf("organisation", name)
	if err != nil {
		return Organisation{}, err
	}
	var made register.Organisation
	err = a.db.Change(ctx, func(ch *register.Change) (err error) {
		made, err = a.addOrganisation(ctx, ch, name)
		return err
	})
	return Organisation{Name: made.Name, Created: made.Created}, err
}

// addOrganisation adds an organisation whose name must be free.
func (a *Access) addOrganisation(ctx context.Context, ch *register.Change, name string) (register.Organisation, error) {
	there, err := ch.Organisation(ctx, name)
	if err != nil {
		return there, err
	}
	if there.ID != 0 {
		return there, stat.Errorf(stat.Conflict, "there is an organisation %q already", there.Name)
	}
	return ch.AddOrganisation(ctx, name, a.now())
}

// Organisations lists all, by name.
func (a *Access) Organisations(ctx context.Context) ([]Organisation, error) {
	rows, err := a.db.Organisations(ctx)
	var list []Organisation
	for _, o := range rows {
		list = append(list, Organisation{Name: o.Name, Created: o.Created, Accounts: o.Accounts, Followed: o.Followed})
	}
	return list, err
}

func accountOf(r *register.Account) Account {
	return Account{Name: r.Name, Organisation: r.Organisation, Tier: Tier(r.Tier), Created: r.Created, Keys: r.Keys}
}

// CreateAccount makes an account, and its organisation if that is new. An empty
// organisation is one with the name of the account.
func (a *Access) CreateAccount(ctx context.Context, name, organisation string, tier Tier) (Account, error) {
	name, err := nameOf("account", name)
	if err != nil {
		return Account{}, err
	}
	var made register.Account
	err = a.db.Change(ctx, func(ch *register.Change) error {
		there, err := ch.Account(ctx, name)
		if err != nil {
			return err
		}
		if there.ID != 0 {
			return stat.Errorf(stat.Conflict, "there is an account %q already, of organisation %q", there.Name, there.Organisation)
		}
		made, err = a.addAccount(ctx, ch, name, organisation, tier)
		return err
	})
	return accountOf(&made), err
}

// addAccount adds an account whose name is free, and its organisation if that
// is new.
func (a *Access) addAccount(ctx context.Context, ch *register.Change, name, organisation string, tier Tier) (register.Account, error) {
	if organisation == "" {
		organisation = name
	}
	organisation, err := nameOf("organisation", organisation)
	if err != nil {
		return register.Account{}, err
	}
	o, err := ch.Organisation(ctx, organisation)
	if err == nil && o.ID == 0 {
		o, err = ch.AddOrganisation(ctx, organisation, a.now())
	}
	if err != nil {
		return register.Account{}, err
	}
	return ch.AddAccount(ctx, o, name, string(tier), a.now())
}

// Accounts lists all, by name.
func (a *Access) Accounts(ctx context.Context) ([]Account, error) {
	rows, err := a.db.Accounts(ctx, a.now())
	var list []Account
	for i := range rows {
		list = append(list, accountOf(&rows[i]))
	}
	return list, err
}

// SetTier gives an account another tier. What it has used today stays.
func (a *Access) SetTier(ctx context.Context, account string, tier Tier) (Account, error) {
	var changed register.Account
	err := a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if changed, err = theAccount(ctx, ch, account); err != nil {
			return err
		}
		changed.Tier = string(tier)
		return ch.SetTier(ctx, changed.ID, changed.Tier)
	})
	return accountOf(&changed), err
}

// theAccount finds an account that must be there.
func theAccount(ctx context.Context, in accountFinder, text string) (register.Account, error) {
	name, err := nameOf("account", text)
	if err != nil {
		return register.Account{}, err
	}
	there, err := in.Account(ctx, name)
	if err == nil && there.ID == 0 {
		err = stat.Errorf(stat.NotFound, "there is no account %q", name)
	}
	return there, err
}

// accountFinder is the register, or a change of it.
type accountFinder interface {
	Account(ctx context.Context, name string) (register.Account, error)
}

// Usage lists what was counted from one UTC day to another, both included, by
// day and account. Anonymous callers come last in each day.
func (a *Access) Usage(ctx context.Context, from, to time.Time) ([]Usage, error) {
	rows, err := a.db.Usage(ctx, dayOf(from), dayOf(to))
	var list []Usage
	for _, r := range rows {
		u := Usage{
			Day:     time.Unix(r.Day*secondsOfDay, 0).UTC().Format(time.DateOnly),
			Account: r.Account, Organisation: r.Organisation, Tier: Tier(r.Tier), Requests: r.Used,
		}
		if u.Account == "" {
			u.Tier = Anonymous
		}
		list = append(list, u)
	}
	return list, err
}
