package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/stattest"
)

// TestTranscripts runs the sessions in testdata/transcript and compares the output with
// the files, except times, keys and addresses; -update rewrites them. If ALMANAC_OTHER
// names another build of the program, such as the one before a change, three runs of
// each session must agree: with this build, with the other one, and with the other one
// up to the line "# From here on another build." and this one after it.
//
// In a session, a line that begins with "$ " is a command. The lines below it that begin
// with two spaces are its output. Commands are run by sh, in a folder with the
// files below the session, except these:
//
//	NAME=$(COMMAND)     sets a variable for later commands
//	serve FLAG…         starts a server of the folder store; stop ends it
//	GET PATH [HEADER:VALUE…] [BODY]
//	                    sends a request to the server; also POST, PUT, DELETE, HEAD
//	await WORD GET …    repeats a request until WORD is the status, or is in quotes in
//	                    the response
//	fixture NAME        copies a store of an earlier build to the folder store, and sets
//	                    $KEY to the key of its account desk
//	office              serves the files of the folder office as an office "made"
//	replay ID…          serves the real files of offices
//	publish ID OLD NEW  makes one of them publish NEW instead of OLD
func TestTranscripts(t *testing.T) {
	other := os.Getenv("ALMANAC_OTHER")
	files, err := filepath.Glob("testdata/transcript/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts (error %v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := playSession(t, archive, "", "")
			if other != "" {
				compareBuilds(t, "the other build", playSession(t, archive, other, other), got)
				compareBuilds(t, "the other build, then this one", playSession(t, archive, other, ""), got)
				return
			}
			if *stattest.Update {
				archive.Comment = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			compareTranscripts(t, file, string(archive.Comment), got)
		})
	}
}

// Every command that has --json is used with it in a transcript.
func TestTranscriptsHaveAllJSON(t *testing.T) {
	t.Parallel()
	output := ""
	files, _ := filepath.Glob("testdata/transcript/*.txtar")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		output += string(text)
	}
	commands := regexp.MustCompile(`(?m)^  ([a-z]+(?: [a-z-]+)?)  `).FindAllStringSubmatch(must(t, "--help"), -1)
	if len(commands) < 20 {
		t.Fatalf("only %d commands in --help", len(commands))
	}
	for _, c := range commands {
		if !strings.Contains(must(t, append(strings.Fields(c[1]), "--help")...), "--json") {
			continue
		}
		words := strings.ReplaceAll(strings.TrimSuffix(c[1], " now"), " ", " +")
		if !regexp.MustCompile(`almanac ` + words + ` [^|\n]*--json`).MatchString(output) {
			t.Errorf("no transcript has almanac %s --json", c[1])
		}
	}
}

// compareBuilds compares everything but the wording, and logs whether that differs.
func compareBuilds(t *testing.T, name, want, got string) {
	t.Helper()
	compareTranscripts(t, name, withoutWords(want), withoutWords(got))
	if want != got && !t.Failed() {
		t.Logf("%s: only the wording differs", name)
	}
}

var (
	wordsInJSON = regexp.MustCompile(`"(statusMessage|message|error|hint|alt|limits|quirks)":"(\\.|[^"\\])*"`)
	wordsInSVG  = regexp.MustCompile(`>[^<]+<`)
	noWords     = regexp.MustCompile(`^  (\{|<|\d{3}$|[A-Z][A-Za-z-]+: |exit code )`)
)

