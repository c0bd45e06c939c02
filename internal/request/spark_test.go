package request_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/embed"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
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

// The description of a sparkline says what its line is about, as a chart of that line alone does,
// and its page has the values.
func TestSparkSaysItsArea(t *testing.T) {
	v := firstDataset(t, filepath.Join(stattest.DataDir(t), "eurostat/tsv-old/une_rt_a.tsv.gz"), importer.Options{})
	draw := func(address string) *chart.Spec {
		t.Helper()
		c, err := request.BindChart(address)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, selection := range []string{"&country=DE", "&country=DE&country=FR"} {
		spark, line := draw("type=spark"+selection), draw("type=line&country=DE"+strings.TrimPrefix(selection, "&country=DE"))
		if len(line.Series) > 1 {
			line = draw("type=line&country=DE")
		}
		if got, want := spark.Alt(), line.Alt(); got != want || !strings.Contains(got, "Germany") {
			t.Errorf("%s: %q, want %q", selection, got, want)
		}
	}
	if plain := draw("type=spark"); !strings.Contains(plain.Alt(), plain.Series[0].Label) {
		t.Errorf("%q does not say %q", plain.Alt(), plain.Series[0].Label)
	}
	scene := layout.Layout(draw("type=spark&country=DE"))
	var page, file bytes.Buffer
	if err := embed.Page(&page, scene); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`class="plot" data-box="0 0 160 40"`, `<g class="series" data-name="Germany" data-vd="`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if err := render.SVG(&file, scene); err != nil {
		t.Fatal(err)
	}
	if file.Len() > 2000 || strings.Contains(file.String(), "data-") {
		t.Errorf("the file has %d bytes: %s", file.Len(), file.String())
	}
}
