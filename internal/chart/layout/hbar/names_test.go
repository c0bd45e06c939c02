package hbar

import (
	"slices"
	"testing"

	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
)

// A name of two lines is broken before its bracket or at its dash, if it has one.
func TestNamesAreBrokenAtBracketsAndDashes(t *testing.T) {
	for name, want := range map[string][]string{
		"European Union - 27 countries (from 2020)":         {"European Union", "27 countries (from 2020)"},
		"Euro area, members (20 countries)":                 {"Euro area, members", "(20 countries)"},
		"Professional, scientific and technical activities": {"Professional, scientific", "and technical activities"},
	} {
		if got := balanced(&bartable.Group{Name: name}, frame.LabelSize, 160, 2); !slices.Equal(got, want) {
			t.Errorf("%q is broken into %q", name, got)
		}
	}
}
