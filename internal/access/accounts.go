package access

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// The rows of the register, as the methods below return them.
type (
	Organisation = register.Organisation
	Account      = register.Account
	Usage        = register.Usage
	Followed     = register.Followed
)

// The methods below return errors of kind [stat.Invalid] for an invalid name,
// [stat.NotFound] for a missing account, organisation or key, and [stat.Conflict]
// for one that already exists or belongs to another.

const maxName = 100

// normaliseName checks a name and returns it without white space around it and with single
// spaces inside. A name has 1 to 100 readable characters, at least one a letter or digit.
func normaliseName(what, text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", stat.Errorf(stat.Invalid, "the name of the %s is not valid UTF-8", what)
	}
	name := norm.NFC.String(strings.Join(strings.Fields(text), " "))
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", stat.Errorf(stat.Invalid, "the name of the %s is empty; it must have 1 to %d characters", what, maxName)
	case !strings.ContainsFunc(register.NameKey(name), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }):
		return "", stat.Errorf(stat.Invalid, "the name of the %s must contain a letter or a digit", what)
	case n > maxName:
		return "", stat.Errorf(stat.Invalid, "the name of the %s must have 1 to %d characters, not %d", what, maxName, n)
	}
	if Redact(name) != name {
		return "", stat.Errorf(stat.Invalid, "the name of the %s contains a key, %s; names are shown in lists", what, Redact(name))
	}
	for _, r := range name {
		if !unicode.IsGraphic(r) && !strings.ContainsRune(register.Joiners, r) || r == utf8.RuneError {
			return "", stat.Errorf(stat.Invalid, "the name of the %s contains the unreadable character %U", what, r)
		}
	}
	return name, nil
}

// CreateOrganisation creates an organisation.
func (a *Access) CreateOrganisation(ctx context.Context, name string) (created Organisation, err error) {
	if name, err = normaliseName("organisation", name); err != nil {
		return created, err
	}
	err = a.db.Change(ctx, func(ch *register.Change) error {
		existing, err := ch.Organisation(ctx, name)
		if err != nil {
			return err
		}
		if existing.ID != 0 {
			return stat.Errorf(stat.Conflict, "organisation %q already exists", existing.Name)
		}
		created, err = ch.AddOrganisation(ctx, name, a.now())
		return err
	})
	return created, err
}

// Organisations returns all organisations, by name.
func (a *Access) Organisations(ctx context.Context) ([]Organisation, error) {
	return a.db.Organisations(ctx)
}

// CreateAccount creates an account, and its organisation if that is new. If
// organisation is empty, it has the name of the account.
func (a *Access) CreateAccount(ctx context.Context, name, organisation string, tier Tier) (created Account, err error) {
	if name, err = normaliseName("account", name); err != nil {
		return created, err
	}
	err = a.db.Change(ctx, func(ch *register.Change) error {
		existing, err := ch.Account(ctx, name)
		if err != nil {
			return err
		}
		if existing.ID != 0 {
			return stat.Errorf(stat.Conflict, "account %q already exists, in organisation %q", existing.Name, existing.Organisation)
		}
		created, err = a.addAccount(ctx, ch, name, organisation, tier)
		return err
	})
	return created, err
}

// addAccount adds an account with an unused name, and its organisation if that is new.
func (a *Access) addAccount(ctx context.Context, ch *register.Change, name, organisation string, tier Tier) (Account, error) {
	organisation, err := normaliseName("organisation", cmp.Or(organisation, name))
	if err != nil {
		return Account{}, err
	}
	o, err := ch.Organisation(ctx, organisation)
	if err == nil && o.ID == 0 {
		o, err = ch.AddOrganisation(ctx, organisation, a.now())
	}
	if err != nil {
		return Account{}, err
	}
	return ch.AddAccount(ctx, o, name, tier, a.now())
}

// Accounts returns all accounts, by name.
func (a *Access) Accounts(ctx context.Context) ([]Account, error) {
	return a.db.Accounts(ctx, 0, a.now())
}

// AccountsOf returns the accounts of an organisation, by name.
func (a *Access) AccountsOf(ctx context.Context, organisation int64) ([]Account, error) {
	if organisation == 0 {
		return nil, nil
	}
	return a.db.Accounts(ctx, organisation, a.now())
}

