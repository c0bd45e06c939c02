package hits

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
)

// monthNames are the names of the months in the languages of questions, and short ones, without accents.
var monthNames = [12]string{
	"january|januar|janvier|enero|gennaio|jan|janv|ene|genn", "february|februar|fevrier|febrero|febbraio|feb|fev|fevr|febbr", "march|marz|maerz|mars|marzo|mar",
	"april|avril|abril|aprile|apr|avr|abr", "may|mai|mayo|maggio|magg", "june|juni|juin|junio|giugno|jun|giu", "july|juli|juillet|julio|luglio|jul|juil|lug",
	"august|aout|agosto|aug|ago", "september|septembre|septiembre|settembre|sep|sept|sett", "october|oktober|octobre|octubre|ottobre|oct|okt|ott",
	"november|novembre|noviembre|nov", "december|dezember|decembre|diciembre|dicembre|dec|dez|dic",
}

// ordinals are the words for the first to the fourth part of a year, without accents.
var ordinals = [4]string{
	"1(?:st|er|o)?|first|erste[nrs]?|premier|primer|primo", "2(?:nd|e|o)?|second|zweite[nrs]?|deuxieme|segundo|secondo",
	"3(?:rd|e|o)?|third|dritte[nrs]?|troisieme|tercer|terzo", "4(?:th|e|o)?|fourth|vierte[nrs]?|quatrieme|cuarto|quarto",
}

// periodForms match how questions write periods, in the form of [foldMarks], those of days first: in each, the letters in capitals
// stand for patterns.
var periodForms = periodPatterns(
	`YEAR[-/]MONTH[-/]DAY`, `DAY-MONTH-YEAR`, `DAY/MONTH/YEAR`, `DAY\.MONTH\.YEAR`, `MONTH/DAY/YEAR`, `DAY(?:st|nd|rd|th|er)? OF?NAME OF?YEAR`, `NAME DAY(?:st|nd|rd|th)? YEAR`, `YEAR NAME DAY`,
	`(?:kw|w|weeks?|calendar week|kalenderwoche|woche|semaine|semana|settimana) ?WEEK[ /]OF?YEAR`, `YEAR(?: |-|/)?(?:w|kw|week|kalenderwoche|woche|semaine|semana|settimana) ?WEEK`,
	`WEEK(?:st|nd|rd|th|e|eme|a)? (?:week|kalenderwoche|woche|semaine|semana|settimana) OF?YEAR`,
	`YEAR[-m](?P<month>0[1-9]|1[0-2])`, `MONTH/YEAR`, `NAME OF?YEAR`, `YEAR (?:in |im |en |a )?NAME`,
	`[qt](?P<quarter>[1-4])[ /-]?YEAR`, `YEAR[ -]?[qt](?P<quarter>[1-4])`, `(?P<nth>ORDINAL) (?:quarter|quartal|trimestre) OF?YEAR`,
	`[hs](?P<half>[12])[ /-]?YEAR`, `YEAR[ -]?[hs](?P<half>[12])`, `(?P<nthhalf>ORDINAL) (?:half|half year|halbjahr|semestre) OF?YEAR`,
)

func periodPatterns(forms ...string) (list []*lazyregexp.Regexp) {
	parts := strings.NewReplacer("YEAR", `(?P<year>[12]\d{3})`, "MONTH", `(?P<month>0?[1-9]|1[0-2])`, "DAY", `(?P<day>0?[1-9]|[12]\d|3[01])`, "OF?", `(?:(?:of|de|del|di|des|du|in|of the year|des jahres|de l annee|del ano|dell anno) )?`,
		"NAME", `(?P<name>`+strings.Join(monthNames[:], "|")+`)`, "WEEK", `(?P<week>\d{1,2})`, "ORDINAL", strings.Join(ordinals[:], "|"))
	for _, form := range forms {
		list = append(list, lazyregexp.New(`\b`+parts.Replace(form)+`\b`))
	}
	return list
}

