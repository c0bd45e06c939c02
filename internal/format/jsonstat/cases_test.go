package jsonstat_test

import (
	"testing"

	"almanac/internal/format/jsonstat"
	"almanac/internal/stattest"
)

// TestCases reads small files, each named by the rule that it tests.
func TestCases(t *testing.T) {
	stattest.Cases(t, jsonstat.Formats())
}
