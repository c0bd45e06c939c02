package sdmx_test

import (
	"testing"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

func TestParseURN(t *testing.T) {
	for urn, want := range map[string][3]string{
		"urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ECB:ECB_EXR1(1.0)":         {"ECB", "ECB_EXR1", ""},
		"urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=ECB:ECB_CONCEPTS(1.0).FREQ":      {"ECB", "ECB_CONCEPTS", "FREQ"},
		"urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=OECD.SDD:DSD_NAMAIN1@DF_X(1.1)": {"OECD.SDD", "DSD_NAMAIN1@DF_X", ""},
		"CL_FREQ": {"", "", ""},
	} {
		if agency, id, part := sdmx.ParseURN(urn); [3]string{agency, id, part} != want {
			t.Errorf("ParseURN(%s) = %q, %q, %q, want %q", urn, agency, id, part, want)
		}
	}
}

// TestFindOffice: the office that the caller states wins, then a known office, then
// the agency of the structure.
func TestFindOffice(t *testing.T) {
	for _, c := range []struct {
		stated, agency, name, want string
	}{
		{"Eurostat", "ECB", "IMF", "eurostat"}, {"", "XYZ", "DE2", "destatis"}, {"", "XYZ", "ABC", "xyz"}, {"", "", "ABC", "abc"}, {"", "", "", ""},
	} {
		if got := sdmx.FindOffice(c.stated, c.agency, c.name).ID; got != c.want {
			t.Errorf("%+v: the office is %q", c, got)
		}
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]string{
		"2010": "2010", "2010-Q1": "Q1/2010", "2010-04-01T00:00:00": "01/04/2010", "2010-04-01T00:00:00.000+02:00": "01/04/2010", "2010-04-01Z": "01/04/2010",
	} {
		if p, err := sdmx.ParsePeriod(text); err != nil || p.String() != want {
			t.Errorf("ParsePeriod(%q) = %s, %v, want %s", text, p, err, want)
		}
	}
	for _, text := range []string{"2010-04-01T12:00:00", "2020-W99", "LTAA", ""} {
		if p, err := sdmx.ParsePeriod(text); err == nil {
			t.Errorf("ParsePeriod(%q) = %s, want an error", text, p)
		}
	}
	if !sdmx.IsUndated("2020-W99") || !sdmx.IsUndated("2020W99") || !sdmx.IsUndated("LTAA") || sdmx.IsUndated("2020-W01") {
		t.Error("IsUndated does not tell marks from periods")
	}
	for text, want := range map[string]string{
		"2016-02-06T10:10:56": "2016-02-06T10:10:56Z", "2016-02-06": "2016-02-06T00:00:00Z", "2016-02-06+01:00": "2016-02-05T23:00:00Z",
		"30/10/25 23:00:00": "2025-10-30T22:00:00Z", "2016-02-06T10:10:56.5+0200": "2016-02-06T08:10:56Z",
	} {
		if got := sdmx.ParseTime(text).UTC().Format(time.RFC3339); got != want {
			t.Errorf("ParseTime(%q) = %s, want %s", text, got, want)
		}
	}
	if !sdmx.ParseTime("soon").IsZero() {
		t.Error(`ParseTime("soon") is not the zero time`)
	}
}

// TestLevels: an attribute of the observation wins over that of the series, which wins
// over those of groups and of the dataset; of groups, the one that names more of the key
// wins.
func TestLevels(t *testing.T) {
	assembled := assemble.New(t.Context(), "levels")
	assembled.Dataset.Source = stat.Source{ID: "ecb"}
	table, err := sdmx.NewTable(assembled, &format.Input{}, nil, []stat.Dimension{{ID: "FREQ"}, {ID: "CUR"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	unit := table.Attribute("UNIT")
	table.SetCode(0, []byte("A"))
	table.SetCode(1, []byte("CHF"))
	var units []string
	read := table.Reading(func() error {
		observe := func(here string) error {
			table.Inherit()
			table.Here.Clear()
			table.Here.Set(unit, []byte(here), nil)
			table.Observation.Period = stat.NewPeriod(stat.Annual, 2020, 1)
			return table.YieldNumbers([]sdmx.Number{{Value: 1}})
		}
		table.Whole.Set(unit, []byte("whole"), nil)
		for _, step := range []func(){
			func() {},
			func() { table.Group([]string{"", "CHF"}).Set(unit, []byte("group"), nil) },
			func() { table.Group([]string{"A", "CHF"}).Set(unit, []byte("nearer group"), nil) },
			func() { table.Group([]string{"M", "CHF"}).Set(unit, []byte("other group"), nil) },
			func() { table.Own.Set(unit, []byte("series"), nil) },
		} {
			step()
			if err := observe(""); err != nil {
				return err
			}
		}
		return observe("observation")
	})
	for o, err := range read.Observations {
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, o.Unit)
	}
	want := []string{"whole", "group", "nearer group", "nearer group", "series", "observation"}
	for i := range want {
		if len(units) != len(want) || units[i] != want[i] {
			t.Fatalf("the units are %q, want %q", units, want)
		}
	}
}
