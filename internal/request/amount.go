package request

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

var (
	// ratioCode matches codes of units of rates, shares, indices and values for each person, as
	// the lists of Eurostat and the SDMX agencies build them.
	ratioCode = regexp.MustCompile(`(?i)(^|_)(PC|PT|PCH|RCH|RT|INX|IX|(I|PD)[0-9]{2})(_|$)|^PER_|_(HAB|INH)$`)
	// amountCode matches codes of units of money and counts, for files without labels of units.
	amountCode = regexp.MustCompile(`(?i)^((CP|CLV|PYP|KP)[0-9]{0,2}_)?((MIO|THS|BN)_)?M?(EUR|USD|NAC|PPS|PER|PS|NR|T|TJ|GWH|KTOE|HA)$`)
	// countUnit matches units that do not say what is counted, in languages of the offices.
	countUnit = regexp.MustCompile(`(?i)^((in )?(hundreds?|thousands?|millions?|billions?|1000|tsd\.?|mio\.?)( of)?)? ?(numbers?|no\.?|counts?|units?|anzahl|nombre|n[uú]mero|antall?|aantal|lukumäärä|liczba|počet|broj|db)?$`)
	// unknownUnit matches units that say nothing.
	unknownUnit = regexp.MustCompile(`(?i)^(|values?|units?|-)$`)
	// scaled matches multiples in which amounts of countries are given, but nothing for each person.
	scaled = regexp.MustCompile(`(?i)\b(millions?|billions?|trillions?|mio|mrd|bn|milliard(s|en)?|millones|milliarder|MEUR|MNAC|MPPS)\b`)
	// thing matches units of what is counted or weighed.
	thing = regexp.MustCompile(`(?i)(^|[^\pL])(persons?|people|inhabitants|employees|workers|jobs|households|personen|personer|personnes|personas|persone|tonnes?|tons?|tonnen|toneladas|t|kt|mt|kg|kilograms?|` +
		`lit(re|er)s?|terajoules?|gigajoules?|[TGP]J|[KMGT]Wh|(kilo|giga|tera|mega)watt[ -]hours?|k?toe|oil equivalent|ha|hectares?|km2|cubic met(re|er)s|heads?|vehicles|cars|passengers|` +
		`dwellings|buildings|enterprises|companies|establishments|beds|nights|flights|births|deaths|cases|students|pupils|number of [\pL ]+)([^\pL]|$)`)
	// money matches amounts whose currency has no sign, word or code of its own.
	money = regexp.MustCompile(`(?i)\b(PPS|purchasing power standards?|international dollars)\b`)
	// noAmount matches words for what is neither an amount nor a count, besides those of
	// [caption.SaysRatio] and [caption.SaysIndex].
	noAmount = regexp.MustCompile(`(?i)\bper\b|%|\bcapita\b|\b(rates?|ratios?|quotas?|percent|percentages?|pct|shares?|ind(ex|ices)|expectancy|probabilit(y|ies)|prevalence|incidence|density|intensity|productivity|human capital|` +
		`mortality|fertility|age-standardi[sz]ed|deflators?|exchange|parit(y|ies)|yields?|inflation|temperature|coefficient|gini|score|rank(ing)?|balances? of opinion|confidence|median|mean|average|` +
		`earnings|minimum wages?|(monthly|weekly|hourly|annual|average|nominal|real) wages?|labou?r costs?|threshold|multiplier|elasticit(y|ies)|duration|growth|quotient|densité|espérance|lebenserwartung|esperanza|quote|taux|tasas?|tass[oi])\b|` +
		`\bchanges? (on|over|from|since|compared)\b|\b(pro|je|par|por) (kopf|einwohner(in)?|person|tête|habitantes?|habitant|persona)\b`)
	// timeUnit matches units of time, age and opinion, which have no sum.
	timeUnit = regexp.MustCompile(`(?i)\b(years?|months?|weeks?|days?|minutes?|seconds?|points?|degrees?|jahre?|années?|años?|år|bal|balance)\b`)
	// price matches prices, and valuation the prices at which amounts are valued.
	price     = regexp.MustCompile(`(?i)\b(prices?|preise?|prix|precios?|prezz[oi]|preços?|pris(er)?)\b|preise?\b`)
	valuation = regexp.MustCompile(`(?i)\b(current|constant|market|basic|fixed|producers?['’]?|purchasers?['’]?|previous years?['’]?s?|reference|comparable|international|[12][0-9]{3})( \(?[12][0-9]{3}\)?)?,? (market )?prices?\b|` +
		`\bprices? of (the )?(previous year|[12][0-9]{3})\b|\bprix (courants|constants|du marché)\b|\bprecios (corrientes|constantes|de mercado)\b|\b(jeweiligen?|konstanten?|laufenden?) preisen?\b|marktpreisen?\b`)
	// twoNames matches a slash between two names of one currency.
	twoNames = regexp.MustCompile(`(?i)\becu ?/ ?euros?\b|\beuros? ?/ ?ecu\b|\becu ?/ ?eur\b`)
	// namesMoney matches words for what is measured in money and can be added up.
	namesMoney = regexp.MustCompile(`(?i)\b(GDP|GNI|GNP|GVA|(domestic|national) (product|income|expenditure)|value added|values?|output|turnover|sales|(re-?)?exports?|imports?|trade|transactions?|flows?|positions?|amounts?|` +
		`consumption|investments?|capital formation|expenditures?|expenses?|spending|revenues?|receipts?|payments?|tax(es)?|budget|debts?|deficits?|surplus|assets?|liabilities|loans?|credits?|deposits?|securities|` +
		`reserves|claims|aid|assistance|remittances?|compensation|profits?|PIB|BIP|PIL)\b`)
	realWord = regexp.MustCompile(`(?i)\breal\b`)
)

