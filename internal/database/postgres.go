package database

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Bounds on the connections of one process to the schema of a database. Ten replicas with all their
// databases have less than 400, most of them for moments.
const (
	maxConnections  = 5
	idleConnections = 2
	idleTime        = 5 * time.Minute
	connectTime     = 5 * time.Second
)

// schemaPrefix begins the names of the schemas, so that others may use the same database.
const schemaPrefix = "almanac_"

// openSchema opens the schema with a name of a PostgreSQL database, and creates it if needed.
func openSchema(ctx context.Context, url, name string, o Options) (*sql.DB, error) {
	name = schemaPrefix + name
	db, err := connect(url, name, cmp.Or(o.Wait, defaultWait))
	if err != nil {
		return nil, err
	}
	err = createSchema(ctx, db, name)
	if err == nil {
		err = migrate(ctx, db, translated{o.Migrations}, dialect{
			begin: fmt.Sprintf("BEGIN; SELECT pg_advisory_xact_lock(%d)", lockOf(name)),
			read:  "SELECT version FROM " + versionTable,
			write: "UPDATE " + versionTable + " SET version =",
		})
	}
	if err != nil {
		return nil, fmt.Errorf("opening the schema %s of PostgreSQL: %w", name, errors.Join(inOneLine(err), db.Close()))
	}
	return db, nil
}

// versionTable has one row with the version of a schema.
const versionTable = "schema_version"

// connect returns connections to a schema. The error of a wrong address does not contain its password.
func connect(url, name string, wait time.Duration) (*sql.DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the address of the database must be like postgres://user@host/database: %w", err)
	}
	config.ConnectTimeout = connectTime
	config.RuntimeParams["search_path"] = name
	config.RuntimeParams["lock_timeout"] = fmt.Sprint(wait.Milliseconds())
	config.RuntimeParams["synchronous_commit"] = "on"
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "almanac"
	}
	db := sql.OpenDB(connector{stdlib.GetConnector(*config), lockOf(name)})
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(idleConnections)
	db.SetConnMaxIdleTime(idleTime)
	return db, nil
}

// createSchema creates the schema and its version unless they exist, once, however many processes open it.
func createSchema(ctx context.Context, db *sql.DB, name string) error {
	const find = "SELECT to_regclass($1) IS NOT NULL"
	table := name + "." + versionTable
	var exists bool
	if err := db.QueryRowContext(ctx, find, table).Scan(&exists); err != nil || exists {
		return err
	}
	tx, err := db.BeginTx(ctx, nil) // under the lock of the schema
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, statement := range []string{
		"CREATE SCHEMA IF NOT EXISTS " + name,
		"CREATE TABLE IF NOT EXISTS " + table + " (version BIGINT NOT NULL)",
		"INSERT INTO " + table + " SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM " + table + ")",
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func schemaExists(ctx context.Context, url, name string) (exists bool, err error) {
	name = schemaPrefix + name
	db, err := connect(url, name, defaultWait)
	if err != nil {
		return false, err
	}
	defer db.Close()
	if err = db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", name+"."+versionTable).Scan(&exists); err != nil {
		err = fmt.Errorf("looking for the schema %s of PostgreSQL: %w", name, inOneLine(err))
	}
	return exists, err
}

// inOneLine returns an error whose text has one line, because pgx writes a line for each address that it has tried.
func inOneLine(err error) error {
	var failed *pgconn.ConnectError
	if !errors.As(err, &failed) {
		return err
	}
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return oneLine{err, strings.Join(lines, " ")}
}

type oneLine struct {
	error
	text string
}

// Error implements [error].
func (e oneLine) Error() string { return e.text }

// Unwrap returns the error of pgx.
func (e oneLine) Unwrap() error { return e.error }

// lockOf returns the number of the advisory lock of a schema.
func lockOf(name string) int64 {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, "almanac "+name)
	return int64(sum.Sum64())
}

// connector makes connections whose transactions take the lock of the schema when they begin.
type connector struct {
	driver.Connector
	lock int64
}

// Connect implements [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{conn.(*stdlib.Conn), c.lock}, nil
}

type connection struct {
	*stdlib.Conn
	lock int64
}

// BeginTx begins a transaction as SQLite does: one that may write waits for the others; one that
// only reads sees the state of one moment.
func (c *connection) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if o.ReadOnly {
		o.Isolation = driver.IsolationLevel(sql.LevelRepeatableRead)
	}
	tx, err := c.Conn.BeginTx(ctx, o)
	if err != nil || o.ReadOnly {
		return tx, err
	}
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", []driver.NamedValue{{Ordinal: 1, Value: c.lock}}); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
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

func isTemporaryOfServer(err error) bool {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		for _, class := range []string{"08", "40", "53", "55P03", "57P0"} { // connection, conflict, resources, lock, shutdown
			if strings.HasPrefix(answer.Code, class) {
				return true
			}
		}
		return false
	}
	var failed *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &failed) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}
