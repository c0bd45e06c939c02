// Package caption says in words what a picture shows: its title, what its series have in
// common, and the unit of its values. All functions are pure: they depend on the
// structure of a dataset and on the codes that are drawn.
//
// A caption names every dimension of which one code is drawn, also dimensions that have
// only one code. It leaves out what says nothing ("Total", "Value", "_Z"), what the title
// already says, and codes without a label that nobody could choose. What is measured
// comes first, then the other dimensions in the order of the source, then the unit.
//
// Official titles and labels are quoted. They only lose what belongs to the table they
// come from: a code before a label, the mark of a footnote, a code in brackets that is
// not needed to tell two labels apart.
package caption

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Picture is what a caption depends on.
type Picture struct {
	Dataset *stat.Dataset
	Key     []int32 // code positions of [stat.Dataset.Dimensions], of any drawn series
	Varies  []int   // axes of which several codes are drawn
	Title   string  // the caller's title; empty: that of the dataset
	Unit    string  // of all drawn values; empty if none is stated or they differ
	OwnUnit string  // Unit in the texts of the dataset's Base, if it has one

	UnitsDiffer bool // the drawn values have several units
}

// Caption is the text of a picture.
type Caption struct {
	Title string
	Parts []string // what is measured, then the other dimensions
	Of    []string // the parts without what is measured
	Unit  string   // empty if the title or a part says it
	// Collection is the name of a database of which the picture shows one measure, which is
	// then the title; empty for other datasets.
	Collection string
	// Measure is the label of what is measured, if the dataset has several measures.
	Measure string
	// Place is the country of a well-known dataset whose file names no area.
	Place string

	isBare bool // the title is a code, and nothing else says what is measured
}

// Of returns the caption of a picture. In the language of a reader it has the parts that it has
// without a choice of language.
func Of(p *Picture) Caption {
	if p.Dataset.Base == nil {
		c, _ := p.caption(nil)
		return c
	}
	own := *p
	own.Dataset, own.Unit = p.Dataset.Base, p.OwnUnit
	_, shown := own.caption(nil)
	c, _ := p.caption(shown)
	return c
}

// choices are the parts that a caption has, whatever the language.
type choices struct {
	title   titleKind
	cut     titleCut
	measure string          // ID of the dimension that says what is measured; empty if none does
	facts   map[string]bool // the IDs of the dimensions that it names
	parts   map[string]bool // those of which the title may name the code
	hasUnit bool
}

// caption returns the caption, and the choices that were made for it. own are those that were made
// without a choice of language; nil if there is none.
func (p *Picture) caption(own *choices) (Caption, *choices) {
	facts := p.facts(own)
	made := &choices{facts: map[string]bool{}, parts: map[string]bool{}}
	if len(facts) > 0 && facts[0].isMeasure {
		made.measure = facts[0].id
	}
	c := Caption{Title: p.Title, Place: p.place()}
	if len(facts) > 0 && facts[0].isMeasure && facts[0].isChoice() {
		c.Measure = facts[0].label
	}
	isCode, trade := false, tradeOf(facts)
	if c.Title == "" {
		made.title = p.titleKind(facts)
		kind, follow := made.title, (*titleCut)(nil)
		if own != nil {
			kind, follow = own.title, &own.cut
		}
		t := p.titleText(kind, facts, follow)
		made.cut, isCode = t.cut, t.isCode
		c.Title, c.Collection = p.rateTitle(p.onlyTotal(t.title)), t.collection
	}
	// If not even the measure has a name, its code is better than nothing.
	facts = slices.DeleteFunc(facts, func(f fact) bool { return f.isCode && !f.isChoice() && !(isCode && f.isMeasure) })
	if p.Unit != "" && !IsFillerUnit(p.Unit) && !saysUnit(c.Title, p.Unit) {
		c.Unit = p.Unit
	}
	if made.hasUnit = c.Unit != ""; own != nil && !own.hasUnit {
		c.Unit = ""
	}
	facts = slices.DeleteFunc(facts, func(f fact) bool {
		return f.isSaidBy(c.Title) || f.isSaidByUnit(p.Unit) || own != nil && !own.facts[f.id]
	})
	for _, f := range facts {
		made.facts[f.id], made.parts[f.id] = true, f.isPartOfPopulation() || f.isDirection()
	}
	if p.Title == "" && c.Title != trade { // which says the direction
		c.Title, facts = withPart(c.Title, facts, own)
		c.Title, facts = withCauses(c.Title, p.Dataset.Description, facts)
	}
	for i := range facts {
		facts[i].label = beyond(c.Title, facts[i].label)
	}
	if c.Title == trade {
		facts = slices.DeleteFunc(facts, func(f fact) bool { return isOfTrade(&f) })
	}
	c.Of = parts(joined(slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.isMeasure })))
	c.Parts = parts(joined(facts))
	if m := fredTitle.FindStringSubmatch(p.Dataset.Name); m != nil && m[1] == c.Title && m[3] != "" {
		c.Parts = append(c.Parts, m[3])
	}
	if slices.ContainsFunc(c.Parts, func(part string) bool { return Contains(part, c.Unit) }) {
		c.Unit, made.hasUnit = "", false
	}
	c.isBare = isCode && len(c.Parts) == 0 && c.Unit == "" && !p.variesInWords()
	if text := strings.Join(append([]string{c.Title}, c.Parts...), ", "); unstatedUnits[strings.ToLower(p.Unit)] && !p.UnitsDiffer && p.Title == "" && !hasUnits(p.Dataset) && IsAmountOfMoney(text) && !NamesCurrency(text) {
		c.Unit = UnstatedCurrency
	}
	return c, made
}

