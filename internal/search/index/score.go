package index

import (
	"cmp"
	"slices"
)

// Word is a word of the vocabulary that a word of a question may stand for.
type Word struct {
	ID     uint32
	Weight float32 // 1: the word itself
	Kind   Kind
}

// Kind is why a word stands for another.
type Kind string

// The kinds of words.
const (
	Exact    Kind = "exact"
	Stem     Kind = "stem"
	Prefix   Kind = "prefix"
	Compound Kind = "compound"
	Typo     Kind = "typo"
)

// Term is a word of a question as the words it may stand for.
type Term struct {
	Text  string // as asked, folded
	Words []Word // best first
}

// Phrase is an alternative of a clause: a document has it if it has all its terms.
type Phrase struct {
	Terms  []Term
	Weight float32
	ID     int // for the caller
}

// Clause is a part of a question: a document has it if it has any of its phrases.
type Clause struct {
	Phrases []Phrase
	Weight  float32 // of the clause beside others that are as rare; 0: 1
}

// fieldWeight is how much a word counts in each field.
var fieldWeight = [numFields]float32{Title: 1, Tail: .8, Topic: .45, Dimension: .45, Label: .4, Description: .3, Source: .4}

// weightOf has the weight of each set of fields: of the best, and a little for others.
var weightOf = func() (weights [256]float32) {
	for set := range weights {
		var best, sum float32
		for f, w := range fieldWeight {
			if set&(1<<f) != 0 {
				best, sum = max(best, w), sum+w
			}
		}
		weights[set] = best + .08*(sum-best)
	}
	return weights
}()

// Match is a document that was found.
type Match struct {
	Doc     uint32
	Score   float32
	IsWhole bool // it has one of the main parts of the question, and lacks none that another one has beside others
}

// scratch holds values by document while a question is answered. All are zero between
// questions.
type scratch struct {
	total  []float32
	clause []float32
	phrase []float32
	terms  []uint8
	term   []float32

	termDocs, phraseDocs []uint32 // the last results of addTerm and addPhrase, kept for their memory
}

func newScratch(documents int) *scratch {
	f := make([]float32, 4*documents)
	return &scratch{total: f[:documents], clause: f[documents : 2*documents], phrase: f[2*documents : 3*documents],
		term: f[3*documents:], terms: make([]uint8, documents)}
}

// clauseMatches are the documents that match a clause.
type clauseMatches struct {
	docs     []uint32
	values   []float32
	weight   float32
	isDetail bool // it has less weight than a part that a document should not lack
	isMain   bool // none has more weight
}

// Weights of clauses by what they are.
const (
	contentWeight = .5 // of a part of the question that a document should not lack, at least
	wordWeight    = 1  // of a word, at most; a term of the field has more
)

// lackFactor is the factor of a score for each such part that a document lacks and another one has
// beside the same number of others.
const lackFactor = float32(.7)

// Search returns the documents that match any clause that is no detail, best first. A score is from 0
// to about 1, times what prior returns for the document; 0 leaves it out. Those with less than a share
// of the best score are the rest, in no order.
//
// A rare clause counts more than a frequent one, but a word that no document has together with another
// clause counts as little as the most frequent one: it is as likely a name of something else.
func (ix *Index) Search(clauses []Clause, prior func(doc uint32) float32, share float32) (best, rest []Match) {
	s := ix.scratch.Get().(*scratch)
	defer ix.scratch.Put(s)
	parts := ix.matchClauses(s, clauses)
	most := s.countContent(parts)
	ix.weigh(s, parts)
	var found []uint32
	var weights float32
	for _, part := range parts {
		weights += part.weight
		for i, doc := range part.docs {
			if s.total[doc] == 0 {
				if most > 0 && part.isDetail {
					continue // finds nothing by itself
				}
				found = append(found, doc)
			}
			s.total[doc] += part.weight * part.values[i]
			if part.isMain {
				s.clause[doc] = 1
			}
		}
	}
	all := make([]Match, 0, len(found))
	top := float32(0)
	for _, doc := range found {
		score := s.total[doc] / weights
		score *= score
		lacks := most - int(s.terms[doc])
		for range lacks {
			score *= lackFactor
		}
		isWhole := lacks == 0 && s.clause[doc] == 1
		s.total[doc], s.terms[doc], s.clause[doc] = 0, 0, 0
		if p := prior(doc); p > 0 {
			all = append(all, Match{Doc: doc, Score: score * p, IsWhole: isWhole})
			top = max(top, score*p)
		}
	}
	return split(all, top*share)
}

