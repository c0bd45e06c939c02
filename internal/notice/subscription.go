package notice

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Rhythm is how often a person is told by mail.
type Rhythm string

// The rhythms.
const (
	Never      Rhythm = ""
	EachChange Rhythm = "change"
	Daily      Rhythm = "day"  // at six
	Weekly     Rhythm = "week" // on Mondays at six, UTC
)

// Rhythms lists all rhythms.
var Rhythms = []Rhythm{Never, EachChange, Daily, Weekly}

const hourOfMail = 6

// next returns when mail is due next.
func (r Rhythm) next(now time.Time) time.Time {
	if r == EachChange {
		return now
	}
	now = now.UTC()
	due := time.Date(now.Year(), now.Month(), now.Day(), hourOfMail, 0, 0, 0, time.UTC)
	for !due.After(now) || r == Weekly && due.Weekday() != time.Monday {
		due = due.AddDate(0, 0, 1)
	}
	return due
}

// Subscription is a person's wish to be told by mail what changes in what an organisation follows.
type Subscription struct {
	Endpoint
	Person   string
	Rhythm   Rhythm
	Language string // of the mail: "de"
	Next     time.Time

	told int64
}

const subscriptionColumns = endpointColumns + ", person, rhythm, language, next, told"

func scanSubscription(row database.Row) (s Subscription, err error) {
	err = row.Scan(&s.ID, &s.Organisation, &s.Address, scanTime{&s.Created}, scanTime{&s.FailingSince}, scanTime{&s.Disabled}, &s.Person, &s.Rhythm, &s.Language, scanTime{&s.Next}, &s.told)
	return s, err
}

// Subscription returns the subscription of a person to what an organisation follows. Its Rhythm is
// [Never] if there is none.
func (d *DB) Subscription(ctx context.Context, organisation int64, person string) (Subscription, error) {
	s, err := scanSubscription(d.db.QueryRowContext(ctx, "SELECT "+subscriptionColumns+" FROM endpoint WHERE organisation = $1 AND person = $2 AND person <> ''", organisation, person))
	return s, ifFound(err, "reading a subscription")
}

// Subscribe sets how often a person is told by mail from now on what changes in what an
// organisation follows. One that was disabled is used again.
func (d *DB) Subscribe(ctx context.Context, s Subscription, now time.Time) error {
	switch {
	case s.Rhythm == Never:
		_, err := d.db.ExecContext(ctx, "DELETE FROM endpoint WHERE organisation = $1 AND person = $2 AND person <> ''", s.Organisation, s.Person)
		return stat.Wrap(err, "ending a subscription")
	case !slices.Contains(Rhythms, s.Rhythm):
		return stat.Errorf(stat.Invalid, "unknown rhythm %q of mail", s.Rhythm)
	case s.Person == "":
		return stat.Errorf(stat.Invalid, "a subscription needs a person")
	}
	_, sealed := d.newSecret()
	_, err := d.db.ExecContext(ctx, `INSERT INTO endpoint (organisation, address, secret, created, person, rhythm, language, next, told)
		VALUES ($1, '', $2, $3, $4, $5, $6, $7, (SELECT coalesce(max(id), 0) FROM news WHERE organisation = $1))
		ON CONFLICT (person, organisation) WHERE person <> '' DO UPDATE SET rhythm = excluded.rhythm, language = excluded.language, next = excluded.next,
			told = CASE endpoint.disabled WHEN 0 THEN endpoint.told ELSE excluded.told END, disabled = 0, failing_since = 0`,
		s.Organisation, sealed, millis(now), s.Person, s.Rhythm, s.Language, millis(s.Rhythm.next(now)))
	return stat.Wrap(err, "subscribing")
}

// SubscriptionOf returns the subscription that a token of a mail ends. The error is
// [stat.NotFound] if there is none.
func (d *DB) SubscriptionOf(ctx context.Context, token string) (s Subscription, err error) {
	id, err := d.checkToken(token, toUnsubscribe, func(id int64) (sealed []byte, err error) {
		err = d.db.QueryRowContext(ctx, "SELECT secret FROM endpoint WHERE id = $1 AND person <> ''", id).Scan(&sealed)
		return sealed, ifFound(err, "reading the secret of a subscription")
	})
	if err != nil {
		return s, err
	}
	return d.subscription(ctx, id)
}

