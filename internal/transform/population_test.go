package transform_test

import (
	"testing"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// Values are divided by the population of their area in their year. One without it, or
// of a series that is no amount, is left out and counted.
func TestPerCapita(t *testing.T) {
	how, err := transform.Parse("per-capita")
	if err != nil || how.String() != "per-capita" {
		t.Fatal(how, err)
	}
	x := extractOf(t, "Q1/2014 8 E, Q2/2014 4, 2015 9, 2016 -, 2017 5")
	area := x.Dataset.Geography.Codes[0].Area
	how.Population = &transform.Population{Reference: "demo:pop", Version: "1.2", IsAmount: func(*stat.Block) bool { return true }, IsSelf: func(*stat.Block) bool { return false }}
	how.Population.Add(area, 2014, 4, "P")
	how.Population.Add(area, 2015, 3, "B")
	how.Population.Add(area, 2017, 0, "")
	d := how.Apply(x, stat.Query{Flags: true}, words.In(""))
	const want = "Q1/2014 2 E P, Q2/2014 1 P [Million euro per inhabitant], 2015 3 B, 2016 NaN [Million euro per inhabitant]"
	if got := write(t, d.Extract); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if d.Values != 4 || d.Unpopulated != 1 || how.Identity() != "per-capita:demo:pop 1.2" {
		t.Errorf("%d values, %d without population, %s", d.Values, d.Unpopulated, how.Identity())
	}
	how.Population.IsAmount = func(*stat.Block) bool { return false }
	d = how.Apply(extractOf(t, "2014 8"), stat.Query{Flags: true}, words.In(""))
	if got := write(t, d.Extract); got != "" || d.Ratios != 1 {
		t.Errorf("of a rate: %s, %d series", got, d.Ratios)
	}
}
