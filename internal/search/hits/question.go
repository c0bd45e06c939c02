package hits

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"almanac/internal/search"
)

// question is what a question asks of each dataset.
type question struct {
	text  string
	asked []search.Asked // in folded words, see [question.typed]
	areas []place
	// unclear says why it is not clear which place or measure the text means; empty if it is.
	unclear    string
	partsOf    []search.PartOf
	measure    *measure // that all words besides places, sources and periods name; nil: none
	isWorld    bool     // the text is for the world, and names no place
	sources    []string // names of sources in the text
	code       string   // of a dataset, if the text names nothing else but places
	codes      []string // words in capitals that may be codes of values
	valueCode  string   // the word that is the code of a value in some dataset
	isFiltered bool     // a filter names areas, each of which is an answer
	month      string   // a month that the text names without a year
	unmatched  []string // words that the search found in no dataset
	compounds  []search.Compound
}

// newQuestion returns what a query asks of each dataset.
func newQuestion(page *Page, q *search.Query, found *search.Result) *question {
	asked := &question{
		text: withEnd(withCorrections(q.Text, found.Corrections), found.Words), asked: dropForecast(dropPer(q.Text, dropPriceBasis(q.Text, found.Asked))), areas: placesOf(page.Areas, q, found), unclear: unclearName(q, found), partsOf: found.PartsOf, isFiltered: len(q.Area) > 0,
		sources: found.Sources, unmatched: found.Unmatched, compounds: found.Compounds, valueCode: found.ValueCode, codes: codesIn(found, q.Text), measure: measureOf(q.Text, found.Words),
		month:   monthWithoutYear(q.Text, slices.Collect(maps.Values(found.AreaNames))),
		isWorld: len(page.Areas) == 0 && worldWords.MatchString(otherWorlds.ReplaceAllString(q.Text, "")),
	}
	asked.asked = dropRegionWords(q.Text, asked.areas, asked.asked)
	if asked.isWorld {
		asked.asked = slices.DeleteFunc(slices.Clone(asked.asked), func(a search.Asked) bool { return worldWords.MatchString(a.Text) })
	}
	if found.IsVague {
		asked.unclear = cmp.Or(asked.unclear, "the question does not say what is measured")
	}
	for i := range page.Data {
		if len(found.Asked) == 0 && page.Data[i].hasCode() {
			asked.code = page.Data[i].Code
		}
	}
	return asked
}

// whySource says why a dataset is no answer: the question names another source. It is empty if it is one.
func (q *question) whySource(h *Hit) string {
	if len(q.sources) == 0 || slices.ContainsFunc(h.Found, func(f Found) bool { return f.Field == "source" || f.Field == "code" && f.Kind == "code" }) {
		return ""
	}
	return fmt.Sprintf("the question names %q, and this dataset is of another source", q.sources[0])
}

// hasValueCode reports whether a dataset has a value with the code that a question has.
func (h *Hit) hasValueCode() bool {
	return slices.ContainsFunc(h.Found, func(f Found) bool { return f.Field == "label" && f.Kind == "code" })
}

// hasCode reports whether a question has the code of a dataset.
func (h *Hit) hasCode() bool {
	return slices.ContainsFunc(h.Found, func(f Found) bool { return f.Field == "code" && f.Kind == "code" })
}
