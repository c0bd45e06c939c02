package caption

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/currency"

	"almanac/internal/lazyregexp"
	"almanac/internal/multiples"
	"almanac/internal/stat"
)

// UnitOf returns the unit of a series as a picture shows it: the one that the office states,
// else its currency, else the one that the label of its measure or the title of the dataset
// ends with, as in "GDP (current US$)". It is empty if there is none. stated is the unit that
// the office states for the series itself.
func UnitOf(d *stat.Dataset, key []int32, stated string) string {
	return withBase(d, key, unitOf(d, key, stated))
}

func unitOf(d *stat.Dataset, key []int32, stated string) string {
	if pair := cmp.Or(rateOf(d, key), currencyOf(d, key)); strings.Contains(pair, " per ") {
		return pair
	}
	if unit := statedUnit(d, key, stated); IsFiller(unit) && unit != "" {
		return knownUnit(d, key) // "not applicable"
	} else if known := knownUnit(d, key); strings.HasPrefix(unit, "per ") && strings.Contains(known, unit) {
		return known // which says of what, too
	} else if unit != "" && !IsOpenUnit(unit) {
		return ofRate(d, ofWhat(d, key, wholeUnit(d, key, UnitName(d.Source.ID, oneOf(d, key, unit)))))
	}
	if unit := currencyOf(d, key); unit != "" && !isPureNumber(d, key) {
		return multipleOf(d, key, ofRate(d, unit))
	}
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		code := dim.Codes[key[axis]]
		if unit := knownCode(d.Source.ID, dim.ID, code.ID).unit; unit != "" {
			return unit
		}
		label := Label(d.Source.ID, dim.ID, code)
		if unit := unitIn(label); unit != "" {
			return unit
		}
		if isMeasureID(strings.ToLower(dim.ID)) && isPercent.MatchString(label) { // "Poverty Percent, All Ages"
			return "%"
		}
	}
	if unit := knownUnit(d, key); unit != "" {
		return unit
	}
	if unit := knownDataset(d).unit; unit != "" && !isPart(d, key) {
		return unit
	}
	if d.Unit == "" && percentChange.MatchString(d.Description) {
		return "% change"
	}
	title, _ := titleOf(d)
	if m := fredTitle.FindStringSubmatch(title); m != nil && d.Source.ID == "fred" {
		return m[2]
	}
	return cmp.Or(unitIn(title), rateInPercent(d, key))
}

// multipleOf adds to a currency the multiple that the label of the measure states, or of the only
// measure the title: "Exports (millions)".
func multipleOf(d *stat.Dataset, key []int32, unit string) string {
	title, _ := titleOf(d)
	for axis := range d.Dimensions {
		if dim := &d.Dimensions[axis]; isMeasureID(strings.ToLower(dim.ID)) {
			title = Label(d.Source.ID, dim.ID, dim.Codes[key[axis]])
		}
	}
	if _, power := CutMultiple(title); power != 0 && !multiples.Has(unit) {
		return stat.UnitText(unit, strconv.Itoa(power))
	}
	return unit
}

// knownUnit returns the unit that the tables know for a code of a series.
func knownUnit(d *stat.Dataset, key []int32) string {
	for axis := range d.Dimensions {
		if unit := knownCode(d.Source.ID, d.Dimensions[axis].ID, d.Dimensions[axis].Codes[key[axis]].ID).unit; unit != "" {
			return unit
		}
	}
	for _, f := range d.Fixed {
		if unit := knownCode(d.Source.ID, f.ID, f.Code.ID).unit; unit != "" {
			return unit
		}
	}
	return ""
}

// ofRate adds to a currency the one that a list of exchange rates is quoted for.
func ofRate(d *stat.Dataset, unit string) string {
	if of, ok := strings.CutPrefix(knownDataset(d).unit, "per "); ok && isCurrencyName(unit) {
		return perCurrency(unit, of)
	}
	return unit
}

// oneOf returns the unit of a series among those that an office lists for a table: "Índice" of
// "Índice, Tasas", if a label of the series is it.
func oneOf(d *stat.Dataset, key []int32, units string) string {
	for unit := range strings.SplitSeq(units, ", ") {
		for axis := range d.Dimensions {
			if unit != units && strings.EqualFold(d.Dimensions[axis].Codes[key[axis]].Label, unit) {
				return unit
			}
		}
	}
	return units
}

var (
	isPercent = lazyregexp.New(`(?i)\b(percent|percentage|per cent|porcentaje|pourcentage|prozent)\b`)
	// percentChange matches descriptions of tables of rates of change.
	percentChange = lazyregexp.New(`(?i)^(variaciones porcentuales|percent(age)? changes?|variations en pourcentage|veränderung in prozent)\b`)
)

// isPart reports whether the dataset has several measures, and the series has one that is no total,
// so that the unit of the dataset may be that of another one.
func isPart(d *stat.Dataset, key []int32) bool {
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		if len(dim.Codes) > 1 && isMeasureID(strings.ToLower(dim.ID)) && !IsFiller(Label(d.Source.ID, dim.ID, dim.Codes[key[axis]])) {
			return true
		}
	}
	return false
}

