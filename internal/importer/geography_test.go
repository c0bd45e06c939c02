package importer_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestGeography imports small tables and compares the dimension that is their geography
// and its areas, or the option that the refusal suggests.
func TestGeography(t *testing.T) {
	for _, c := range []struct{ name, source, rows, want string }{
		{"regions of a national office by their numbers", "dst", "OMRÅDE;KØN;TID;INDHOLD|000;M;2019;1|000;K;2019;2|084;M;2019;3|084;K;2019;4", "OMRÅDE: DK dst:084"},
		{"the whole country and large regions", "ibge", "Grande Região;Sexo;Ano;Valor|Brasil;H;2019;1|Brasil;M;2019;2|Norte;H;2019;3|Norte;M;2019;4", "Grande Região: BR Norte"},
		{"one province is not the country", "statcan", "Place;Sector;Year;Value|Ontario;A;2020;1|Ontario;B;2020;2", "Place: CA-ON"},
		{"counties under a heading that says nothing", "ksh", "Terület;Nem;Év;Érték|Pest;férfi;2020;1|Pest;nő;2020;2|Fejér;férfi;2020;3|Fejér;nő;2020;4", "Terület: HU-PE HU-FE"},
		{"countries of origin describe the office's own country", "dst", "IELAND;KØN;TID;INDHOLD|Tyrkiet;M;2019;1|Tyrkiet;K;2019;2|Polen;M;2019;3|Polen;K;2019;4", "geo: DK"},
		{"kinds of places are no areas", "dane", "Área;Sexo;Año;Tasa|Cabecera;H;2020;1,5|Cabecera;M;2020;2,5|Rural;H;2020;3,5|Rural;M;2020;4,25", "geo: CO"},
		{"the dimension with most areas is suggested", "local", "Division;NAME;Year;Value|X;United States;2020;1|S;Georgia;2020;2|S;Texas;2020;3|N;Northeast;2020;4|M;Fairfield;2020;5", "suggests geo=NAME"},
		{"regions of a country do not count against its states", "local", "Division;NAME;Year;Value|X;United States;2020;1|S;Georgia;2020;2|S;Texas;2020;3|N;Northeast;2020;4|M;Midwest;2020;5", "NAME: US US-GA US-TX Northeast Midwest"},
		{"states under a heading that may be that of a status", "local", "Estado;Año;Población|Jalisco;2021;20|Puebla;2021;40|Jalisco;2022;21|Puebla;2022;41", "Estado: MX-JAL MX-PUE"},
		{"states beside their country", "local", "País;Estado;2021;2022|México;Jalisco;20;21|México;Puebla;40;41", "Estado: MX-JAL MX-PUE"},
		{"states beside their municipalities", "local", "Municipio;Estado;Año;Población|Guadalajara;Jalisco;2021;20|Atlixco;Puebla;2021;40", "Estado: MX-JAL MX-PUE"},
		{"letters for a status that are codes of provinces as well", "local", "País;Estado;Año;Valor|España;A;2021;20|Italia;P;2021;40|Francia;E;2021;40", "País: ES IT FR"},
		{"towns and villages are no areas", "local", "COUNTY;AREA;Year;Value|C1;T;2019;1|C1;U;2019;2|C1;R;2019;3|C2;T;2019;4|C2;U;2019;5|C2;R;2019;6", "COUNTY: C1 C2"},
		{"names that are known beside codes that are not", "local", "area;nome_area;Anno;v|VDA;Valle d'Aosta / Vallée d'Aoste;2020;1,5|CAM;Campania;2020;12,25|LAZ;Lazio;2020;3,5|VDA;Valle d'Aosta / Vallée d'Aoste;2021;14,5|CAM;Campania;2021;5,25|LAZ;Lazio;2021;6,5", "area: IT-23 IT-72 IT-62"},
		{"numbers of counties beside names that states have", "local", "FIPS Code;Geography;Year;Population|36000;New York State;2022;9|36121;Wyoming County;2022;1|36025;Delaware County;2022;2|36000;New York State;2023;8|36121;Wyoming County;2023;3|36025;Delaware County;2023;4", "FIPS Code: US-NY census:36121 census:36025"},
		{"counties with names of states", "local", "County;Year;Population|Texas County;2022;21|Nevada County;2022;12|Oregon County;2022;33|Ohio County;2022;4", "County: Texas County Nevada County Oregon County Ohio County"},
		{"numbers of states and of counties in them", "local", "SUMLEV;STATE;COUNTY;STNAME;CTYNAME;Year;Population|40;1;0;Alabama;Alabama;2022;9|50;1;1;Alabama;Autauga County;2022;2|50;1;3;Alabama;Baldwin County;2022;3", "COUNTY: US-AL census:01001 census:01003"},
		{"numbers of states and of places in them", "local", "SUMLEV;STATE;COUNTY;PLACE;NAME;STNAME;Year;Population|40;01;000;00000;Alabama;Alabama;2022;9|162;01;000;03076;Auburn city;Alabama;2022;2|162;13;000;03236;Auburn city;Georgia;2022;3", "COUNTY: US-AL census:0103076 census:1303236"},
		{"numbers of provinces and of municipalities in them", "local", "CPRO;PROVINCIA;CMUN;NOMBRE;Año;POB|02;Albacete;001;Abengibre;2022;9|02;Albacete;003;Albacete;2022;2|03;Alicante;001;Adsubia;2022;3", "suggests mapping=dim=CPRO, geo=CMUN:NOMBRE, period=Año, value=POB, attribute=PROVINCIA"},
		{"a country in the column before its provinces", "local", "Total Nacional;Provincias;Sexo;Periodo;Total|Total Nacional;;H;2023M12;17|Total Nacional;02 Albacete;H;2023M12;4|Total Nacional;04 Almería;H;2023M12;5", "Provincias: ES ES-AB ES-AL"},
		{"one code at two levels", "local", "GEO;GEO_OBJECT;TIME_PERIOD;OBS_VALUE|11;DEP;2020;1|11;REG;2020;2|11;DEP;2021;3|11;REG;2021;4", "GEO: DEP-11 REG-11"},
		{"a column with the kinds of areas", "local", "Code;Name;Geography;Year;Population|K02000001;UNITED KINGDOM;Country;2022;9|E12000001;NORTH EAST;Region;2022;2|E06000047;County Durham;Unitary Authority;2022;1|W92000004;WALES;Country;2022;3", "Code: GB E12000001 E06000047 GB-WLS"},
		{"joined states", "local", "Jahr;Berlin/Brandenburg;Berlin;Brandenburg;Sachsen;Thueringen;Bayern;Hessen;Saarland;Hamburg;Bremen|2001;1;2;3;4;5;6;7;8;9;10|2002;2;3;4;5;6;7;8;9;10;11", "geo: Berlin/Brandenburg DE-BE DE-BB DE-SN DE-TH DE-BY DE-HE DE-SL DE-HH DE-HB"},
		{"one empty cell among codes", "local", "datum;kraj_nuts_kod;pocet|2020-03-05;CZ010;2|2020-03-05;CZ020;3|2020-03-05;CZ031;4|2020-03-06;CZ010;5|2020-03-06;CZ020;6|2020-03-05;;1", "kraj_nuts_kod: CZ010 CZ020 CZ031 _Z"},
		{"districts under a word that also means a period", "local", "okres;rok;obyvatel|Kladno;2020;10|Kladno;2021;21|Praha 1;2020;12|Praha 1;2021;73", "suggests geo=okres"},
		{"each of two alike is suggested", "local", "Seller;Buyer;Year;Value|France;Italy;2020;1|Italy;France;2020;2|Spain;Italy;2020;3", "suggests geo=Seller geo=Buyer"},
		{"labels of series with and without a state", "abs", seriesOf("> Victoria ;  Employed ;  > Males ;", "Employed ;  Persons ;", "Rate ;  Persons ;  > Northern Territory ;"), "REGION: AU-VIC AU AU-NT"},
		{"labels of series with states and the country", "abs", seriesOf("Rate ;  Victoria ;", "Rate ;  Australia ;"), "REGION: AU-VIC AU"},
		{"labels of series with numbers", "abs", seriesOf("Decile ;  1 ;", "Decile ;  2 ;"), "geo: AU"},
		{"labels of series with two states", "abs", seriesOf("Victoria ;  Queensland ;  Moved ;", "Queensland ;  Victoria ;  Moved ;"), "geo: AU"},
		{"labels of series with states and other places", "abs", seriesOf("Rate ;  Victoria ;", "Rate ;  Sydney ;"), "geo: AU"},
		{"labels of series with other countries", "abs", seriesOf("Exports ;  China ;", "Exports ;  Japan ;"), "geo: AU"},
		{"a dimension with one code that is no area is not suggested", "local", "Country of Asylum;Country of Origin;Year;Value|-;Algeria;2020;1|-;Egypt;2020;2|-;Iraq;2020;3", "suggests no-geo="},
		{"a state above the table", "local", "Unemployment|Area: Georgia|State/Region: Georgia||Year;Men;Women|2019;1,5;2,5|2020;3,5;4,5", "suggests country=US-GA"},
		{"a state above the table of a national office", "bls", "Unemployment|Area: Georgia|State: Georgia||Year;Men;Women|2019;1,5;2,5|2020;3,5;4,5", "suggests country=US-GA"},
		{"a country above the table", "local", "Unemployment|Country: Georgia||Year;Men;Women|2019;1,5;2,5|2020;3,5;4,5", "suggests country=GE"},
		{"the average of cities above the table", "local", "Prices|Area: U.S. city average||Year;Food;Energy|2019;1,5;2,5|2020;3,5;4,5", "suggests country=US"},
		{"a country or a state above the table", "local", "Unemployment|Area: Georgia||Year;Men;Women|2019;1,5;2,5|2020;3,5;4,5", "suggests no-geo="},
		{"districts beside their regions", "local", "datum;kraj_nuts_kod;okres_lau_kod;pocet|2020;CZ010;CZ0100;2|2020;CZ020;CZ020A;3|2020;CZ020;CZ020B;3|2020;CZ031;CZ0311;4|2021;CZ010;CZ0100;7|2020;;;1", "okres_lau_kod: local:CZ0100 local:CZ020A local:CZ020B local:CZ0311 _Z"},
		{"nothing looks like areas", "local", "Product;Grade;Year;Value|Wheat;A;2020;1|Rye;A;2020;2|Rye;B;2020;3", "suggests no-geo="},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t)
			im, err := importer.New(s, importer.Options{Source: c.source})
			if err != nil {
				t.Fatal(err)
			}
			got := im.Read(t.Context(), "table.csv", strings.NewReader(strings.ReplaceAll(c.rows, "|", "\n")+"\n"))
			if len(got) != 1 {
				t.Fatalf("%+v, want one outcome", got)
			}
			text := "suggests"
			for _, option := range slices.Concat(got[0].Readings...) {
				text += " " + option.Option + "=" + option.Value
			}
			if got[0].Status != importer.Refused {
				geography := current(t, s, got[0].ID).Dataset.Geography
				text = geography.ID + ":"
				for _, code := range geography.Codes {
					text += " " + code.Area
				}
			}
			if text != c.want {
				t.Errorf("got %s, want %s; %s", text, c.want, got[0].Error)
			}
		})
	}
}

