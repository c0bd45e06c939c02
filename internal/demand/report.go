package demand

import (
	"context"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// addCount adds to a row. If it is a new one and the day may get no more ($6 is 0), it adds to
// the row without a text.
const addCount = `INSERT INTO asked (day, kind, text, times, failed)
	SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CASE WHEN CAST($6 AS BIGINT) = 1 OR EXISTS (SELECT 1 FROM asked WHERE day = $1 AND kind = $2 AND text = $3)
		THEN CAST($3 AS TEXT) ELSE '' END, CAST($4 AS BIGINT), CAST($5 AS BIGINT) WHERE true
	ON CONFLICT (day, kind, text) DO UPDATE SET times = asked.times + excluded.times, failed = asked.failed + excluded.failed`

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
			if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM asked WHERE day = $1 AND kind = $2", e.day, e.kind).Scan(&n); err != nil {
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
	_, err := d.db.ExecContext(ctx, "DELETE FROM asked WHERE day <= $1", today-KeepDays)
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
	rows, err := d.db.QueryContext(ctx, `WITH chosen AS ( -- what is one text has the same folded text
			SELECT day, text, times, failed, CASE WHEN kind = 'search' THEN text ELSE lower(text) END AS folded
			FROM asked WHERE kind = $1 AND day BETWEEN $2 AND $3 AND (kind = 'search' OR text = '' OR text LIKE '_%:_%')
		), spelt AS (
			SELECT day, text, CAST(sum(times) OVER same AS BIGINT) AS times, CAST(sum(failed) OVER same AS BIGINT) AS failed,
				row_number() OVER (PARTITION BY day, folded ORDER BY times - failed DESC, text) AS spelling
			FROM chosen WINDOW same AS (PARTITION BY day, folded)
		), placed AS (
			SELECT day, text, times, failed, row_number() OVER (PARTITION BY day ORDER BY times DESC, text) AS place,
				row_number() OVER (PARTITION BY day ORDER BY failed DESC, times DESC, text) AS failed_place
			FROM spelt WHERE spelling = 1
		)
		SELECT day, text, times, failed FROM placed WHERE place <= $4 OR failed > 0 AND failed_place <= $4 ORDER BY day, place`,
		kind, dayOf(from), dayOf(to), limit)
	list, err := database.Collect(rows, err, func(row database.Row) (c Count, err error) {
		var day int64
		err = row.Scan(&day, &c.Text, &c.Times, &c.Failed)
		c.Day = time.Unix(day*24*60*60, 0).UTC().Format(time.DateOnly)
		return c, err
	})
	return list, stat.Wrap(err, "listing what was asked for")
}
