package hits

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// thousands matches the comma in "per 10,000".
var thousands = lazyregexp.New(`(\d),(\d{3})\b`)

// series is the series of a dataset whose value answers a question.
type series struct {
	dataset *stat.Dataset
	key     []int32
	rules   []string // by which the values of the key were chosen, if the question names none
	areas   []int32  // that the question names by labels of the office
	named   []bool   // whether the question names the value of a dimension
	name    string   // of the dataset
	titles  []string // that say what it is: in two languages, and the source; nil if only remarks have what is asked for
	readAs  []string // values that words of the question stand for
	concept string   // what the default series measures; empty if unknown, or if another series was chosen
	present []string // see [question.present]
	// isPlaced says that a value was chosen of which the label has the places of the question.
	isPlaced bool
	// lacksAsked says that the dataset has no word for a thing that the question asks for.
	lacksAsked bool
}

// seriesFor returns the series that a question asks for: the default one, or with the values that the question
// names by their labels. why says why the default one is no answer: the question names what neither the title nor
// the series has, so that a value would be of another measure.
func (q *question) seriesFor(v *store.Vintage, chosen *stat.Latest, h *Hit) (s *series, why string) {
	key := chosen.Key
	s = &series{dataset: v.Dataset, key: slices.Clone(key), rules: chosen.Rules, named: make([]bool, len(key)), name: h.Name, titles: h.titles(v.Dataset)}
	if h.Concept != nil {
		s.concept = h.Concept.Label
	}
	usual := *s
	whyCode := q.chooseValueCode(v, s, h)
	var missing []*search.Asked
	if !q.choosePlaced(v, s) && !q.useKnown(v, s) {
		missing = q.chooseTogether(v, s, q.chooseNamed(v, s))
	}
	why = cmp.Or(whyCode, q.chooseCodes(s), q.chooseQualified(v, s), q.chooseCurrencies(s))
	q.chooseNominal(v, s)
	q.chooseKind(v, s)
	missing = slices.DeleteFunc(missing, func(a *search.Asked) bool { return q.isOf(s, a) || s.isOfUnit(a) || q.isQualified(s, a) })
	s.present = q.present(v, s, missing)
	if len(missing) > 0 {
		usual.key, usual.present = slices.Clone(key), s.present
		usual.lacksAsked = slices.ContainsFunc(missing, func(a *search.Asked) bool { return !isPresent(v, s, a) })
		return &usual, q.whyMissing(v, &usual, missing)
	}
	return s, cmp.Or(why, q.whyFurther(s))
}

// whyFurther says why the series is no answer: what is asked for has another name in a language that is not read, and the text has words beside
// it that may say that it is something else, such as a density. It is empty if there is no such text, and notes by which name the series has it.
func (q *question) whyFurther(s *series) string {
	for i := range q.asked {
		a := &q.asked[i]
		texts := append(s.labels(), s.texts()...)
		name, text := a.FurtherName(texts)
		switch {
		case name == "":
		case !a.IsOnly(text, q.text):
			return fmt.Sprintf("the dataset has %q as %q, and other words beside it that are not read; choose a series by the dimensions of the dataset", q.typed(a.Text), name)
		case search.LabelKey(name) != search.LabelKey(a.Text):
			s.addReadAs(fmt.Sprintf("%q is read as %q", q.typed(a.Text), name))
		}
	}
	return ""
}

// chooseNamed chooses the values that the question names by their labels. It returns what else neither the title nor the series has.
func (q *question) chooseNamed(v *store.Vintage, s *series) (missing []*search.Asked) {
	if len(q.asked) > 0 && !slices.ContainsFunc(q.asked, func(a search.Asked) bool { return q.isMain(s, &a) }) {
		s.titles = nil
	}
	ofConcept := s.namedConcept(q.asked) // a value of the ages that the question names is one of it, too
	ofAges := q.chooseAgesAsked(s)
	for i := range q.asked {
		a := &q.asked[i]
		if q.isOfCurrency(s, a) || isOfQualifier(a) || areAmong(search.Words(a.Text), ofAges) {
			continue
		}
		if ofConcept[i] || q.isOf(s, a) {
			q.addSynonym(s, a)
			continue
		}
		at, ok := only(v, s.key, valuesNamed(v, a))
		if !ok && q.chooseAges(s, a) {
			continue
		}
		if sex, isSex := a.SexOfChildren(); !ok && isSex && s.isOfChildren() {
			at, ok = only(v, s.key, valuesNamed(v, sex))
		}
		if rest := a.Besides(search.WordsOf(q.affirmed(s.texts())...)); !ok && rest != nil {
			at, ok = only(v, s.key, valuesNamed(v, rest))
		}
		if !ok {
			missing = append(missing, a)
			continue
		}
		if s.concept = ""; at.axis < len(s.key) {
			s.key[at.axis], s.named[at.axis] = at.code, true
		} else {
			s.areas = append(s.areas, at.code)
		}
	}
	return missing
}

