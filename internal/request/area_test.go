package request_test

import (
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// An area chart chooses countries whose values cover the time, and shows no time without sums
// at its ends.
func TestAreasCoverTheTime(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), filepath.FromSlash("eurostat/tsv-new/estat_nama_10_gdp.tsv.gz")), importer.Options{})
	c := &request.Chart{Options: chart.DefaultOptions()}
	c.Options.Type = chart.Area
	s, _, err := request.Spec(t.Context(), v, c)
	if err != nil {
		t.Fatal(err)
	}
	first, last := s.Periods[0].String(), s.Periods[len(s.Periods)-1].String()
	if first != "1998" || last != "2024" || !strings.HasSuffix(s.Subtitle, "1998–2024") {
		t.Errorf("periods %s to %s, subtitle %q; want 1998 to 2024", first, last, s.Subtitle)
	}
	notes := strings.Join(s.Notes, "\n")
	if !strings.Contains(notes, "Values before 1998 are not drawn.") || strings.Contains(notes, "Sums lack") {
		t.Errorf("notes %q", notes)
	}
}
