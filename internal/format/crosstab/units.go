package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/multiples"
)

// isUnitRow reports whether a row has only units on the right of the stub, which is empty or says so. Some may be
// multiples.
//
//	Country,2018,,2019,
//	,1000,%,1000,%
func (s *sample) isUnitRow(row, first int) bool {
	first = min(first, len(s.rows[row]))
	name, cells := joinCells(s.rows[row][:first]), s.rows[row][first:]
	role, _ := roleOf(name)
	return (name == "" || role == roleUnit) && AreUnits(cells)
}

// AreUnits reports whether the cells of a row that are not empty are units. Some may be multiples of one, or say that
// the numbers are an index.
func AreUnits(cells []string) bool {
	return allCells(cells, isUnit) && slices.ContainsFunc(cells, isWholeUnit)
}

// isUnit reports whether a heading is a unit, or may be one beside others.
func isUnit(cell string) bool {
	return IsMultiple(cell) || strings.EqualFold(cell, "index") || isWholeUnit(cell)
}

// isWholeUnit reports whether a heading is a unit, and not only what numbers are to be multiplied by.
func isWholeUnit(cell string) bool {
	return unitForm.MatchString(cell) || duration.MatchString(cell) || isAmount(cell)
}

// IsMultiple reports whether a text is a number by which others are to be multiplied: "1 000".
func IsMultiple(cell string) bool { return multiple.MatchString(cell) }

// multiple matches what numbers are to be multiplied by.
var multiple = lazyregexp.New(`^1([.,  ']?000)+$`)

// unitForm matches short names of units below the headings of columns.
var unitForm = lazyregexp.New(`(?i)^(in )?([0-9][0-9 .,]* ?)?(%|\(%\)|‰|per ?cent|percent|prozent|pour cent|por ?cento|procent|thousands?|millions?|billions?|tonnes?|t|kt|mt|kg|ha|km2|km²|m3|m³|tj|gwh|mwh|toe|ktoe|eur|usd|£|€|\$|` +
	`mrd\.? eur|mill?\.? eur|(mln|mld) euro|euro|x 1[ .]000|number|anzahl|aantal|antal|antall|nombre|número|persons?|personen|personnes|personas|fő|ezer fő|db|ezer|osob[ay]?|szt\.?|人|万人|亿元|千人|戸|円|[0-9]{4} ?= ?100)$`)

// duration matches units of time. A number before one is an age or the length of a period.
var duration = lazyregexp.New(`(?i)^((in )?(years|months|weeks|days|hours|minutes|seconds)( of (age|life))?|(hours|days|weeks|minutes) per (year|month|week|day|person|worker|employee)|` +
	`(in )?(jahren?|monaten?|wochen|tagen?|stunden|minuten)|années|ans|semaines|jours|heures|años|meses|semanas|días|horas|minutos|anni|mesi|giorni|ore|anos|dias|jaren|maanden|dagen|uren)$`)

// isAmount reports whether a text is a unit of amounts, shares or indices, such as "EUR million", "% of GDP" and
// "2015 = 100".
func isAmount(text string) bool {
	if text = bareUnit(text); len(text) > maxUnit {
		return false
	}
	if share.MatchString(text) || index.MatchString(text) || otherWords.MatchString(text) {
		return true
	}
	amount := atPrices.ReplaceAllString(text, "")
	if money.MatchString(amount) || measure.MatchString(amount) {
		return true
	}
	counted, power := multiples.Cut(amount)
	return power != 0 && (counted == "" || money.MatchString(counted) || measure.MatchString(counted) || things.MatchString(counted))
}

// bareUnit returns a unit without brackets around it, and without words such as "Angaben in" before it.
func bareUnit(text string) string {
	text = introduced.ReplaceAllString(outerBrackets.ReplaceAllString(text, "$1"), "$1")
	return strings.TrimPrefix(strings.TrimPrefix(text, "in "), "In ")
}

const maxUnit = 60 // bytes of a unit

