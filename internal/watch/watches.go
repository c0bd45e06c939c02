package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"almanac/internal/sqlitefile"
	"almanac/internal/stat"
)

// Ref is a dataset of an office.
type Ref struct {
	Office string
	Text   string // "eurostat:une_rt_m"
	Title  string // from the office's list, or empty
}

// Add adds a watch, or changes its interval. isNew reports whether it did not
// exist. [DB.Expand] sets its items.
func (db *DB) Add(ctx context.Context, ref string, every time.Duration, now time.Time) (isNew bool, err error) {
	err = db.change(ctx, "adding the watch "+ref, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE watch SET every = ? WHERE ref = ?", every.Milliseconds(), ref)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if isNew = n == 0; err != nil || !isNew {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO watch (ref, every, added) VALUES (?, ?, ?)", ref, every.Milliseconds(), millis(now))
		return err
	})
	return isNew, err
}

// Remove removes a watch, and the items that no other watch has. Their datasets
// stay in the store. The error is [stat.NotFound] if there is no such watch.
func (db *DB) Remove(ctx context.Context, ref string) error {
	err := db.change(ctx, "removing the watch "+ref, func(tx *sql.Tx) error {
		var id int64
		// The exact spelling comes first.
		err := tx.QueryRowContext(ctx, "SELECT id FROM watch WHERE ref = ?1 COLLATE NOCASE ORDER BY ref = ?1 DESC LIMIT 1", ref).Scan(&id)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM wanted WHERE watch = ?", id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM watch WHERE id = ?", id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, dropUnwanted)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return stat.Errorf(stat.NotFound, "%s is not watched; `almanac watch list` shows what is", ref)
	}
	return err
}

// dropUnwanted deletes the items without a watch. Their datasets then have no
// item.
const dropUnwanted = `DELETE FROM item WHERE id NOT IN (SELECT item FROM wanted);
	UPDATE dataset SET item = NULL WHERE item NOT IN (SELECT id FROM item)`

// List returns the watches, ordered by reference.
func (db *DB) List(ctx context.Context) ([]Watch, error) {
	rows, err := db.db.QueryContext(ctx, `SELECT ref, every, added, expanded,
		items, error FROM watch ORDER BY ref`)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (w Watch, err error) {
		var every, added, expanded int64
		err = row.Scan(&w.Ref, &every, &added, &expanded, &w.Items, &w.Error)
		w.Every, w.Added, w.Expanded = time.Duration(every)*time.Millisecond, moment(added), moment(expanded)
		return w, err
	})
	return list, reading(err, "the watches")
}

// Expand sets the items of a watch. New items are due at once, and items that are
// not among refs are removed from the watch. It returns the number of added items
// and the removed ones. A watch that was removed meanwhile gets no items.
func (db *DB) Expand(ctx context.Context, watch string, refs []Ref, now time.Time) (added int, removed []string, err error) {
	texts := make([]string, len(refs))
	for i, r := range refs {
		texts[i] = r.Text
	}
	list, err := json.Marshal(texts)
	if err != nil {
		return 0, nil, err
	}
	full, err := json.Marshal(refs)
	if err != nil {
		return 0, nil, err
	}
	err = db.change(ctx, "writing the items of "+watch, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, "UPDATE watch SET expanded = ? WHERE ref = ? RETURNING id", millis(now), watch).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, removeOthers, id, string(list))
		removed, err = sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (ref string, err error) { return ref, row.Scan(&ref) })
		if err != nil {
			return err
		}
		if len(removed) > 0 {
			if _, err := tx.ExecContext(ctx, dropUnwanted); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, addItems, string(full)); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, addWanted, id, string(list))
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		added = int(n)
		_, err = tx.ExecContext(ctx, afterExpand, id, millis(now))
		return err
	})
	return added, removed, err
}

// The statements of Expand. ?1 is the ID of the watch, for addItems the refs; ?2 is the
// list of their texts. afterExpand makes the items due within the watch's interval;
// items that failed keep their growing waits.
const (
	removeOthers = `DELETE FROM wanted
		WHERE watch = ?1 AND item NOT IN (SELECT id FROM item WHERE ref IN (SELECT value FROM json_each(?2)))
		RETURNING (SELECT ref FROM item AS removed WHERE removed.id = wanted.item)`
	addItems = `INSERT INTO item (ref, office, state)
		SELECT value ->> 'Text', value ->> 'Office', iif(value ->> 'Title' = '', NULL, json_object('title', value ->> 'Title'))
		FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM item WHERE ref = value ->> 'Text') ON CONFLICT DO NOTHING`
	addWanted = `INSERT INTO wanted (watch, item)
		SELECT ?1, id FROM item WHERE ref IN (SELECT value FROM json_each(?2)) AND id NOT IN (SELECT item FROM wanted WHERE watch = ?1)`
	afterExpand = `INSERT INTO office (id) SELECT DISTINCT office FROM item WHERE id IN (SELECT item FROM wanted WHERE watch = ?1) ON CONFLICT DO NOTHING;
		UPDATE watch SET items = (SELECT count(*) FROM wanted WHERE watch = ?1) WHERE id = ?1;
		UPDATE item SET due = ?2 + (SELECT every FROM watch WHERE id = ?1)
		WHERE id IN (SELECT item FROM wanted WHERE watch = ?1) AND failed = 0
			AND (SELECT every FROM watch WHERE id = ?1) BETWEEN 1 AND due - ?2 - 1`
)

// RecordExpandError records why the items of a watch could not be found; they stay as
// before. An empty reason clears the error.
func (db *DB) RecordExpandError(ctx context.Context, watch, reason string, now time.Time) error {
	return db.exec(ctx, "recording the error of "+watch,
		"UPDATE watch SET expanded = ?, error = ? WHERE ref = ?", millis(now), reason, watch)
}