func (d *DB) subscription(ctx context.Context, id int64) (Subscription, error) {
	s, err := scanSubscription(d.db.QueryRowContext(ctx, "SELECT "+subscriptionColumns+" FROM endpoint WHERE id = $1", id))
	return s, stat.Wrap(err, "reading a subscription")
}

// Forget ends all subscriptions of a person.
func (d *DB) Forget(ctx context.Context, person string) error {
	_, err := d.db.ExecContext(ctx, "DELETE FROM endpoint WHERE person = $1 AND person <> ''", person)
	return stat.Wrap(err, "ending the subscriptions of a person")
}

// News is an update that changed what an organisation follows.
type News struct {
	Dataset int       `json:"dataset"`
	Before  string    `json:"before"` // the older version
	Version string    `json:"version"`
	Created time.Time `json:"-"`
}

func scanNews(row database.Row) (n News, err error) {
	err = row.Scan(&n.Dataset, &n.Before, &n.Version, scanTime{&n.Created})
	return n, err
}

// News lists the newest updates of the last 90 days that changed what an organisation follows, at
// most limit, the newest first.
func (d *DB) News(ctx context.Context, organisation int64, limit int) ([]News, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT dataset, before, version, created FROM news WHERE organisation = $1 ORDER BY id DESC LIMIT $2", organisation, limit)
	list, err := database.Collect(rows, err, scanNews)
	return list, stat.Wrap(err, "listing what changed")
}

// queueDigests queues the mails that are due: of each subscription one that has all news since the
// last one, or none if there is no news.
func (d *DB) queueDigests(ctx context.Context, now time.Time) error {
	rows, err := d.db.QueryContext(ctx, `SELECT `+subscriptionColumns+` FROM endpoint
		WHERE person <> '' AND disabled = 0 AND next <= $1 AND (rhythm <> $2 OR EXISTS (SELECT 1 FROM news WHERE organisation = endpoint.organisation AND id > told))
		ORDER BY person, organisation`, millis(now), EachChange)
	due, err := database.Collect(rows, err, scanSubscription)
	if err != nil {
		return fmt.Errorf("listing the mails that are due: %w", err)
	}
	for i := range due {
		if err := d.queueDigest(ctx, &due[i], now); err != nil {
			return fmt.Errorf("queueing a mail: %w", err)
		}
	}
	return nil
}

// queueDigest queues a mail with the news since the last one, unless another process has done so.
func (d *DB) queueDigest(ctx context.Context, s *Subscription, now time.Time) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var last int64
	err = tx.QueryRowContext(ctx, `UPDATE endpoint SET next = $1, told = (SELECT coalesce(max(id), told) FROM news WHERE organisation = endpoint.organisation AND id > told)
		WHERE id = $2 AND next = $3 AND told = $4 AND disabled = 0 RETURNING told`, millis(s.Rhythm.next(now)), s.ID, millis(s.Next), s.told).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT dataset, before, version, created FROM news WHERE organisation = $1 AND id > $2 AND id <= $3 ORDER BY id", s.Organisation, s.told, last)
	news, err := database.Collect(rows, err, scanNews)
	if err != nil {
		return err
	}
	if len(news) > 0 {
		text, err := json.Marshal(body{Type: digestKind, Timestamp: now.UTC().Format(time.RFC3339), Data: joinNews(news)})
		if err != nil {
			return err
		}
		if err := queue(ctx, tx, Message{Organisation: s.Organisation, Kind: digestKind, Body: string(text)}, s.ID, now); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// joinNews joins the news of each dataset, from the first version before to the last one after.
func joinNews(news []News) (joined []News) {
	for _, n := range news {
		i := slices.IndexFunc(joined, func(j News) bool { return j.Dataset == n.Dataset })
		if i < 0 {
			joined = append(joined, n)
			continue
		}
		joined[i].Version = n.Version
	}
	return joined
}
