package main

import (
	"strings"
	"testing"

	"almanac/internal/store"
)

// A setting of a source does not apply to datasets that name the same office but have another
// source ID, which the command says.
func TestNoteOnSource(t *testing.T) {
	stated := store.Entry{ID: 1, Source: "fred", SourceName: "FRED"}
	named := store.Entry{ID: 2, Source: "local", SourceName: "FRED"}
	other := store.Entry{ID: 3, Source: "local", SourceName: "World Bank"}
	for _, c := range []struct {
		name    string
		entries []store.Entry
		want    []string // parts of the note; nil: none
	}{
		{"datasets with the ID", []store.Entry{stated, other}, nil},
		{"no dataset", []store.Entry{other}, []string{"no dataset has the source ID fred"}},
		{"datasets with the name only", []store.Entry{named, other}, []string{"no dataset has the source ID fred", "source ID local", "apply to them: 2;"}},
		{"both", []store.Entry{stated, named}, []string{"source ID local", "apply to them: 2;"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			note := noteOnSource(&store.Catalog{Entries: c.entries}, "fred")
			if c.want == nil && note != "" {
				t.Errorf("note %q, want none", note)
			}
			for _, part := range c.want {
				if !strings.Contains(note, part) {
					t.Errorf("note %q, want %q", note, part)
				}
			}
		})
	}
}