// periodIn returns the day, week, month, quarter or half-year that a question names: "24 June 2016", "2022-11", "Q3 2022". phrase is how
// it names it, folded. ok is false if it names none. The period is zero if there is no such one: 31 February.
func periodIn(question string) (p stat.Period, phrase string, ok bool) {
	text := foldMarks(question)
	for _, form := range periodForms {
		if m := form.FindStringSubmatch(text); m != nil {
			return periodOf(form.SubexpNames(), m), m[0], true
		}
	}
	return p, "", false
}

// periodOf returns the period of the parts of a form of periodForms.
func periodOf(names, parts []string) stat.Period {
	at := map[string]int{}
	for i, text := range parts {
		n, err := strconv.Atoi(text)
		switch {
		case names[i] == "name":
			at["month"] = placeIn(monthNames[:], text)
		case names[i] == "nth":
			at["quarter"] = placeIn(ordinals[:], text)
		case names[i] == "nthhalf":
			at["half"] = placeIn(ordinals[:], text)
		case err == nil:
			at[names[i]] = n
		}
	}
	year := at["year"]
	switch {
	case at["day"] != 0:
		return stat.NewDay(year, at["month"], at["day"])
	case at["month"] != 0:
		return stat.NewPeriod(stat.Month, year, at["month"])
	case at["quarter"] != 0:
		return stat.NewPeriod(stat.Quarter, year, at["quarter"])
	case at["half"] != 0:
		return stat.NewPeriod(stat.HalfYear, year, at["half"])
	}
	return stat.NewPeriod(stat.Week, year, at["week"])
}

// placeIn returns the number of the pattern that matches a word, from 1.
func placeIn(patterns []string, word string) int {
	return 1 + slices.IndexFunc(patterns, func(pattern string) bool { return lazyregexp.New(`^(?:` + pattern + `)$`).MatchString(word) })
}

// foldMarks returns a text in small letters without accents, with its words as they follow one another.
func foldMarks(text string) string {
	var words []string
	for field := range strings.FieldsSeq(text) {
		field = strings.Trim(field, ".,;:!?()")
		if strings.ContainsAny(field, "-/") || strings.Count(field, ".") == 2 {
			words = append(words, strings.ToLower(field))
			continue
		}
		words = append(words, search.Words(field)...)
	}
	return strings.Join(words, " ")
}

// dropPeriod removes the words for a period and its parts from what a question asks for, as the value must be of that period.
func dropPeriod(question string, found *search.Result) {
	_, phrase, ok := periodIn(question)
	if !ok {
		phrase = years.FindString(notYears.ReplaceAllString(question, ""))
	}
	if phrase == "" {
		return
	}
	words := search.WordsOf(phrase, partBefore(question, phrase))
	isPeriod := func(text string) bool {
		return !slices.ContainsFunc(search.Words(text), func(word string) bool { return !words.Has(word) })
	}
	found.Asked = slices.DeleteFunc(found.Asked, func(a search.Asked) bool { return isPeriod(a.Text) })
	found.Unmatched = slices.DeleteFunc(found.Unmatched, isPeriod)
	found.Corrections = slices.DeleteFunc(found.Corrections, func(c search.Correction) bool { return isPeriod(c.Word) })
}

// isDoubtfulDay reports whether a phrase is a day of which month and day may be taken for each other: 03/04/2015.
func isDoubtfulDay(phrase string, p stat.Period) bool {
	day := p.Start()
	return p.Frequency() == stat.Day && strings.Count(phrase, "/") == 2 && strings.HasSuffix(phrase, strconv.Itoa(day.Year())) && day.Day() <= 12 && day.Day() != int(day.Month())
}

// readAsDay says which day a doubtful phrase is read as.
func readAsDay(phrase string, p stat.Period) string {
	return fmt.Sprintf("%q is read as %s", phrase, p.Start().Format("2 January 2006"))
}
