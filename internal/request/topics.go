package request

import (
	"fmt"
	"sync"

	"golang.org/x/text/language"

	"almanac/internal/search/terms"
)

// Topics are the parameters of the list of topics.
type Topics struct {
	Lang string `param:"lang" example:"de" doc:"The language of the names, as a tag of BCP 47: English, German, French, Spanish or Italian. Without it, the header Accept-Language decides. In other languages the names are English."`
}

// Concepts are the parameters of the list of measures.
type Concepts struct {
	Concept []string `param:"concept" example:"life-expectancy" doc:"Only this measure, by its id."`
	Country string   `param:"country" example:"DE" doc:"Only series of datasets that include this area: a code or name as in the list of datasets."`
}

var topicLanguages = sync.OnceValue(func() language.Matcher { return matcherOf(terms.Languages) })

// TopicLanguage returns the language of [terms.Languages] that a caller wants for names: that
// of the parameter lang, else of the header Accept-Language, else English. The notice says
// that lang is another one. The error is [stat.Invalid] if lang is no tag.
func TopicLanguage(lang, header string) (code string, notices []Notice, err error) {
	wanted := acceptedLanguages(header)
	if lang != "" {
		tag, err := parseLanguage(lang)
		if err != nil {
			return "", nil, err
		}
		wanted = []language.Tag{tag}
	}
	_, at, confidence := topicLanguages().Match(wanted...)
	code = terms.Languages[at]
	if confidence == language.No {
		code = english
	}
	if base, _ := BaseLanguage(lang, ""); lang != "" && base != code {
		code = english
		notices = []Notice{NewNotice(langParam, lang, fmt.Sprintf("there are no names of topics in this language; they are in the language %q", code))}
	}
	return code, notices, nil
}
