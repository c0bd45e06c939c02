package caption

// titleKind is what the title of a picture is.
type titleKind uint8

const (
	titleOfTable      titleKind = iota // what the dataset is about
	titleOfTrade                       // the flow and the kind of goods
	titleOfChange                      // what the dataset is about, and the measure
	titleOfMeasure                     // the measure, of a collection of many
	titleOfCodes                       // the measure, of a dataset with a code for a title
	titleOfKnown                       // the name of a well-known dataset
	titleOfRate                        // exchange rates
	titleWithoutWords                  // a code, or a name of a file
)

// titleKind returns what the title of a picture is. It is the dataset's, or what is measured if the
// dataset has a code for a title or is a collection of many measures.
func (p *Picture) titleKind(facts []fact) titleKind {
	name, isCode := titleOf(p.Dataset)
	hasMeasure := len(facts) > 0 && facts[0].isTitle()
	switch {
	case tradeOf(facts) != "":
		return titleOfTrade
	case !isCode && hasMeasure && p.isOneOf(name, &facts[0]) && isOnlyChange.MatchString(facts[0].label):
		return titleOfChange
	case !isCode && hasMeasure && p.isOneOf(name, &facts[0]):
		return titleOfMeasure
	case name == knownDataset(p.Dataset).better():
		return titleOfKnown
	case !isCode:
		return titleOfTable
	case IsRate(p.Unit):
		return titleOfRate
	case hasMeasure:
		return titleOfCodes
	}
	return titleWithoutWords
}

// title returns the title of a kind. isCode reports that nothing has words.
func (p *Picture) title(kind titleKind, facts []fact) (title, collection string, isCode bool) {
	name, _ := titleOf(p.Dataset)
	if base := p.Dataset.Base; base != nil && p.Dataset.Name != base.Name {
		name = p.Dataset.Name // not the English title of a well-known dataset
	}
	hasMeasure := len(facts) > 0 && facts[0].isMeasure
	switch {
	case kind == titleOfTrade && tradeOf(facts) != "":
		return tradeOf(facts), "", false
	case kind == titleOfChange && hasMeasure:
		return p.tableTitle(name) + ": " + lowerFirst(asTitle(facts[0].label)), "", false
	case kind == titleOfMeasure && hasMeasure:
		return upperFirst(asTitle(facts[0].label)), p.tableTitle(name), false
	case kind == titleOfKnown && name != p.Dataset.Name:
		return p.withoutBreakdown(name), "", false
	case kind == titleOfRate:
		return knownTitles()["ecb\texr"].name, "", false
	case kind == titleOfCodes && hasMeasure:
		return upperFirst(asTitle(facts[0].label)), "", false
	case kind != titleWithoutWords:
		return p.tableTitle(name), "", false
	}
	if words := nameOfFile(name); words != "" {
		return words, "", false
	}
	if saysNothing(name) {
		return Untitled, "", true
	}
	return name, "", true
}
