package watch

import (
	"context"
	"time"

	"almanac/internal/database"
)

// Probe is the result of the last check of an office's server by hand.
type Probe struct {
	Office string
	At     time.Time
	Worked time.Time // when the server last worked; zero: never
	Error  string    // of the check; empty if the server worked
}

// RecordProbe records the result of a check. Worked is set by the database.
func (db *DB) RecordProbe(ctx context.Context, p Probe) error {
	worked := p.At
	if p.Error != "" {
		worked = time.Time{}
	}
	return db.exec(ctx, "recording the check of "+p.Office, `INSERT INTO probe (office, at, worked, error) VALUES ($1, $2, $3, $4)
		ON CONFLICT (office) DO UPDATE SET at = excluded.at, error = excluded.error,
			worked = CASE WHEN excluded.worked > probe.worked THEN excluded.worked ELSE probe.worked END`,
		p.Office, millis(p.At), millis(worked), p.Error)
}

// Probes returns the results of the last checks by office.
func (db *DB) Probes(ctx context.Context) (map[string]Probe, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT office, at, worked, error FROM probe")
	list, err := database.Collect(rows, err, func(row database.Row) (p Probe, err error) {
		var at, worked int64
		err = row.Scan(&p.Office, &at, &worked, &p.Error)
		p.At, p.Worked = moment(at), moment(worked)
		return p, err
	})
	probes := map[string]Probe{}
	for _, p := range list {
		probes[p.Office] = p
	}
	return probes, reading(err, "the checks of the offices")
}
