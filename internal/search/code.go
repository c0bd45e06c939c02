package search

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// coded says which code of a question a dataset has.
type coded struct {
	asked string // as [index.FoldCode] folds it
	kind  string // code, or prefix: the beginning of its code
	score float32
}

// Scores of codes: above those of nearly any text.
const (
	codeScore       = 3
	partScore       = 2.5
	codePrefixScore = 2
	wordScore       = .5  // of a code that is a word too
	manyHits        = 100 // of a text that is rather a word than a code
	siblingScore    = 1.2
	fragmentFactor  = float32(.2) // of a dataset that only has words of a code, if nothing else was asked
)

// Limits of codes.
const (
	minCode       = 3 // letters and digits of a text that is nothing but a code
	minCodeBeside = 5 // of a code beside other words
	minParent     = 4 // that siblings share
	maxCodeFields = 6 // into which blanks part a code
	maxCodes      = 200
)

// codeField is a part of a question between blanks.
type codeField struct {
	folded        string
	text          string
	first, behind int // its words in reading.words
}

// readCode finds the datasets whose code the text has: alone or beside words, with its own marks,
// with others or with blanks instead.
func (s *Search) readCode(n *snapshot, r *reading, text string) {
	fields := codeFields(text)
	for count := min(len(fields), maxCodeFields); count > 0; count-- {
		for i := range len(fields) - count + 1 {
			span, isAll := fields[i:i+count], count == len(fields)
			isCode := s.readCodeIn(n, r, span, isAll)
			if isValue := s.readValueCode(n, r, span, isAll); isCode || isValue {
				for k := span[0].first; k < span[count-1].behind; k++ {
					r.inCode[k] = true
				}
				return
			}
		}
	}
}

// readReference finds the dataset to which a question is only a reference, and no other: eurostat:une_rt_m.
func readReference(n *snapshot, r *reading, text string) {
	source, code, _ := strings.Cut(strings.TrimSpace(text), ":")
	folded := index.FoldCode(code)
	for _, doc := range n.index.Code(folded) {
		if rec := n.record(doc); strings.EqualFold(rec.source, source) && strings.EqualFold(rec.code, code) {
			r.isReference = true
			clear(r.coded)
			r.coded[doc] = coded{folded, "code", codeScore}
			return
		}
	}
}

// codeFields splits a question at its blanks.
func codeFields(text string) (fields []codeField) {
	at := 0
	for field := range strings.FieldsSeq(text) {
		count := len(terms.Words(field))
		trimmed := strings.Trim(field, ".,;:!?\"'()[]")
		if source, rest, ok := strings.Cut(trimmed, ":"); ok && !strings.Contains(source, ".") {
			trimmed = rest // eurostat:une_rt_m
		}
		if folded := index.FoldCode(trimmed); folded != "" {
			fields = append(fields, codeField{folded, trimmed, at, at + count})
		}
		at += count
	}
	return fields
}

// readCodeIn reports whether some fields that follow one another are a code, or the beginning of
// one. isAll says that the question has no others.
func (s *Search) readCodeIn(n *snapshot, r *reading, span []codeField, isAll bool) bool {
	folded := ""
	var folds []string
	for _, f := range span {
		folded, folds = folded+f.folded, append(folds, f.folded)
	}
	form := s.codeForm(n, r, span)
	if least := minCodeBeside; len(folded) < minCode || !isAll && (len(folded) < least || form == noCode) {
		return false
	}
	isFound, isWhole := false, len(n.index.Code(folded)) > 0
	for _, doc := range n.index.CodePrefix(folded, maxCodes) {
		code := n.record(doc).code
		own := index.FoldCode(code)
		switch {
		case !splitsAt(code, folds):
		case own == folded && form == noCode:
			r.coded[doc] = coded{folded, "code", wordScore} // GDP is a code and a word
		case own == folded:
			r.coded[doc] = coded{folded, "code", codeScore}
			isFound = true
		case form == aCode:
			r.coded[doc] = coded{folded, "prefix", prefixScore(code, folded, isWhole)}
			isFound = true
		}
	}
	if isFound || len(span) > 1 {
		return isFound
	}
	return form != noCode && readPartOfCode(n, r, span[0]) || form == noCode && s.readEndOfCode(n, r, span[0])
}

// prefixScore is the score of a code that begins with what was asked: higher if that is one or
// more of its parts, and not a whole code itself.
func prefixScore(code, asked string, isWhole bool) float32 {
	begun := ""
	for _, part := range partsOf(code) {
		if begun += part; begun == asked && !isWhole {
			return codePrefixScore
		}
	}
	return codePrefixScore * float32(len(asked)) / float32(len(begun))
}

// readPartOfCode finds the datasets whose codes are a text with something before it, or without its
// last parts: DF_UNE_TUNE for UNE_TUNE, 36100104 for 36-10-0104-01.
func readPartOfCode(n *snapshot, r *reading, f codeField) bool {
	parts := partsOf(f.text)
	for _, doc := range n.index.CodeSuffix(f.folded, maxCodes) {
		own := partsOf(n.record(doc).code)
		for k := range own {
			if strings.Join(own[k:], "") == f.folded {
				r.coded[doc] = coded{f.folded, "code", partScore}
			}
		}
	}
	for k := len(parts) - 1; k > 0 && len(r.coded) == 0; k-- {
		shorter := strings.Join(parts[:k], "")
		if len(shorter) < minCodeBeside || !strings.ContainsFunc(shorter, unicode.IsDigit) {
			break
		}
		for _, doc := range n.index.Code(shorter) {
			r.coded[doc] = coded{shorter, "code", codeScore}
		}
	}
	return len(r.coded) > 0
}

