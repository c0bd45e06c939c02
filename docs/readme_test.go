// Package docs tests what the project's texts promise.
package docs

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

const root = ".."

// address is where the README's examples expect the server.
const address = "http://127.0.0.1:8080"

// example is a curl line of the README and the answer that stands below it.
type example struct {
	url    string
	body   string // of a POST; empty: it is a GET
	answer string
}

// TestREADME asks the server of the demonstration everything that the README
// shows, and gets what it says. In the README an answer may be broken into
// lines, and "…" stands for a part that is left out.
func TestREADME(t *testing.T) {
	examples := readExamples(t)
	if len(examples) < 5 {
		t.Fatalf("found %d examples in README.md, expected a tour", len(examples))
	}
	url := serveDemo(t)
	for _, e := range examples {
		t.Run(strings.TrimPrefix(e.url, address), func(t *testing.T) {
			e.url = url + strings.TrimPrefix(e.url, address)
			got := strings.ReplaceAll(ask(t, e), url, address)
			if !matches(e.answer, got) {
				t.Errorf("the README says\n%s\nbut the answer is\n%s", e.answer, got)
			}
		})
	}
}

var curlLine = regexp.MustCompile(`^\$ curl -s '([^']+)'(?: -H 'Content-Type: application/json'\s*-d '([^']+)')?$`)

// readExamples finds the curl lines and what stands below each up to the end
// of the block or the next command.
func readExamples(t *testing.T) []example {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var list []example
	within := false
	joined := strings.ReplaceAll(string(text), " \\\n ", "") // a command in two lines
	for line := range strings.Lines(joined) {
		line = strings.TrimRight(line, "\n")
		command := curlLine.FindStringSubmatch(line)
		switch {
		case command != nil:
			list = append(list, example{url: command[1], body: command[2]})
			within = true
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "$"):
			within = false
		case within:
			list[len(list)-1].answer += strings.TrimLeft(line, " ")
		}
	}
	return list
}

// matches reports whether got is what want says, where "…" in want stands for
// anything.
func matches(want, got string) bool {
	parts := strings.Split(want, "…")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, `.*`) + `$`).MatchString(got)
}

// serveDemo starts the real binary with the sample data and returns its address.
func serveDemo(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "almanac")
	build := exec.Command("go", "build", "-o", binary, "./cmd/almanac")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building almanac: %v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	server := exec.CommandContext(ctx, binary, "serve", "--demo", "--listen", "127.0.0.1:0")
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = server.Wait() // ended by us
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return strings.TrimSpace(url)
		}
	}
	t.Fatal("the server ended before it said where it listens")
	return ""
}

func ask(t *testing.T, e example) string {
	t.Helper()
	var resp *http.Response
	var err error
	if e.body != "" {
		resp, err = http.Post(e.url, "application/json", strings.NewReader(e.body))
	} else {
		resp, err = http.Get(e.url)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(body), "\n")
}

// TestLinks follows the links between the project's own texts.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/decisions/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
					t.Errorf("%s links to %s, which is not there", name, m[1])
				}
			}
		}
	}
}