var (
	// introduced matches a unit behind words that say only that it is one.
	introduced    = lazyregexp.New(`(?i)^(?:(?:alle )?(?:angaben|werte|zahlen|daten)|(?:all )?(?:data|figures|values|numbers)|données|chiffres|valeurs|datos|cifras|valores|dados|dati|valori|gegevens|cijfers)(?: (?:are|expressed|exprimées|expresados|expresadas|espressi))? ((?:in|en|em) .+)$`)
	outerBrackets = lazyregexp.New(`^\((.*)\)$`)
	// share matches shares and rates of change.
	share = lazyregexp.New(`(?i)^(%|per ?cent|percent|percentage|prozent|pour ?cent|por ciento|por cento|procent)` +
		`( (of|des|der|du|de|del|do|vom|von|av|af) (the )?(gdp|gni|gnp|gross domestic product|pib|bip|bbp|pil|bnp|total|population|potential gdp|labou?r force|active population|revenue|income)` +
		`|( |age )?change( (on|over|from) .*)?|-?points?)?$|^(percentage|prozent)[- ]?(points?|punkte)$|^(p\.?p\.?|pps)$`)
	// index matches indices with their base, and rates of a number.
	index = lazyregexp.New(`(?i)^(index,? ?)?\(?[12][0-9]{3}([-–/]([0-9]{2}|[12][0-9]{3})|[qm][0-9]{1,2})? ?= ?100\)?$|^per (1[ ,.']?000|10[ ,.']?000|100[ ,.']?000)( (inhabitants|persons|people|population|live births|births))?$`)
	// money matches currencies.
	money = lazyregexp.New(`^(?:(?:[A-Z]{1,3})?\p{Sc}|EUR|USD|GBP|JPY|CHF|CNY|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|HRK|TRY|RUB|UAH|CAD|AUD|NZD|MXN|BRL|ARS|CLP|COP|INR|IDR|KRW|SGD|HKD|THB|MYR|PHP|ZAR|EGP|NGN|KES|ILS|SAR|AED|PPS|PPP|` +
		`ECU|ITL|FRF|DEM|ESP|ATS|(?i:euros?|(?:us|u\.s\.|canadian|australian) dollars?|dollars?|pounds? sterling|swiss francs?|yen|kron[ae]r?|zloty|forint))(?: per (?:capita|head|inhabitant|person|hour|month|year|tonne|kg|m2|m²))?$`)
	// measure matches units of measurement.
	measure = lazyregexp.New(`^(?i:tonnes?|metric tons?|kg|ha|hectares?|km2|km²|m2|m²|m3|m³|litres?|hl|gwh|mwh|kwh|twh|tj|pj|toe|ktoe|mtoe|kt|mt|(?:t|kt|mt|tonnes?) (?:of )?co2(?: equivalents?|e)?)(?: per (?:capita|head|inhabitant|person|ha|hectare|km2|km²))?$`)
	// things matches what multiples are of.
	things = lazyregexp.New(`^(?:[a-z]+(?: [a-z]+)?|Personen|Einwohner|Stück|Haushalte|Tonnen|Hektar|Euro|Mark)$`)
	// otherWords matches units with multiples in the words of other languages, which [multiples] leaves out.
	otherWords = lazyregexp.New(`(?i)^(e[nm] (?:miles|milhares|milliers)|(en )?miles de \pL+( de \pL+)?|(en )?(milliers|millions|milliards) (de |d['’])\pL+( courants| constants)?|(en )?porcentajes?|(em )?percentagem|(em )?porcentagem|(en )?pourcentages?|valori percentuali|(in )?percentuale|` +
		`(w )?tys\. \pL+|(w )?(mln|mld) zł|tis\. \pL+|mil\. kč|(ezer|1 ?000) fő|(ezer|millió|milliárd|mrd) ft|(1[ .]000|mio\.?|mill\.?|mia\.?|mrd\.?) kr\.?|mkr|(milj|mrd)\. euroa?|` +
		`(тыс|млн|млрд)\.? \pL+\.?|百万円|億円|千円|千人|万人|万元|亿元)$`)
	// atPrices matches how amounts are valued.
	atPrices = lazyregexp.New(`(?i)[,;]? (at|in)? ?(current|constant|[12][0-9]{3}|previous year'?s?)( market)? prices$`)
)
