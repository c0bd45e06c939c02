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

// operationTime bounds how long a statement takes, besides its wait for locks: a server that stops
// answering must not stop the program. A context with a deadline of its own may take longer.
const operationTime = 5 * time.Second

// dialer notices within seconds that the server's machine is gone.
var dialer = net.Dialer{Timeout: connectTime, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 3 * time.Second, Count: 3}}

// migrationTime bounds how long creating and migrating a schema takes.
const migrationTime = time.Hour

// schemaPrefix begins the names of the schemas, so that others may use the same database.
const schemaPrefix = "almanac_"

// openSchema opens the schema with a name of a PostgreSQL database, and creates it if needed.
func openSchema(ctx context.Context, url, name string, o Options) (*sql.DB, error) {
	name = schemaPrefix + name
	db, err := connect(url, name, cmp.Or(o.Wait, defaultWait))
	if err != nil {
		return nil, err
	}
	long, cancel := context.WithTimeout(ctx, migrationTime)
	defer cancel()
	err = createSchema(long, db, name)
	if err == nil {
		err = migrate(long, db, translated{o.Migrations}, dialect{
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
	config.DialFunc = dialer.DialContext
	db := sql.OpenDB(traced(connector{stdlib.GetConnector(*config), lockOf(name), wait + operationTime}, "postgresql", name))
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(idleConnections)
	db.SetConnMaxIdleTime(idleTime)
	return db, nil
}

// createSchema creates the schema and its version unless they exist, once, however many processes open it.
func createSchema(ctx context.Context, db *sql.DB, name string) error {
	if exists, err := hasSchema(ctx, db, name); err != nil || exists {
		return err
	}
	table := name + "." + versionTable
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
	if exists, err = hasSchema(ctx, db, name); err != nil {
		err = fmt.Errorf("looking for the schema %s of PostgreSQL: %w", name, inOneLine(err))
	}
	return exists, err
}

func hasSchema(ctx context.Context, db *sql.DB, name string) (exists bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", name+"."+versionTable).Scan(&exists)
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
	return errors.Is(err, errNoAnswer) || errors.As(err, &failed) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}
