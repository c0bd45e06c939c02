package geo_test

import (
	"strings"
	"testing"

	"almanac/internal/geo"
)

// TestResolveAll resolves small tables: source, heading, codes (with "=" and a label),
// and the IDs expected.
func TestResolveAll(t *testing.T) {
	for _, c := range []struct{ name, source, heading, codes, want string }{
		{"states by name", "local", "State", "United States|Georgia|Texas|Alabama|District of Columbia|Puerto Rico|Northeast",
			"US|US-GA|US-TX|US-AL|US-DC|PR|Northeast"},
		{"states in a column of another name", "local", "NAME", "Georgia|Texas|Alabama|New York|Washington", "US-GA|US-TX|US-AL|US-NY|US-WA"},
		{"countries by name", "local", "location", "Georgia|Armenia|Azerbaijan|Turkey|World|Asia", "GE|AM|AZ|TR|World|Asia"},
		{"states and countries: Georgia is neither", "local", "name", "Georgia|France|Germany|Texas|Japan", "Georgia|FR|DE|Texas|JP"},
		{"most are states, but a country's name is among them", "local", "name", "Georgia|Texas|Ohio|Utah|France", "Georgia|US-TX|US-OH|US-UT|France"},
		{"states by postal code", "local", "state", "AL|GA|TX|OH|NY|CA|WY|UT", "US-AL|US-GA|US-TX|US-OH|US-NY|US-CA|US-WY|US-UT"},
		{"codes of states that are all countries too", "local", "code", "AL|GA|IL|IN|MD|ME|PA|DE|CA|CO",
			"local:AL|local:GA|local:IL|local:IN|local:MD|local:ME|local:PA|local:DE|local:CA|local:CO"},
		{"the same under a heading that declares countries", "local", "country", "AL|GA|IL|IN", "AL|GA|IL|IN"},
		{"FIPS numbers of states and counties", "bea", "GeoFips", "00000=United States|13000=Georgia|02000=Alaska *|53000=Washington|36115=Washington, NY", "US|US-GA|US-AK|US-WA|bea:36115"},
		{"numbers of states with labels", "local", "STATE", "01=Alabama|13=Georgia|48=Texas", "US-AL|US-GA|US-TX"},
		{"Danish regions and municipalities", "local", "OMRÅDE", "000|084|101|147|400", "local:000|local:084|local:101|local:147|local:400"},
		{"the same of the office", "dst", "OMRÅDE", "000|084|400", "dst:000|dst:084|dst:400"},
		{"a short code of a national office", "insee", "REF_AREA", "FM|FE|FR", "insee:FM|insee:FE|FR"},
		{"Canada with its provinces", "statcan", "GEO", "Canada|Ontario|Quebec|Alberta|Toronto, Ontario", "CA|CA-ON|CA-QC|CA-AB|Toronto, Ontario"},
		{"provinces with the office's codes among towns", "statcan", "GEO",
			"2021A000011124=Canada|2021A000235=Ontario|2021S0503535=Toronto, Ontario|2021S0503505=Halifax, Nova Scotia|2021S0503421=Québec, Quebec",
			"CA|CA-ON|2021S0503535|2021S0503505|2021S0503421"},
		{"Länder among districts", "destatis", "Kreise", "01=Schleswig-Holstein|01001=Flensburg, Kreisfreie Stadt|01002=Kiel|DG=Deutschland", "DE-SH|destatis:01001|destatis:01002|DE"},
		{"countries under Land", "local", "land", "AT|CZ", "AT|CZ"},
		{"countries or states of Germany under Land", "local", "Land", "BE|BY|SN|SH", "local:BE|local:BY|local:SN|local:SH"},
		{"one province", "statcan", "GEO", "Ontario", "CA-ON"},
		{"counties with the office's numbers", "scb", "region", "00=Sweden|01=Stockholm county|03=Uppsala county", "SE|scb:01|scb:03"},
		{"German Länder", "local", "Bundesländer", "Baden-Württemberg|Bayern|Berlin|Hessen|Deutschland", "DE-BW|DE-BY|DE-BE|DE-HE|DE"},
		{"German Länder in English", "local", "land", "Bavaria|Hesse|Saxony|Germany", "DE-BY|DE-HE|DE-SN|DE"},
		{"Spanish provinces with their numbers", "ine", "Provincias", "Total Nacional|02 Albacete|03 Alicante/Alacant|04 Almería|28 Madrid|26 Rioja, La",
			"ES|ES-AB|ES-A|ES-AL|ES-M|ES-LO"},
		{"official names", "ihme", "location", "French Republic|Kingdom of Spain|Federal Republic of Germany|People's Republic of China", "FR|ES|DE|CN"},
		{"German names of countries", "local", "Land", "Deutschland|Frankreich|Griechenland|Vereinigte Staaten", "DE|FR|GR|US"},
		{"numbers of UNCTAD with labels", "local", "Economy", "0004=Afghanistan|008=Albania|0012=Algeria|5100=Africa", "AF|AL|DZ|local:5100"},
		{"the IMF's numbers with labels", "local", "Country", "156=Canada|132=France|134=Germany", "CA|FR|DE"},
		{"the IMF's numbers without", "local", "Country", "156|132|134", "local:156|local:132|local:134"},
		{"letters with labels that prove them", "local", "code", "DE=Germany|FR=France", "DE|FR"},
		{"a code beside names that agree", "local", "code", "DEU=Germany|FRA=France|KOR=Korea (South)", "DE|FR|KR"},
		{"a label that contradicts the code", "local", "country", "DEU=Germany|FRA=France|ITA=Italy|ESP=Georgia", "DE|FR|IT|ESP"},
		{"regions of Europe", "local", "geo", "AT|AT1|AT11|DE|DE1|DE11|EL30|UKC1|FRA", "AT|AT1|AT11|DE|DE1|DE11|EL30|UKC1|FRA"},
		{"ISO 3166-2", "local", "code", "US|US-GA|US-TX|CA-ON", "US|US-GA|US-TX|CA-ON"},
		{"Mexico and the State of Mexico", "inegi", "entidad", "Estados Unidos Mexicanos|México|Jalisco|Puebla", "MX|MX-MEX|MX-JAL|MX-PUE"},
		{"Mexico or the State of Mexico", "local", "entidad", "México|Jalisco|Puebla|Yucatán", "México|MX-JAL|MX-PUE|MX-YUC"},
		{"Chinese provinces", "local", "地区", "北京市|河北省|上海市|广东省", "CN-BJ|CN-HE|CN-SH|CN-GD"},
		{"parts of any country", "local", "region", "North|South|East|West|Centre", "North|South|East|West|Centre"},
		{"cities", "local", "city", "Berlin|Hamburg|Bremen", "Berlin|Hamburg|Bremen"},
		{"codes of three letters", "local", "iso", "DEU|FRA|USA|XKX", "DE|FR|US|XK"},
		{"a few major countries", "local", "geo", "DE|FR|EL|UK", "DE|FR|GR|GB"},
		{"one name alone that is also a state", "local", "name", "Georgia", "Georgia"},
		{"under a heading of countries", "local", "country", "Georgia", "GE"},
		{"under a heading of states", "local", "State", "Georgia", "US-GA"},
		{"names of an office that declares countries", "owid", "country", "Alabama|Georgia|Texas|United States", "US-AL|US-GA|US-TX|US"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var codes []geo.Labelled
			for text := range strings.SplitSeq(c.codes, "|") {
				code, label, _ := strings.Cut(text, "=")
				codes = append(codes, geo.Labelled{Code: code, Label: label})
			}
			r := geo.ResolveAll(c.source, c.heading, codes)
			var got []string
			for _, a := range r.Areas {
				got = append(got, a.ID)
			}
			if ids := strings.Join(got, "|"); ids != c.want {
				t.Errorf("got  %s\nwant %s (%s)", ids, c.want, r)
			}
		})
	}
}

