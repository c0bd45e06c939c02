package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/stattest"
)

// TestEveryCellOfEurostat imports every TSV file of Eurostat and compares each cell, as
// read by a small reader in this test, with the response of the interface with
// flags=true. Nothing else may be in the response. The two styles of demo_r_pjangrp3
// are one dataset: importing the second changes nothing.
func TestEveryCellOfEurostat(t *testing.T) {
	t.Parallel()
	files := eurostatFiles(t)
	dir := t.TempDir()
	base := startServer(t, dir)
	reports := map[string]importLine{}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			stattest.SkipLargeUnderRace(t, stattest.Size(t, file))
			want := readPlainly(t, file)
			report := importOne(t, dir, file)
			reports[filepath.Base(file)] = report
			o := report.Observations
			if o.Read != want.cells || o.Stored != want.values || o.Read != o.Stored+o.Missing+o.Dropped {
				t.Errorf("report %+v, but the file has %d cells and %d values with a period", o, want.cells, want.values)
			}
			compareResponse(t, base, report.ID, want)
		})
	}
	if len(reports) < len(files) {
		return // some are not selected
	}
	first, second := reports["estat_demo_r_pjangrp3.tsv.gz"], reports["demo_r_pjangrp3.tsv.gz"]
	if first.Status != "created" || second.Status != "unchanged" || first.ID != second.ID || second.Version != "1.0" {
		t.Errorf("the file in the new style: %s, dataset %d; in the old style: %s, dataset %d, version %s",
			first.Status, first.ID, second.Status, second.ID, second.Version)
	}
}

func eurostatFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, style := range []string{"tsv-new", "tsv-old"} {
		found, err := filepath.Glob(filepath.Join(stattest.DataDir(t), "eurostat", style, "*.tsv*"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no TSV files in %s: %v", style, err)
		}
		files = append(files, found...)
	}
	return files
}

// startServer runs the program's serve command until the test ends and returns its
// address.
func startServer(t *testing.T, dir string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var log lockedBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--limits", "anonymous=unlimited"}, io.Discard, &log)
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitDone {
			t.Errorf("serve ended with %d:\n%s", code, log.String())
		}
	})
	var found []string
	stattest.Eventually(t, func() error {
		if found = listeningLine.FindStringSubmatch(log.String()); found == nil {
			return fmt.Errorf("the server does not listen:\n%s", log.String())
		}
		return nil
	})
	return "http://" + found[1]
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

type importLine struct {
	Status, Code, Version, Error string
	ID                           int
	Observations                 struct{ Read, Stored, Missing, Dropped int }
}

func importOne(t *testing.T, dir, file string) importLine {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"import", "--data", dir, "--json", file}, &stdout, &stderr); code != exitDone {
		t.Fatalf("import ended with %d:\n%s%s", code, stdout.String(), stderr.String())
	}
	var line importLine
	if err := json.Unmarshal(stdout.Bytes(), &line); err != nil {
		t.Fatalf("import --json printed %s: %v", stdout.String(), err)
	}
	return line
}

// plainFile is a TSV file as read by the reader of this test.
type plainFile struct {
	dims          []string // without geo and time
	cells, values int
	at            map[string]plainSeries // by dimensions and area
}

type plainSeries map[string]plainCell // by period

type plainCell struct {
	value float64 // NaN: none
	flags []string
}

// plainFlags has the meanings of Eurostat's marks. They are repeated here so that the
// test does not depend on the code that it checks.
var plainFlags = map[byte][]string{
	'b': {"B"}, 'd': {"D"}, 'e': {"E"}, 'f': {"F"}, 'n': {"N"}, 'p': {"P"}, 'u': {"U"}, 'z': {"M"},
	's': {"E", "ESTAT:s"}, 'i': {"ESTAT:i"}, 'r': {"ESTAT:r"}, 'c': {"CONF_STATUS:C"},
}

