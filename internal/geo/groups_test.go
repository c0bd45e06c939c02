package geo

import "testing"

// Every name in the table of groups is the first name of a group in the table of an office,
// so that no row is dead.
func TestListedGroupsExist(t *testing.T) {
	names := map[string]bool{}
	for _, own := range loadTables().own {
		for _, p := range own.codes {
			if p.area.Kind == Group {
				names[foldName(p.area.Name)] = true
			}
		}
	}
	for name := range loadGroups() {
		if !names[name] {
			t.Errorf("no office has a group %q", name)
		}
	}
}

func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		source, code string
		want         GroupClass
	}{
		{"worldbank", "WLD", World},
		{"un", "900", World},
		{"imf", "001", World},
		{"who", "GLOBAL", World},
		{"eurostat", "EU27_2020", EuropeanUnion},
		{"worldbank", "EUU", EuropeanUnion},
		{"ecb", "I9", EuroArea},
		{"oecd", "OECD", OECDMembers},
		{"imf", "110", Advanced},
		{"un", "903", Continent},
		{"worldbank", "HIC", Income},
		{"worldbank", "ARB", SpecialGroup},
		{"worldbank", "EAR", SpecialGroup},
		{"eurostat", "EXT_EU27_2020", SpecialGroup},
	} {
		a, _ := Resolve(c.source, c.code)
		if class, _ := ClassOf(a.Name); class != c.want {
			t.Errorf("%s %s (%s) is of class %d, want %d", c.source, c.code, a.Name, class, c.want)
		}
	}
	if _, newest := ClassOf("European Union (27 countries, from 2020)"); true {
		if _, old := ClassOf("European Union (28 countries)"); newest >= old {
			t.Error("the newest composition of the European Union does not come first")
		}
	}
}

// Each code with a population is a country with a continent, and nearly all countries have
// one.
func TestPopulation(t *testing.T) {
	sum := 0
	for code, n := range loadPopulation() {
		a, ok := Find(code)
		if !ok || a.Kind != Country || a.Alpha2 != code || n <= 0 && code != "VA" {
			t.Errorf("population of %q: %d thousand", code, n)
		}
		if ContinentOf(code) == "" {
			t.Errorf("no continent of %s", code)
		}
		sum += n
	}
	if sum < 7_900_000 || sum > 8_000_000 { // thousand; World Population Prospects 2022 has 7.975 billion
		t.Errorf("the world has %d thousand people", sum)
	}
	if Population("IN") < Population("DE") || Population("XX") != 0 {
		t.Error("countries are not ranked by size")
	}
}

func TestFindGroup(t *testing.T) {
	if a, ok := FindGroup("East Asia & Pacific"); !ok || a.Kind != Group {
		t.Errorf("East Asia & Pacific is %+v, %v", a, ok)
	}
	if a, ok := FindGroup("Atlantis"); ok {
		t.Errorf("Atlantis is %+v", a)
	}
}
