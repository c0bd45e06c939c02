package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// realTable says how a file of data-more is imported, and what an independent reader
// finds in it. The readers in tables_read_test.go share no code with the program.
type realTable struct {
	path    string // below data-more
	source  string // of the datasets; "": local
	with    string // a second file of the same command, or ""
	flags   string // what the command adds that the refusal prints; "": the file is read at first try
	refused string // a part of the reason, if no command helps
	stated  string // what is stated then, if somebody knows it: "--period=2005"
	codes   bool   // labels come from elsewhere: compare codes alone
	fault   string // what is known to be wrong: the file is not compared
	large   bool   // compared with ALMANAC_SOAK=1 only
	values  int
	dropped int // cells with a value that are not stored
	open    func(t *testing.T, data []byte) grid
	facts   func(g grid, add func(fact, string))
}

func allTables() []realTable { return slices.Concat(listTables, officeTables, crossTables) }

func (table realTable) sourceID() string { return cmp.Or(table.source, "local") }

// fact is a place in a table: everything that is known of a number.
type fact struct {
	dataset string // its code, if the file holds several
	area    string // as it is served, and the office's code if that differs: "US-GA Georgia"
	key     string // codes of the dimensions, with their labels if these differ: "F|P=Percent|"
	period  string
	unit    string
	flags   string
}

// TestTables imports each file of data-more with the real program, as a user does, and
// compares each number that is stored with what an independent reader finds in the file:
// area, codes, period, unit, flags and value. A file that is refused must be read after
// the command that the message gives.
func TestTables(t *testing.T) {
	areas, currencies = readAreas(t), readCurrencies(t)
	for _, table := range allTables() {
		t.Run(filepath.Dir(table.path), func(t *testing.T) {
			t.Parallel()
			if table.fault != "" {
				t.Skip("known fault: " + table.fault)
			}
			if table.large && stattest.Rounds(t, 0, 1) == 0 {
				t.Skip("large: see ALMANAC_SOAK")
			}
			data := stattest.SampleMore(t, table.path).Data
			stattest.SkipLargeUnderRace(t, int64(len(data)))
			dir, missing := table.load(t)
			if table.facts == nil {
				return
			}
			want := map[fact]float64{}
			table.facts(table.open(t, data), func(f fact, cell string) {
				v, err := strconv.ParseFloat(cell, 64)
				if err != nil || math.IsNaN(v) {
					missing--
					return
				}
				if before, ok := want[f]; ok && before != v {
					t.Errorf("the independent reader finds %v and %v at %+v", before, v, f)
				}
				want[f] = v
			})
			if missing != 0 {
				t.Errorf("the import counts %d more missing cells than the independent reader", missing)
			}
			if len(want) != table.values {
				t.Errorf("the independent reader finds %d values, want %d", len(want), table.values)
			}
			compareFacts(t, table.stored(t, dir), want)
		})
	}
}

// load imports the file, if necessary with the command that the refusal prints, and
// returns the folder of the store and the number of missing cells.
func (table realTable) load(t *testing.T) (dir string, missing int) {
	t.Helper()
	folder := filepath.Join(stattest.DataDir(t), "..", "data-more")
	dir = filepath.Join(t.TempDir(), "store")
	args := []string{"import", "--data", dir, "--json", filepath.Join(folder, table.path)}
	if table.with != "" {
		args = append(args, filepath.Join(folder, table.with))
	}
	stdout, stderr, _ := commandLine(t, args...)
	got := outcomes(t, stdout)
	switch {
	case table.refused != "":
		isWhole := got.command != "" && !strings.Contains(got.command, stat.AnyPeriod)
		if isWhole || !strings.Contains(got.refusal, table.refused) {
			t.Errorf("refused with %q, command %q; want the reason %q and no whole command", got.refusal, got.command, table.refused)
		}
		if table.stated != "" {
			got = outcomes(t, must(t, append(args, table.stated)...))
		}
	case table.flags == "":
		if got.refusal != "" || stdout == "" {
			t.Fatalf("refused: %s%s", got.refusal, stderr)
		}
	case !strings.Contains(got.command, table.flags):
		t.Fatalf("the refusal prints the command %q, want one with %q", got.command, table.flags)
	default:
		out, err := exec.Command("sh", "-c", got.command+" --json").Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", got.command, err, out)
		}
		got = outcomes(t, string(out))
	}
	if got.dropped != table.dropped {
		t.Errorf("%d cells with a value are dropped, want %d", got.dropped, table.dropped)
	}
	return dir, got.missing
}

