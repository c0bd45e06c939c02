package register

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"almanac/internal/sqlitefile"
)

// What is counted, as the beginning of a subject.
const (
	AccountSubject  = "account:"  // and the account's id
	VisitorSubject  = "visitor:"  // and a digest of an anonymous caller's network
	NewcomerSubject = "newcomer:" // and such a digest: accounts made from there
	// VisitorsSubject is what all visitors of a day that is over used together.
	VisitorsSubject = "visitors"
)

// Claim asks for a part of what a subject may use on a day.
type Claim struct {
	Subject string
	Day     int64
	Limit   int64 // of the day
	Want    int64 // requests that wait: as many of them as the limit leaves are granted
	Spare   int64 // to be granted beside them, all or nothing
	Back    int64 // given back before anything is granted
}

// Grant is the answer to a claim.
type Grant struct {
	Used   int64 // by the subject on the day, this grant included
	Wanted int64 // granted of Want
	Spare  int64 // granted of Spare
}

// counting holds the one connection that counts, with its statements: counts
// come in transactions of many, one after another.
type counting struct {
	db             *sql.DB
	add, back, see *sql.Stmt
}

func (c *counting) open(ctx context.Context, path string) (err error) {
	if c.db, err = sqlitefile.Open(ctx, path, sqlitefile.Schema{SQL: schema, Version: schemaVersion}); err != nil {
		return err
	}
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
		{&c.back, `UPDATE usage SET used = max(used - ?3, 0) WHERE day = ?1 AND subject = ?2`},
		{&c.see, `SELECT used FROM usage WHERE day = ? AND subject = ?`},
	} {
		if *s.into, err = c.db.PrepareContext(ctx, s.query); err != nil {
			return errors.Join(err, c.db.Close())
		}
	}
	return nil
}

// Count settles claims in one transaction, which is on the disk when Count
// returns: all of them or, after an error, none.
func (r *DB) Count(ctx context.Context, claims []Claim) ([]Grant, error) {
	tx, err := r.counting.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("counting requests: %w", err)
	}
	defer tx.Rollback()
	in := counting{add: tx.StmtContext(ctx, r.counting.add), back: tx.StmtContext(ctx, r.counting.back), see: tx.StmtContext(ctx, r.counting.see)}
	grants := make([]Grant, len(claims))
	for i := range claims {
		if grants[i], err = in.settle(ctx, &claims[i]); err != nil {
			return nil, fmt.Errorf("counting requests: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, fmt.Errorf("counting requests: %w", err)
	}
	return grants, nil
}

// settle settles one claim inside of a transaction.
func (c *counting) settle(ctx context.Context, cl *Claim) (g Grant, err error) {
	if cl.Back > 0 {
		if _, err := c.back.ExecContext(ctx, cl.Day, cl.Subject, cl.Back); err != nil {
			return g, err
		}
	}
	if all := cl.Want + cl.Spare; all > 0 && all <= cl.Limit {
		err := c.add.QueryRowContext(ctx, cl.Day, cl.Subject, all, cl.Limit).Scan(&g.Used)
		if !errors.Is(err, sql.ErrNoRows) {
			g.Wanted, g.Spare = cl.Want, cl.Spare
			return g, err
		}
	}
	if cl.Want == 0 {
		return g, nil
	}
	err = c.see.QueryRowContext(ctx, cl.Day, cl.Subject).Scan(&g.Used)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return g, err
	}
	g.Wanted = min(cl.Want, max(cl.Limit-g.Used, 0))
	if g.Wanted == 0 {
		return g, nil
	}
	return g, c.add.QueryRowContext(ctx, cl.Day, cl.Subject, g.Wanted, cl.Limit).Scan(&g.Used)
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
	return used, orNone(err, "reading what %s has used", subject)
}

// Forget drops what anonymous callers used on the days before one, and keeps
// only how much it was together.
func (r *DB) Forget(ctx context.Context, before int64) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("forgetting visitors: %w", err)
	}
	defer tx.Rollback()
	for _, query := range []string{
		`INSERT INTO usage (day, subject, used)
			SELECT day, '` + VisitorsSubject + `', sum(used) FROM usage WHERE day < ? AND subject LIKE '` + VisitorSubject + `%' GROUP BY day
			ON CONFLICT DO UPDATE SET used = used + excluded.used`,
		`DELETE FROM usage WHERE day < ? AND (subject LIKE '` + VisitorSubject + `%' OR subject LIKE '` + NewcomerSubject + `%')`,
	} {
		if _, err := tx.ExecContext(ctx, query, before); err != nil {
			return fmt.Errorf("forgetting visitors: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("forgetting visitors: %w", err)
	}
	return nil
}

// Usage is what one account, or all visitors (Account is empty), used on a day.
type Usage struct {
	Day                         int64
	Account, Organisation, Tier string
	Used                        int64
}

// Usage lists what was used from one day to another, both included, by day and
// account, visitors last.
func (r *DB) Usage(ctx context.Context, from, to int64) ([]Usage, error) {
	rows, err := r.db.QueryContext(ctx, `
		SELECT day, account.name, organisation.name, account.tier, used, 0 AS last, account.name_key AS place
		FROM usage JOIN account ON subject = '`+AccountSubject+`' || account.id
			JOIN organisation ON organisation.id = account.organisation
		WHERE day BETWEEN ?1 AND ?2
		UNION ALL
		SELECT day, '', '', '', sum(used), 1, ''
		FROM usage WHERE day BETWEEN ?1 AND ?2 AND (subject = '`+VisitorsSubject+`' OR subject LIKE '`+VisitorSubject+`%')
		GROUP BY day
		ORDER BY day, last, place`, from, to)
	list, err := collect(rows, err, func(row scanner) (u Usage, err error) {
		var last int
		var place string
		return u, row.Scan(&u.Day, &u.Account, &u.Organisation, &u.Tier, &u.Used, &last, &place)
	})
	if err != nil {
		return nil, fmt.Errorf("listing what was used: %w", err)
	}
	return list, nil
}