// CreateOrganisationAccount returns an organisation that has an account: both are created if they
// do not exist, the account with the name of the organisation.
func (a *Access) CreateOrganisationAccount(ctx context.Context, name string) (o Organisation, err error) {
	if name, err = normaliseName("organisation", name); err != nil {
		return o, err
	}
	if o, err = a.db.Organisation(ctx, name); err != nil {
		return o, err
	}
	accounts, err := a.AccountsOf(ctx, o.ID)
	if err != nil || len(accounts) > 0 {
		return o, err
	}
	if _, err := a.CreateAccount(ctx, name, name, Essential); err != nil {
		return o, err
	}
	return a.db.Organisation(ctx, name)
}

// SetTier changes the tier of an account. Today's count stays.
func (a *Access) SetTier(ctx context.Context, account string, tier Tier) (changed Account, err error) {
	err = a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if changed, err = findAccount(ctx, ch.Account, account); err != nil {
			return err
		}
		changed.Tier = tier
		return ch.SetTier(ctx, changed.ID, tier)
	})
	return changed, err
}

// SetMayBring sets whether the callers of an account may have datasets brought that
// offices offer.
func (a *Access) SetMayBring(ctx context.Context, account string, may bool) (changed Account, err error) {
	err = a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if changed, err = findAccount(ctx, ch.Account, account); err != nil {
			return err
		}
		changed.MayBring = may
		return ch.SetMayBring(ctx, changed.ID, may)
	})
	return changed, err
}

// findAccount returns the account that find finds under a name. It fails if there is none.
func findAccount(ctx context.Context, find func(context.Context, string) (Account, error), text string) (Account, error) {
	name, err := normaliseName("account", text)
	if err != nil {
		return Account{}, err
	}
	found, err := find(ctx, name)
	if err == nil && found.ID == 0 {
		err = stat.Errorf(stat.NotFound, "there is no account %q", name)
	}
	return found, err
}

// Usage returns the counts from one UTC day to another, both included, by day and
// account. Anonymous callers come last in each day.
func (a *Access) Usage(ctx context.Context, from, to time.Time) ([]Usage, error) {
	return a.db.Usage(ctx, dayOf(from), dayOf(to))
}

// AccountUsage returns the counts of an account on the last days, today last.
func (a *Access) AccountUsage(ctx context.Context, account Account, days int) ([]Usage, error) {
	today := dayOf(a.now())
	used, err := a.db.AccountUsage(ctx, account.ID, today-int64(days)+1, today)
	if err != nil {
		return nil, err
	}
	var list []Usage
	for day := today - int64(days) + 1; day <= today; day++ {
		name := time.Unix(day*secondsOfDay, 0).UTC().Format(time.DateOnly)
		list = append(list, Usage{Day: name, Account: account.Name, Organisation: account.Organisation, Tier: account.Tier, Requests: used[day]})
	}
	return list, nil
}

// Follow makes an organisation follow a dataset, or changes what it follows of it.
// Since does not change if the dataset is already followed; otherwise it is now.
func (a *Access) Follow(ctx context.Context, organisation int64, f Followed) (Followed, error) {
	f.Since = a.now()
	return a.db.Follow(ctx, organisation, f)
}

// Unfollow makes an organisation stop following a dataset. The error is
// [stat.NotFound] if it does not follow the dataset.
func (a *Access) Unfollow(ctx context.Context, organisation int64, dataset int) error {
	isFollowed, err := a.db.Unfollow(ctx, organisation, dataset)
	if err == nil && !isFollowed {
		err = stat.Errorf(stat.NotFound, "your organisation does not follow dataset %d", dataset)
	}
	return err
}

// Followed returns what an organisation follows of a dataset; ok reports whether it does.
func (a *Access) Followed(ctx context.Context, organisation int64, dataset int) (f Followed, ok bool, err error) {
	f, err = a.db.Followed(ctx, organisation, dataset)
	return f, err == nil && f.Dataset != 0, err
}

// Followers returns the organisations that follow a dataset.
func (a *Access) Followers(ctx context.Context, dataset int) ([]int64, error) {
	return a.db.Followers(ctx, dataset)
}

// AllFollowed returns a page of the datasets that an organisation follows, by
// ascending id, and their total number.
func (a *Access) AllFollowed(ctx context.Context, organisation int64, page, limit int) (list []Followed, total int, err error) {
	return a.db.AllFollowed(ctx, organisation, page, limit)
}
