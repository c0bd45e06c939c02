//go:build unix

package importer_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"almanac/internal/importer"
)

// A pipe among the dictionaries is skipped with a note.
func TestPipeAmongDictionaries(t *testing.T) {
	s, labels := openStore(t), t.TempDir()
	writeFile(t, filepath.Join(labels, "sex.dic"), "F\tFemales\n")
	if err := syscall.Mkfifo(filepath.Join(labels, "age.dic"), 0o600); err != nil {
		t.Skip(err)
	}
	im, err := importer.New(s, importer.Options{Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	// If the import opened the pipe, it would never end.
	got := im.Read(t.Context(), "births.tsv", strings.NewReader(births))
	if n := note(got[0], importer.NoteLabelsUnread); n == nil || n.Example != "age.dic: not a regular file, so it was not opened" {
		t.Errorf("%+v, want a note about the pipe", got)
	}
	if label := labelsOf(t, s, got[0].ID, "sex")["F"]; label != "Females" {
		t.Errorf("label %q, want Females from the other file", label)
	}
}
