// Package topics knows the statistical subject-matter domains of SDMX and tells which of
// them a dataset belongs to.
//
// The list is that of the SDMX Content-Oriented Guidelines (2009), annex 3: five domains,
// each with domains below it, and a third level where a domain is large, such as 2.4.2,
// energy. topics.txt has the codes and the names.
package topics

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"almanac/internal/search/terms"
)

// Topic is a subject-matter domain.
type Topic struct {
	Code  string            // "1.2"
	Name  string            // in English
	Names map[string]string // by language: de, fr, es, it
}

//go:embed topics.txt
var topicsText string

// table has the topics in the order of their codes, and their places by folded name.
type table struct {
	topics []Topic
	byName map[string]int
}

var load = sync.OnceValue(func() *table {
	t := &table{byName: map[string]int{}}
	for line := range strings.Lines(topicsText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, " | ")
		if len(fields) != 1+len(terms.Languages) {
			panic(fmt.Sprintf("topics.txt: line %q has %d fields", line, len(fields)))
		}
		topic := Topic{Code: fields[0], Name: fields[1], Names: map[string]string{}}
		t.byName[topic.Code] = len(t.topics)
		for i, name := range fields[1:] {
			if i > 0 {
				topic.Names[terms.Languages[i]] = name
			}
			t.byName[key(name)] = len(t.topics)
		}
		t.topics = append(t.topics, topic)
	}
	return t
})

func key(text string) string { return strings.Join(terms.Words(text), " ") }

// All returns the topics in the order of their codes. The caller must not change them.
func All() []Topic { return load().topics }

// Find returns the topic with a code or with a name in any of the languages. Case and
// accents do not matter.
func Find(text string) (Topic, bool) {
	t := load()
	i, ok := t.byName[strings.TrimSpace(text)]
	if !ok {
		i, ok = t.byName[key(text)]
	}
	if !ok {
		return Topic{}, false
	}
	return t.topics[i], true
}
