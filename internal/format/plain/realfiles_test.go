package plain_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// realFile says for an independent reader what a file of an office holds.
type realFile struct {
	path   string
	comma  rune
	latin1 bool
	above  int    // records above the headings
	below  string // the first cell of the record where the notes begin

	dims   map[string]string // ID of each dimension, with its column
	labels map[string]string // columns of labels, by the ID
	code   map[string]string // columns of codes, if dims has a column for the rows without one
	period func(cell func(string) string) string
	values []string                     // columns of values; of the dimension INDICATOR if there are several
	wide   func(h string) (m, p string) // measure and period of a heading
	bounds []string                     // columns of LOWER and UPPER
	skip   string                       // a column whose filled cells mark rows that are not stored
	// decimal is the decimal sign; a comma between thousands is removed otherwise.
	decimal string
	count   int // values
}

func cellOf(name string) func(func(string) string) string {
	return func(cell func(string) string) string { return cell(name) }
}

// quarterIn rewrites 2008K1 and 2021T4 as Q1/2008.
func quarterIn(name string) func(func(string) string) string {
	return func(cell func(string) string) string { c := cell(name); return "Q" + c[5:] + "/" + c[:4] }
}

// monthAt rewrites a year and a month at fixed places.
func monthAt(name string, year, month int) func(func(string) string) string {
	return func(cell func(string) string) string { c := cell(name); return c[month:month+2] + "/" + c[year:year+4] }
}

func yearsAcross(h string) (measure, period string) {
	if regexp.MustCompile(`^[0-9]{4}$`).MatchString(h) {
		return "-", h
	}
	return "", ""
}

func measureAcross(form string) func(string) (string, string) {
	re := regexp.MustCompile(form)
	return func(h string) (string, string) {
		if m := re.FindStringSubmatch(h); m != nil {
			return m[1] + m[3], m[2]
		}
		return "", ""
	}
}

