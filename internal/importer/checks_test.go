package importer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/format"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// tables returns a format that yields the given tables for any file.
func tables(tables ...*stat.Table) *format.Format {
	return &format.Format{
		Name: "made up",
		Read: func(context.Context, format.Input) iter.Seq2[*stat.Table, error] {
			return func(yield func(*stat.Table, error) bool) {
				for _, t := range tables {
					if !yield(t, nil) {
						return
					}
				}
			}
		},
	}
}

// oneDimension is a table with one dimension of one code, one area, and the
// given observations.
func oneDimension(code string, report *stat.Report, observations ...stat.Observation) *stat.Table {
	return &stat.Table{
		Dataset: &stat.Dataset{
			Source: stat.Source{ID: "nso", Name: "Office"}, Code: code,
			Dimensions: []stat.Dimension{{ID: "sex", Role: stat.RoleOther, Codes: []stat.Code{{ID: "T"}}}},
			Geography:  stat.Dimension{ID: "geo", Role: stat.RoleGeo, Codes: []stat.Code{{ID: "DE"}}},
		},
		Report: report,
		Observations: func(yield func(stat.Observation, error) bool) {
			for _, o := range observations {
				if !yield(o, nil) {
					return
				}
			}
		},
	}
}

func observation(key ...int32) stat.Observation {
	return stat.Observation{Key: key, Period: stat.NewPeriod(stat.Annual, 2024, 1), Value: 1, At: stat.Position{Line: 2, Column: 3}}
}

// newImporter returns an importer into a new store.
func newImporter(t *testing.T) (*Importer, *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	im, err := New(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return im, s
}

// importTables does what Import does once a file is open and recognised.
func importTables(t *testing.T, r *format.Format) ([]Outcome, *store.Store, error) {
	t.Helper()
	im, s := newImporter(t)
	empty := content{name: "file", format: r, open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }}
	read, err := im.read(t.Context(), &unpackedFile{rawFile: rawFile{name: "file"}, data: []content{empty}})
	if err == nil {
		err = im.complete(t.Context(), read)
	}
	if err != nil {
		return nil, s, err
	}
	outcomes, err := im.publish(t.Context(), read)
	return outcomes, s, err
}

func TestSeveralDatasetsInOneFile(t *testing.T) {
	outcomes, s, err := importTables(t, tables(
		oneDimension("a", &stat.Report{Read: 1}, observation(0, 0)),
		oneDimension("b", &stat.Report{Read: 1}, observation(0, 0)),
	))
	if err != nil {
		t.Fatal(err)
	}
	if len(outcomes) != 2 || outcomes[0].Code != "a" || outcomes[1].Code != "b" || len(s.Catalog().Entries) != 2 {
		t.Errorf("%+v, want one dataset and one outcome for each code", outcomes)
	}
}

// TestReaderThatBreaksItsContract: a mistake of a reader is detected before anything is
// published.
func TestReaderThatBreaksItsContract(t *testing.T) {
	good := func() *stat.Table { return oneDimension("good", &stat.Report{Read: 1}, observation(0, 0)) }
	failing := oneDimension("late", &stat.Report{Read: 1})
	failing.Observations = func(yield func(stat.Observation, error) bool) {
		if yield(observation(0, 0), nil) {
			yield(stat.Observation{}, stat.BadFile(stat.Position{Line: 9}, "broken"))
		}
	}
	other := good()
	other.Dataset.Dimensions[0].ID = "age"
	inf := observation(0, 0)
	inf.Value = math.Inf(1)
	cases := []struct {
		name string
		r    *format.Format
		kind stat.Kind
		want string
	}{
		{"a cell that is not accounted for", tables(oneDimension("x", &stat.Report{Read: 3, Missing: 1}, observation(0, 0))), stat.Internal, "3 cells of x were read, but 1 values + 1 missing + 0 dropped"},
		{"a position without a code", tables(oneDimension("x", &stat.Report{Read: 1}, observation(1, 0))), stat.Internal, "no code at position 1 of dimension sex"},
		{"a position below zero", tables(oneDimension("x", &stat.Report{Read: 1}, observation(0, -1))), stat.Internal, "no code at position -1 of dimension geo"},
		{"an infinite value", tables(oneDimension("x", &stat.Report{Read: 1}, inf)), stat.Refused, "infinite"},
		{"no observations", tables(oneDimension("x", &stat.Report{Read: 1, Missing: 1})), stat.Refused, "x has no observations"},
		{"no dataset", tables(), stat.Refused, "no dataset"},
		{"a dataset without a code", tables(oneDimension("", &stat.Report{Read: 1}, observation(0, 0))), stat.Refused, "state it"},
		{"an error in a later dataset refuses the earlier ones", tables(good(), failing), stat.Refused, "broken"},
		{"two datasets with one code and different structures", tables(good(), other), stat.Refused, "different structures (sex, geo and age, geo)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, s, err := importTables(t, c.r)
			if err == nil || stat.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want kind %d and the text %q", err, c.kind, c.want)
			}
			if n := len(s.Catalog().Entries); n != 0 {
				t.Errorf("the catalogue has %d datasets, want none", n)
			}
		})
	}
}

