package encodetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/chart/words"
	"almanac/internal/encode"
	"almanac/internal/importer"
	"almanac/internal/licence"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

// Form is a form and how it is read back, best by a reader that was written by others.
type Form struct {
	Name    string // of its tests
	Write   func(io.Writer, *encode.Table, encode.Options) error
	Options encode.Options
	Read    func(t *testing.T, file []byte, table *encode.Table) []Cell
	// ImportAs is the name under which the file is imported into another store, in place of
	// Read. The JSON of both stores must be equal. Importing takes longer than reading, so each
	// dataset is imported in one of the forms, unless it is large.
	ImportAs string

	// What the form has no place for, or the reader does not tell.
	LacksUnits, LacksNotes, LacksLabels, LacksAreas bool
	FoldsUnits                                      bool // writes the multipliers of units in lower case
}

// maxImported is the number of values up to which a file is imported into another store.
const maxImported = 100_000

// Run runs the suite with each form or choice of options. dir is the folder of the offices'
// files.
func Run(t *testing.T, dir string, forms ...Form) {
	s := open(t)
	datasets := 0
	checkAll := func(t *testing.T, v *store.Vintage) {
		datasets++
		var some []*Form
		for i := range forms {
			if f := &forms[i]; f.ImportAs == "" || datasets%len(forms) == i && v.Observations <= maxImported {
				some = append(some, f)
			}
		}
		check(t, v, stat.Query{Flags: true}, transform.Transform{}, some...)
	}
	for _, file := range Files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, v := range load(t, s, importer.Options{Accept: true}, filepath.Join(dir, file)) {
				checkAll(t, v)
			}
		})
	}
	for _, made := range made {
		t.Run(made.name, func(t *testing.T) {
			checkAll(t, read(t, s, made.options, made.name+".csv", made.text))
		})
	}
	v := read(t, s, importer.Options{}, "failing.csv", made[0].text)
	for i := range forms {
		f := &forms[i]
		if f.ImportAs != "" {
			t.Run("derived", func(t *testing.T) { f.checkDerived(t, v) })
			continue
		}
		t.Run("a reading that fails", func(t *testing.T) { f.checkFailingRead(t, v) })
		t.Run("a writing that fails", func(t *testing.T) { f.checkFailingWrite(t, v) })
		t.Run("writings at the same time", func(t *testing.T) { f.checkConcurrent(t, v) })
		t.Run("nothing", func(t *testing.T) {
			check(t, v, stat.Query{Flags: true, Select: [][]int32{{}, nil}}, transform.Transform{}, f)
		})
		t.Run("derived", func(t *testing.T) {
			check(t, v, stat.Query{Flags: true}, transform.Transform{Kind: transform.Change}, f)
		})
	}
}

