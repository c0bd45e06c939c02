package fetch_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// TestSaveTo checks that an open file contains the whole response and nothing of an
// earlier attempt, and that it is rewound.
func TestSaveTo(t *testing.T) {
	files := replay.NewFiles(nil)
	text := strings.Repeat("year,value\n2024,1\n", 10_000)
	files.SetBody("/list", text)
	s := serve(t, files)
	s.Fault(replay.Fault{Match: "/list", Times: 1, Body: text + "more"})
	s.Fault(replay.Fault{Match: "/list", Times: 1, Cut: 100_000})
	client, _ := newClient(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "list"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, want := range []string{text + "more", text} {
		if _, err := client.SaveTo(t.Context(), fetch.Request{Address: s.URL + "/list"}, file); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(file); err != nil || string(got) != want {
			t.Errorf("got %d bytes, %v; want %d", len(got), err, len(want))
		}
	}
	if requests := len(s.Requests("/list")); requests != 3 {
		t.Errorf("got %d requests, want 3", requests)
	}
}
