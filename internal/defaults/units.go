package defaults

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// unitKind is what values in a unit are, as far as a choice depends on it.
type unitKind int

const (
	otherUnit unitKind = iota
	share              // %, per mille
	perHead            // per inhabitant, per 1,000 inhabitants
	amount             // money
	index              // 2015 = 100
	change             // % change over a period
	count              // persons, things
)

// unit is what a code of a unit dimension means.
type unit struct {
	kind     unitKind
	currency int    // of amounts: position in currencies, the preferred first
	base     int    // year of an index or of constant prices; 0: none
	volume   bool   // of amounts: at constant prices
	of       string // denominator of a share, as the code or label names it
	scale    int    // power of ten: 6 for millions
}

// preferUnit prefers the units that the title and the measure speak of; of these, shares
// of the widest denominator, amounts in one currency for all areas at current prices, the
// newest base year, and single persons rather than thousands.
func preferUnit(c *chooser) []int32 {
	text := c.title() + " " + c.measure
	units := map[int32]unit{}
	for _, i := range c.codes {
		units[i] = unitOf(c.code(i))
	}
	wanted := wantedKinds(text)
	rank := func(i int32) int {
		if at := slices.Index(wanted, units[i].kind); at >= 0 {
			return at
		}
		return len(wanted)
	}
	compare := func(a, b int32) int {
		u, v := units[a], units[b]
		return cmp.Or(cmp.Compare(rank(a), rank(b)), fit(text, v.of)-fit(text, u.of), cmp.Compare(u.currency, v.currency),
			cmp.Compare(u.constantPrices(), v.constantPrices()), cmp.Compare(v.base, u.base), cmp.Compare(len(u.of), len(v.of)), cmp.Compare(u.scale, v.scale)*u.scaleSign())
	}
	sorted := slices.SortedStableFunc(slices.Values(c.codes), compare)
	if best := sorted[0]; units[best].kind != otherUnit || rank(best) < len(wanted) {
		return slices.DeleteFunc(sorted, func(i int32) bool { return compare(i, best) != 0 })
	}
	return nil
}

// scaleSign orders scales: counts in ones before thousands, amounts in millions before
// ones, because their numbers are long.
func (u unit) scaleSign() int {
	if u.kind == amount {
		return -1
	}
	return 1
}

func (u unit) constantPrices() int {
	if u.kind == amount && (u.base > 0 || u.volume) {
		return 1
	}
	return 0
}

// wantedKinds returns the kinds of units that a text speaks of, most wanted first. Without
// any hint, numbers that compare large and small countries come before amounts and counts.
func wantedKinds(text string) []unitKind {
	return append(hintsOf(text), share, perHead, amount, count, otherUnit, index, change)
}

// hintsOf returns the kinds of units that a text speaks of.
func hintsOf(text string) []unitKind {
	var kinds []unitKind
	for _, hint := range unitHints {
		if slices.ContainsFunc(hint.words, func(word string) bool { return wordAt(text, word) >= 0 }) {
			kinds = append(kinds, hint.kind)
		}
	}
	return kinds
}

var unitHints = []struct {
	kind  unitKind
	words []string
}{
	{perHead, []string{"per capita", "per inhabitant", "per head", "per person", "per 1 000", "per 1,000", "per 1000", "per 100 000", "per 100,000", "par habitant", "je einwohner", "per hundred thousand", "per million"}},
	{change, []string{"growth", "change", "inflation", "variation", "veränderung", "variación", "évolution"}},
	{share, []string{"rate", "rates", "share", "percentage", "proportion", "ratio", "%", "percent", "per cent", "prozent", "quote", "taux", "part des", "anteil", "tasa", "porcentaje", "tasso", "risk of poverty", "deficit", "debt"}},
	{index, []string{"index", "indices", "indeks", "indice", "índice", "house prices", "property prices", "consumer prices", "producer prices"}},
	{amount, []string{"gross domestic product", "gdp", "earnings", "wages", "income", "consumption expenditure", "turnover", "value of", "million", "national accounts"}},
	{count, []string{"population", "number of", "persons", "births", "deaths", "employment by", "employed"}},
}

// fit says how well the denominator of a share fits a text: an unemployment rate is a
// share of the labour force, an employment rate one of the population.
func fit(text, of string) int {
	for _, d := range []struct{ text, of string }{
		{"unemployment", "labour force"}, {"unemployment", "active population"}, {"unemployment", "_act"},
		{"employment rate", "total population"}, {"activity rate", "total population"}, {"debt", "gdp"}, {"deficit", "gdp"}, {"expenditure", "gdp"}, {"tax", "gdp"}, {"revenue", "gdp"}, {"credit", "gdp"}, {"benefits", "gdp"},
	} {
		if wordAt(text, d.text) >= 0 && strings.Contains(of, d.of) {
			return 1
		}
	}
	return 0
}

