package notice

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Delivery is a message to an endpoint.
type Delivery struct {
	ID        int64
	Endpoint  int64
	Message   string // the id that the receiver sees
	Kind      string // "dataset.changed" or "test"; "digest" by mail
	Body      string // JSON
	Created   time.Time
	Due       time.Time // of the next attempt
	Attempts  int
	Status    Status
	Answer    string // to the last attempt: "204 No Content", or why there was none
	Attempted time.Time

	fence int64
}

// Status is how far a delivery is.
type Status string

// The states of a delivery.
const (
	Waiting    Status = "waiting"
	HandedOver Status = "handed over" // to the mail server, whose answer is not known
	Delivered  Status = "delivered"
	Failed     Status = "failed" // for good
)

const deliveryColumns = "id, endpoint, message, kind, body, created, due, attempts, status, answer, attempted, fence"

func scanDelivery(row database.Row) (d Delivery, err error) {
	err = row.Scan(&d.ID, &d.Endpoint, &d.Message, &d.Kind, &d.Body, scanTime{&d.Created}, scanTime{&d.Due}, &d.Attempts, &d.Status, &d.Answer, scanTime{&d.Attempted}, &d.fence)
	return d, err
}

// Deliveries lists the newest messages to an endpoint, at most limit.
func (d *DB) Deliveries(ctx context.Context, endpoint int64, limit int) ([]Delivery, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT "+deliveryColumns+" FROM delivery WHERE endpoint = $1 ORDER BY id DESC LIMIT $2", endpoint, limit)
	list, err := database.Collect(rows, err, scanDelivery)
	return list, stat.Wrap(err, "listing the messages to an endpoint")
}

// Message is what an organisation is told.
type Message struct {
	Organisation int64
	Kind         string
	Body         string // JSON
}

// execer is a database or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// queue adds a message to all webhooks of an organisation that are in use, or to one endpoint.
func queue(ctx context.Context, db execer, m Message, endpoint int64, now time.Time) error {
	// The id of a message is random, and the same for all endpoints of it but for their number.
	_, err := db.ExecContext(ctx, `INSERT INTO delivery (endpoint, message, kind, body, created, due, status)
		SELECT id, $1 || '_' || id, $2, $3, CAST($4 AS BIGINT), CAST($4 AS BIGINT), 'waiting' FROM endpoint
		WHERE organisation = $5 AND disabled = 0 AND (CAST($6 AS BIGINT) = 0 AND person = '' OR id = $6)`,
		"msg_"+rand.Text(), m.Kind, m.Body, millis(now), m.Organisation, endpoint)
	return stat.Wrap(err, "queueing a message")
}

// QueueTest queues a message that tests an endpoint. The error is [stat.NotFound] if the
// organisation does not have it or it is disabled.
func (d *DB) QueueTest(ctx context.Context, organisation, endpoint int64, body string, now time.Time) error {
	var one int
	err := d.db.QueryRowContext(ctx, "SELECT 1 FROM endpoint WHERE organisation = $1 AND id = $2 AND disabled = 0 AND person = ''", organisation, endpoint).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return stat.Errorf(stat.NotFound, "there is no endpoint %d in use", endpoint)
	}
	if err != nil {
		return err
	}
	return queue(ctx, d.db, Message{Organisation: organisation, Kind: "test", Body: body}, endpoint, now)
}

// seen returns the version of each dataset up to which notices were made.
func (d *DB) seen(ctx context.Context) (map[int]string, error) {
	versions := map[int]string{}
	rows, err := d.db.QueryContext(ctx, "SELECT dataset, version FROM seen")
	err = database.Each(rows, err, func(row database.Row) error {
		var dataset int
		var version string
		if err := row.Scan(&dataset, &version); err != nil {
			return err
		}
		versions[dataset] = version
		return nil
	})
	return versions, stat.Wrap(err, "reading up to which versions notices were made")
}

