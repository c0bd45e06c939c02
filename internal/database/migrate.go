package database

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// migrate runs the missing migrations, all or none.
func migrate(ctx context.Context, db *sql.DB, migrations fs.FS, d dialect) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	v := &versions{dialect: d}
	provider, err := goose.NewProvider(goose.DialectCustom, db, files, goose.WithStore(v), goose.WithSessionLocker(v),
		goose.WithIsolateDDL(true), // or goose would nest transactions in that of SessionLock
		goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	oldest := sources[0].Version
	v.newest = sources[len(sources)-1].Version
	version, err := v.GetLatestVersion(ctx, db)
	if err != nil {
		return err
	}
	if version == 0 || oldest <= version && version < v.newest {
		if _, err := provider.Up(ctx); err != nil {
			return fmt.Errorf("migrating the schema from version %d to %d: %w", version, v.newest, err)
		}
		if version, err = v.GetLatestVersion(ctx, db); err != nil {
			return err
		}
	}
	if version != v.newest {
		return fmt.Errorf("schema version %d is not supported, this program supports %d: use the program that created the database, or a newer one", version, v.newest)
	}
	return nil
}

// dialect says how the version of a schema is kept.
type dialect struct {
	begin string // begins a transaction that keeps out other migrations
	read  string // the query for the version, 0 for a new database
	write string // the statement that stores the version, which follows
}

// versions is where goose finds the version of a schema. Of a file it is the user_version, because
// programs from before there were migrations look there and refuse an unknown number.
//
// It is also goose's lock: all migrations run in one transaction that holds the write lock from the
// start. So processes that open the database at once migrate it once, and a killed process leaves
// it unchanged.
type versions struct {
	database.Store // nil: the missing methods are for a version table and down migrations
	dialect
	newest    int64
	succeeded bool // the newest migration has run
}

// SessionLock begins the transaction.
func (v *versions) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, v.begin)
	return err
}

// SessionUnlock commits the transaction if the newest migration has run.
func (v *versions) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	end := "ROLLBACK"
	if v.succeeded {
		end = "COMMIT"
	}
	_, err := conn.ExecContext(ctx, end)
	return err
}

// Insert records that a migration has run.
func (v *versions) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("%s %d", v.write, req.Version))
	v.succeeded = err == nil && req.Version == v.newest
	return err
}

// GetLatestVersion returns the schema version, 0 for a new database.
func (v *versions) GetLatestVersion(ctx context.Context, db database.DBTxConn) (version int64, err error) {
	err = db.QueryRowContext(ctx, v.read).Scan(&version)
	return version, err
}

// ListMigrations returns all versions up to the current one, newest first.
func (v *versions) ListMigrations(ctx context.Context, db database.DBTxConn) (list []*database.ListMigrationsResult, err error) {
	version, err := v.GetLatestVersion(ctx, db)
	if err != nil {
		return nil, err
	}
	for ; version >= 0; version-- {
		list = append(list, &database.ListMigrationsResult{Version: version, IsApplied: true})
	}
	return list, nil
}

// Tablename returns the name that goose uses in messages.
func (v *versions) Tablename() string { return "user_version" }

// TableExists returns true, because the version always exists.
func (v *versions) TableExists(context.Context, database.DBTxConn) (bool, error) { return true, nil }
