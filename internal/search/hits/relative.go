package hits

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Words for periods that depend on the day of a question, in the languages of questions. In the patterns, NUMBER and UNIT stand for
// how many of which length, SINGLE for one length in the singular, and an apostrophe may be either of two signs.
var (
	// agoForms match a period so many lengths before this one: "two years ago".
	agoForms = relativePatterns(`NUMBER UNIT ago`, `vor NUMBER UNIT`, `il y a NUMBER UNIT`, `hace NUMBER UNIT`, `NUMBER UNIT fa`)
	// lastForms match the period before this one: "last year".
	lastForms = relativePatterns(`(?:in )?(?:the )?last SINGLE`, `(?:im |in dem )?(?:letzte[snrm]?|vergangene[snrm]?|vorige[snrm]?) SINGLE`, `im (?P<unit>vorjahr|vormonat|vorquartal)`,
		`(?:l'|le )SINGLE (?:derni[eè]re?|pass[ée]e?)`, `(?:el |en el )?SINGLE pasado`, `(?:l'|il |nel |nell')SINGLE scorso`)
	// thisForms match this period: "this year".
	thisForms = relativePatterns(`(?:in )?this SINGLE`, `(?:in )?diese[snrm] SINGLE`, `(?P<unit>heuer)`, `ce(?:tte)? SINGLE`, `este SINGLE`, `quest(?:'|o )SINGLE`)
	// nextForms match the period after this one: "next year".
	nextForms = relativePatterns(`(?:in )?(?:the )?next SINGLE`, `(?:im |in dem )?(?:nächste[snrm]?|kommende[snrm]?) SINGLE`, `(?:l'|le |la )SINGLE prochaine?`,
		`(?:(?:en )?el )?pr[óo]ximo SINGLE`, `(?:el )?SINGLE que viene`, `(?:(?:il|nel) )?prossim[oa] SINGLE`, `l'SINGLE prossimo`)
	// dayForms match the day before or after this one.
	dayForms = relativePatterns(`(?P<unit>yesterday|gestern|ayer|ieri|tomorrow|demain|domani)`)
	// spanForms match a time up to now: "the last ten years".
	spanForms = relativePatterns(`(?:(?:in|over|during|for) )?(?:the )?(?:last|past) (?:NUMBER )?UNIT`, `(?:(?:in|während) )?(?:den |der )?(?:letzten|vergangenen) NUMBER UNIT`,
		`(?:(?:ces|les|des|au cours des) )?NUMBER derni[eè]re?s UNIT`, `(?:(?:en )?(?:los|las) )?[uú]ltim[oa]s NUMBER UNIT`, `(?:(?:negli|gli|nei) )?ultimi NUMBER UNIT`)

	// nowWords match what asks for the latest value, beside which other periods are for comparison, and compareWords what stands before
	// a period for comparison.
	nowWords     = lazyregexp.New(`(?i)\b(now|currently|today|nowadays|at present|jetzt|heute|derzeit|momentan|aktuell|maintenant|actuellement|aujourd['’]hui|ahora|actualmente|hoy|adesso|attualmente|oggi)\b`)
	compareWords = lazyregexp.New(`(?i)\b(compared? (to|with)|than|versus|vs\.?|verglichen mit|im vergleich (zu|zum)|gegenüber|par rapport à|comparado con|respecto (a|al)|rispetto (a|al|all))\s*(the |dem |der )?$`)
)

// lengths are the words for lengths of time, and their numbers of years or months.
var lengths = []struct {
	words     *lazyregexp.Regexp
	frequency stat.Frequency
	times     int
}{
	{lazyregexp.New(`(?i)^(years?|jahr(en?|es)?|vorjahr|heuer|ans?|années?|años?|ann[oi])$`), stat.Annual, 1},
	{lazyregexp.New(`(?i)^(decades?|jahrzehnt(en?|es?|s)?|décennies?|décadas?|decenni[o]?)$`), stat.Annual, 10},
	{lazyregexp.New(`(?i)^(quarters?|quartal(en?|es?|s)?|vorquartal|trimestres?|trimestri)$`), stat.Quarter, 1},
	{lazyregexp.New(`(?i)^(weeks?|wochen?|semain[e]s?|semanas?|settiman[ae])$`), stat.Week, 1},
	{lazyregexp.New(`(?i)^(yesterday|gestern|ayer|ieri)$`), stat.Day, 1},
	{lazyregexp.New(`(?i)^(tomorrow|demain|domani)$`), stat.Day, -1},
	{lazyregexp.New(`(?i)^(months?|monat(en?|es?|s)?|vormonat|mois|mes(es)?|mes[ei])$`), stat.Month, 1},
}

