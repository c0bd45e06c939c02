package px_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/px"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// realFile is a file of an office and its expected properties.
type realFile struct {
	path, office, code string
	geography          string
	cells, missing     int // those of the list of the files
}

var realFiles = []realFile{
	{"bfs/px-x-0602000000_107.px", "bfs", "px-x-0602000000_107", "", 60800, 0},
	{"greenland/BEXSTA_windows_1252.px", "statgl", "BEXSTA", "", 7200, 0},
	{"greenland/SOXATI4.px", "statgl", "SOXATI4", "", 864, 0},
	{"ine/27067.px", "ine", "27067", "Comunidades y Ciudades Autónomas", 812, 460},
	{"nordic/NAAC01.px", "nordic", "NAAC01", "reporting country", 6720, 1445},
	{"scb/BE0101A1.px", "scb", "BE0101A1", "region", 33936, 0},
	{"scb/BE0101F1langensvfiolikacelln.px", "scb", "BE0101F1", "region", 48, 0},
	{"scb/BE101ACEkeys.px", "scb", "BE0101A1", "", 7488, 0}, // 78 of 84 rows are given
	{"scb/EXEMPEL2-symbols.px", "scb", "BE0101F1", "region", 48, 6},
	{"scb/HA0201E8-quarter.px", "scb", "HA0201E8", "", 117, 0},
	{"scb/PR0101B3-month.px", "scb", "PR0101B3", "", 324, 0},
	{"scb/TAB002-eurostat-by-citizenship.px", "eurostat", "TAB002", "REGION", 19800, 9921},
	{"scb/TAB005-land-use.px", "scb", "TAB005", "REGION", 6402, 107},
	{"scb/TAB2936.px", "scb", "TAB2936", "", 189, 37},
	{"ssb/03024-WeeklyStatisticsWithTwoContent.px", "ssb", "03024", "", 4, 0},
	{"ssb/migration-MultipleContent.px", "ssb", "11327", "", 53820, 0},
	{"ssb/Transmengde.px", "ssb", "08811", "", 27300, 0},
	{"statfin/HalfYearStatistics.px", "statfin", "statfin_ktps_pxt_111p", "", 56, 0},
	{"statfin/perheet-LargeFinnishDatasetWithManyValues.px", "statfin", "statfin_perh_pxt_12c1", "Alue", 149872, 0},
}

// sample returns a real file as the importer passes it to readers.
func sample(t testing.TB, path string) formattest.Sample {
	t.Helper()
	return stattest.Sample(t, "px/"+path)
}

// TestEveryCell: every cell of every file of the offices is read with its codes, period,
// value, flag, note and position.
func TestEveryCell(t *testing.T) {
	for _, file := range realFiles {
		t.Run(filepath.Base(file.path), func(t *testing.T) {
			s := sample(t, file.path)
			tables, err := formattest.Read(t.Context(), px.Formats()[0], s)
			if err != nil {
				t.Fatal(err)
			}
			d, r := tables[0].Dataset, tables[0].Report
			if d.Source.ID != file.office || d.Code != file.code || d.Geography.ID != file.geography {
				t.Errorf("%s:%s with the geography %q; want %s:%s with %q", d.Source.ID, d.Code, d.Geography.ID, file.office, file.code, file.geography)
			}
			if r.Read != file.cells || r.Missing != file.missing || r.Dropped() != 0 {
				t.Errorf("read %d, missing %d, dropped %d; want %d, %d, 0", r.Read, r.Missing, r.Dropped(), file.cells, file.missing)
			}
			small := smallOpen(t, s.Data)
			want := small.cells(strings.ToUpper(file.office))
			if strings.HasPrefix(file.path, "bfs") || strings.HasPrefix(file.path, "statfin/perheet") {
				for i := range want { // labels and notes are English, and the small reader's are not
					want[i].note = small.english(want[i].note)
				}
			}
			if len(tables[0].All) != len(want) {
				t.Fatalf("%d observations; want %d", len(tables[0].All), len(want))
			}
			for i, o := range tables[0].All {
				if got := wordsOf(d, small, o); got != want[i] {
					t.Fatalf("cell %d:\ngot  %+v\nwant %+v", i+1, got, want[i])
				}
			}
		})
	}
}