// isPureNumber reports whether a measure is known to have no unit of money.
func isPureNumber(d *stat.Dataset, key []int32) bool {
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		if unit := knownCode(d.Source.ID, dim.ID, dim.Codes[key[axis]].ID).unit; unit != "" && isMeasureID(strings.ToLower(dim.ID)) && !IsCurrency(unit) {
			return true
		}
	}
	return false
}

// UnitName returns the name of a unit of which the office gives only the code.
func UnitName(office, unit string) string {
	unit = unbracketed(tidy(unit))
	base, rest, _ := strings.Cut(unit, " (") // "USD (millions)"
	if name := cmp.Or(knownName(office, "unit", base), chainLinked(base), indexName(base)); name != "" {
		if rest != "" {
			name += " (" + rest
		}
		return name
	}
	if number, ok := strings.CutSuffix(unit, " No"); ok { // of the FAO: "million No"
		return number
	}
	if base == "Currency" { // "Currency (millions)"
		return strings.TrimSuffix(rest, ")")
	}
	return unit
}

var (
	multiplier     = lazyregexp.New(`(?i)^(thousand|million|billion|trillion)s?$`)
	currencySuffix = lazyregexp.New(`_([A-Z]{3})$`)
)

// ofWhat adds the currency to a unit that is only a multiplier, if the code of the measure ends
// with it: "millions" of FM1_EUR.
func ofWhat(d *stat.Dataset, key []int32, unit string) string {
	m := multiplier.FindStringSubmatch(unit)
	if m == nil {
		return unit
	}
	for axis := range d.Dimensions {
		if dim := &d.Dimensions[axis]; isMeasureID(strings.ToLower(dim.ID)) {
			if code := currencySuffix.FindStringSubmatch(dim.Codes[key[axis]].ID); code != nil {
				if name := knownCodes()["@currency\t"+code[1]].name; name != "" {
					return strings.ToLower(m[1]) + " " + lowerFirst(name)
				}
			}
		}
	}
	return unit
}

// openUnits match units that refer to another text: "jew. ME", the unit of each row.
var openUnits = lazyregexp.New(`(?i)^\W*(jew(eils|eilige|\.) ?(ME|(Maß)?einheit)|(various|different|mixed)( units)?|units? var(y|ies)|(verschiedene|diverse) (Maß)?einheiten|unités (diverses|différentes|variées)|diverses unités|(varias|diversas|distintas) unidades|unidades (varias|diversas)|unità (varie|diverse))\W*$`)

// IsOpenUnit reports whether a unit says only that each value has its own.
func IsOpenUnit(unit string) bool { return openUnits.MatchString(unit) }

var indexCode = lazyregexp.New(`^I(?:NX_)?(?:(19|20)?(\d\d))(_\w+)?$`)

// indexName names Eurostat's codes of indices, which have a base year: I15.
func indexName(code string) string {
	m := indexCode.FindStringSubmatch(code)
	switch {
	case m == nil:
		return ""
	case m[1] != "":
		return "Index, " + m[1] + m[2] + "=100"
	case m[2] > "50":
		return "Index, 19" + m[2] + "=100"
	}
	return "Index, 20" + m[2] + "=100"
}

var chainLinkedCode = lazyregexp.New(`^CLV(\d\d)_(MEUR|MNAC|EUR_HAB|I)|^CLV_(I)(\d\d)$`)

// chainLinked names Eurostat's codes of chain linked volumes, which have a base year.
func chainLinked(code string) string {
	m := chainLinkedCode.FindStringSubmatch(code)
	if m == nil {
		return ""
	}
	year := cmp.Or(m[1], m[4])
	if year > "50" {
		year = "19" + year
	} else {
		year = "20" + year
	}
	switch cmp.Or(m[2], m[3]) {
	case "MEUR":
		return "Chain linked volumes (" + year + "), million euro"
	case "MNAC":
		return "Chain linked volumes (" + year + "), million units of national currency"
	case "EUR_HAB":
		return "Chain linked volumes (" + year + "), euro per inhabitant"
	}
	return "Chain linked volumes, index " + year + "=100"
}

// currencyDimensions are the IDs of dimensions that say in which currency values are, or
// exchange rates are quoted.
// Others, such as the currency in which debt is issued, are no unit.
var currencyDimensions = strings.Fields("currency currency_denom curr waehrung devise moneda valuta monnaie")

func isCurrencyDimension(id string) bool {
	return slices.Contains(currencyDimensions, strings.ToLower(id))
}

// currencyNames are the names of currencies that a unit may have.
var currencyNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for key, known := range knownCodes() {
		if strings.HasPrefix(key, "@currency\t") {
			names[strings.ToLower(known.name)] = true
		}
	}
	return names
})

// IsPlainCurrency reports whether a unit is a currency and nothing else, or a multiple of one: its
// code in ISO 4217, its name, "Chilean Peso (millions)".
func IsPlainCurrency(unit string) bool {
	counted, _ := CutMultiple(unit)
	_, err := currency.ParseISO(counted)
	return err == nil || isCurrencyName(counted)
}

