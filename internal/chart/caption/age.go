package caption

import "almanac/internal/lazyregexp"

var (
	ageSpan  = lazyregexp.New(`^Y_?(\d{1,3})(?:[-T]|_TO_|TO)(\d{1,3})$`)
	ageUnder = lazyregexp.New(`^Y_?LT_?(\d{1,3})$`)
	ageUpTo  = lazyregexp.New(`^Y_?LE_?(\d{1,3})$`)
	ageFrom  = lazyregexp.New(`^Y_?GE_?(\d{1,3})$`)
	ageOver  = lazyregexp.New(`^Y_?GT_?(\d{1,3})$`)
	ageYear  = lazyregexp.New(`^Y(\d{1,3})$`)
)

// ageName returns the name of a code of ages as Eurostat and SDMX (CL_AGE) write them: Y15-74,
// Y15T74, Y_GE65. It is empty for other codes.
func ageName(code string) string {
	for _, form := range []struct {
		pattern *lazyregexp.Regexp
		name    string
	}{
		{ageSpan, "From $1 to $2 years"},
		{ageUnder, "Less than $1 years"},
		{ageUpTo, "$1 years or less"},
		{ageFrom, "$1 years or over"},
		{ageOver, "Over $1 years"},
		{ageYear, "$1 years"},
	} {
		if form.pattern.MatchString(code) {
			return form.pattern.ReplaceAllString(code, form.name)
		}
	}
	return ""
}
