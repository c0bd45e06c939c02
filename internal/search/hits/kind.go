package hits

import (
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
)

// kind is a kind of measure that questions ask for by words of their own.
type kind struct {
	name string
	asks *lazyregexp.Regexp // words of questions for it
	// isOf reports whether a series is of the kind: unit is that of its values, and texts say what it measures.
	// word is that of the question.
	isOf func(unit string, texts []string, word string) bool
}

var (
	rateWords = lazyregexp.New(`(?i)\b(rates?|shares?|ratios?|proportions?|percentages?|percent|quoten?|anteile?|prozent|taux|pourcentage|tasas?|porcentaje|proporción|tass[oi]|percentuale)\b`)
	// otherRates matches other words of units, labels and titles of rates and shares.
	otherRates = lazyregexp.New(`(?i)%|\bper\b|\bpct\b|\bpro\b|\bpour (cent|mille|\d)|\bpor (cada|ciento|\d)|/\s?\d|\byields?\b|\bP [HMT]+HAB\b|\pL(quoten?|raten?|zinse?n?|kurse?)\b`)
	// counted matches units of what is counted.
	counted = lazyregexp.New(`(?i)^(nr|number|persons?|(thousands?|millions?)( (of )?(persons?|people|inhabitants))?|(number of )?(persons?|people|inhabitants|cases|deaths|births|events|households|enterprises)|anzahl|personen|nombre|personnes|número|personas|numero|persone)$`)
	// per matches what makes a number a rate, in questions and titles: deaths per 1,000 people, births per woman.
	per = lazyregexp.New(`(?i)\bper ?(\d|woman|wom[ae]n|thousand|million|hundred|mille|cento|milione|donna|person|inhabitant|head)\b|\bper [\d,. ]+0\b|\b(je|pro) (\d|frau|tausend)|\bp(ou|a)r (\d|mille|cent|million|femme)|\bpor (\d|cada|mil|mujer)|%`)
	// eventWords match what is counted, also at the end of a German compound: a death rate is no number of deaths.
	eventWords = lazyregexp.New(`(?i)\b(deaths|fatalities|births|marriages|divorces|suicides|homicides|murders|tote[nr]?|gestorbenen?|verstorbenen?|morde|suizide|tötungsdelikte|` +
		`décès|morts|naissances|mariages|divorces|homicides|meurtres|muertes|muertos|defunciones|fallecimientos|fallecidos|nacimientos|matrimonios|divorcios|suicidios|homicidios|asesinatos|` +
		`morti|decessi|nascite|matrimoni|divorzi|suicidi|omicidi)\b|(\pLtote[nr]?|todesfälle[n]?|sterbefälle[n]?|todesopfern?|geburten|eheschließungen|scheidungen|\pLmorde|\pLsuizide)\b`)
	countWords  = lazyregexp.New(`(?i)\b(numbers?|persons|how many|headcount|anzahl|wie ?vielen?|nombre|número|cu[aá]nt[ao]s|numero|quant[ei])\b`)
	totalWords  = lazyregexp.New(`(?i)\b(total|totals|gesamt|gesamten?|insgesamt|totale|totaux|totales|totali)\b|\bgesamt\pL+`)
	growthWords = lazyregexp.New(`(?i)\b(growth|increase|decrease|wachstum|zuwachs|croissance|crecimiento|crescita)\b|\pLwachstum\b`)
	changes     = lazyregexp.New(`(?i)\b(growth|change|increase|decrease|previous (period|year|quarter|month)|wachstum|veränderung|croissance|évolution|variation|crecimiento|variación|crescita|variazione)\b|\pLwachstum|änderung|évolution|\bPCH`)
	changeWords = lazyregexp.New(`(?i)\b(changes?|changed|evolution|variations?|variaci(ón|on|ones)|cambios?|cambiamento|variazion[ei])\b|(änderung(en)?|évolution)\b`)
	// notChanges match such words in names of what is no change of a value: "tipo de cambio" is an exchange rate, and changes in inventories are an amount.
	notChanges = lazyregexp.New(`(?i)\b((climate|land use) change|(taux|cours|marché) de change|tipos? de cambio|cambio (climático|de divisas)|tass[oi] di cambio|cambiamento climatico|coefficient of variation|(inventory|stock) changes?|changes? in (inventories|stocks)|variations? (de|des) stocks|variación de existencias|variazione delle scorte)\b`)
	// indexAsks matches words of questions for an index, such as Preisindex.
	indexAsks = lazyregexp.New(`(?i)(index|indizes|[ií]ndices?)\b`)
	// changeAsks matches words of questions that may be for a rate of change. Prices are often published as such.
	changeAsks  = lazyregexp.New(`(?i)inflation|inflaci|inflazione|teuerung|recession|rezession|récession|recesión|recessione|\b(development|trend|entwicklung|evolución|evoluzione|andamento)\b|pri(ce|x\b)|preis|preci|prezz`)
	capitaWords = lazyregexp.New(`(?i)\b(per (capita|head|person|inhabitant)|(pro|je) (kopf|einwohner(in)?|person)|par (tête|habitant|personne)|por (habitante|persona)|pro capite|per abitante)\b`)
	capitas     = lazyregexp.New(`(?i)\bcapita\b|_HAB\b`)
)

