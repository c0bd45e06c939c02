package hits

import (
	"fmt"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Words with which questions ask for a part of a period, in the form of [foldMarks], directly before it: "end of 2019". The last value of a
// period is of its end; what is near a period is its value.
var (
	partWords = lazyregexp.New(`\b(end|beginning|start|middle|mid|early|late|around|about|circa|ca|approximately|ende|anfang|mitte|um|fin|debut|milieu|environ|vers|` +
		`finales|principios|mediados|inicio|hacia|alrededor|fine|inizio|meta|intorno)(?: (?:of|the|de|del|du|di|des|al?|jahres|year))* $`)
	endWords = lazyregexp.New(`^(end|ende|fin|finales|fine|around|about|circa|ca|approximately|um|environ|vers|hacia|alrededor|intorno)\b`)
)

// partBefore returns the words for a part of a period that stand directly before the phrase for the period; empty if there are none.
func partBefore(question, phrase string) string {
	before, _, _ := strings.Cut(foldMarks(question), phrase)
	return strings.TrimSpace(partWords.FindString(before))
}

// readPart says how a part of a period is read that a question names, or why the value found is no answer: it is of a shorter period, which need
// not be the one that is meant.
func (q *question) readPart(phrase string, p stat.Period, found *Latest) (readAs, why string) {
	part := partBefore(q.text, phrase)
	named := q.typed(part + " " + phrase)
	switch {
	case part == "":
	case found.period == p:
		readAs = fmt.Sprintf("%q is read as %s", named, found.Period)
	case !endWords.MatchString(part):
		why = fmt.Sprintf("%q may be one of several periods of the dataset; name one of them", named)
	}
	return readAs, why
}
