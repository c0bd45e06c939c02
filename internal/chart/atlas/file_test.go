package atlas

import (
	"bytes"
	"compress/flate"
	"io"
	"slices"
	"testing"

	"almanac/internal/geo"
)

// Every area in the embedded file is known to package geo, every ring is closed, and
// neighbours share their border.
func TestWorldFile(t *testing.T) {
	w := theWorld()
	if len(w.areas) != 246 {
		t.Errorf("%d areas, want 246", len(w.areas))
	}
	if !slices.IsSortedFunc(w.areas, func(a, b area) int { return bytes.Compare([]byte(a.id), []byte(b.id)) }) {
		t.Error("the areas are not in order")
	}
	for _, a := range w.areas {
		known, ok := geo.Find(a.id)
		if !ok || known.ID != a.id || known.Kind != geo.Country {
			t.Errorf("%s differs from the area in package geo: %+v", a.id, known)
		}
		for _, p := range a.polygons {
			for _, ring := range p {
				checkClosed(t, w, a.id, ring)
			}
		}
	}
	for i, a := range w.arcs {
		if n := len(a.owners); n < 1 || n > 2 || n == 2 && a.owners[0] == a.owners[1] {
			t.Errorf("arc %d has the areas %v, want one or two", i, a.owners)
		}
		if a.ranks[0] != 255 || a.ranks[len(a.ranks)-1] != 255 {
			t.Errorf("simplification can remove the ends of arc %d", i)
		}
	}
}

// checkClosed fails if the arcs of a ring do not meet.
func checkClosed(t *testing.T, w *outlines, area string, ring []int) {
	t.Helper()
	end := func(ref int, last bool) any {
		p := w.arcs[max(ref, ^ref)].places
		if (ref < 0) != last {
			return p[len(p)-1]
		}
		return p[0]
	}
	for i, ref := range ring {
		next := ring[(i+1)%len(ring)]
		if end(ref, true) != end(next, false) {
			t.Errorf("%s: arcs %d and %d do not meet", area, ref, next)
		}
	}
}

func TestDisputedBorders(t *testing.T) {
	w := theWorld()
	disputed, agreed := map[string]bool{}, map[string]bool{}
	for _, a := range w.arcs {
		if len(a.owners) < 2 {
			continue
		}
		pair := w.areas[a.owners[0]].id + "–" + w.areas[a.owners[1]].id
		if a.disputed {
			disputed[pair] = true
		} else {
			agreed[pair] = true
		}
	}
	for _, c := range []struct {
		pair             string
		disputed, agreed bool // whether a part of the border is
	}{
		{"EH–MA", true, false},
		{"RS–XK", true, false},
		{"IL–PS", true, false},
		{"IL–SY", true, false},
		{"SD–SS", true, false},
		{"IN–PK", true, true},
		{"CN–IN", true, true},
		{"MK–XK", false, true},
		{"RU–UA", false, true},
		{"DE–FR", false, true},
		{"EH–MR", false, true},
	} {
		if disputed[c.pair] != c.disputed || agreed[c.pair] != c.agreed {
			t.Errorf("%s: disputed %t, agreed %t, want %t, %t", c.pair, disputed[c.pair], agreed[c.pair], c.disputed, c.agreed)
		}
	}
	if len(disputed) != 7 {
		t.Errorf("the disputed borders are %v, want seven pairs", disputed)
	}
}

// unpack returns the uncompressed embedded file.
func unpackWorld(t testing.TB) []byte {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A file that is truncated or has trailing data is rejected.
func TestBrokenFile(t *testing.T) {
	data := unpackWorld(t)
	for _, n := range []int{0, 1, 31, 32, 33, 1000, len(data) / 2, len(data) - 1} {
		if _, err := readOutlines(data[:n]); err == nil {
			t.Errorf("readOutlines accepted a file truncated to %d bytes", n)
		}
	}
	if _, err := readOutlines(append(data, 0)); err == nil {
		t.Error("readOutlines accepted a file with a trailing byte")
	}
}

// readOutlines returns an error or a world whose rings refer to existing arcs and whose arcs
// have a rank for each point.
func FuzzReadWorld(f *testing.F) {
	frame := make([]byte, 32)
	f.Add(frame)
	f.Add(append(frame[:32:32], 0, 0))
	// One arc of three points, one area with one ring of it.
	f.Add(append(frame[:32:32], 1, 7, 2, 4, 6, 2, 2, 2, 255, 9, 255, 1, 'D', 'E', 1, 1, 1, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := readOutlines(data)
		if err != nil {
			return
		}
		for i, a := range w.arcs {
			if len(a.ranks) != len(a.places) {
				t.Errorf("arc %d has %d places and %d ranks", i, len(a.places), len(a.ranks))
			}
		}
		for _, a := range w.areas {
			for _, p := range a.polygons {
				for _, ring := range p {
					for _, ref := range ring {
						if max(ref, ^ref) >= len(w.arcs) {
							t.Errorf("%s refers to arc %d of %d", a.id, ref, len(w.arcs))
						}
					}
				}
			}
		}
	})
}
