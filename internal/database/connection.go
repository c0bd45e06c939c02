package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// connector makes connections to PostgreSQL whose transactions take the lock of the schema when they
// begin, and whose statements end in time.
type connector struct {
	driver.Connector
	lock int64
	time time.Duration // of a statement whose context has no deadline
}

// Connect implements [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{conn.(*stdlib.Conn), c.lock, c.time}, nil
}

// connection is a connection of pgx, with what is different for the program.
type connection struct {
	*stdlib.Conn
	lock int64
	time time.Duration
}

// errNoAnswer is the cause of a statement that ended because the server did not answer.
var errNoAnswer = errors.New("PostgreSQL does not answer")

func (c *connection) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, hasDeadline := ctx.Deadline(); hasDeadline {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, c.time, errNoAnswer)
}

// explain adds to the error of a statement that it ran out of time.
func explain(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == errNoAnswer {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	return err
}

// ExecContext implements [driver.ExecerContext].
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	result, err := c.Conn.ExecContext(ctx, query, args)
	return result, explain(ctx, err)
}

// QueryContext implements [driver.QueryerContext]. The rows must be read in time, too.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	ctx, cancel := c.bounded(ctx)
	found, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil {
		cancel()
		return nil, explain(ctx, err)
	}
	return &boundedRows{found, ctx, cancel}, nil
}

// boundedRows are rows whose context ends with them.
type boundedRows struct {
	driver.Rows
	ctx    context.Context
	cancel context.CancelFunc
}

// Next implements [driver.Rows].
func (r *boundedRows) Next(into []driver.Value) error { return explain(r.ctx, r.Rows.Next(into)) }

// Close implements [driver.Rows].
func (r *boundedRows) Close() error {
	defer r.cancel()
	return r.Rows.Close()
}

// BeginTx begins a transaction as SQLite does: one that may write waits for the others; one that
// only reads sees the state of one moment.
func (c *connection) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx := transaction{c}
	if o.ReadOnly {
		_, err := c.ExecContext(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", nil)
		return tx, err
	}
	if _, err := c.ExecContext(ctx, "BEGIN", nil); err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", []driver.NamedValue{{Ordinal: 1, Value: c.lock}}); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// transaction is a transaction of a connection.
type transaction struct{ of *connection }

// Commit implements [driver.Tx]. PostgreSQL rolls back a transaction with a failed statement without calling that an error.
func (t transaction) Commit() error {
	ctx, cancel := t.of.bounded(context.Background())
	defer cancel()
	tag, err := t.of.Conn.Conn().Exec(ctx, "COMMIT")
	if err == nil && tag.String() == "ROLLBACK" {
		err = errors.New("the transaction was rolled back, because a statement in it failed")
	}
	return explain(ctx, err)
}

// Rollback implements [driver.Tx].
func (t transaction) Rollback() error {
	_, err := t.of.ExecContext(context.Background(), "ROLLBACK", nil)
	return err
}

// PrepareContext returns a statement of this connection. pgx prepares and keeps each that is executed.
func (c *connection) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return statement{c, query}, nil
}

// statement is a statement of a connection.
type statement struct {
	of    *connection
	query string
}

// Close implements [driver.Stmt].
func (s statement) Close() error { return nil }

// NumInput implements [driver.Stmt]: the server counts the parameters.
func (s statement) NumInput() int { return -1 }

// Exec implements [driver.Stmt]; database/sql calls ExecContext.
func (s statement) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

// Query implements [driver.Stmt]; database/sql calls QueryContext.
func (s statement) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// ExecContext implements [driver.StmtExecContext].
func (s statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.of.ExecContext(ctx, s.query, args)
}

// QueryContext implements [driver.StmtQueryContext].
func (s statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.of.QueryContext(ctx, s.query, args)
}

// CheckNamedValue implements [driver.NamedValueChecker]: truth values are stored as 0 and 1.
func (c *connection) CheckNamedValue(v *driver.NamedValue) (err error) {
	if v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value); err != nil {
		return err
	}
	if truth, ok := v.Value.(bool); ok {
		v.Value = int64(0)
		if truth {
			v.Value = int64(1)
		}
	}
	return nil
}