// kinds are the kinds of measures, the most special first. The first that a question asks for counts.
var kinds = []kind{
	{"values per inhabitant", capitaWords, func(unit string, texts []string, _ string) bool {
		return slices.ContainsFunc(append(texts, unit), saysCapita)
	}},
	{"growth", growthWords, func(unit string, texts []string, _ string) bool {
		return slices.ContainsFunc(append(texts, unit), changes.MatchString)
	}},
	{"a change", changeWords, func(unit string, texts []string, _ string) bool {
		return slices.ContainsFunc(append(texts, unit), isChange)
	}},
	{"a rate or share", rateWords, func(unit string, texts []string, _ string) bool {
		return !counted.MatchString(unit) && slices.ContainsFunc(append(texts, unit), isRate)
	}},
	{"a rate or share", per, func(unit string, texts []string, _ string) bool {
		return !counted.MatchString(unit) && slices.ContainsFunc(append(texts, unit), isRate)
	}},
	{"an index", indexAsks, func(unit string, texts []string, _ string) bool {
		return !isOfChange(unit, texts[:1]) && (unit == "" || !isOfChange(unit, texts))
	}},
	{"a number", countWords, isOfCount},
	{"a number", eventWords, isOfCount},
	{"a total", totalWords, func(unit string, texts []string, word string) bool {
		return !slices.ContainsFunc(append(texts, unit), saysCapita) && (isOfCount(unit, texts, word) || namesTotal(texts, word))
	}},
}

// isOfCount reports whether values are no rates: by their unit, or if it is not known by the texts. Some offices call a share of persons
// just persons, as in "Persons at risk of poverty".
func isOfCount(unit string, texts []string, word string) bool {
	if unit != "" {
		return !isRate(unit) || strings.EqualFold(word, "persons") && slices.ContainsFunc(texts, func(text string) bool { return search.WordsOf(text).Has("persons") })
	}
	return !slices.ContainsFunc(texts, func(text string) bool { return rateWords.MatchString(text) || per.MatchString(text) })
}

// namesTotal reports whether total is a part of the name of what is measured, as in "Total fertility", and not only a label by itself.
func namesTotal(texts []string, word string) bool {
	return slices.ContainsFunc(strings.Split(texts[0], ", "), func(label string) bool {
		words := search.WordsOf(label)
		return len(words) > 1 && words.Has(strings.ToLower(word))
	}) || slices.ContainsFunc(texts[1:], func(title string) bool { return search.WordsOf(title).Has(strings.ToLower(word)) })
}

// isRate reports whether a unit, label or title says that values are rates or shares.
func isRate(text string) bool {
	text = strings.ReplaceAll(text, "_", " ") // some files have only a code: discount_rate
	return rateWords.MatchString(text) || otherRates.MatchString(text) || caption.SaysRatio(text)
}

// saysCapita reports whether a unit, label or title says that values are per inhabitant.
func saysCapita(text string) bool { return capitaWords.MatchString(text) || capitas.MatchString(text) }

// isOfChange reports whether a series is of rates of change.
func isOfChange(unit string, texts []string) bool {
	return (unit == "" || isRate(unit)) && slices.ContainsFunc(append(texts, unit), changes.MatchString)
}

// isChange reports whether a unit, label or title says that values are changes.
func isChange(text string) bool {
	text = notChanges.ReplaceAllString(text, "")
	return changes.MatchString(text) || changeWords.MatchString(text)
}

// spreads match titles and labels of how far values are apart: "Dispersion of regional GDP per inhabitant" is no GDP.
var spreads = lazyregexp.New(`(?i)\b(dispersion|disparit(y|ies)|standard deviation|coefficient of variation|gap|streuung|dispersión|dispersione|disparités?|écart|brecha|divario)\b`)

// isOfSpread reports whether a series is of how far values are apart.
func isOfSpread(texts []string) bool { return slices.ContainsFunc(texts, spreads.MatchString) }

// errorsOf match titles and labels of how exact estimates are: "Relative sampling errors of the unemployed" are no unemployed. Questions that have
// such words ask for it.
var errorsOf = lazyregexp.New(`(?i)\b((sampling|standard) errors?|margins? of error|confidence (intervals?|limits?)|stichprobenfehlern?|standardfehlern?|fehlerbereiche?n?|konfidenzintervalle?n?|variationskoeffizient(en)?|` +
	`erreurs? (type|standard|d['’]échantillonnage)|coefficients? de variation|intervalles? de confiance|errore?s? (de muestreo|est[aá]ndar|muestrales|standard|campionari\pL*|di campionamento)|errori (standard|campionari)|coeficientes? de variación|intervalos? de confianza|intervall[oi] di confidenza)\b`)

