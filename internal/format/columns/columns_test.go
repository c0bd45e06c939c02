package columns_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/columns"
	"almanac/internal/format/formattest"
	"almanac/internal/format/text"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// long is the mapping of the cases that say nothing else.
var long = columns.Mapping{
	Dataset: stat.Dataset{Source: stat.Source{ID: "nso", Name: "NSO"}},
	Axes: []columns.Axis{
		{Codes: "code?", Labels: "area", ID: "AREA", Label: "Area", Role: stat.RoleGeo},
		{Codes: "sex?", Empty: "_Z"},
	},
	Period: columns.Period{Column: "year"},
	Values: []columns.Value{{Column: "value"}},
	Flags:  []columns.Flag{{Column: "flag?"}, {Column: "conf?", Means: columns.Confidentiality}},
	Notes:  []string{"note?", "comment?"},
	Unit:   "unit?",
	Ignore: []string{"row"},
	Marks:  map[string]columns.Mark{"--": {Zero: true, Flags: "NSO:--"}, "x": {Flags: "Q"}},
}

// mappings are those of the cases, by the file's name.
var mappings = map[string][]columns.Mapping{
	"long.csv": {long},
	"wide.csv": {{
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Axes:    []columns.Axis{{Codes: "area", Role: stat.RoleGeo}},
		Period: columns.Period{
			Wide:   true,
			Read:   readWide,
			Beside: besideWide,
		},
		Ignore: []string{"total"},
	}},
	"indicators.csv": {{
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Axes:    []columns.Axis{{Codes: "freq"}, {Constant: "T", ID: "sex"}},
		Period:  columns.Period{Parts: []string{"year", "part"}, Read: readParts},
		Values: []columns.Value{
			{Column: "births", Label: "Live births", Unit: "persons", Lower: "low", Upper: "high"},
			{Column: "rate", Code: "RATE", Flag: "rate flag"},
		},
	}},
	"named.csv": {{
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}},
		Code:    "dataset", Name: "title",
		Axes:   []columns.Axis{{Codes: "item", Units: "unit", Split: split}},
		Period: columns.Period{Column: "#3"},
		Values: []columns.Value{{Column: "value"}},
		Row: func(r *columns.Row) columns.Verdict {
			switch {
			case strings.HasPrefix(r.Cells[0], "Source:"):
				return columns.Stop
			case r.Cells[0] == "subtotal":
				return columns.Skip
			}
			return columns.Use
		},
	}},
	"editions.csv": {
		{Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}}, Period: columns.Period{Column: "ZEIT"}, Values: []columns.Value{{Column: "WERT"}}},
		{Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}}, Period: columns.Period{Column: "TIME"}, Values: []columns.Value{{Column: "VALUE"}}},
	},
	"units.csv": {{
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}, Unit: "of the mapping"},
		Axes:    []columns.Axis{{ID: "freq", Role: stat.RoleFrequency, OfPeriod: true}},
		Period:  columns.Period{Column: "time"},
		Other:   func(heading string) (columns.Value, bool) { return columns.Value{Unit: "of " + heading}, true },
	}},
	"strict.csv": {{
		Dataset: stat.Dataset{Source: stat.Source{ID: "nso"}}, Numbers: text.Style{Decimal: '.'}, Separator: ',',
		Period: columns.Period{Column: "time"}, Values: []columns.Value{{Column: "value"}},
		Observe: func(r *columns.Row, o *stat.Observation) error {
			if o.Value > 100 {
				return fmt.Errorf("%s is more than everything", r.Cell("value"))
			}
			if !math.IsNaN(o.Value) && o.Period.Year() > 2020 {
				o.Flags = "F"
			}
			return nil
		},
	}},
}

func readWide(heading string) (stat.Period, error) {
	if heading == "2020W99" {
		return stat.Period{}, columns.ErrUndated
	}
	year, ok := strings.CutPrefix(heading, "Y")
	if !ok {
		return stat.Period{}, errors.New("no year")
	}
	return stat.ParsePeriod(year)
}

func besideWide(heading string) (string, columns.Beside) {
	if of, ok := strings.CutSuffix(heading, "F"); ok {
		return of, columns.BesideFlag
	}
	if of, ok := strings.CutSuffix(heading, "N"); ok {
		return of, columns.BesideNote
	}
	return "", columns.Nothing
}

func readParts(text string) (stat.Period, error) {
	return stat.ParsePeriod(strings.ReplaceAll(text, " ", "-"))
}

func split(cell string) (code, label string) {
	code, label, _ = strings.Cut(cell, ":")
	return code, label
}

