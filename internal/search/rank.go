package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// sourcePriors is how likely a dataset of a source is what somebody looks for, beside
// others with the same title. International offices come first; collections of other
// offices' series come last.
var sourcePriors = map[string]float32{
	"eurostat": 1.15, "oecd": 1.05, "worldbank": 1, "imf": 1, "ilo": 1, "who": 1, "ecb": 1, "bis": 1,
	"un": 1, "unsdg": .95, "unesco": .95, "unicef": .95, "fao": 1, "faostat": .95,
	"fred": .75, "owid": .75, "gapminder": .75,
}

// Priors of other sources.
const (
	nationalPrior = .9
	unknownPrior  = .85
)

// Factors of the prior.
const (
	knownFactor = float32(1.25) // its default series measures a concept of package defaults
	viewFactor  = float32(.85)  // a view of another dataset
	hereFactor  = float32(1.1)  // it is in the store
	endedFactor = float32(.6)   // its title says that it is not continued
	baseFactor  = float32(.996) // for each year between its base year and the current one, at most maxBaseAge
	maxBaseAge  = 25
)

// priorOf returns the factor of a dataset without regard to the question.
func priorOf(r *record, year int) float32 {
	prior, ok := sourcePriors[strings.ToLower(r.source)]
	if !ok && r.home != "" {
		prior = nationalPrior
	} else if !ok {
		prior = unknownPrior
	}
	if r.concept != "" {
		prior *= knownFactor
	}
	if r.id != 0 {
		prior *= hereFactor
	}
	prior *= editionFactor(r, year)
	if strings.Contains(r.code, "$") { // a view of another dataset
		prior *= viewFactor
	}
	switch age := year - int(r.lastYear); {
	case r.lastYear == 0:
	case age > 15:
		prior *= .7
	case age > 8:
		prior *= .85
	}
	return prior
}

// ended are words of titles of datasets that are not continued, folded.
var ended = []string{"stopped", "discontinued", "archived", "arretee", "arretees", "eingestellt"}

// editionFactor is lower for a dataset that its titles call ended, or whose values have an old base
// year: "base 1990".
func editionFactor(r *record, year int) float32 {
	factor := float32(1)
	for _, t := range r.titles {
		own := float32(1)
		words := terms.Words(t.text)
		for i, word := range words {
			if slices.Contains(ended, word) {
				own = min(own, endedFactor)
			}
			if base := yearOf(word); i > 0 && words[i-1] == "base" && base != 0 {
				age := min(max(year-int(base), 0), maxBaseAge)
				own = min(own, float32(math.Pow(float64(baseFactor), float64(age))))
			}
		}
		factor = min(factor, own)
	}
	return factor
}

// homeOf returns the country of a national office by the ID of its source: of destatis
// also for destatis_regional. It is empty for others.
func homeOf(source string) string {
	source, _, _ = strings.Cut(strings.ToLower(source), "_")
	if a, ok := geo.HomeOf(source); ok && a.Kind == geo.Country {
		return a.ID
	}
	return ""
}

// namedFirst puts the datasets of a source that a question names before all others.
const namedFirst = 100

// maxRanked is how many documents are ranked by their titles.
const maxRanked = 6000

// storedFactor raises the datasets of the store among the hits: their numbers can be seen. It does not change which datasets are hits.
const storedFactor = float32(1.36)

// minShare is the score below which a document is not a hit, relative to the best.
const minShare = .1

// ranked is a document with its final score.
type ranked struct {
	doc   uint32
	score float32
	title int // the title of the document that matches best
}

// rank returns the documents that answer a reading, best first, and those that a single filter leaves
// out. Which documents answer does not depend on the filter, so that the facets count what each filter
// leaves; only if it leaves none, those that match less are returned.
func rank(n *snapshot, r *reading, f *filter) ([]ranked, []beside) {
	found, rest := n.index.Search(r.clauses, func(doc uint32) float32 {
		rec := n.record(doc)
		return rec.prior * f.placeFactor(rec) * r.sourceFactor(rec)
	}, minShare)
	found, rest = n.withoutMentions(r, found), n.withoutMentions(r, rest)
	found = append(found, n.wholeHere(rest)...)
	matches, others := n.accept(found, f)
	if len(matches) == 0 {
		matches, _ = n.accept(rest, f)
		index.Sort(matches)
	}
	all := make([]ranked, len(matches))
	for i, m := range matches {
		all[i] = ranked{doc: m.Doc, score: m.Score * .3}
		if i < maxRanked {
			c := n.index.Cover(m.Doc, r.covered, n.weak)
			all[i].score, all[i].title = m.Score*titleFactor(c), c.Position
		}
		if n.record(m.Doc).id != 0 {
			all[i].score *= storedFactor
		}
		if r.sourceOf(n.record(m.Doc)) != "" {
			all[i].score *= namedFirst
		}
	}
	all = addNamed(n, r, f, all)
	all, others = addCodes(n, r, f, all, others)
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc)) })
	return lackingLast(n, f, diversify(n, all)), others
}

// wholeHere returns those of the matches that are in the store and lack no part of the question. They are hits however low their scores are: a store
// has few datasets, and one that a filter shows must be there without it.
func (n *snapshot) wholeHere(rest []index.Match) (here []index.Match) {
	for _, m := range rest {
		if m.IsWhole && n.record(m.Doc).id != 0 {
			here = append(here, m)
		}
	}
	index.Sort(here)
	return here
}

