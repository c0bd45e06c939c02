package gho_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/gho"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata, whose titles are the rules.
func TestCases(t *testing.T) {
	stattest.Cases(t, gho.Formats())
}

// meaning describes what a file contains.
func meaning(t *testing.T, s formattest.Sample) string {
	t.Helper()
	return formattest.Describe([]formattest.Table{formattest.ReadOne(t, formattest.FormatOf(t, gho.Formats(), s), s)})
}