// causes match titles and labels of a part of what they name: "Ambient air pollution attributable deaths" are not all deaths.
var causes = lazyregexp.New(`(?i)\b(attribut\pL+|due to|caused by|avoidable|preventable|amenable|premature|excess|zurückzuführen|vermeidbar\pL*|vorzeitig\pL*|imputables?|dus à|évitables?|atribui\pL+|evitables?|attribuibil\pL+|evitabil\pL+)\b`)

// isOfCause reports whether a title or label is of a part by its cause, and the question has no more of it than what it is a part of.
func (q *question) isOfCause(text string) bool {
	if !causes.MatchString(text) || causes.MatchString(q.text) {
		return false
	}
	words := search.WordsOf(text)
	n := 0
	for _, a := range q.asked {
		for _, word := range search.Telling(a.Text) {
			if words.Has(word) {
				n++
			}
		}
	}
	return n < 2
}

// priceBases match the prices at which amounts are valued. A question for GDP at constant prices is not for prices, and GDP at current prices is none.
var priceBases = lazyregexp.New(`(?i)\b((current|constant|market|basic|producer'?s'?|purchaser'?s'?) prices|(\d{4}|previous year'?s?) prices|prices of (\d{4}|the previous year)|` +
	`(jeweiligen|konstanten|laufenden) preisen|(markt|herstellungs|anschaffungs|vorjahres)preisen?|preisen? (von \d{4}|des vorjahres)|` +
	`prix (courants|constants|chaînés|d[eu] marché|de base|de \d{4}|de l['’]année précédente)|precios (corrientes|constantes|de mercado|básicos|de \d{4}|del año anterior)|` +
	`prezzi (correnti|costanti|di mercato|base|del \d{4}|dell['’]anno precedente))`)

// priceBasis matches the words of questions, folded, that say at which prices amounts are, besides what is measured.
var priceBasis = lazyregexp.New(`\b((at |in )?(current|constant)( market)? prices|(in |en )?volumen?|chain linked( volumes?)?|real(e[mnrs]?|i)?|reel(le)?s?|current (us )?dollars?|nominal\pL*|nominell\pL*|((zu|in) )?(jeweiligen|konstanten) preisen|preisbereinigt\pL*|(aux )?prix (courants|constants)|(a )?precios (corrientes|constantes)|(a )?prezzi (correnti|costanti))\b`)

// dropPriceBasis removes the words that say at which prices amounts are from what a question asks for, as [question.chooseQualified]
// answers them: "real GDP" asks for GDP.
func dropPriceBasis(question string, asked []search.Asked) (list []search.Asked) {
	if !slices.ContainsFunc(search.Qualifiers(question), func(q search.Qualifier) bool { return q.Name == "real" || q.Name == "nominal" }) {
		return asked
	}
	basis := strings.Fields(strings.Join(priceBasis.FindAllString(strings.Join(search.Words(question), " "), -1), " "))
	for _, a := range asked {
		words := search.Words(a.Text)
		rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(basis, word) })
		switch {
		case len(rest) == len(words):
			list = append(list, a)
		case len(search.Telling(strings.Join(rest, " "))) > 0:
			list = append(list, search.AskedOf(strings.Join(rest, " ")))
		}
	}
	if list == nil {
		return asked // "current prices" are those of today
	}
	return list
}

// isOfBasis reports whether the question has all words of what is asked for only where it says at which prices amounts are.
func (q *question) isOfBasis(a *search.Asked) bool {
	basis := search.PlainWordsOf(priceBases.FindAllString(q.text, -1))
	telling := search.Telling(a.Text)
	return len(telling) > 0 && !slices.ContainsFunc(telling, func(word string) bool { return !basis.Has(word) })
}

// ofPrices returns texts without the prices at which amounts are valued, unless the question names them beside something else.
func (q *question) ofPrices(texts []string) []string {
	if q.namesBasis() {
		return texts
	}
	rest := make([]string, len(texts))
	for i, text := range texts {
		rest[i] = priceBases.ReplaceAllString(text, "")
	}
	return rest
}

// namesBasis reports whether the question says at which prices amounts are, and of what: GDP.
func (q *question) namesBasis() bool {
	return priceBases.MatchString(q.text) && slices.ContainsFunc(q.asked, func(a search.Asked) bool { return !q.isOfBasis(&a) })
}

// mayAskChange reports whether a question may be for rates of change.
func mayAskChange(question string) bool {
	question = priceBases.ReplaceAllString(question, "")
	return slices.ContainsFunc([]*lazyregexp.Regexp{growthWords, changes, rateWords, changeAsks}, func(words *lazyregexp.Regexp) bool { return words.MatchString(question) })
}

// otherKind returns the kind of measure that a question asks for if a series is not of it.
func otherKind(question, unit string, texts []string) string {
	for _, k := range kinds {
		text := question
		if k.asks == changeWords {
			text = notChanges.ReplaceAllString(question, "")
		}
		if word := k.asks.FindString(text); word != "" && (k.asks != eventWords || !isRate(question)) {
			if k.isOf(unit, texts, word) {
				return ""
			}
			return k.name
		}
	}
	return ""
}
