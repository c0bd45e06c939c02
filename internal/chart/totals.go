package chart

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/caption"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
	"almanac/internal/transform"
)

// ShowsTotals reports whether a Spec made by New is a map of totals, such as numbers of persons
// or amounts of money, or of their changes. In doubt it is not.
func (s *Spec) ShowsTotals() bool { return s.totals }

// findTotals sets totals. Large areas have large totals, so such a map shows the sizes of the
// areas more than anything else (Eurostat: map ratios, not totals).
func (s *Spec) findTotals(w *textInput) {
	kind := w.options.Derive.Kind
	s.totals = s.Type == Map && (kind == "" || kind == transform.Change) && w.areTotals(cmp.Or(s.Title, s.Name), s.Unit)
}

// totalsNote says that a map shows totals.
func (s *Spec) totalsNote() []string {
	if !s.totals {
		return nil
	}
	return []string{s.Words().Text("Totals, not adjusted for population or area.")}
}

var (
	// perWords are in units of ratios, changeWords in texts about values that are no totals.
	perWords    = lazyregexp.New(`(?i)[/%‰]|=\s?100|\b(pro|je|par|por|years?|days|hours)\b`)
	changeWords = lazyregexp.New(`(?i)\b(indicator|change)\b`)

	// perTexts match a number or a unit after a word for "per" in texts of the offices:
	// "ludność na 1 km2", "Einwohner je km²", "habitantes por hectárea".
	perTexts = lazyregexp.New(`(?i)(^|\PL)(per|pro|je|par|pour|por|na|pr\.?|på|auf)\s+` +
		`((1\s+)?(km|square|qkm|ha|hektar\pL*|hectares?|hectáreas?|habitant\pL*|einwohner\pL*|capita|inwoner|mieszkańca|obyvatele?|innbygger|indbygger|invånare)(²|2|\PL|$)|1(0{2,}|0*[\s.,]000)(\D|$))`)

	// totalUnits are units of totals. Other units and titles are those of totals if no word
	// says otherwise.
	totalUnits = lazyregexp.New(`(?i)\b(persons?|people|inhabitants|passengers|households|tonnes?|hectares?|km2|km²|gwh|twh|terajoules?|vehicles|enterprises|animals|(thousand|million|billion|trillion)s?|mio|mrd)\b`)
	totalWords = lazyregexp.New(`(?i)(^|; )((population|bevölkerung|población|popolazione|befolkning|ludność)(\P{L}|$)|人口)|\b(deaths|live births|immigration|emigration|number of (persons|people|deaths|births|cases|enterprises|households))\b`)
	// economyWords are in texts about the money of a whole economy.
	economyWords = lazyregexp.New(`(?i)\b(gross domestic product|gross national (income|product)|gdp|gni|gross value added|exports?|imports?|trade value|assistance|aid|investments?|expenditures?|revenues?|debt|reserves|remittances|loans)\b`)
	countUnit    = lazyregexp.New(`(?i)^(|numbers?|counts?|units?|cases)$`)
)

// saysNoTotal reports whether a unit or title says that values are no totals.
func saysNoTotal(text string) bool {
	return caption.SaysIndex(text) || caption.SaysRatio(text) || changeWords.MatchString(text)
}

// areTotals reports whether the values of a map are totals: the words of the office or the
// numbers themselves say so. In doubt they are not.
func (w *textInput) areTotals(title, unit string) bool {
	text := title + "; " + w.own.Name
	if w.dataset.Base != nil {
		text, unit = w.own.Name, w.ownUnit(unit)
	}
	for axis, code := range w.series[0].key {
		text += "; " + w.own.Dimensions[axis].Codes[code].Label
	}
	switch {
	case w.exceedsParts():
		return true
	case perWords.MatchString(unit) || saysNoTotal(unit) || caption.SaysMean(text) || w.isWithinParts():
		return false
	case totalUnits.MatchString(unit):
		return true
	case saysNoTotal(text) || perTexts.MatchString(text):
		return false
	case caption.IsCurrency(unit):
		return economyWords.MatchString(text) || w.isSpread() || w.followsPopulation()
	}
	return totalWords.MatchString(text) || countUnit.MatchString(unit) && w.areCounts() || w.followsPopulation()
}

// Limits from which the numbers alone say that values are totals.
const (
	minTotalAreas  = 10
	minTotalFactor = 1.5 // of the value of all to that of the largest area
	minCorrelation = .85
	minSpread      = 1000 // of the largest to the smallest value
)

// last returns the last value of a series.
func (s *dataSeries) last() float64 { return s.values[len(s.values)-1] }

// extremesOfParts returns the smallest and the largest value of the areas that are not set apart,
// and how many they are.
func (t *selection) extremesOfParts() (low, high float64, n int) {
	for _, s := range t.series {
		if t.isApart(s.area) {
			continue
		}
		if n++; n == 1 {
			low, high = s.last(), s.last()
		}
		low, high = min(low, s.last()), max(high, s.last())
	}
	return low, high, n
}

// exceedsParts reports whether a group of countries, or the country of which the areas are
// parts, has a far larger value than any area. A ratio of the whole lies between those of
// its parts.
func (t *selection) exceedsParts() bool {
	low, high, n := t.extremesOfParts()
	return n >= minTotalAreas && low >= 0 && slices.ContainsFunc(t.series, func(s *dataSeries) bool {
		return t.isApart(s.area) && s.last() > minTotalFactor*high
	})
}

// isWithinParts reports whether the value of the world is below that of a country.
func (t *selection) isWithinParts() bool {
	_, high, _ := t.extremesOfParts()
	return slices.ContainsFunc(t.series, func(s *dataSeries) bool {
		return t.isApart(s.area) && t.factsOf(s.area).class == geo.World && s.last() < high
	})
}

// isSpread reports whether the values of the areas have different signs or differ by a factor of
// thousands, as amounts of money do; prices and wages do not.
func (t *selection) isSpread() bool {
	low, high, n := t.extremesOfParts()
	return n >= minTotalAreas && (low < 0 && high > 0 || high > minSpread*low && low > 0)
}

// areCounts reports whether the values are whole numbers that differ by a factor of thousands.
func (t *selection) areCounts() bool {
	return t.isSpread() && !slices.ContainsFunc(t.series, func(s *dataSeries) bool { return s.last() < 0 || s.last() != math.Trunc(s.last()) })
}

// followsPopulation reports whether countries are in nearly the same order by their values
// as by their populations (Spearman's rank correlation).
func (t *selection) followsPopulation() bool {
	var values, people []float64
	for _, s := range t.series {
		if n := geo.Population(t.factsOf(s.area).alpha); n > 0 {
			values, people = append(values, s.last()), append(people, float64(n))
		}
	}
	n := float64(len(values))
	if len(values) < 2*minTotalAreas {
		return false
	}
	sum := 0.0
	byValue, bySize := ranks(values), ranks(people)
	for i := range values {
		sum += (byValue[i] - bySize[i]) * (byValue[i] - bySize[i])
	}
	return 1-6*sum/(n*(n*n-1)) >= minCorrelation
}

// ranks returns the rank of each value. Equal values have ranks in their order.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for rank, i := range order {
		ranks[i] = float64(rank)
	}
	return ranks
}
