package sdmxml_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/office"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// real is a file of an office and what is expected of it.
type real struct {
	file, structure string // "zip|member" for a member of a zip
	source, code    string
	dims            string // in order; the geography is marked with *
	plainDims       string // without the structure; empty if they are the same
	obs, missing    int
	unit            func(row) string
}

// row is an observation as the independent reader finds it: its attributes and those
// of its data set and series.
type row map[string]string

var reals = []real{
	{file: "bis/BIS_DER-generic.xml", source: "bis", code: "BIS_DER", obs: 1000, missing: 640, dims: bisDims, unit: is("USD (millions)")},
	{file: "bis/BIS_DER-structure-specific.xml", source: "bis", code: "BIS_DER", obs: 1000, missing: 640, dims: bisDims, unit: is("USD (millions)")},
	{file: "destatis/destatis-data-compact-2.0.xml", source: "destatis", code: "DCS", obs: 1197, unit: is("millions"),
		dims: "FREQ DATA_DOMAIN *REF_AREA INDICATOR COUNTERPART_AREA"},
	{file: "ecb/ecb-data-generic-2.1.xml", structure: "ecb/ecb-datastructure-2.1.xml", source: "ecb", code: "ECB_EXR1", obs: 9195, missing: 149,
		dims: ecbDims, unit: currency},
	{file: "ecb/ecb-data-specific-2.1.xml", structure: "ecb/ecb-datastructure-2.1.xml", source: "ecb", code: "ECB_EXR1", obs: 9205, missing: 149,
		dims: ecbDims, unit: currency},
	{file: "eurostat/sdmx-ml/NAMA_10_GDP-ss.xml", source: "eurostat", code: "NAMA_10_GDP", obs: 4, dims: "*geo na_item unit freq", unit: is("")},
	{file: "eurostat/sdmx-ml/NRG_BAL_S-data.xml", structure: "eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", source: "eurostat", code: "NRG_BAL_S", obs: 33,
		dims: "freq nrg_bal siec unit *geo", plainDims: "*geo siec unit freq nrg_bal", unit: is("")},
	{file: "eurostat/sdmx-ml/nama_10_fcs.sdmx.zip|nama_10_fcs.sdmx.xml", structure: "eurostat/sdmx-ml/nama_10_fcs.sdmx.zip|nama_10_fcs.dsd.xml",
		source: "eurostat", code: "nama_10_fcs", obs: 70534, missing: 255, dims: "freq unit na_item *geo", unit: is("")},
	{file: "imf/imf-dot-data-compact-2.0.xml", structure: "imf/imf-dot-datastructure-2.0.xml", source: "imf", code: "DOT", obs: 126,
		dims: "*REF_AREA INDICATOR VIS_AREA FREQ", plainDims: "FREQ *REF_AREA INDICATOR VIS_AREA", unit: is("")},
	{file: "insee/insee-data-generic-2.1.xml", structure: "insee/insee-datastructure-2.1.xml", source: "insee", code: "IPI-2010-A21", obs: 3240,
		dims: "FREQ PRODUIT NATURE *REF_AREA", unit: inseeUnit},
	{file: "insee/insee-data-specific-2.1.xml", structure: "insee/insee-datastructure-2.1.xml", source: "insee", code: "IPI-2010-A21", obs: 3240,
		dims: "FREQ PRODUIT NATURE *REF_AREA", unit: inseeUnit},
	{file: "istat/47_850-data.xml", source: "istat", code: "47_850", obs: 22, unit: is(""),
		dims: "FREQ *REF_AREA DATA_TYPE TYPE_SOCIO_EDUC_SERVICE TYPE_MANAGEMENT HOLDER_SECTOR_PUBPRIV"},
	{file: "oecd/oecd-mei-data-generic.xml", structure: "oecd/oecd-mei-datastructure-2.0.xml", source: "oecd", code: "MEI", obs: 1569,
		dims: "*LOCATION SUBJECT MEASURE FREQUENCY", unit: is("Index")},
	{file: "statcan/34100158.zip|34100158_1.xml", structure: "statcan/34100158.zip|34100158_Structure.xml", source: "statcan", code: "DF_34100158",
		obs: 4927, dims: "*Geography", unit: is("Units (thousands)")},
	{file: "statcan/34100158.zip|34100158_10.xml", structure: "statcan/34100158.zip|34100158_Structure.xml", source: "statcan", code: "DF_34100158",
		obs: 52, dims: "*Geography", unit: is("Units (thousands)")},
}