// withoutWords removes the wording from a transcript.
func withoutWords(transcript string) string {
	var lines []string
	for line := range strings.Lines(transcript) {
		switch {
		case !strings.HasPrefix(line, "  "):
		case !noWords.MatchString(line):
			continue
		case strings.HasPrefix(line, "  {"):
			line = wordsInJSON.ReplaceAllString(line, `"$1":"…"`)
		case strings.HasPrefix(line, "  <"):
			line = wordsInSVG.ReplaceAllString(line, "><")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// compareTranscripts reports the lines that differ.
func compareTranscripts(t *testing.T, name, want, got string) {
	t.Helper()
	if got == want {
		return
	}
	command, wrong := "", 0
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if strings.HasPrefix(y, "$ ") {
			command = y
		}
		if x == y {
			continue
		}
		if wrong++; wrong > 5 {
			break
		}
		t.Errorf("%s\n%s\nwant %s\ngot  %s", command, name, x, y)
	}
}

// session is a console whose commands are run.
type session struct {
	*testing.T
	program string // empty: this build
	dir     string
	env     []string // NAME=value
	output  string   // by the newest command
	server  *served
	offices map[string]*edited
	masks   []string // texts that differ from run to run, each with its mask
	keys    int      // the number of masked keys
}

// playSession runs a session with one build, then with another, and returns its text
// with the new output.
func playSession(t *testing.T, archive *txtar.Archive, first, second string) string {
	t.Helper()
	stattest.AvoidMidnight()
	s := &session{T: t, program: first, dir: t.TempDir(), offices: map[string]*edited{}}
	s.env = append(os.Environ(), "ALMANAC_NETWORKS=127.0.0.1/32", "TZ=UTC")
	s.masks = []string{s.dir, "DIR"}
	for _, f := range archive.Files {
		path := filepath.Join(s.dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "# From here on another build."):
			s.program = second
		case strings.HasPrefix(line, "  "):
			continue
		case strings.HasPrefix(line, "$ "):
			text.WriteString(line + "\n")
			s.output = ""
			s.run(strings.TrimPrefix(line, "$ "))
			for output := range strings.Lines(strings.TrimRight(s.mask(s.output), "\n")) {
				text.WriteString("  " + strings.TrimRight(output, "\n") + "\n")
			}
			continue
		}
		text.WriteString(line + "\n")
	}
	if s.server != nil {
		s.server.stop(t)
	}
	return text.String()
}

var setVariable = regexp.MustCompile(`^([A-Z]+)=\$\((.*)\)$`)

func (s *session) run(command string) {
	word, rest, _ := strings.Cut(command, " ")
	if set := setVariable.FindStringSubmatch(command); set != nil {
		stdout, stderr := s.shell(set[2])
		s.set(set[1], strings.TrimSpace(stdout))
		s.output += stderr
		return
	}
	switch word {
	case "serve":
		s.server = startServe(s.T, s.program, filepath.Join(s.dir, "store"), s.words(rest)...)
		s.masks = append(s.masks, s.server.url, "URL", s.server.address(), "ADDRESS")
	case "stop":
		s.server.stop(s.T)
		s.server = nil
	case "GET", "HEAD", "POST", "PUT", "DELETE":
		s.output = s.request(command)
	case "await":
		word, request, _ := strings.Cut(rest, " ")
		stattest.Eventually(s, func() error {
			s.output = s.request(request)
			if !strings.HasPrefix(s.output, word+"\n") && !strings.Contains(s.output, strconv.Quote(word)) {
				return fmt.Errorf("%s: %s", request, s.output)
			}
			return nil
		})
	case "fixture":
		dir, key := stattest.CopyStore(s, rest)
		if err := os.Rename(dir, filepath.Join(s.dir, "store")); err != nil {
			s.Fatal(err)
		}
		s.set("KEY", key)
	case "office":
		server := replay.Serve(folderOffice(filepath.Join(s.dir, "office")))
		s.Cleanup(server.Close)
		s.addOffices(source.Office{ID: "made", Name: "Made up", Kind: "files", Address: server.URL, Contents: server.URL + "/contents.tsv", Data: server.URL + "/{code}.csv"})
	case "replay":
		var rows []source.Office
		for _, id := range s.words(rest) {
			office, row := replayOffice(s, id)
			s.offices[id] = office
			rows = append(rows, row)
		}
		s.addOffices(rows...)
	case "publish":
		words := s.words(rest)
		s.offices[words[0]].publish(words[1:]...)
	default:
		stdout, stderr := s.shell(command)
		s.output = stdout + stderr
	}
}

// addOffices adds offices to the store.
func (s *session) addOffices(offices ...source.Office) {
	s.Helper()
	if err := writeOffices(filepath.Join(s.dir, "store"), offices...); err != nil {
		s.Fatal(err)
	}
	for _, o := range offices {
		for _, address := range []string{o.Address, o.Contents, o.Data} {
			if host := regexp.MustCompile(`^http://[^/]*`).FindString(address); host != "" {
				s.masks = append(s.masks, host, "OFFICE")
			}
		}
	}
}

func (s *session) set(name, value string) { s.env = append(s.env, name+"="+value) }

// shell runs a command of the session. An exit code other than 0 is the last line of
// stderr.
func (s *session) shell(command string) (stdout, stderr string) {
	s.Helper()
	program := cmp.Or(s.program, "almanac")
	sh := exec.Command("sh", "-c", `almanac() { command "$ALMANAC_PROGRAM" "$@"; }; `+command)
	sh.Dir, sh.Env = s.dir, append(slices.Clone(s.env), "ALMANAC_PROGRAM="+program)
	var out, log bytes.Buffer
	sh.Stdout, sh.Stderr = &out, &log
	if err := sh.Run(); err != nil && sh.ProcessState == nil {
		s.Fatalf("%s: %v", command, err)
	}
	if code := sh.ProcessState.ExitCode(); code != 0 {
		fmt.Fprintf(&log, "exit code %d\n", code)
	}
	s.maskKeys(out.String())
	return out.String(), log.String()
}

var aKey = regexp.MustCompile(`alm_[0-9A-Za-z]{46,}`) // also tokens of invitations, which are longer

// maskKeys adds masks for the keys in a text and for their public ids.
func (s *session) maskKeys(output string) {
	for _, key := range aKey.FindAllString(output, -1) {
		if !slices.Contains(s.masks, key) {
			s.keys++
			s.masks = append(s.masks, key, "KEY", key[4:12], fmt.Sprintf("ID%d", s.keys))
		}
	}
}

// words returns the words of a line as sh reads them.
func (s *session) words(line string) []string {
	if line == "" {
		return nil
	}
	stdout, stderr := s.shell(`printf '%s\0' ` + line)
	if stderr != "" {
		s.Fatalf("%s: %s", line, stderr)
	}
	return strings.Split(strings.TrimSuffix(stdout, "\x00"), "\x00")
}

// request sends METHOD PATH [HEADER:VALUE…] [BODY] and returns status, headers and body
// of the response.
func (s *session) request(line string) string {
	s.Helper()
	r := readRequest(s.words(line), s.server.url)
	response, status, err := r.send()
	if err != nil {
		s.Fatal(err)
	}
	s.maskKeys(response)
	response = regexp.MustCompile(`(?m)^(Date|X-Request-Id|Content-Length|Etag|Last-Modified): .*\n`).ReplaceAllString(response, "")
	return fmt.Sprintf("%d\n%s", status, response)
}

// variableTexts differ from run to run.
var variableTexts = []struct {
	text *regexp.Regexp
	mask string
}{
	{regexp.MustCompile(`20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+0000| UTC)?`), "TIME"},
	{regexp.MustCompile(`\b(202[6-9]-\d\d-\d\d|20[3-9]\d-\d\d-\d\d)\b`), "DAY"},
	{regexp.MustCompile(`\b1[789]\d{8}\b|\bt=\d+`), "SECONDS"},
	{regexp.MustCompile(`Retry-After: \d+`), "Retry-After: SECONDS"},
	{regexp.MustCompile(`"took_seconds":[0-9.e-]+`), `"took_seconds":0`},
	{regexp.MustCompile(`\b(\d+ min )?\d+(\.\d+)? m?s\b`), "TOOK"},
}

// mask replaces texts that differ from run to run.
func (s *session) mask(text string) string {
	text = strings.NewReplacer(s.masks...).Replace(text)
	for _, m := range variableTexts {
		text = m.text.ReplaceAllString(text, m.mask)
	}
	return text
}

// startServe starts a server of the program, or of this build if it is empty.
func startServe(t *testing.T, program, dir string, flags ...string) *served {
	t.Helper()
	cmd := exec.Command(cmp.Or(program, "almanac"), append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = append(os.Environ(), "ALMANAC_NETWORKS=127.0.0.1/32")
	return startCommand(t, cmd)
}
