package caption

import (
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// titleCut is what was cut from a title. In the language of a reader a title loses the same parts as
// without a choice of language, so that all say the same.
type titleCut struct {
	tailCut
	listCut
}

// tailCut says which remarks a title has lost at its end.
type tailCut struct {
	segments, kept int  // between dashes: " – annual data"
	isBracketCut   bool // "(from 2004 onwards)"
}

// listCut says which list of what a table is broken down by a title has lost.
type listCut struct {
	lists    int  // in the title
	cut      int  // the number of the one that was cut, from 1; 0: none
	hasFirst bool // its first item has stayed
	week     int  // the number of the item for weeks, which has stayed; 0: none
}

var dash = lazyregexp.New(` [-–—] `)

func tailOf(whole, title string) tailCut {
	return tailCut{
		segments: len(dash.FindAllString(whole, -1)) + 1, kept: len(dash.FindAllString(title, -1)) + 1,
		isBracketCut: strings.HasSuffix(whole, ")") && !strings.HasSuffix(title, ")"),
	}
}

// withoutTail cuts from the title in another language the remarks that are cut from the first one.
// whole is the title with all of its remarks.
func (c *titleCut) withoutTail(whole, title string) string {
	if c == nil {
		return title
	}
	if dashes := dash.FindAllStringIndex(title, -1); len(dash.FindAllString(whole, -1))+1 == c.segments && len(dashes) >= c.kept {
		title = title[:dashes[c.kept-1][0]]
	}
	if at := strings.LastIndex(title, " ("); c.isBracketCut && at > 0 && strings.HasSuffix(title, ")") {
		title = title[:at]
	}
	return title
}

var (
	// connectors stand before the list of what a table is broken down by.
	connectors = lazyregexp.New(`(?i),? (by|nach|selon|par|según|por|per|segundo|secondo|naar|efter|etter|eftir|według|wg|podle|po|prema|muuttujina) |: `)
	listEnd    = lazyregexp.New(` [-–—(\[] ?|[:;(\[]|\. `)
	listed     = lazyregexp.New(`(?i)\s*,\s*(?:and )?| (?:and|und|et|y|e|en|och|og|oraz|ja|i|&) | and(?:period|year)\b`)
)

// breakdowns are English words for what tables are broken down by.
var breakdowns = setOf("sex|gender|age|ages|region|regions|nuts|country|countries|province|provinces|county|municipality|municipalities|" +
	"district|territory|industry|industries|sector|sectors|activity|activities|nace|isic|type|types|kind|category|categories|group|groups|class|classes|" +
	"level|status|occupation|citizenship|nationality|birth|residence|product|products|commodity|item|year|years|month|quarter|week|period|size|purpose|" +
	"function|durability|degree|quantile|quintile|decile|partner|maturity|contents|frequency|scheme|operation|operations|division|divisions|" +
	"coicop|isced|isco|characteristics|area|areas|commoditygroup|andperiod")

// times are words for time in titles of tables.
var times = setOf("år|kvartal|måned|månad|uke|vecka|uge|tid|jahr|jahre|quartal|quartale|monat|monate|stichtag|année|trimestre|mois|periodo|año|mes|" +
	"anno|mese|ano|mês|jaar|kwartaal|maand|perioden|statistikkvariabel|contents|indhold|year|month|quarter|week|period|time|rok|rok kwartał|vuosi|kuukausi|vuosineljännes|neljännes|ár|mánuður|leto|mesec|měsíc|godina")

// tableList is a list of what a table is broken down by, in its title: "by sex and age".
type tableList struct {
	head, connector string
	items           []string
	rest            string // what follows it
}

// listsIn returns the lists in a title, and what may be some.
func listsIn(title string) (lists []tableList) {
	for _, at := range connectors.FindAllStringIndex(title, -1) {
		if at[0] == 0 {
			continue
		}
		list := tableList{head: strings.TrimRight(title[:at[0]], " ,"), connector: strings.Trim(title[at[0]:at[1]], " ,")}
		tail := title[at[1]:]
		if end := listEnd.FindStringIndex(tail); end != nil {
			tail, list.rest = tail[:end[0]], tail[end[0]:]
			if strings.HasPrefix(strings.TrimSpace(list.rest), "(") && listed.MatchString(list.rest) && connectors.MatchString(title[:at[1]]) {
				if _, more, ok := strings.Cut(list.rest, ")"); ok && listed.MatchString(more) { // "divisions (selection) and level"
					tail, list.rest = tail+more, ""
				}
			}
		}
		for _, item := range listed.Split(tail, -1) {
			if item = strings.TrimSpace(item); item != "" {
				list.items = append(list.items, item)
			}
		}
		lists = append(lists, list)
	}
	return lists
}

// withoutBreakdown cuts from a title what its table is broken down by, "Population by age and
// sex", and says what it has cut. One dimension stays if the picture compares its codes. follow is as in
// [Picture.tableTitle].
func (p *Picture) withoutBreakdown(title string, follow *titleCut) (string, listCut) {
	lists := listsIn(title)
	if follow != nil && follow.lists == len(lists) {
		if follow.cut == 0 {
			return title, follow.listCut
		}
		return lists[follow.cut-1].without(follow.listCut), follow.listCut
	}
	for i, list := range lists {
		connector := strings.ToLower(list.connector)
		if connector == "per" && len(list.items) == 1 && unitOfTime.MatchString(list.items[0]) || comparesOnly(p.Dataset, p.Varies, list.head, list.items) || !isBreakdown(p.Dataset, connector, list.items) {
			continue
		}
		cut := listCut{lists: len(lists), cut: i + 1}
		cut.week = 1 + slices.IndexFunc(list.items, func(item string) bool { return strings.EqualFold(item, "week") }) // a number per week
		cut.hasFirst = cut.week == 0 && !strings.Contains(list.head, " ") && p.isSubject(connector, list.items)
		return list.without(cut), cut
	}
	return title, listCut{lists: len(lists)}
}

// without returns the title without the list, except the items that stay.
func (t *tableList) without(c listCut) string {
	title, rest := t.head, t.rest
	if len(t.items) == 0 {
		return title + rest
	}
	if place := placeEnd.FindString(t.items[len(t.items)-1]); rest == "" && place != "" { // "age, gender and year in Galicia"
		rest = place
	}
	if c.week > 0 && c.week <= len(t.items) {
		title += " " + t.connector + " " + t.items[c.week-1]
	}
	if c.hasFirst {
		title += " " + t.connector + " " + t.items[0]
	}
	return title + rest
}

// unitOfTime matches the time of a flow, which is no breakdown after "per": "Hours worked per week".
var unitOfTime = lazyregexp.New(`(?i)^(day|week|month|quarter|year)$`)

// placeEnd matches the place at the end of what a table is broken down by.
var placeEnd = lazyregexp.New(` in \p{Lu}[\pL-]+( \p{Lu}[\pL-]+)?$`)

// isSubject reports whether the first item of a breakdown says more than a name of a dimension:
// "Businesses by difficulties in recruiting staff" would say too little without it, and so would
// "Population by educational attainment level" of percentages.
func (p *Picture) isSubject(connector string, items []string) bool {
	if connector == ":" || connector == "per" {
		return false
	}
	words := strings.Count(items[0], " ") + 1
	isName := len(items) == 1 || words < 3 || isBreakdown(p.Dataset, connector, items[:1])
	isShare := isPercent.MatchString(p.Unit) && words > 1 && words < 5
	return !isName || isShare
}

// comparesOnly reports whether a picture may compare the codes of the only item that a title
// is broken down by: it compares some, and the head of the title does not name them, as
// "Labour force status by education level" does.
func comparesOnly(d *stat.Dataset, varies []int, head string, items []string) bool {
	return len(varies) > 0 && len(items) == 1 && !slices.ContainsFunc(varies, func(axis int) bool {
		return axis < len(d.Dimensions) && fold(d.Dimensions[axis].Label) == fold(head)
	})
}

// article matches the article of an item: "le niveau de formation".
var article = lazyregexp.New(`^(the|le|la|les|il|lo|i|gli|el|los|las|o|a|os|as|der|die|das|dem|den) |^l['’]`)

// isBreakdown reports whether items are what a table is broken down by: names of its dimensions
// or, in English, words for breakdowns.
func isBreakdown(d *stat.Dataset, connector string, items []string) bool {
	own := func(item string) bool {
		item = fold(item)
		bare := article.ReplaceAllString(strings.TrimSpace(item), "")
		return times[bare] || slices.ContainsFunc(d.Axes(), func(axis *stat.Dimension) bool {
			return slices.Contains([]string{item, bare}, fold(axis.Label)) || slices.Contains([]string{item, bare}, fold(axis.ID))
		})
	}
	english := func(item string) bool {
		return slices.ContainsFunc(strings.Fields(fold(item)), func(word string) bool { return breakdowns[word] })
	}
	tooLong := func(item string) bool { return len(strings.Fields(item)) > 7 }
	switch {
	case len(items) == 0 || slices.ContainsFunc(items, tooLong):
		return false
	case connector == ":":
		return !slices.ContainsFunc(items, func(item string) bool { return !own(item) })
	case connector == "by" && slices.ContainsFunc(items, english):
		return true
	}
	return slices.ContainsFunc(items, own)
}