// lines returns the values of the file as lines that name each code with its dimension.
func (f realFile) lines(t *testing.T, data []byte) (lines []string) {
	t.Helper()
	if f.latin1 {
		table := charmap.Windows1252
		if strings.Contains(f.path, "stadat") { // Hungarian
			table = charmap.Windows1250
		}
		data, _ = table.NewDecoder().Bytes(data)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = max(f.comma, ','), -1, true
	if f.comma == '\t' {
		r.Comma = '\t'
	}
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	headings := records[f.above]
	at := map[string]int{}
	for i, h := range headings {
		code, _, _ := strings.Cut(strings.TrimSpace(h), "__") // of GENESIS
		at[strings.TrimSpace(h)], at[code] = i, i
	}
	f.values = f.valueColumns(headings)
	for _, row := range records[f.above+1:] {
		cell := func(name string) string {
			if i, ok := at[name]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			t.Fatalf("no column %q in %q", name, headings)
			return ""
		}
		if len(row) < 2 && f.below == "FUENTE" {
			continue
		}
		if f.below != "" && strings.HasPrefix(row[0], f.below) {
			break
		}
		if f.skip != "" && cell(f.skip) != "" {
			continue
		}
		lines = append(lines, f.rowLines(headings, row, cell)...)
	}
	return lines
}

// valueColumns returns the columns of values; "*2" is all from the third on.
func (f realFile) valueColumns(headings []string) []string {
	if len(f.values) != 1 || f.values[0][0] != '*' {
		return f.values
	}
	from, _ := strconv.Atoi(f.values[0][1:])
	var names []string
	for _, h := range headings[from:] {
		names = append(names, strings.TrimSpace(h))
	}
	return names
}

func (f realFile) rowLines(headings, row []string, cell func(string) string) (lines []string) {
	codes := map[string]string{}
	for id, name := range f.dims {
		codes[id] = cell(name)
		if code := f.code[id]; code != "" && cell(code) != "" {
			codes[id] = cell(code)
		}
		if label := f.labels[id]; label != "" {
			codes[id] += "=" + cell(label)
		}
	}
	add := func(period, text string) {
		if v, ok := f.number(text); ok {
			lines = append(lines, valueLine(codes, period, v))
		}
	}
	for i, h := range headings {
		if f.wide == nil || i >= len(row) {
			break
		}
		if measure, period := f.wide(strings.TrimSpace(h)); period != "" {
			if measure != "-" {
				codes["INDICATOR"] = measure
			}
			add(period, strings.TrimSpace(row[i]))
		}
	}
	for _, name := range f.values {
		if len(f.values) > 1 {
			codes["INDICATOR"] = name
		}
		if len(f.bounds) > 0 {
			codes["ESTIMATE"] = "VALUE=Value"
		}
		add(f.period(cell), cell(name))
		for i, bound := range f.bounds {
			codes["ESTIMATE"] = []string{"LOWER=Lower", "UPPER=Upper"}[i]
			add(f.period(cell), cell(bound))
		}
	}
	return lines
}

func (f realFile) number(text string) (float64, bool) {
	if f.decimal == "," {
		text = strings.ReplaceAll(text, ",", ".")
	} else {
		text = strings.ReplaceAll(text, ",", "")
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v)
}

func valueLine(codes map[string]string, period string, v float64) string {
	text := ""
	for _, id := range slices.Sorted(maps.Keys(codes)) {
		text += id + ":" + codes[id] + " "
	}
	return fmt.Sprintf("%s@%s %v", text, period, v)
}

// linesOf returns the values of a table in the same form.
func linesOf(table formattest.Table, hasLabel map[string]string) (lines []string) {
	for _, o := range table.All {
		if math.IsNaN(o.Value) {
			continue
		}
		codes := map[string]string{}
		for i, dim := range append(slices.Clone(table.Dataset.Dimensions), table.Dataset.Geography) {
			if dim.ID == "" {
				continue
			}
			code := dim.Codes[o.Key[i]]
			codes[dim.ID] = code.ID
			if hasLabel[dim.ID] != "" || dim.ID == "ESTIMATE" {
				codes[dim.ID] += "=" + code.Label
			}
		}
		lines = append(lines, valueLine(codes, o.Period.String(), o.Value))
	}
	return lines
}

var realFiles = []realFile{
	{path: "census-nst/nst-est2019-alldata.csv", dims: map[string]string{"NAME": "NAME"},
		wide: measureAcross(`^([A-Z]+?)_?(20[0-9]{2})(POP)?$`), count: 8322},
	{path: "nchs-lcod/NCHS_-_Leading_Causes_of_Death__United_States.csv",
		dims:   map[string]string{"Cause Name": "Cause Name", "State": "State"},
		labels: map[string]string{"Cause Name": "113 Cause Name"},
		period: cellOf("Year"), values: []string{"Deaths", "Age-adjusted Death Rate"}, count: 21736},
	{path: "owid-children/children-per-woman-un.csv", dims: map[string]string{"Code": "name"},
		code: map[string]string{"Code": "Code"}, labels: map[string]string{"Code": "name"}, period: cellOf("year"), values: []string{"n"}, count: 1400},
	{path: "statcan-db/1410028701_databaseLoadingData.csv", dims: map[string]string{"GEO": "GEO", "Labour force characteristics": "Labour force characteristics",
		"Sex": "Sex", "Age group": "Age group", "Statistics": "Statistics", "Data type": "Data type", "UOM_ID": "UOM_ID"},
		labels: map[string]string{"UOM_ID": "UOM"}, period: monthAt("REF_DATE", 0, 5), values: []string{"VALUE"}, count: 516},
	{path: "undp-hdr/HDR21-22_complete_time_series.csv", dims: map[string]string{"iso3": "iso3"}, labels: map[string]string{"iso3": "country"},
		wide: yearsAcross, count: 5923},
	{path: "dst-folk1a/FOLK1A.csv", comma: ';', dims: map[string]string{"OMRÅDE": "OMRÅDE", "KØN": "KØN", "ALDER": "ALDER"},
		period: quarterIn("TID"), values: []string{"INDHOLD"}, count: 31200},
	{path: "fred-graph/fredgraph.csv", period: monthAt("DATE", 0, 5), values: []string{"UNRATE", "MOUR", "CLMUR"}, count: 687},
	{path: "fred-unrate/UNRATE.csv", period: monthAt("DATE", 0, 5), values: []string{"UNRATE"}, count: 601},
	{path: "fred-fedfunds/FEDFUNDS.csv", period: monthAt("observation_date", 0, 5), values: []string{"FEDFUNDS"}, count: 860},
	{path: "bls-cu/cu.data.0.Current", comma: '\t', dims: map[string]string{"series_id": "series_id"}, values: []string{"value"}, period: blsPeriod, count: 537},
	{path: "boj-discount/discount_rate.csv", period: func(cell func(string) string) string { c := cell("Series code"); return c[5:] + "/" + c[:4] },
		values: []string{"IR01'MADR1M", "FM02'STRACLUCON"}, count: 1991},
	{path: "cbs-70262/70262ned_TypedDataSet_22052019_134459.csv", comma: ';', dims: map[string]string{"RegioS": "RegioS"},
		period: func(cell func(string) string) string { return cell("Perioden")[:4] }, count: 808,
		values: []string{"TotaleOppervlakte_1", "TotaalVerkeersterrein_2", "TotaalBebouwdTerrein_6", "TotaalSemiBebouwdTerrein_12", "TotaalRecreatieterrein_19",
			"TotaalAgrarischTerrein_25", "TotaalBosEnOpenNatuurlijkTerrein_28", "TotaalBinnenwater_32", "TotaalBuitenwater_42"}},
	{path: "cdc-wonder-div/Division.txt", comma: '\t', below: "---", skip: "Notes", dims: map[string]string{"Census Division Code": "Census Division Code"},
		labels: map[string]string{"Census Division Code": "Census Division"}, period: cellOf("Year"), values: []string{"Deaths", "Population", "Crude Rate"}, count: 297},
	{path: "cdc-wonder-ucd/Underlying Cause of Death, 1999-2018.txt", comma: '\t', below: "---",
		dims:   map[string]string{"15 Leading Causes of Death Code": "15 Leading Causes of Death Code"},
		labels: map[string]string{"15 Leading Causes of Death Code": "15 Leading Causes of Death"},
		period: func(func(string) string) string { return "01/2004" }, values: []string{"Deaths", "Population", "Crude Rate"}, count: 15},
	{path: "comtrade-svc/TradeData_Services.csv", latin1: true, dims: map[string]string{"typeCode": "typeCode", "freqCode": "freqCode", "reporterCode": "reporterCode", "flowCode": "flowCode",
		"partnerCode": "partnerCode", "partner2Code": "partner2Code", "classificationCode": "classificationCode", "cmdCode": "cmdCode", "customsCode": "customsCode", "mosCode": "mosCode", "motCode": "motCode"},
		labels: map[string]string{"reporterCode": "reporterDesc", "flowCode": "flowDesc", "partnerCode": "partnerDesc", "partner2Code": "partner2Desc", "cmdCode": "cmdDesc", "customsCode": "customsDesc", "motCode": "motDesc"},
		period: cellOf("refYear"), values: []string{"primaryValue", "cifvalue", "fobvalue", "qty", "altQty", "netWgt", "grossWgt"}, count: 720},
	{path: "destatis-flat/pred_bip_flat.csv", comma: ';', decimal: ",", dims: map[string]string{"DINSG": "1_Auspraegung_Code", "WERT05": "3_Auspraegung_Code", "VGRPB5": "4_Auspraegung_Code"},
		labels: map[string]string{"DINSG": "1_Auspraegung_Label", "WERT05": "3_Auspraegung_Label", "VGRPB5": "4_Auspraegung_Label"},
		wide:   nil, period: func(cell func(string) string) string {
			return "Q" + cell("2_Auspraegung_Code")[5:] + "/" + cell("Zeit")
		},
		values: []string{"BWS001", "STR006", "STR020", "SUB003", "VGR014", "BIP005", "BIP004"}, count: 4864},
	{path: "ecb-portal-estr/ECB Data Portal_20260126121402.csv", period: func(cell func(string) string) string { d := cell("DATE"); return d[8:] + "/" + d[5:7] + "/" + d[:4] },
		values: []string{"Euro short-term rate (EST.B.EU000A2X2A25.WT)"}, count: 1618},
	{path: "estat-jp-imm/FEH_00250011_250116115013.csv", dims: map[string]string{"表章項目": "表章項目", "在留資格審査": "在留資格審査", "在留資格審査の受理・処理": "在留資格審査の受理・処理"},
		period: func(cell func(string) string) string {
			y, m, _ := strings.Cut(strings.TrimSuffix(cell("時間軸（月次）"), "月"), "年")
			return fmt.Sprintf("%02s/%s", m, y)
		}, wide: nil, values: []string{"*5"}, count: 33600},
	{path: "estonia-rv021/RV021.csv", dims: map[string]string{"Sugu": "Sugu"}, period: cellOf("Aasta"), values: []string{"*2"}, count: 6156},
	{path: "gdl-shdi/GDL-Subnational-HDI-data.csv", dims: map[string]string{"Country": "Country", "Continent": "Continent", "ISO_Code": "ISO_Code", "GDLCODE": "GDLCODE"},
		labels: map[string]string{"GDLCODE": "Region"}, wide: yearsAcross, count: 1664},
	{path: "gus-ludn2425/LUDN_2425_CTAB_20250611231708.csv", dims: map[string]string{"Kod": "Kod"}, labels: map[string]string{"Kod": "Nazwa"},
		wide: measureAcross(`^(.*),(2024),\[.*\]()$`), count: 25901},
	{path: "indec-ipc-div/serie_ipc_divisiones.csv", comma: ';', latin1: true, decimal: ",", dims: map[string]string{"Codigo": "Codigo", "Clasificador": "Clasificador", "Region": "Region"},
		period: monthAt("Periodo", 0, 4), values: []string{"Indice_IPC", "v_m_IPC", "v_i_a_IPC"}, count: 38808},
	{path: "ine-4206/4206.csv", comma: '\t', decimal: ",", dims: map[string]string{"Sexo": "Sexo", "Comunidades y Ciudades Autónomas": "Comunidades y Ciudades Autónomas", "Edad": "Edad"},
		period: quarterIn("Periodo"), values: []string{"Total"}, count: 33566},
	{path: "inegi-acc/INEGI_exporta_13_10_2022_22_45_51.csv", latin1: true, above: 3, below: "FUENTE", period: cellOf(""), values: []string{"*1"}, count: 1225},
	{path: "ksh-ido0002/stadat-ido0002-10.1.1.2-hu.csv", comma: ';', latin1: true, above: 1, dims: map[string]string{"Tevékenységek": "Tevékenységek"},
		wide: measureAcross(`^(.*) [0-9]{4}/([0-9]{4})()$`), count: 387},
	{path: "snb-devkum/snb-data-devkum-en-selection-20190902_1430.csv", comma: ';', above: 2, dims: map[string]string{"D0": "D0", "D1": "D1"}, period: monthAt("Date", 0, 5), values: []string{"Value"}, count: 1652},
	{path: "snb-rendoblim/snb-data-rendoblim-en-selection-20190603_1430.csv", comma: ';', above: 2, dims: map[string]string{"D0": "D0"}, period: monthAt("Date", 0, 5), values: []string{"Value"}, count: 1573},
	{path: "unctad-pop/US_PopTotal_20230713030810 3.csv", dims: map[string]string{"Economy": "Economy"}, labels: map[string]string{"Economy": "Economy Label"}, period: cellOf("Year"),
		values: []string{"Absolute value in thousands", "Urban population as percentage of total population"}, count: 58052},
	{path: "undata-anemia/UNdata_Export_20241005_161251297.csv", dims: map[string]string{"Country or Area": "Country or Area", "Element": "Element", "Unit": "Unit"}, period: cellOf("Year"), values: []string{"Value"}, count: 3987},
	{path: "wto-2021/WtoData_20210629174857.csv", dims: map[string]string{"Indicator Category": "Indicator Category", "Indicator Code": "Indicator Code", "Reporting Economy Code": "Reporting Economy Code",
		"Partner Economy Code": "Partner Economy Code", "Product/Sector Classification Code": "Product/Sector Classification Code", "Product/Sector Code": "Product/Sector Code", "Frequency Code": "Frequency Code", "Unit Code": "Unit Code"},
		labels: map[string]string{"Indicator Code": "Indicator", "Reporting Economy Code": "Reporting Economy", "Partner Economy Code": "Partner Economy", "Product/Sector Code": "Product/Sector"},
		period: cellOf("Year"), values: []string{"Value"}, count: 5126},
	{path: "ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv", dims: map[string]string{"measure": "measure", "location": "location", "sex": "sex", "age": "age", "cause": "cause", "rei": "rei", "metric": "metric"},
		period: cellOf("year"), values: []string{"val"}, bounds: []string{"lower", "upper"}, count: 612},
	{path: "bcb-stp/STP-20221119194100222.csv", comma: ';', latin1: true, below: "Fonte", decimal: ",", period: cellOf("Data"), values: []string{"*1"}, count: 127},
}

// blsPeriod returns the periods of the Bureau of Labor Statistics: M13 and S03 are
// averages of the year.
func blsPeriod(cell func(string) string) string {
	switch p := cell("period"); {
	case p == "M13" || p == "S03":
		return cell("year")
	case p[0] == 'S':
		return "H" + p[2:] + "/" + cell("year")
	default:
		return p[1:] + "/" + cell("year")
	}
}

// TestRealFiles compares every value of real files, with its codes, labels and period,
// with the independent reader of realFile.
func TestRealFiles(t *testing.T) {
	for _, f := range realFiles {
		t.Run(f.path, func(t *testing.T) {
			s := stattest.SampleMore(t, f.path)
			tables, err := formattest.Read(t.Context(), plain.Formats()[1], s)
			if err != nil {
				t.Fatal(err)
			}
			want := f.lines(t, s.Data)
			if len(want) != f.count {
				t.Errorf("the independent reader has %d values, not %d", len(want), f.count)
			}
			got := linesOf(tables[0], f.labels)
			if strings.HasPrefix(f.path, "ksh-") { // the encoding is tested in package text
				for _, lines := range [][]string{got, want} {
					for i := range lines {
						lines[i] = strings.NewReplacer("õ", "ő", "û", "ű").Replace(lines[i])
					}
				}
			}
			sameValues(t, got, want)
		})
	}
}

// sameValues reports the first lines that only one of two lists has.
func sameValues(t *testing.T, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Fatalf("%d values, want %d; the first difference:\n got %s\nwant %s", len(got), len(want), g, w)
		}
	}
}

