package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/source"
)

var plainBlock = regexp.MustCompile("(?ms)^```\n(.*?)^```$")

// The commands in the README's section about updates work from top to bottom, with
// replayed offices and an empty store. At the end the store has the data of three offices.
func TestReadmeSectionAboutUpdates(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Keep data up to date\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []source.Office
	for _, id := range []string{"eurostat", "worldbank", "who"} {
		_, row := replayOffice(t, id)
		rows = append(rows, row)
	}
	folder := t.TempDir()
	if err := writeOffices(folder, rows...); err != nil { // instead of the real ones, which a test does not contact
		t.Fatal(err)
	}
	inFolder := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "ALMANAC_SOURCES="+sourcesFile, "ALMANAC_NETWORKS=127.0.0.1/32")
		return cmd
	}
	output, commands := "", 0
	for _, block := range plainBlock.FindAllStringSubmatch(section, -1) {
		for line := range strings.Lines(block[1]) {
			commands++
			line = strings.Replace(strings.TrimSpace(line), "./almanac", "almanac", 1)
			if strings.HasPrefix(line, "almanac serve") {
				startCommand(t, inFolder("almanac", "serve", "--data", "data", "--listen", "127.0.0.1:0", "--sync", "--limits", "anonymous=unlimited")).stop(t)
				continue
			}
			out, err := inFolder("sh", "-c", line).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
			output += "$ " + line + "\n" + string(out)
		}
	}
	if commands < 6 {
		t.Fatalf("the section has only %d commands", commands)
	}
	for _, want := range []string{
		"\nnama_10_gdp ", "\nNY.GDP.MKTP.CD ", // found by searching
		"3 datasets in ", ": 3 created\n",
		"eurostat:nama_10_gdp  ", "worldbank:NY.GDP.MKTP.CD  ", "who:WHOSIS_000001  ", // the log
	} {
		if !strings.Contains(output, want) {
			t.Errorf("the output does not contain %q:\n%s", want, output)
		}
	}
}
