package importer_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stat"
)

// TestHomes: a table without areas is of the country of the office whose software wrote
// it, and refused if it may be of another area.
func TestHomes(t *testing.T) {
	const dates = "\n2000-01,1.5\n2000-02,2.5\n2000-03,3.5\n"
	for _, c := range []struct{ name, text, source, area string }{
		{"snb.csv", "\"CubeId\";\"devkum\"\n\"PublishingDate\";\"2019-09-02 14:30\"\n\n\"Date\";\"D0\";\"Value\"\n\"2000-01\";\"USD1\";\"1.6\"\n\"2000-01\";\"GBP1\";\"2.6\"\n" +
			"\"2000-02\";\"USD1\";\"1.7\"\n\"2000-02\";\"GBP1\";\"2.7\"\n\"2000-03\";\"USD1\";\"1.8\"\n\"2000-03\";\"GBP1\";\"2.8\"\n" +
			"\"2000-04\";\"USD1\";\"1.9\"\n\"2000-04\";\"GBP1\";\"2.9\"\n\"2000-05\";\"USD1\";\"1.9\"\n\"2000-05\";\"GBP1\";\"2.9\"\n", "snb", "CH"},
		{"boj.csv", "Series code,IR01'MADR1M" + dates, "bank-of-japan", "JP"},
		{"bcb.csv", "Data;24369 - Taxa - PNADC - %\n03/2012;8,0\n04/2012;7,8\n05/2012;7,7\nFonte;IBGE\n", "bcb", "BR"},
		{"ecb.csv", "DATE,TIME PERIOD,Rate (EST.B.EU000A2X2A25.WT)\n2019-10-01,01 Oct 2019,-0.549\n2019-10-02,02 Oct 2019,-0.551\n", "ecb", "U2"},
		{"hicp.csv", "DATE,TIME PERIOD,HICP (ICP.M.DE.N.000000.4.ANR)\n2019-10-01,01 Oct 2019,-0.549\n2019-10-02,02 Oct 2019,-0.551\n", "ecb", "DE"},
		{"bls.txt", "series_id\tyear\tperiod\tvalue\tfootnote_codes\nLNS14000000\t1997\tM01\t5.3\t\nLNS14000000\t1997\tM02\t5.2\t\n", "bls", "US"},
		{"la.txt", "series_id\tyear\tperiod\tvalue\tfootnote_codes\nLASST060000000000003\t1997\tM01\t5.3\t\nLASST060000000000003\t1997\tM02\t5.2\t\n", "", ""},
		{"rates.csv", "Series,Rate" + dates, "", ""},
		{"FEDFUNDS.csv", "observation_date,FEDFUNDS\n1954-07-01,0.8\n1954-08-01,1.2\n", "", ""},
		{"gus.csv", "\"Kod\",\"Nazwa\",\"a,2023,[osoba]\",\"b,2023,[osoba]\"\n0000000,\"POLSKA\",100,2\n0200000,\"DOLNOŚLĄSKIE\",20,1\n", "gus", "PL"},
		{"bea.csv", "\"SAGDP1 State GDP\"\n\"\" \n\"Bureau of Economic Analysis\" \n\"State or DC\"\n\"GeoFips\",\"GeoName\",\"LineCode\",\"Description\",\"2020\",\"2021\"\n" +
			"\"13000\",\"Georgia\",\"1\",\"Real GDP\",1.5,2.5\n\"13000\",\"Georgia\",\"3\",\"Current-dollar GDP\",1.5,2.5\n\"00000\",\"United States\",\"1\",\"Real GDP\",1.5,2.5\n\"00000\",\"United States\",\"3\",\"Current-dollar GDP\",1.5,2.5\n\"06000\",\"California\",\"1\",\"Real GDP\",1.5,2.5\n\"06000\",\"California\",\"3\",\"Current-dollar GDP\",1.5,2.5\n\"02000\",\"Alaska *\",\"1\",\"Real GDP\",1.5,2.5\n\"02000\",\"Alaska *\",\"3\",\"Current-dollar GDP\",1.5,2.5\n", "bea", "US-GA"},
	} {
		s := openStore(t)
		im, err := importer.New(s, importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := im.Read(t.Context(), c.name, strings.NewReader(c.text))
		switch {
		case len(got) != 1:
			t.Errorf("%s: %+v, want one dataset", c.name, got)
		case c.source == "" && (got[0].Status != importer.Refused || len(got[0].Readings) == 0):
			t.Errorf("%s: %+v, want a refusal with a command", c.name, got[0])
		case c.source == "":
		case got[0].Status == importer.Refused:
			t.Errorf("%s: %s", c.name, got[0].Error)
		default:
			d := current(t, s, got[0].ID).Dataset
			checkHome(t, d, c.source, c.area)
		}
	}
}

func checkHome(t *testing.T, d *stat.Dataset, source, area string) {
	t.Helper()
	if d.Source.ID != source || d.Geography.Codes[0].Area != area {
		t.Errorf("%s: of %s, the first area is %+v; want %s of %s", d.Name, d.Source.ID, d.Geography.Codes[0], area, source)
	}
}
