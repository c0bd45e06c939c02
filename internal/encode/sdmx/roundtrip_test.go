package sdmx_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
		checkForms(t, imported(t, filepath.Join(dir, file), nil))
	}
}

// TestFlagsAreImported writes several flags of one number, own flags of the office, flags without
// a number and notes, and reads them again.
func TestFlagsAreImported(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // flags and notes that occur
	}{
		{"une.tsv", "freq,unit,geo\\TIME_PERIOD\t2018 \t2019 \t2020 \nA,NR,DE\t1.5 bu\t2 p\t3 bep\nA,NR,FR\t: c\t: z\t0 es\nA,NR,IT\t: bu\t4 \t-5 n\n", []string{"B U ", "B E P ", "CONF_STATUS:C Q "}},
		{"notes.csv", "DATAFLOW,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS,OBS_COMMENT\n" +
			"ESTAT:NOTES(1.0),A,DE,2018,1,B,F,\"first, \"\"second\"\"\"\nESTAT:NOTES(1.0),A,DE,2019,NaN,M,N,<not> & nothing\nESTAT:NOTES(1.0),A,FR,2018,0,,,ملاحظة\n",
			[]string{"B CONF_STATUS:F first, \"second\"", "CONF_STATUS:N M <not> & nothing", " ملاحظة"}},
	} {
		v := imported(t, c.name, []byte(c.text))
		all := slices.Collect(maps.Values(observations(t, v)))
		for _, want := range c.want {
			if !slices.ContainsFunc(all, func(o string) bool { return strings.HasSuffix(o, " "+want) }) {
				t.Errorf("%s: no observation has %q: %q", c.name, want, all)
			}
		}
		checkForms(t, v)
	}
}

// checkForms writes a vintage in all forms, imports what is written and compares.
func checkForms(t *testing.T, v *store.Vintage) {
	t.Helper()
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
						t.Fatalf("%s is %q, want %q (%d and %d observations)", key, got[key], want[key], len(got), len(want))
					}
				}
				t.Fatalf("%d observations, want %d", len(got), len(want))
			}
		})
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

// TestOrderOfDimensions reads files with more dimensions than a key has room for: a flow has them in
// the order of the file.
func TestOrderOfDimensions(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, name := range []string{"bis/BIS_DER-generic.xml", "bis/BIS_DER-sdmx-csv-1.0.csv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range sdmx.FlowFor(imported(t, filepath.Join(dir, name), nil)).Dimensions {
			got = append(got, d.ID)
		}
		isListed := map[string]bool{}
		for _, id := range got {
			isListed[id] = true
		}
		if want := dimensionsOf(text, isListed); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// dimensionsOf returns the dimensions of a file of generic SDMX-ML or SDMX-CSV that are listed, in its
// order.
func dimensionsOf(text []byte, isListed map[string]bool) []string {
	heading, _, _ := bytes.Cut(text, []byte("\n"))
	names := strings.FieldsFunc(string(heading), func(r rune) bool { return strings.ContainsRune(",;:\"\r \ufeff", r) })
	if _, after, isXML := bytes.Cut(text, []byte("SeriesKey>")); isXML {
		key, _, _ := bytes.Cut(after, []byte("SeriesKey>"))
		names = nil
		for _, match := range regexp.MustCompile(`id="(\w+)"`).FindAllSubmatch(key, -1) {
			names = append(names, string(match[1]))
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !isListed[name] })
}
