package caption

import "regexp"

// Words in the languages of the offices that say that values are no amounts.
const (
	shareWords = `per|percent\w*|pct|rates?|ratio|share|proportion|score|density|expectancy|intensity|dispersion|prevalence|taux|quote|anteil|tasa|tasso|porcentaje|prozent`
	meanWords  = `\b(average|mean|median|moyenne?|durchschnitt\w*|promedio|media)\b|平均|人均`
)

var (
	saysIndex = regexp.MustCompile(`(?i)=\s?100|\b(index|indices|indice|índice|growth)\b|指数`)
	saysRatio = regexp.MustCompile(`(?i)[%‰率]|密度|比重|\b(` + shareWords + `)\b|` + meanWords)
	saysMean  = regexp.MustCompile(`(?i)` + meanWords)
)

// SaysIndex reports whether a unit or title speaks of an index or of growth, which have no sum.
func SaysIndex(text string) bool { return saysIndex.MatchString(text) }

// SaysRatio reports whether a unit or title speaks of a share, a rate, a mean or another ratio,
// which have no sum over areas.
func SaysRatio(text string) bool { return saysRatio.MatchString(text) }

// SaysMean reports whether a text speaks of a mean or a median.
func SaysMean(text string) bool { return saysMean.MatchString(text) }
