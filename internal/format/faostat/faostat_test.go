package faostat_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/format/faostat"
	"almanac/internal/format/formattest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

const (
	portal = "Domain Code,Domain,Area Code (M49),Area,Element Code,Element,Item Code (CPC),Item,Year Code,Year,Unit,Value,Flag,Flag Description,Note\n" +
		"\"QCL\",\"Crops\",\"804\",\"Ukraine\",\"5510\",\"Production\",\"0111\",\"Wheat\",\"2014\",\"2014\",\"t\",\"0\",\"M\",\"Missing value\",\"x\"\n"
	wide = "Area Code,Area Code (M49),Area,Item Code,Item,Element Code,Element,Unit,Y2014,Y2014F,Y2014N,Y2015,Y2015F\n230,'804,Ukraine,15,Wheat,5510,Production,t,5,A,x,,M\n"
)

func crops(t testing.TB) formattest.Sample {
	return stattest.Sample(t, "fao/FAOSTAT_data-UKR-crops.csv")
}

// TestCrops compares every record of the real file with encoding/csv.
func TestCrops(t *testing.T) {
	s := crops(t)
	rows, err := csv.NewReader(bytes.NewReader(s.Data[3:])).ReadAll() // after the byte order mark
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{
		"Official figure": "A", "Imputed value": "I", "Estimated value": "E", "Figure from international organizations": "FAO:X",
		"Missing value (data cannot exist, not applicable)": "M",
	}
	var want []string
	missing := 0
	for _, c := range rows[1:] {
		flag := flags[c[13]]
		value, err := strconv.ParseFloat(c[11], 64)
		if flag == "" || err != nil {
			t.Fatalf("flag %q, error %v", c[13], err)
		}
		number := fmt.Sprint(value)
		if flag == "M" {
			missing++
			number = "NaN"
		}
		line := fmt.Sprintf("%s,%s,%s, %s = %s %q %q", c[4], c[6], c[2], c[9], number, flag, c[10])
		if c[14] != "" {
			line += fmt.Sprintf(" %q", c[14])
		}
		want = append(want, line)
	}
	table := formattest.ReadOne(t, faostat.Formats()[0], s)
	formattest.SameLines(t, table, want)
	if r := table.Report; len(want) != 3246 || r.Read != 3246 || r.Missing != 54 || missing != 54 {
		t.Errorf("%d records, %d read, %d missing; the file has 3246, of which 54 are missing", len(want), r.Read, r.Missing)
	}
	if d := table.Dataset; d.Code != "QCL" || d.Name != "Crops and livestock products" {
		t.Errorf("the dataset is %s %q", d.Code, d.Name)
	}
}

// TestMonths compares the first areas of the real file of changes of temperature with
// encoding/csv: months are periods, seasons and the meteorological year a dimension.
func TestMonths(t *testing.T) {
	packed := stattest.SampleMore(t, "fao-temp/Environment_Temperature_change_E_All_Data_(Normalized).zip").Data
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := archive.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data := make([]byte, 1<<20)
	if _, err := io.ReadFull(file, data); err != nil {
		t.Fatal(err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	rows, err := csv.NewReader(bytes.NewReader(bytes.ReplaceAll(data, []byte{0x96}, []byte("–")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range rows[1:] { // Area Code, Area, Months Code, Months, Element Code, Element, Year Code, Year, Unit, Value, Flag
		part, period := c[2], c[7]
		if month, err := time.Parse("January", c[3]); err == nil {
			part, period = "_Z", month.Format("01/")+c[7]
		}
		if value, err := strconv.ParseFloat(c[9], 64); err == nil {
			want = append(want, fmt.Sprintf("%s,%s,%s, %s = %v", c[4], part, c[1], period, value))
		}
	}
	table := formattest.ReadOne(t, faostat.Formats()[0], formattest.Sample{Name: "t.csv", Data: data})
	var got []string
	for _, o := range table.All {
		if !math.IsNaN(o.Value) {
			o.Flags, o.Unit = "", ""
			got = append(got, formattest.Line(table.Dataset, o))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 5000 {
		t.Errorf("%d values (-want +got):\n%.2000s", len(want), diff)
	}
	if table.Report.Dropped() != 0 {
		t.Errorf("%d cells are dropped", table.Report.Dropped())
	}
}

func TestConform(t *testing.T) {
	formattest.Conform(t, faostat.Formats()[0], crops(t), formattest.Sample{Name: "wide.csv", Data: []byte(wide)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, faostat.Formats()[0], formattest.Sample{Name: "portal.csv", Data: []byte(portal)},
		formattest.Sample{Name: "wide.csv", Data: []byte(wide)})
}

// TestManyColumns checks that an endless line of headings is refused quickly.
func TestManyColumns(t *testing.T) {
	head, rest, _ := strings.Cut(portal, "\n")
	data := []byte(head + strings.Repeat(",x,y Code", 300_000) + "\n" + rest)
	f := faostat.Formats()[0]
	if f.Recognise("x.csv", data[:64<<10]) {
		t.Error("a table with too many columns is recognised")
	}
	if _, err := formattest.Read(t.Context(), f, formattest.Sample{Name: "x.csv", Data: data}); stat.KindOf(err) != stat.Refused {
		t.Errorf("the error is %v", err)
	}
}

// TestCharset checks that names in windows-1252 are read, and that the encoding is noted.
func TestCharset(t *testing.T) {
	data := strings.Replace(portal, "Ukraine", "C\xf4te d'Ivoire", 1)
	tables, err := formattest.Read(t.Context(), faostat.Formats()[0], formattest.Sample{Name: "x.csv", Data: []byte(data)})
	if err != nil {
		t.Fatal(err)
	}
	if text := formattest.Describe(tables); !strings.Contains(text, `"Côte d'Ivoire"`) || !strings.Contains(text, "note encoding 1 windows-1252") {
		t.Errorf("the meaning is\n%s", text)
	}
}
