package agent

import "testing"

func TestIsOtherMeasure(t *testing.T) {
	const debt = "Government deficit/surplus, debt and associated data"
	for _, c := range []struct {
		title, measure string
		found          []string
		want           bool
	}{
		{debt, "Government debt", []string{"deficit"}, true},
		{debt, "Government debt", []string{"government", "deficit"}, true},
		{debt, "Government debt", []string{"government debt"}, false},
		{debt, "Government debt", []string{"debt", "deficit"}, false},
		{"Unemployment rate by age", "Unemployment rate", []string{"unemployment", "age"}, false},
		{"Life expectancy at birth (years)", "Life expectancy", []string{"life expectancy", "birth"}, false},
		{"HICP - annual data", "Inflation rate", []string{"HICP"}, false},
		{"Population on 1 January by age group", "Population", []string{"age"}, false},
	} {
		if got := isOtherMeasure(c.title, c.measure, c.found); got != c.want {
			t.Errorf("%s, %q: got %v", c.title, c.found, got)
		}
	}
}