// texts returns the titles and the labels of a series.
func (s *series) texts() []string {
	return append([]string{s.name, s.dataset.Name, s.text()}, s.titles...)
}

// addSynonym says by which other name a series has what is asked for, unless the question has that, too.
func (q *question) addSynonym(s *series, a *search.Asked) {
	asked := search.PlainWordsOf([]string{q.text})
	text := a.Synonym(search.WordsOf(s.texts()...))
	if isOther := func(word string) bool { return !asked.Has(word) }; slices.ContainsFunc(search.Words(text), isOther) {
		s.addReadAs(fmt.Sprintf("%q is read as %q", q.typed(a.Text), s.asWritten(a, text)))
	}
}

// asWritten returns the folded name by which a series has what is asked for as a text of the series has it. If none has its words one after
// another, it is the label that has them: of "Food and non-alcoholic beverages", "food alcoholic beverages" is none.
func (s *series) asWritten(a *search.Asked, name string) string {
	if text := writtenTogether(name, s.texts()); text != "" {
		return text
	}
	labels := s.labels()
	if at := slices.IndexFunc(labels, func(label string) bool { return a.IsIn(search.WordsOf(label)) }); at >= 0 {
		return labels[at]
	}
	return a.AsTerm(name)
}

// addReadAs says what words of the question stand for, and once if one text is the beginning of another that says more.
func (s *series) addReadAs(text string) {
	for i, other := range s.readAs {
		switch {
		case strings.HasPrefix(other+"; ", text+"; "):
			return
		case strings.HasPrefix(text, other+"; "):
			s.readAs[i] = text
			return
		}
	}
	s.readAs = append(s.readAs, text)
}

// titles returns the texts that say what a dataset is. A code that stands for the title, which may be the name of a file, says nothing.
func (h *Hit) titles(d *stat.Dataset) []string {
	texts := []string{h.Name, d.Name, h.Source, thousands.ReplaceAllString(h.Name, "$1$2")}
	return slices.DeleteFunc(texts, func(text string) bool { return strings.EqualFold(text, h.Code) })
}

// whyMissing says that the series is not of what is asked for, although the title may have its words: wages in "minimum wages". Of
// several things, it names the first that is nowhere in the dataset.
func (q *question) whyMissing(v *store.Vintage, s *series, missing []*search.Asked) string {
	at := slices.IndexFunc(missing, func(a *search.Asked) bool { return !isPresent(v, s, a) })
	a := missing[max(at, 0)]
	words := search.WordsOf(s.titles...)
	telling := search.Telling(a.Text)
	isNamed := len(telling) > 0 && !slices.ContainsFunc(strings.Fields(search.LabelKey(a.Text)), func(word string) bool { return !words.Has(word) })
	const choose = "choose a series by the dimensions of the dataset"
	asked := q.typed(a.Text)
	switch term := a.TermAround(words); {
	case isNamed && term != "":
		return fmt.Sprintf("the question is for %q, and the title has that only in %q, which may be another measure; ask in the words of the title, or %s", asked, written(term, s.titles), choose)
	case isNamed:
		return fmt.Sprintf("the title has %q among other things, and the usual series%s may be of another one of them; %s", asked, s.inBrackets(), choose)
	}
	return fmt.Sprintf("%q is neither in the title nor in the usual series%s; %s%s", asked, s.inBrackets(), choose, s.labelsWith(a))
}

// labelsWith names the labels of other values that have a word of what is asked for which the title does not have, such as "Bread and cereals"
// for the price of bread: they may be of more. It is empty if there are none, or many.
func (s *series) labelsWith(a *search.Asked) string {
	rest := a.Besides(search.WordsOf(s.titles...))
	if rest == nil {
		return ""
	}
	const most = 3
	var found []string
	for _, at := range s.withLabel(func(label string) bool { return rest.IsIn(search.WordsOf(label)) }) {
		if found = append(found, strconv.Quote(s.dataset.Dimensions[at.axis].Codes[at.code].Label)); len(found) > most {
			return ""
		}
	}
	if found == nil {
		return ""
	}
	return ", such as " + strings.Join(found, ", ")
}

