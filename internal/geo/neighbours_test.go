package geo

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRandomNeighbours draws names and codes of areas of one country, and adds what stands
// beside them in tables: areas of another kind with the same names, several areas joined,
// totals and cells without an area. None of these is served as an area, and the areas stay
// resolved.
func TestRandomNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2026))
	drawn, found := 0, 0
	for range *tablesTested / 3 {
		country := []string{"US", "DE", "AU", "IT", "MX", "IN"}[r.IntN(6)]
		all := namesOf(country)
		k := kindOf{all: all}
		taken := map[string]bool{}
		table := k.draw(r, 6+r.IntN(10), taken)
		areas := len(table)
		drawn += areas
		k.all = neighbours(r, all)
		table = append(table, k.draw(r, 1+r.IntN(areas/3), taken)...)
		r.Shuffle(len(table), func(i, j int) { table[i], table[j] = table[j], table[i] })
		heading := []string{"area", "NAME", "State", "geo", "Region"}[r.IntN(5)]
		found += check(t, "areas of "+country+" with others under "+heading, heading, table)
	}
	t.Logf("%d of %d resolved", found, drawn)
	if 100*found < 98*drawn {
		t.Errorf("only %d of %d resolved", found, drawn)
	}
}

// TestRandomCounties draws names of states under headings of counties.
func TestRandomCounties(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 2026))
	states := kindOf{all: namesOf("US")}
	for range *tablesTested / 10 {
		table := states.draw(r, 1+r.IntN(20), map[string]bool{})
		for i := range table {
			table[i].truth = ""
		}
		heading := []string{"County", "COUNTY_NAME", "ctyname", "Borough", "Parish", "Township"}[r.IntN(6)]
		check(t, "states under "+heading, heading, table)
	}
}

// namesOf returns the names of a country's subdivisions that no other one has.
func namesOf(country string) (all []drawn) {
	for id, s := range loadSubdivisions().byID {
		if s.country != country || !s.isFirstLevel() || isVague(s.area.Name) || loadNames().any[foldName(s.area.Name)] != nil {
			continue
		}
		if found := namedSubdivisions(s.area.Name); len(found) == 1 {
			all = append(all, drawn{Labelled{Code: s.area.Name}, id})
		}
	}
	slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(a.truth, b.truth) })
	return all
}

// neighbours returns what is none of some areas: areas of another kind with their names,
// several of them joined, and what is no area.
func neighbours(r *rand.Rand, areas []drawn) (all []drawn) {
	for range 40 {
		a, b := areas[r.IntN(len(areas))].Code, areas[r.IntN(len(areas))].Code
		if a == b {
			continue
		}
		kind := []string{" County", " Parish", " Borough", " Township", " Arrondissement", ", Kreis", " Powiat"}[r.IntN(7)]
		if len(namedSubdivisions(a+kind)) > 0 {
			kind = " Township" // counties of the United Kingdom
		}
		joined := a + []string{"/", " / ", " und ", " & ", " + ", ", ", " and ", "; ", "-"}[r.IntN(9)] + b
		for _, code := range []string{a + kind, joined} {
			all = append(all, drawn{Labelled{Code: code}, ""})
		}
	}
	for _, code := range []string{"", "_T", "_Z", "Total", "Unknown", "Other", "Not stated", "World", "All"} {
		all = append(all, drawn{Labelled{Code: code}, ""})
	}
	return all
}
