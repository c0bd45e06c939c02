// Package property checks properties of random values that are the same in each run, so
// that a test fails only because of a change. The long versions of the tests draw others
// each time, and more of them.
package property

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// The flags of the command line are read later and take precedence.
func init() {
	name, value := "rapid.seed", "1"
	if os.Getenv("ALMANAC_SOAK") != "" {
		name, value = "rapid.checks", "1000"
	}
	if err := flag.Set(name, value); err != nil {
		panic(err)
	}
}

// Check calls check with values from rapid's generators, 100 times or as often as the
// flag -rapid.checks says. The flag -rapid.seed chooses other values.
func Check(t *testing.T, check func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, check)
}
