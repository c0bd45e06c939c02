package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"almanac/internal/database"
	"almanac/internal/stattest"
)

// databases are the databases of a data directory, each with a possible future
// change.
var databases = []struct {
	file   string
	schema string // folder with the migrations
	next   string
}{
	{"catalog.db", "../store/catalog", "ALTER TABLE dataset ADD COLUMN shelf TEXT NOT NULL DEFAULT 'top'; UPDATE dataset SET shelf = name;"},
	{"access.db", "../access/register", "ALTER TABLE account ADD COLUMN shelf TEXT NOT NULL DEFAULT 'top'; UPDATE account SET shelf = name;"},
	{"sync.db", "../watch", "ALTER TABLE item ADD COLUMN shelf TEXT NOT NULL DEFAULT 'top'; UPDATE item SET shelf = ref;"},
}

// newest returns the version of the newest migration of a folder.
func newest(t *testing.T, schema string) (version int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(schema, "migrations", "*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no migrations: %v", schema, err)
	}
	if _, err := fmt.Sscanf(filepath.Base(slices.Max(files)), "%d_", &version); err != nil {
		t.Fatal(err)
	}
	return version
}

// once is a migration that fails if it runs twice.
const once = "CREATE TABLE added (name TEXT NOT NULL); INSERT INTO added SELECT name FROM sqlite_master WHERE type = 'table';"

// withNext returns migrations and one more.
func withNext(t *testing.T, schema string, version int, statements string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(schema), "migrations", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(schema, name))
		all[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("migrations/%05d_next.sql", version)
	all[name] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + strings.ReplaceAll(statements, "; ", ";\n") + "\n")}
	return all
}

// openPath opens the database in a file.
func openPath(ctx context.Context, file string, o database.Options) (*sql.DB, error) {
	name := strings.TrimSuffix(filepath.Base(file), ".db")
	return database.Location{Dir: filepath.Dir(file)}.Open(ctx, name, o)
}

