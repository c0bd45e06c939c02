// Package postgres runs the tests of packages with SQL with databases in files and in PostgreSQL.
package postgres

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"almanac/internal/database"
	"almanac/internal/stattest"
)

// server is the server that [Run] started.
var server struct {
	dir      string
	missing  error // why there is none
	isUsed   bool  // in this pass
	mu       sync.Mutex
	byFolder map[string]string // databases that were made in it
}

// Run runs the tests of a package twice, with databases in files and in a PostgreSQL server that
// only they can reach, and returns the exit code. It is what TestMain calls. If there is no server,
// the tests of the second pass are skipped, or fail if ALMANAC_REQUIRE=1.
func Run(m *testing.M) int {
	if code := m.Run(); code != 0 {
		return code
	}
	stop, err := start()
	defer stop()
	server.missing, server.isUsed, server.byFolder = err, true, map[string]string{}
	fmt.Println("again, with PostgreSQL")
	return m.Run()
}

// At returns the location of the databases of an installation with a folder: files in it, or a
// database of the server, the same one for each call with a folder.
func At(t testing.TB, dir string) database.Location {
	t.Helper()
	if !server.isUsed {
		return database.Location{Dir: dir}
	}
	if server.missing != nil {
		stattest.SkipOrFail(t, server.missing.Error())
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	name := server.byFolder[dir]
	if name == "" {
		name = fmt.Sprintf("test%d", len(server.byFolder))
		create(t, name)
		server.byFolder[dir] = name
	}
	return database.Location{Dir: dir, URL: address(name)}
}

// Open opens a database of an installation with a folder, beside the program.
func Open(t testing.TB, dir, name string) *sql.DB {
	t.Helper()
	at := At(t, dir)
	driver, source := "sqlite", at.File(name)
	if at.IsServer() {
		driver, source = "pgx", at.URL+"&search_path=almanac_"+name
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Drop removes a database of an installation with a folder, as if it had been lost.
func Drop(t testing.TB, dir, name string) {
	t.Helper()
	at := At(t, dir)
	if at.IsServer() {
		if _, err := Open(t, dir, name).Exec("DROP SCHEMA almanac_" + name + " CASCADE"); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(at.File(name) + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// FilesOnly skips a test of what only databases in files have, such as files that are damaged.
func FilesOnly(t testing.TB) {
	t.Helper()
	if server.isUsed {
		t.Skip("this is about databases in files")
	}
}

func create(t testing.TB, name string) {
	t.Helper()
	db, err := sql.Open("pgx", address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE DATABASE " + name + " STRATEGY FILE_COPY"); err != nil {
		t.Fatal(err)
	}
}

func address(name string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&user=almanac", name, url.QueryEscape(server.dir))
}

// start starts a server in a folder of its own.
func start() (stop func(), err error) {
	programs, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if err != nil || len(programs) == 0 {
		return func() {}, errors.Join(errors.New("PostgreSQL is not installed; apt-get install postgresql does it"), err)
	}
	bin := filepath.Dir(programs[len(programs)-1])
	dir, err := os.MkdirTemp("", "almanac-pg")
	if err != nil {
		return func() {}, err
	}
	stop = func() { os.RemoveAll(dir) }
	if err := giveAway(dir); err != nil {
		return stop, err
	}
	data := filepath.Join(dir, "data")
	if err := run(bin, "initdb", "--pgdata="+data, "--username=almanac", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"); err != nil {
		return stop, err
	}
	options := fmt.Sprintf("-c listen_addresses='' -c unix_socket_directories='%s' -c fsync=off", dir)
	if err := run(bin, "pg_ctl", "--pgdata="+data, "--log="+filepath.Join(dir, "log"), "--wait", "--options="+options, "start"); err != nil {
		return stop, err
	}
	server.dir = dir
	return func() {
		if err := run(bin, "pg_ctl", "--pgdata="+data, "--mode=immediate", "stop"); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.RemoveAll(dir)
	}, nil
}

// owner is the user that Debian's package adds, because PostgreSQL refuses to run as root.
const owner = "postgres"

// giveAway gives a folder to the owner, if root runs the tests.
func giveAway(dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup(owner)
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	return os.Chown(dir, uid, -1)
}

// run runs one of PostgreSQL's programs.
func run(bin, program string, args ...string) error {
	command := append([]string{filepath.Join(bin, program)}, args...)
	if os.Getuid() == 0 {
		command = append([]string{"runuser", "--user", owner, "--"}, command...)
	}
	c := exec.Command(command[0], command[1:]...)
	c.Dir = "/"
	// The server keeps the standard output of pg_ctl open, so it is a file, for whose end nobody waits.
	out, err := os.CreateTemp("", "almanac-pg-output")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil {
		text, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s: %w: %s", program, err, text)
	}
	return nil
}