func isCurrencyName(unit string) bool {
	return currencyNames()[strings.ToLower(unit)] || currencyNoun.MatchString(unit)
}

// currencyNoun matches names of currencies without their country, or with another word for it than
// in the tables. Names that are words for something else too, such as pound or mark, are not among
// them.
var currencyNoun = lazyregexp.New(`(?i)^((\pL+|U\.?S\.?) )?(euros?|dollars?|yen|yuan|renminbi|z[lł]oty(ch)?|forints?|koruna|koruny|krona|kronor|krone|kroner|króna|lei|leva|kuna|dinars?|dirhams?|` +
	`ringgit|baht|rupees?|rupiah|pesos?|reais|liras?|francs?|franken|riyals?|shekels?|hryvnia|tenge|rubles?|roubles?|taka|naira|cedi)$`)

// ofCurrency begins the labels of the ILO's classification of currencies.
const ofCurrency = "Currency: "

var isCurrency = lazyregexp.New(`(?i)^[A-Z]{3}$|[$€£¥]|\b(euro|ecu|dollars?|pps|ppp|purchasing power)\b`)

// IsCurrency reports whether a unit is one of money: "EUR", "Million euro", "current US$".
func IsCurrency(unit string) bool {
	return isCurrency.MatchString(unit) || IsNationalCurrency(unit) || isCurrencyName(unit)
}

// currencyOf returns the label of the currency of a series: "2021 PPP $". For exchange rates
// it is the pair.
func currencyOf(d *stat.Dataset, key []int32) string {
	currency, denominator := "", ""
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		code := dim.Codes[key[axis]]
		label := Label(d.Source.ID, dim.ID, code)
		switch {
		case strings.EqualFold(dim.ID, "currency_denom"):
			denominator = label
		case isCurrencyDimension(dim.ID):
			currency = label
		case strings.HasPrefix(code.Label, ofCurrency):
			return label
		}
	}
	switch {
	case denominator == "" && IsCurrency(currency):
		return currency
	case denominator != "" && currency != "":
		return perCurrency(currency, denominator)
	}
	return ""
}

var (
	bracketed = lazyregexp.New(`[(\[【]([^()\[\]【】]+)[)\]】]`)
	amounts   = lazyregexp.New(`(?i)\bin ((?:thousands|millions|billions|trillions)(?: of [\pL\d .$]+)?|%|percent|per cent)$|[-–,] (%|US dollars)$`)
	unitWords = lazyregexp.New(`(?i)[%$€£]|^(i|in) 1[ .]?000$|\b(mrd|mio|tsd|bn)\b\.?|perc/fő|^(ezer|millió|milliárd) |\bper\b|\bpercent|^in (%|per|thou|mill|bill|euro|years)|\b(thousands?|millions?|billions?|trillions?|tonnes|hectares|kwh|gwh|twh|index)\b|= ?100\b|\b(euro|dollars?|pounds?|yen|kroner|krona)\b|^(years|persons|people|number|inhabitants|kg|km|euro|usd|eur|人|戸|世帯|fő|ezer fő)$`)
	lists     = lazyregexp.New(`(?i)\band\b|\bor\b|;|<|>`)
	// openAges matches ages without an end, which are no list: "% ages 15 and older".
	openAges = lazyregexp.New(`(?i)\d+( years)? (and|or) (older|over|above|more|up|under|younger|below)\b`)
)

// unitIn returns the unit that a title or the label of a measure ends with: in brackets or
// after "in". A text that names several units states none.
func unitIn(text string) string {
	text = tidy(text)
	groups := bracketed.FindAllStringSubmatch(text, -1)
	for i := len(groups) - 1; i >= 0; i-- {
		if unit := groups[i][1]; (unitWords.MatchString(unit) || IsNationalCurrency(unit)) && !lists.MatchString(openAges.ReplaceAllString(unit, "")) {
			return strings.TrimPrefix(unit, "in ")
		}
	}
	if m := amounts.FindStringSubmatch(text); m != nil {
		return cmp.Or(m[1], m[2])
	}
	if m := inNationalCurrency.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// withoutUnit returns the label of a measure without the unit that it ends with in brackets.
func withoutUnit(label string) string {
	if head, last := cutBracket(label); unitIn(last) != "" {
		return head
	}
	return label
}

// cutBracket cuts the words in brackets off the end of a label. last is empty if there are none.
func cutBracket(label string) (head, last string) {
	if i := strings.LastIndex(label, " ("); i > 0 && strings.HasSuffix(label, ")") {
		return label[:i], label[i+1:]
	}
	return label, ""
}

var bare = lazyregexp.New(`(?i)^(%|percent(age)?|per cent|pct|prozent|porcentaje|pourcentage|procent|prosent)$`)
var saysPercent = lazyregexp.New(`(?i)%|percent|per cent|prozent|porcentaje|pourcentage|procent|prosent`)

// saysUnit reports whether a title says a unit, if need be in another word for per cent.
func saysUnit(title, unit string) bool {
	if base := baseIn(unit); base != "" && baseIn(title) == base && isIndex.MatchString(unit) {
		return true
	}
	return Contains(title, unit) || bare.MatchString(unit) && saysPercent.MatchString(title)
}
