package geo

import (
	"regexp"
	"slices"
	"strings"
)

// unknownWords are what tables write where an area is not known, or for all others.
var unknownWords = strings.Split("unknown,not stated,not specified,not known,not available,unspecified,unallocated,other,others,na,n a,none,null,nan,missing,residual,rest,"+
	"unbekannt,ohne angabe,nicht erhoben,keine angabe,ubrige,inconnu,non precise,autres,desconocido,no especificado,sin especificar,otros,ignorado,outros,sconosciuto,altro,onbekend,okand,ukjent,uoplyst,nezjisteno,不明,不詳", ",")

// organization matches what stands before the name of a group of countries: "WB: World".
var organization = regexp.MustCompile(`^[A-Z]{2,8}: `)

// isAside reports whether an item counts neither for nor against a system of areas: an empty
// cell, a total, a group of countries, or areas that are not known.
func (it *item) isAside() bool {
	return it.isGroup || it.key == "" || strings.HasPrefix(it.code, "_") && len(it.code) == 2 || strings.HasPrefix(it.code, "-") && isDigits(it.code[1:]) || it.isTotal() || it.isNation() ||
		slices.Contains(unknownWords, it.key) || organization.MatchString(it.code) || isGroupName(it.key)
}

// isNation reports whether an item is called the total of a country: "U.S. TOTAL".
func (it *item) isNation() bool {
	rest := without(it.key, totalWords)
	return rest != it.key && loadNames().any[rest] != nil
}

// separate leaves an area to the items that mean it best, if several items were resolved to
// it: of countries, those with its code, else with its own name if the other one adds words
// to it. "Germany, Federal Republic of" beside Germany is West Germany, but Turkey beside
// Türkiye is the same country. Of subdivisions, see [column.sureness].
func (c *column) separate() {
	all := map[string][]int{}
	for i := range c.items {
		if id := c.items[i].area.ID; id != "" {
			all[id] = append(all[id], i)
		}
	}
	for id, same := range all {
		if len(same) < 2 {
			continue
		}
		var isWorse func(it, other *item) bool
		switch {
		case loadSubdivisions().byID[id] != nil:
			isWorse = c.isLessSure
		case c.items[same[0]].area.Kind == Country:
			isWorse = c.isFarther
		default:
			continue
		}
		var worse []int
		for _, i := range same {
			if slices.ContainsFunc(same, func(j int) bool { return j != i && isWorse(&c.items[i], &c.items[j]) }) {
				worse = append(worse, i)
			}
		}
		for _, i := range worse {
			c.items[i].area, c.items[i].isOfSystem = Area{}, false
		}
	}
}

// isFarther reports whether an item means its country less closely than another one. Of two
// codes with one name, of which neither is the country's, neither is: they are codes of series.
func (c *column) isFarther(it, other *item) bool {
	addsWords := it.key != other.key && hasWords(it.key, other.key) && !hasWords(other.key, it.key)
	n, best := c.closeness(it), c.closeness(other)
	isSameName := n == best && n < 2 && it.isNamed() && other.isNamed() && it.key == other.key
	return n < best && (best >= 3 || addsWords) || isSameName
}

// isLessSure reports whether an item is less surely its subdivision than another one. Of
// two codes with one name and no other proof, neither is.
func (c *column) isLessSure(it, other *item) bool {
	n, best := sureness(it), sureness(other)
	return n < best || n == best && n < sureByCode && it.key == other.key && it.code != other.code
}

const sureByCode = 4

// sureness tells how surely an item is the subdivision that it was resolved to: by its code,
// by a name with its kind (New York State, Groningen (PV)), by a name as it is listed, or by
// a spelling of one.
func sureness(it *item) int {
	s := loadSubdivisions().byID[it.area.ID]
	bare := without(it.key, divisionWords)
	isBy := func(key string) bool { return slices.Contains(loadSubdivisions().byName[key], s) }
	switch {
	case s.hasCode(it.code):
		return sureByCode
	case bare != it.key && isBy(bare):
		return 3
	case isBy(it.key):
		return 2
	}
	return 1
}
