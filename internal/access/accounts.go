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
	// Organisation is a newsroom, an office, a company: who follows datasets.
	Organisation = register.Organisation
	// Account belongs to one organisation. All of its keys share its daily count.
	Account = register.Account
	// Usage is how many requests of an account were counted on a UTC day.
	Usage = register.Usage
	// Followed is a dataset that an organisation follows.
	Followed = register.Followed
)

// The errors of the methods below are [stat.Invalid] for an invalid name,
// [stat.NotFound] for an account, organisation or key that is not there, and
// [stat.Conflict] for one that is there already or is another's.

const maxName = 100

// normaliseName checks a name and puts it into the form that it is kept in. Names are
// compared without regard to case. They have 1 to 100 readable characters, a
// letter or digit among them; white space at the ends is dropped and inner white
// space collapsed.
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

// CreateOrganisation makes an organisation.
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

// Organisations lists all, by name.
func (a *Access) Organisations(ctx context.Context) ([]Organisation, error) {
	return a.db.Organisations(ctx)
}

// CreateAccount makes an account, and its organisation if that is new. An empty
// organisation is one with the name of the account.
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

// addAccount adds an account whose name is free, and its organisation if that
// is new.
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

// Accounts lists all, by name.
func (a *Access) Accounts(ctx context.Context) ([]Account, error) {
	return a.db.Accounts(ctx, a.now())
}

// SetTier gives an account another tier. What it has used today stays.
func (a *Access) SetTier(ctx context.Context, account string, tier Tier) (changed Account, err error) {
	err = a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if changed, err = findAccount(ctx, ch, account); err != nil {
			return err
		}
		changed.Tier = tier
		return ch.SetTier(ctx, changed.ID, tier)
	})
	return changed, err
}

// findAccount finds an account that must be there, in the register or a change
// of it.
func findAccount(ctx context.Context, in interface {
	Account(ctx context.Context, name string) (Account, error)
}, text string) (Account, error) {
	name, err := normaliseName("account", text)
	if err != nil {
		return Account{}, err
	}
	found, err := in.Account(ctx, name)
	if err == nil && found.ID == 0 {
		err = stat.Errorf(stat.NotFound, "there is no account %q", name)
	}
	return found, err
}

// Usage lists what was counted from one UTC day to another, both included, by
// day and account. Anonymous callers come last in each day.
func (a *Access) Usage(ctx context.Context, from, to time.Time) ([]Usage, error) {
	return a.db.Usage(ctx, dayOf(from), dayOf(to))
}

// Follow makes an organisation follow a dataset, or sets what it follows of it.
// Since stays what it was if it follows it already; otherwise it is now.
func (a *Access) Follow(ctx context.Context, organisation int64, f Followed) (Followed, error) {
	f.Since = a.now()
	return a.db.Follow(ctx, organisation, f)
}

// Unfollow ends it; the error is [stat.NotFound] if it does not follow it.
func (a *Access) Unfollow(ctx context.Context, organisation int64, dataset int) error {
	isFollowed, err := a.db.Unfollow(ctx, organisation, dataset)
	if err == nil && !isFollowed {
		err = stat.Errorf(stat.NotFound, "your organisation does not follow dataset %d", dataset)
	}
	return err
}

// Followed returns what an organisation follows of a dataset; ok is false if
// it does not follow it.
func (a *Access) Followed(ctx context.Context, organisation int64, dataset int) (f Followed, ok bool, err error) {
	f, err = a.db.Followed(ctx, organisation, dataset)
	return f, err == nil && f.Dataset != 0, err
}

// AllFollowed returns a page of what an organisation follows, by ascending id
// of the dataset, and how many it follows altogether.
func (a *Access) AllFollowed(ctx context.Context, organisation int64, page, limit int) (list []Followed, total int, err error) {
	return a.db.AllFollowed(ctx, organisation, page, limit)
}
