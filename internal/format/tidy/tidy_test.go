package tidy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"almanac/internal/format"
	"almanac/internal/format/tidy"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

const small = "#almanac-tidy,1\n#dataset,d\n#geography,geo\ngeo,TIME_PERIOD,OBS_VALUE,OBS_NOTE\nDE,2022,1,\nFR,2022,2.5,Größe\n"

// periods compares periods with ==.
var periods = cmpopts.EquateComparable(stat.Period{})

func input(text string) format.Input {
	return format.Input{Name: "d.tidy.csv", Data: strings.NewReader(text)}
}

func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{small, true},
		{"\uFEFF" + small, true},
		{"#almanac-tidy;1", true}, // the reader says what is wrong with it
		{"", false},
		{"#almanac", false},
		{"geo,TIME_PERIOD,OBS_VALUE\nDE,2023,1\n", false},
		{"freq,geo\\TIME_PERIOD\t2023\nA,DE\t1\n", false},
	} {
		if got := tidy.Formats()[0].Recognise("d.tidy.csv", []byte(c.head)); got != c.want {
			t.Errorf("Recognise(%q) = %t, want %t", c.head, got, c.want)
		}
	}
}

// TestOtherSystems checks that either line ending and a byte order mark are accepted.
func TestOtherSystems(t *testing.T) {
	want, wantRows, _, err := readAll(input(small))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"CRLF":                     strings.ReplaceAll(small, "\n", "\r\n"),
		"byte order mark":          "\uFEFF" + small,
		"byte order mark and CRLF": "\uFEFF" + strings.ReplaceAll(small, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got, rows, _, err := readAll(input(text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, periods); diff != "" {
				t.Errorf("dataset (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(wantRows, rows, periods); diff != "" {
				t.Errorf("observations (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCutOff checks that a file cut off within a row is refused with the line, and one
// cut off between rows if it has #rows.
func TestCutOff(t *testing.T) {
	table := strings.Index(small, "DE,")
	for end := table + 1; end < len(small); end++ {
		if small[end-1] == '\n' {
			continue
		}
		_, _, _, err := readAll(input(small[:end]))
		var bad *stat.FileError
		if !errors.As(err, &bad) || bad.At.Line == 0 {
			t.Errorf("cut off as %q: error %v, want one with a line", small[table:end], err)
		}
	}
	counted := strings.Replace(small, "#dataset", "#rows,2\n#dataset", 1)
	cut := counted[:strings.Index(counted, "FR,2022")]
	if _, _, _, err := readAll(input(cut)); err == nil || !strings.Contains(err.Error(), "#rows says 2") {
		t.Errorf("cut off at the end of a row with #rows: error %v", err)
	}
}

// TestInvalidText checks that text that is not UTF-8 is refused with line and column.
func TestInvalidText(t *testing.T) {
	_, _, _, err := readAll(input(strings.Replace(small, "Größe", "Gr\xf6\xdfe", 1)))
	var bad *stat.FileError
	if !errors.As(err, &bad) || bad.At != (stat.Position{Line: 6, Column: 13}) {
		t.Errorf("error %v, want one at 6:13", err)
	}
	if stat.KindOf(err) != stat.Refused {
		t.Errorf("kind %v, want Refused", stat.KindOf(err))
	}
}

// TestFailingSource checks that a read error is not the end of the file.
func TestFailingSource(t *testing.T) {
	broken := errors.New("the disk is gone")
	in := input("")
	in.Data = io.MultiReader(strings.NewReader(small), iotest.ErrReader(broken))
	if _, _, _, err := readAll(in); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for table, err := range tidy.Formats()[0].Read(ctx, input(small)) {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range table.Observations {
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v and error %v, want context.Canceled", o, err)
			}
		}
	}
}

// TestStopEarly checks that a caller may stop at any observation.
func TestStopEarly(t *testing.T) {
	for table, err := range tidy.Formats()[0].Read(context.Background(), input(small)) {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range table.Observations {
			if err != nil || o.Value != 1 {
				t.Fatalf("first observation %v, error %v", o, err)
			}
			break
		}
	}
}

// rows generates a tidy file of n rows without holding it.
type rows struct {
	n, next int
	rest    []byte
}

func (r *rows) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.next >= r.n {
			return 0, io.EOF
		}
		r.rest = fmt.Appendf(r.rest, "DE,2022,%d,note %d,EUR\n", r.next, r.next)
		r.next++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestStreams checks that memory use does not grow with the cells.
func TestStreams(t *testing.T) {
	const n = 300_000 // about 9 MB of text
	in := input("")
	in.Data = io.MultiReader(
		strings.NewReader("#almanac-tidy,1\n#dataset,d\n#geography,geo\ngeo,TIME_PERIOD,OBS_VALUE,OBS_NOTE,UNIT_MEASURE\n"),
		&rows{n: n})
	before := heap()
	for table, err := range tidy.Formats()[0].Read(context.Background(), in) {
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for _, err := range table.Observations {
			if err != nil {
				t.Fatal(err)
			}
			read++
			if read == n {
				if grown := heap() - before; grown > 4<<20 {
					t.Errorf("after %d rows memory use has grown by %d bytes", n, grown)
				}
			}
		}
		if read != n {
			t.Errorf("%d rows, want %d", read, n)
		}
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestWriteThenRead checks that a written dataset reads back unchanged.
func TestWriteThenRead(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		d, observations := drawDataset(t)
		checkRoundTrip(t, d, observations)
	})
}

// checkRoundTrip writes a dataset, reads it, and compares everything but positions in
// the file.
func checkRoundTrip(t rapid.TB, d *stat.Dataset, observations []stat.Observation) {
	t.Helper()
	var file bytes.Buffer
	if err := tidy.Write(&file, d, observations); err != nil {
		t.Fatal(err)
	}
	written := file.String()
	got, gotObservations, _, err := readAll(input(written))
	if err != nil {
		t.Fatalf("%v in\n%s", err, written)
	}
	if diff := cmp.Diff(d, got, periods, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("dataset (-written +read):\n%s\n%s", diff, written)
	}
	if diff := cmp.Diff(observations, gotObservations, periods, cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
		cmpopts.IgnoreFields(stat.Observation{}, "At")); diff != "" {
		t.Fatalf("observations (-written +read):\n%s\n%s", diff, written)
	}
}

// drawWord draws a text that the format can hold: trimmed, with any character that is
// special in CSV.
func drawWord(t *rapid.T, name string) string {
	return rapid.StringMatching(`[A-Za-z0-9#_;:.äß€](["', \n#A-Za-z0-9%_|-]{0,8}[A-Za-z0-9"',_€])?`).Draw(t, name)
}

func drawDataset(t *rapid.T) (*stat.Dataset, []stat.Observation) {
	d := &stat.Dataset{
		Source:      stat.Source{ID: rapid.StringMatching(`[a-z][a-z0-9-]{0,5}`).Draw(t, "source"), Name: drawWord(t, "source name")},
		Code:        drawWord(t, "code"),
		Name:        drawWord(t, "name"),
		Description: rapid.SampledFrom([]string{"", "Two\nlines, and \"quotes\""}).Draw(t, "description"),
	}
	for i := range rapid.IntRange(0, 10).Draw(t, "dimensions") {
		dim := stat.Dimension{
			ID:   fmt.Sprintf("dim %d", i),
			Role: rapid.SampledFrom([]stat.Role{stat.RoleOther, stat.RoleUnit, stat.RoleFrequency}).Draw(t, "role"),
		}
		dim.Codes = drawCodes(t)
		if rapid.Bool().Draw(t, "has a total") {
			dim.Total = dim.Codes[0].ID
		}
		d.Dimensions = append(d.Dimensions, dim)
	}
	if rapid.Bool().Draw(t, "has a geography") {
		d.Geography = stat.Dimension{ID: "geo", Label: drawWord(t, "geography"), Role: stat.RoleGeo, Codes: drawCodes(t)}
		d.GeographyAt = rapid.IntRange(0, len(d.Dimensions)).Draw(t, "geography at")
	}
	return d, rapid.SliceOfN(rapid.Custom(func(t *rapid.T) stat.Observation { return drawObservation(t, d) }), 1, 20).Draw(t, "observations")
}

func drawCodes(t *rapid.T) []stat.Code {
	ids := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string { return drawWord(t, "id") }), 1, 4, rapid.ID).Draw(t, "codes")
	var codes []stat.Code
	for _, id := range ids {
		codes = append(codes, stat.Code{ID: id, Label: drawWord(t, "label"), Unit: rapid.SampledFrom([]string{"", "EUR", "%"}).Draw(t, "unit")})
	}
	return codes
}

func drawObservation(t *rapid.T, d *stat.Dataset) stat.Observation {
	o := stat.Observation{
		Period: stat.NewPeriod(rapid.SampledFrom([]stat.Frequency{stat.Annual, stat.Quarter, stat.Week, stat.Day}).Draw(t, "frequency"),
			rapid.IntRange(1000, 9999).Draw(t, "year"), 1),
		Value: rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "value"),
		Flags: rapid.SampledFrom([]stat.Flags{"", "P", "B E", "CONF_STATUS:C P", "ESTAT:i"}).Draw(t, "flags"),
		Note:  rapid.SampledFrom([]string{"", "a note, with \"quotes\"\nand lines"}).Draw(t, "note"),
		Unit:  rapid.SampledFrom([]string{"", "EUR", "persons, thousand"}).Draw(t, "unit"),
	}
	if o.Value == 0 {
		o.Value = 0 // -0 is read as 0
	}
	if o.Flags+stat.Flags(o.Note) != "" && rapid.Bool().Draw(t, "missing") {
		o.Value = math.NaN()
	}
	for _, dim := range d.Axes() {
		o.Key = append(o.Key, int32(rapid.IntRange(0, max(0, len(dim.Codes)-1)).Draw(t, "code")))
	}
	return o
}

// TestWriteSpans checks that spans of years keep their text.
func TestWriteSpans(t *testing.T) {
	y1955 := stat.NewPeriod(stat.Annual, 1955, 1)
	d := &stat.Dataset{
		Source: stat.Source{ID: "un"}, Code: "wpp",
		PeriodLabels: map[stat.Period]string{y1955: "1950-1955"},
	}
	checkRoundTrip(t, d, []stat.Observation{{Key: []int32{0}, Period: y1955, Value: 1}})
}

func TestWriteRefuses(t *testing.T) {
	whole := func() *stat.Dataset {
		return &stat.Dataset{Source: stat.Source{ID: "s"}, Code: "d", Dimensions: []stat.Dimension{
			{ID: "x", Role: stat.RoleOther, Codes: []stat.Code{{ID: "a"}}},
		}}
	}
	for name, c := range map[string]struct {
		change func(*stat.Dataset)
		key    []int32
		want   string
	}{
		"no source":                      {func(d *stat.Dataset) { d.Source.ID = "" }, []int32{0, 0}, "Source.ID"},
		"no code":                        {func(d *stat.Dataset) { d.Code = "" }, []int32{0, 0}, "Code"},
		"a code that is not on the list": {func(*stat.Dataset) {}, []int32{1, 0}, `"x" has no code at position 1`},
	} {
		t.Run(name, func(t *testing.T) {
			d := whole()
			c.change(d)
			err := tidy.Write(io.Discard, d, []stat.Observation{{Key: c.key, Period: stat.NewPeriod(stat.Annual, 2023, 1), Value: 1}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// FuzzRead checks that no input makes the reader panic or lose a cell, that a refusal
// is an error in the file, and that the dataset can be written and reads back unchanged.
func FuzzRead(f *testing.F) {
	for _, path := range []string{"testdata/cases/good.txt", "testdata/cases/bad.txt"} {
		for _, c := range readCases(f, path) {
			f.Add(c.file, c.in.Geo, c.in.Period)
		}
	}
	f.Fuzz(func(t *testing.T, text, geo, period string) {
		in := input(text)
		in.Geo, in.Period = geo, period
		d, observations, _, err := readAll(in)
		if err != nil {
			if stat.KindOf(err) != stat.Refused {
				t.Fatalf("%v is not an error in the file", err)
			}
			return
		}
		// CSV cannot keep a carriage return before a line feed.
		if len(observations) == 0 || strings.Contains(text, "\r") {
			return
		}
		if d.Source.ID == "" {
			d.Source = stat.Source{ID: "s"}
		}
		checkRoundTrip(t, d, observations)
	})
}
