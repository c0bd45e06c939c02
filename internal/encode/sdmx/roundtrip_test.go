package sdmx_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"almanac/internal/encode"
	"almanac/internal/encode/sdmx"
	"almanac/internal/encode/sdmx/csv"
	"almanac/internal/encode/sdmx/json"
	"almanac/internal/encode/sdmx/ml"
	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// What is written can be imported: the second store has the same observations.
func TestImports(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, file := range []string{"eurostat/tsv-new/sdg_08_10.tsv", "eurostat/tsv-old/ilc_lvhl21.tsv.gz", "ecb/ecb-data-generic-2.1.xml", "who/HWF_0001-gho-export.csv", "istat/47_850-data.xml"} {
		v := imported(t, filepath.Join(dir, file), nil)
		for _, form := range []struct {
			name  string
			write func(io.Writer, *sdmx.Message) error
			o     sdmx.MessageOptions
		}{
			{"csv2.csv", csv.Write, sdmx.MessageOptions{IsV3: true}}, {"csv1.csv", csv.Write, sdmx.MessageOptions{}},
			{"json2.json", json.Write, sdmx.MessageOptions{IsV3: true}}, {"json1.json", json.Write, sdmx.MessageOptions{}},
			{"specific.xml", ml.WriteSpecific, sdmx.MessageOptions{}}, {"generic.xml", ml.WriteGeneric, sdmx.MessageOptions{}},
		} {
			t.Run(v.Dataset.Code+" "+form.name, func(t *testing.T) {
				x, err := v.Select(t.Context(), stat.Query{Flags: true})
				if err != nil {
					t.Fatal(err)
				}
				m := sdmx.NewMessage(&encode.Table{Vintage: v, Extract: x})
				m.MessageOptions = form.o
				var text bytes.Buffer
				if err := form.write(&text, m); err != nil {
					t.Fatal(err)
				}
				again := imported(t, form.name, text.Bytes())
				want, got := observations(t, v), observations(t, again)
				if !maps.Equal(want, got) {
					for _, key := range slices.Sorted(maps.Keys(want)) {
						if got[key] != want[key] {
							t.Fatalf("%s is %s, want %s (%d and %d observations)", key, got[key], want[key], len(got), len(want))
						}
					}
					t.Fatalf("%d observations, want %d", len(got), len(want))
				}
			})
		}
	}
}

// imported imports a file, or a text in place of it, into a new store.
func imported(t *testing.T, name string, text []byte) *store.Vintage {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []importer.Outcome
	if text == nil {
		outcomes = im.Import(context.Background(), name)
	} else {
		outcomes = im.Read(context.Background(), name, bytes.NewReader(text))
	}
	if outcomes[0].Error != "" {
		t.Fatalf("%s: %s", name, outcomes[0].Error)
	}
	v, err := s.Vintage(context.Background(), outcomes[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// observations returns values and flags by the sorted codes and the period.
func observations(t *testing.T, v *store.Vintage) map[string]string {
	t.Helper()
	x, err := v.Select(context.Background(), stat.Query{Flags: true})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		for row, period := range b.Periods {
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				codes := []string{v.Dataset.Geography.Codes[b.Areas[b.Area[i]]].ID}
				for axis, code := range b.Key {
					codes = append(codes, sdmx.Unescape(v.Dataset.Dimensions[axis].Codes[code].ID))
				}
				slices.Sort(codes)
				value := fmt.Sprint(b.Value[i])
				if math.IsNaN(b.Value[i]) {
					value = ""
				}
				all[fmt.Sprint(codes, x.Periods[period])] = value + " " + string(b.Flags[i]) + " " + b.Note[i]
			}
		}
	}
	return all
}
