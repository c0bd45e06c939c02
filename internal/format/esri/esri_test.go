package esri_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"almanac/internal/format/esri"
	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

func realFile(t testing.TB) formattest.Sample {
	t.Helper()
	return stattest.Sample(t, "japan-esri/gaku-mg1532.csv")
}

// TestRealFile compares every cell of the real file with encoding/csv.
func TestRealFile(t *testing.T) {
	s := realFile(t)
	formattest.Conform(t, esri.Formats()[0], s)
	tables, err := formattest.Read(t.Context(), esri.Formats()[0], s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := japanese.ShiftJIS.NewDecoder().Bytes(s.Data)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, row := range rows[7:] {
		for _, cell := range row[1:] {
			if cell == "" {
				continue
			}
			v, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "").Replace(cell), 64)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprintf("Q%d/%d %v", i%4+1, 1994+i/4, v))
		}
	}
	d := tables[0].Dataset
	for i, o := range tables[0].All {
		if got := fmt.Sprintf("%s %v", o.Period, o.Value); i >= len(want) || got != want[i] {
			t.Fatalf("observation %d is %s", i, got)
		}
	}
	if len(tables[0].All) != 2175 || len(want) != 2175 {
		t.Errorf("%d observations, the file has %d; 25 series of 87 quarters are 2175", len(tables[0].All), len(want))
	}
	var labels []string
	for _, c := range d.Dimensions[0].Codes {
		labels = append(labels, c.Label)
	}
	if got := strings.Join(labels, "\n") + "\n"; got != indicators {
		t.Errorf("the indicators are\n%s", got)
	}
	if d.Code != "gaku-mg" || d.Unit != "Billion Yen" || d.Name != "Nominal Gross Domestic Product (original series)" || d.Geography.ID != "" {
		t.Errorf("dataset %q, unit %q, name %q, geography %q", d.Code, d.Unit, d.Name, d.Geography.ID)
	}
}

const indicators = `GDP (Expenditure Approach)
Private Consumption
Private Consumption: Consumption of Households
Private Consumption: Consumption of Households: Excluding Imputed Rent
Private Residential Investment
Private Non-Resi. Investment
Change in Private Inventories
Government Consumption
Public Investment
Change in Public Inventories
Goods & Services: Net Exports
Goods & Services: Exports
Goods & Services: Imports
Income from /to the Rest of the World: Net
Income from /to the Rest of the World: Receipt
Income from /to the Rest of the World: Payment
GNI
Domestic Demand
Private Demand
Public Demand
Gross Fixed Capital Formation
GDP, Excluding FISIM
Consumption of Households, Excluding FISIM
Export, Excluding FISIM
Import, Excluding FISIM
`

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, esri.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, esri.Formats(), "japan-esri/gaku-mg1532.csv")
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, esri.Formats()[0], formattest.Sample{Name: "gaku-mg1532.csv", Data: []byte(
		"t,,,(u)\nNominal,,,(Billion Yen)\n,a,b,\n,,,c\n,,,\n,GDP,Goods,\n,,Net,Exports\n1994/ 1- 3.,\"1,2.5\",2,3\n4- 6.,1,2,\n")})
}