// FuzzUnpack: a file is either refused with a line, or its bytes are read, unpacked if
// they were packed.
func FuzzUnpack(f *testing.F) {
	f.Add("a.tsv", []byte("geo\\time\t2022 \nDE\t1 \n"))
	f.Add("a.tsv.gz", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add("a.gz", []byte("\x1f\x8b"))
	f.Add("a.zip", []byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		in, err := unpack(rawFile{name: name, at: bytes.NewReader(body), size: int64(len(body))})
		if err != nil {
			var at *stat.FileError
			if !errors.As(err, &at) || at.At.Line == 0 {
				t.Fatalf("error %v has no line", err)
			}
			return
		}
		for _, c := range in {
			r, err := c.open()
			if err != nil {
				continue
			}
			read, err := io.ReadAll(r)
			if !strings.HasPrefix(string(read), string(c.head)) {
				t.Fatalf("the head is %q, but the content begins differently: %q", c.head, read)
			}
			packed := strings.HasPrefix(string(body), "\x1f\x8b") || c.member != ""
			if !packed && (err != nil || cmp.Diff(string(body), string(read)) != "") {
				t.Fatalf("read %q (%v), want the bytes of the file", read, err)
			}
		}
	})
}

// Headings that are areas are the geography, and are not called indicators. A later import of the
// dataset does the same, even if most of its headings are unknown.
func TestGeographyOfHeadings(t *testing.T) {
	im, s := newImporter(t)
	im.options.Code = "a"
	for _, table := range []string{"Year,France,Spain\n2020,1,2\n2021,3,4\n", "Year,France,Spain,Zone A,Zone B,Zone C,Zone D\n2020,1,2,3,4,5,6\n2021,3,4,5,6,7,8\n"} {
		got := im.Read(t.Context(), "a.csv", strings.NewReader(table))
		if len(got) != 1 || got[0].Error != "" {
			t.Fatalf("%+v", got)
		}
		v, err := s.Vintage(t.Context(), got[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if g := v.Dataset.Geography; g.ID != "geo" || g.Label != "Geography" || len(v.Dataset.Dimensions) != 0 {
			t.Errorf("the geography is %s %q beside %d dimensions", g.ID, g.Label, len(v.Dataset.Dimensions))
		}
	}
}

// A dimension becomes the geography because of its codes, without a second reading of
// the file. A later import of the dataset does the same.
func TestGeographyByCodesIsReadOnce(t *testing.T) {
	im, s := newImporter(t)
	reads := 0
	made := format.Format{
		Name:      "made up",
		Recognise: func(string, []byte) bool { return true },
		Read: func(context.Context, format.Input) iter.Seq2[*stat.Table, error] {
			reads++
			from := oneDimension("a", &stat.Report{Read: 2}, observation(0, 1, 0), observation(0, 0, 0))
			place := stat.Dimension{ID: "place", Role: stat.RoleOther, Codes: []stat.Code{{ID: "DE", Label: "Germany"}, {ID: "FR", Label: "France"}}}
			from.Dataset.Dimensions = append(from.Dataset.Dimensions, place)
			from.Dataset.Geography = stat.Dimension{}
			return func(yield func(*stat.Table, error) bool) { yield(from, nil) }
		},
	}
	im.formats = []format.Format{made}
	for i, want := range []struct {
		status Status
		note   string
	}{{Created, NoteGeographyByCodes}, {Unchanged, NoteGeographyRemembered}} {
		got := im.Read(t.Context(), "a", strings.NewReader("a"))
		if len(got) != 1 || got[0].Status != want.status || reads != i+1 ||
			!slices.ContainsFunc(got[0].Notes, func(n stat.Note) bool { return n.Kind == want.note && n.Example == "place" }) {
			t.Fatalf("%+v after reading %d times, want status %s and the note %s", got, reads, want.status, want.note)
		}
	}
	v, err := s.Current(t.Context(), "nso", "a")
	if err != nil {
		t.Fatal(err)
	}
	if d := v.Dataset; d.Geography.ID != "place" || d.GeographyAt != 1 || len(d.Dimensions) != 1 || len(d.Geography.Codes) != 2 {
		t.Errorf("%+v, want dimension sex before the geography place", d)
	}
}