// Untitled is the title of a file of which nothing says what it measures.
const Untitled = "Indicator not stated in the file"

// madeUp matches labels of made-up data: "Value A".
var madeUp = lazyregexp.New(`(?i)^(value|item|code|series|indicator|variable|label) [a-z]$`)

// SaysNoMeasure reports whether a caption leaves open what is measured: the file does not say it,
// or has only placeholders for it.
func (c *Caption) SaysNoMeasure() bool {
	isReal := func(part string) bool { return !madeUp.MatchString(part) }
	return c.Title == Untitled || c.isBare || len(c.Parts) > 0 && !slices.ContainsFunc(c.Parts, isReal)
}

// isOneOf reports whether a measure is one of several that a title speaks of, so that the measure
// is the title: of a database, of a table with several measures, and of an index if its rate of
// change is drawn.
func (p *Picture) isOneOf(title string, measure *fact) bool {
	short := withoutUnit(measure.label)
	switch {
	case isDatabase.MatchString(title):
		return hasTwoWords(measure.label) || measure.isSubject() && !strings.Contains(fold(title), fold(strings.TrimSuffix(measure.label, "s")))
	case namesComponents.MatchString(title):
		return !Contains(title, short) || strings.HasPrefix(title, short)
	case !measure.isChoice():
		return false
	case isCollection.MatchString(title):
		return hasTwoWords(measure.label) || !strings.Contains(short, " ") && Contains(title, short)
	case strings.Contains(title, " and ") && (measure.hasSeveralUnits() || hasAllWords(title, short)):
		return hasTwoWords(measure.label)
	}
	return isIndex.MatchString(title) && !saysChange.MatchString(title) && saysChange.MatchString(p.Unit+" "+measure.label) && hasTwoWords(measure.label)
}

// hasSeveralUnits reports whether the labels of a measure end with different units.
func (f *fact) hasSeveralUnits() bool {
	first := unitIn(f.label)
	return first != "" && slices.ContainsFunc(f.others[:min(len(f.others), maxCompared)], func(c stat.Code) bool {
		unit := unitIn(c.Label)
		return unit != "" && unit != first
	})
}

// place returns the country of a well-known dataset or series whose file names no area.
func (p *Picture) place() string {
	if !p.Dataset.HasNoArea() {
		return ""
	}
	if place := knownDataset(p.Dataset).place; place != "" {
		return place
	}
	if source := &p.Dataset.Source; source.ID != "fred" && source.Name != "FRED" {
		return ""
	}
	for axis := range p.Dataset.Dimensions {
		d := &p.Dataset.Dimensions[axis]
		if place := knownCode(p.Dataset.Source.ID, d.ID, d.Codes[p.Key[axis]].ID).place; place != "" {
			return place
		}
	}
	return ""
}

var (
	// isDatabase matches titles of databases, which say nothing of a picture of one measure.
	isDatabase = lazyregexp.New(`(?i)\b(databases?|databank|indicators|prospects|outlook|publication|commodity price data|world table|cause of death, |statistics( \(\w+\))?$)`)
	// namesComponents matches titles of a measure with what it consists of.
	namesComponents = lazyregexp.New(`(?i)\band (its|main) components\b`)
	// isCollection matches titles of tables with several measures.
	isCollection = lazyregexp.New(`(?i)\b(data|datasets?|data sets?|components|aggregates|balances?|interest rates|accounts|key figures|nøgletal|nøkkeltall|main results|` +
		`profiles?|summary|terms|trends)\b`)
)

// asTitle writes the label of a measure as a title: the levels of a hierarchy with commas.
func asTitle(label string) string {
	if known := abbreviations[strings.ToLower(label)]; known != "" { // co2
		return known
	}
	levels := strings.Split(label, pathSeparator)
	for i := range levels[1:] {
		levels[i+1] = lowerFirst(levels[i+1])
	}
	return strings.Join(levels, ", ")
}

