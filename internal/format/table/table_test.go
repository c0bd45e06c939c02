package table_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// long is the default mapping of the cases.
var long = table.Mapping{
	Dataset: stat.Dataset{Source: stat.Source{ID: "nso", Name: "NSO"}},
	Axes: []table.Axis{
		{Codes: "code?", Labels: "area", ID: "AREA", Label: "Area", Role: stat.RoleGeo},
		{Codes: "sex?", Split: func(cell string) (code, label string) { return cmp.Or(cell, "_Z"), "" }},
	},
	Period: table.Period{Columns: []string{"year"}},
	Values: []table.Value{{Column: "value"}},
	Flags:  []table.Flag{{Column: "flag?"}, {Column: "conf?", Means: table.Confidentiality}},
	Notes:  []string{"note?", "comment?"},
	Unit:   "unit?",
	Ignore: []string{"row"},
	Marks:  map[string]table.Mark{"--": {Zero: true, Flags: "NSO:--"}, "x": {Flags: "Q"}},
}

// mappings are the mappings of the cases, by the name of the file.
var mappings = map[string]table.Mapping{
	"long.csv": long,
	"wide.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Axes:    []table.Axis{{Codes: "area", Role: stat.RoleGeo}},
		Period: table.Period{
			Wide:   true,
			Read:   readWide,
			Beside: besideWide,
		},
		Ignore: []string{"total"},
	},
	"indicators.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Axes:    []table.Axis{{Codes: "freq"}},
		Period:  table.Period{Columns: []string{"year", "part"}, Read: readParts},
		Values: []table.Value{
			{Column: "births", Label: "Live births", Unit: "persons", Lower: "low", Upper: "high"},
			{Column: "rate"},
		},
	},
	"named.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Code:    "dataset", Name: "title",
		Axes:   []table.Axis{{Codes: "item", Split: split}},
		Period: table.Period{Columns: []string{"#3"}},
		Values: []table.Value{{Column: "value"}},
		Unit:   "unit",
		Row: func(r *table.Row) table.Action {
			switch {
			case strings.HasPrefix(r.Cells[0], "Source:"):
				return table.Stop
			case r.Cells[0] == "subtotal":
				return table.Skip
			}
			return table.Use
		},
	},
	"listed.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Axes:    []table.Axis{{Codes: "sex", List: []stat.Code{{ID: "M", Label: "Men"}, {ID: "F"}, {ID: "T", Label: "Total"}}}},
		Period:  table.Period{Columns: []string{"year"}}, Values: []table.Value{{Column: "value"}},
	},
	"editions.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Period:  table.Period{Columns: []string{"ZEIT"}}, Values: []table.Value{{Column: "WERT"}},
	},
	"units.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}, Unit: "of the mapping"},
		Axes:    []table.Axis{{ID: "freq", Role: stat.RoleFrequency, OfPeriod: true}},
		Period:  table.Period{Columns: []string{"time"}},
		Other:   func(heading string) (table.Value, bool) { return table.Value{Unit: "of " + heading}, true },
	},
	"strict.csv": {
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}}, Numbers: text.Style{Decimal: '.'}, Separator: ',',
		Period: table.Period{Columns: []string{"time"}}, Values: []table.Value{{Column: "value"}},
		Observe: func(r *table.Row, o *stat.Observation) error {
			if o.Value > 100 {
				return fmt.Errorf("%s is too large", r.Cell("value"))
			}
			if !math.IsNaN(o.Value) && o.Period.Year() > 2020 {
				o.Flags = "F"
			}
			return nil
		},
	},
}

func readWide(heading string) (stat.Period, error) {
	if heading == "2020W99" {
		return stat.Period{}, table.ErrUndated
	}
	year, ok := strings.CutPrefix(heading, "Y")
	if !ok {
		return stat.Period{}, errors.New("no year")
	}
	return stat.ParsePeriod(year)
}

func besideWide(heading string) (flagsOf, notesOf string) {
	if year, ok := strings.CutSuffix(heading, "F"); ok {
		return year, ""
	}
	if year, ok := strings.CutSuffix(heading, "N"); ok {
		return "", year
	}
	return "", ""
}

func readParts(text string) (stat.Period, error) {
	return stat.ParsePeriod(strings.ReplaceAll(text, " ", "-"))
}

func split(cell string) (code, label string) {
	code, label, _ = strings.Cut(cell, ":")
	return code, label
}

// choose returns the mapping of a file that begins with head: some cases have other
// separators, and editions.csv has the headings of two editions.
func choose(m table.Mapping, head []byte) table.Mapping {
	for _, separator := range ";\t" {
		if bytes.ContainsRune(head, separator) {
			m.Separator = separator
		}
	}
	if table.HasHeadings(table.FirstRows(head, ',', 1), "TIME", "VALUE") {
		m.Period.Columns, m.Values = []string{"TIME"}, []table.Value{{Column: "VALUE"}}
	}
	return m
}

