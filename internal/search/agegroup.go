package search

import (
	"math"
	"slices"
	"strings"
	"sync"

	"almanac/internal/search/terms"
)

// Ages is a range of ages in years with both ends; +Inf for an open one.
type Ages struct{ From, To float64 }

// AgeGroup is a group of people for which offices publish values by age.
type AgeGroup struct {
	Ages []Ages // those that offices mean by the group
	// Rest is what the question asks for of the group; nil if it names the group alone.
	Rest *Asked
}

// ageGroups are words for groups of people and the ages that they stand for. Youth are those of 15 to 24 years for the United
// Nations, the ILO and Eurostat. Children are those under 15 in data of populations, and those under 18 elsewhere.
var ageGroups = []struct {
	words []string
	ages  []Ages
}{
	{[]string{"youth", "youths", "young", "jugend", "jugendliche", "jugendlichen", "jeunes", "jeunesse", "jóvenes", "juventud", "giovani"}, []Ages{{15, 24}}},
	{[]string{"elderly", "seniors", "senioren", "anziani"}, []Ages{{65, math.Inf(1)}}},
	{[]string{"children", "kinder", "enfants", "niños", "bambini"}, []Ages{{0, 14}, {0, 17}}},
}

// AgeGroup returns the group of people that is asked for. ok is false if there is none.
func (a *Asked) AgeGroup() (g AgeGroup, ok bool) {
	if slices.Contains(a.concepts, "youth_unemployment") { // in the labour force, nobody is younger than 15
		return AgeGroup{[]Ages{{15, 24}, {0, 24}}, askedOf("unemployment")}, true
	}
	text := strings.Join(Telling(a.Text), " ")
	for i, words := range ageWordsFolded() {
		if slices.Contains(words, text) {
			return AgeGroup{Ages: ageGroups[i].ages}, true
		}
	}
	return g, false
}

// ageWordsFolded returns the words of ageGroups, folded.
var ageWordsFolded = sync.OnceValue(func() (lists [][]string) {
	for _, group := range ageGroups {
		lists = append(lists, foldedTexts(group.words))
	}
	return lists
})

// askedOf returns what a question asks for with any name of a concept.
func askedOf(id string) *Asked {
	c := terms.Load().Concept(id)
	a := &Asked{Text: c.Terms[terms.Languages[0]][0], concepts: []string{id}}
	for _, language := range terms.Languages {
		for _, term := range c.Terms[language] {
			n := name{language: language}
			for _, word := range terms.Words(term) {
				n.words = append(n.words, []string{word})
			}
			a.names = append(a.names, n)
		}
	}
	return a
}
