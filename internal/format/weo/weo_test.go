package weo_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"almanac/internal/format/formattest"
	"almanac/internal/format/weo"
	"almanac/internal/stattest"
)

// sample is a small edition.
const sample = "WEO Country Code\tISO\tWEO Subject Code\tCountry\tSubject Descriptor\tSubject Notes\tUnits\tScale\t" +
	"Country/Series-specific Notes\t2007\t2008\t2009\tEstimates Start After\n" +
	"156\tCAN\tNGDPD\tCanada\tGross domestic product\tThe \"gray\" economy too.\tU.S. dollars\tBillions\tSource: Statistics Canada\t\"1,424.07\"\t--\tn/a\t2007\n" +
	"\nInternational Monetary Fund, World Economic Outlook Database, October 2009"

func october2009(t testing.TB) formattest.Sample {
	return stattest.Sample(t, "imf/WEOOct2009all.xls")
}

// TestOctober2009 compares every cell of the edition of October 2009 with a reader
// that only splits lines.
func TestOctober2009(t *testing.T) {
	s := october2009(t)
	table := formattest.ReadOne(t, weo.Formats()[0], s)
	text, err := charmap.Windows1252.NewDecoder().Bytes(s.Data)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	cells, rows, series := 0, 0, map[string]bool{}
	lines := strings.Split(string(text), "\n")
	years := strings.Split(lines[0], "\t")[9:44]
	for _, line := range lines[1:] {
		c := strings.Split(line, "\t")
		if len(c) < 45 {
			continue
		}
		rows++
		series[c[0]+" "+c[2]] = true
		for i, cell := range c[9:44] {
			cells++
			if cell == "n/a" {
				want = append(want, fmt.Sprintf("%s,%s, %s = NaN %q", c[2], c[0], years[i], "IMF:n/a"))
			} else if cell != "" {
				want = append(want, independentLine(t, c, years[i], cell))
			}
		}
	}
	formattest.SameLines(t, table, want)
	if rows != 6006 || len(series) != 6006 || cells != 210210 || table.Report.Read != cells {
		t.Errorf("%d rows, %d series, %d cells, %d read; the file has 6006 series × 35 years", rows, len(series), cells, table.Report.Read)
	}
	if problem := formattest.Problem(table); problem != "" {
		t.Error(problem)
	}
	d := table.Dataset
	if d.Code != "WEO" || d.Name != "World Economic Outlook Database, October 2009" || len(d.Geography.Codes) != 182 ||
		table.Prepared.Format("2006-01") != "2009-10" {
		t.Errorf("the dataset is %s %q of %d areas, prepared %v", d.Code, d.Name, len(d.Geography.Codes), table.Prepared)
	}
}

// independentLine returns the observation of a cell.
func independentLine(t *testing.T, c []string, year, cell string) string {
	value, flags := 0.0, []string{}
	if cell == "--" {
		flags = append(flags, "IMF:--")
	} else {
		var err error
		if value, err = strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64); err != nil {
			t.Fatal(err)
		}
	}
	if after := c[44]; after != "" && after != "0" && year > after {
		flags = append([]string{"E"}, flags...)
	}
	line := fmt.Sprintf("%s,%s, %s = %v", c[2], c[0], year, value)
	if len(flags) > 0 {
		line += fmt.Sprintf(" %q", strings.Join(flags, " "))
	}
	var notes []string
	for _, n := range []string{strings.TrimSpace(c[5]), strings.TrimSpace(c[8])} {
		if n != "" {
			notes = append(notes, n)
		}
	}
	if len(notes) > 0 {
		line += fmt.Sprintf(" %q", strings.Join(notes, "; "))
	}
	return line
}

// TestUnits checks that the label of the unit includes the scale, and that values are
// not changed.
func TestUnits(t *testing.T) {
	table := formattest.ReadOne(t, weo.Formats()[0], october2009(t))
	want := map[string]string{
		"NGDPD": "U.S. dollars (Billions)", "NGDPDPC": "U.S. dollars", "LP": "Persons (Millions)", "PCPI": "Index, 2000=100", "GGB": "National currency (Billions)",
	}
	for _, code := range table.Dataset.Dimensions[0].Codes {
		if unit, ok := want[code.ID]; ok && unit != code.Unit {
			t.Errorf("the unit of %s is %q, want %q", code.ID, code.Unit, unit)
		}
	}
}

// TestUTF16 reads editions in UTF-16, as they are from 2020 on, in either byte order.
func TestUTF16(t *testing.T) {
	f := weo.Formats()[0]
	plain, err := formattest.Read(t.Context(), f, formattest.Sample{Name: "WEO.xls", Data: []byte(sample)})
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		data, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().Bytes([]byte(sample))
		if err != nil {
			t.Fatal(err)
		}
		if !f.Recognise("WEO.xls", data) {
			t.Error("UTF-16 is not recognised")
		}
		wide, err := formattest.Read(t.Context(), f, formattest.Sample{Name: "WEO.xls", Data: data})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := formattest.Describe(wide), formattest.Describe(plain); strings.ReplaceAll(got, "note encoding 1 UTF-16\n", "") != want {
			t.Errorf("UTF-16 means\n%s\nwant\n%s", got, want)
		}
	}
}

// TestConform tests the first and last lines of the real edition, because cutting all
// of it off at forty places takes too long.
func TestConform(t *testing.T) {
	s := october2009(t)
	lines := bytes.SplitAfter(s.Data, []byte("\n"))
	s.Data = bytes.Join(append(lines[:400:400], lines[len(lines)-20:]...), nil)
	formattest.Conform(t, weo.Formats()[0], s)
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, weo.Formats()[0], formattest.Sample{Name: "WEOOct2009all.xls", Data: []byte(sample)},
		formattest.Sample{Name: "x", Data: []byte(strings.ReplaceAll(sample, "Country Code", "Country Group Code"))})
}