func open(t *testing.T, file string, migrations fs.FS) *sql.DB {
	t.Helper()
	db, err := openPath(t.Context(), file, database.Options{Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// contents returns the rows of all tables as text, with their columns. Of the tables in
// known it reads only the columns that known has.
func contents(t *testing.T, file string, known map[string][]string) (rows, columns map[string][]string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, columns = map[string][]string{}, map[string][]string{}
	for _, table := range column(t, db, "SELECT name FROM sqlite_master WHERE type = 'table'") {
		columns[table] = known[table]
		if columns[table] == nil {
			columns[table] = column(t, db, "SELECT name FROM pragma_table_info('"+table+"')")
		}
		rows[table] = column(t, db, "SELECT quote("+strings.Join(columns[table], ") || '|' || quote(")+") FROM "+table)
	}
	return rows, columns
}

func column(t *testing.T, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// schemaOf returns the statements of the tables and indexes, without comments.
func schemaOf(t *testing.T, db *sql.DB) (lines []string) {
	t.Helper()
	for _, text := range column(t, db, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name") {
		var words []string
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "--")
			words = append(words, strings.Fields(line)...)
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

func versionOf(t *testing.T, db *sql.DB) string {
	t.Helper()
	return column(t, db, "PRAGMA user_version")[0]
}

// eachStored runs a test with each database of each store of earlier builds.
func eachStored(t *testing.T, test func(t *testing.T, file string, n int)) {
	for _, name := range stattest.Stores(t) {
		for n, d := range databases {
			t.Run(name+"/"+d.file, func(t *testing.T) {
				dir, _ := stattest.CopyStore(t, name)
				test(t, filepath.Join(dir, d.file), n)
			})
		}
	}
}

// A database of an earlier build gets the schema of a new one and keeps its
// rows.
func TestStoredDatabases(t *testing.T) {
	eachStored(t, func(t *testing.T, file string, n int) {
		d := databases[n]
		version := newest(t, d.schema)
		before, columns := contents(t, file, nil)
		db := open(t, file, os.DirFS(d.schema))
		created := open(t, filepath.Join(t.TempDir(), d.file), os.DirFS(d.schema))
		if got, want := schemaOf(t, db), schemaOf(t, created); !slices.Equal(got, want) {
			t.Errorf("the schema is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, db := range []*sql.DB{db, created} {
			if v := versionOf(t, db); v != fmt.Sprint(version) {
				t.Errorf("version %s, want %d", v, version)
			}
		}
		after, _ := contents(t, file, columns)
		maps.DeleteFunc(after, func(table string, rows []string) bool { // tables of later versions are empty, or say what is to be done
			_, existed := before[table]
			return !existed && (len(rows) == 0 || table == "undescribed")
		})
		if !reflect.DeepEqual(after, before) {
			t.Errorf("the rows were\n%v\nand are\n%v", before, after)
		}
	})
}

// The next migration changes a stored and a new database alike, once; the older
// program then refuses both.
func TestNextMigration(t *testing.T) {
	eachStored(t, func(t *testing.T, file string, n int) {
		d := databases[n]
		version := newest(t, d.schema)
		before, columns := contents(t, file, nil)
		next := withNext(t, d.schema, version+1, d.next+" "+once)
		created := filepath.Join(t.TempDir(), d.file)
		schemas := map[string][]string{}
		for range 2 {
			for _, f := range []string{file, created} {
				db := open(t, f, next)
				schemas[f] = schemaOf(t, db)
				if v := versionOf(t, db); v != fmt.Sprint(version+1) {
					t.Errorf("version %s, want %d", v, version+1)
				}
			}
		}
		if !slices.Equal(schemas[file], schemas[created]) || !strings.Contains(strings.Join(schemas[file], "\n"), "shelf") {
			t.Errorf("the schema is %q, that of a new database %q", schemas[file], schemas[created])
		}
		after, _ := contents(t, file, columns)
		for table, rows := range before {
			if len(after[table]) != len(rows) {
				t.Errorf("%s has %d rows, want %d", table, len(after[table]), len(rows))
			}
		}
		want := fmt.Sprintf("schema version %d is not supported, this program supports %d: use the program that created the database, or a newer one", version+1, version)
		for _, f := range []string{file, created} {
			_, err := openPath(t.Context(), f, database.Options{Migrations: os.DirFS(d.schema)})
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("the older program returns %v, want %q", err, want)
			}
		}
	})
}

// A migration that fails leaves the database unchanged, including what earlier
// migrations did.
func TestFailingMigration(t *testing.T) {
	eachStored(t, func(t *testing.T, file string, n int) {
		d := databases[n]
		version := newest(t, d.schema)
		before, columns := contents(t, file, nil)
		next := withNext(t, d.schema, version+1, d.next+" "+once)
		maps.Copy(next, withNext(t, d.schema, version+2, "CREATE TABLE more (x); INSERT INTO missing VALUES (1);"))
		next[fmt.Sprintf("migrations/%05d_one.sql", version+1)] = next[fmt.Sprintf("migrations/%05d_next.sql", version+1)]
		delete(next, fmt.Sprintf("migrations/%05d_next.sql", version+1))
		_, err := openPath(t.Context(), file, database.Options{Migrations: next})
		if err == nil || !strings.Contains(err.Error(), "no such table: missing") || !strings.Contains(err.Error(), file) {
			t.Errorf("error %v, want a missing table", err)
		}
		if after, _ := contents(t, file, columns); !reflect.DeepEqual(after, before) {
			t.Errorf("the rows were\n%v\nand are\n%v", before, after)
		}
		open(t, file, withNext(t, d.schema, version+1, d.next))
	})
}

// TestMain also runs as a process that only opens a database, for tests with
// several processes.
func TestMain(m *testing.M) {
	file := os.Getenv("DATABASE_OPEN")
	if file == "" {
		os.Exit(m.Run())
	}
	db, err := openPath(context.Background(), file, database.Options{Migrations: os.DirFS(os.Getenv("DATABASE_SCHEMA"))})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// process starts a process that opens a database.
func process(t *testing.T, file string, migrations fstest.MapFS) *exec.Cmd {
	t.Helper()
	schema := t.TempDir()
	for name, f := range migrations {
		if err := os.MkdirAll(filepath.Join(schema, path.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(schema, name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DATABASE_OPEN="+file, "DATABASE_SCHEMA="+schema)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// A process that is killed between two statements leaves the database
// unchanged.
func TestKilledMigration(t *testing.T) {
	const endless = " UPDATE added SET name = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n);"
	eachStored(t, func(t *testing.T, file string, n int) {
		d := databases[n]
		version := newest(t, d.schema)
		before, columns := contents(t, file, nil)
		cmd := process(t, file, withNext(t, d.schema, version+1, d.next+" "+once+endless))
		waitUntilLocked(t, file)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if after, _ := contents(t, file, columns); !reflect.DeepEqual(after, before) {
			t.Errorf("the rows were\n%v\nand are\n%v", before, after)
		}
		open(t, file, withNext(t, d.schema, version+1, d.next+" "+once))
	})
}

// waitUntilLocked waits until another process is changing a database.
func waitUntilLocked(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 3000 {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		_, err = tx.Exec("PRAGMA user_version = 99")
		tx.Rollback()
		if err != nil && strings.Contains(err.Error(), "locked") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no process has changed the database")
}

// Several processes that open a database at once migrate it once.
func TestConcurrentMigration(t *testing.T) {
	eachStored(t, func(t *testing.T, file string, n int) {
		d := databases[n]
		version := newest(t, d.schema)
		next := withNext(t, d.schema, version+1, d.next+" "+once)
		for _, f := range []string{file, filepath.Join(t.TempDir(), d.file)} {
			var cmds []*exec.Cmd
			for range 3 {
				cmds = append(cmds, process(t, f, next))
			}
			var wait sync.WaitGroup
			for range 5 {
				wait.Go(func() {
					db, err := openPath(t.Context(), f, database.Options{Migrations: next})
					if err != nil {
						t.Error(err)
						return
					}
					db.Close()
				})
			}
			wait.Wait()
			for _, cmd := range cmds {
				if err := cmd.Wait(); err != nil {
					t.Errorf("one of several processes: %v", err)
				}
			}
			if v := versionOf(t, open(t, f, next)); v != fmt.Sprint(version+1) {
				t.Errorf("version %s, want %d", v, version+1)
			}
		}
	})
}

// An error names a file that is damaged or cannot be written, and the reason.
func TestUnusableFile(t *testing.T) {
	migrations := fstest.MapFS{"migrations/00001_x.sql": {Data: []byte("-- +goose Up\nCREATE TABLE x (y);\n")}}
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"other.db":       {strings.Repeat("no database ", 100), "file is not a database"},
		"damaged.db":     {"SQLite format 3\x00" + strings.Repeat("\xff", 1000), "file is not a database"},
		"missing/new.db": {"", "unable to open database file"},
	} {
		file := filepath.Join(dir, name)
		if c.text != "" {
			if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := openPath(t.Context(), file, database.Options{Migrations: migrations})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v, want one that names the file and contains %q", name, err, c.want)
		}
	}
}