// currencies are the currencies that all areas can be shown in, the preferred first, by
// words of codes and labels. A national currency comes last.
var currencies = [][]string{
	{"EUR", "MEUR", "EURO"}, {"USD", "US$", "DOLLARS", "DOLLAR", "MILLDOLL", "USDPPP"}, {"PPP", "PPS", "MPPS", "INTERNATIONAL"}, {"JPY"}, {"GBP"}, {"AUD"}, {"CAD"}, {"CHF"}, {"CNY"},
}

var nationalCurrency = []string{"NAC", "MNAC", "XDC", "LCU", "NATIONAL", "LOCAL"}

// unitOf reads a unit from its code, or else from its label.
func unitOf(code stat.Code) unit {
	label := labelOf(code)
	words := strings.FieldsFunc(strings.ToUpper(code.ID+" "+label), func(r rune) bool { return strings.ContainsRune(" _-(),;:/=.'", r) })
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	u := unit{of: strings.ToLower(code.ID), currency: currencyOf(words), base: baseOf(words)}
	if _, denominator, ok := strings.Cut(label, " of "); ok {
		u.of = denominator
	}
	switch id := strings.ToUpper(code.ID); {
	case has("PCH", "CHANGE", "CHANGES", "GROWTH", "PCHG", "RCH", "PCTCHG"):
		u.kind = change
	case strings.HasPrefix(id, "HAB_"): // inhabitants per bed
	case has("HAB", "INHABITANT", "INHABITANTS", "CAPITA", "HTHAB", "THAB"):
		u.kind = perHead
	case strings.HasPrefix(id, "PC_") || has("PC", "PT", "PA", "PERCENT", "PERCENTAGE", "%", "RT", "RATE", "PER CENT"):
		u.kind = share
	case baseYearOf(code) > 0:
		u.kind, u.base = index, baseYearOf(code)
	case has("INDEX", "IX", "INX") || slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "INDEX") }) || strings.HasPrefix(id, "I") && u.base > 0 || strings.Contains(id, "_I") && u.base > 0:
		u.kind = index
	case u.currency <= len(currencies):
		u.kind = amount
	case has("NR", "PER", "PERS", "PERSONS", "NUMBER", "THS", "PS", "ANZAHL", "PEOPLE"):
		u.kind = count
	}
	u.volume = has("CHAIN", "CHAINED", "CONSTANT", "VOLUME", "VOLUMES", "PREISBEREINIGT", "VERKETTETE", "UNVERKETTETE", "REAL")
	switch {
	case has("THS", "THOUSAND", "THOUSANDS", "K"):
		u.scale = 3
	case has("MIO", "MILLION", "MILLIONS", "MEUR", "MNAC", "MPPS"):
		u.scale = 6
	case has("BILLION", "BILLIONS", "MRD"):
		u.scale = 9
	}
	return u
}

// currencyOf returns the position of the first currency among words in currencies, after
// all of them for a national currency, and farther for none.
func currencyOf(words []string) int {
	for i, names := range currencies {
		if slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return w == name || isQuoted(w, name) })
		}) {
			return i
		}
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(nationalCurrency, w) }) {
		return len(currencies)
	}
	return len(currencies) + 1
}

// preferUnitOfAll prefers as preferUnit does where every code is a unit, although the
// dimension has another role: million dollars rather than their change.
func preferUnitOfAll(c *chooser) []int32 {
	first := unitOf(c.code(c.codes[0]))
	isOther := func(i int32) bool { return unitOf(c.code(i)).kind == otherUnit }
	differs := func(code stat.Code) bool {
		u := unitOf(code)
		return u.kind != first.kind || u.constantPrices() != first.constantPrices() || u.currency != first.currency || u.kind == index && u.base != first.base
	}
	if slices.ContainsFunc(c.codes, isOther) || len(c.filter(differs)) == 0 {
		return nil
	}
	return preferUnit(c)
}

// isQuoted reports whether a word is a currency with an amount: EUR1, JPY100.
func isQuoted(word, currency string) bool {
	rest, ok := strings.CutPrefix(word, currency)
	if !ok {
		return false
	}
	_, err := strconv.Atoi(rest)
	return err == nil
}

// basePrefixes stand before the last digits of a base year in codes of Eurostat.
var basePrefixes = []string{"I", "CLV", "CP", "KP", "PD", "PYP", "CPI", "HICP"}

// baseOf returns the base year in words: 2015 of "2015=100", I15, CLV20 and "Chain linked
// volumes (2010)".
func baseOf(words []string) int {
	for _, w := range words {
		digits := strings.TrimLeft(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		n, err := strconv.Atoi(digits)
		switch {
		case err != nil:
		case len(digits) == 4 && 1900 < n && n < 2100:
			return n
		case len(digits) == 2 && slices.Contains(basePrefixes, strings.TrimRight(w, "0123456789")):
			if n > 60 {
				return 1900 + n
			}
			return 2000 + n
		}
	}
	return 0
}