// whyOtherKind says why a value of the series is no answer: the question is for a rate and the value is a number, or
// the other way round. It is empty if it is one.
func (q *question) whyOtherKind(s *series, l *Latest) string {
	texts, _ := s.measureTexts()
	kind := otherKind(q.text, l.Unit, texts)
	switch {
	case len(q.asked) > 0 && slices.ContainsFunc(append(texts, head(s.name)), errorsOf.MatchString) && !errorsOf.MatchString(q.text):
		return fmt.Sprintf("the title or the usual series%s is of errors of estimates, for which the question does not ask; choose a series by the dimensions of the dataset", s.inBrackets())
	case kind == "" && len(q.asked) > 0 && (isOfChange(l.Unit, texts) || slices.ContainsFunc(s.labels(), changes.MatchString)) && !mayAskChange(q.text):
		return fmt.Sprintf("the usual series%s is of rates of change, for which the question does not ask; choose a series by the dimensions of the dataset", s.inBrackets())
	case kind == "" && len(q.asked) > 0 && slices.ContainsFunc(append(s.labels(), head(s.name)), q.isOfCause):
		return fmt.Sprintf("the title or the usual series%s is only of a part by its cause; ask for it, or choose a series by the dimensions of the dataset", s.inBrackets())
	case kind == "" && len(q.asked) > 0 && isOfSpread(append(texts, head(s.name))) && !isOfSpread([]string{q.text}):
		return fmt.Sprintf("the usual series%s is of a difference between values, for which the question does not ask; choose a series by the dimensions of the dataset", s.inBrackets())
	case kind == "":
		return ""
	}
	return fmt.Sprintf("the question is for %s, and the usual series%s is something else; choose a series by the dimensions of the dataset", kind, s.inBrackets())
}

// measureTexts returns the texts that say of what kind the values of a series are, and the names of its measure.
func (s *series) measureTexts() (texts, names []string) {
	texts = []string{s.text()}
	if !severalMeasures.MatchString(head(s.name)) {
		texts, names = append(texts, s.titles...), []string{head(s.name), head(s.dataset.Name)}
	}
	return texts, names
}

// severalMeasures matches a title of several measures.
var severalMeasures = lazyregexp.New(`(?i)/| (and|und|et|y|e) `)

// tails match where the title ends and its breakdowns or remarks begin.
var tails = lazyregexp.New(`(?i) (by|nach|par|selon|por|según) | \(`)

// head returns a title without its breakdowns.
func head(title string) string { return tails.Split(title, 2)[0] }

