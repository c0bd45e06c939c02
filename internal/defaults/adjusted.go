package defaults

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// preferAdjusted prefers seasonally adjusted data where unadjusted ones exist too and the
// data are of parts of years. A trend is smoother than what an office publishes as its
// result, and is not preferred.
func preferAdjusted(c *chooser) []int32 {
	if !c.dataset.SubAnnual {
		return c.filterAdjusted("NSA")
	}
	if both := c.filterAdjusted("SCA", "SWDA"); both != nil {
		return both
	}
	adjusted := c.filter(isAdjusted)
	if len(adjusted) == 0 && strings.Contains(strings.ToLower(c.dimension.ID), "adjust") { // the OECD's codes
		adjusted = c.filter(func(code stat.Code) bool { return code.ID == "Y" || code.ID == "S" })
	}
	if len(adjusted) == 0 || len(c.filter(isUnadjusted)) == 0 && len(adjusted) == len(c.codes) {
		return nil
	}
	if both := slices.DeleteFunc(slices.Clone(adjusted), func(i int32) bool { return !saysCalendar(c.code(i)) }); len(both) > 0 {
		return first(both)
	}
	return first(adjusted)
}

// calendarWords are words for working days and the calendar.
var calendarWords = []string{"calendar", "working day", "trading day", "cjo", "jours ouvr", "kalend", "arbeitstäg", "werktäg", "calendario", "giorni lavorativi", "días laborables", "dias úteis", "werkdag", "dni robocz"}

// saysCalendar reports whether adjusted data are adjusted for the calendar too.
func saysCalendar(code stat.Code) bool {
	return slices.ContainsFunc(calendarWords, func(word string) bool { return containsWord(labelOf(code), word) })
}

// filterAdjusted returns the candidate with the first of some IDs of Eurostat's list of
// adjustments, if the dimension has codes of that list.
func (c *chooser) filterAdjusted(ids ...string) []int32 {
	for _, id := range ids {
		if code, ok := c.withID(id); ok && len(c.filter(func(code stat.Code) bool { return slices.Contains(eurostatAdjustments, code.ID) })) == len(c.codes) {
			return []int32{code}
		}
	}
	return nil
}

var eurostatAdjustments = []string{"NSA", "SA", "CA", "SCA", "SWDA", "WDA", "TC"}

var (
	adjustedCodes   = []string{"SA", "SCA", "CVS", "CVS-CJO", "SWDA", "SESONGJUSTERT", "SA_CA"}
	unadjustedCodes = []string{"NSA", "NA", "BRUT", "N", "UA", "NO"}
	adjustedWords   = []string{
		"seasonally adjusted", "seasonally and calendar adjusted", "saisonbereinigt", "désaisonnalis", "cvs", "säsongrens", "säsongsrens", "sesongjuster",
		"sæsonkorriger", "kausitasoitet", "desestacionaliz", "dessazonaliz", "destagionalizz", "季節調整", "季节调整", "계절조정",
		"seizoengecorrigeerd", "seizoensgecorrigeerd", "odsezonowan", "desezonir", "mevsim ve takvim etkilerinden arındırılmış", "mevsim etkisinden arındırılmış",
	}
	// seasons and corrections are words that say together that data are adjusted: "corrigées des
	// variations saisonnières", "corregidos de efectos estacionales", "com ajuste sazonal".
	seasons     = []string{"season", "saison", "estacional", "sazona", "stagional", "seizoen", "sezon", "sezón", "säsong", "sesong", "sæson", "szezon", "сезон", "εποχικ"}
	corrections = []string{
		"adjust", "correct", "corrig", "correg", "corrett", "ajust", "bereinigt", "gecorrigeerd", "justert", "justerad", "korriger", "wyrówn", "oczyszcz",
		"očišt", "očišč", "kiigaz", "исключ", "скоррект", "сглаж", "очищ", "διορθωμ",
	}
	notAdjustedWords = []string{"not ", "non", "neither", "ohne ", "nicht ", "icke ", "ikke ", "trend", "smoothed", "moving average", "原",
		"sin ", "sem ", "senza ", "niet ", "nie ", "nem ", "bez ", "без ", "μη ", "tendenc", "tendanc", "tendênc", "тренд"}
)

func isAdjusted(code stat.Code) bool {
	if slices.Contains(adjustedCodes, strings.ToUpper(code.ID)) {
		return true
	}
	label := labelOf(code)
	isNegated := func(text string) bool {
		return slices.ContainsFunc(notAdjustedWords, func(not string) bool { return containsWord(text, not) })
	}
	for _, word := range adjustedWords {
		if before, after, found := strings.Cut(label, word); found && !isNegated(before+after) {
			return true
		}
	}
	hasWord := func(word string) bool { return containsWord(label, word) }
	return slices.ContainsFunc(seasons, hasWord) && slices.ContainsFunc(corrections, hasWord) && !isNegated(label)
}

func isUnadjusted(code stat.Code) bool {
	return slices.Contains(unadjustedCodes, strings.ToUpper(code.ID)) || !isAdjusted(code)
}

// containsWord reports whether text contains a word, or the beginning of one, after the
// beginning of the text or something that is no letter.
func containsWord(text, word string) bool { return wordAt(text, word) >= 0 }
