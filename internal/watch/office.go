package watch

import (
	"context"
	"database/sql"
	"time"
)

// after is what is known of an office after a try of one of its items.
func (o Office) after(it Item) Office {
	switch {
	case it.Failed == 0 && it.Checked.After(o.LastSuccess):
		o.LastSuccess = it.Checked
	case it.Failed > 0 && it.Tried.After(o.LastError):
		o.LastError, o.Error = it.Tried, it.Error
	}
	return o
}

// write adds what is newer to an office's row.
func (o Office) write(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO office (id, success, error_at, error) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET success = max(success, excluded.success),
			error = iif(excluded.error_at >= error_at AND excluded.error <> '', excluded.error, error),
			error_at = max(error_at, excluded.error_at)`,
		id, millis(o.LastSuccess), millis(o.LastError), o.Error)
	return err
}

// Answered records an answer of an office's server, or with a reason its
// failure, after which it is not asked before until: items that are due earlier
// are due then. An answer ends the waiting for all of them.
func (db *DB) Answered(ctx context.Context, office string, at time.Time, reason string, until time.Time) error {
	return db.change(ctx, "writing down how "+office+" answers", func(tx *sql.Tx) error {
		o := Office{LastSuccess: at}
		if reason != "" {
			o = Office{LastError: at, Error: reason}
		}
		if err := o.write(ctx, tx, office); err != nil {
			return err
		}
		postpone := "UPDATE item SET due = ?2 WHERE office = ?1 AND due < ?2"
		if reason == "" {
			postpone = "UPDATE item SET due = ?3 WHERE office = ?1 AND due > ?3 AND due = (SELECT until FROM office WHERE id = ?1)"
		}
		if _, err := tx.ExecContext(ctx, postpone, office, millis(until), millis(at)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE office SET until = ? WHERE id = ?", millis(until), office)
		return err
	})
}

// Postpone makes the items of an office due no earlier than until.
func (db *DB) Postpone(ctx context.Context, office string, until time.Time) error {
	return db.change(ctx, "postponing "+office, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE item SET due = ?2 WHERE office = ?1 AND due < ?2", office, millis(until))
		return err
	})
}

// Listed records that an office's whole list of contents was read, and whether
// it tells when datasets changed.
func (db *DB) Listed(ctx context.Context, office string, at time.Time, tells bool) error {
	return db.change(ctx, "writing down what "+office+" lists", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO office (id, success, listed, tells) VALUES (?1, ?2, ?2, ?3)
			ON CONFLICT DO UPDATE SET success = max(success, excluded.success), listed = excluded.listed, tells = excluded.tells`,
			office, millis(at), tells)
		return err
	})
}

// Offices returns what is known of the offices that have items or a log, by ID.
func (db *DB) Offices(ctx context.Context) ([]Office, error) {
	rows, err := db.db.QueryContext(ctx, `
		WITH counts AS (SELECT office, count(*) AS watched, sum(failed > 0) AS failing FROM item GROUP BY office),
			ids AS (SELECT office AS id FROM counts UNION SELECT id FROM office UNION SELECT DISTINCT office FROM log)
		SELECT ids.id, coalesce(success, 0), coalesce(error_at, 0), coalesce(error, ''), coalesce(until, 0),
			coalesce(listed, 0), coalesce(tells, 0), coalesce(watched, 0), coalesce(failing, 0)
		FROM ids LEFT JOIN office ON office.id = ids.id LEFT JOIN counts ON counts.office = ids.id ORDER BY ids.id`)
	list, err := collect(rows, err, func(row scanner) (o Office, err error) {
		var success, failure, until, listed int64
		err = row.Scan(&o.ID, &success, &failure, &o.Error, &until, &listed, &o.Tells, &o.Watched, &o.Failing)
		o.LastSuccess, o.LastError, o.Until, o.Listed = moment(success), moment(failure), moment(until), moment(listed)
		return o, err
	})
	return list, reading(err, "what is known of the offices")
}
