package register

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/internal/sqlitefile"
)

// What is counted, as the beginning of a subject.
const (
	AccountSubject   = "account:"   // and the account's id
	AnonymousSubject = "anonymous:" // and a digest of a caller's network
	SignUpSubject    = "signup:"    // and such a digest: accounts asked for from there
	// AnonymousSum is what all anonymous callers of a day that is over used
	// together.
	AnonymousSum = "anonymous"
)

// Claim asks for a part of what a subject may use on a day, and tells what
// became of parts that were granted.
type Claim struct {
	Subject string
	Day     int64
	Limit   int64 // of the day
	Want    int64 // requests that wait: as many of them as the limit leaves are granted
	Reserve bool  // some may be granted in advance as well
	Spent   int64 // of those granted in advance
	Unused  int64 // of those granted in advance, which are given back
	Back    int64 // requests that were counted and do not count
}

// Grant is the answer to a claim.
type Grant struct {
	Used   int64 // by the subject on the day, this grant included
	Wanted int64 // granted of Want
	Spare  int64 // granted in advance
}

// How many requests are granted in advance. A crash loses them, and must not
// make the count more than a hundredth too high, however often it happens and
// however many servers there are: so what is reserved by all of them together,
// also by those that crashed, is a little less than a hundredth of what is used.
// Near the limit it is less again, so that one server does not hold what
// another is asked for.
const (
	reservePart = 128   // the part of what is used
	nearPart    = 8     // and the part of what the limit leaves
	maxReserve  = 10000 // and the most of them
)

// reservationSize is how many may be granted in advance.
func reservationSize(limit, used, spare int64) int64 {
	return max(min(used/reservePart-spare, (limit-used)/nearPart, maxReserve), 0)
}

// waitToCount is for how long counting waits for the changes of other processes:
// requests wait as long.
const waitToCount = 2 * time.Second

// counting holds the one connection that counts, with its statements: counts
// come in transactions of many, one after another.
type counting struct {
	db *sql.DB
	statements
}

type statements struct{ add, read, set *sql.Stmt }

func (c *counting) prepare(ctx context.Context) (err error) {
	c.db.SetMaxOpenConns(1)
	// Anonymous callers are rows all over a day's pages: room for these in memory,
	// and fewer checkpoints, count a fifth more of them a second.
	if _, err := c.db.ExecContext(ctx, "PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000"); err != nil {
		return err
	}
	for _, s := range []struct {
		into  **sql.Stmt
		query string
	}{
		{&c.add, `INSERT INTO usage (day, subject, used) VALUES (?1, ?2, ?3)
			ON CONFLICT DO UPDATE SET used = used + ?3 WHERE used + ?3 <= ?4 RETURNING used`},
		{&c.read, `SELECT used, spare FROM usage WHERE day = ? AND subject = ?`},
		{&c.set, `INSERT INTO usage (day, subject, used, spare) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT DO UPDATE SET used = ?3, spare = ?4`},
	} {
		if *s.into, err = c.db.PrepareContext(ctx, s.query); err != nil {
			return err
		}
	}
	return nil
}

