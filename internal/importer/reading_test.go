package importer_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
)

// What a file leaves open and a flag settled is remembered for the next import
// of the dataset; a flag of that import still wins, and the rest stays.
func TestFlagsAreRemembered(t *testing.T) {
	s := openStore(t)
	// Both readings of 1,234 are allowed: 1.234 and 1234.
	const table = "wo;wann;wieviel\nDE;2022;1,234\nFR;2022;2,345\n"
	if got := importText(t, s, importer.Options{}, "births.csv", table); got.Status != importer.Refused || !strings.Contains(got.Error, "--mapping") {
		t.Fatalf("%+v, wanted a refusal that shows a mapping", got)
	}
	mapping := "geo=wo, period=wann, value=wieviel"
	if got := importText(t, s, importer.Options{Mapping: mapping}, "births.csv", table); got.Status != importer.Refused || !strings.Contains(got.Error, "--decimal") {
		t.Fatalf("%+v, wanted a refusal that asks for --decimal", got)
	}
	first := mustImport(t, s, importer.Options{Mapping: mapping, Decimal: ","}, "births.csv", table)
	again := mustImport(t, s, importer.Options{}, "births.csv", table)
	if again.Status != importer.Unchanged || again.ID != first.ID {
		t.Errorf("%+v, wanted the same dataset unchanged", again)
	}
	if want := "--mapping '" + mapping + "' --decimal ,"; noteOf(again, importer.NoteFlagsRemembered) != want {
		t.Errorf("notes %+v, wanted %s", again.Notes, want)
	}
	other := mustImport(t, s, importer.Options{Decimal: "."}, "births.csv", table)
	if other.Status != importer.Updated || other.ID != first.ID {
		t.Errorf("%+v, wanted other values of the same dataset", other)
	}
	if got := mustImport(t, s, importer.Options{}, "births.csv", table); got.Status != importer.Unchanged {
		t.Errorf("%+v, wanted the last decimal sign to be remembered", got)
	}
}

// noteOf is the example of a kind of note, empty if there is none.
func noteOf(o importer.Outcome, kind string) string {
	for _, n := range o.Notes {
		if n.Kind == kind {
			return n.Example
		}
	}
	return ""
}
