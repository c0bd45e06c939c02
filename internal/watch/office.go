package watch

import (
	"context"
	"database/sql"
	"time"

	"almanac/internal/database"
)

// after returns the state of an office after a try of one of its items.
func (o Office) after(r Result) Office {
	switch tried := r.Item.Tried; {
	case r.Answer == Good && tried.After(o.LastSuccess):
		o.LastSuccess = tried
	case r.Answer == Bad && tried.After(o.LastError):
		o.LastError, o.Error = tried, r.Item.Error
	}
	return o
}

// writeOffice updates an office's row with what is newer in o.
func (c *change) writeOffice(id string, o Office) {
	c.exec(`INSERT INTO office (id, success, error_at, error) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET success = CASE WHEN excluded.success > office.success THEN excluded.success ELSE office.success END,
			error = CASE WHEN excluded.error_at > office.error_at AND excluded.error <> '' THEN excluded.error ELSE office.error END,
			error_at = CASE WHEN excluded.error_at > office.error_at THEN excluded.error_at ELSE office.error_at END`,
		id, millis(o.LastSuccess), millis(o.LastError), o.Error)
}

// Pause records the last error of an office and why it must not be contacted until
// o.Until: no item of the office is due before.
func (db *DB) Pause(ctx context.Context, o Office) error {
	return db.setPause(ctx, o, postponeItems, millis(o.Until))
}

const postponeItems = "UPDATE item SET due = $2 WHERE office = $1 AND due < $2"

// Resume ends the pause of an office. at is when its server answered; zero if it
// has not answered yet.
func (db *DB) Resume(ctx context.Context, office string, at time.Time) error {
	return db.setPause(ctx, Office{ID: office, LastSuccess: at},
		"UPDATE item SET due = $2 WHERE office = $1 AND due > $2 AND due = (SELECT until FROM office WHERE id = $1)", millis(at))
}

// setPause writes the state of an office, and when its items are due.
func (db *DB) setPause(ctx context.Context, o Office, items string, due int64) error {
	return db.change(ctx, "recording the answer of "+o.ID, func(c *change) {
		c.writeOffice(o.ID, o)
		c.exec(items, o.ID, due)
		c.exec("UPDATE office SET until = $1, deferred = $2 WHERE id = $3", millis(o.Until), o.Deferred, o.ID)
	})
}

// Postpone makes the items of an office due no earlier than until.
func (db *DB) Postpone(ctx context.Context, office string, until time.Time) error {
	return db.exec(ctx, "postponing "+office, postponeItems, office, millis(until))
}

// RecordList records that an office's whole list of contents was read, and whether
// it has times of changes.
func (db *DB) RecordList(ctx context.Context, office string, at time.Time, hasTimes bool) error {
	return db.exec(ctx, "recording the list of "+office, `INSERT INTO office (id, success, listed, tells) VALUES ($1, $2, $2, $3)
		ON CONFLICT (id) DO UPDATE SET success = CASE WHEN excluded.success > office.success THEN excluded.success ELSE office.success END, listed = excluded.listed, tells = excluded.tells`,
		office, millis(at), hasTimes)
}

// Offices returns the state of all offices that have or had items or log
// entries, ordered by ID. A successful check counts as a usable answer.
func (db *DB) Offices(ctx context.Context) ([]Office, error) {
	rows, err := db.db.QueryContext(ctx, `
		SELECT id, CASE WHEN worked > success THEN worked ELSE success END, error_at, o.error, until, deferred, listed, tells,
			(SELECT count(*) FROM item WHERE item.office = o.id),
			(SELECT count(*) FROM item WHERE item.office = o.id AND failed > 0),
			(SELECT min(due) FROM item WHERE item.office = o.id)
		FROM office AS o LEFT JOIN probe ON probe.office = o.id ORDER BY id`)
	list, err := database.Collect(rows, err, func(row database.Row) (o Office, err error) {
		var success, failure, until, listed int64
		var next sql.NullInt64
		err = row.Scan(&o.ID, &success, &failure, &o.Error, &until, &o.Deferred, &listed, &o.ListHasTimes, &o.Watched, &o.Failing, &next)
		o.LastSuccess, o.LastError, o.Until, o.Listed = moment(success), moment(failure), moment(until), moment(listed)
		if next.Valid {
			o.Next = time.UnixMilli(next.Int64).UTC()
		}
		return o, err
	})
	return list, reading(err, "the state of the offices")
}
