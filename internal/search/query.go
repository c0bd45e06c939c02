package search

import (
	"time"

	"almanac/internal/search/index"
)

// Query is a question with filters. Values of one filter are alternatives; filters that
// are empty accept all.
type Query struct {
	Text      string
	Source    []string // IDs, in any case
	Topic     []string // codes as in package topics; a topic includes those below it
	Frequency []string // as in SDMX: A, S, Q, M, W, D; or as in [FrequencyNames]
	Area      []string // codes or names; a dataset that surely lacks all is left out
	Here      string   // "here": in the store; "offered": not in the store; "": both
	// LastPeriodFrom is the year in which the last period must be or later; a dataset
	// without a known last period is left out.
	LastPeriodFrom string
	UpdatedSince   time.Time // a dataset that was updated before or at an unknown time is left out; zero: none
	Order          Order
	Language       string // ISO 639-1, of the names in the answer; empty: that of the match
	Limit          int    // 0: 20
	Page           int    // from 0
}

// Result is a page of hits, best first.
type Result struct {
	Hits  []Hit
	Total int // on all pages
	// Unfiltered is how many datasets are found without the filters but Here, and Elsewhere also without that. They are counted only
	// if there are filters and Total is 0.
	Unfiltered, Elsewhere int
	Facets                Facets
	// Areas are the IDs of the places that the text names, as in available_geo.
	Areas []string
	// AreaNames are the names by which the text has these places, by ID.
	AreaNames map[string]string
	// Unclear are the names in the text that may be of several places.
	Unclear []Unclear
	// PartsOf are the parts of places that the text names by a compass word: "Northern Sweden".
	PartsOf []PartOf
	// Asked are the things that the text asks for besides places.
	Asked []Asked
	// ValueCode is the word of the text that is the code of a value in some datasets, as typed; empty if there is none.
	ValueCode string
	// Sources are the names of sources in the text, folded.
	Sources []string
	// Words are those of the text, folded, that say what is asked for: without places, sources, codes, years and articles.
	Words []string
	// Corrections are the words that were read as others.
	Corrections []Correction
	// Compounds are the words that were read as their parts.
	Compounds []Compound
	// Unmatched are the words of the text that none of the best hits has, as typed; all that say something if there is no hit.
	Unmatched []string
	// Concepts are the IDs of the terms of the field that the text names.
	Concepts []string
	Weak     bool // all words of the text say nothing: "the", "how many"
	// IsVague says that the words of the text besides places could be in nearly all datasets: "time series Norway".
	IsVague bool
	// IsForeign says that no word of the text has a letter of the Latin alphabet.
	IsForeign bool
}

// Unclear is a name that may be of several places.
type Unclear struct {
	Text  string   // as typed
	Areas []string // IDs, as in available_geo
}

// PartOf is a part of a place that has no code.
type PartOf struct {
	Text string // as typed
	Area string // ID of the place
}

// Correction is a word that occurs nowhere, and what it was read as.
type Correction struct {
	Word, ReadAs string
}

// Hit is a dataset that was found.
type Hit struct {
	Source   string
	Code     string
	Name     string
	Language string // of the name, ISO 639-1; empty if unknown
	ID       int    // in the store; 0: only offered
	Score    float64
	Found    []Found
	Topic    []string // codes as in package topics, best first
	// Theme is the place of the dataset in the office's list: "Economy > Prices".
	Theme     string
	Frequency string // as in SDMX; empty if unknown
	// Annual is how often there are values of years, if not of each, as of [stat.AnnualFrequency].
	Annual  string
	First   string // first period, as the source writes it
	Last    string
	Updated time.Time // zero if unknown
	Concept string    // of its default series, as in package defaults; empty if none
	// Areas says for each asked area whether the dataset has it.
	Areas map[string]Coverage
}

// Found is why a dataset was found.
type Found struct {
	Field string // title, topic, description, dimension, label, source, code or area
	Asked string // the word or term of the question
	Text  string // what it matched
	Kind  string // exact, stem, prefix, compound, typo, synonym, code or area; the code of a value is in a label
}

// Coverage says whether a dataset has an area.
type Coverage string

// The kinds of coverage. Only Known, Parts, InDimension and Lacking are certain: the dataset is in the store.
const (
	Known Coverage = "known"
	Parts Coverage = "parts" // half of the members of the group or more, or regions of the country or region
	// InDimension: the place is none of the areas, but a value of another dimension, such as a partner.
	InDimension Coverage = "dimension"
	Lacking     Coverage = "lacking"
	Presumed    Coverage = "presumed" // offered by a source of that area, named in the title, or of a dataset by region
	Unlikely    Coverage = "unlikely" // offered by a source of another area
	Unknown     Coverage = "unknown"
)

// Facets count the datasets of all pages, most frequent value first. Area has the areas of
// those in the store, by ID.
type Facets struct {
	Source, Topic, Frequency, Area, LastPeriod, Here []Count
	// Coverage counts for each asked area the datasets by whether they have it.
	Coverage []AreaCount
}

// AreaCount is how many datasets have an asked area in one way.
type AreaCount struct {
	Area   string
	Status Coverage
	Count  int
}

// Count is how many datasets have a value.
type Count struct {
	Value string
	Count int
}

// fieldNames are the names of the fields in [Found].
var fieldNames = map[index.Field]string{
	index.Title: "title", index.Tail: "title", index.Topic: "topic", index.Dimension: "dimension",
	index.Label: "label", index.Description: "description", index.Source: "source",
}
