package gho_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/gho"
	"almanac/internal/stattest"
)

// TestCases: the titles of the cases say which rule each proves.
func TestCases(t *testing.T) {
	stattest.Cases(t, gho.Formats())
}

// meaning is what a file says.
func meaning(t *testing.T, s formattest.Sample) string {
	t.Helper()
	return formattest.Describe([]formattest.Table{formattest.ReadOne(t, formattest.Only(t, gho.Formats(), s), s)})
}
