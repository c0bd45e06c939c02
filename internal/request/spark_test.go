package request_test

import (
	"context"
	"path/filepath"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// A kept sparkline is drawn in the size, the colours and the language of each request, and not
// for one that selects something.
func TestKeptSparklines(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), "eurostat/tsv-old/une_rt_a.tsv.gz"), importer.Options{})
	spark := func(options string) *chart.Spec {
		t.Helper()
		c, err := request.BindChart("type=spark" + options)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := spark("")
	again := spark("&width=80&height=20&theme=dark&background=transparent")
	if again.Width != 80 || again.Height != 20 || again.Theme != "dark" || again.Background != "transparent" {
		t.Errorf("the second is %d × %d, theme %q, background %q", again.Width, again.Height, again.Theme, again.Background)
	}
	if first.Width != chart.SparkWidth || first.Theme != "" {
		t.Errorf("the first is now %d wide, theme %q", first.Width, first.Theme)
	}
	if name := first.Series[0].Label; name != again.Series[0].Label {
		t.Errorf("lines of %q and %q", name, again.Series[0].Label)
	}
	if titled := spark("&customTitle=Ours"); titled.Name != "Ours" || spark("").Name == "Ours" {
		t.Errorf("the title is %q", titled.Name)
	}
	if local := spark("&locale=de"); local.Locale != "de" || spark("").Locale != "" {
		t.Errorf("locale %q", local.Locale)
	}
	if one := spark("&country=DE&period_from=2010"); one.Series[0].Label == first.Series[0].Label || len(one.Periods) >= len(first.Periods) {
		t.Errorf("the line of Germany from 2010 is of %s and has %d periods", one.Series[0].Label, len(one.Periods))
	}
}
