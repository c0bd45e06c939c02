// Package licence knows under which licence each source publishes its data, whether others
// may hand them out, and which text the source asks for. The table is licences.txt, which a
// person maintains; its first lines say how.
//
// What a dataset states itself goes before the table.
package licence

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Redistribution says whether data may be handed out to others.
type Redistribution string

// The kinds of redistribution.
const (
	Allowed    Redistribution = "allowed"    // by anyone, if the source is named
	Conditions Redistribution = "conditions" // under further conditions, such as no commercial use
	Forbidden  Redistribution = "forbidden"
	Unknown    Redistribution = "unknown" // nobody has looked, or the source does not say
)

// Licence is what is known of the terms of some data. Empty texts are unknown.
type Licence struct {
	Name           string // "CC BY 4.0"
	URL            string // of the text of the licence
	Attribution    string // the text to show with the data
	Redistribution Redistribution
	StatedAt       string // address of the page where the source states the terms
	Seen           string // date at which that page was read for this table, as 2026-11-28
	Note           string // for people: conditions, exceptions
	// OnPictures is what the licence demands on the source line of a picture besides the name
	// of the source.
	OnPictures string
}

// Dataset is what a licence depends on.
type Dataset struct {
	Source      string // its ID
	Name        string
	Updated     time.Time // zero if unknown
	Licence     string    // as the dataset itself states it; empty if it does not
	Attribution string    // likewise
}

// Of returns the licence of data of a source. The ID of a source without a row has an
// unknown licence, and ok is false.
func Of(source string) (l Licence, ok bool) {
	l, ok = load().sources[source]
	if !ok {
		l.Redistribution = Unknown
	}
	return l, ok
}

// For returns the licence of a dataset. ok is false if nothing is known of it.
func For(d Dataset) (l Licence, ok bool) {
	l, ok = Of(d.Source)
	if d.Licence != "" {
		l, ok = stated(d.Licence, l), true
	}
	if d.Attribution != "" {
		l.Attribution, ok = d.Attribution, true
	}
	year := ""
	if !d.Updated.IsZero() {
		year = strconv.Itoa(d.Updated.Year())
	}
	l.Attribution = fill(l.Attribution, d.Name, year)
	return l, ok
}

// Terms returns the address of the text of the licence, else of the page where the source states its
// terms; empty if no terms are known.
func (l Licence) Terms() string {
	if l.URL == "" && l.Redistribution != Unknown {
		return l.StatedAt
	}
	return l.URL
}

// MissingOnPicture returns what the licence demands on a picture with a source line: empty if it
// demands nothing, or the line has the licence's address or any of its names.
func (l Licence) MissingOnPicture(line string) string {
	if l.OnPictures == "" || strings.Contains(line, l.OnPictures) || l.URL != "" && strings.Contains(line, l.URL) {
		return ""
	}
	line = " " + fold(punctuation.Replace(line)) + " "
	for name, known := range load().licences {
		if known.Name == l.Name && strings.Contains(line, " "+name+" ") {
			return ""
		}
	}
	return l.OnPictures
}

// punctuation is what may stand beside the name of a licence.
var punctuation = strings.NewReplacer(",", " ", ";", " ", "(", " ", ")", " ", ". ", " ", "/ ", " ")

// fill replaces {name} and {year} in an attribution. What is unknown is left out with the
// comma before it.
func fill(text, name, year string) string {
	for _, part := range [][2]string{{"{name}", name}, {"{year}", year}} {
		if part[1] == "" {
			text = strings.ReplaceAll(text, ", "+part[0], "")
		}
		text = strings.ReplaceAll(text, part[0], part[1])
	}
	return text
}

// stated returns the licence that a dataset states in words of its own. If it is one of the
// table, that says what it allows.
func stated(text string, ofSource Licence) Licence {
	l := Licence{Name: text, Attribution: ofSource.Attribution, Redistribution: Unknown}
	if at := strings.Index(text, "https://"); at >= 0 {
		l.URL, _, _ = strings.Cut(text[at:], " ")
		l.Name = strings.Trim(strings.Replace(text, l.URL, "", 1), " ,;()")
	}
	t := load()
	for _, key := range []string{fold(l.Name), fold(l.URL)} {
		if known, ok := t.licences[key]; ok && key != "" {
			return Licence{Name: known.Name, URL: known.URL, Redistribution: known.Redistribution, OnPictures: known.OnPictures, Attribution: ofSource.Attribution}
		}
	}
	if l.Name == "" {
		l.Name = l.URL
	}
	return l
}

// fold makes spellings of the name or the address of a licence equal.
func fold(text string) string {
	text = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "/")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "https://"), "http://")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '–' }), " ")
}

//go:embed licences.txt
var text string

// Edition identifies the table: it changes with each change of its text.
var Edition = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
})

var load = sync.OnceValue(func() *table {
	t, err := parse(text)
	if err != nil {
		panic(err) // the table is part of the program
	}
	return t
})
