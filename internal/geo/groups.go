package geo

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// GroupClass says which kind of readers a group of countries is for.
type GroupClass int

// The classes of groups, those that most readers know first.
const (
	SpecialGroup  GroupClass = iota // borrowers of a bank, regions of a programme, any other
	World                           // the world
	EuropeanUnion                   // in any composition
	EuroArea                        // in any composition
	OECDMembers                     // all members
	Advanced                        // advanced economies, and emerging and developing ones
	Continent                       // continents and regions of several countries
	Income                          // groups by income
)

// groupClasses are the classes by their names in the table.
var groupClasses = map[string]GroupClass{
	"world": World, "eu": EuropeanUnion, "euro area": EuroArea, "oecd": OECDMembers, "advanced": Advanced, "continent": Continent, "income": Income,
}

type listedGroup struct {
	class GroupClass
	order int
}

var loadGroups = sync.OnceValue(func() map[string]listedGroup {
	groups := map[string]listedGroup{}
	for _, fields := range lines("groups") {
		for name := range strings.SplitSeq(fields[1], " | ") {
			groups[foldName(name)] = listedGroup{groupClasses[fields[0]], len(groups)}
		}
	}
	return groups
})

// ClassOf returns the class of a group of countries by its English name, and its order
// among all groups: of several compositions of one group, the first is the one to prefer.
func ClassOf(name string) (class GroupClass, order int) {
	groups := loadGroups()
	if g, ok := groups[foldName(name)]; ok {
		return g.class, g.order
	}
	return SpecialGroup, len(groups)
}

var (
	loadPopulation = sync.OnceValue(func() map[string]int { return sizes("population") })
	loadGDP        = sync.OnceValue(func() map[string]int { return sizes("gdp") })
)

// sizes returns the numbers of a table of countries.
func sizes(table string) map[string]int {
	size := map[string]int{}
	for _, fields := range lines(table) {
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			panic("geo: table " + table + ": " + err.Error())
		}
		size[fields[0]] = n
	}
	return size
}

// Population returns how many thousand people lived in a country in 2022, by its alpha-2
// code. It is 0 if that is not listed. It serves to rank countries by size.
func Population(alpha2 string) int { return loadPopulation()[alpha2] }

// groupOfTwenty are the countries of the Group of Twenty, the largest economies.
const groupOfTwenty = "AR AU BR CA CN DE FR GB ID IN IT JP KR MX RU SA TR US ZA"

// largePopulation is the population, in thousands, from which a country is one of the largest.
const largePopulation = 50_000

// LargestCountries lists the alpha-2 codes of the countries that readers expect in a comparison
// of all countries: the largest economies, then other populous countries, both by population.
var LargestCountries = sync.OnceValue(func() []string {
	countries := strings.Fields(groupOfTwenty)
	economies := len(countries)
	for alpha2, population := range loadPopulation() {
		if population >= largePopulation && !slices.Contains(countries, alpha2) {
			countries = append(countries, alpha2)
		}
	}
	bySize := func(a, b string) int { return cmp.Or(cmp.Compare(Population(b), Population(a)), cmp.Compare(a, b)) }
	slices.SortFunc(countries[:economies], bySize)
	slices.SortFunc(countries[economies:], bySize)
	return countries
})

// membersPopulation is the population, in thousands, from which a member of the European Union is large.
const membersPopulation = 10_000

// LargestMembers lists the alpha-2 codes of the large members of the European Union, which readers
// expect in a comparison of its members, by population.
var LargestMembers = sync.OnceValue(func() []string {
	var members []string
	for _, alpha2 := range loadMembers()["EU27_2020"] {
		if Population(alpha2) >= membersPopulation {
			members = append(members, alpha2)
		}
	}
	slices.SortFunc(members, func(a, b string) int { return cmp.Or(cmp.Compare(Population(b), Population(a)), cmp.Compare(a, b)) })
	return members
})

// Weight ranks countries by how likely readers look for them, by their alpha-2 codes: the
// gross domestic product of 2022 times the square root of the population. So the largest
// economies come first, and among economies of one size those with more people. It is 0 if
// the country is not listed.
func Weight(alpha2 string) float64 {
	return float64(loadGDP()[alpha2]) * math.Sqrt(float64(Population(alpha2)))
}

// continents has the M49 regions that together cover the world without overlapping.
var continents = []string{"un:002", "un:142", "un:150", "un:003", "un:005", "un:009"}

var loadContinents = sync.OnceValue(func() map[string]string {
	continent := map[string]string{}
	members := loadMembers()
	for _, c := range continents {
		for _, country := range members[c] {
			continent[country] = c
		}
	}
	continent["XK"] = "un:150" // Kosovo, which M49 does not list
	return continent
})

// ContinentOf returns the ID of the continent of a country, an M49 region such as un:150
// (Europe). North America includes Central America and the Caribbean. It is empty for
// unknown countries.
func ContinentOf(alpha2 string) string { return loadContinents()[alpha2] }

// includedIn are territories with codes of their own that their countries' statistics include,
// with the countries.
var includedIn = map[string]string{"AX": "FI", "GF": "FR", "GP": "FR", "MQ": "FR", "RE": "FR", "YT": "FR", "SJ": "NO"}

// IncludedIn returns the country whose numbers include those of a territory, such as Finland
// for Åland, by their alpha-2 codes. It is empty for all others.
func IncludedIn(alpha2 string) string { return includedIn[alpha2] }

// EUMembers returns the alpha-2 codes of the members of the European Union at the end of a year from
// 1995 on.
func EUMembers(year int) []string {
	edition := "EU27_2020"
	switch {
	case year < 2004:
		edition = "EU15"
	case year < 2007:
		edition = "EU25"
	case year < 2013:
		edition = "EU27_2007"
	case year < 2020:
		edition = "EU28"
	}
	return loadMembers()[edition]
}

// IsInEU reports whether a country is a member of the European Union.
func IsInEU(alpha2 string) bool {
	for _, member := range loadMembers()["EU27_2020"] {
		if member == alpha2 {
			return true
		}
	}
	return false
}

// FindGroup returns the group of countries that has a name in the tables of any office. It
// is for tables of unknown offices, whose codes say nothing.
func FindGroup(name string) (Area, bool) {
	key := foldName(name)
	t := loadTables()
	for _, file := range ownFiles {
		if p := t.own[file].names[key]; p != nil && p.area.Kind == Group {
			return p.from(file), true
		}
	}
	return Area{}, false
}
