package hits

import (
	"testing"

	"almanac/internal/search"
)

// TestDropRegionWords checks that words for the kind of a region say nothing beside the name of one.
func TestDropRegionWords(t *testing.T) {
	region, country := []place{{Area: Area{Code: "DE212"}}}, []place{{Area: Area{Code: "DE"}}}
	for _, c := range []struct {
		areas []place
		want  string
	}{{region, "bevolkerung"}, {country, "bevolkerung kreisen"}, {nil, "bevolkerung kreisen"}} {
		asked := dropRegionWords("Bevölkerung nach Kreisen", c.areas, []search.Asked{search.AskedOf("bevolkerung kreisen")})
		if len(asked) != 1 || asked[0].Text != c.want {
			t.Errorf("%v: %v, want %q", c.areas, asked, c.want)
		}
	}
}