// see records that notices up to the version of a dataset are made, with their messages, all or
// nothing. It does nothing if another process has made them since before was read.
func (d *DB) see(ctx context.Context, of Dataset, before string, messages []Message, now time.Time) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var result sql.Result
	if before == "" {
		result, err = tx.ExecContext(ctx, "INSERT INTO seen (dataset, version) VALUES ($1, $2) ON CONFLICT DO NOTHING", of.ID, of.Version)
	} else {
		result, err = tx.ExecContext(ctx, "UPDATE seen SET version = $1 WHERE dataset = $2 AND version = $3", of.Version, of.ID, before)
	}
	if err != nil {
		return fmt.Errorf("recording that notices of dataset %d are made: %w", of.ID, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for _, m := range messages {
		if err := queue(ctx, tx, m, 0, now); err != nil {
			return err
		}
		var id int64
		if err := tx.QueryRowContext(ctx, "UPDATE newest SET news = news + 1 RETURNING news").Scan(&id); err != nil {
			return fmt.Errorf("numbering the news of dataset %d: %w", of.ID, err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO news (id, organisation, dataset, before, version, created) VALUES ($1, $2, $3, $4, $5, $6)",
			id, m.Organisation, of.ID, before, of.Version, millis(now)); err != nil {
			return fmt.Errorf("recording that dataset %d changed: %w", of.ID, err)
		}
	}
	return tx.Commit()
}

// take takes the next due delivery until a time, or the next that is no mail. ok is false if there
// is none.
func (d *DB) take(ctx context.Context, now, until time.Time, sendsMail bool) (taken Delivery, ok bool, err error) {
	for {
		var id, fence int64
		err := d.db.QueryRowContext(ctx, `SELECT id, fence FROM delivery WHERE status = 'waiting' AND due <= $1 AND lease <= $1 AND (CAST($2 AS BIGINT) = 1 OR kind <> $3)
			ORDER BY due, id LIMIT 1`, millis(now), sendsMail, digestKind).Scan(&id, &fence)
		if err != nil {
			return taken, false, ifFound(err, "looking for a message to send")
		}
		taken, err = scanDelivery(d.db.QueryRowContext(ctx, "UPDATE delivery SET lease = $1, fence = fence + 1 WHERE id = $2 AND fence = $3 RETURNING "+deliveryColumns,
			millis(until), id, fence))
		if errors.Is(err, sql.ErrNoRows) {
			continue // another process has taken it
		}
		return taken, err == nil, stat.Wrap(err, "taking a message to send")
	}
}

// attempt is what came of sending a message.
type attempt struct {
	at      time.Time
	answer  string
	isDone  bool      // the receiver has it
	isGone  bool      // the receiver wants no more messages
	nextTry time.Time // zero: there is none
}

// record records an attempt, unless another process has taken the delivery since.
func (d *DB) record(ctx context.Context, of *Delivery, a attempt) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	status := Waiting
	switch {
	case a.isDone:
		status = Delivered
	case a.nextTry.IsZero():
		status = Failed
	}
	result, err := tx.ExecContext(ctx, `UPDATE delivery SET status = $1, answer = $2, attempted = $3, due = $4, attempts = attempts + 1, lease = 0 WHERE id = $5 AND fence = $6`,
		status, a.answer, millis(a.at), millis(a.nextTry), of.ID, of.fence)
	if err != nil {
		return fmt.Errorf("recording an attempt: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for _, change := range endpointChanges(of, a) {
		if _, err := tx.ExecContext(ctx, change.statement, change.args...); err != nil {
			return fmt.Errorf("recording an attempt: %w", err)
		}
	}
	return tx.Commit()
}

type statement struct {
	statement string
	args      []any
}

// endpointChanges says how an attempt changes its endpoint: it works, or fails since then, and is
// disabled if it has failed for a week or wants no more messages.
func endpointChanges(of *Delivery, a attempt) []statement {
	at := millis(a.at)
	if a.isDone {
		return []statement{{"UPDATE endpoint SET failing_since = 0 WHERE id = $1", []any{of.Endpoint}}}
	}
	changes := []statement{{"UPDATE endpoint SET failing_since = $1 WHERE id = $2 AND failing_since = 0", []any{at, of.Endpoint}}}
	disabled := []any{at, of.Endpoint, at - disableAfter.Milliseconds(), a.isGone}
	changes = append(changes, statement{"UPDATE endpoint SET disabled = $1 WHERE id = $2 AND disabled = 0 AND (failing_since <= $3 OR CAST($4 AS BIGINT) = 1)", disabled})
	return append(changes, statement{"UPDATE delivery SET status = 'failed' WHERE endpoint = $1 AND status = 'waiting' AND EXISTS (SELECT 1 FROM endpoint WHERE id = $1 AND disabled <> 0)", []any{of.Endpoint}})
}

// trim deletes messages that are done, and news, that are older than a time.
func (d *DB) trim(ctx context.Context, before time.Time) error {
	_, err := d.db.ExecContext(ctx, "DELETE FROM delivery WHERE status <> 'waiting' AND created < $1", millis(before))
	if err == nil {
		_, err = d.db.ExecContext(ctx, "DELETE FROM news WHERE created < $1", millis(before))
	}
	return stat.Wrap(err, "deleting old messages")
}
