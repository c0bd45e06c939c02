// Package postgres runs the tests of packages with SQL with databases in files and in PostgreSQL.
package postgres

import (
	"database/sql"
	"errors"
	"flag"
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

// isSecond is set where the first pass has run elsewhere.
var isSecond = flag.Bool("postgres", false, "run only the pass with PostgreSQL")

// Run runs the tests of a package twice, with databases in files and in a PostgreSQL server that
// only they can reach, and returns the exit code. It is what TestMain calls. If there is no server,
// the tests of the second pass are skipped, or fail if ALMANAC_REQUIRE=1. Under the race detector there is
// only the first pass, because the second runs the same code but for the driver.
func Run(m *testing.M) int {
	flag.Parse()
	if !*isSecond {
		if code := m.Run(); code != 0 || stattest.UnderRace {
			return code
		}
	}
	own, err := newServer()
	if own != nil {
		defer own.remove()
		server.dir = own.dir
	}
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
		create(t, server.dir, name)
		server.byFolder[dir] = name
	}
	return database.Location{Dir: dir, URL: address(server.dir, name)}
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

func create(t testing.TB, dir, name string) {
	t.Helper()
	db, err := sql.Open("pgx", address(dir, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE DATABASE " + name + " STRATEGY FILE_COPY"); err != nil {
		t.Fatal(err)
	}
}

func address(dir, name string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&user=almanac", name, url.QueryEscape(dir))
}

// Server is a PostgreSQL server of one test, which can be stopped and started.
type Server struct {
	t         testing.TB
	bin, dir  string
	databases int
}

// Start starts a server for a test. If there is no PostgreSQL, the test is skipped, or fails if ALMANAC_REQUIRE=1.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := newServer()
	if s != nil {
		t.Cleanup(s.remove)
	}
	if err != nil {
		stattest.SkipOrFail(t, err.Error())
	}
	s.t = t
	return s
}

// NewDatabase makes an empty database and returns its address.
func (s *Server) NewDatabase() string {
	s.t.Helper()
	s.databases++
	name := fmt.Sprintf("test%d", s.databases)
	create(s.t, s.dir, name)
	return address(s.dir, name)
}

// Stop stops the server at once, as a power failure does to its clients.
func (s *Server) Stop() {
	s.t.Helper()
	if err := s.control("--mode=immediate", "stop"); err != nil {
		s.t.Fatal(err)
	}
}

// Start starts the server again.
func (s *Server) Start() {
	s.t.Helper()
	if err := s.start(); err != nil {
		s.t.Fatal(err)
	}
}

// newServer starts a server in a folder of its own.
func newServer() (*Server, error) {
	programs, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if err != nil || len(programs) == 0 {
		return nil, errors.Join(errors.New("PostgreSQL is not installed; apt-get install postgresql does it"), err)
	}
	s := &Server{bin: filepath.Dir(programs[len(programs)-1])}
	if s.dir, err = os.MkdirTemp("", "almanac-pg"); err != nil {
		return nil, err
	}
	if err := giveAway(s.dir); err != nil {
		return s, err
	}
	if err := run(s.bin, "initdb", "--pgdata="+s.data(), "--username=almanac", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"); err != nil {
		return s, err
	}
	return s, s.start()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// start starts the server. Its commits are not synced, because no test cuts the power of the machine.
func (s *Server) start() error {
	return s.control("--log="+filepath.Join(s.dir, "log"), "--wait", fmt.Sprintf("--options=-c listen_addresses='' -c unix_socket_directories='%s' -c fsync=off", s.dir), "start")
}

func (s *Server) control(args ...string) error {
	return run(s.bin, "pg_ctl", append([]string{"--pgdata=" + s.data()}, args...)...)
}

// remove ends the server and removes its folder.
func (s *Server) remove() {
	_ = s.control("--mode=immediate", "stop") // it may have been stopped
	os.RemoveAll(s.dir)
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