// saysNoAmount reports whether a text speaks of a rate, a share, an index, a mean, a price or a
// value for each of something.
func saysNoAmount(text string) bool {
	text = valuation.ReplaceAllString(text, "")
	return noAmount.MatchString(text) || price.MatchString(text) || caption.SaysIndex(text) || caption.SaysRatio(text)
}

// hasSlash reports whether a unit is a quotient, such as "kg/ha".
func hasSlash(unit string) bool { return strings.Contains(twoNames.ReplaceAllString(unit, ""), "/") }

// statesAmount reports whether a text names a currency or what is counted.
func statesAmount(text string) bool {
	return thing.MatchString(text) || statesMoney(text)
}

func statesMoney(text string) bool {
	text = realWord.ReplaceAllString(text, "") // also a currency
	return money.MatchString(text) || caption.NamesCurrency(text)
}

// whyNoAmount returns why the values of a block cannot be divided by a population, empty if they
// can: unit, labels or title must show an amount or a count, and none that applies may speak of
// anything else. The title applies to series whose unit is not their own. A unit that is not stated is the one
// that charts show. A currency alone shows no amount: wages have one too, and indices beside amounts.
func whyNoAmount(d *stat.Dataset, b *stat.Block) string {
	original := d.Original()
	unit, code := strings.TrimSpace(original.UnitOf(b.Key, b.Unit)), d.UnitCodeOf(b.Key, b.Unit)
	isUnknown, isCount := unknownUnit.MatchString(unit), countUnit.MatchString(unit)
	if isUnknown {
		unit = caption.UnitOf(original, b.Key, b.Unit)
	}
	labels := labelsOf(original, b.Key)
	switch {
	case ratioCode.MatchString(code) || saysNoAmount(unit) || hasSlash(unit) && !amountCode.MatchString(code) || timeUnit.MatchString(unit) && !scaled.MatchString(unit):
		return fmt.Sprintf("the unit %.80q is not that of an amount", unit)
	case saysNoAmount(labels):
		return fmt.Sprintf("the series %.80q is no amount", labels)
	}
	if (isUnknown || isCount) && statesMoney(labels) {
		return ""
	}
	isMoney := !scaled.MatchString(unit) && statesMoney(unit) && !thing.MatchString(unit)
	isOwn := hasOwnUnit(original, b.Key) && !isUnknown && !isCount && !isMoney || scaled.MatchString(unit) && statesAmount(unit)
	title := cmp.Or(caption.KnownTitle(original.Source.ID, original.Code), original.Name)
	switch {
	case !isOwn && saysNoAmount(original.Name):
		return fmt.Sprintf("the title %.80q speaks of something else than an amount", original.Name)
	case isUnknown && hasCurrency(original):
		if namesMoney.MatchString(title + "; " + labels) {
			return ""
		}
		return fmt.Sprintf("neither the title %.80q nor the labels %.80q say that it is an amount of money", original.Name, labels)
	case amountCode.MatchString(code), statesAmount(unit), isCount && !isUnknown, isUnknown && statesAmount(original.Name+"; "+labels):
		return ""
	case isUnknown && unknownUnit.MatchString(unit):
		return "neither a unit nor labels and title say what amount they are"
	}
	return fmt.Sprintf("the unit %.80q is not known as that of an amount", unit)
}

