// Package formattest is the conformance test of file formats: what every reader
// promises for every file. It is for tests.
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

// Sample is a file that a format must read.
type Sample struct {
	Name string // base name
	Data []byte
	// In holds the options of the caller and the dictionaries; its Name, Data and
	// Again come from the sample.
	In format.Input
	// HasEnd means that the file ends with a mark (XML, JSON), so that it is an
	// error if it is truncated.
	HasEnd bool
}

// Table is a table with all its observations, whose keys are copies.
type Table struct {
	*stat.Table
	All []stat.Observation
}

// input returns the sample as the importer passes it to a format; open returns its
// bytes.
func (s *Sample) input(open func() io.Reader) format.Input {
	in := s.In
	in.Name, in.Data = s.Name, open()
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(open()), nil }
	return in
}

func (s *Sample) recognisedBy(f format.Format) bool {
	return f.Recognise(s.Name, s.Data[:min(len(s.Data), 64<<10)])
}

// Read reads a sample as the importer does.
func Read(ctx context.Context, f format.Format, s Sample) ([]Table, error) {
	in := s.input(func() io.Reader { return bytes.NewReader(s.Data) })
	return readAll(ctx, f, in.Until(ctx))
}

func readAll(ctx context.Context, f format.Format, in format.Input) ([]Table, error) {
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

// ReadOne reads a sample with one table.
func ReadOne(t testing.TB, f format.Format, s Sample) Table {
	t.Helper()
	tables, err := Read(t.Context(), f, s)
	if err != nil || len(tables) != 1 {
		t.Fatalf("%s: %d tables, error %v", s.Name, len(tables), err)
	}
	return tables[0]
}

// FormatOf returns the one format that recognises a sample.
func FormatOf(t testing.TB, formats []format.Format, s Sample) format.Format {
	t.Helper()
	found := slices.DeleteFunc(slices.Clone(formats), func(f format.Format) bool { return !s.recognisedBy(f) })
	if len(found) != 1 {
		t.Fatalf("%s is recognised by %d formats, not one", s.Name, len(found))
	}
	return found[0]
}

// Conform tests what every format promises with each sample. A format's own tests
// compare the values.
func Conform(t *testing.T, f format.Format, samples ...Sample) {
	t.Helper()
	for _, s := range samples {
		t.Run(s.Name, func(t *testing.T) {
			if !s.recognisedBy(f) {
				t.Errorf("%s does not recognise its own file, which begins %.60q", f.Name, s.Data)
			}
			tables, err := Read(t.Context(), f, s)
			if err != nil {
				t.Fatalf("reading: %v", err)
			}
			if len(tables) == 0 {
				t.Fatal("the format returns no table and no error")
			}
			checkTables(t, tables)
			again, err := Read(t.Context(), f, s)
			if err != nil || Describe(again) != Describe(tables) {
				t.Errorf("reading the file again gives another result (error %v)", err)
			}
			checkCuts(t, f, s)
			CheckReadErrors(t, f, s)
			if len(s.Data) < 256<<10 {
				return // a small file may be read before anything checks the context
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := Read(ctx, f, s); !errors.Is(err, context.Canceled) {
				t.Errorf("reading with a cancelled context: error %v, want context.Canceled", err)
			}
		})
	}
}

// CheckReadErrors reads the sample as a file that can be unpacked only in part: in
// the middle or after the last byte, reading fails with [io.ErrUnexpectedEOF]. The
// format must return an error with the line; workbooks have no lines.
func CheckReadErrors(t *testing.T, f format.Format, s Sample) {
	t.Helper()
	for _, size := range []int{len(s.Data) / 2, len(s.Data)} {
		in := s.input(func() io.Reader {
			return io.MultiReader(bytes.NewReader(s.Data[:size]), iotest.ErrReader(io.ErrUnexpectedEOF))
		})
		var err error
		if f.Read != nil {
			_, err = readAll(t.Context(), f, in)
		} else {
			_, err = f.Learn(t.Context(), in)
		}
		at, isFileError := errors.AsType[*stat.FileError](err)
		switch {
		case err == nil:
			t.Errorf("reading fails after %d of %d bytes, but the format returns no error", size, len(s.Data))
		case !isFileError || at.At.Line < 1 && !bytes.HasPrefix(s.Data, []byte("PK\x03\x04")):
			t.Errorf("reading fails after %d of %d bytes, and the error does not name the line: %v", size, len(s.Data), err)
		}
	}
}

func checkTables(t *testing.T, tables []Table) {
	t.Helper()
	for _, table := range tables {
		if problem := Problem(table); problem != "" {
			t.Error(problem)
		}
	}
}

// Problem returns what is wrong with a table of any format, or an empty text.
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
			return fmt.Sprintf("line %d: an observation without a value, flag or note", o.At.Line)
		case !math.IsNaN(o.Value) && o.Flags.Missing():
			return fmt.Sprintf("line %d: the value %v has the flags %s, which mean that it is missing", o.At.Line, o.Value, o.Flags)
		case o.At.Line < 1:
			return "an observation without a line number"
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

// checkCuts reads the file truncated in at least 40 places, at every byte if it has
// fewer, and to whole kilobytes if it is large. An empty file is one of them.
func checkCuts(t *testing.T, f format.Format, s Sample) {
	t.Helper()
	step := max(1, len(s.Data)/40)
	if step > 1024 {
		step = step / 1024 * 1024
	}
	for size := 0; size < len(s.Data); size += step {
		cut := s
		cut.Data = s.Data[:size]
		tables, err := Read(t.Context(), f, cut)
		if err != nil {
			checkError(t, err)
			continue
		}
		if s.HasEnd && len(bytes.TrimSpace(s.Data[size:])) > 0 {
			t.Errorf("the file truncated to %d of %d bytes is read without an error", size, len(s.Data))
		}
		checkTables(t, tables)
	}
}

// checkError checks that an error is about the file, not an internal one.
func checkError(t *testing.T, err error) {
	t.Helper()
	if _, isFileError := errors.AsType[*stat.FileError](err); !isFileError && stat.KindOf(err) == stat.Internal {
		t.Errorf("the error is not a *stat.FileError: %v", err)
	}
}

// Fuzz runs a fuzz test: for all bytes the reader ends without a panic, accounts
// for every cell, and returns only errors about the file.
func Fuzz(f *testing.F, reader format.Format, seeds ...Sample) {
	for _, s := range seeds {
		f.Add(s.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := Sample{Name: "fuzz", Data: data}
		if len(seeds) > 0 {
			s.Name, s.In = seeds[0].Name, seeds[0].In
		}
		s.recognisedBy(reader)
		tables, err := Read(t.Context(), reader, s)
		if err != nil {
			checkError(t, err)
			return
		}
		checkTables(t, tables)
	})
}