func readPlainly(t *testing.T, file string) *plainFile {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(string(data), "\r", ""), "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	rowNames, columnName, _ := strings.Cut(head[0], `\`)
	names := strings.Split(rowNames, ",")
	columns := make([]plainPlace, len(head)-1)
	for i, code := range head[1:] {
		columns[i].add(columnName, strings.TrimSpace(code))
	}
	p := &plainFile{dims: []string{"freq"}, at: make(map[string]plainSeries, len(lines))}
	for _, name := range names {
		if name != "geo" && name != "time" && name != "freq" {
			p.dims = append(p.dims, name)
		}
	}
	flags := map[string][]string{}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		var row plainPlace
		for i, code := range strings.Split(cells[0], ",") {
			row.add(names[i], code)
		}
		p.addRow(t, row, columns, cells[1:], flags)
	}
	return p
}

// plainPlace is where a row or a column belongs.
type plainPlace struct {
	dims            string // the codes of the other dimensions
	freq, geo, time string
}

func (p *plainPlace) add(name, code string) {
	switch name {
	case "geo":
		p.geo = code
	case "freq":
		p.freq = code
	case "time", "TIME_PERIOD":
		shown, freq := plainPeriod(code)
		p.time, p.freq = shown, cmp.Or(p.freq, freq)
	default:
		p.dims += code + "|"
	}
}

// addRow adds the cells of a row at the places where the interface should have them. It
// caches the meanings of marks in flags.
func (p *plainFile) addRow(t *testing.T, row plainPlace, columns []plainPlace, cells []string, flags map[string][]string) {
	t.Helper()
	var key string
	var series plainSeries
	for i, text := range cells {
		p.cells++
		cell := plainCell{value: math.NaN()}
		number, marks, _ := strings.Cut(strings.TrimSpace(text), " ")
		if number != ":" {
			v, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			cell.value = v
		}
		if marks != "" {
			cell.flags = meaningOf(t, flags, number, marks)
			if strings.Contains(marks, "z") {
				cell.value = math.NaN()
			}
		}
		period := row.time + columns[i].time
		if period == "" || math.IsNaN(cell.value) && cell.flags == nil {
			continue
		}
		if !math.IsNaN(cell.value) {
			p.values++
		}
		if at := cmp.Or(row.freq, columns[i].freq) + "|" + row.dims + row.geo + columns[i].geo; at != key {
			key, series = at, p.at[at]
			if series == nil {
				series = make(plainSeries, len(cells))
				p.at[key] = series
			}
		}
		if _, twice := series[period]; twice {
			t.Fatalf("the file has %s, %s twice", key, period)
		}
		series[period] = cell
	}
}

// meaningOf returns the flags that a cell's marks mean, and caches them in known.
func meaningOf(t *testing.T, known map[string][]string, number, marks string) []string {
	t.Helper()
	marks = strings.ReplaceAll(marks, "@C", "c")
	if number == ":" {
		marks += ":"
	}
	if flags, ok := known[marks]; ok {
		return flags
	}
	var flags []string
	for _, mark := range []byte(strings.TrimSuffix(marks, ":")) {
		meaning, ok := plainFlags[mark]
		if !ok {
			t.Fatalf("%q has an unknown mark", marks)
		}
		flags = append(flags, meaning...)
	}
	if strings.Contains(marks, "c") && number == ":" {
		flags = append(flags, "Q")
	}
	slices.Sort(flags)
	known[marks] = flags
	return flags
}

var plainPeriods = []struct {
	shape *regexp.Regexp
	form  string
	freq  string
}{
	{regexp.MustCompile(`^(\d{4})$`), "$1", "A"},
	{regexp.MustCompile(`^(\d{4})-?S([12])$`), "H$2/$1", "S"},
	{regexp.MustCompile(`^(\d{4})-?Q([1-4])$`), "Q$2/$1", "Q"},
	{regexp.MustCompile(`^(\d{4})[-M](\d\d)$`), "$2/$1", "M"},
	{regexp.MustCompile(`^(\d{4})-?W([0-4]\d|5[0-3])$`), "W$2/$1", "W"},
}