const (
	bisDims = "FREQ DER_TYPE DER_INSTR DER_RISK *DER_REP_CTY DER_SECTOR_CPY DER_CPC DER_SECTOR_UDL DER_CURR_LEG1 DER_CURR_LEG2 DER_ISSUE_MAT DER_RATING DER_EX_METHOD DER_BASIS"
	ecbDims = "FREQ CURRENCY CURRENCY_DENOM EXR_TYPE EXR_SUFFIX"
)

func is(unit string) func(row) string { return func(row) string { return unit } }

func currency(r row) string {
	return map[string]string{"ARS": "Argentine peso", "AUD": "Australian dollar"}[r["UNIT"]]
}

// inseeUnit: the office's structure names no list for the unit. POND, a weight
// in millions of euros, has the power 6.
func inseeUnit(r row) string {
	if r["NATURE"] == "POND" {
		return "EUR (millions)"
	}
	return "SO"
}

// TestRealFiles compares every observation of the offices' files with an
// independent reading, with and without the structure.
func TestRealFiles(t *testing.T) {
	for _, f := range reals {
		t.Run(filepath.Base(f.file), func(t *testing.T) {
			data := open(t, f.file)
			rows := independent(t, data)
			sample := formattest.Sample{Name: "data.xml", Data: data, HasEnd: true}
			plain := f
			if f.structure != "" {
				f.compare(t, readOne(t, f.with(t, sample)), rows)
				plain.unit = nil
			}
			if f.plainDims != "" {
				plain.dims = f.plainDims
			}
			plain.compare(t, readOne(t, sample), rows)
		})
	}
}

// TestConform checks the promises of all formats.
func TestConform(t *testing.T) {
	for _, f := range reals {
		if strings.Contains(f.file, "nama_10_fcs") || strings.Contains(f.file, "ecb-data-generic") {
			continue // others are alike and shorter
		}
		formattest.Conform(t, sdmxml.Formats()[0], formattest.Sample{Name: filepath.Base(f.file), Data: open(t, f.file), HasEnd: true})
	}
}

// with adds the dictionary of the file's structure to a sample.
func (f real) with(t *testing.T, s formattest.Sample) formattest.Sample {
	known := learn(t, f.source, open(t, f.structure))
	s.In.Dictionary = func(source string) *stat.Dictionary {
		if source == f.source {
			return known
		}
		return nil
	}
	return s
}

func readOne(t *testing.T, s formattest.Sample) formattest.Table {
	t.Helper()
	tables, err := formattest.Read(t.Context(), sdmxml.Formats()[0], s)
	if err != nil || len(tables) != 1 {
		t.Fatalf("%d tables, error %v", len(tables), err)
	}
	if problem := formattest.Problem(tables[0]); problem != "" {
		t.Fatal(problem)
	}
	return tables[0]
}

