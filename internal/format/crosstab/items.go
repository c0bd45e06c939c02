package crosstab

import (
	"slices"

	"almanac/internal/lazyregexp"
)

// Columns whose headings are items of one dimension have numbers of one measure, and the unit that a line above the
// table states is that of all of them:
//
//	Thousands
//	Year,Germany,France      Country,Men,Women      Country,under 15,15-64,65 and over
//	2022,83.2,67.9           Germany,41.0,42.2      Germany,11.6,53.1,18.4

// sex matches headings of columns that count people of a sex, or all.
var sex = lazyregexp.New(`(?i)^(total|all|both sexes|persons|people|males?|females?|m[ea]n|wom[ea]n|boys|girls|insgesamt|zusammen|männer|frauen|männlich|weiblich|jungen|mädchen|` +
	`ensemble|hommes?|femmes?|garçons|filles|ambos sexos|hombres?|mujer(es)?|varones|homens|mulheres|totale|maschi|femmine|uomini|donne|totaal|mannen|vrouwen|i alt|mænd|kvinder|män|kvinnor|menn|ogółem|mężczyźni|kobiety)$`)

// age matches headings of columns that count what is of an age or a size: "15-24", "65+", "under 15", "65 Jahre und älter".
var age = lazyregexp.New(`(?i)^(aged? |from |von |de |da |des )?((under|unter|below|less than|moins de|menos de|meno di|up to|bis|jonger dan) [0-9]{1,3}|` +
	`[0-9]{1,3} ?([-–—]|to|bis|à|a|tot) ?[0-9]{1,3}|[0-9]{1,3} ?\+|[0-9]{1,3}( years?| jahren?| ans| años| anni| anos| jaar)?,? (and|or|und|oder|et|ou|y|e|en) (over|older|more|above|mehr|älter|plus|más|più|oltre|mais|ouder))` +
	`( years?( old)?| jahren?| ans( et plus)?| años| anni| anos| jaar| år| lat)?$`)

// AreItems reports whether the headings of columns are items of one dimension: sexes, ages or areas, with totals among
// them. countAreas returns how many of some names are areas.
func AreItems(headings []string, countAreas func(names []string) int) bool {
	items := slices.DeleteFunc(distinct(headings), func(heading string) bool { return heading == "" || sex.MatchString(heading) })
	isOther := func(heading string) bool { return !age.MatchString(heading) }
	switch {
	case !slices.ContainsFunc(items, isOther): // or there are only sexes
		return true
	case len(items) < 2:
		return false
	}
	return 3*countAreas(items) >= 2*len(items)
}

// isItems reports whether the texts of a heading row are items of one dimension.
func (r *reader) isItems(h *head) bool {
	countAreas := func(names []string) int { return r.in.CountAreas(r.dataset.Source.ID, "geo", names) }
	return r.isAreas(h.row) || AreItems(h.cells, countAreas)
}

var (
	// unitBehind matches a name that may have its unit behind it: "Area (km²)", "Area, ha".
	unitBehind = lazyregexp.New(`(?:[(\[]([^()\[\]]+)[)\]]|, ([^,]+))$`)
	// otherUnit matches names of numbers that are not in the unit of amounts.
	otherUnit = lazyregexp.New(`(?i)%|\bper ?(cent|capita|head|inhabitant)\b|\b(index|rates?|ratio|share|growth|taux|indice|índice|tasa|taxa|tasso|anteil|quote|pro kopf|par habitant|per cápita|pro capite)\b`)
)

// hasOwnUnit reports whether a name of numbers says that they have another unit than that of a line above the table.
func hasOwnUnit(name string) bool {
	if otherUnit.MatchString(name) {
		return true
	}
	m := unitBehind.FindStringSubmatch(name)
	return m != nil && isWholeUnit(m[1]+m[2])
}