// TestDetectedMapping checks that a mapping that was detected reads the same when it is
// stated.
func TestDetectedMapping(t *testing.T) {
	for _, f := range realFiles {
		s := stattest.SampleMore(t, f.path)
		if len(s.Data) > 100_000 {
			continue
		}
		found, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range found[0].Report.Notes() {
			if n.Kind == "mapping" {
				s.In.Mapping = n.Example
			}
		}
		stated, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err != nil {
			t.Errorf("%s: --mapping %s: %v", f.path, s.In.Mapping, err)
			continue
		}
		sameValues(t, linesOf(stated[0], f.labels), linesOf(found[0], f.labels))
	}
}

// TestSuggestions checks that files that are refused are read once the caller states
// what the refusal suggests.
func TestSuggestions(t *testing.T) {
	samples := []formattest.Sample{
		stattest.SampleMore(t, "acs-s1901/ACSST5Y2017.S1901_data_with_overlays_2020-09-23T184134.csv"),
		{Name: "a.csv", Data: []byte("country,year,value,sum\nA,2020,1,2.5\nA,2021,2,3.5\n")},
		{Name: "a.csv", Data: []byte("Country,Year,export,import\nA,2020,1.5,7\nA,2021,2.5,-\nB,2020,3.5,secret\nB,2021,4.5,8\n")},
		{Name: "a.csv", Data: []byte("Country,Year,Seen,Tons\nA,2020,2024-01-31,1.5\nA,2021,2024-02-28,2.5\n")},
		{Name: "estimates.csv", Data: []byte("\"Estimates of 2018\nRelease date: December 2019\",,,,,\nCountry,Poor,CI lower,CI upper,Rich,CI lower\nA,10,9,11,5,4\nB,20,19,21,6,5\n")},
		{Name: "population 2020.csv", Data: []byte("Country,Population\nA,10\nB,20\n")},
	}
	for _, s := range samples {
		_, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err == nil {
			t.Errorf("%s is not refused", s.Name)
		}
		for _, stated := range stat.SuggestionsOf(err) {
			switch stated.Option {
			case "mapping":
				s.In.Mapping = stated.Value
			case "period":
				s.In.Period = stated.Value
			}
		}
		if _, err := formattest.Read(t.Context(), plain.Formats()[1], s); err != nil {
			t.Errorf("%s with %s: %v", s.Name, s.In.Mapping, err)
		}
	}
}