// numberWords are the words for small numbers in the languages of questions.
var numberWords = func() map[string]int {
	found := map[string]int{}
	for _, list := range []string{
		"a one two three four five six seven eight nine ten", "an", "einem zwei drei vier fünf sechs sieben acht neun zehn", "einer", "ein",
		"un deux trois quatre cinq six sept huit neuf dix", "une", "un dos tres cuatro cinco seis siete ocho nueve diez", "una", "uno due tre quattro cinque sei sette otto nove dieci",
	} {
		words := strings.Fields(list)
		n := 1
		if words[0] == "a" {
			found["a"], words = 1, words[1:]
		}
		for _, word := range words {
			found[word] = n
			n++
		}
	}
	return found
}()

func relativePatterns(forms ...string) (list []*lazyregexp.Regexp) {
	const single = `(?P<unit>year|quarter|month|week|decade|woche|semaine|semana|settimana|jahr(?:es)?|quartals?|monats?|jahrzehnt|an|année|trimestre|mois|décennie|año|mes|década|anno|mese|decennio)`
	const all = `(?P<unit>years?|decades?|quarters?|months?|weeks?|wochen?|semaines?|semanas?|settiman[ae]|jahr(?:en?|es)?|jahrzehnt(?:en?|es?|s)?|quartal(?:en?|es?|s)?|monat(?:en?|es?|s)?|ans?|années?|décennies?|trimestres?|mois|años?|décadas?|mes(?:es)?|ann[oi]|decenni[o]?|trimestri|mes[ei])`
	const number = `(?P<number>\d{1,3}|\pL+)`
	parts := strings.NewReplacer("NUMBER", number, "UNIT", all, "SINGLE", single, "'", `['’]`)
	for _, form := range forms {
		list = append(list, lazyregexp.New(`(?i)(?:^|[^\pL\d])(?P<phrase>`+parts.Replace(form)+`)(?:$|[^\pL\d])`))
	}
	return list
}

// readRelative returns a question with the periods that depend on the day of the question: "2025" in place of "last year". Beside a
// word for now, and in comparisons, they are left out: the latest value is asked for first. notices say how they are read.
func readRelative(question string, now time.Time) (text string, notices []Notice) {
	text, notices = readDecades(question)
	for _, of := range []struct {
		forms  []*lazyregexp.Regexp
		before int // how many lengths before now, of forms without a number
		since  string
	}{{agoForms, 0, ""}, {spanForms, 1, "since "}, {lastForms, 1, ""}, {thisForms, 0, ""}, {nextForms, -1, ""}, {dayForms, 1, ""}} {
		for _, form := range of.forms {
			m := form.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			part := func(name string) string {
				if i := form.SubexpIndex(name); i >= 0 && m[2*i] >= 0 {
					return text[m[2*i]:m[2*i+1]]
				}
				return ""
			}
			n := of.before
			if number := part("number"); number != "" {
				if n = numberOf(number); n < 0 {
					continue
				}
			} else if of.since != "" && !strings.Contains(strings.ToLower(part("phrase")), "past") && !isDecade(part("unit")) {
				continue // the last year is a period
			}
			phrase, at := part("phrase"), 2*form.SubexpIndex("phrase")
			period := of.since + periodBefore(now, part("unit"), n)
			if isDecade(part("unit")) && n <= 0 {
				period = decadeOf(now.Year()/10 - n)
			}
			isAside := nowWords.MatchString(text) || compareWords.MatchString(text[:m[at]])
			message := fmt.Sprintf("%q is read as %s", phrase, period)
			if isAside {
				message = fmt.Sprintf("the value is the latest one; for that of %q read the values of the dataset", phrase)
				period = ""
			}
			text = strings.TrimSpace(text[:m[at]] + period + text[m[at+1]:])
			notices = append(notices, Notice{"q", phrase, message, []string{}})
		}
	}
	return text, notices
}

// numberOf returns a number in figures or in words, -1 if it is none.
func numberOf(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	if n, ok := numberWords[strings.ToLower(text)]; ok {
		return n
	}
	return -1
}

func isDecade(unit string) bool { return lengths[1].words.MatchString(unit) }

// periodBefore returns the period that is so many lengths of time before that of a day, as questions have periods.
func periodBefore(now time.Time, unit string, n int) string {
	for _, length := range lengths {
		if !length.words.MatchString(unit) {
			continue
		}
		n *= length.times
		switch length.frequency {
		case stat.Annual:
			return strconv.Itoa(now.Year() - n)
		case stat.Day:
			return now.AddDate(0, 0, -n).Format(time.DateOnly)
		case stat.Week:
			year, week := now.AddDate(0, 0, -7*n).ISOWeek()
			return fmt.Sprintf("W%02d/%d", week, year)
		case stat.Quarter:
			at := now.Year()*4 + int(now.Month()-1)/3 - n
			return fmt.Sprintf("Q%d %d", at%4+1, at/4)
		}
		at := now.Year()*12 + int(now.Month()-1) - n
		return fmt.Sprintf("%d-%02d", at/12, at%12+1)
	}
	return strconv.Itoa(now.Year())
}