// readEndOfCode finds the datasets whose codes end with the only word of a question: WS_CBPOL for CBPOL,
// and "UNICEF,CME" for CME in capitals, because titles may have it too. A word of the field is no code, and in small letters the beginning of
// a word is none either: "unemp" is being typed.
func (s *Search) readEndOfCode(n *snapshot, r *reading, f codeField) bool {
	isWord := s.isTerm(r.words[f.first]) || n.index.Occurrences(f.folded) > maxAsWord
	if isWord || !isInCapitals(f.text) && (n.index.Occurrences(f.folded) > 0 || n.index.Begins(f.folded)) {
		return false
	}
	return readPartOfCode(n, r, f)
}

func isInCapitals(text string) bool { return strings.ToUpper(text) == text }

// maxAsWord is in how many datasets a word in capitals occurs at most that may be a code.
const maxAsWord = 200

// codeForm tells by its form whether a text may be a code.
type codeForm int

const (
	noCode    codeForm = iota // words
	maybeCode                 // it has digits, or words that no dataset has: only a whole code counts
	aCode                     // it has marks or long numbers
)

func (s *Search) codeForm(n *snapshot, r *reading, span []codeField) codeForm {
	form := noCode
	for _, f := range span {
		switch {
		case strings.ContainsAny(f.text, "_@."), isLongNumber(f.folded):
			return aCode
		case len(span) == 1 && s.known[f.folded]: // CO2
		case strings.ContainsFunc(f.folded, unicode.IsDigit) && (len(span) > 1 || strings.ContainsFunc(f.folded, unicode.IsLetter)):
			form = maybeCode
		case len(span) > 1:
			for _, word := range r.words[f.first:f.behind] {
				if len(word) < 4 && len(span) > 2 || n.index.Occurrences(word) == 0 && !s.known[word] {
					form = maybeCode
				}
			}
		}
	}
	return form
}

// isLongNumber reports whether a text is a number as codes are, and no quantity: 12411, not 100000.
func isLongNumber(folded string) bool {
	return len(folded) >= minCodeBeside && !strings.ContainsFunc(folded, unicode.IsLetter) && !strings.HasSuffix(folded, "000")
}

// partsOf splits a code at its marks.
func partsOf(code string) []string {
	return strings.FieldsFunc(strings.ToLower(code), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// splitsAt reports whether a code has marks where fields meet, so that each field is one or more of
// its parts; the last may be the beginning of one.
func splitsAt(code string, fields []string) bool {
	if len(fields) == 1 {
		return true
	}
	parts := partsOf(code)
	for i, field := range fields {
		got := ""
		for len(got) < len(field) && len(parts) > 0 {
			got, parts = got+parts[0], parts[1:]
		}
		if isLast := i == len(fields)-1; got != field && !(isLast && strings.HasPrefix(got, field)) {
			return false
		}
	}
	return true
}

// addCodes puts datasets with the code that was asked before all others, and then those whose codes
// begin so, or as that of a dataset with the code. It also adds those of them that a single filter
// leaves out to others.
func addCodes(n *snapshot, r *reading, f *filter, all []ranked, others []beside) ([]ranked, []beside) {
	score := map[uint32]float32{}
	isCode := false
	for doc, c := range r.coded {
		rec := n.record(doc)
		isCode = isCode || c.score >= partScore
		if c.score == wordScore && len(all) <= manyHits {
			c.score = codeScore
		}
		score[doc] = max(score[doc], c.score*rec.prior)
		if c.score >= partScore && !r.isReference {
			addSiblings(n, r, rec, score)
		}
	}
	isOnlyCode := isCode && !slices.Contains(r.inCode, false)
	for i := range all {
		extra, ok := score[all[i].doc]
		if isOnlyCode {
			all[i].score *= fragmentFactor
		}
		if ok {
			all[i].score += extra
			delete(score, all[i].doc)
		}
	}
	for _, o := range others {
		delete(score, o.doc)
	}
	for doc, extra := range score {
		switch by := f.refusing(n.record(doc)); {
		case by == 0:
			all = append(all, ranked{doc: doc, score: extra})
		case by.isSingle():
			others = append(others, beside{doc, by})
		}
	}
	return all, others
}

// addSiblings adds datasets of the same source whose codes begin as that of a dataset: nama_10_a64
// beside nama_10_gdp. They are the better the more they have in common.
func addSiblings(n *snapshot, r *reading, of *record, score map[uint32]float32) {
	own, parent := index.FoldCode(of.code), parentOf(of.code)
	if len(parent) < minParent {
		return
	}
	for _, doc := range n.index.CodePrefix(parent, maxCodes) {
		rec := n.record(doc)
		if _, isCoded := r.coded[doc]; isCoded || rec.source != of.source {
			continue
		}
		r.siblings[doc] = parent
		code := index.FoldCode(rec.code)
		common := 0
		for common < min(len(code), len(own)) && code[common] == own[common] {
			common++
		}
		score[doc] = max(score[doc], siblingScore*rec.prior*float32(common)/float32(max(len(code), len(own))))
	}
}

// parentOf returns what the folded codes of siblings begin with: a code without its last part, or
// without the number at its end (ilc_li02) if that leaves enough; of a long number its first half
// (18100004 of the subject 1810).
func parentOf(code string) string {
	own := index.FoldCode(code)
	letters := strings.TrimRight(own, "0123456789")
	if letters == "" && !strings.ContainsFunc(code, isMark) && len(own) >= 2*minParent {
		return own[:len(own)/2]
	}
	parent := ""
	if at := strings.LastIndexFunc(code, isMark); at >= 0 {
		parent = index.FoldCode(code[:at])
	}
	if len(parent) < minParent && len(letters) < len(own) {
		return letters
	}
	return parent
}

func isMark(c rune) bool { return strings.ContainsRune("_-.@:/,$", c) }
