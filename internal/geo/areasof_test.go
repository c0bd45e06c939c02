package geo_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/geo"
)

func TestAreasOf(t *testing.T) {
	for text, want := range map[string]string{
		"Republic of Korea": "KR", "Viet Nam": "VN", "russian federation": "RU", "Elfenbeinküste": "CI", "Britain": "GB", "Burma": "MM",
		"Monde": "un:001 unsd:001 WLD", "Europe": "un:150 unsd:150 un-sdg:150", "un:150": "unsd:150", "unsd:150": "un:150", "150": "un-sdg:150",
		"Bavaria": "DE-BY DE2", "DE-BY": "DE2", "euro area": "EA U2 XM EMU", "statcan:2": "statcan:2", "Espoo": "Espoo",
	} {
		all := geo.AreasOf(text).All()
		for _, id := range strings.Fields(want) {
			if !slices.Contains(all, id) {
				t.Errorf("%s means %v, not %s", text, all, id)
			}
		}
	}
	for text, not := range map[string]string{"Europe": "EA EMU EUR WHO_EURO", "EU27_2020": "EUU EU", "DE": "276", "Georgia": "US-GA", "WLD": "un:001"} {
		all := geo.AreasOf(text).All()
		for _, id := range strings.Fields(not) {
			if slices.Contains(all, id) {
				t.Errorf("%s means %v, also %s", text, all, id)
			}
		}
	}
}

// TestAreasOfEntries checks that each area of the directory is meant by its ID.
func TestAreasOfEntries(t *testing.T) {
	for _, e := range geo.Entries() {
		if e.Key == e.ID && !slices.ContainsFunc(geo.AreasOf(e.ID).All(), func(id string) bool { return strings.EqualFold(id, e.ID) }) {
			t.Errorf("%s means %v", e.ID, geo.AreasOf(e.ID))
		}
	}
}

func TestOtherMeanings(t *testing.T) {
	for text, want := range map[string]string{"Korea": "KR KP", "Congo": "CG CD", "Virgin Islands": "VI VG", "T": "TH"} {
		found := geo.Lookup(text)
		var ids []string
		for _, r := range found {
			ids = append(ids, r.ID)
		}
		if len(ids) == 0 || !strings.HasPrefix(strings.Join(ids, " "), want) && text != "Virgin Islands" {
			t.Errorf("%s means %v, want %s", text, ids, want)
		}
		for _, id := range strings.Fields(want) {
			if !slices.Contains(ids, id) {
				t.Errorf("%s means %v, not %s", text, ids, id)
			}
		}
		if len(found) > 0 && found[0].IsSecondary() != (text == "T") {
			t.Errorf("%s: lists %v", text, found[0].Lists)
		}
	}
}

func TestSpellings(t *testing.T) {
	for text, want := range map[string]string{"FR-75": "FR-75C", "Germny": "Germany", "Deutchland": "Deutschland", "Atlantis": "Irlanti"} {
		if all := geo.Spellings(text); !slices.Contains(all, want) {
			t.Errorf("%s: no %s among %d", text, want, len(all))
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		source, code, label string
		want                geo.Kind
	}{
		{"ine", "15", "A Coruña", geo.Region}, {"ine", "T", "Total", geo.Other}, {"nobody", "x9", "Somewhere", ""},
		{"unsd", "150", "Europe", geo.Group}, {"scb", "01", "01 Stockholm county", geo.Region},
	} {
		a, _ := geo.Resolve(c.source, c.code)
		if got := geo.KindOf(c.source, c.code, a.ID, c.label); got != c.want {
			t.Errorf("%s:%s %q is %q, want %q", c.source, c.code, c.label, got, c.want)
		}
	}
}

func TestIsWrittenName(t *testing.T) {
	for name, id := range map[string]string{
		"Republic of Korea": "KR", "Viet Nam": "VN", "Russian Federation": "RU", "United States of America": "US", "Czech Republic": "CZ", "Great Britain": "GB",
		"Britain": "GB", "Burma": "MM", "Ivory Coast": "CI", "Elfenbeinküste": "CI", "The Gambia": "GM", "Macedonia": "MK", "Bosnia": "BA", "Zaire": "CD",
		"Monde": "un:001", "Afrika": "un:002", "Euroraum": "EA", "Bavaria": "DE-BY", "Europe": "un:150",
	} {
		if !geo.IsWrittenName(id, name) {
			t.Errorf("%q is not written as a name of %s", name, id)
		}
		if geo.IsWrittenName(id, strings.ToLower(name)) {
			t.Errorf("%q is written as a name of %s", strings.ToLower(name), id)
		}
	}
}

// TestEditions lists what a name means when a dataset has the group in another composition.
func TestEditions(t *testing.T) {
	for text, want := range map[string]string{
		"euro area": "EA20 I9 EA19 I8 EA18 I7", "Eurozone": "EA20 I9", "euro zone": "EA20 I9", "Zona euro": "EA20 I9", "Area dell'euro": "EA20 I9",
		"European Union": "EU28 V3 EU27_2007 EU27 EU25 EU15", "Union européenne": "EU28 V3",
		"EA": "", "EA20": "", "EA19": "", "EU": "", "U2": "", "Euro area (19 countries)": "", "Germany": "", "World": "",
	} {
		if got := strings.Join(geo.AreasOf(text).Editions, " "); !strings.HasPrefix(got+" ", want+" ") || want == "" && got != "" {
			t.Errorf("%s is also published as %q, want %q", text, got, want)
		}
	}
	for id, want := range map[string]string{
		"EA19": "Euro area (EA19), 19 countries, 2015–2022", "I8": "Euro area (I8), 19 countries, 2015–2022", "EA21": "Euro area (EA21), 21 countries, from 2026",
		"EA13": "Euro area (EA13), 13 countries, 2007", "EA": "Euro area (EA), members of each time", "EMU": "Euro area (EMU)", "EU28": "European Union (EU28), 28 countries, 2013–2020",
		"EU27_2020": "European Union (EU27_2020), 27 countries, from 2020", "DE": "", "un:001": "", "EFTA": "",
	} {
		if got := geo.EditionText(id); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
}
