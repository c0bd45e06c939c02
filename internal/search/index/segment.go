package index

import (
	"iter"
	"slices"
	"strings"
)

// Field is a part of a document in which a word can occur.
type Field uint8

// The fields, most telling first. Title is the title up to its breakdowns: in
// "Unemployment by sex and age – annual data" the first word; Tail is the rest.
const (
	Title Field = iota
	Tail
	Topic
	Dimension
	Label
	Description
	Source
	numFields
)

// Document is a dataset as it is indexed.
type Document struct {
	Code   string
	Values []string // codes of the values of its dimensions
	Texts  []Text   // titles in each language first, in the order of [Coverage.Position]
}

// Text is the text of a field in a language (ISO 639-1).
type Text struct {
	Field    Field // Title for the whole title; never Tail
	Language string
	Text     string
}

// Segment holds documents and never changes.
type Segment struct {
	count  int      // documents
	words  []uint32 // that occur, ascending
	starts []uint32 // of the postings of each word; one more than words
	posts  []uint32 // document<<8 | 1<<field…, ascending
	titles []title
	first  []uint32 // the first title of each document; one more than count
	text   []uint32 // words of the titles
	codes  []code   // by code
	values []valueCode
}

type title struct {
	start, head, end uint32 // in Segment.text: the title is start:end, without its tail start:head
}

type code struct {
	folded string // see FoldCode
	doc    uint32
}

// Len returns the number of documents.
func (s *Segment) Len() int { return s.count }

// Build indexes documents in order.
func Build(v *Vocabulary, documents iter.Seq[Document]) *Segment {
	s := &Segment{first: []uint32{0}}
	var pairs []uint64 // word<<32 | posting
	var numbers []uint32
	seen := map[uint32]uint8{}
	for d := range documents {
		clear(seen)
		for _, t := range d.Texts {
			if t.Field == Title {
				s.addTitle(v, t, seen)
				continue
			}
			numbers = v.add(t.Text, t.Language, numbers[:0])
			for _, word := range numbers {
				seen[word] |= 1 << t.Field
			}
		}
		for word, fields := range seen {
			pairs = append(pairs, uint64(word)<<32|uint64(s.count)<<8|uint64(fields))
		}
		if folded := FoldCode(d.Code); folded != "" {
			s.codes = append(s.codes, code{folded, uint32(s.count)})
		}
		s.addValues(d.Values)
		s.first = append(s.first, uint32(len(s.titles)))
		s.count++
	}
	slices.Sort(pairs)
	s.setPostings(pairs)
	s.sortCodes()
	s.sortValues()
	s.codes, s.text, s.titles = slices.Clip(s.codes), slices.Clip(s.text), slices.Clip(s.titles)
	return s
}

func (s *Segment) addTitle(v *Vocabulary, t Text, seen map[uint32]uint8) {
	head := headOf(t.Text, t.Language)
	at := title{start: uint32(len(s.text))}
	s.text = v.add(t.Text[:head], t.Language, s.text)
	at.head = uint32(len(s.text))
	for _, word := range s.text[at.start:at.head] {
		seen[word] |= 1 << Title
	}
	s.text = v.add(t.Text[head:], t.Language, s.text)
	at.end = uint32(len(s.text))
	for _, word := range s.text[at.head:at.end] {
		seen[word] |= 1 << Tail
	}
	s.titles = append(s.titles, at)
}

// breaks are the texts at which the breakdowns of a title begin, by language, and in all.
var breaks = map[string][]string{
	"":   {" - ", " – ", " — ", " (", ": ", "; ", " [", ", "},
	"en": {" by "}, "de": {" nach "}, "fr": {" par ", " selon "}, "es": {" por ", " según "}, "it": {" per "},
}

// headOf returns the length of a title without its breakdowns.
func headOf(text, language string) int {
	end := len(text)
	for _, list := range [][]string{breaks[""], breaks[language]} {
		for _, sep := range list {
			if i := strings.Index(text[:end], sep); i > 0 {
				end = i
			}
		}
	}
	return end
}

// setPostings fills words, starts and posts from sorted pairs.
func (s *Segment) setPostings(pairs []uint64) {
	s.posts = make([]uint32, len(pairs))
	for i, pair := range pairs {
		word := uint32(pair >> 32)
		if len(s.words) == 0 || s.words[len(s.words)-1] != word {
			s.words, s.starts = append(s.words, word), append(s.starts, uint32(i))
		}
		s.posts[i] = uint32(pair)
	}
	s.words, s.starts = slices.Clip(s.words), slices.Clip(append(s.starts, uint32(len(pairs))))
}

// postings returns the postings of a word.
func (s *Segment) postings(word uint32) []uint32 {
	i, ok := slices.BinarySearch(s.words, word)
	if !ok {
		return nil
	}
	return s.posts[s.starts[i]:s.starts[i+1]]
}
