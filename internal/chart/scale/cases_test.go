package scale_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/stattest"
)

// runCases runs the cases in a testdata file. Each begins with a line "== name" and has
// input and output, separated by a line "----".
func runCases(t *testing.T, file string, run func(t *testing.T, input string) string) {
	t.Helper()
	path := "testdata/" + file
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n== ")
	var updated bytes.Buffer
	updated.WriteString(strings.TrimRight(parts[0], "\n") + "\n")
	for _, part := range parts[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		input, want, ok := strings.Cut(rest, "----\n")
		if !ok {
			t.Fatalf("%s: case %q has no line ----", path, name)
		}
		t.Run(name, func(t *testing.T) {
			got := run(t, input)
			if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" && !*stattest.Update {
				t.Errorf("-want +got:\n%s", diff)
			}
			updated.WriteString("\n== " + name + "\n" + input + "----\n" + strings.TrimRight(got, "\n") + "\n")
		})
	}
	if *stattest.Update {
		if err := os.WriteFile(path, updated.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
