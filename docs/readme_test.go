// Package docs tests what the project's texts promise.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

const root = ".."

// address is where the pages' examples expect the server.
const address = "http://127.0.0.1:8080"

// step is a command of a page and the answer that stands below it.
type step struct {
	command string
	answer  string
}

// TestPages does, from top to bottom, what the pages show with a "$" before
// it, and sees what they say. On a page an answer may be broken into lines,
// and "…" stands for a part that is left out. Times, and the public ids of
// keys, are other ones than on the page.
func TestPages(t *testing.T) {
	almanac := filepath.Join(t.TempDir(), "almanac")
	if err := stattest.BuildAlmanac(almanac); err != nil {
		t.Fatal(err)
	}
	for page, atLeast := range map[string]int{"README.md": 10, "docs/api.md": 5, "docs/operations.md": 10, "docs/formats.md": 6, "docs/sdmx.md": 2, "docs/downloads.md": 4, "docs/queries.md": 2} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			steps := readSteps(t, page)
			if len(steps) < atLeast {
				t.Fatalf("found %d commands, expected a tour", len(steps))
			}
			s := newSession(t, almanac)
			for _, f := range files(t, page) {
				s.write(f.name, f.text)
			}
			for _, e := range steps {
				got := strings.ReplaceAll(s.run(e), s.url, address)
				s.learn(e.answer, got)
				want := e.answer
				for there, here := range s.ids {
					want = strings.ReplaceAll(want, there, here)
				}
				if !matches(flat(want), flat(got)) {
					t.Errorf("%s\nthe page says\n%s\nbut the answer is\n%s", e.command, want, got)
				}
			}
		})
	}
}

// readPage is the text of a page.
func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// file is a file that a page shows.
type file struct{ name, text string }

// files finds the files that a page shows.
func files(t *testing.T, page string) []file {
	t.Helper()
	var list []file
	for _, block := range regexp.MustCompile("(?ms)^```\\w+ (\\S+)\n(.*?)^```$").FindAllStringSubmatch(readPage(t, page), -1) {
		list = append(list, file{block[1], block[2]})
	}
	return list
}

// readSteps finds the commands and what stands below each up to the end of
// the block or the next command. A block that imports is left alone where the
// page shows no files: the file is the reader's.
func readSteps(t *testing.T, page string) []step {
	t.Helper()
	readersOwn := len(files(t, page)) == 0
	var list []step
	for _, block := range regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatch(readPage(t, page), -1) {
		if readersOwn && strings.Contains(block[1], "almanac import") {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(block[1], "\n"), "\n")
		for i := 0; i < len(lines); i++ {
			command, ok := strings.CutPrefix(lines[i], "$ ")
			if !ok {
				last := &list[len(list)-1]
				last.answer = strings.TrimPrefix(last.answer+"\n"+lines[i], "\n")
				continue
			}
			for goesOn(command) && i+1 < len(lines) {
				i++
				command = strings.TrimSuffix(command, `\`) + strings.TrimLeft(lines[i], " ")
			}
			if !strings.HasPrefix(command, "go build ") { // it is there
				list = append(list, step{command: command})
			}
		}
	}
	return list
}

// goesOn reports whether a command goes on in the next line.
func goesOn(command string) bool {
	return strings.HasSuffix(command, `\`) || strings.Count(command, "'")%2 == 1
}

// keyID finds the public ids of keys that are told of for the first time.
var keyID = regexp.MustCompile(`(?:\bkey |"id":")([0-9A-Za-z]{8})(?:: created|",)`)

// learn notes which ids of keys stand for which on the page.
func (s *session) learn(want, got string) {
	there, here := keyID.FindAllStringSubmatch(want, -1), keyID.FindAllStringSubmatch(got, -1)
	for i := range min(len(there), len(here)) {
		if _, known := s.ids[there[i][1]]; !known {
			s.ids[there[i][1]] = here[i][1]
		}
	}
}

// moments finds what depends on the time of the answer.
var moments = regexp.MustCompile(`\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?Z?)?|\b1[789]\d{8}\b|\bt=\d+|Retry-After: \d+`)

// headerNames finds the names of headers, whose capitals do not matter: curl
// shows those of the server, and Go its own.
var headerNames = regexp.MustCompile(`(?m)^[A-Za-z-]+:`)

// flat is an answer without white space, and without what depends on the time.
// The lines of a table of keys have no certain order where the keys were made in
// one second.
func flat(text string) string {
	text = headerNames.ReplaceAllStringFunc(moments.ReplaceAllString(text, "TIME"), strings.ToLower)
	if strings.HasPrefix(text, "ID ") {
		text = strings.Join(slices.Sorted(strings.Lines(strings.TrimSpace(text)+"\n")), "")
	}
	return strings.Join(strings.Fields(text), "")
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
