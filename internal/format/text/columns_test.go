package text_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

var update = flag.Bool("update", false, "write what the tests find into testdata")

// TestColumns reads columns of periods. A case has its texts and, below a line of hyphens,
// what they are read as: an asterisk marks a text that is kept as a label.
func TestColumns(t *testing.T) {
	const path = "testdata/columns.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range strings.Split(string(data), "=== ")[1:] {
		question, _, _ := strings.Cut(c, "----\n")
		got.WriteString("=== " + question + "----\n" + readColumn(question) + "\n")
	}
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(data), got.String()); diff != "" && !*update {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func readColumn(question string) string {
	var finder text.PeriodFinder
	lines := strings.Split(strings.TrimSpace(question), "\n")[1:]
	for _, line := range lines[:len(lines)-1] {
		name, value, _ := strings.Cut(line, " ")
		switch name {
		case "--heading":
			finder.Heading = value
		case "--choices":
			finder.Choices = strings.Fields(value)
		case "--frequency":
			finder.Frequency = map[string]stat.Frequency{"A": stat.Annual, "Q": stat.Quarter}[value]
		}
	}
	texts := strings.Split(lines[len(lines)-1], " | ")
	for i, s := range texts {
		finder.At = stat.Position{Line: i + 2, Column: 1}
		finder.Add(s)
	}
	style, err := finder.Find()
	if err != nil {
		return "error: " + err.Error()
	}
	var read []string
	for _, s := range texts {
		p, isLabel, err := style.Read(s)
		word := p.String()
		if isLabel {
			word += "*"
		}
		if err != nil {
			word = "error: " + err.Error()
		}
		read = append(read, word)
	}
	return strings.Join(read, " | ")
}