// outcome is what an import says: its last refusal of data, the command that this prints,
// and the number of cells without a value and of those that are not stored.
type outcome struct {
	refusal, command string
	missing, dropped int
}

func outcomes(t *testing.T, stdout string) (all outcome) {
	t.Helper()
	for line := range strings.Lines(stdout) {
		var o struct {
			Status, Error, Try string
			Observations       struct{ Missing, Dropped int }
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if o.Status == "refused" && !strings.Contains(o.Error, "holds no data") {
			all.refusal, all.command = o.Error, o.Try
		}
		all.missing += o.Observations.Missing
		all.dropped += o.Observations.Dropped
	}
	return all
}

// stored returns the values of all datasets of a store.
func (table realTable) stored(t *testing.T, dir string) map[fact]float64 {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	facts := map[fact]float64{}
	entries := s.Catalog().Entries
	for _, e := range entries {
		if want := table.sourceID(); e.Source != want {
			t.Errorf("the source is %s, want %s", e.Source, want)
		}
		v, err := s.Vintage(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		x, err := v.Select(t.Context(), stat.Query{Flags: true})
		if err != nil {
			t.Fatal(err)
		}
		var f fact
		if len(entries) > 1 {
			f.dataset = e.Code
		}
		for b, err := range x.Blocks {
			if err != nil {
				t.Fatal(err)
			}
			f.key, f.unit = "", x.Dataset.UnitOf(b.Key, b.Unit)
			for dim, code := range b.Key {
				c := x.Dataset.Dimensions[dim].Codes[code]
				if f.key += c.ID; !table.codes {
					f.key += labelText(c)
				}
				f.key += "|"
			}
			addBlock(facts, f, x, b)
		}
	}
	return facts
}

func addBlock(facts map[fact]float64, f fact, x *stat.Extract, b *stat.Block) {
	for row, period := range b.Periods {
		f.period = x.Periods[period].String()
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			if math.IsNaN(b.Value[i]) {
				continue
			}
			code := x.Dataset.Geography.Codes[b.Areas[b.Area[i]]]
			f.area, f.flags = areaText(code.Area, code.ID), string(b.Flags[i])
			facts[f] = b.Value[i]
		}
	}
}

// labelText returns the label of a code if it says more, after an equals sign.
func labelText(c stat.Code) string {
	if label := cmp.Or(c.SourceLabel, c.Label); label != c.ID && label != "" {
		return "=" + label
	}
	return ""
}

// areaText returns an area, with the office's code if that differs.
func areaText(area, code string) string {
	if area == "" || area == code {
		return code
	}
	return area + " " + code
}

func compareFacts(t *testing.T, got, want map[fact]float64) {
	t.Helper()
	shown := 0
	for f, v := range want {
		if g, ok := got[f]; (!ok || g != v) && shown < 5 {
			t.Errorf("%q = %v, but stored is %s", f, v, nearest(got, f, v))
			shown++
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d values are stored, want %d", len(got), len(want))
	}
}

// nearest describes what is stored with a value.
func nearest(got map[fact]float64, f fact, v float64) string {
	for other, value := range got {
		if value == v && other.period == f.period {
			return fmt.Sprintf("%q", other)
		}
	}
	for other := range got {
		if other.key == f.key && other.area == f.area {
			return fmt.Sprintf("%q %v", other, got[other])
		}
	}
	for other := range got {
		return "such as " + fmt.Sprintf("%q %v", other, got[other])
	}
	return "nothing"
}
