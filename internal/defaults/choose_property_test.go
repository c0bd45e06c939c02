package defaults

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/stat"
)

// series is a candidate of a random dataset.
type series struct {
	key   []int32
	tally Tally
}

// counter returns the function Count of a dataset with these series.
func counter(all []series) func(int, []int32) (map[int32]Tally, error) {
	return func(axis int, key []int32) (map[int32]Tally, error) {
		tallies := map[int32]Tally{}
		for _, s := range all {
			if matches(s.key, key) {
				tallies[s.key[axis]] = tallies[s.key[axis]].Join(s.tally)
			}
		}
		return tallies, nil
	}
}

func matches(key, open []int32) bool {
	for axis, code := range open {
		if code != Open && key[axis] != code {
			return false
		}
	}
	return true
}

// labels are those that the rules are about, and others.
var labels = []string{
	"Total", "Both sexes", "All items", "From 15 to 74 years", "15-24", "65 years and over", "Y_GE15", "PC_ACT", "Million euro", "EUR", "USD", "Index, 2015=100",
	"Seasonally adjusted", "Standard error", "Gross domestic product", "Women", "総数", "0-9 Total", "Males, total", "A", "B", "",
}

// The choice is one of the series, whatever the labels, and does not depend on the order in
// which they are counted. Unless a curator set a code, no code is chosen for less than half
// of the areas that another one has.
func TestRandomChoices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := &stat.Dataset{Name: rapid.SampledFrom([]string{"Unemployment rate by age (%)", "GDP", "Population by sex"}).Draw(rt, "title"), Code: "x"}
		for axis := range rapid.IntRange(1, 4).Draw(rt, "dimensions") {
			dim := stat.Dimension{ID: rapid.SampledFrom([]string{"indicator", "age", "currency", "x"}).Draw(rt, "ID"), Role: rapid.SampledFrom([]stat.Role{stat.RoleOther, stat.RoleUnit, stat.RoleFrequency}).Draw(rt, "role")}
			for i := range rapid.IntRange(1, 6).Draw(rt, "codes") {
				dim.Codes = append(dim.Codes, stat.Code{ID: fmt.Sprint(axis, i), Label: rapid.SampledFrom(labels).Draw(rt, "label")})
			}
			d.Dimensions = append(d.Dimensions, dim)
		}
		all := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) series {
			s := series{tally: Tally{Series: 1, Areas: rapid.IntRange(1, 9).Draw(rt, "areas"), Values: rapid.IntRange(9, 50).Draw(rt, "values"), Typical: rapid.Float64Range(-9, 9).Draw(rt, "typical")}}
			for _, dim := range d.Dimensions {
				s.key = append(s.key, int32(rapid.IntRange(0, len(dim.Codes)-1).Draw(rt, "code")))
			}
			return s
		}), 1, 20).Draw(rt, "series")
		choice, err := Choose(&Dataset{Dataset: d, Count: counter(all)})
		if err != nil || choice == nil {
			rt.Fatal(choice, err)
		}
		if !slices.ContainsFunc(all, func(s series) bool { return slices.Equal(s.key, choice.Key) }) {
			rt.Fatalf("%v is none of the series %v", choice.Key, all)
		}
		checkCoverage(rt, d, all, choice)
		slices.Reverse(all)
		if again, _ := Choose(&Dataset{Dataset: d, Count: counter(all)}); !slices.Equal(again.Key, choice.Key) {
			rt.Errorf("%v, in reverse order %v", choice.Key, again.Key)
		}
	})
}

func checkCoverage(rt *rapid.T, d *stat.Dataset, all []series, choice *Choice) {
	key := slices.Repeat([]int32{Open}, len(choice.Key))
	for _, axis := range order(d.Dimensions, Known{}) {
		tallies, _ := counter(all)(axis, key)
		for code, t := range tallies {
			if chosen := tallies[choice.Key[axis]]; 2*chosen.Areas < t.Areas {
				rt.Errorf("dimension %d: code %d with %d areas, though %d has %d", axis, choice.Key[axis], chosen.Areas, code, t.Areas)
			}
		}
		key[axis] = choice.Key[axis]
	}
}

// A period that is covered by more of the areas is never later than one that is covered by
// fewer, and every chosen period has values.
func TestRandomPeriods(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int32Range(0, 20), 1, 30).Draw(rt, "counts")
		var periods []stat.Period
		for i := range counts {
			periods = append(periods, stat.NewPeriod(stat.Annual, 1990+i, 1))
		}
		areas := 20
		last := lastWith(counts, 1)
		observed := LatestPeriod(stat.LatestObserved, periods, counts, areas)
		covered := LatestPeriod(stat.LatestCovered, periods, counts, areas)
		if covered > observed || observed > last || (last >= 0) != (covered >= 0) {
			rt.Fatalf("%v: last %d, observed %d, covered %d", counts, last, observed, covered)
		}
		if covered >= 0 && counts[covered] == 0 {
			rt.Errorf("%v: period %d has no values", counts, covered)
		}
	})
}

// The horizon is the number of periods that had begun at an update, without the year of the update
// if there are values of later ones.
func TestHorizon(t *testing.T) {
	years := []stat.Period{stat.NewPeriod(stat.Annual, 2023, 1), stat.NewPeriod(stat.Annual, 2024, 1), stat.NewPeriod(stat.Annual, 2100, 1)}
	for date, want := range map[string]int32{"2022-12-31": 0, "2023-06-01": 1, "2024-01-01": 1, "2024-07-11": 1, "2100-01-01": 3} {
		at, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		if got := Horizon(&stat.Dataset{}, years, at); got != want {
			t.Errorf("updated %s: %d periods, want %d", date, got, want)
		}
	}
}

// The values after the edition of an outlook are projections, whenever it was imported.
func TestHorizonOfOutlook(t *testing.T) {
	var years []stat.Period
	for y := 2007; y <= 2014; y++ {
		years = append(years, stat.NewPeriod(stat.Annual, y, 1))
	}
	imported := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	for title, want := range map[string]int32{
		"World Economic Outlook Database, October 2009": 3, // 2007–2009
		"Gross domestic product, October 2009":          8,
	} {
		if got := Horizon(&stat.Dataset{Name: title}, years, imported); got != want {
			t.Errorf("%s: %d periods, want %d", title, got, want)
		}
	}
}