// unitInWords returns the office's unit of a block, or that which charts show if the office has only a code or
// none.
func unitInWords(d *stat.Dataset, b *stat.Block) string {
	unit := d.UnitOf(b.Key, b.Unit)
	if unknownUnit.MatchString(strings.TrimSpace(unit)) || caption.IsCode(unit) {
		return cmp.Or(caption.UnitOf(d, b.Key, b.Unit), unit)
	}
	return unit
}

// labelsOf returns the labels of a series in all dimensions but units and currencies, and of the dimensions
// that all series share.
func labelsOf(d *stat.Dataset, key []int32) string {
	var texts []string
	for i, code := range key {
		if dim := &d.Dimensions[i]; !isUnitOrCurrency(dim) {
			texts = append(texts, labelOf(d, dim, code))
		}
	}
	for _, f := range d.Fixed {
		if f.Role != stat.RoleUnit {
			texts = append(texts, f.Code.Label)
		}
	}
	return strings.Join(texts, "; ")
}

// labelOf returns the office's label of a code, or the name of one without a label if it is well known.
func labelOf(d *stat.Dataset, dim *stat.Dimension, code int32) string {
	c := dim.Codes[code]
	if label := cmp.Or(c.SourceLabel, c.Label, c.ID); label != c.ID {
		return label
	}
	return caption.Label(d.Source.ID, dim.ID, c)
}

func isUnitOrCurrency(d *stat.Dimension) bool {
	return d.Role == stat.RoleUnit || d.Role == stat.RoleOther && (defaults.IsCurrency(d) || len(d.Codes) > 0 && strings.HasPrefix(d.Codes[0].Label, "Currency: "))
}

// hasCurrency reports whether a dimension that is not that of units says the currency of amounts.
func hasCurrency(d *stat.Dataset) bool {
	return slices.ContainsFunc(d.Dimensions, func(dim stat.Dimension) bool { return dim.Role != stat.RoleUnit && isUnitOrCurrency(&dim) })
}

// hasOwnUnit reports whether the unit of a series is that of one of its codes, and other series may
// have another one.
func hasOwnUnit(d *stat.Dataset, key []int32) bool {
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		if len(dim.Codes) > 1 && (dim.Role == stat.RoleUnit || dim.Codes[key[i]].Unit != "") {
			return true
		}
	}
	return false
}

// CheckAmounts returns an error if a query of a vintage has only values that cannot be divided by
// a population.
func (d Derivation) CheckAmounts(ctx context.Context, v *store.Vintage, q *stat.Query) error {
	if d.Kind != transform.PerCapita {
		return nil
	}
	x, err := v.Select(ctx, *q)
	if err != nil {
		return err
	}
	why, isSelf := "", false
	for b, err := range x.Blocks {
		if err != nil {
			return err
		}
		if why = whySpans(v, b); why != "" {
			continue
		}
		if why = whyNoAmount(v.Dataset, b); why != "" {
			continue
		}
		if !isPopulationItself(v.Dataset, b.Key) {
			return nil
		}
		isSelf = true
	}
	if isSelf {
		return stat.Errorf(stat.Invalid, "transform=%s: the selected values are themselves the population by which values are divided; select other amounts or counts", d)
	}
	if why == "" {
		return nil // nothing is selected
	}
	if by := d.Population; by != nil && by.Reference == v.Dataset.Source.ID+":"+v.Dataset.Code {
		return errOwnPopulation(v.Dataset, d.Transform)
	}
	return stat.Errorf(stat.Invalid, "transform=%s needs amounts or counts, such as money, persons or tonnes, and the selected values are none: %s", d, why)
}

// errOwnPopulation is the error of dividing a population by itself.
func errOwnPopulation(d *stat.Dataset, t transform.Transform) error {
	return stat.Errorf(stat.Invalid, "transform=%s: dataset %d is itself the population by which values are divided; choose a dataset with other amounts or counts", t, d.ID)
}

// whySpans returns why the values of a block are not those of one year each, empty if any is.
func whySpans(v *store.Vintage, b *stat.Block) string {
	for _, at := range b.Periods {
		if transform.SpanOfYears(v.Dataset, v.Periods[at]) == "" {
			return ""
		}
	}
	if len(b.Periods) == 0 {
		return ""
	}
	return fmt.Sprintf("they are those of several years together, such as %s, and a population is that of one year", transform.SpanOfYears(v.Dataset, v.Periods[b.Periods[0]]))
}
