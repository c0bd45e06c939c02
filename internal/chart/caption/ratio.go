package caption

import (
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Words in the languages of the offices that say that values are no amounts.
const (
	// shareWords are words for pure numbers, which have no unit of what is measured.
	shareWords = `percent\w*|per cent|pct|ratio|share|proportion|score|dispersion|prevalence|taux|quote|anteil|tasa|tasso|porcentaje|prozent`
	// perWords are words for amounts of one thing for each of another, which have both units.
	perWords = `per|rates?|density|expectancy|intensity|` +
		`par (habitant|tête|personne|ménage|km2)|(por|cada) (cada|habitante|persona|hogar|1\.?000?|km2)|(pro|je) (kopf|einwohner|person|haushalt|1\.?000?|km2)|na (1 km2|1 mieszkańca|1000?|mieszkańca)`
	// perUnits are units after a slash: "kg/ha".
	perUnits  = `ha|km2?|m[23]|kg|t|l|h|hour|day|[kmg]wh|barrel|bbl|capita|person|inhabitant|head`
	meanWords = `\b(average|mean|median|moyenne?|durchschnitt\w*|promedio|media)\b|平均|人均`
)

var (
	saysIndex = lazyregexp.New(`(?i)=\s?100|\b(index|indices|indice|índice|growth)\b|指数`)
	saysShare = lazyregexp.New(`(?i)[%‰率]|比重|\b(` + shareWords + `)\b`)
	saysPer   = lazyregexp.New(`(?i)密度|\b(` + perWords + `)\b|/ ?(` + perUnits + `)\b`)
	saysMean  = lazyregexp.New(`(?i)` + meanWords)
)

// annualRate matches what says that amounts of a month or quarter are multiplied up to a year, as
// in "housing starts, seasonally adjusted at annual rates".
var annualRate = lazyregexp.New(`(?i)\b(at|adjusted) (an )?annual(i[sz]ed)? rates?\b`)

// SaysIndex reports whether a unit or title speaks of an index or of growth, which have no sum.
func SaysIndex(text string) bool { return saysIndex.MatchString(text) }

// SaysRatio reports whether a unit or title speaks of a share, a rate, a mean or another ratio,
// which have no sum over areas.
func SaysRatio(text string) bool {
	return SaysRatioOfTwo(text) || SaysMean(text)
}

// SaysRatioOfTwo reports whether a unit or title speaks of a share, a rate or another ratio, and not
// only of a mean. The mean population of a year is none.
func SaysRatioOfTwo(text string) bool {
	text = annualRate.ReplaceAllString(text, "")
	return saysShare.MatchString(text) || saysPer.MatchString(text)
}

// SaysMean reports whether a text speaks of a mean or a median.
func SaysMean(text string) bool { return saysMean.MatchString(text) }

// SaysPureNumber reports whether a unit or title speaks of an index, of growth or of a share, which
// are the same in any currency. Amounts for each person are not.
func SaysPureNumber(text string) bool { return SaysIndex(text) || saysShare.MatchString(text) }

var (
	// labourRate matches names of the rates of the labour market, which offices publish in percent.
	labourRate = lazyregexp.New(`(?i)\b(un)?employment rates?\b|\b(labou?r force )?participation rates?\b|\bemployment-to-population\b|\btass[oi] di (dis)?occupazione\b|` +
		`\btasas? de (paro|desempleo|empleo|desocupación|ocupación|actividad)\b|\btaux de chômage\b|\btaux d['’](emploi|activité)\b|\btaxas? de (desemprego|desocupação|emprego|atividade)\b|` +
		`\b(arbeitslosen|erwerbslosen|erwerbs|erwerbstätigen)quoten?\b|\btyöttömyysaste\b|\btyöllisyysaste\b|\bstopa bezrobocia\b|\bmunkanélküliségi ráta\b`)
	// otherThanRate matches what has another unit: changes of rates, and numbers beside them.
	otherThanRate = lazyregexp.New(`(?i)\b(changes?|points?|gap|ratio|index|variaci\w+|variazion\w+|variation|veränderung|number|anzahl)\b|\band\b|\bsowie\b|\bund\b|,[^,]*rates?\b.*,`)
)

// rateInPercent returns "%" for a rate of the labour market of a known office that states no unit.
func rateInPercent(d *stat.Dataset, key []int32) string {
	if d.Source.ID == "" || d.Source.ID == "local" {
		return ""
	}
	text, _ := titleOf(d)
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		if len(dim.Codes) > 1 && isMeasureID(strings.ToLower(dim.ID)) {
			text = Label(d.Source.ID, dim.ID, dim.Codes[key[axis]])
		} else if isMeasureID(strings.ToLower(dim.ID)) {
			text += "; " + Label(d.Source.ID, dim.ID, dim.Codes[key[axis]])
		}
	}
	if !labourRate.MatchString(text) || otherThanRate.MatchString(text) {
		return ""
	}
	return "%"
}

var (
	// unemploymentRates are what unemployment relative to the labour force is called, by the word for unemployment.
	unemploymentRates = map[string]string{"unemployment": "Unemployment rate", "arbeitslosigkeit": "Arbeitslosenquote", "erwerbslosigkeit": "Erwerbslosenquote", "chômage": "Taux de chômage",
		"desempleo": "Tasa de desempleo", "paro": "Tasa de paro", "disoccupazione": "Tasso di disoccupazione", "desemprego": "Taxa de desemprego"}
	// ofLabourForce matches units that are shares of the labour force.
	ofLabourForce = lazyregexp.New(`(?i)^(%|per ?cent|percentage|prozent|pourcentage|porcentaje|percentuale|percentagem).*(labou?r force|active population|erwerbspersonen|erwerbsbevölkerung|` +
		`population active|población activa|popolazione attiva|forze di lavoro|forze lavoro|população ativa)`)
)

// rateTitle returns the name of the rate for a title of unemployment if its values are shares of the labour force: of a table that
// has numbers of persons too, the title says only "Unemployment".
func (p *Picture) rateTitle(title string) string {
	if rate := unemploymentRates[strings.ToLower(title)]; rate != "" && ofLabourForce.MatchString(p.Unit) && !otherThanRate.MatchString(p.Unit) {
		return rate
	}
	return title
}