func formats() []format.Format {
	var all []format.Format
	for name, m := range mappings {
		all = append(all, format.Format{
			Name:      name,
			Recognise: func(file string, _ []byte) bool { return file == name },
			Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
				return columns.Read(ctx, in, m...)
			},
		})
	}
	return all
}

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, formats())
}

// TestBounds: what is larger than a table may be ends with an error that says
// where, and before it takes much memory.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"columns", "area,year,value" + strings.Repeat(",x", columns.MaxColumns) + "\nDE,2020,1\n", ":1:1: the row has 4099 cells"},
		{"cells of a row", "area,year,value\nDE,2020,1" + strings.Repeat(",", columns.MaxColumns) + "\n", ":2:1: the row has 4099 cells"},
		{"a cell", "area,year,value\n" + strings.Repeat("D", columns.MaxField+1) + ",2020,1\n", ":2:1: the cell has 65537 bytes"},
		{"a quote that is not closed", "area,year,value\n\"DE" + strings.Repeat("DE,2020,1\n", 1<<20), "a row has more than 4 MiB"},
		{"headings too far down", strings.Repeat("a,b,c\n", 300) + "area,year,value\nDE,2020,1\n", "no line has the headings"},
		{"a NUL", "area,year,value\nD\x00E,2020,1\n", ":2:1: the cell holds a NUL"},
	} {
		f := format.Format{Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
			return columns.Read(ctx, in, long)
		}}
		_, err := formattest.Read(t.Context(), f, formattest.Sample{Name: "long.csv", Data: []byte(c.file)})
		var at *stat.FileError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, and is to say %q", c.name, err, c.want)
		}
	}
}

// counted counts the files that are open.
type counted struct {
	io.Reader
	open *int
}

func (c counted) Close() error { *c.open--; return nil }

// TestCloses: every file that was opened is closed, whether the reading ends,
// fails or is left.
func TestCloses(t *testing.T) {
	for _, text := range []string{"area,year,value\nA,2001,1\nA,2002,2\n", "area,year,value\nA,2001,1,25\n", "area,year,value\n", "nothing,here\n", ""} {
		for most := range 3 {
			open := 0
			in := format.Input{Name: "long.csv", Again: func() (io.ReadCloser, error) {
				open++
				return counted{strings.NewReader(text), &open}, nil
			}}
			for table, err := range columns.Read(t.Context(), in, long) {
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
				t.Errorf("%d files stay open after reading %q", open, text)
			}
		}
	}
}

// TestReadPeriod: the spellings that tables have beside those of the interface.
func TestReadPeriod(t *testing.T) {
	for text, want := range map[string]string{
		"2024": "2024", "2024 Q1": "Q1/2024", "Q1 2024": "Q1/2024", "Q1-2024": "Q1/2024", "1Q 2024": "Q1/2024", "2024/Q1": "Q1/2024",
		"2024 M01": "01/2024", "2024 01": "01/2024", "Jan 2024": "01/2024", "2024 January": "01/2024", "Sept. 2024": "09/2024", "Jan-2024": "01/2024",
		"2024 H2": "H2/2024", "2024 W05": "W05/2024", "2024-01-31T00:00:00": "31/01/2024", "2024-01-31 00:00:00.000": "31/01/2024",
		"2024-01-31T00:00:00Z": "31/01/2024",
		"2024 [YR2024]":        "2024", "2024 [YR2023]": "",
		"2024-01-31T12:00:00": "", "2010/11": "", "2024/25": "", "Jan-24": "", "1/31/2024": "", "2024 Q5": "", "2024 13": "", "24": "", "": "", "May": "",
	} {
		p, err := columns.ReadPeriod(text)
		if p.String() != want || (err == nil) != (want != "") {
			t.Errorf("ReadPeriod(%q) is %q, %v; want %q", text, p, err, want)
		}
	}
}

func FuzzLong(f *testing.F) {
	formattest.Fuzz(f, fuzzed("long.csv"), formattest.Sample{Name: "long.csv", Data: []byte(
		"title\ncode,area,sex,year,value,flag,conf,note,comment,unit,row,\nDE,Germany,F,2020,\"1,234.5\",P,C,a,b,t,1,\nFR,France,,1950-1955,--,,,,,,2,\n")})
}

func FuzzWide(f *testing.F) {
	formattest.Fuzz(f, fuzzed("wide.csv"), formattest.Sample{Name: "wide.csv", Data: []byte(
		"area;Y2019;Y2019F;Y2019N;2020W99;total\nDE;1,5;E;text;3;4\nFR;..;;;;\n")})
}

func fuzzed(name string) format.Format {
	for _, f := range formats() {
		if f.Name == name {
			return f
		}
	}
	return format.Format{}
}
