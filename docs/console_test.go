package docs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
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

	"almanac/internal/stattest"
)

// session is a reader at a terminal who does what a page says, in a folder
// where nothing is but ./almanac and the files that the page shows. It runs
// three kinds of commands: a server, which stays until the next one or the end
// of the page; curl, by itself, since not every machine has it; and all others
// with sh. Of KEY=$(command) it keeps the variable, as a shell does.
type session struct {
	t      *testing.T
	folder string
	vars   map[string]string
	ids    map[string]string // public ids of keys on the page → those that were made here
	stop   func()            // ends the server
	url    string            // of the server
}

// newSession puts the program into a new folder, and serves the demonstration, as the
// README says first of all.
func newSession(t *testing.T, almanac string) *session {
	stattest.AvoidMidnight() // the pages use up the requests of a day
	s := &session{t: t, folder: t.TempDir(), vars: map[string]string{}, ids: map[string]string{}, stop: func() {}}
	if err := os.Link(almanac, filepath.Join(s.folder, "almanac")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop() })
	s.serve("./almanac serve --demo", 1)
	return s
}

// write saves a file that the page shows.
func (s *session) write(name, text string) {
	path := filepath.Join(s.folder, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

var (
	assignment = regexp.MustCompile(`^([A-Z]+)=\$\((.*)\)$`)
	expiry     = regexp.MustCompile(`--expires \d{4}`)
)

// run does what a step says and returns what is seen.
func (s *session) run(e step) string {
	command := e.command
	for there, here := range s.ids {
		command = strings.ReplaceAll(command, there, here)
	}
	// A date on a page goes by.
	command = expiry.ReplaceAllString(command, fmt.Sprintf("--expires %d", time.Now().Year()+1))
	switch program, _, _ := strings.Cut(command, " "); {
	case program == "curl":
		return s.curl(command, strings.Contains(e.answer, "401"))
	case strings.HasPrefix(command, "./almanac serve"):
		return s.serve(command, strings.Count(e.answer, "\n")+1)
	}
	variable := assignment.FindStringSubmatch(command)
	if variable != nil {
		command = variable[2]
	}
	var stdout, all strings.Builder
	sh := exec.CommandContext(s.t.Context(), "sh", "-c", command)
	sh.Dir, sh.Env = s.folder, os.Environ()
	for name, value := range s.vars {
		sh.Env = append(sh.Env, name+"="+value)
	}
	sh.Stdout, sh.Stderr = &all, &all
	if variable != nil {
		sh.Stdout = &stdout
	}
	if err := sh.Run(); err != nil && sh.ProcessState == nil {
		s.t.Fatalf("%s: %v", e.command, err)
	}
	if variable != nil {
		s.vars[variable[1]] = strings.TrimSpace(stdout.String())
	}
	return all.String()
}

// serve ends the server that runs, starts another on a free port and returns
// the first lines that it prints.
func (s *session) serve(command string, lines int) string {
	s.stop()
	ctx, cancel := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, "sh", "-c", "exec "+command+" --listen 127.0.0.1:0")
	server.Dir = s.folder
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	stderr, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		s.t.Fatalf("%s: %v", command, err)
	}
	ended := make(chan struct{})
	s.stop = func() {
		cancel()
		<-ended
		_ = server.Wait() // ended by us
		s.stop = func() {}
	}
	printed := bufio.NewReader(stderr)
	var said strings.Builder
	for s.url = ""; lines > 0; {
		line, err := printed.ReadString('\n')
		if err != nil {
			close(ended)
			s.t.Fatalf("%s ended:\n%s%s", command, said.String(), line)
		}
		if _, url, ok := strings.Cut(line, "listening on "); ok {
			s.url = strings.TrimSpace(url)
		}
		said.WriteString(line)
		if s.url != "" {
			lines--
		}
	}
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, printed)
	}()
	return said.String()
}

// plain asks for no content coding, as curl does.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// curl asks as a line of curl does, and returns the answer's body; with -i also
// its status and headers. A server knows soon of a key that another process made
// or revoked: the page's reader is slower than that, and here it is asked again. So is a search
// that did not read all its values in time, because the machine had other work.
func (s *session) curl(command string, refused bool) string {
	r := s.request(command)
	shown := ""
	stattest.Eventually(s.t, func() error {
		request := r.request(s.t)
		resp, err := plain.Do(request)
		if err != nil {
			s.t.Fatalf("%s: %v", command, err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			s.t.Fatalf("%s: %v", command, err)
		}
		shown = r.shown(resp, body)
		if request.Header.Get("X-Api-Key") != "" && refused != (resp.StatusCode == http.StatusUnauthorized) {
			return fmt.Errorf("%s is answered %s", command, shown)
		}
		if bytes.Contains(body, []byte("not read in time")) {
			return fmt.Errorf("%s lacks values: %s", command, shown)
		}
		return nil
	})
	return shown
}

// curlRequest is what a line of curl says.
type curlRequest struct {
	method, url, body string
	header            http.Header
	headers           bool // are shown
}

// request reads a line of curl.
func (s *session) request(command string) *curlRequest {
	r := &curlRequest{header: http.Header{}}
	words := s.words(command)
	for i := 1; i < len(words); i++ {
		switch flag := words[i]; flag {
		case "-s":
		case "-si":
			r.headers = true
		case "-sI":
			r.headers, r.method = true, http.MethodHead
		case "-X", "-H", "-d":
			i++
			if i == len(words) {
				s.t.Fatalf("%s: there is nothing behind %s", command, flag)
			}
			r.set(flag, words[i])
		default:
			if !strings.HasPrefix(flag, address) {
				s.t.Fatalf("%s: %s is not known here", command, flag)
			}
			r.url = s.url + strings.TrimPrefix(flag, address)
		}
	}
	return r
}

func (r *curlRequest) set(flag, value string) {
	switch flag {
	case "-X":
		r.method = value
	case "-H":
		name, text, _ := strings.Cut(value, ":")
		r.header.Add(name, strings.TrimSpace(text))
	case "-d":
		r.body = value
	}
}

func (r *curlRequest) request(t *testing.T) *http.Request {
	method := r.method
	if method == "" {
		method = http.MethodGet
		if r.body != "" {
			method = http.MethodPost
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), method, r.url, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = r.header.Clone()
	if r.body != "" && r.header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded") // as curl does
	}
	return request
}

// shown is an answer as it is shown.
func (r *curlRequest) shown(resp *http.Response, body []byte) string {
	var text strings.Builder
	if r.headers {
		fmt.Fprintf(&text, "%s %s\n", resp.Proto, resp.Status)
		_ = resp.Header.Write(&text) // sorted by name, as the server sends them
		text.WriteString("\n")
	}
	text.Write(body)
	return text.String()
}

// words splits a command as a shell does, as far as our pages need it.
func (s *session) words(command string) []string {
	var words []string
	word, quote, within := "", rune(0), false
	end := func() {
		if within {
			words = append(words, word)
		}
		word, within = "", false
	}
	for part := range strings.SplitSeq(command, "") {
		c := []rune(part)[0]
		switch {
		case quote == 0 && (c == ' ' || c == '\n'):
			end()
		case quote == 0 && (c == '\'' || c == '"'):
			quote, within = c, true
		case c == quote:
			if quote == '"' {
				word = os.Expand(word, func(name string) string { return s.vars[name] })
			}
			quote = 0
		default:
			word, within = word+part, true
		}
	}
	end()
	return words
}
