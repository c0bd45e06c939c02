package geo_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/geo"
	"almanac/internal/stattest"
)

// means reports whether a text may mean the area with an ID.
func means(text, id string) bool {
	return slices.ContainsFunc(geo.Lookup(text), func(r geo.Reading) bool { return r.ID == id })
}

// first returns the ID of the likeliest meaning of a text, or an empty string.
func first(text string) string {
	if found := geo.Lookup(text); len(found) > 0 {
		return found[0].ID
	}
	return ""
}

// geoFile returns the text of a file of the folder geo.
func geoFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "geo", name))
	if err != nil {
		stattest.SkipOrFail(t, err.Error())
	}
	return strings.TrimPrefix(string(text), "\ufeff")
}

// readTable returns the rows of a file of comma-separated values by heading.
func readTable(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(geoFile(t, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, heading := range all[0] {
			row[heading] = strings.Trim(line[i], "\u00a0 ")
		}
		rows = append(rows, row)
	}
	return rows
}

// TestLookupM49 checks all codes and names of the tables of the United Nations: the first
// meaning is the area of the row.
func TestLookupM49(t *testing.T) {
	regions := []string{"Global", "Region", "Sub-region", "Intermediate Region"}
	for _, file := range []string{"UNSD-M49-en.csv", "UNSD-M49-ar.csv", "UNSD-M49-ru.csv"} {
		rows := readTable(t, file)
		if len(rows) != 249 {
			t.Fatalf("%s has %d rows", file, len(rows))
		}
		for _, row := range rows {
			id := row["ISO-alpha2 Code"]
			for _, column := range []string{"Country or Area", "M49 Code", "ISO-alpha2 Code", "ISO-alpha3 Code"} {
				if got := first(row[column]); got != id {
					t.Errorf("%s, %s: %q is %q, want %q", file, column, row[column], got, id)
				}
			}
			for _, region := range regions {
				code := row[region+" Code"]
				if code == "" {
					continue
				}
				if got := first(code); got != "un:"+code {
					t.Errorf("%s: %q is %q", file, code, got)
				}
				if name := row[region+" Name"]; code == "057" && means(name, "un:057") {
					continue // Micronesia is first the country
				} else if first(name) != "un:"+code {
					t.Errorf("%s: %q is %q, want un:%s", file, name, first(name), code)
				}
				if region == "Global" {
					continue
				}
				c, ok := geo.CompositionOf("un:" + code)
				if !ok || !slices.Contains(c.Current(), id) {
					t.Errorf("%s is not in un:%s", id, code)
				}
			}
			for column, group := range map[string]string{"Least Developed Countries (LDC)": "un:941", "Land Locked Developing Countries (LLDC)": "un:1636", "Small Island Developing States (SIDS)": "un:1637"} {
				c, _ := geo.CompositionOf(group)
				isMember := slices.ContainsFunc(c.Members, func(m geo.Member) bool { return m.Area == id })
				if row[column] != "" && !isMember {
					t.Errorf("%s: %s is not in %s", file, id, group)
				}
			}
		}
	}
}

// footnotes are codes of FIFA to which the number of a footnote is attached in the table.
var footnotes = map[string]string{"TAH2": "TAH", "ROS3": "ROS", "1": ""}

// TestLookupCountryCodes checks the columns of country-codes.csv that name countries. The
// other columns hold regions, currencies, languages, capitals and prefixes of telephones.
func TestLookupCountryCodes(t *testing.T) {
	firstCodes := []string{"ISO3166-1-Alpha-2", "ISO3166-1-Alpha-3", "ISO3166-1-numeric", "M49"}
	codes := []string{"FIFA", "MARC", "GAUL", "FIPS", "WMO", "ITU", "IOC", "DS", "TLD", "Geoname ID", "EDGAR", "wikidata_id"}
	names := []string{
		"official_name_en", "official_name_fr", "official_name_es", "official_name_ar", "official_name_cn", "official_name_ru", "CLDR display name",
		"UNTERM English Short", "UNTERM English Formal", "UNTERM French Short", "UNTERM French Formal", "UNTERM Spanish Short", "UNTERM Spanish Formal",
		"UNTERM Arabic Short", "UNTERM Arabic Formal", "UNTERM Chinese Short", "UNTERM Chinese Formal", "UNTERM Russian Short", "UNTERM Russian Formal",
	}
	for _, row := range readTable(t, "country-codes.csv") {
		id := row["ISO3166-1-Alpha-2"]
		for _, column := range firstCodes {
			if got := first(row[column]); got != id {
				t.Errorf("%s: %q is %q, want %q", column, row[column], got, id)
			}
		}
		for _, column := range codes {
			code := strings.TrimPrefix(row[column], "https://www.wikidata.org/wiki/")
			if without, ok := footnotes[code]; ok && column == "FIFA" {
				code = without
			}
			if code != "" && !means(code, id) {
				t.Errorf("%s: %q is not %s", column, code, id)
			}
		}
		for _, column := range names {
			if name := strings.TrimRight(row[column], " *"); name != "" && first(name) != id {
				t.Errorf("%s: %q is %q, want %q", column, name, first(name), id)
			}
		}
	}
}

// properties of a feature of a map.
type feature struct {
	ID         any            `json:"id"`
	Properties map[string]any `json:"properties"`
}

// features returns the features of a GeoJSON file, or of an object of a TopoJSON file.
func features(t *testing.T, name, object string) []feature {
	t.Helper()
	var file struct {
		Features []feature `json:"features"`
		Objects  map[string]struct {
			Geometries []feature `json:"geometries"`
		} `json:"objects"`
	}
	if err := json.Unmarshal([]byte(geoFile(t, name)), &file); err != nil {
		t.Fatal(err)
	}
	if object != "" {
		return file.Objects[object].Geometries
	}
	return file.Features
}

func TestLookupMaps(t *testing.T) {
	spelling := map[string]string{"EL": "GR", "UK": "GB"}
	for _, f := range features(t, "gisco-NUTS_RG_60M_2021_4326_LEVL_0.geojson", "") {
		code := f.Properties["NUTS_ID"].(string)
		id := code
		if iso, ok := spelling[code]; ok {
			id = iso
		}
		if first(code) != id || !means(f.Properties["NAME_LATN"].(string), id) || !means(f.Properties["NUTS_NAME"].(string), id) {
			t.Errorf("%s (%s) is %q, %q", code, f.Properties["NAME_LATN"], first(code), first(f.Properties["NAME_LATN"].(string)))
		}
	}
	for _, f := range features(t, "gisco-NUTS_RG_60M_2021_4326_LEVL_2.geojson", "") {
		code := f.Properties["NUTS_ID"].(string)
		for _, column := range []string{"NUTS_ID", "NAME_LATN", "NUTS_NAME"} {
			if text := f.Properties[column].(string); !means(text, code) {
				t.Errorf("%q is not %s", text, code)
			}
		}
		if e, ok := geo.FindEntry(code); !ok || e.Kind != geo.Region {
			t.Errorf("no region %s", code)
		}
	}
	for _, f := range features(t, "gisco-WORLD_4326_2021.topojson", "CNTR_RG_20M_2020_4326") {
		id := f.Properties["id"].(string)
		if iso, ok := spelling[id]; ok {
			id = iso
		}
		for _, column := range []string{"id", "ISO3_CODE", "na"} {
			if text := strings.TrimSuffix(f.Properties[column].(string), "*"); !means(text, id) {
				t.Errorf("GISCO, %s: %q is not %s", column, text, id)
			}
		}
	}
}

func TestLookupNaturalEarth(t *testing.T) {
	for _, f := range features(t, "natural-earth-europe.geojson", "") {
		id := first(f.Properties["name"].(string))
		for _, column := range []string{"name", "name_long", "formal_en", "admin", "geounit", "subunit", "name_sort", "iso_a2", "iso_a3", "iso_n3", "un_a3", "wb_a2", "wb_a3", "adm0_a3", "sov_a3", "gu_a3", "su_a3"} {
			text, _ := f.Properties[column].(string)
			if text == "-99" || text == "-099" || text == "" { // Kosovo has no code of ISO 3166
				continue
			}
			if column == "wb_a2" && text == "KV" { // the World Bank wrote XK and KV; its lists have XK
				continue
			}
			if !means(text, id) {
				t.Errorf("Natural Earth, %s: %q is not %s", column, text, id)
			}
		}
	}
	for _, f := range features(t, "world-atlas-countries-110m.topojson", "countries") {
		name := f.Properties["name"].(string)
		code, ok := f.ID.(string)
		if !ok {
			continue // Kosovo, and Northern Cyprus and Somaliland, which no list of an office has
		}
		if first(code) == "" || !means(name, first(code)) {
			t.Errorf("world atlas: %q is not %q (%s)", name, code, first(code))
		}
	}
}