// withoutMentions returns the matches without stored datasets that are known to measure something, and have what is asked for only in their
// descriptions: real GDP per inhabitant, "adjusted for inflation", is none on inflation.
func (n *snapshot) withoutMentions(r *reading, all []index.Match) []index.Match {
	return slices.DeleteFunc(all, func(m index.Match) bool {
		rec := n.record(m.Doc)
		if _, isCoded := r.coded[m.Doc]; rec.id == 0 || rec.concept == "" || strings.EqualFold(rec.titles[0].text, rec.code) || isCoded {
			return false
		}
		isMentioned := false
		for _, c := range r.clauses {
			for _, at := range n.index.Explain(m.Doc, c) {
				if at.Field != index.Description {
					return false
				}
				isMentioned = true
			}
		}
		return isMentioned
	})
}

// maxNamed is how many datasets of a source that a question names are hits if none of them has anything else of it.
const maxNamed = 20

// addNamed adds the datasets of the sources that a question names, if no hit is of them, before the others: "GDP per capita Maddison",
// where the dataset calls it gdppc.
func addNamed(n *snapshot, r *reading, f *filter, all []ranked) []ranked {
	if r.sources == nil || slices.ContainsFunc(all, func(at ranked) bool { return r.sourceOf(n.record(at.doc)) != "" }) {
		return all
	}
	top := float32(1)
	for _, at := range all {
		top = max(top, at.score)
	}
	named, _ := browse(n, r, f)
	for _, at := range named[:min(len(named), maxNamed)] {
		all = append(all, ranked{doc: at.doc, score: top * (1 + at.score)})
	}
	return all
}

// accept returns the matches that a filter accepts, weighed by the areas that it asks for, and those
// that only one leaves out.
func (n *snapshot) accept(matches []index.Match, f *filter) (accepted []index.Match, others []beside) {
	accepted = make([]index.Match, 0, len(matches))
	for _, m := range matches {
		rec := n.record(m.Doc)
		switch by := f.refusing(rec); {
		case by == 0:
			m.Score *= f.areaFactor(rec)
			accepted = append(accepted, m)
		case by.isSingle():
			others = append(others, beside{m.Doc, by})
		}
	}
	return accepted, others
}

// Factors of the score of a dataset after others of its source, and after others whose titles
// begin as its own.
const (
	sameSource = float32(.97)
	sameTitle  = float32(.97)
)

// maxDiverse is how many datasets are put in order so.
const maxDiverse = 60

// diversify lets the best datasets of other sources, and with other titles, come before many
// of one kind.
func diversify(n *snapshot, all []ranked) []ranked {
	type candidate struct {
		ranked
		source, title string
	}
	rest := make([]candidate, min(maxDiverse, len(all)))
	for i := range rest {
		rec := n.record(all[i].doc)
		rest[i] = candidate{all[i], rec.source, rec.source + begin(rec.titles[0].text)}
	}
	for i := range rest {
		best := i
		for k := range rest[i:] {
			if rest[i+k].score > rest[best].score {
				best = i + k
			}
		}
		chosen := rest[best]
		copy(rest[i+1:best+1], rest[i:best])
		rest[i], all[i] = chosen, chosen.ranked
		for k := i + 1; k < len(rest); k++ {
			if rest[k].source == chosen.source {
				rest[k].score *= sameSource
			}
			if rest[k].title == chosen.title {
				rest[k].score *= sameTitle
			}
		}
	}
	return all
}

// lackingLast moves those of the best datasets that surely lack a place which the question names behind the last of them that has it.
func lackingLast(n *snapshot, f *filter, all []ranked) []ranked {
	covers := func(at ranked, list ...Coverage) bool {
		return slices.ContainsFunc(f.places, func(p place) bool { return slices.Contains(list, p.coverage(n.record(at.doc))) })
	}
	end := min(maxDiverse, len(all))
	for end > 0 && !covers(all[end-1], Known, Parts) {
		end--
	}
	isLacking := func(at ranked) bool {
		r := n.record(at.doc)
		return slices.ContainsFunc(f.places, func(p place) bool { return p.coverage(r) == Lacking && !p.isNamedIn(r) })
	}
	before := slices.Clone(all[:end])
	first := copy(all, slices.DeleteFunc(slices.Clone(before), isLacking))
	copy(all[first:end], slices.DeleteFunc(before, func(at ranked) bool { return !isLacking(at) }))
	return all
}

// begin returns the beginning of a title, up to its first mark.
func begin(title string) string {
	if i := strings.IndexAny(title, ",:;(-–—"); i > 0 {
		title = title[:i]
	}
	return strings.ToLower(strings.TrimSpace(title))
}

// Shares of the factor of a title.
const (
	titleBase    = float32(.3)
	titleHead    = float32(.35)
	titleWhole   = float32(.35)
	titleLeading = float32(.08)
	titleInOrder = float32(.1)
)

// titleFactor is higher the more of the title is covered.
func titleFactor(c index.Coverage) float32 {
	f := titleBase + titleHead*c.Head + titleWhole*c.Covered
	if c.Leading {
		f += titleLeading
	}
	if c.InOrder {
		f += titleInOrder
	}
	return f
}