// Count settles claims in one transaction, which is on the disk when Count
// returns: all of them or, after an error, none.
func (r *DB) Count(ctx context.Context, claims []Claim) ([]Grant, error) {
	grants := make([]Grant, len(claims))
	err := inTx(ctx, r.counting.db, "counting requests", func(tx *sql.Tx) (err error) {
		all := &r.counting
		s := statements{add: tx.StmtContext(ctx, all.add), read: tx.StmtContext(ctx, all.read), set: tx.StmtContext(ctx, all.set)}
		for i := range claims {
			if grants[i], err = s.settle(ctx, &claims[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return grants, err
}

// settle settles one claim inside of a transaction.
func (s *statements) settle(ctx context.Context, cl *Claim) (g Grant, err error) {
	if plain := (Claim{Subject: cl.Subject, Day: cl.Day, Limit: cl.Limit, Want: cl.Want}); *cl == plain && cl.Want <= cl.Limit {
		// Most claims are of this kind, and most of these are granted.
		err := s.add.QueryRowContext(ctx, cl.Day, cl.Subject, cl.Want, cl.Limit).Scan(&g.Used)
		if !errors.Is(err, sql.ErrNoRows) {
			g.Wanted = cl.Want
			return g, err
		}
	}
	var used, spare int64
	err = s.read.QueryRowContext(ctx, cl.Day, cl.Subject).Scan(&used, &spare)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return g, err
	}
	g.Used = max(used-cl.Unused-cl.Back, 0)
	left := max(spare-cl.Unused-cl.Spent, 0)
	g.Wanted = min(cl.Want, max(cl.Limit-g.Used, 0))
	g.Used += g.Wanted
	if cl.Reserve && g.Wanted > 0 {
		g.Spare = reservationSize(cl.Limit, g.Used, left)
		g.Used += g.Spare
	}
	if g.Used == used && left+g.Spare == spare {
		return g, nil
	}
	_, err = s.set.ExecContext(ctx, cl.Day, cl.Subject, g.Used, left+g.Spare)
	return g, err
}

// Probe reports whether counts can be written: nil, or why not. It writes
// nothing that is read.
func (r *DB) Probe(ctx context.Context) error {
	_, err := r.counting.db.ExecContext(ctx, `INSERT INTO usage (day, subject, used) VALUES (0, 'probe', 1)
		ON CONFLICT DO UPDATE SET used = used + 1`)
	return err
}

// Used is what a subject has used on a day.
func (r *DB) Used(ctx context.Context, day int64, subject string) (used int64, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT used FROM usage WHERE day = ? AND subject = ?", day, subject).Scan(&used)
	return used, ifFound(err, "reading the count of %s", subject)
}

// Forget drops what up to most anonymous callers used on the days before one,
// and keeps only how much it was together. It returns how many there were.
func (r *DB) Forget(ctx context.Context, before int64, most int) (forgotten int, err error) {
	err = inTx(ctx, r.db, "deleting old counts of anonymous callers", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `DELETE FROM usage WHERE (day, subject) IN (
				SELECT day, subject FROM usage WHERE day < ? AND (subject LIKE '`+AnonymousSubject+`%' OR subject LIKE '`+SignUpSubject+`%') LIMIT ?)
			RETURNING day, subject, used`, before, most)
		sums := map[int64]int64{}
		dropped, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (subject string, err error) {
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
			_, err := tx.ExecContext(ctx, `INSERT INTO usage (day, subject, used) VALUES (?, '`+AnonymousSum+`', ?)
				ON CONFLICT DO UPDATE SET used = used + excluded.used`, day, sum)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return forgotten, err
}

// Usage is how many requests of an account were counted on a UTC day.
type Usage struct {
	Day          string `json:"day"`     // 2026-11-21
	Account      string `json:"account"` // empty: all anonymous callers together
	Organisation string `json:"organisation,omitempty"`
	Tier         Tier   `json:"tier"`
	Requests     int64  `json:"requests"`
}

// Usage lists what was used from one day to another, both included, by day and
// account, anonymous callers last.
func (r *DB) Usage(ctx context.Context, from, to int64) ([]Usage, error) {
	rows, err := r.db.QueryContext(ctx, `
		SELECT date(day * 86400, 'unixepoch'), account.name, organisation.name, account.tier, used, 0 AS last, account.name_key AS place
		FROM usage JOIN account ON subject = '`+AccountSubject+`' || account.id
			JOIN organisation ON organisation.id = account.organisation
		WHERE day BETWEEN ?1 AND ?2
		UNION ALL
		SELECT date(day * 86400, 'unixepoch'), '', '', 'anonymous', sum(used), 1, ''
		FROM usage WHERE day BETWEEN ?1 AND ?2 AND (subject = '`+AnonymousSum+`' OR subject LIKE '`+AnonymousSubject+`%')
		GROUP BY day
		ORDER BY 1, last, place`, from, to)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (u Usage, err error) {
		err = row.Scan(&u.Day, &u.Account, &u.Organisation, &u.Tier, &u.Requests, new(int), new(string))
		return u, err
	})
	if err != nil {
		return nil, fmt.Errorf("listing usage: %w", err)
	}
	return list, nil
}