// TestWholeOf checks which areas of a source lie within another one.
func TestWholeOf(t *testing.T) {
	for _, c := range []struct {
		text, source, id string
		want             bool
	}{
		{"US", "local", "US", true},
		{"us", "local", "US-GA", true},
		{"USA", "local", "US-GA", true},
		{"840", "local", "US-GA", true},
		{"GE", "local", "US-GA", false},
		{"US-GA", "local", "US-GA", true},
		{"US-GA", "local", "US-TX", false},
		{"US-GA", "local", "US", false},
		{"ES-AN", "local", "ES-AL", true},
		{"ES", "local", "ES-AL", true},
		{"DE", "eurostat", "DE11", true},
		{"DE1", "eurostat", "DE11", true},
		{"DE1", "eurostat", "DE21", false},
		{"GR", "eurostat", "EL30", true},
		{"EE", "eurostat", "EEA", false},
		{"SE", "scb", "scb:01", true},
		{"SE", "ine", "ine:01", false},
		{"CA", "ine", "CA06", false},
		{"ES", "ine", "CA06", true},
		{"ES", "ine", "FR", false},
		{"FR", "insee", "insee:FM", true},
		{"FM", "insee", "insee:FM", false},
		{"SE", "scb", "Frankrike", false},
		{"EU27_2020", "eurostat", "DE11", true},
		{"EU27_2020", "eurostat", "UKC1", false},
		{"EU27_2020", "worldbank", "FR", true},
		{"150", "un", "FR", true},
		{"DE", "local", "local:DE12", false},
		{"nowhere", "local", "US-GA", false},
	} {
		if got := geo.WholeOf(c.text).Has(c.source, c.id); got != c.want {
			t.Errorf("%s of %s is within %s: %t, want %t", c.id, c.source, c.text, got, c.want)
		}
	}
}
