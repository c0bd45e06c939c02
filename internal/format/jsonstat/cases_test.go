package jsonstat_test

import (
	"testing"

	"almanac/internal/format/jsonstat"
	"almanac/internal/stattest"
)

// TestCases reads small files; the titles say which rule each proves.
func TestCases(t *testing.T) {
	stattest.Cases(t, jsonstat.Formats())
}