// plainPeriod formats a period like the interface; it is "" for other texts.
func plainPeriod(text string) (shown, freq string) {
	for _, p := range plainPeriods {
		if p.shape.MatchString(text) {
			return p.shape.ReplaceAllString(text, p.form), p.freq
		}
	}
	return "", ""
}

// compareResponse reads the whole dataset from the interface and removes from want what
// it finds; nothing may be left on either side.
func compareResponse(t *testing.T, base string, id int, want *plainFile) {
	t.Helper()
	codes := codesByLabel(t, base, id)
	resp, err := http.Get(fmt.Sprintf("%s/api/datasets/%d?flags=true", base, id))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	wrong := 0
	fail := func(format string, args ...any) {
		if wrong++; wrong <= 5 {
			t.Errorf(format, args...)
		}
	}
	eachBlock(t, resp.Body, func(b block) {
		key := ""
		for i := range want.dims {
			name := fmt.Sprintf("dim%d", i+1)
			key += codes[name][b.SeriesKey[name+"_value"]] + "|"
		}
		for _, country := range b.Countries {
			area := key + codes["geo"][country]
			series := want.at[area]
			for _, row := range b.Rows {
				value, hasValue := row.Values[country]
				flags := row.Flags[country]
				if !hasValue && flags == nil {
					continue
				}
				cell, ok := series[row.Period]
				delete(series, row.Period)
				switch {
				case !ok:
					fail("%s, %s: got %v %v, but the file has nothing there", area, row.Period, value, flags)
				case hasValue == math.IsNaN(cell.value) || hasValue && value != cell.value || !slices.Equal(flags, cell.flags):
					fail("%s, %s: got %v %v, but the file has %v %v", area, row.Period, value, flags, cell.value, cell.flags)
				}
			}
		}
	})
	for key, series := range want.at {
		for period, cell := range series {
			fail("%s, %s: %v %v of the file is missing from the response", key, period, cell.value, cell.flags)
		}
	}
	if wrong > 0 {
		t.Errorf("%d cells differ", wrong)
	}
}

type block struct {
	SeriesKey map[string]string `json:"series_key"`
	Countries []string
	Rows      []struct {
		Period string
		Values map[string]float64
		Flags  map[string][]string
	}
}

// eachBlock reads the data of a response block by block.
func eachBlock(t *testing.T, body io.Reader, do func(block)) {
	t.Helper()
	d := json.NewDecoder(body)
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("the response has no data: %v", err)
		}
		if token == "data" {
			break
		}
	}
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		var b block
		if err := d.Decode(&b); err != nil {
			t.Fatal(err)
		}
		do(b)
	}
}

// codesByLabel reads /dimensions: the code of each label, by dim1 … and geo.
func codesByLabel(t *testing.T, base string, id int) map[string]map[string]string {
	t.Helper()
	var body []byte
	stattest.Eventually(t, func() (err error) { // the server notices an import with a delay
		body, err = fetchBody(fmt.Sprintf("%s/api/datasets/%d/dimensions", base, id))
		return err
	})
	type code struct{ Code, Label string }
	var response struct {
		Dimensions []struct {
			Dim    string
			Values []code
		}
		Geography []code
	}
	if err := json.Unmarshal(body, &response); err != nil {
		t.Fatal(err)
	}
	codes := map[string]map[string]string{}
	put := func(name string, values []code) {
		codes[name] = map[string]string{}
		for _, c := range values {
			codes[name][c.Label] = c.Code
		}
	}
	for _, d := range response.Dimensions {
		put(d.Dim, d.Values)
	}
	put("geo", response.Geography)
	return codes
}

var listeningLine = regexp.MustCompile(`(?m)^listening on https?://(127\.0\.0\.1:\d+)$`)

func fetchBody(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	return io.ReadAll(resp.Body)
}
