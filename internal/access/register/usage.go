package register

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Prefixes of the subjects that are counted.
const (
	AccountSubject   = "account:"   // and the account's id
	AnonymousSubject = "anonymous:" // and a digest of a caller's network
	SignUpSubject    = "signup:"    // and the same digest: accounts requested from there
	AnonymousSum     = "anonymous"  // all anonymous callers of a past day
)

// Claim requests a part of a daily limit, and reports what became of earlier parts.
type Claim struct {
	Subject  string
	Day      int64
	Limit    int64 // of the day
	Requests int64 // waiting requests; as many as the limit allows are granted
	Reserve  bool  // more may be granted in advance
	Spent    int64 // of those granted in advance, the number used
	Returned int64 // of those granted in advance, the number returned unused
	Refunds  int64 // counted requests to refund
}

// Grant is the answer to a claim.
type Grant struct {
	Used     int64 // by the subject on the day, including this grant
	Admitted int64 // of Requests
	Spare    int64 // granted in advance
}

// Bounds on the requests that are granted in advance. Crashes must not make the count more
// than a hundredth too high. So all servers together, including crashed ones, reserve less
// than a hundredth of what is used, and less near the limit, where another server may need
// the requests.
const (
	reservePart = 128   // the fraction of the requests used
	nearPart    = 8     // the fraction of the requests left
	maxReserve  = 10000 // the most in any case
)

// waitToCount bounds how long counting, and so a request, waits for changes by other
// processes.
const waitToCount = 2 * time.Second

// countTime bounds how long counting takes if the database does not answer.
const countTime = waitToCount + time.Second

// counting is the one connection that counts, with its prepared statements.
// Counting transactions run one after another.
type counting struct {
	db *sql.DB
	statements
}

type statements struct{ add, read, set *sql.Stmt }

func (c *counting) prepare(ctx context.Context, at database.Location) (err error) {
	c.db.SetMaxOpenConns(1)
	if !at.IsServer() {
		// The rows of anonymous callers are spread over all pages of a day. A larger
		// page cache and fewer checkpoints count a fifth more of them a second.
		if _, err := c.db.ExecContext(ctx, "PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000"); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		into  **sql.Stmt
		query string
	}{
		{&c.add, `INSERT INTO usage (day, subject, used) VALUES ($1, $2, $3)
			ON CONFLICT (day, subject) DO UPDATE SET used = usage.used + $3 WHERE usage.used + $3 <= $4 RETURNING used`},
		{&c.read, `SELECT used, spare FROM usage WHERE day = $1 AND subject = $2`},
		{&c.set, `INSERT INTO usage (day, subject, used, spare) VALUES ($1, $2, $3, $4)
			ON CONFLICT (day, subject) DO UPDATE SET used = $3, spare = $4`},
	} {
		if *s.into, err = c.db.PrepareContext(ctx, s.query); err != nil {
			return err
		}
	}
	return nil
}

