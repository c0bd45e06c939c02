package geo_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/geo"
	"almanac/internal/stattest"
)

// glob returns the files of the data folder that match a pattern: at least one.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(stattest.DataDir(t), pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no file %s (%v)", pattern, err)
	}
	return files
}

// geographies returns every code of geography in the offices' files, by file
// and source.
func geographies(t *testing.T) map[string]map[string][]coded {
	t.Helper()
	all := map[string]map[string][]coded{}
	add := func(source, pattern string, reader func(*testing.T, string) []coded) {
		for _, path := range glob(t, pattern) {
			if all[source] == nil {
				all[source] = map[string][]coded{}
			}
			all[source][filepath.Base(path)] = append(all[source][filepath.Base(path)], reader(t, path)...)
		}
	}
	columns := func(separator rune, code, label string) func(*testing.T, string) []coded {
		return func(t *testing.T, path string) []coded { return readColumns(t, path, separator, code, label) }
	}
	lists := func(part string) func(*testing.T, string) []coded {
		return func(t *testing.T, path string) []coded { return readCodelists(t, path, part) }
	}

	add("eurostat", "eurostat/tsv-*/*", readTSV)
	add("eurostat", "eurostat/dic/geo*.dic", readDic)
	add("eurostat", "eurostat/csv/nama_10_gdp_1_Data.csv", columns(',', "GEO", ""))
	add("eurostat", "eurostat/sdmx-csv/ilc_lvps08.csv", columns(',', "geo", ""))
	add("eurostat", "eurostat/sdmx-csv/ei_bpm6ca_q-both.csv", columns(',', "geo", "Geopolitical entity (reporting)"))
	add("eurostat", "eurostat/sdmx-csv/ei_bpm6ca_q-labels.csv", columns(',', "partner", ""))
	add("eurostat", "eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", lists("GEO"))
	add("eurostat", "geo/gisco-NUTS*.geojson", readNUTS)
	add("eurostat", "geo/gisco-WORLD*.topojson", readGiscoWorld)

	add("worldbank", "worldbank/csv/API_*.csv", columns(',', "Country Code", "Country Name"))
	add("worldbank", "worldbank/csv/gdp-tidy.csv", columns(',', "Country Code", "Country Name"))
	add("worldbank", "worldbank/csv/WDICountry.csv", columns(',', "Country Code", "Short Name"))
	add("worldbank", "worldbank/csv/WDICountry.csv", columns(',', "WB-2 code", "Table Name"))
	add("worldbank", "worldbank/api-v2/countries.json", readWorldBankCountries)
	add("worldbank", "worldbank/api-v2/NY.GDP.MKTP.CD.json", readWorldBankData)

	add("imf", "imf/WEOOct2009all.xls", readOutlook)
	add("imf", "imf/WEOOct2009all.xls", columns('\t', "ISO", "Country"))
	add("imf", "imf/imf-dot-datastructure-2.0.xml", lists("COUNTRY"))

	add("fao", "fao/*.csv", columns(',', "Area Code (M49)", "Area"))
	add("un", "un/WPP*.csv", columns(',', "LocID", "Location"))
	add("un", "un/SYB*.csv", readYearbook)
	add("un", "geo/UNSD-M49-en.csv", columns(',', "M49 Code", "Country or Area"))
	add("un", "geo/UNSD-M49-en.csv", columns(',', "ISO-alpha3 Code", "Country or Area"))
	for _, level := range []string{"Global", "Region", "Sub-region", "Intermediate Region"} {
		add("un", "geo/UNSD-M49-en.csv", columns(',', level+" Code", level+" Name"))
	}

	add("unpd", "un/WPP*.csv", columns(',', "LocID", "Location"))
	add("cepii", "dbnomics/CEPII-CHELEM-TRADE-CHEL.json", readFacets)

	add("who", "who/WHOSIS_000001.csv", columns(',', "SpatialDimensionValueCode", ""))
	add("who", "who/WHOSIS_000001.csv", columns(',', "ParentLocationCode", "ParentLocation"))
	add("who", "who/HWF_0001-gho-export.csv", columns(',', "SpatialDimValueCode", "Location"))
	add("who", "who/HWF_0001-gho-export.csv", columns(',', "ParentLocationCode", "ParentLocation"))

	add("oecd", "oecd/oecd-mei-datastructure-2.0.xml", lists("LOCATION"))
	add("ilo", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", columns(',', "ref_area.label", ""))
	add("ilo", "ilo/CL_ECO-parentsandsiblings.xml.gz", lists("CL_AREA"))
	add("owid", "owid/*.csv", columns(',', "Code", "country"))
	add("owid", "owid/*.csv", columns(',', "country", ""))
	add("unicef", "unicef/CME_MRY0T4_all_2020.csv", columns(',', "REF_AREA", "Geographic area"))
	return all
}

// readOutlook reads the World Economic Outlook without the line at its end that
// names the source.
func readOutlook(t *testing.T, path string) []coded {
	t.Helper()
	return slices.DeleteFunc(readColumns(t, path, '\t', "WEO Country Code", "Country"), func(c coded) bool {
		return c.label == ""
	})
}

// readYearbook reads the UN yearbook, whose column of names has no heading.
func readYearbook(t *testing.T, path string) []coded {
	t.Helper()
	return readColumns(t, path, ',', "Region/Country/Area", "")
}

// readFacets reads the exporters and importers that DBnomics lists beside its
// series.
func readFacets(t *testing.T, path string) []coded {
	t.Helper()
	var file struct {
		Dataset struct {
			Labels map[string]json.RawMessage `json:"dimensions_values_labels"`
		} `json:"dataset"`
	}
	if err := json.Unmarshal(read(t, path), &file); err != nil {
		t.Fatal(path, err)
	}
	var found []coded
	for _, dimension := range []string{"exporter", "importer"} {
		var labels map[string]string
		if err := json.Unmarshal(file.Dataset.Labels[dimension], &labels); err != nil {
			t.Fatal(path, err)
		}
		for code, label := range labels {
			found = append(found, coded{code, label})
		}
	}
	return found
}

// TestEveryCodeOfTheOffices checks that every code of geography in the offices'
// files resolves in the office's code system, or is listed in
// testdata/unresolved.txt.
func TestEveryCodeOfTheOffices(t *testing.T) {
	expected := map[string]bool{} // "source code": whether a file has it
	for _, line := range readList(t, "unresolved.txt") {
		for _, code := range strings.Split(line[1], ", ") {
			expected[line[0]+" "+code] = false
		}
	}
	for source, files := range geographies(t) {
		for file, codes := range files {
			if len(codes) == 0 {
				t.Errorf("%s: no geography found", file)
			}
			for _, c := range codes {
				area, ok := geo.Resolve(source, c.code)
				if area.ID == "" || area.Name == "" {
					t.Errorf("%s: %s %q gives an area without ID or name: %+v", file, source, c.code, area)
				}
				key := source + " " + c.code
				if _, listed := expected[key]; ok && listed {
					t.Errorf("%s: %s is listed as unresolved, but is %+v", file, key, area)
				} else if !ok && !listed {
					t.Errorf("%s: %s (%s) is not resolved and not listed", file, key, c.label)
				} else if !ok {
					expected[key] = true
				}
			}
		}
	}
	for key, met := range expected {
		if !met {
			t.Errorf("testdata/unresolved.txt lists %s, which no file has", key)
		}
	}
}

// TestLabelsOfTheOffices compares every resolved area with the office's own
// label. The label of a country must be a name of the country in the tables;
// that of a group must have the same words (see sameWords). Anything else is listed
// in testdata/spellings.txt as a name of that area.
func TestLabelsOfTheOffices(t *testing.T) {
	type spelling struct{ source, id, label string }
	accepted := map[spelling]bool{} // whether a file has it
	for _, line := range readList(t, "spellings.txt") {
		accepted[spelling{line[0], line[1], line[2]}] = false
	}
	compared := 0
	for source, files := range geographies(t) {
		for file, codes := range files {
			for _, c := range codes {
				area, ok := geo.Resolve(source, c.code)
				if !ok || c.label == "" || area.Kind == geo.Region && area.Name == area.ID {
					continue // the names of regions are in dictionaries only
				}
				compared++
				named, ok := resolveOne(source, "", c.label)
				agree := ok && named.ID == area.ID
				if area.Kind != geo.Country {
					agree = agree || sameWords(area.Name, c.label)
				}
				s := spelling{source, area.ID, c.label}
				_, listed := accepted[s]
				if agree == listed {
					t.Errorf("%s: %s %s is %s (%s), the office calls it %q; listed in testdata/spellings.txt: %t",
						file, source, c.code, area.ID, area.Name, c.label, listed)
				}
				if listed {
					accepted[s] = true
				}
			}
		}
	}
	if compared < 3000 {
		t.Errorf("only %d labels were compared", compared)
	}
	for s, met := range accepted {
		if !met {
			t.Errorf("testdata/spellings.txt lists %v, which no file has", s)
		}
	}
}

// sameWords reports whether all words and numbers of the shorter of two names
// of a group are in the other one, except words that distinguish nothing.
func sameWords(a, b string) bool {
	short, long := wordsOf(a), wordsOf(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	for _, w := range short {
		if !slices.Contains(long, w) {
			return false
		}
	}
	return len(short) > 0
}

var (
	wordOrNumber = regexp.MustCompile(`[a-z]+|[0-9]+`)
	// sayTheSame are the office's words for ours.
	sayTheSame = strings.NewReplacer(
		"european union", "eu", "euro area", "ea", "european economic area", "eea", "european free trade association", "efta",
		"except", "without", "excluding", "without", "excl.", "without", "exc.", "without", "outside", "without", "not in", "without",
		"nor ", "without ", "neither", "", "non-eu", "without eu", "non eu", "without eu", "non-efta", "without efta",
		"african", "africa", "asian", "asia", "american", "america", "oceanian", "oceania", "agricultural", "agriculture",
		"ranking", "ranked", "organization", "organisation", "centers", "centres", "industrializing", "industrialised",
		"declaring country", "reporter", "reporting country", "reporter", "unsdg", "sdg", "prog.regions", "programme",
		"u.s.s.r.", "soviet union", "republic of yugoslavia", "yugoslavia", "or its successors", "", "total components", "",
		"members of each time", "", "members by context", "", "aggregate changing according to the context", "",
	)
	tellNothing = strings.Fields("and the of in by or than a its from via countries country states region regions economies s")
)

// wordsOf returns the words and numbers of a name that distinguish areas.
func wordsOf(name string) []string {
	words := wordOrNumber.FindAllString(sayTheSame.Replace(strings.ToLower(name)), -1)
	return slices.DeleteFunc(words, func(w string) bool { return slices.Contains(tellNothing, w) })
}

// TestNumbersOfTheIMF checks that 65 of 182 WEO codes are the M49 number of another
// country, including former countries.
func TestNumbersOfTheIMF(t *testing.T) {
	path := glob(t, "imf/WEOOct2009all.xls")[0]
	names := readOutlook(t, path)
	letters := readColumns(t, path, '\t', "ISO", "Country")
	byName := map[string]string{}
	for _, c := range letters {
		byName[c.label] = c.code
	}
	others := 0
	for _, c := range names {
		area, ok := geo.Resolve("imf", c.code)
		if !ok || area.Alpha3 != byName[c.label] {
			t.Errorf("WEO %s (%s) is %+v, want %s", c.code, c.label, area, byName[c.label])
		}
		if m49, ok := geo.Resolve("un", c.code); ok && m49.Kind != geo.Group && m49.ID != area.ID {
			others++
		}
	}
	if len(names) != 182 || others != 65 {
		t.Errorf("%d of %d WEO codes are another country's M49 number, want 65 of 182", others, len(names))
	}
}

// TestISO checks that alpha-2, alpha-3 and M49 of all countries are those of the
// UN's own list, and that none is missing.
func TestISO(t *testing.T) {
	path := glob(t, "geo/UNSD-M49-en.csv")[0]
	alpha3 := readColumns(t, path, ',', "ISO-alpha2 Code", "ISO-alpha3 Code")
	m49 := readColumns(t, path, ',', "ISO-alpha2 Code", "M49 Code")
	if len(alpha3) < 248 || len(alpha3) != len(m49) {
		t.Fatalf("%d alpha-3 codes, %d M49 numbers", len(alpha3), len(m49))
	}
	for i, c := range alpha3 {
		area, ok := geo.Find(c.code)
		if !ok || area.ID != c.code || area.Alpha2 != c.code || area.Alpha3 != c.label || area.M49 != m49[i].label {
			t.Errorf("%s is %+v, want %s, %s", c.code, area, c.label, m49[i].label)
		}
		for _, text := range []string{c.code, c.label, m49[i].label, strings.TrimLeft(m49[i].label, "0"), strings.ToLower(c.label)} {
			if !slices.Contains(geo.Match(text), c.code) {
				t.Errorf("Match(%q) = %v, want %s in it", text, geo.Match(text), c.code)
			}
		}
	}
}
