package importer_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// endless yields a byte for ever and counts how many were read.
type endless struct {
	b    byte
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.b
	}
	e.read += len(p)
	return len(p), nil
}

// Endless data of no known format are refused after 1 MiB, zeros, blanks and digits alike.
func TestEndlessData(t *testing.T) {
	im, err := importer.New(openStore(t), importer.Options{Source: "local"})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []byte{0, ' ', '1', '[', 0xff} {
		data := &endless{b: b}
		got := im.Read(t.Context(), "data.csv", data)
		if len(got) != 1 || got[0].Status != importer.Refused || data.read > 1<<20 {
			t.Errorf("endless %q: %+v after %d bytes", b, got, data.read)
		}
	}
}

// A table that is longer than what is read into memory comes through a temporary file,
// with all its rows.
func TestLongStream(t *testing.T) {
	im, err := importer.New(openStore(t), importer.Options{Source: "local"})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("freq,item,geo,TIME_PERIOD,OBS_VALUE\n")
	for i := range 60_000 {
		fmt.Fprintf(&text, "A,item %d,DE,%d,%d.5\n", i/50, 1950+i%50, i)
	}
	got := im.Read(t.Context(), "long.csv", io.MultiReader(strings.NewReader(text.String())))
	if len(got) != 1 || got[0].Status != importer.Created || got[0].Observations.Stored != 60_000 || text.Len() < 1<<20 {
		t.Errorf("%+v of %d bytes, want 60000 observations", got, text.Len())
	}
}

// A file that is written to while it is read is refused, because its last line may be cut.
func TestFileChangedWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	writeFile(t, path, "country,year,value\nDE,2020,1\nFR,2020,1")
	changed := false
	im, err := importer.New(openStore(t), importer.Options{Source: "local", Progress: func(_, _ int64) {
		if !changed {
			changed = true
			writeFile(t, path, "country,year,value\nDE,2020,1\nFR,2020,17\n")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := im.Import(t.Context(), path)
	if len(got) != 1 || got[0].Status != importer.Refused || !strings.Contains(got[0].Error, "changed while it was read") {
		t.Errorf("got %+v, want a refusal", got)
	}
	if again := im.Import(t.Context(), path); again[0].Status != importer.Created {
		t.Errorf("afterwards: got %+v", again)
	}
}
