package eurostat_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// realFiles are the office's own tables, by path below the data folder.
func realFiles(t testing.TB) []string {
	dir := filepath.Join(stattest.DataDir(t), "eurostat")
	var files []string
	for _, pattern := range []string{"tsv-*/*.tsv", "tsv-*/*.tsv.gz"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 20 {
		t.Fatalf("%d tables in %s; there are 20", len(files), dir)
	}
	return files
}

// unpacked reads a file whole; name is its base name without .gz.
func unpacked(t testing.TB, file string) (name string, text []byte) {
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Base(file)
	if !strings.HasSuffix(name, ".gz") {
		return name, packed
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if text, err = io.ReadAll(unpacker); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(name, ".gz"), text
}

// open reads a table's header without dictionaries.
func open(t testing.TB, name string, text []byte) *stat.Table {
	in := format.Input{Name: name, Data: bytes.NewReader(text)}
	for table, err := range eurostat.Formats()[0].Read(context.Background(), in) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return table
	}
	t.Fatalf("%s: no table", name)
	return nil
}

// The small reader below is an independent reading of the same files, written
// from the data rules alone and for clarity only.

// smallCell is a cell of a table as text.
type smallCell struct {
	line, column int
	key          string // "unit=PC geo=AT", with freq first
	period       string // as SDMX writes it; "" if it is none
	value        string // "" if it is missing
	marks        string // the office's letters
}

var smallPeriod = regexp.MustCompile(`^(\d{4})-?(?:([SQW])(\d+)|M?(\d\d)(?:D?-?(\d\d))?)?$`)

// smallPeriodOf returns a period and its frequency; W99 is not a period.
func smallPeriodOf(text string) (period, freq string) {
	if len(text) == 4 {
		return text, "A"
	}
	m := smallPeriod.FindStringSubmatch(text)
	switch {
	case m == nil || m[2]+m[3] == "W99":
		return "", ""
	case m[2] != "":
		return m[1] + "-" + m[2] + m[3], m[2]
	case m[5] != "":
		return m[1] + "-" + m[4] + "-" + m[5], "D"
	case m[4] != "":
		return m[1] + "-" + m[4], "M"
	}
	return m[1], "A"
}

// smallCells yields every cell of a table.
func smallCells(text string) iter.Seq[smallCell] {
	return func(yield func(smallCell) bool) {
		lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text)+"\n", "\r\n", "\n"), "\n")
		heads := strings.Split(lines[0], "\t")
		names, across, _ := strings.Cut(heads[0], `\`)
		dimensions := strings.Split(names+","+across, ",")
		for i, line := range lines[1 : len(lines)-1] {
			cells := strings.Split(line, "\t")
			parts := strings.Split(cells[0], ",")
			for j, cell := range cells[1:] {
				c := smallCell{line: i + 2, column: j + 2}
				c.key, c.period = smallKey(dimensions, append(parts, strings.TrimSpace(heads[j+1])))
				c.value, c.marks, _ = strings.Cut(strings.TrimSpace(cell), " ")
				c.value = strings.TrimPrefix(c.value, ":")
				if !yield(c) {
					return
				}
			}
		}
	}
}

// smallKey joins the codes to a key, with freq first, and finds the period.
func smallKey(dimensions, codes []string) (key, period string) {
	freq := ""
	for i, name := range dimensions {
		if name == "time" || name == "TIME_PERIOD" {
			period, freq = smallPeriodOf(codes[i])
			continue
		}
		key += " " + name + "=" + codes[i]
	}
	if dimensions[0] != "freq" {
		key = " freq=" + freq + key
	}
	return key[1:], period
}

// smallMeanings are the letters according to the data rules.
var smallMeanings = map[rune]string{
	'b': "B", 'd': "D", 'e': "E", 'f': "F", 'n': "N", 'p': "P", 'u': "U", 'z': "M",
	'i': "ESTAT:i", 'r': "ESTAT:r", 's': "E,ESTAT:s", 'c': "CONF_STATUS:C",
}

func smallFlags(marks string, missing bool) string {
	if marks == "" {
		return ""
	}
	var flags []string
	for _, letter := range strings.ReplaceAll(marks, "@C", "c") {
		flags = append(flags, strings.Split(smallMeanings[letter], ",")...)
		if letter == 'c' && missing {
			flags = append(flags, "Q")
		}
	}
	slices.Sort(flags)
	return strings.Join(slices.Compact(flags), " ")
}

// keyOf writes a key as the small reader does.
func keyOf(d *stat.Dataset, key []int32) string {
	var words []string
	for i, dim := range d.Dimensions {
		if i == d.GeographyAt {
			words = append(words, geoWord(d, key))
		}
		words = append(words, dim.ID+"="+dim.Codes[key[i]].ID)
	}
	if d.GeographyAt == len(d.Dimensions) {
		words = append(words, geoWord(d, key))
	}
	return strings.Join(words, " ")
}

func geoWord(d *stat.Dataset, key []int32) string {
	return d.Geography.ID + "=" + d.Geography.Codes[key[len(key)-1]].ID
}

// TestEveryCell: every cell of every table of the office has its value and its flags;
// missing ones are omitted; read = stored + missing + dropped; dropped cells are undated.
func TestEveryCell(t *testing.T) {
	for _, file := range realFiles(t) {
		name, text := unpacked(t, file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			stattest.SkipLargeUnderRace(t, stattest.Size(t, file))
			t.Parallel()
			table := open(t, name, text)
			next, stop := iter.Pull(smallCells(string(text)))
			defer stop()
			counts := map[string]int{}
			for o, err := range table.Observations {
				if err != nil {
					t.Fatal(err)
				}
				want := nextHeld(next, counts)
				compareCell(t, table.Dataset, o, want)
				if !math.IsNaN(o.Value) {
					counts["stored"]++
				}
				if t.Failed() {
					return
				}
			}
			if c := nextHeld(next, counts); c.line != 0 {
				t.Fatalf("the cell in line %d, column %d is missing", c.line, c.column)
			}
			r := table.Report
			got := map[string]int{"read": r.Read, "missing": r.Missing, "dropped": r.Dropped(), "stored": counts["stored"]}
			for what, n := range got {
				if n != counts[what] {
					t.Errorf("%s: %d, want %d", what, n, counts[what])
				}
			}
			if r.Read != counts["stored"]+r.Missing+r.Dropped() {
				t.Errorf("read %d is not stored %d + missing %d + dropped %d", r.Read, counts["stored"], r.Missing, r.Dropped())
			}
		})
	}
}

// nextHeld skips cells without an observation, and counts all.
func nextHeld(next func() (smallCell, bool), counts map[string]int) smallCell {
	for {
		c, ok := next()
		if !ok {
			return smallCell{}
		}
		counts["read"]++
		holds := c.value != "" || c.marks != ""
		switch {
		case holds && c.period == "":
			counts["dropped"]++
			continue
		case c.value == "":
			counts["missing"]++
		}
		if holds {
			return c
		}
	}
}

// periodTexts caches periodText: the same few periods occur a million times.
var periodTexts sync.Map

// periodText writes a period as SDMX does.
func periodText(p stat.Period) string {
	text, ok := periodTexts.Load(p)
	if !ok {
		text, _ = periodTexts.LoadOrStore(p, p.SDMX())
	}
	return text.(string)
}

func compareCell(t *testing.T, d *stat.Dataset, o stat.Observation, want smallCell) {
	value := ""
	if !math.IsNaN(o.Value) {
		value = strconv.FormatFloat(o.Value, 'f', -1, 64)
	}
	wantValue := want.value
	if wantValue != "" {
		f, err := strconv.ParseFloat(wantValue, 64)
		if err != nil {
			t.Fatal(err)
		}
		wantValue = strconv.FormatFloat(f+0, 'f', -1, 64)
	}
	if periodText(o.Period) != want.period || o.At != (stat.Position{Line: want.line, Column: want.column}) || value != wantValue ||
		string(o.Flags) != smallFlags(want.marks, want.value == "") || keyOf(d, o.Key) != want.key {
		t.Errorf("got %s; want %+v", describe(d, o), want)
	}
}

var (
	manifestCounts = regexp.MustCompile(`([0-9]+) cells, ([0-9]+) values \(([0-9]+) series x ([0-9]+) periods\)`)
	manifestFlags  = regexp.MustCompile(`flags: ([^|]*) \|`)
)

// TestManifest: the numbers of cells, of values, and of cells with each combination of
// flags are those of the manifest.
func TestManifest(t *testing.T) {
	manifest, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "MANIFEST.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range realFiles(t) {
		path := "eurostat/" + filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			line := manifestLine(t, string(manifest), path)
			m := manifestCounts.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("no counts in %q", line)
			}
			want := map[string]int{}
			if f := manifestFlags.FindStringSubmatch(line); f != nil {
				for _, word := range strings.Fields(f[1]) {
					marks, n, _ := strings.Cut(word, "=")
					marks, alone := strings.CutPrefix(marks, ":")
					count, _ := strconv.Atoi(n)
					want[fmt.Sprint(smallFlags(marks, alone), alone)] += count
				}
			}
			name, text := unpacked(t, file)
			table := open(t, name, text)
			got := map[string]int{}
			values := 0
			for o, err := range table.Observations {
				if err != nil {
					t.Fatal(err)
				}
				if !math.IsNaN(o.Value) {
					values++
				}
				if o.Flags != "" {
					got[fmt.Sprint(o.Flags, math.IsNaN(o.Value))]++
				}
			}
			// Undated values are values of the file, but not stored.
			if cells, all := strconv.Itoa(table.Report.Read), strconv.Itoa(values+table.Report.Dropped()); cells != m[1] || all != m[2] {
				t.Errorf("%s cells, %s values; want %s and %s", cells, all, m[1], m[2])
			}
			if table.Report.Dropped() > 0 {
				return // flags went with what was dropped; TestEveryCell sees the others
			}
			for flags, n := range want {
				if got[flags] != n {
					t.Errorf("%d cells with %s; want %d", got[flags], flags, n)
				}
			}
			if len(got) != len(want) {
				t.Errorf("flags %v; want %v", got, want)
			}
		})
	}
}

func manifestLine(t *testing.T, manifest, path string) string {
	for line := range strings.Lines(manifest) {
		if strings.HasPrefix(line, "| `"+path+"`") {
			return line
		}
	}
	t.Fatalf("%s is not in the manifest", path)
	return ""
}

// TestTwins: the old and the new style of one dataset give the same
// dimensions and the same 1,229,256 cells.
func TestTwins(t *testing.T) {
	dir := filepath.Join(stattest.DataDir(t), "eurostat")
	oldDims, older := byRow(t, filepath.Join(dir, "tsv-old/demo_r_pjangrp3.tsv.gz"))
	newDims, newer := byRow(t, filepath.Join(dir, "tsv-new/estat_demo_r_pjangrp3.tsv.gz"))
	if oldDims != newDims {
		t.Errorf("dimensions %s and %s", oldDims, newDims)
	}
	if len(older) != 136584 || len(newer) != len(older) {
		t.Fatalf("%d and %d series; want 136584", len(older), len(newer))
	}
	for key, row := range older {
		if !slices.Equal(row, newer[key]) {
			t.Fatalf("%s\nold: %v\nnew: %v", key, row, newer[key])
		}
	}
}

// byRow returns a table's observations by key, each row in time order.
func byRow(t *testing.T, file string) (dims string, rows map[string][]string) {
	name, text := unpacked(t, file)
	table := open(t, name, text)
	rows = map[string][]string{}
	for o, err := range table.Observations {
		if err != nil {
			t.Fatal(err)
		}
		key := keyOf(table.Dataset, o.Key)
		value := strconv.FormatFloat(o.Value, 'g', -1, 64)
		rows[key] = append(rows[key], periodText(o.Period)+" "+value+" "+string(o.Flags))
	}
	for _, row := range rows {
		slices.Sort(row)
	}
	for _, dim := range table.Dataset.Axes() {
		dims += fmt.Sprint(dim.ID, " ", dim.Role, ", ")
	}
	return table.Dataset.Code + ": " + dims, rows
}

// TestUndated: the unknown weeks of 21 years are listed in the dataset and are not
// periods; only their own cells are dropped.
func TestUndated(t *testing.T) {
	name, text := unpacked(t, filepath.Join(stattest.DataDir(t), "eurostat/tsv-old/demo_r_mwk_ts.tsv"))
	table := open(t, name, text)
	for o, err := range table.Observations {
		if err != nil {
			t.Fatal(err)
		}
		if o.Period.Frequency() != stat.Week {
			t.Fatalf("%v is not a week", o.Period)
		}
	}
	d := table.Dataset
	if len(d.Undated) != 21 || d.Undated[0] != "2020W99" || d.Undated[20] != "2000W99" {
		t.Errorf("undated: %v", d.Undated)
	}
	want := stat.Note{Kind: stat.NoteUndated, Count: 108, Drops: true, Example: "2020W99"}
	if !slices.Contains(table.Report.Notes(), want) {
		t.Errorf("notes %v; want %v", table.Report.Notes(), want)
	}
}

// TestRecognise: tables are recognised by their first bytes, never by their name.
func TestRecognise(t *testing.T) {
	recognise := eurostat.Formats()[0].Recognise
	for _, file := range realFiles(t) {
		_, text := unpacked(t, file)
		if !recognise("anything.bin", text[:min(len(text), 64<<10)]) {
			t.Errorf("%s is not recognised", file)
		}
	}
	for _, other := range []string{"", "geo", "DATAFLOW,freq,geo\nx", "{\"a\\b\": 1}", "<xml/>", "Country\tYear\n", "C:\\temp file\t1\n"} {
		if recognise("une_rt_a.tsv", []byte(other)) {
			t.Errorf("%q is recognised as a Eurostat table", other)
		}
	}
}
