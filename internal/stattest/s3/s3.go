// Package s3 starts an S3 server for the conformance tests of blobs, and puts faults between it
// and them.
package s3

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"almanac/internal/stattest"
)

// server is the server that [Run] started.
var server struct {
	dir     string
	address string // HOST:PORT
	missing error  // why there is none
	buckets int    // that were made in it
}

// program is installed with: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
const program = "versitygw"

// Run runs the tests of a package beside an S3 server, which listens on this machine only, and
// returns their exit code. It is what TestMain calls with a *testing.M. The key of the server is in the environment.
func Run(m interface{ Run() int }) int {
	stop, err := start()
	server.missing = err
	defer stop()
	return m.Run()
}

// Bucket is an empty bucket of the server.
type Bucket struct{ name string }

// NewBucket makes a bucket. If there is no server, the test is skipped, or fails if
// ALMANAC_REQUIRE=1.
func NewBucket(t testing.TB) Bucket {
	t.Helper()
	if server.missing != nil {
		stattest.SkipOrFail(t, server.missing.Error())
	}
	server.buckets++
	b := Bucket{fmt.Sprintf("bucket%d", server.buckets)}
	if err := os.Mkdir(b.Path(""), 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

// Place returns the address of a folder of the bucket.
func (b Bucket) Place() string { return b.place(server.address) }

func (b Bucket) place(host string) string {
	return fmt.Sprintf("s3://%s/test?endpoint=http://%s", b.name, host)
}

// Path returns the path of the file of an object.
func (b Bucket) Path(key string) string {
	return filepath.Join(server.dir, "data", b.name, filepath.FromSlash(key))
}

// Remove removes an object, or all below a folder.
func (b Bucket) Remove(t testing.TB, key string) {
	t.Helper()
	for _, part := range []string{"data", "sidecar"} {
		if err := os.RemoveAll(filepath.Join(server.dir, part, b.name, filepath.FromSlash(key))); err != nil {
			t.Fatal(err)
		}
	}
}

// start starts a server in a folder of its own.
func start() (stop func(), err error) {
	path, err := find()
	if err != nil {
		return func() {}, err
	}
	dir, err := os.MkdirTemp("", "almanac-s3")
	if err != nil {
		return func() {}, err
	}
	stop = func() { os.RemoveAll(dir) }
	for _, name := range []string{"data", "sidecar"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return stop, err
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return stop, err
	}
	server.dir, server.address = dir, free.Addr().String()
	free.Close()
	const key, secret = "almanac-test", "a secret of the tests alone"
	os.Setenv("AWS_ACCESS_KEY_ID", key)
	os.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	ctx, kill := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, path, "--port", server.address, "--quiet", "--keep-alive", "posix", "--sidecar", filepath.Join(dir, "sidecar"), filepath.Join(dir, "data"))
	c.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+key, "ROOT_SECRET_KEY="+secret)
	if err := c.Start(); err != nil {
		kill()
		return stop, err
	}
	stop = func() {
		kill()
		_ = c.Wait() // it was killed
		os.RemoveAll(dir)
	}
	return stop, stattest.Wait(func() error {
		conn, err := net.Dial("tcp", server.address)
		if err == nil {
			conn.Close()
		}
		return err
	})
}

// find returns the path of the program, which go install writes to a folder that need not be in
// PATH.
func find() (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	home, err := os.UserHomeDir()
	path := filepath.Join(home, "go", "bin", program)
	if gobin := os.Getenv("GOBIN"); gobin != "" {
		path = filepath.Join(gobin, program)
	} else if gopath := os.Getenv("GOPATH"); gopath != "" {
		path = filepath.Join(gopath, "bin", program)
	}
	if _, statErr := os.Stat(path); err == nil {
		err = statErr
	}
	if err != nil {
		return "", errors.New("an S3 server is not installed; go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 does it")
	}
	return path, nil
}
