package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// A link is the address of one selection of one dataset, which is read without a key: programs
// such as spreadsheets cannot send one. Its token is
//
//	alm_ IIIIIIII SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS
//	     id       signature
//
// without the spaces. The signature covers the row of the link, so that nobody can change the
// selection, and begins like a key, so that logs hide it. It is an HMAC under a key that is derived
// from the pepper.

// Link describes a link. It does not contain the signature.
type Link struct {
	ID           string    `json:"id"`
	Account      string    `json:"account"`
	Organisation string    `json:"organisation"`
	Dataset      int       `json:"dataset"`
	Form         string    `json:"form"`  // the extension of the file: csv
	Query        string    `json:"query"` // the parameters of the data
	Created      time.Time `json:"created"`
	Expires      time.Time `json:"expires,omitzero"`
	Revoked      time.Time `json:"revoked,omitzero"`
	State        string    `json:"state"` // valid, expired or revoked
	UsedToday    int64     `json:"used_today"`
	Used         int64     `json:"used"` // in all
}

// LinkRequest says what link to create.
type LinkRequest struct {
	Account string // must exist
	Dataset int
	Form    string
	Query   string
	Expires time.Time // zero: never
}

// Errors of [Access.VerifyLink].
var (
	ErrLink        = errors.New("invalid link")
	ErrLinkExpired = errors.New("the link has expired")
	ErrLinkRevoked = errors.New("the link was revoked")
)

type knownLink struct {
	row       register.Link
	signature string
	caller    Caller
}

const linkLength = publicEnd + secretLength

// linkMACLabel is what the key of signatures is derived from the pepper with.
const linkMACLabel = "key of the signatures of links"

// signatureOf returns the signature of a link.
func (a *Access) signatureOf(l *register.Link) string {
	key := a.pepper.mac(linkMACLabel)
	h := hmac.New(sha256.New, key[:])
	for _, part := range []string{l.ID, strconv.FormatInt(l.Account.ID, 10), strconv.Itoa(l.Dataset), l.Form, l.Query, strconv.FormatInt(l.Created.Unix(), 10), l.Expires.UTC().Format(time.RFC3339)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	text := make([]byte, secretLength)
	for i, b := range h.Sum(nil) {
		text[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(text)
}

func linkAt(l *register.Link, now time.Time) Link {
	state := Valid
	switch {
	case !l.Revoked.IsZero():
		state = Revoked
	case !l.Expires.IsZero() && !l.Expires.After(now):
		state = Expired
	}
	return Link{
		ID: l.ID, Account: l.Account.Name, Organisation: l.Account.Organisation, Dataset: l.Dataset, Form: l.Form, Query: l.Query,
		Created: l.Created, Expires: l.Expires, Revoked: l.Revoked, State: state,
	}
}

// CreateLink creates a link for an account and returns its token, which is shown only once. The caller has
// checked the query.
func (a *Access) CreateLink(ctx context.Context, r LinkRequest) (token string, l Link, err error) {
	now := a.now().UTC().Truncate(time.Second)
	if !r.Expires.IsZero() && !r.Expires.After(now) {
		return "", l, stat.Errorf(stat.Invalid, "the link cannot expire on %s, which is in the past", r.Expires.Format(time.RFC3339))
	}
	account, err := findAccount(ctx, a.db.Account, r.Account)
	if err != nil {
		return "", l, err
	}
	row := register.Link{ID: randomText(publicLength), Account: account, Dataset: r.Dataset, Form: r.Form, Query: r.Query, Created: now}
	if !r.Expires.IsZero() {
		row.Expires = r.Expires.UTC().Truncate(time.Second)
	}
	err = a.changeKeys(ctx, func(ch *register.Change) error { return ch.AddLink(ctx, row) })
	return KeyPrefix + row.ID + a.signatureOf(&row), linkAt(&row, now), err
}

// Links lists all links, by account and time of creation, with their uses.
func (a *Access) Links(ctx context.Context) ([]Link, error) {
	rows, err := a.db.Links(ctx)
	if err != nil {
		return nil, err
	}
	now := a.now()
	today, err := a.db.LinkUses(ctx, dayOf(now))
	if err != nil {
		return nil, err
	}
	all, err := a.db.LinkUses(ctx, 0)
	var list []Link
	for i := range rows {
		l := linkAt(&rows[i], now)
		l.UsedToday, l.Used = today[l.ID], all[l.ID]
		list = append(list, l)
	}
	return list, err
}

// RevokeLink revokes a link by its ID or its token; every process knows within a second.
func (a *Access) RevokeLink(ctx context.Context, text string) (Link, error) {
	id := text
	if strings.HasPrefix(text, KeyPrefix) && len(text) == linkLength {
		id = text[len(KeyPrefix):publicEnd]
	}
	now := a.now().UTC().Truncate(time.Second)
	var row register.Link
	err := a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if row, err = ch.Link(ctx, id); err != nil {
			return err
		}
		if row.ID == "" {
			return stat.Errorf(stat.NotFound, "there is no link %q", Redact(text))
		}
		if !row.Revoked.IsZero() {
			return nil
		}
		row.Revoked = now
		return ch.RevokeLink(ctx, id, now)
	})
	return linkAt(&row, now), err
}

// VerifyLink returns the link with a token, and the caller in whose name it is used. The error
// is [ErrLink] for a token that is not that of a link, [ErrLinkExpired] or [ErrLinkRevoked].
func (a *Access) VerifyLink(token string) (Link, Caller, error) {
	if len(token) != linkLength || !strings.HasPrefix(token, KeyPrefix) {
		return Link{}, Caller{}, ErrLink
	}
	known := a.knownLink(token)
	if known == nil {
		a.catchUp() // another process may just have created it
		if known = a.knownLink(token); known == nil {
			return Link{}, Caller{}, ErrLink
		}
	}
	if a.keysAreStale() {
		return Link{}, Caller{}, stat.Errorf(stat.Unavailable, "links cannot be checked at the moment; try again in a few seconds")
	}
	l := linkAt(&known.row, a.now())
	switch l.State {
	case Revoked:
		return l, Caller{}, ErrLinkRevoked
	case Expired:
		return l, Caller{}, ErrLinkExpired
	}
	return l, known.caller, nil
}

// knownLink returns the link with a well-formed token, nil if none in memory has it.
func (a *Access) knownLink(token string) *knownLink {
	a.mu.RLock()
	known := a.links[token[len(KeyPrefix):publicEnd]]
	a.mu.RUnlock()
	if known == nil || !hmac.Equal([]byte(known.signature), []byte(token[publicEnd:])) {
		return nil
	}
	return known
}

// CountLink counts a use of a link. Refund the ticket if the reader gets no data.
func (a *Access) CountLink(id string) (Ticket, error) {
	now := a.now()
	return a.admit("", Unlimited, now, counter{register.LinkSubject + id, dayOf(now)})
}

// setLink stores the row of a link in memory. The caller holds the lock.
func (a *Access) setLink(l *register.Link) {
	a.links[l.ID] = &knownLink{row: *l, signature: a.signatureOf(l), caller: callerOf(&l.Account, "")}
}
