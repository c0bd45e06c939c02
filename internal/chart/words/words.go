// Package words writes what a chart says in the reader's language: sentences, lists,
// periods and numbers.
//
// Code writes English, and [Language.Text] replaces it:
//
//	s.Words().Text("Source: %s, dataset %s", office, code)
//
// phrases.txt has each English text with its translations, offices.txt the names that offices use of
// themselves. Labels, titles and units are the office's words and stay as they are.
package words

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Language is the language of a chart's own words. Languages are made by [In] only.
type Language struct {
	Code        string // ISO 639-1: "en"
	RightToLeft bool

	separator  string // between the names of a list
	months     []string
	period     periods
	numbers    numerals
	hasISODays bool              // in running text: 2024-02-29
	translated map[string]string // by the English text; nil for English
	offices    map[string]string // names by those in datasets; nil for English
}

// Codes lists the codes of all languages, English first.
var Codes = []string{"en", "de", "fr", "es", "it", "ar", "ja"}

// In returns the language with a code. It returns English if the code is empty or
// unknown.
func In(code string) *Language {
	if i := slices.Index(Codes, code); i > 0 {
		return languages()[i]
	}
	return &english
}

// Text returns an English text in the language. Each %s stands for an argument; whole
// numbers are written in the language's digits. A text without a translation stays
// English.
func (l *Language) Text(text string, args ...any) string {
	if translated := l.translated[text]; translated != "" {
		text = translated
	}
	if len(args) == 0 {
		return text
	}
	written := slices.Clone(args)
	for i, arg := range args {
		if n, ok := arg.(int); ok {
			written[i] = l.Int(n)
		}
	}
	return fmt.Sprintf(text, written...)
}

// wholeNumber matches the numbers in a statement that data are a part: "1000 of 7419264 series".
var wholeNumber = regexp.MustCompile(`\d+`)

// Part returns a statement that data are a part in the language, if it has a translation without its numbers: "Teil 1 von 2". The pages in
// which an office sends a dataset are called parts, because readers take pages for those of what they read.
func (l *Language) Part(part string) string {
	var numbers []any
	phrase := wholeNumber.ReplaceAllStringFunc(strings.ReplaceAll(part, "%", "%%"), func(digits string) string {
		numbers = append(numbers, l.Decimal(digits, ""))
		return "%s"
	})
	if numbers == nil {
		return part
	}
	if phrase == "page %s of %s" {
		phrase = "part %s of %s"
	}
	return l.Text(phrase, numbers...)
}

// MaxListed is the number of names that a list has before it counts the rest.
const MaxListed = 6

// List joins names for a sentence: "Austria, Belgium and 12 more" after the first six.
func (l *Language) List(names []string) string {
	if len(names) <= MaxListed+1 {
		return l.ListAll(names)
	}
	return l.Text("%s and %s more", strings.Join(names[:MaxListed], l.separatorOf(names)), len(names)-MaxListed)
}

// ListAll joins names, however many.
func (l *Language) ListAll(names []string) string { return strings.Join(names, l.separatorOf(names)) }

// separatorOf returns what stands between names.
func (l *Language) separatorOf(names []string) string {
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, l.separator) }) {
		return l.semicolon() + " "
	}
	return l.separator
}

// semicolon returns the mark between items that contain commas.
func (l *Language) semicolon() string {
	if strings.Contains(l.separator, "،") {
		return "؛"
	}
	return ";"
}

// Office returns the name that an office itself uses in the language, else the given one, which is that of its datasets.
func (l *Language) Office(name string) string { return cmp.Or(l.offices[name], name) }

var (
	//go:embed phrases.txt
	phrases string
	//go:embed offices.txt
	offices string
)

// languages returns all languages in the order of Codes, with their translations.
var languages = sync.OnceValue(func() []*Language {
	all := []*Language{&english, &german, &french, &spanish, &italian, &arabic, &japanese}
	for _, l := range all[1:] {
		l.translated, l.offices = map[string]string{}, map[string]string{}
	}
	eachTranslation(phrases, func(i int, text, translated string) { all[i].translated[text] = translated })
	eachTranslation(offices, func(i int, name, translated string) { all[i].offices[name] = translated })
	return all
})

// eachTranslation calls add for each line of a file in another language than English, with the place of the language in Codes.
func eachTranslation(file string, add func(language int, text, translated string)) {
	for block := range strings.SplitSeq(file, "\n\n") {
		text := ""
		for line := range strings.Lines(block) {
			code, words, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			switch i := slices.Index(Codes, code); {
			case i == 0:
				text = words
			case i > 0:
				add(i, text, words)
			}
		}
	}
}