// compare checks a table against the rows of the independent reading.
func (f real) compare(t *testing.T, table formattest.Table, rows []row) {
	t.Helper()
	d := table.Dataset
	if d.Source.ID != f.source || d.Code != f.code || dimsOf(d) != f.dims {
		t.Fatalf("%s:%s with %s; want %s:%s with %s", d.Source.ID, d.Code, dimsOf(d), f.source, f.code, f.dims)
	}
	if table.Report.Read != f.obs || len(rows) != f.obs || table.Report.Missing != f.missing || table.Report.Dropped() != 0 {
		t.Fatalf("read %d, missing %d, dropped %d; want %d and %d; the file has %d", table.Report.Read, table.Report.Missing, table.Report.Dropped(), f.obs, f.missing, len(rows))
	}
	if table.Prepared.IsZero() {
		t.Error("no time of preparation")
	}
	at := 0
	for i, r := range rows {
		value, flags := r.value(t), r.flags(f.source)
		if math.IsNaN(value) && flags == "" && r["OBS_COM"] == "" {
			continue
		}
		o := table.All[at]
		at++
		period, err := stat.ParsePeriod(r.first("TIME_PERIOD", "TIME"))
		if err != nil {
			t.Fatal(err)
		}
		for k, axis := range d.Axes() {
			if axis.ID != "" && axis.Codes[o.Key[k]].ID != r.first(axis.ID, strings.ToUpper(axis.ID)) {
				t.Fatalf("observation %d: %s is %s; want %v", i, axis.ID, axis.Codes[o.Key[k]].ID, r)
			}
		}
		freq, _ := office.Frequency(f.source, r.first("FREQ", "freq", "FREQUENCY"))
		sameValue := o.Value == value || math.IsNaN(o.Value) && math.IsNaN(value)
		if o.Period != period || !sameValue || o.Flags != flags || o.Note != r["OBS_COM"] || o.Frequency != freq {
			t.Fatalf("observation %d is %s; want %v", i, formattest.Line(d, o), r)
		}
		if f.unit != nil && o.Unit != f.unit(r) {
			t.Fatalf("observation %d has the unit %q; want %q", i, o.Unit, f.unit(r))
		}
	}
	if at != len(table.All) {
		t.Errorf("%d observations; want %d", len(table.All), at)
	}
}

// dimsOf lists the dimensions in the source's order.
func dimsOf(d *stat.Dataset) string {
	var ids []string
	for _, dim := range d.Dimensions {
		ids = append(ids, dim.ID)
	}
	if d.Geography.ID != "" {
		ids = slices.Insert(ids, d.GeographyAt, "*"+d.Geography.ID)
	}
	return strings.Join(ids, " ")
}

// first returns the first of some attributes that the row has.
func (r row) first(names ...string) string {
	for _, name := range names {
		if value := r[name]; value != "" {
			return value
		}
	}
	return ""
}

func (r row) value(t *testing.T) float64 {
	text := r.first("OBS_VALUE", "VALUE")
	if text == "" || text == "NaN" {
		return math.NaN()
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// flags returns the expected flags.
func (r row) flags(source string) stat.Flags {
	status := r["OBS_STATUS"]
	if source == "eurostat" {
		status = map[string]string{"": "", "p": "P", "e": "E", "b": "B", "c": "CONF_STATUS:C Q"}[status]
	}
	if conf := r["OBS_CONF"]; conf != "" {
		status += " CONF_STATUS:" + conf
	}
	return stat.NewFlags(status)
}

// independent reads a message with encoding/xml, element by element.
func independent(t *testing.T, data []byte) (rows []row) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(data))
	levels := []row{{}} // of the open elements
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			levels = append(levels, enter(e, levels[len(levels)-1]))
		case xml.CharData:
			if top := levels[len(levels)-1]; top["·"] == "Time" {
				levels[len(levels)-2]["TIME_PERIOD"] += string(e)
			}
		case xml.EndElement:
			if e.Name.Local == "Obs" {
				rows = append(rows, levels[len(levels)-1])
			}
			levels = levels[:len(levels)-1]
		}
	}
}

// enter returns the attributes of an element and of those around it. In generic data,
// elements add to the attributes of the series or observation around them.
func enter(e xml.StartElement, around row) row {
	at := map[string]string{}
	for _, a := range e.Attr {
		at[a.Name.Local] = a.Value
	}
	switch e.Name.Local {
	case "SeriesKey", "Attributes":
		return around
	case "Value":
		around[at["id"]+at["concept"]] = at["value"]
		return around
	case "ObsDimension":
		around["TIME_PERIOD"] = at["value"]
		return around
	case "ObsValue":
		around["OBS_VALUE"] = at["value"]
		return around
	case "Time":
		return row{"·": "Time"}
	}
	own := row{}
	for _, from := range []row{around, at} {
		for name, value := range from {
			own[name] = value
		}
	}
	return own
}

// open reads a file, or a member of a zip.
func open(t testing.TB, file string) []byte {
	t.Helper()
	name, member, zipped := strings.Cut(file, "|")
	path := filepath.Join(stattest.DataDir(t), filepath.FromSlash(name))
	if !zipped {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	in, err := archive.Open(member)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