// english returns the English text of the only remark of a file.
func (f *smallFile) english(note string) string {
	if note == "" {
		return ""
	}
	for _, r := range f.remarks {
		if r.language == "en" {
			return r.text
		}
	}
	return ""
}

// wordsOf returns an observation as the small reader writes it, its codes in the order
// of the file.
func wordsOf(d *stat.Dataset, f *smallFile, o stat.Observation) smallCell {
	c := smallCell{period: o.Period.SDMX(), value: fmt.Sprint(o.Value), flag: string(o.Flags), at: o.At}
	timeName, _ := f.time()
	next := 0
	for _, v := range f.vars {
		if v == timeName {
			continue
		}
		if len(d.Geography.Codes) > 0 && next == d.GeographyAt && !strings.HasPrefix(c.key, "\x00") {
			c.key = "\x00" + c.key + d.Geography.Codes[o.Key[len(o.Key)-1]].ID + "|"
			continue
		}
		c.key += d.Dimensions[next].Codes[o.Key[next]].ID + "|"
		next++
	}
	c.key = strings.TrimPrefix(c.key, "\x00")
	lines := strings.Split(o.Note, "\n")
	slices.Sort(lines)
	c.note = strings.Join(lines, "\n")
	return c
}

// TestManifest: the numbers of cells are those of the manifest, which counts the cells
// that sparse tables leave out.
func TestManifest(t *testing.T) {
	manifest, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "MANIFEST.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("\\| `px/([^`]*)` .* (\\d+) data cells").FindAllStringSubmatch(string(manifest), -1)
	if len(rows) != 21 {
		t.Fatalf("%d files are listed; want 21", len(rows))
	}
	for _, row := range rows {
		at := slices.IndexFunc(realFiles, func(f realFile) bool { return f.path == row[1] })
		if at < 0 || row[1] == "scb/BE101ACEkeys.px" {
			continue // refused files have a test of their own
		}
		if fmt.Sprint(realFiles[at].cells) != row[2] {
			t.Errorf("%s: %d cells are tested, %s listed", row[1], realFiles[at].cells, row[2])
		}
	}
}

// TestWithoutTime: files without a time are refused unless the caller states the period
// of their numbers.
func TestWithoutTime(t *testing.T) {
	for path, cells := range map[string]int{"ine/14001.px": 8064, "scb/10variabler.px": 17920} {
		s := sample(t, path)
		if _, err := formattest.Read(t.Context(), px.Formats()[0], s); err == nil || !strings.Contains(err.Error(), "state the period") {
			t.Errorf("%s: error %v; want one that asks for --period", path, err)
		}
		s.In.Period = "2018"
		tables, err := formattest.Read(t.Context(), px.Formats()[0], s)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if r := tables[0].Report; r.Read != cells || tables[0].All[0].Period.String() != "2018" {
			t.Errorf("%s: %d cells; want %d", path, r.Read, cells)
		}
	}
}

// TestNilIsZero: men and women add up to the total in all cells of BEXSTA. In 835 cases
// one or all of the three are "-", which must be zero.
func TestNilIsZero(t *testing.T) {
	tables, err := formattest.Read(t.Context(), px.Formats()[0], sample(t, "greenland/BEXSTA_windows_1252.px"))
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]float64{} // total − men − women
	nils := map[string]int{}
	sign := map[string]float64{"T": 1, "M": -1, "K": -1}
	for _, o := range tables[0].All {
		d := tables[0].Dataset
		place := fmt.Sprint(o.Key[0], o.Key[2:])
		sum[place] += sign[d.Dimensions[1].Codes[o.Key[1]].ID] * o.Value
		if o.Flags == "STATGL:-" {
			nils[place]++
		}
	}
	testable := 0
	for place, rest := range sum {
		if rest != 0 {
			t.Errorf("%s: %v remain", place, rest)
		}
		if nils[place] > 0 {
			testable++
		}
	}
	if len(sum) != 2400 || testable != 835 {
		t.Errorf("%d places, %d with a nil; want 2400 and 835", len(sum), testable)
	}
}

// TestConform: the reader keeps the contract of all formats, on files of each kind.
func TestConform(t *testing.T) {
	var samples []formattest.Sample
	for _, path := range []string{
		"greenland/BEXSTA_windows_1252.px", "greenland/SOXATI4.px", "ine/27067.px", "nordic/NAAC01.px", "scb/BE101ACEkeys.px",
		"scb/EXEMPEL2-symbols.px", "scb/TAB2936.px", "ssb/03024-WeeklyStatisticsWithTwoContent.px", "ssb/Transmengde.px", "statfin/HalfYearStatistics.px",
	} {
		samples = append(samples, sample(t, path))
	}
	formattest.Conform(t, px.Formats()[0], samples...)
}

// TestRecognise: all PX files are recognised by their beginning alone; files of other
// formats are not.
func TestRecognise(t *testing.T) {
	own := []string{"px/ine/14001.px", "px/scb/10variabler.px"} // without any time
	for _, f := range realFiles {
		own = append(own, "px/"+f.path)
		if data := sample(t, f.path).Data; !px.Formats()[0].Recognise("file", data[:min(len(data), 64<<10)]) {
			t.Errorf("%s is not recognised under another name", f.path)
		}
	}
	stattest.CheckRecognition(t, px.Formats(), own...)
	for _, other := range []string{"", "TITLE=\"x\"", "MATRIX=1", "{\"CHARSET\":1}", "CHARSET;TITLE=\n", "<xml/>"} {
		if px.Formats()[0].Recognise("x.px", []byte(other)) {
			t.Errorf("%q is recognised as PX", other)
		}
	}
}

// TestEnglish: the labels of a file with English as its second language are English, each
// with the code at the same position.
func TestEnglish(t *testing.T) {
	for path, name := range map[string]string{
		"bfs/px-x-0602000000_107.px":                           "Businesses by difficulties in recruiting staff, economic divisions (selection) and education level (in %)",
		"statfin/perheet-LargeFinnishDatasetWithManyValues.px": "12c1 -- Key figures on families by family type and area, 2006-2022",
	} {
		s := sample(t, path)
		tables, err := formattest.Read(t.Context(), px.Formats()[0], s)
		if err != nil {
			t.Fatal(err)
		}
		d, small := tables[0].Dataset, smallOpen(t, s.Data)
		if d.Name != name {
			t.Errorf("%s is called %q", path, d.Name)
		}
		english := slices.Concat(small.says["STUB[en]"], small.says["HEADING[en]"])
		for i, v := range small.vars {
			at := slices.IndexFunc(d.Axes(), func(axis *stat.Dimension) bool { return axis.Label == english[i] })
			if small.says["TIMEVAL[]"+v] != nil {
				continue
			}
			if at < 0 {
				t.Errorf("%s: no dimension is called %q", path, english[i])
				continue
			}
			for j, code := range d.Axes()[at].Codes {
				if label := strings.TrimSpace(small.says["VALUES[en]"+english[i]][j]); code.ID != small.codes(v)[j] || code.Label != label {
					t.Errorf("%s: code %q is %q; want %q, %q", path, code.ID, code.Label, small.codes(v)[j], label)
				}
			}
		}
	}
}

// TestMissingIsMarked: a cell without a number always has a flag.
func TestMissingIsMarked(t *testing.T) {
	tables, err := formattest.Read(t.Context(), px.Formats()[0], sample(t, "scb/EXEMPEL2-symbols.px"))
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	for _, o := range tables[0].All {
		if math.IsNaN(o.Value) {
			flags = append(flags, string(o.Flags))
		}
	}
	if got := strings.Join(flags, " "); got != "SCB:one SCB:two SCB:three SCB:four SCB:five SCB:six" {
		t.Errorf("flags %s", got)
	}
}
