package agent

import "testing"

// TestKnownAreas checks how a namesake is told from the area that was asked for: by its code, and a region by its country.
func TestKnownAreas(t *testing.T) {
	for _, c := range []struct {
		area codeLabel
		want string
	}{
		{codeLabel{Code: "Georgia", ISO: "US-GA", Label: "Georgia"}, "Georgia, United States [US-GA]"},
		{codeLabel{Code: "Georgia", ISO: "GE", Label: "Georgia"}, "Georgia [GE]"},
		{codeLabel{Code: "01", Label: "01 Stockholm county"}, "01 Stockholm county [01]"},
	} {
		if got := c.area.known(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
