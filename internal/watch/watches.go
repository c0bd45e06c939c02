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
	err = db.change(ctx, "writing the items of "+watch, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, "UPDATE watch SET expanded = ? WHERE ref = ? RETURNING id", millis(now), watch).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		before, err := wantedBy(ctx, tx, id)
		if err != nil {
			return err
		}
		had := len(before)
		if added, err = addItems(ctx, tx, id, refs, before); err != nil {
			return err
		}
		if removed, err = removeItems(ctx, tx, id, before); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE watch SET items = ? WHERE id = ?", had+added-len(removed), id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, hurry, id, millis(now))
		return err
	})
	return added, removed, err
}

// Unexpanded records why the items of a watch could not be found; they stay as
// before. An empty reason clears the error.
func (db *DB) Unexpanded(ctx context.Context, watch, reason string, now time.Time) error {
	return db.exec(ctx, "recording the error of "+watch,
		"UPDATE watch SET expanded = ?, error = ? WHERE ref = ?", millis(now), reason, watch)
}

// hurry makes the items of a watch due within its interval. Items that failed
// keep their growing waits.
const hurry = `UPDATE item SET due = ?2 + (SELECT every FROM watch WHERE id = ?1)
	WHERE id IN (SELECT item FROM wanted WHERE watch = ?1) AND failed = 0
		AND (SELECT every FROM watch WHERE id = ?1) BETWEEN 1 AND due - ?2 - 1`

// wantedBy returns the IDs of the items of a watch, by reference.
func wantedBy(ctx context.Context, tx *sql.Tx, watch int64) (map[string]int64, error) {
	rows, err := tx.QueryContext(ctx, "SELECT ref, id FROM item JOIN wanted ON item = id WHERE watch = ?", watch)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (it Item, err error) { return it, row.Scan(&it.Ref, &it.ID) })
	items := map[string]int64{}
	for _, it := range list {
		items[it.Ref] = it.ID
	}
	return items, err
}

// addItems adds refs to the items of a watch and deletes them from before, which
// then contains the items to remove.
func addItems(ctx context.Context, tx *sql.Tx, watch int64, refs []Ref, before map[string]int64) (added int, err error) {
	add, err := tx.PrepareContext(ctx, `INSERT INTO item (ref, office, state) VALUES (?, ?, ?)
		ON CONFLICT (ref) DO UPDATE SET office = excluded.office RETURNING id`)
	if err != nil {
		return 0, err
	}
	defer add.Close()
	pair, err := tx.PrepareContext(ctx, "INSERT INTO wanted (watch, item) VALUES (?, ?) ON CONFLICT DO NOTHING")
	if err != nil {
		return 0, err
	}
	defer pair.Close()
	seen, offices := map[string]bool{}, map[string]bool{}
	for _, r := range refs {
		if _, known := before[r.Text]; known || seen[r.Text] {
			delete(before, r.Text)
			seen[r.Text] = true
			continue
		}
		seen[r.Text] = true
		if !offices[r.Office] {
			offices[r.Office] = true
			if err := (Office{}).write(ctx, tx, r.Office); err != nil {
				return added, err
			}
		}
		var id int64
		if err := add.QueryRowContext(ctx, r.Text, r.Office, r.state()).Scan(&id); err != nil {
			return added, err
		}
		if _, err := pair.ExecContext(ctx, watch, id); err != nil {
			return added, err
		}
		added++
	}
	return added, nil
}

// state returns the state of a new item: the title for data without one.
func (r Ref) state() []byte {
	if r.Title == "" {
		return nil
	}
	text, err := json.Marshal(map[string]string{"title": r.Title})
	if err != nil {
		return nil
	}
	return text
}

// removeItems removes items from a watch and returns their references.
func removeItems(ctx context.Context, tx *sql.Tx, watch int64, items map[string]int64) (removed []string, err error) {
	if len(items) == 0 {
		return nil, nil
	}
	for ref, id := range items {
		if _, err := tx.ExecContext(ctx, "DELETE FROM wanted WHERE watch = ? AND item = ?", watch, id); err != nil {
			return removed, err
		}
		removed = append(removed, ref)
	}
	_, err = tx.ExecContext(ctx, dropUnwanted)
	return removed, err
}
