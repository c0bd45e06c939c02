package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadBorders(t *testing.T) {
	const region = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "id": "DE1", "geometry": {"type": "Polygon", "coordinates": [[[8, 48], [9, 48], [9, 49]]]}},
		{"type": "Feature", "id": "DE2", "geometry": {"type": "Polygon", "coordinates": [[[8, 48], [9, 49], [8, 49]]]}}]}`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nuts.geojson"), []byte(region), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, folder, want, report string }{
		{name: "none", want: "countries"},
		{"regions", dir, "nuts ", "borders: nuts.geojson: 2 areas by id\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			outlines, err := readBorders(c.folder, &out)
			if err != nil {
				t.Fatal(err)
			}
			if got := outlines.Fitting([]string{"DE", "DE1", "DE2"}).Name(); !strings.HasPrefix(got, c.want) || out.String() != c.report {
				t.Errorf("the outlines are %q, want %q; report %q, want %q", got, c.want, &out, c.report)
			}
		})
	}
	missing := filepath.Join(dir, "missing")
	if _, err := readBorders(missing, &strings.Builder{}); err == nil || !strings.HasPrefix(err.Error(), "reading borders in "+missing+": ") || strings.Contains(err.Error(), "open .") {
		t.Errorf("got the error %v for a missing folder", err)
	}
}