func formats() []format.Format {
	var all []format.Format
	for name, m := range mappings {
		all = append(all, format.Format{
			Name:      name,
			Recognise: func(file string, _ []byte) bool { return file == name },
			Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
				return table.ReadBy(ctx, in, func(head []byte) (table.Mapping, error) {
					return choose(m, head), nil
				})
			},
		})
	}
	return all
}

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, formats())
}

// TestLimits checks that a table that exceeds a limit is an error with a position
// before it takes much memory.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"columns", "area,year,value" + strings.Repeat(",x", table.MaxColumns) + "\nDE,2020,1\n", ":1:1: the row has 4099 cells"},
		{"cells of a row", "area,year,value\nDE,2020,1" + strings.Repeat(",", table.MaxColumns) + "\n", ":2:1: the row has 4099 cells"},
		{"a cell", "area,year,value\n" + strings.Repeat("D", table.MaxField+1) + ",2020,1\n", ":2:1: the cell has 65537 bytes"},
		{"a quote that is not closed", "area,year,value\n\"DE" + strings.Repeat("DE,2020,1\n", 1<<20), "a row has more than 4 MiB"},
		{"headings too far down", strings.Repeat("a,b,c\n", 1100) + "area,year,value\nDE,2020,1\n", "no line has the headings"},
		{"a NUL", "area,year,value\nD\x00E,2020,1\n", ":2:1: the cell contains a NUL"},
	} {
		f := format.Format{Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
			return table.ReadBy(ctx, in, func([]byte) (table.Mapping, error) { return long, nil })
		}}
		_, err := formattest.Read(t.Context(), f, formattest.Sample{Name: "long.csv", Data: []byte(c.file)})
		var at *stat.FileError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// countedFile counts open files.
type countedFile struct {
	io.Reader
	open *int
}

func (c countedFile) Close() error { *c.open--; return nil }

// TestCloses checks that every file is closed, whether reading ends, fails or stops
// early.
func TestCloses(t *testing.T) {
	for _, text := range []string{"area,year,value\nA,2001,1\nA,2002,2\n", "area,year,value\nA,2001,1,25\n", "area,year,value\n", "nothing,here\n", ""} {
		for most := range 3 {
			open := 0
			in := format.Input{Name: "long.csv", Again: func() (io.ReadCloser, error) {
				open++
				return countedFile{strings.NewReader(text), &open}, nil
			}}
			for table, err := range table.ReadBy(t.Context(), in, func([]byte) (table.Mapping, error) { return long, nil }) {
				if err != nil {
					break
				}
				for range table.Observations {
					if most--; most < 0 {
						break
					}
				}
			}
			if open != 0 {
				t.Errorf("%d files are open after reading %q", open, text)
			}
		}
	}
}

// TestReadPeriod parses spellings of tables that the interface does not have.
func TestReadPeriod(t *testing.T) {
	for text, want := range map[string]string{
		"2024": "2024", "2024 Q1": "Q1/2024", "Q1 2024": "Q1/2024", "Q1-2024": "Q1/2024", "1Q 2024": "Q1/2024", "2024/Q1": "Q1/2024",
		"2024 M01": "01/2024", "2024 01": "01/2024", "Jan 2024": "01/2024", "2024 January": "01/2024", "Sept. 2024": "09/2024", "Jan-2024": "01/2024",
		"2024 H2": "H2/2024", "2024 W05": "W05/2024", "2024-01-31T00:00:00": "31/01/2024", "2024-01-31 00:00:00.000": "31/01/2024",
		"2024-01-31T00:00:00Z": "31/01/2024",
		"2024 [YR2024]":        "2024", "2024 [YR2023]": "",
		"2024-01-31T12:00:00": "", "2010/11": "", "2024/25": "2025", "Jan-24": "", "1/31/2024": "31/01/2024", "03/04/2024": "03/04/2024", "2024 Q5": "", "2024 13": "", "24": "", "": "", "May": "",
	} {
		p, err := table.ReadPeriod(text)
		if p.String() != want || (err == nil) != (want != "") {
			t.Errorf("ReadPeriod(%q) is %q, %v; want %q", text, p, err, want)
		}
	}
}

func FuzzLong(f *testing.F) {
	formattest.Fuzz(f, formatOf("long.csv"), formattest.Sample{Name: "long.csv", Data: []byte(
		"title\ncode,area,sex,year,value,flag,conf,note,comment,unit,row,\nDE,Germany,F,2020,\"1,234.5\",P,C,a,b,t,1,\nFR,France,,1950-1955,--,,,,,,2,\n")})
}

func FuzzWide(f *testing.F) {
	formattest.Fuzz(f, formatOf("wide.csv"), formattest.Sample{Name: "wide.csv", Data: []byte(
		"area;Y2019;Y2019F;Y2019N;2020W99;total\nDE;1,5;E;text;3;4\nFR;..;;;;\n")})
}

func formatOf(name string) format.Format {
	for _, f := range formats() {
		if f.Name == name {
			return f
		}
	}
	return format.Format{}
}
