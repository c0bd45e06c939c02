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

// titleText is the title of a picture, and the name of the collection that it is a part of.
type titleText struct {
	title, collection string
	isCode            bool // nothing has words
	cut               titleCut
}

// titleText returns the title of a kind. follow is as in [Picture.tableTitle].
func (p *Picture) titleText(kind titleKind, facts []fact, follow *titleCut) (t titleText) {
	name, _ := titleOf(p.Dataset)
	if base := p.Dataset.Base; base != nil && p.Dataset.Name != base.Name {
		name = p.Dataset.Name // not the English title of a well-known dataset
	}
	hasMeasure := len(facts) > 0 && facts[0].isMeasure
	switch {
	case kind == titleOfTrade && tradeOf(facts) != "":
		t.title = tradeOf(facts)
	case kind == titleOfChange && hasMeasure:
		t.title, t.cut = p.tableTitle(name, follow)
		t.title += ": " + lowerFirst(asTitle(facts[0].label))
	case kind == titleOfMeasure && hasMeasure:
		t.title = upperFirst(asTitle(facts[0].label))
		t.collection, t.cut = p.tableTitle(name, follow)
	case kind == titleOfKnown && name != p.Dataset.Name:
		t.title, t.cut.listCut = p.withoutBreakdown(name, follow)
	case kind == titleOfRate:
		t.title = knownTitles()["ecb\texr"].name
	case kind == titleOfCodes && hasMeasure:
		t.title = upperFirst(asTitle(facts[0].label))
	case kind != titleWithoutWords:
		t.title, t.cut = p.tableTitle(name, follow)
	case nameOfFile(name) != "":
		t.title = nameOfFile(name)
	case saysNothing(name):
		t.title, t.isCode = Untitled, true
	default:
		t.title, t.isCode = name, true
	}
	return t
}