// Grant grants claims in one transaction: all of them or, after an error, none. The
// transaction is on disk when Grant returns.
func (r *DB) Grant(ctx context.Context, claims []Claim) ([]Grant, error) {
	grants := make([]Grant, len(claims))
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	err := inTx(ctx, r.counting.db, func(tx *sql.Tx) (err error) {
		all := &r.counting
		s := statements{add: tx.StmtContext(ctx, all.add), read: tx.StmtContext(ctx, all.read), set: tx.StmtContext(ctx, all.set)}
		for i := range claims {
			if grants[i], err = s.grant(ctx, &claims[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return grants, stat.Wrap(err, "counting requests")
}

func (s *statements) grant(ctx context.Context, cl *Claim) (g Grant, err error) {
	if plain := (Claim{Subject: cl.Subject, Day: cl.Day, Limit: cl.Limit, Requests: cl.Requests}); *cl == plain && cl.Requests <= cl.Limit {
		// Most claims are like this, and most of them are granted.
		err := s.add.QueryRowContext(ctx, cl.Day, cl.Subject, cl.Requests, cl.Limit).Scan(&g.Used)
		if !errors.Is(err, sql.ErrNoRows) {
			g.Admitted = cl.Requests
			return g, err
		}
	}
	var used, spare int64
	err = s.read.QueryRowContext(ctx, cl.Day, cl.Subject).Scan(&used, &spare)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return g, err
	}
	g.Used = max(used-cl.Returned-cl.Refunds, 0)
	left := max(spare-cl.Returned-cl.Spent, 0)
	g.Admitted = min(cl.Requests, max(cl.Limit-g.Used, 0))
	g.Used += g.Admitted
	if cl.Reserve && g.Admitted > 0 {
		g.Spare = max(min(g.Used/reservePart-left, (cl.Limit-g.Used)/nearPart, maxReserve), 0)
		g.Used += g.Spare
	}
	if g.Used == used && left+g.Spare == spare {
		return g, nil
	}
	_, err = s.set.ExecContext(ctx, cl.Day, cl.Subject, g.Used, left+g.Spare)
	return g, err
}

// Probe returns an error if counts cannot be written. It writes only a row that is
// never read.
func (r *DB) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	_, err := r.counting.db.ExecContext(ctx, `INSERT INTO usage (day, subject, used) VALUES (0, 'probe', 1)
		ON CONFLICT (day, subject) DO UPDATE SET used = usage.used + 1`)
	return err
}

// Used returns the count of a subject on a day.
func (r *DB) Used(ctx context.Context, day int64, subject string) (used int64, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT used FROM usage WHERE day = $1 AND subject = $2", day, subject).Scan(&used)
	return used, ifFound(err, "reading the count of %s", subject)
}

// Forget deletes up to limit counts of anonymous callers of the days before a day
// and keeps only their sum. It returns the number deleted.
func (r *DB) Forget(ctx context.Context, before int64, limit int) (forgotten int, err error) {
	err = inTx(ctx, r.db, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `DELETE FROM usage WHERE (day, subject) IN (
				SELECT day, subject FROM usage WHERE day < $1 AND (subject LIKE '`+AnonymousSubject+`%' OR subject LIKE '`+SignUpSubject+`%') LIMIT $2)
			RETURNING day, subject, used`, before, limit)
		sums := map[int64]int64{}
		dropped, err := database.Collect(rows, err, func(row database.Row) (subject string, err error) {
			var day, used int64
			if err = row.Scan(&day, &subject, &used); strings.HasPrefix(subject, AnonymousSubject) {
				sums[day] += used
			}
			return subject, err
		})
		if err != nil {
			return err
		}
		forgotten = len(dropped)
		for day, sum := range sums {
			_, err := tx.ExecContext(ctx, `INSERT INTO usage (day, subject, used) VALUES ($1, '`+AnonymousSum+`', $2)
				ON CONFLICT (day, subject) DO UPDATE SET used = usage.used + excluded.used`, day, sum)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return forgotten, stat.Wrap(err, "deleting old counts of anonymous callers")
}

// Usage is the number of requests of an account on a UTC day.
type Usage struct {
	Day          string `json:"day"`     // 2026-11-21
	Account      string `json:"account"` // empty: all anonymous callers together
	Organisation string `json:"organisation,omitempty"`
	Tier         Tier   `json:"tier"`
	Requests     int64  `json:"requests"`
}

// Usage returns the counts from one day to another, both included, by day and
// account, anonymous callers last.
func (r *DB) Usage(ctx context.Context, from, to int64) ([]Usage, error) {
	rows, err := r.db.QueryContext(ctx, `
		SELECT day, account.name, organisation.name, account.tier, used, 0 AS last, account.name_key AS place
		FROM usage JOIN account ON subject = '`+AccountSubject+`' || CAST(account.id AS TEXT)
			JOIN organisation ON organisation.id = account.organisation
		WHERE day BETWEEN $1 AND $2
		UNION ALL
		SELECT day, '', '', 'anonymous', CAST(sum(used) AS BIGINT), 1, ''
		FROM usage WHERE day BETWEEN $1 AND $2 AND (subject = '`+AnonymousSum+`' OR subject LIKE '`+AnonymousSubject+`%')
		GROUP BY day
		ORDER BY 1, last, place`, from, to)
	list, err := database.Collect(rows, err, func(row database.Row) (u Usage, err error) {
		var day int64
		err = row.Scan(&day, &u.Account, &u.Organisation, &u.Tier, &u.Requests, new(int), new(string))
		u.Day = time.Unix(day*24*60*60, 0).UTC().Format(time.DateOnly)
		return u, err
	})
	return list, stat.Wrap(err, "listing usage")
}

// AccountUsage returns the counts of one account from one day to another, both included, by day.
// Days without requests are left out.
func (r *DB) AccountUsage(ctx context.Context, account, from, to int64) (used map[int64]int64, err error) {
	rows, err := r.db.QueryContext(ctx, "SELECT day, used FROM usage WHERE day BETWEEN $1 AND $2 AND subject = $3", from, to, AccountSubject+strconv.FormatInt(account, 10))
	used = map[int64]int64{}
	err = database.Each(rows, err, func(row database.Row) error {
		var day, n int64
		err := row.Scan(&day, &n)
		used[day] = n
		return err
	})
	return used, stat.Wrap(err, "reading the counts of an account")
}
