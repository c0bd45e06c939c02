package register

import (
	"context"
	"time"
)

// Guesses are the failed guesses of one subject.
type Guesses struct {
	Failed int
	Last   time.Time
	Until  time.Time // no guess is accepted before
}

// Guesses returns the failed guesses of a subject.
func (r *DB) Guesses(ctx context.Context, subject string) (g Guesses, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT failed, last, until FROM guess WHERE subject = $1", subject).Scan(&g.Failed, scanTime{&g.Last}, scanTime{&g.Until})
	return g, ifFound(err, "reading the number of guesses")
}

// SetGuesses replaces the failed guesses of a subject. It reports false, and changes nothing, if
// they are no longer as they were before: somebody else has guessed meanwhile.
func (r *DB) SetGuesses(ctx context.Context, subject string, before, after Guesses) (isSet bool, err error) {
	if before.Last.IsZero() {
		isSet, err = happened(ctx, r.db, "INSERT INTO guess (subject, failed, last, until) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
			subject, after.Failed, unixSeconds(after.Last), unixSeconds(after.Until))
	} else {
		isSet, err = happened(ctx, r.db, "UPDATE guess SET failed = $2, last = $3, until = $4 WHERE subject = $1 AND failed = $5 AND last = $6 AND until = $7",
			subject, after.Failed, unixSeconds(after.Last), unixSeconds(after.Until), before.Failed, unixSeconds(before.Last), unixSeconds(before.Until))
	}
	return isSet, wrapChange(err, "counting a guess")
}

// Forgive takes back n failed guesses of a subject; all, if n is 0.
func (r *DB) Forgive(ctx context.Context, subject string, n int) error {
	statement, args := "DELETE FROM guess WHERE subject = $1", []any{subject}
	if n > 0 {
		statement, args = "UPDATE guess SET failed = failed - $2, until = 0 WHERE subject = $1 AND failed >= $2", []any{subject, n}
	}
	_, err := r.db.ExecContext(ctx, statement, args...)
	return wrapChange(err, "forgiving guesses")
}
