// Package formattest is the conformance test of file formats: what every
// reader promises, whatever it reads. It is for tests.
package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
	"testing/iotest"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// Sample is a file that a format must read, with what is known of it.
type Sample struct {
	Name string // base name
	Data []byte
	// In holds what the caller states and the dictionaries; its Name, Data and
	// Again are filled in from the sample.
	In format.Input
	// Ends says that the format has a mark at its end (XML, JSON), so that a
	// file cut off anywhere must be an error.
	Ends bool
}

// Table is a table that was read to its end.
type Table struct {
	*stat.Table
	All []stat.Observation // with keys of their own
}

// Read reads a sample as the importer does.
func Read(ctx context.Context, f format.Format, s Sample) ([]Table, error) {
	in := s.In
	in.Name, in.Data = s.Name, bytes.NewReader(s.Data)
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.Data)), nil }
	return tables(ctx, f, in.Until(ctx))
}

// ReadOne reads a sample that holds one table.
func ReadOne(t testing.TB, f format.Format, s Sample) Table {
	t.Helper()
	tables, err := Read(t.Context(), f, s)
	if err != nil || len(tables) != 1 {
		t.Fatalf("%s: %d tables, error %v", s.Name, len(tables), err)
	}
	return tables[0]
}

// Only is the one format that recognises a sample.
func Only(t testing.TB, formats []format.Format, s Sample) format.Format {
	t.Helper()
	var found []format.Format
	for _, f := range formats {
		if f.Recognise(s.Name, s.Data[:min(len(s.Data), 64<<10)]) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s is recognised by %d formats", s.Name, len(found))
	}
	return found[0]
}

// tables reads all that a file holds.
func tables(ctx context.Context, f format.Format, in format.Input) ([]Table, error) {
	var all []Table
	for t, err := range f.Read(ctx, in) {
		if err != nil {
			return nil, err
		}
		read := Table{Table: t}
		for o, err := range t.Observations {
			if err != nil {
				return nil, err
			}
			o.Key = slices.Clone(o.Key)
			read.All = append(read.All, o)
		}
		all = append(all, read)
	}
	return all, nil
}

// Conform runs the tests on each sample. A format's own tests compare the
// values; these hold for all formats.
func Conform(t *testing.T, f format.Format, samples ...Sample) {
	t.Helper()
	for _, s := range samples {
		t.Run(s.Name, func(t *testing.T) {
			head := s.Data[:min(len(s.Data), 64<<10)]
			if !f.Recognise(s.Name, head) {
				t.Errorf("%s does not recognise its own file, which begins %.60q", f.Name, head)
			}
			if !f.Recognise("file", head) && !f.Recognise("FILE"+s.Name, head) {
				t.Logf("%s knows the file by its name only", f.Name)
			}
			tables, err := Read(t.Context(), f, s)
			if err != nil {
				t.Fatalf("reading: %v", err)
			}
			if len(tables) == 0 {
				t.Fatal("the file yields no table and no error")
			}
			for _, table := range tables {
				checkTable(t, table)
			}
			again, err := Read(t.Context(), f, s)
			if err != nil || Describe(again) != Describe(tables) {
				t.Errorf("a second reading gives something else (error %v)", err)
			}
			checkCuts(t, f, s)
			checkInterrupted(t, f, s)
			Breaks(t, f, s)
		})
	}
}

// Breaks reads the sample as a file that can be unpacked only in part: in the
// middle, or behind its last byte, reading it ends with
// [io.ErrUnexpectedEOF]. That must be an error with the line where it happens;
// workbooks have no lines.
func Breaks(t *testing.T, f format.Format, s Sample) {
	t.Helper()
	for _, size := range []int{len(s.Data) / 2, len(s.Data)} {
		open := func() io.Reader {
			return io.MultiReader(bytes.NewReader(s.Data[:size]), iotest.ErrReader(io.ErrUnexpectedEOF))
		}
		in := s.In
		in.Name, in.Data = s.Name, open()
		in.Again = func() (io.ReadCloser, error) { return io.NopCloser(open()), nil }
		var err error
		if f.Read != nil {
			_, err = tables(t.Context(), f, in)
		} else {
			_, err = f.Learn(t.Context(), in)
		}
		var at *stat.FileError
		switch {
		case err == nil:
			t.Errorf("reading breaks off after %d of %d bytes, and there is no error", size, len(s.Data))
		case !errors.As(err, &at) || at.At.Line < 1 && !bytes.HasPrefix(s.Data, []byte("PK\x03\x04")):
			t.Errorf("reading breaks off after %d of %d bytes, and the error does not say in which line: %v", size, len(s.Data), err)
		}
	}
}

// checkTable checks what holds for every table.
func checkTable(t *testing.T, table Table) {
	t.Helper()
	if problem := Problem(table); problem != "" {
		t.Error(problem)
	}
}

