package transform_test

import (
	"testing"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// The change of a day is that from the last day on which the dataset has observations, at most a week before.
func TestChangeOfDays(t *testing.T) {
	for _, c := range []struct{ name, values, want string }{
		{"from Friday to Monday", "2024-01-04 10, 2024-01-05 12, 2024-01-08 15, 2024-01-09 15",
			"05/01/2024 2, 08/01/2024 3, 09/01/2024 0 [Change on previous day, Million euro]"},
		{"a day on which another series has a value", "2024-01-05 12, 2024-01-06 -, 2024-01-08 15, 2024-01-09 16",
			"06/01/2024 NaN, 09/01/2024 1 [Change on previous day, Million euro]"},
		{"more than a week", "2024-01-05 12, 2024-01-13 15, 2024-01-14 16", "14/01/2024 1 [Change on previous day, Million euro]"},
		{"a holiday of a week", "2024-01-05 12, 2024-01-12 15", "12/01/2024 3 [Change on previous day, Million euro]"},
		{"a month between the days", "2024-01-31 12, 02/2024 7, 2024-02-02 15", "02/02/2024 3 [Change on previous day, Million euro]"},
	} {
		x := extractOf(t, c.values)
		if got := write(t, transform.Transform{Kind: transform.Change}.Apply(x, stat.Query{}, words.In("")).Extract); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
