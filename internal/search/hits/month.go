package hits

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/search"
	"almanac/internal/stat"
)

// monthNames are the names of the months in the languages of questions, without accents.
var monthNames = [12]string{
	"january|januar|janvier|enero|gennaio", "february|februar|fevrier|febrero|febbraio", "march|marz|maerz|mars|marzo", "april|avril|abril|aprile",
	"may|mai|mayo|maggio", "june|juni|juin|junio|giugno", "july|juli|juillet|julio|luglio", "august|aout|agosto",
	"september|septembre|septiembre|settembre", "october|oktober|octobre|octubre|ottobre", "november|novembre|noviembre", "december|dezember|decembre|diciembre|dicembre",
}

const yearPattern = `((?:1[6-9]|20)\d\d)`

var (
	isoMonth   = regexp.MustCompile(`\b` + yearPattern + `[-m](0[1-9]|1[0-2])\b`)
	slashMonth = regexp.MustCompile(`\b(0?[1-9]|1[0-2])/` + yearPattern + `\b`)
	namedMonth = regexp.MustCompile(`\b(` + strings.Join(monthNames[:], "|") + `) (?:de |del |of )?` + yearPattern + `\b`)
	yearMonth  = regexp.MustCompile(`\b` + yearPattern + ` (` + strings.Join(monthNames[:], "|") + `)\b`)
	quarters   = []*regexp.Regexp{
		regexp.MustCompile(`\b[qt]([1-4])[ /-]?` + yearPattern + `\b`),
		regexp.MustCompile(`\b([1-4])(?:st|nd|rd|th|er|e)? (?:quarter|quartal|trimestre) (?:of |de |del )?` + yearPattern + `\b`),
	}
	yearQuarter = regexp.MustCompile(`\b` + yearPattern + `[ -]?[qt]([1-4])\b`)
)

// monthOrQuarter returns the month or quarter that a question names: "November 2022", "2022-11", "Q3 2022". phrase is how it
// names it, folded. ok is false if it names none.
func monthOrQuarter(question string) (p stat.Period, phrase string, ok bool) {
	text := foldMarks(question)
	period := func(form, phrase, year, number string) (stat.Period, string, bool) {
		p, err := stat.ParsePeriod(fmt.Sprintf(form, year, number))
		return p, phrase, err == nil
	}
	monthOf := func(name string) string {
		at := slices.IndexFunc(monthNames[:], func(names string) bool { return slices.Contains(strings.Split(names, "|"), name) })
		return fmt.Sprintf("%02d", at+1)
	}
	if m := isoMonth.FindStringSubmatch(text); m != nil {
		return period("%s-%s", m[0], m[1], m[2])
	}
	if m := slashMonth.FindStringSubmatch(text); m != nil {
		return period("%s-%s", m[0], m[2], fmt.Sprintf("%02s", m[1]))
	}
	if m := namedMonth.FindStringSubmatch(text); m != nil {
		return period("%s-%s", m[0], m[2], monthOf(m[1]))
	}
	if m := yearMonth.FindStringSubmatch(text); m != nil {
		return period("%s-%s", m[0], m[1], monthOf(m[2]))
	}
	for _, form := range quarters {
		if m := form.FindStringSubmatch(text); m != nil {
			return period("%s-Q%s", m[0], m[2], m[1])
		}
	}
	if m := yearQuarter.FindStringSubmatch(text); m != nil {
		return period("%s-Q%s", m[0], m[1], m[2])
	}
	return p, "", false
}

// foldMarks returns a text in small letters without accents, with its words as they follow one another.
func foldMarks(text string) string {
	var words []string
	for field := range strings.FieldsSeq(text) {
		if strings.ContainsAny(field, "-/") {
			words = append(words, strings.ToLower(strings.Trim(field, ".,;:!?()")))
			continue
		}
		words = append(words, search.Words(field)...)
	}
	return strings.Join(words, " ")
}

// dropPeriod removes the words for a month or quarter from what a question asks for, as the value must be of that period.
func dropPeriod(question string, found *search.Result) {
	_, phrase, ok := monthOrQuarter(question)
	if !ok {
		return
	}
	words := search.WordsOf(phrase)
	isPeriod := func(text string) bool {
		return !slices.ContainsFunc(search.Words(text), func(word string) bool { return !words.Has(word) })
	}
	found.Asked = slices.DeleteFunc(found.Asked, func(a search.Asked) bool { return isPeriod(a.Text) })
	found.Unmatched = slices.DeleteFunc(found.Unmatched, isPeriod)
}
