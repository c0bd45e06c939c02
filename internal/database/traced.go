package database

import (
	"context"
	"database/sql/driver"
	"strings"

	"almanac/internal/trace"
)

// tracedConnector makes connections whose statements are spans. It is used only where spans are recorded.
type tracedConnector struct {
	driver.Connector
	system, namespace string // as the conventions of OpenTelemetry call them
}

// traced returns a connector whose statements are spans, if spans are recorded.
func traced(c driver.Connector, system, namespace string) driver.Connector {
	if !trace.IsOn() {
		return c
	}
	return tracedConnector{c, system, namespace}
}

// Connect implements [driver.Connector].
func (c tracedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return tracedConn{conn.(sqlConn), c.begin}, nil
}

// begin begins the span of a statement. It has the kind of the statement, and not its text or its values.
func (c tracedConnector) begin(ctx context.Context, query string) (context.Context, trace.Span) {
	kind, _, _ := strings.Cut(strings.TrimSpace(query), " ")
	kind = strings.ToUpper(strings.TrimSpace(kind))
	ctx, span := trace.BeginCall(ctx, kind+" "+c.namespace)
	span.Set("db.system.name", c.system)
	span.Set("db.namespace", c.namespace)
	span.Set("db.operation.name", kind)
	return ctx, span
}

// sqlConn is what the connections of both drivers are.
type sqlConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
}

type tracedConn struct {
	sqlConn
	begin func(ctx context.Context, query string) (context.Context, trace.Span)
}

// CheckNamedValue implements [driver.NamedValueChecker].
func (c tracedConn) CheckNamedValue(v *driver.NamedValue) error {
	if checks, ok := c.sqlConn.(driver.NamedValueChecker); ok {
		return checks.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

// ExecContext implements [driver.ExecerContext].
func (c tracedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	ctx, span := c.begin(ctx, query)
	result, err := c.sqlConn.ExecContext(ctx, query, args)
	span.End(err)
	return result, err
}

// QueryContext implements [driver.QueryerContext].
func (c tracedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	ctx, span := c.begin(ctx, query)
	rows, err := c.sqlConn.QueryContext(ctx, query, args)
	return rowsOf(rows, span, err)
}

// BeginTx implements [driver.ConnBeginTx]. A transaction that writes waits for the others.
func (c tracedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	ctx, span := c.begin(ctx, "BEGIN")
	tx, err := c.sqlConn.BeginTx(ctx, o)
	span.End(err)
	return tx, err
}

// PrepareContext implements [driver.ConnPrepareContext].
func (c tracedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	statement, err := c.sqlConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return tracedStatement{statement, query, c}, nil
}

type tracedStatement struct {
	driver.Stmt
	query string
	on    tracedConn
}

// ExecContext implements [driver.StmtExecContext].
func (s tracedStatement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	ctx, span := s.on.begin(ctx, s.query)
	result, err := s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	span.End(err)
	return result, err
}

// QueryContext implements [driver.StmtQueryContext].
func (s tracedStatement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	ctx, span := s.on.begin(ctx, s.query)
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	return rowsOf(rows, span, err)
}

// tracedRows are rows whose span ends with them.
type tracedRows struct {
	driver.Rows
	span trace.Span
}

func rowsOf(rows driver.Rows, span trace.Span, err error) (driver.Rows, error) {
	if err != nil || !span.IsRecorded() {
		span.End(err)
		return rows, err
	}
	return tracedRows{rows, span}, nil
}

// Close implements [driver.Rows].
func (r tracedRows) Close() error {
	err := r.Rows.Close()
	r.span.End(err)
	return err
}