// isSubject reports whether a measure of several is a word for what is measured, such as "Population".
// Short words are rather codes, or say how it is measured.
func (f *fact) isSubject() bool {
	return f.isChoice() && f.isTitle() && len(f.label) >= 6 && !howMeasured.MatchString(f.label)
}

// howMeasured matches words that say how something is measured, but not what.
var howMeasured = lazyregexp.New(`(?i)^(actual|observed|estimate[ds]?|projected|forecast|average|median|medium|monthly|annual|nominal|original|adjusted|unadjusted|provisional)$`)

// hasTwoWords reports whether a label has two words, so that it means something alone.
func hasTwoWords(label string) bool { return len(strings.Fields(label)) > 1 || len(label) > 10 }

// fact is what all drawn series have in common in one dimension.
type fact struct {
	office    string // the ID of the dataset's source
	id        string // of the dimension
	dimension string // its label; empty if that is a code or says nothing
	role      string // its name if its labels need it: "Partner"
	code      string
	label     string      // of the code
	isCode    bool        // the code has no label
	isUnit    bool        // the dimension says in which unit or currency values are
	isMeasure bool        // the dimension says what is measured
	isCalled  bool        // the dimension is called a measure
	isAge     bool        // its labels are ages
	others    []stat.Code // all codes of the dimension
}

// isChoice reports whether the dimension has other codes.
func (f *fact) isChoice() bool { return len(f.others) > 1 }

// facts lists what is worth saying, what is measured first.
// own is as in [Picture.caption].
func (p *Picture) facts(own *choices) []fact {
	var facts []fact
	add := func(f fact, role stat.Role, code stat.Code) {
		if !f.isEmpty(role, code) {
			facts = append(facts, f)
		}
	}
	for axis := range p.Dataset.Dimensions {
		if d := &p.Dataset.Dimensions[axis]; !slices.Contains(p.Varies, axis) && !p.isKey(d) {
			code := d.Codes[p.Key[axis]]
			f := p.newFact(d, &p.Dataset.Original().Dimensions[axis], code)
			if f.isChoice() {
				style := StyleOf(p.Dataset.Source.ID, d)
				f.label = style.Short(f.label)
			}
			add(f, d.Role, code)
		}
	}
	for i, d := range p.Dataset.Fixed {
		own := &stat.Dimension{ID: d.ID, Label: p.Dataset.Original().Fixed[i].Label}
		add(p.newFact(&stat.Dimension{ID: d.ID, Label: d.Label, Role: d.Role}, own, d.Code), d.Role, d.Code)
	}
	if causes := causesOf(p.Dataset.Description); causes != "" {
		facts = append(facts, fact{id: causesID, label: causes})
	}
	facts = slices.DeleteFunc(withoutDefinitions(facts), func(f fact) bool { return !f.isChoice() && f.label == p.Dataset.Name })
	i := measureOf(facts)
	if own != nil {
		i = slices.IndexFunc(facts, func(f fact) bool { return f.id == own.measure })
	}
	if i >= 0 {
		measure := facts[i]
		measure.isMeasure = true
		facts = withRisk(slices.Insert(slices.Delete(facts, i, i+1), 0, measure), p.Unit)
	}
	return facts
}

// newFact returns the fact of a code of a dimension. own is the dimension with its label without a choice of
// language, by which the words for measures and roles are known.
func (p *Picture) newFact(d, own *stat.Dimension, code stat.Code) fact {
	office := p.Dataset.Source.ID
	f := fact{office: office, id: d.ID, dimension: tidy(d.Label), code: code.ID, label: Label(office, d.ID, code), others: d.Codes}
	f.isCode = f.label == code.ID && (IsCode(f.label) || len(f.label) <= 3)
	if f.isUnit = d.Role == stat.RoleUnit || isCurrencyDimension(d.ID); d.Role == stat.RoleUnit {
		f.label = UnitName(office, f.label)
	}
	name := tidy(own.Label)
	isCalled := isCalledMeasure(d.ID, name)
	if isCalled {
		f.label = totalTail.ReplaceAllString(f.label, "")
	}
	if IsCode(name) || isCalled || f.isUnit {
		f.dimension, name = "", ""
	}
	f.role = roleOf(f.id, name)
	f.isAge, f.isCalled = f.role == "Age", isCalledMeasure(d.ID, cmp.Or(f.role, name))
	if f.role != "" && d.Label != own.Label && f.dimension != "" {
		f.role = upperFirst(f.dimension) // in the reader's language
	}
	f.dimension = cmp.Or(f.role, f.dimension)
	return f
}

// totalTail matches the end of labels such as "Human Development Index (HDI): Value".
var totalTail = lazyregexp.New(`: (Value|Total)$`)

