package demand

import (
	"context"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// addCount adds to a row. If it is a new one and the day may get no more (?6), it adds to
// the row without a text.
const addCount = `INSERT INTO asked (day, kind, text, times, failed)
	SELECT ?1, ?2, iif(?6 OR EXISTS (SELECT 1 FROM asked WHERE day = ?1 AND kind = ?2 AND text = ?3), ?3, ''), ?4, ?5 WHERE true
	ON CONFLICT DO UPDATE SET times = times + excluded.times, failed = failed + excluded.failed`

func (d *DB) write(ctx context.Context, pending map[entry]*count) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	add, err := tx.PrepareContext(ctx, addCount)
	if err != nil {
		return err
	}
	defer add.Close()
	left := map[entry]int64{} // rows that each kind may still get on a day
	for e, c := range pending {
		ofDay := entry{kind: e.kind, day: e.day}
		if _, isKnown := left[ofDay]; !isKnown {
			var n int64
			if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM asked WHERE day = ? AND kind = ?", e.day, e.kind).Scan(&n); err != nil {
				return err
			}
			left[ofDay] = maxDaily - n
		}
		left[ofDay]-- // also for rows that exist; the next write counts again
		if _, err := add.ExecContext(ctx, e.day, e.kind, e.text, c.times, c.failed, left[ofDay] >= 0); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// trim deletes the days before the last KeepDays, once a day.
func (d *DB) trim(ctx context.Context) error {
	today := dayOf(d.now())
	if d.trimmed == today {
		return nil
	}
	_, err := d.db.ExecContext(ctx, "DELETE FROM asked WHERE day <= ?", today-KeepDays)
	if err == nil {
		d.trimmed = today
	}
	return stat.Wrap(err, "deleting old counts of searches")
}

// Count is how often something was asked for on a UTC day.
type Count struct {
	Day    string // 2026-11-21
	Text   string // empty: all whose texts are not kept
	Times  int64
	Failed int64 // of these, when nothing was found
}

// Report returns what was asked for most on each day from one day to another, both
// included: at most limit texts of a day, and at most limit for which nothing was found,
// by day and number of times. References that differ in case only are one dataset, with the
// spelling that was found most often; texts that are no references are left out.
func (d *DB) Report(ctx context.Context, kind Kind, from, to time.Time, limit int) ([]Count, error) {
	rows, err := d.db.QueryContext(ctx, `SELECT date(day * 86400, 'unixepoch'), text, times, failed FROM (
			SELECT *, row_number() OVER (PARTITION BY day ORDER BY times DESC, text) AS place,
				row_number() OVER (PARTITION BY day ORDER BY failed DESC, times DESC, text) AS failed_place
			FROM (SELECT day, text, sum(times) AS times, sum(failed) AS failed, max(times - failed)
				FROM asked WHERE kind = ?1 AND day BETWEEN ?2 AND ?3 AND (kind = 'search' OR text = '' OR text LIKE '_%:_%')
				GROUP BY day, iif(kind = 'search', text, lower(text))))
		WHERE place <= ?4 OR failed > 0 AND failed_place <= ?4 ORDER BY day, place`, kind, dayOf(from), dayOf(to), limit)
	list, err := database.Collect(rows, err, func(row database.Row) (c Count, err error) {
		err = row.Scan(&c.Day, &c.Text, &c.Times, &c.Failed)
		return c, err
	})
	return list, stat.Wrap(err, "listing what was asked for")
}