// seriesOf returns a table of series with labels.
func seriesOf(labels ...string) string {
	heads, ids, values := "", "Series ID", ""
	for i, label := range labels {
		heads += `;"` + label + `"`
		ids += ";A" + strconv.Itoa(i+1)
		values += ";" + strconv.Itoa(i+1) + ".5"
	}
	return strings.Join([]string{heads, ids, "Jan-2020" + values, "Feb-2020" + values, "Mar-2020" + values}, "|")
}

// TestMeasureAboveAreas: the heading of the areas of a wide table names the table if it says what is
// measured.
func TestMeasureAboveAreas(t *testing.T) {
	const rows = ";2020;2021\nArgentina;1;2\nBrazil;3;4\nChile;5;6\n"
	for heading, want := range map[string]string{
		"Real GDP growth (Annual percent change)": "Real GDP growth (Annual percent change)",
		"Country": "table", "Name of the country": "table",
	} {
		s := openStore(t)
		got := mustImport(t, s, importer.Options{}, "table.csv", heading+rows)
		if d := current(t, s, got.ID).Dataset; d.Name != want || len(d.Areas()) != 3 {
			t.Errorf("%q: the name is %q and there are %d areas, want %q and 3", heading, d.Name, len(d.Areas()), want)
		}
	}
}
