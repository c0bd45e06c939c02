package watch

import (
	"context"
	"database/sql"
	"time"

	"almanac/internal/sqlitefile"
)

// after is what is known of an office after a try of one of its items.
func (o Office) after(r Result) Office {
	switch tried := r.Item.Tried; {
	case r.Answer == Good && tried.After(o.LastSuccess):
		o.LastSuccess = tried
	case r.Answer == Bad && tried.After(o.LastError):
		o.LastError, o.Error = tried, r.Item.Error
	}
	return o
}

// write adds what is newer to an office's row.
func (o Office) write(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO office (id, success, error_at, error) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET success = max(success, excluded.success),
			error = iif(excluded.error_at > error_at AND excluded.error <> '', excluded.error, error),
			error_at = max(error_at, excluded.error_at)`,
		id, millis(o.LastSuccess), millis(o.LastError), o.Error)
	return err
}

// Answered records an answer of an office's server, or with a reason its
// failure, after which it is not asked before until: items that are due earlier
// are due then. An answer ends the waiting for all of them.
func (db *DB) Answered(ctx context.Context, office string, at time.Time, reason string, until time.Time) error {
	o := Office{ID: office, LastError: at, Error: reason, Until: until}
	if reason == "" {
		o = Office{ID: office, LastSuccess: at}
	}
	return db.leave(ctx, o)
}

// Defers is Answered for an office that says itself until when it wants to be
// left alone.
func (db *DB) Defers(ctx context.Context, office string, at time.Time, reason string, until time.Time) error {
	return db.leave(ctx, Office{ID: office, LastError: at, Error: reason, Until: until, Deferred: true})
}

// leave leaves an office alone until o.Until, or ends that if it is zero.
func (db *DB) leave(ctx context.Context, o Office) error {
	return db.change(ctx, "writing down how "+o.ID+" answers", func(tx *sql.Tx) error {
		if err := o.write(ctx, tx, o.ID); err != nil {
			return err
		}
		postpone := "UPDATE item SET due = ?2 WHERE office = ?1 AND due < ?2"
		if o.Until.IsZero() {
			postpone = "UPDATE item SET due = ?3 WHERE office = ?1 AND due > ?3 AND due = (SELECT until FROM office WHERE id = ?1)"
		}
		if _, err := tx.ExecContext(ctx, postpone, o.ID, millis(o.Until), millis(o.LastSuccess)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE office SET until = ?, deferred = ? WHERE id = ?", millis(o.Until), o.Deferred, o.ID)
		return err
	})
}

// Resumes ends the waiting for an office of which it is not known that it
// answers.
func (db *DB) Resumes(ctx context.Context, office string) error {
	return db.leave(ctx, Office{ID: office})
}

// Postpone makes the items of an office due no earlier than until.
func (db *DB) Postpone(ctx context.Context, office string, until time.Time) error {
	return db.exec(ctx, "postponing "+office, "UPDATE item SET due = ?2 WHERE office = ?1 AND due < ?2", office, millis(until))
}

// Listed records that an office's whole list of contents was read, and whether
// it tells when datasets changed.
func (db *DB) Listed(ctx context.Context, office string, at time.Time, tells bool) error {
	return db.exec(ctx, "writing down what "+office+" lists", `INSERT INTO office (id, success, listed, tells) VALUES (?1, ?2, ?2, ?3)
		ON CONFLICT DO UPDATE SET success = max(success, excluded.success), listed = excluded.listed, tells = excluded.tells`,
		office, millis(at), tells)
}

// Offices returns what is known of the offices that have, or had, items or a log,
// by ID.
func (db *DB) Offices(ctx context.Context) ([]Office, error) {
	rows, err := db.db.QueryContext(ctx, `
		SELECT id, success, error_at, error, until, deferred, listed, tells,
			(SELECT count(*) FROM item WHERE item.office = o.id),
			(SELECT count(*) FROM item WHERE item.office = o.id AND failed > 0),
			(SELECT min(due) FROM item WHERE item.office = o.id)
		FROM office AS o ORDER BY id`)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (o Office, err error) {
		var success, failure, until, listed int64
		var next sql.NullInt64
		err = row.Scan(&o.ID, &success, &failure, &o.Error, &until, &o.Deferred, &listed, &o.Tells, &o.Watched, &o.Failing, &next)
		o.LastSuccess, o.LastError, o.Until, o.Listed = moment(success), moment(failure), moment(until), moment(listed)
		if next.Valid {
			o.Next = time.UnixMilli(next.Int64).UTC()
		}
		return o, err
	})
	return list, reading(err, "what is known of the offices")
}