// open returns an empty store.
func open(t *testing.T) *store.Store {
	t.Helper()
	now := time.Date(2026, 11, 28, 10, 20, 30, 0, time.UTC)
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// load imports a file and returns its datasets.
func load(t *testing.T, s *store.Store, o importer.Options, path string) []*store.Vintage {
	t.Helper()
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return vintages(t, s, im.Import(context.Background(), path))
}

// read imports a text as a file with a name and returns its dataset.
func read(t *testing.T, s *store.Store, o importer.Options, name, text string) *store.Vintage {
	t.Helper()
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return vintages(t, s, im.Read(context.Background(), name, strings.NewReader(text)))[0]
}

func vintages(t *testing.T, s *store.Store, outcomes []importer.Outcome) (list []*store.Vintage) {
	t.Helper()
	for _, o := range outcomes {
		if o.Error != "" {
			t.Fatal(o.Error)
		}
		v, err := s.Vintage(context.Background(), o.ID)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// table returns the table of a query.
func table(t *testing.T, v *store.Vintage, q stat.Query, how transform.Transform) *encode.Table {
	t.Helper()
	read := func() (*stat.Extract, error) {
		x, err := v.Select(context.Background(), how.Query(q))
		if err == nil && !how.IsZero() {
			x = how.Apply(x, q, words.In("")).Extract
		}
		return x, err
	}
	x, err := read()
	if err != nil {
		t.Fatal(err)
	}
	l, _ := licence.Of(v.Dataset.Source.ID)
	return &encode.Table{
		Vintage: v, Extract: x, Transform: how.String(), Licence: l, Address: "https://example.org/api/datasets/1/data.csv?flags=true", Versions: "https://example.org/api/datasets/1/versions",
		Again: func() (iter.Seq2[*stat.Block, error], error) {
			x, err := read()
			return x.Blocks, err
		},
		Notices: func(isEmpty bool) []encode.Notice {
			if !isEmpty {
				return nil
			}
			return []encode.Notice{{Parameter: "dim1", Value: "x", Message: `no data match "x"`}}
		},
	}
}

// check checks that what is read back of forms is what the JSON has.
func check(t *testing.T, v *store.Vintage, q stat.Query, how transform.Transform, forms ...*Form) {
	t.Helper()
	want := jsonCells(t, table(t, v, q, how))
	for _, f := range forms {
		t.Run(f.Name, func(t *testing.T) {
			written := table(t, v, q, how)
			var file bytes.Buffer
			if err := f.Write(&file, written, f.Options); err != nil {
				t.Fatal(err)
			}
			var cells []Cell
			switch {
			case f.ImportAs == "":
				cells = f.Read(t, file.Bytes(), written)
			case f.Options.Wide != "" && len(v.Periods) > maxColumns:
				return
			case len(want) > 0: // else there is nothing to import
				again := read(t, open(t), importer.Options{}, f.ImportAs, file.String())
				if d := again.Dataset; d.Source.ID != v.Dataset.Source.ID || d.Code != v.Dataset.Code {
					t.Errorf("the dataset is %s:%s, want %s:%s", d.Source.ID, d.Code, v.Dataset.Source.ID, v.Dataset.Code)
				}
				cells = jsonCells(t, table(t, again, q, how))
			}
			compare(t, f, cells, want)
		})
	}
}

// maxColumns is the number of periods up to which a file with a column for each can be imported.
const maxColumns = 2000

// checkDerived checks that a file of derived values, which are not the office's, is not imported.
func (f *Form) checkDerived(t *testing.T, v *store.Vintage) {
	var file bytes.Buffer
	if err := f.Write(&file, table(t, v, stat.Query{Flags: true}, transform.Transform{Kind: transform.Change}), f.Options); err != nil {
		t.Fatal(err)
	}
	im, err := importer.New(open(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range im.Read(context.Background(), f.ImportAs, &file) {
		if !strings.Contains(o.Error, "the values are derived") {
			t.Errorf("error %q", o.Error)
		}
	}
}

// checkConcurrent checks that writings at the same time are alike: forms reuse memory.
func (f *Form) checkConcurrent(t *testing.T, v *store.Vintage) {
	files := make([]bytes.Buffer, 8)
	var writings sync.WaitGroup
	for i := range files {
		x := table(t, v, stat.Query{Flags: true}, transform.Transform{})
		writings.Go(func() {
			if err := f.Write(&files[i], x, f.Options); err != nil {
				t.Error(err)
			}
		})
	}
	writings.Wait()
	for i := range files {
		if !bytes.Equal(files[i].Bytes(), files[0].Bytes()) {
			t.Fatalf("writing %d differs from the first", i)
		}
	}
}

var errBroken = errors.New("broken")

// checkFailingRead checks that a form returns the error of an extract, so that a file that
// ends too early does not look whole.
func (f *Form) checkFailingRead(t *testing.T, v *store.Vintage) {
	x := table(t, v, stat.Query{Flags: true}, transform.Transform{})
	blocks := x.Extract.Blocks
	x.Extract.Blocks = func(yield func(*stat.Block, error) bool) {
		for b, err := range blocks {
			if !yield(b, err) {
				return
			}
			break
		}
		yield(nil, errBroken)
	}
	if err := f.Write(io.Discard, x, f.Options); !errors.Is(err, errBroken) {
		t.Errorf("the error of the extract is lost: %v", err)
	}
}

// brokenWriter fails.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

// checkFailingWrite checks that a form returns the error of the writer.
func (f *Form) checkFailingWrite(t *testing.T, v *store.Vintage) {
	x := table(t, v, stat.Query{Flags: true}, transform.Transform{})
	if err := f.Write(brokenWriter{}, x, f.Options); !errors.Is(err, errBroken) {
		t.Errorf("the error of the writer is lost: %v", err)
	}
}
