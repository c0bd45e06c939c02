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