// inBrackets returns the text of the series after a word, empty if it has none.
func (s *series) inBrackets() string {
	if text := s.text(); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// nameOf returns the label of a code, or if the office gives none the name that charts give it.
func (s *series) nameOf(d *stat.Dimension, code stat.Code) string {
	switch {
	case code.Label != code.ID:
		return code.Label
	case d.Role == stat.RoleUnit:
		return caption.UnitName(s.dataset.Source.ID, code.ID)
	}
	return cmp.Or(caption.Label(s.dataset.Source.ID, d.ID, stat.Code{ID: code.ID}), code.ID)
}

// text says what the series is.
func (s *series) text() string {
	var labels []string
	if s.concept != "" {
		labels = append(labels, s.concept)
	}
	for axis, code := range s.key {
		if d := &s.dataset.Dimensions[axis]; d.Role != stat.RoleFrequency {
			labels = append(labels, s.nameOf(d, d.Codes[code]))
		}
	}
	if unit := caption.UnitName(s.dataset.Source.ID, s.dataset.UnitOf(s.key, "")); unit != "" && !slices.Contains(labels, unit) {
		labels = append(labels, unit)
	}
	return strings.Join(labels, ", ")
}

// isMain reports whether the title or the series has what is asked for, and not only behind a title: the population
// in "Persons in households with low work intensity (population aged 0 to 59)" is not what the dataset measures. A
// title that does not name the known measure of the series says nothing of it: "World Population Prospects".
func (s *series) isMain(a search.Asked) bool {
	measure := append(s.labels(), s.concept)
	if s.concept != "" {
		measure = append(measure, s.dataset.Code)
	}
	if a.IsIn(search.WordsOf(measure...)) {
		return true
	}
	titles := search.WordsOf(s.titles...)
	if slices.ContainsFunc(search.Telling(s.concept), func(word string) bool { return !titles.Has(word) }) {
		return false
	}
	heads := measure
	for _, title := range s.titles {
		heads = append(heads, head(title))
	}
	return a.Begins(search.WordsOf(heads...)) && a.IsIn(search.WordsOf(append(heads, append([]string{s.text()}, s.titles...)...)...))
}

// isOf reports whether a series is of what is asked for: its title, its dimensions or its values have it, and it is
// not another measure of the title.
func (q *question) isOf(s *series, a *search.Asked) bool {
	own := append(s.labels(), s.concept)
	if s.concept != "" { // a dataset of the table of well-known ones, of which the code may be the name: FEDFUNDS
		own = append(own, s.dataset.Code)
	}
	for _, i := range s.areas {
		own = append(own, s.dataset.Geography.Codes[i].Label)
	}
	own = q.ofOneSex(a, q.affirmed(own))
	if a.IsIn(search.WordsOf(own...)) {
		return true
	}
	if s.titles == nil || q.isDenied(s, a) {
		return false
	}
	texts := append(s.titles[:len(s.titles):len(s.titles)], s.text())
	for _, title := range s.titles {
		texts = append(texts, head(title)) // "employment by industry" is employment
	}
	for i := range s.dataset.Dimensions {
		texts = append(texts, s.dataset.Dimensions[i].Label)
	}
	return a.IsIn(search.WordsOf(q.ofOneSex(a, q.affirmed(texts))...)) && !q.isOtherMeasure(s, a) && !s.isPartOfTitle(a)
}

// negated matches what a title or a label says that something is not: "neither in employment nor in
// education", "excluding food".
var negated = lazyregexp.New(`(?i)\b(neither|not in|without|excluding|excl\.|except|other than|weder|nicht in|ohne|ni en|sans|hors|sauf|sin|excepto)\b[^,;():]*`)

// isDenied reports whether a title has a word of what is asked for only where it says that something is not.
func (q *question) isDenied(s *series, a *search.Asked) bool {
	all, affirmed := search.WordsOf(s.titles...), search.WordsOf(q.affirmed(s.titles)...)
	return slices.ContainsFunc(search.Telling(a.Text), func(word string) bool { return all.Has(word) && !affirmed.Has(word) })
}

// affirmed returns texts without what they say that something is not, and without the prices at which amounts are. What the question says, too,
// is as it was.
func (q *question) affirmed(texts []string) []string {
	texts = q.ofPrices(texts)
	if negated.MatchString(q.text) {
		return texts
	}
	rest := make([]string, len(texts))
	for i, text := range texts {
		rest[i] = negated.ReplaceAllString(text, "")
	}
	return rest
}

// conjunctions match what stands between the parts of a title that has several of a kind.
var conjunctions = lazyregexp.New(`(?i)\s*/\s*| (and|und|et|y|e) `)

// isPartOfTitle reports whether a title has what is asked for as one of several parts, and the series measures what has no
// such word: population, in a table of "Total and urban population".
func (s *series) isPartOfTitle(a *search.Asked) bool {
	isWider := func(measure string) bool { return a.IsNarrower(search.WordsOf(measure)) }
	if !slices.ContainsFunc(append(s.labels(), s.concept), isWider) {
		return false
	}
	return slices.ContainsFunc(s.titles, func(title string) bool {
		parts := conjunctions.Split(head(title), -1)
		hasAsked := func(part string) bool { return a.IsIn(search.WordsOf(part)) }
		return slices.ContainsFunc(parts, hasAsked) && slices.ContainsFunc(parts, func(part string) bool { return !hasAsked(part) })
	})
}

// titleParts matches what stands between the measures of a title.
var titleParts = lazyregexp.New(`(?i)[,;/:]| - | – | (and|und|et|y|e) `)

// isOtherMeasure reports whether what is asked for is another measure of a title than that of the series: the
// deficit of "Government deficit/surplus, debt", if the series is "Government debt". The last word of a name is
// the measure.
func (q *question) isOtherMeasure(s *series, a *search.Asked) bool {
	parts := titleParts.Split(head(s.name), -1)
	for _, measure := range append(s.labels(), s.concept) {
		words := search.Telling(measure)
		if len(words) == 0 || a.IsIn(search.WordsOf(measure)) {
			continue
		}
		last := words[len(words)-1]
		if slices.ContainsFunc(q.asked, func(other search.Asked) bool { return other.IsIn(search.WordsOf(measure)) }) {
			continue
		}
		isOwn, isOther := false, false
		for _, part := range parts {
			has, asks := search.WordsOf(part).Has(last), a.IsIn(search.WordsOf(part))
			isOwn, isOther = isOwn || has && !asks, isOther || asks && !has
			if has && asks {
				isOwn, isOther = false, false
				break
			}
		}
		if isOwn && isOther {
			return true
		}
	}
	return false
}

// labels returns the labels of the series in the dimensions that are no units.
func (s *series) labels() (list []string) {
	for axis, code := range s.key {
		if d := &s.dataset.Dimensions[axis]; d.Role != stat.RoleUnit && d.Role != stat.RoleFrequency {
			list = append(list, d.Codes[code].Label)
		}
	}
	return list
}
