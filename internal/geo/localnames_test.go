package geo_test

import (
	"testing"

	"almanac/internal/geo"
)

func TestLocalName(t *testing.T) {
	for _, c := range []struct{ id, language, want string }{
		{"DE", "de", "Deutschland"},
		{"DE", "ja", "ドイツ"},
		{"MK", "de", "Nordmazedonien"},
		{"US", "fr", "États-Unis"},
		{"HK", "es", "Hong Kong"},
		{"PS", "ar", "فلسطين"},
		{"DE", "en", ""},
		{"EU27_2020", "de", ""},
	} {
		if got, ok := geo.LocalName(c.id, c.language); got != c.want || ok != (c.want != "") {
			t.Errorf("the name of %s in %s is %q, want %q", c.id, c.language, got, c.want)
		}
	}
}

// Names in a language are distinct.
func TestLocalNamesAreDistinct(t *testing.T) {
	for _, language := range []string{"de", "fr", "es", "it", "ar", "ja"} {
		owner := map[string]string{}
		for a := 'A'; a <= 'Z'; a++ {
			for b := 'A'; b <= 'Z'; b++ {
				id := string([]rune{a, b})
				name, ok := geo.LocalName(id, language)
				if ok && owner[name] != "" {
					t.Errorf("%s and %s have the name %q in %s", id, owner[name], name, language)
				}
				owner[name] = id
			}
		}
		if len(owner) < 240 {
			t.Errorf("%d names in %s", len(owner), language)
		}
	}
}