// isSaidBy reports whether a title says a fact: it has the label, and no other label of
// the dimension.
func (f *fact) isSaidBy(title string) bool {
	if !Contains(title, f.label) && !Contains(title, withoutUnit(f.label)) {
		return !f.isChoice() && hasAllWords(title, strings.TrimLeft(f.label, "0123456789. "))
	}
	for _, other := range f.others[:min(len(f.others), maxCompared)] {
		if label := Label(f.office, f.id, other); label != f.label && !Contains(f.label, label) && (Contains(title, withoutUnit(label)) || hasInitials(title, label)) {
			return false
		}
	}
	return true
}

// hasInitials reports whether a title has the initials of a label of three words or more: GSP of
// Gross State Product.
func hasInitials(title, label string) bool {
	initials := ""
	for word := range strings.FieldsSeq(label) {
		initials += strings.ToUpper(word[:1])
	}
	return len(initials) >= 3 && slices.Contains(strings.Fields(title), initials)
}

// hasAllWords reports whether a title has all words of a label of several words, in any order.
func hasAllWords(title, label string) bool {
	words := strings.Fields(fold(label))
	return len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return !Contains(title, word) })
}

// beyond returns what a label says in brackets beyond a title that says the rest of it.
func beyond(title, label string) string {
	var remarks []string
	for rest := label; ; {
		head, last := cutBracket(rest)
		switch {
		case last == "":
			return label
		case unitIn(last) == "":
			remarks = append([]string{strings.Trim(last, "()")}, remarks...)
		}
		if rest = head; len(remarks) > 0 && Contains(title, head) {
			return strings.Join(remarks, ", ")
		}
	}
}

// isSaidByUnit reports whether a unit says a fact.
func (f *fact) isSaidByUnit(unit string) bool {
	if fold(f.label) == fold(unit) || hasBase.MatchString(f.label) && Contains(unit, f.label) || f.isUnit && (Contains(unit, f.label) || Contains(unit, UnitName(f.office, f.label)) || isCorrection(unit)) {
		return true
	}
	return IsRate(unit) && (f.isUnit && strings.HasPrefix(unit, f.label) || rateKey.MatchString(f.code))
}

// isTitle reports whether a fact can stand for the title of a dataset without one.
func (f *fact) isTitle() bool { return f.isMeasure && !f.isCode && !isAmount.MatchString(f.label) }

// isAmount matches labels of measures that say how something is counted, but not what.
var isAmount = lazyregexp.New(`(?i)^(absolute|values?|number|index|percent|percentage|rate|share|amount|production|quantity|level)\b(\s\S+){0,3}$|` +
	`^(in )?((19|20)\d\d )?(current|constant) prices\b`)

// maxCompared bounds the labels that are compared with a title.
const maxCompared = 300

// parts writes facts. Two with the same label, and labels that only mean something in
// their dimension ("Age: 0"), get the name of the dimension.
func parts(facts []fact) []string {
	var parts []string
	for i, f := range facts {
		isLike := func(g fact) bool { return g.label == f.label && g.id != f.id }
		if !f.isChoice() && (slices.ContainsFunc(facts[:i], isLike) || slices.ContainsFunc(facts, func(g fact) bool { return isLike(g) && g.isChoice() })) {
			continue
		}
		isAmbiguous := f.isCode || f.role != "" && !f.isSaidByRole() || isMonth[strings.ToLower(f.label)] || !hasWord(f.label) || slices.ContainsFunc(facts, func(g fact) bool { return isLike(g) && g.isChoice() })
		if f.dimension != "" && isAmbiguous {
			f.label = f.dimension + ": " + f.label
		}
		parts = append(parts, f.label)
	}
	return parts
}

// measureWords are words in the name of a dimension that says what is measured.
var measureWords = strings.Fields("indic indicator indicators measure measures subject variable variables element concept concepts contents " +
	"contentscode indhold tiedot information statistikkvariabel statistic statistics characteristics series series_id serie idserie index item na_item bop_item nrg_bal " +
	"indic_na operation transaction linecode topic onderwerp terms der_type 表章項目 指标 indicador bevægelsesart " +
	"title título titulo titel description variável series_name indicadorcod indicadordsg")

// isCalledMeasure reports whether a dimension is called so.
func isCalledMeasure(id, label string) bool {
	words := strings.Fields(strings.ToLower(id + " " + label))
	return strings.HasPrefix(strings.ToLower(id), "tipo_dato") || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(measureWords, w) })
}

// measureOf returns the index of the fact that says what is measured, or -1: the one whose
// codes have units, else the first of a dimension that is called so.
func measureOf(facts []fact) int {
	hasUnits := func(f fact) bool {
		return slices.ContainsFunc(f.others[:min(len(f.others), maxCompared)], func(c stat.Code) bool { return c.Unit != "" })
	}
	if i := slices.IndexFunc(facts, hasUnits); i >= 0 {
		return i
	}
	return slices.IndexFunc(facts, func(f fact) bool { return f.isCalled })
}
