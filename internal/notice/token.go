package notice

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// A token is a part of an address that whoever has it may use:
//
//	alm_ 00000007 MMMM…
//	     id       MAC of the purpose under the secret of the row, in 64 hexadecimal digits
//
// without the spaces. It begins like a key, so that logs hide it.
const (
	tokenPrefix = "alm_"
	macLength   = 2 * sha256.Size
)

// The purposes of tokens.
const (
	toUnsubscribe = "unsubscribe"
	toReadFeed    = "feed"
)

func tokenOf(id int64, secret []byte, purpose string) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(purpose))
	return fmt.Sprintf("%s%08d%x", tokenPrefix, id, h.Sum(nil))
}

// checkToken returns the id of the row that a token was made for. secretOf returns the encrypted
// secret of a row. The error is [stat.NotFound] if there is no such row or the token is another.
func (d *DB) checkToken(token, purpose string, secretOf func(id int64) ([]byte, error)) (int64, error) {
	notFound := stat.Errorf(stat.NotFound, "this address is not valid, or no longer")
	rest, ok := strings.CutPrefix(token, tokenPrefix)
	if !ok || len(rest) <= macLength {
		return 0, notFound
	}
	id, err := strconv.ParseInt(rest[:len(rest)-macLength], 10, 64)
	if err != nil {
		return 0, notFound
	}
	sealed, err := secretOf(id)
	if err != nil {
		return 0, err
	}
	if sealed == nil {
		return 0, notFound
	}
	secret, err := d.sealer.Open(nil, nil, sealed, nil)
	if err != nil {
		return 0, fmt.Errorf("a secret was encrypted with another key: %w", err)
	}
	if !hmac.Equal([]byte(token), []byte(tokenOf(id, secret, purpose))) {
		return 0, notFound
	}
	return id, nil
}

// newSecret returns a random secret, and what is stored of it.
func (d *DB) newSecret() (secret, sealed []byte) {
	secret = make([]byte, secretLength)
	rand.Read(secret)
	return secret, d.sealer.Seal(nil, nil, secret, nil)
}

// FeedToken returns the token with which the feed of an organisation is read; empty: it has none.
func (d *DB) FeedToken(ctx context.Context, organisation int64) (string, error) {
	sealed, err := d.feedSecret(ctx, organisation)
	if err != nil || sealed == nil {
		return "", err
	}
	secret, err := d.sealer.Open(nil, nil, sealed, nil)
	if err != nil {
		return "", fmt.Errorf("the secret of a feed was encrypted with another key: %w", err)
	}
	return tokenOf(organisation, secret, toReadFeed), nil
}

// feedSecret returns the encrypted secret of the feed of an organisation, nil if it has none.
func (d *DB) feedSecret(ctx context.Context, organisation int64) (sealed []byte, err error) {
	err = d.db.QueryRowContext(ctx, "SELECT secret FROM feed WHERE organisation = $1", organisation).Scan(&sealed)
	return sealed, ifFound(err, "reading the secret of a feed")
}

// RenewFeed makes a new token for the feed of an organisation. An earlier one is revoked.
func (d *DB) RenewFeed(ctx context.Context, organisation int64, now time.Time) error {
	_, sealed := d.newSecret()
	_, err := d.db.ExecContext(ctx, `INSERT INTO feed (organisation, secret, created) VALUES ($1, $2, $3)
		ON CONFLICT (organisation) DO UPDATE SET secret = excluded.secret, created = excluded.created`, organisation, sealed, millis(now))
	return stat.Wrap(err, "making the address of a feed")
}

// RevokeFeed revokes the token of the feed of an organisation.
func (d *DB) RevokeFeed(ctx context.Context, organisation int64) error {
	_, err := d.db.ExecContext(ctx, "DELETE FROM feed WHERE organisation = $1", organisation)
	return stat.Wrap(err, "revoking the address of a feed")
}

// FeedOf returns the organisation whose feed is read with a token. The error is [stat.NotFound] if
// the token is none, or was revoked.
func (d *DB) FeedOf(ctx context.Context, token string) (organisation int64, err error) {
	return d.checkToken(token, toReadFeed, func(id int64) ([]byte, error) { return d.feedSecret(ctx, id) })
}

// FeedMade returns when the address of an organisation's feed was made.
func (d *DB) FeedMade(ctx context.Context, organisation int64) (time.Time, error) {
	var made int64
	err := d.db.QueryRowContext(ctx, "SELECT created FROM feed WHERE organisation = $1", organisation).Scan(&made)
	return time.UnixMilli(made).UTC(), stat.Wrap(err, "reading when the address of a feed was made")
}