// matchClauses returns the documents of each clause, details last.
func (ix *Index) matchClauses(s *scratch, clauses []Clause) []clauseMatches {
	parts := make([]clauseMatches, 0, len(clauses))
	for _, c := range clauses {
		part := clauseMatches{docs: ix.addClause(s, c), weight: cmp.Or(c.Weight, wordWeight)}
		part.isDetail = part.weight < contentWeight
		part.values = make([]float32, len(part.docs))
		for i, doc := range part.docs {
			part.values[i], s.clause[doc] = s.clause[doc], 0
		}
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b clauseMatches) int { return cmp.Compare(b.weight, a.weight) })
	for i := range parts {
		parts[i].isMain = parts[i].weight == parts[0].weight
	}
	return parts
}

// weigh multiplies the weights of clauses by how rare they are.
func (ix *Index) weigh(s *scratch, parts []clauseMatches) {
	isAlone := make([]bool, len(parts)) // a word that no document has with another clause
	least := float32(1)
	for i, part := range parts {
		hasOther := func(doc uint32) bool { return s.terms[doc] > 1 }
		isAlone[i] = !part.isDetail && part.weight <= wordWeight && !slices.ContainsFunc(part.docs, hasOther)
		if !isAlone[i] {
			least = min(least, ix.rarity(len(part.docs)))
		}
	}
	for i := range parts {
		if isAlone[i] {
			parts[i].weight *= least
		} else {
			parts[i].weight *= ix.rarity(len(parts[i].docs))
		}
	}
}

// split returns the matches with at least a score in order, and the others.
func split(all []Match, least float32) (best, rest []Match) {
	n := 0
	for i, m := range all {
		if m.Score >= least {
			all[i], all[n] = all[n], m
			n++
		}
	}
	Sort(all[:n])
	return all[:n], all[n:]
}

// Sort sorts matches, best first.
func Sort(all []Match) {
	slices.SortFunc(all, func(a, b Match) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
}

// countContent leaves in s.terms how many parts that are no details each document has, and returns
// the greatest number.
func (s *scratch) countContent(parts []clauseMatches) (most int) {
	for _, part := range parts {
		if part.isDetail {
			continue
		}
		for _, doc := range part.docs {
			s.terms[doc]++
			most = max(most, int(s.terms[doc]))
		}
	}
	return most
}

// rarityOf returns the weight of a term by its most frequent word.
func (ix *Index) rarityOf(t Term) float32 {
	n := 0
	for _, w := range t.Words {
		if w.Weight > .5 {
			n = max(n, ix.Frequency(w.ID))
		}
	}
	return ix.rarity(n)
}

// addClause leaves the best value of any phrase in s.clause and returns the documents.
func (ix *Index) addClause(s *scratch, c Clause) []uint32 {
	var found []uint32
	for _, p := range c.Phrases {
		for _, doc := range ix.addPhrase(s, p) {
			if s.clause[doc] == 0 {
				found = append(found, doc)
			}
			s.clause[doc] = max(s.clause[doc], s.phrase[doc])
			s.phrase[doc] = 0
		}
	}
	return found
}

// addPhrase leaves the value of a phrase in s.phrase for the documents that it returns:
// those with all terms. They are valid until the next call.
func (ix *Index) addPhrase(s *scratch, p Phrase) []uint32 {
	found := s.phraseDocs[:0]
	var weights float32
	for i, t := range p.Terms {
		weight := ix.rarityOf(t)
		weights += weight
		for _, doc := range ix.addTerm(s, t) {
			if s.terms[doc] == uint8(i) {
				if i == 0 {
					found = append(found, doc)
				}
				s.terms[doc]++
				s.phrase[doc] += weight * s.term[doc]
			}
			s.term[doc] = 0
		}
	}
	s.phraseDocs = found
	complete := found[:0]
	for _, doc := range found {
		if int(s.terms[doc]) == len(p.Terms) {
			s.phrase[doc] *= p.Weight / weights
			complete = append(complete, doc)
		} else {
			s.phrase[doc] = 0
		}
		s.terms[doc] = 0
	}
	return complete
}

// addTerm leaves the best value of any word in s.term and returns the documents, which are valid until the next call.
func (ix *Index) addTerm(s *scratch, t Term) []uint32 {
	found := s.termDocs[:0]
	for _, w := range t.Words {
		for i, p := range ix.parts {
			base := ix.base[i]
			for _, post := range p.postings(w.ID) {
				doc := post >> 8
				if p.Hidden != nil && p.Hidden[doc] {
					continue
				}
				value := w.Weight * weightOf[post&255]
				if s.term[base+doc] == 0 {
					found = append(found, base+doc)
				}
				s.term[base+doc] = max(s.term[base+doc], value)
			}
		}
	}
	s.termDocs = found
	return found
}
