package eurostat_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/property"
)

// outcome is the result of reading a file.
type outcome struct {
	report *stat.Report
	rows   []string // observations as words
	values int
	err    error
}

func read(name string, data io.Reader) outcome {
	var o outcome
	for table, err := range eurostat.Formats()[0].Read(context.Background(), format.Input{Name: name, Data: data}) {
		if err != nil {
			return outcome{err: err}
		}
		o.report = table.Report
		for x, err := range table.Observations {
			if err != nil {
				o.err = err
				return o
			}
			if !math.IsNaN(x.Value) {
				o.values++
			}
			o.rows = append(o.rows, describe(table.Dataset, x))
		}
	}
	return o
}

// FuzzRead: whatever a file holds, reading it ends with an error that names a line, or
// with read = stored + missing + dropped and finite values only.
func FuzzRead(f *testing.F) {
	for _, text := range stattest.Texts(f) {
		_, data, _ := strings.Cut(text, "\n")
		f.Add([]byte(visible.Replace(data)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := read("x.tsv", bytes.NewReader(data))
		if o.err != nil {
			var bad *stat.FileError
			if !errors.As(o.err, &bad) || bad.At.Line < 1 || bad.Message == "" {
				t.Fatalf("error without a place: %v", o.err)
			}
			return
		}
		if r := o.report; r.Read != o.values+r.Missing+r.Dropped() {
			t.Fatalf("read %d, stored %d, missing %d, dropped %d", r.Read, o.values, r.Missing, r.Dropped())
		}
		for _, row := range o.rows {
			if strings.Contains(row, "Inf") {
				t.Fatalf("not finite: %s", row)
			}
		}
	})
}

// drawTable draws a table as Eurostat writes it, each cell without flags with
// a space at its end.
func drawTable(t *rapid.T) string {
	var b strings.Builder
	end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
	columns := rapid.IntRange(1, 5).Draw(t, "columns")
	b.WriteString(`freq,unit,geo\TIME_PERIOD`)
	for i := range columns {
		fmt.Fprintf(&b, "\t%d ", 2000+i)
	}
	b.WriteString(end)
	cell := rapid.Custom(func(t *rapid.T) string {
		value := rapid.SampledFrom([]string{":", "0", "-1.5", "1234.567", "98765432.1"}).Draw(t, "value")
		return value + " " + rapid.SampledFrom([]string{"", "", "b", "bep", "@C", "z"}).Draw(t, "flags")
	})
	for i := range rapid.IntRange(1, 6).Draw(t, "rows") {
		fmt.Fprintf(&b, "A,PC,R%d", i)
		for range columns {
			b.WriteString("\t" + cell.Draw(t, "cell"))
		}
		b.WriteString(end)
	}
	return b.String()
}

// TestCutOff: a file cut off anywhere is refused, or reads as whole rows of
// the whole file.
func TestCutOff(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		text := drawTable(t)
		whole := read("x.tsv", strings.NewReader(text))
		if whole.err != nil {
			t.Fatalf("%v\n%s", whole.err, text)
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "cut at")
		cut := read("x.tsv", strings.NewReader(text[:at]))
		if cut.err != nil {
			return
		}
		if text[at-1] != '\n' {
			t.Fatalf("cut in a line without an error:\n%s", text[:at])
		}
		for i, row := range cut.rows {
			if row != whole.rows[i] {
				t.Fatalf("%s\nwas %s", row, whole.rows[i])
			}
		}
	})
}

// TestCutOffPacked: packed data that end too early are refused with the line of their
// end.
func TestCutOffPacked(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, "geo\\time\t2020 \n")
	for i := range 50_000 {
		fmt.Fprintf(w, "R%d\t%d \n", i, i*i%9973)
	}
	w.Close()
	unpacker, err := gzip.NewReader(bytes.NewReader(packed.Bytes()[:packed.Len()/2]))
	if err != nil {
		t.Fatal(err)
	}
	o := read("x.tsv", unpacker)
	var bad *stat.FileError
	if !errors.As(o.err, &bad) || bad.At.Line < 100 || !strings.Contains(bad.Message, "cut off") {
		t.Errorf("got %v; want a file error with the line at which the file is cut off", o.err)
	}
}

// TestCancelled: reading ends when its context is done.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in := format.Input{Name: "x.tsv", Data: strings.NewReader("geo\\time\t2020 \nAT\t1 \nBE\t1 \n")}
	for table, err := range eurostat.Formats()[0].Read(ctx, in) {
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range table.Observations {
			cancel()
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("got %v; want the error of the cancelled context", last)
		}
	}
}

// TestLongLines: a line longer than the buffer is read whole; one without end
// is refused instead of filling the memory.
func TestLongLines(t *testing.T) {
	var b strings.Builder
	b.WriteString(`time\geo`)
	for i := range 100_000 {
		fmt.Fprintf(&b, "\tR%d ", i)
	}
	b.WriteString("\n2020" + strings.Repeat("\t1.5 ", 100_000) + "\n")
	o := read("x.tsv", strings.NewReader(b.String()))
	if o.err != nil || o.values != 100_000 {
		t.Errorf("%d values, error %v; want 100000", o.values, o.err)
	}
	o = read("x.tsv", io.MultiReader(strings.NewReader("geo\\time\t2020 \n"), endless{}))
	var bad *stat.FileError
	if !errors.As(o.err, &bad) || bad.At.Line != 2 || !strings.Contains(bad.Message, "64 MiB") {
		t.Errorf("got %v; want an error that line 2 is too long", o.err)
	}
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '7'
	}
	return len(p), nil
}

// TestStreaming: memory does not grow with the number of cells: the same rows, repeated a
// hundred times, need no more allocations.
func TestStreaming(t *testing.T) {
	head := "geo\\time\t2020 \t2019 \t2018 \n"
	rows := "AT\t1.5 b\t: c\t2 \nBE\t: \t7 bu\t0.25 \n"
	allocations := func(times int) float64 {
		text := head + strings.Repeat(rows, times)
		return testing.AllocsPerRun(5, func() {
			in := format.Input{Name: "x.tsv", Data: strings.NewReader(text)}
			for table, err := range eurostat.Formats()[0].Read(context.Background(), in) {
				if err != nil {
					t.Fatal(err)
				}
				for _, err := range table.Observations {
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
	// The runtime makes a few of its own, more under the race detector.
	if few, many := allocations(10), allocations(1000); many > few+20 {
		t.Errorf("%v allocations for 20 rows, %v for 2000", few, many)
	}
}
