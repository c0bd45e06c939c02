package importer_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
)

// Options of an import are remembered for the next import of the dataset, unless that one
// states others.
func TestFlagsAreRemembered(t *testing.T) {
	s := openStore(t)
	// Both readings of 1,234 are allowed, 1.234 and 1234, and both commands are complete.
	const table = "wo;wann;wieviel\nDE;2022;1,234\nFR;2022;2,345\n"
	if got := importText(t, s, importer.Options{}, "births.csv", table); got.Status != importer.Refused || len(got.Readings) != 2 || got.Readings[0][0].Option != "mapping" || got.Readings[1][1].Option != "decimal" {
		t.Fatalf("%+v, want a refusal that suggests a mapping", got)
	}
	mapping := "geo=wo, period=wann, value=wieviel"
	if got := importText(t, s, importer.Options{Mapping: mapping}, "births.csv", table); got.Status != importer.Refused || !strings.Contains(got.Error, "state the decimal sign") {
		t.Fatalf("%+v, want a refusal that asks for the decimal sign", got)
	}
	first := mustImport(t, s, importer.Options{Mapping: mapping, Decimal: ","}, "births.csv", table)
	again := mustImport(t, s, importer.Options{}, "births.csv", table)
	if again.Status != importer.Unchanged || again.ID != first.ID {
		t.Errorf("%+v, want the same dataset, unchanged", again)
	}
	if want := `mapping "` + mapping + `" and decimal ","`; noteOf(again, importer.NoteFlagsRemembered) != want {
		t.Errorf("notes %+v, want %s", again.Notes, want)
	}
	other := mustImport(t, s, importer.Options{Decimal: "."}, "births.csv", table)
	if other.Status != importer.Updated || other.ID != first.ID {
		t.Errorf("%+v, want new values of the same dataset", other)
	}
	if got := mustImport(t, s, importer.Options{}, "births.csv", table); got.Status != importer.Unchanged {
		t.Errorf("%+v, want the last decimal sign", got)
	}
}

// Remembered options apply only to their dataset. A file of another dataset with the same
// name is read without them.
func TestFlagsOfAnotherDataset(t *testing.T) {
	s := openStore(t)
	mustImport(t, s, importer.Options{Source: "Office A", Decimal: ","}, "pop.csv", "Country;Year;Value\nDE;2022;1,5\n")
	const other = "DATAFLOW,FREQ,GEO,TIME_PERIOD,OBS_VALUE\nESTAT:BB(1.0),A,DE,2022,1.5\n"
	got := mustImport(t, s, importer.Options{}, "pop.csv", other)
	if got.Code != "BB" || got.Status != importer.Created || noteOf(got, importer.NoteFlagsRemembered) != "" {
		t.Errorf("%+v, want another dataset and no remembered flags", got)
	}
	if v := current(t, s, got.ID); v.Dataset.Source.ID != "eurostat" {
		t.Errorf("the source is %s", v.Dataset.Source.ID)
	}
	again := mustImport(t, s, importer.Options{}, "pop.csv", "Country;Year;Value\nDE;2022;1,5\n")
	if again.Status != importer.Unchanged {
		t.Errorf("%+v, want the plain table, read with its own flags", again)
	}
}

// The areas of a plain table are found by common codes, whatever the name of the office.
func TestAreasOfPlainTables(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{Source: "My office"}, "menge.csv", "Country,Year,Value\nAT,2022,1\nGermany,2022,2\nElsewhere,2022,3\n")
	var areas []string
	for _, c := range current(t, s, got.ID).Dataset.Geography.Codes {
		areas = append(areas, c.Area+" "+c.Label)
	}
	if text := strings.Join(areas, ", "); text != "AT Austria, DE Germany, Elsewhere Elsewhere" {
		t.Errorf("areas %s", text)
	}
}

// If a table has names and a later one has their codes, the names become the labels of the
// codes.
func TestCodesAfterNames(t *testing.T) {
	s := openStore(t)
	mustImport(t, s, importer.Options{}, "nm.csv", "Country,Year,Value\nAustria,2022,1\nBelgium,2022,2\n")
	got := mustImport(t, s, importer.Options{Accept: true}, "nm.csv", "Country,Year,Value\nAT,2022,1\nBE,2022,2\n")
	for _, c := range current(t, s, got.ID).Dataset.Geography.Codes {
		if strings.Contains(c.Label, "[") {
			t.Errorf("code %s has the label %s", c.ID, c.Label)
		}
	}
}

// noteOf returns the example of a kind of note, or "" if there is none.
func noteOf(o importer.Outcome, kind string) string {
	for _, n := range o.Notes {
		if n.Kind == kind {
			return n.Example
		}
	}
	return ""
}