// Problem is what is wrong with a table, whatever was read; empty if nothing.
func Problem(table Table) string {
	d, r := table.Dataset, table.Report
	axes := d.Axes()
	values := 0
	for _, o := range table.All {
		if len(o.Key) != len(axes) {
			return fmt.Sprintf("a key of %d positions for %d axes", len(o.Key), len(axes))
		}
		for i, at := range o.Key {
			none := i == len(axes)-1 && d.Geography.ID == "" && at == 0
			if !none && (at < 0 || int(at) >= len(axes[i].Codes)) {
				return fmt.Sprintf("line %d: no code at position %d of %q", o.At.Line, at, axes[i].ID)
			}
		}
		switch {
		case o.Period.IsZero():
			return fmt.Sprintf("line %d: an observation without a period", o.At.Line)
		case math.IsInf(o.Value, 0):
			return fmt.Sprintf("line %d: an infinite value", o.At.Line)
		case math.IsNaN(o.Value) && o.Flags == "" && o.Note == "":
			return fmt.Sprintf("line %d: an observation of nothing was yielded", o.At.Line)
		case !math.IsNaN(o.Value) && o.Flags.Missing():
			return fmt.Sprintf("line %d: the value %v under the status %s, which says that there is none", o.At.Line, o.Value, o.Flags)
		case o.At.Line < 1:
			return "an observation without a line"
		}
		if !math.IsNaN(o.Value) {
			values++
		}
	}
	if r.Read != values+r.Missing+r.Dropped() {
		return fmt.Sprintf("read %d, but %d values + %d missing + %d dropped", r.Read, values, r.Missing, r.Dropped())
	}
	for _, axis := range axes {
		seen := map[string]bool{}
		for _, c := range axis.Codes {
			if c.ID == "" || seen[c.ID] {
				return fmt.Sprintf("dimension %q has an empty code, or %q twice", axis.ID, c.ID)
			}
			seen[c.ID] = true
		}
	}
	for i, dim := range d.Dimensions {
		if dim.ID == "" || dim.Role == "" || dim.Role == stat.RoleGeo {
			return fmt.Sprintf("dimension %d has the ID %q and the role %q", i+1, dim.ID, dim.Role)
		}
	}
	return ""
}

// checkCuts reads the file cut off at kilobytes, at most 40 of them.
func checkCuts(t *testing.T, f format.Format, s Sample) {
	t.Helper()
	step := max(1024, len(s.Data)/40/1024*1024)
	for size := step; size < len(s.Data); size += step {
		cut := s
		cut.Data = s.Data[:size]
		tables, err := Read(t.Context(), f, cut)
		if err != nil {
			checkError(t, err)
			continue
		}
		if s.Ends && len(bytes.TrimSpace(s.Data[size:])) > 0 {
			t.Errorf("cut off after %d of %d bytes, the file is read without an error", size, len(s.Data))
		}
		for _, table := range tables {
			checkTable(t, table)
		}
	}
}

// checkError checks that an error is about the file.
func checkError(t *testing.T, err error) {
	t.Helper()
	var at *stat.FileError
	if !errors.As(err, &at) && stat.KindOf(err) == stat.Internal {
		t.Errorf("the error is no *stat.FileError: %v", err)
	}
}

// checkInterrupted: a reading that is interrupted says so.
func checkInterrupted(t *testing.T, f format.Format, s Sample) {
	t.Helper()
	if len(s.Data) < 256<<10 {
		return // may be read before anybody looks
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, f, s); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted reading ends with %v", err)
	}
}

// Fuzz runs a fuzz test: whatever the bytes are, the reader ends without
// panic, accounts for every cell, and its errors are about the file.
func Fuzz(f *testing.F, reader format.Format, seeds ...Sample) {
	for _, s := range seeds {
		f.Add(s.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := Sample{Name: "fuzz", Data: data}
		if len(seeds) > 0 {
			s.Name, s.In = seeds[0].Name, seeds[0].In
		}
		reader.Recognise(s.Name, data[:min(len(data), 64<<10)])
		tables, err := Read(t.Context(), reader, s)
		if err != nil {
			checkError(t, err)
			return
		}
		for _, table := range tables {
			checkTable(t, table)
		}
	})
}

// Describe writes tables as text: structure, then a line for each
// observation in the file's order. For comparisons and for cases.
func Describe(tables []Table) string {
	var b bytes.Buffer
	for _, t := range tables {
		d := t.Dataset
		fmt.Fprintf(&b, "dataset %s:%s %q", d.Source.ID, d.Code, d.Name)
		if d.Unit != "" {
			fmt.Fprintf(&b, " unit %q", d.Unit)
		}
		if !d.Updated.IsZero() {
			fmt.Fprintf(&b, " updated %s", d.Updated.Format("2006-01-02T15:04:05Z07:00"))
		}
		if t.Partial != "" {
			fmt.Fprintf(&b, " partial %q", t.Partial)
		}
		b.WriteByte('\n')
		for _, axis := range d.Axes() {
			fmt.Fprintf(&b, "%s %s %q:", axis.Role, axis.ID, axis.Label)
			if axis.Total != "" {
				fmt.Fprintf(&b, " (total %s)", axis.Total)
			}
			for _, c := range axis.Codes {
				fmt.Fprintf(&b, " %s", c.ID)
				if c.Label != "" {
					fmt.Fprintf(&b, "=%q", c.Label)
				}
				if c.Unit != "" {
					fmt.Fprintf(&b, "[%s]", c.Unit)
				}
			}
			b.WriteByte('\n')
		}
		for _, o := range t.All {
			b.WriteString(Line(d, o))
			b.WriteByte('\n')
		}
		r := t.Report
		fmt.Fprintf(&b, "read %d missing %d dropped %d\n", r.Read, r.Missing, r.Dropped())
		for _, n := range r.Notes() {
			fmt.Fprintf(&b, "note %s %d %s\n", n.Kind, n.Count, n.Example)
		}
	}
	return b.String()
}

// Line writes an observation: "B1GQ,DE 2014 = 3.5 P".
func Line(d *stat.Dataset, o stat.Observation) string {
	var b bytes.Buffer
	for i, axis := range d.Axes() {
		if int(o.Key[i]) < len(axis.Codes) {
			fmt.Fprintf(&b, "%s,", axis.Codes[o.Key[i]].ID)
		}
	}
	fmt.Fprintf(&b, " %s = %v", o.Period, o.Value)
	for _, text := range []string{string(o.Flags), o.Unit, o.Note} {
		if text != "" {
			fmt.Fprintf(&b, " %q", text)
		}
	}
	return b.String()
}
