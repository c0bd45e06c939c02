package portal

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// failurePrefix is that of the texts that are messages of the service: in English as the service writes them, in other
// languages as pages say them.
const failurePrefix = "failure."

// remarkPrefix is that of the parts of remarks on series.
const remarkPrefix = "remark."

// lacksPrefix is that of what an update lacks that is held back.
const lacksPrefix = "lacks."

// knownFailure is a message of the service that has a text.
type knownFailure struct {
	message *regexp.Regexp // its groups have the names of the values of the text
	text    string
}

// placeholders matches the values of a text.
var placeholders = regexp.MustCompile(`\\\{([a-z]+)\\\}`) // after [regexp.QuoteMeta]

// knownFailuresOf returns the messages among the English texts whose names begin with prefix and whose values match an expression,
// the longest first: others can be their beginning.
func knownFailuresOf(english *language, prefix, value string) (list []knownFailure) {
	for _, key := range slices.Sorted(maps.Keys(english.texts)) {
		if strings.HasPrefix(key, prefix) {
			pattern := placeholders.ReplaceAllString(regexp.QuoteMeta(english.text(key)), "(?P<$1>"+value+")")
			list = append(list, knownFailure{regexp.MustCompile("(?s)^" + pattern + "$"), key})
		}
	}
	slices.SortStableFunc(list, func(a, b knownFailure) int { return cmp.Compare(len(b.message.String()), len(a.message.String())) })
	return list
}

// translated returns a message of the service in the language of the page. isForeign is true if it has no text, so that it
// remains English.
func (p *page) translated(message string) (text string, isForeign bool) {
	message = timeOfMessage.ReplaceAllStringFunc(message, p.lang.written)
	if p.lang.Code == "en" {
		return message, false
	}
	return p.translatedBy(p.failures, message)
}

// translatedBy writes a message by the text that it matches, with the values as the language of the page writes them.
func (p *page) translatedBy(list []knownFailure, message string) (text string, isForeign bool) {
	for _, known := range list {
		found := known.message.FindStringSubmatch(message)
		if found == nil {
			continue
		}
		var values []any
		for i, name := range known.message.SubexpNames()[1:] {
			values = append(values, name, p.translatedValue(name, found[i+1]))
		}
		return p.lang.text(known.text, values...), false
	}
	return message, true
}

// remark returns a remark on a series in the language of the page, or, as isForeign says, in English if one of its parts has no text.
func (p *page) remark(text string) (remark string, isForeign bool) {
	if p.lang.Code == "en" {
		return text, false
	}
	clauses := strings.Split(text, "; ")
	for i, clause := range clauses {
		parts := strings.Split(clause, ", ")
		for k, part := range parts {
			if !strings.ContainsFunc(part, unicode.IsLetter) { // 2015 = 100
				continue
			}
			if parts[k], isForeign = p.translatedBy(p.remarks, part); isForeign {
				return text, true
			}
		}
		clauses[i] = strings.Join(parts, ", ")
	}
	return strings.Join(clauses, "; "), false
}

// sentence writes a message of the service as a sentence in the language of the page.
func (p *page) sentence(message string) string {
	text, _ := p.translated(message)
	return upperFirst(text) + "."
}

// timeOfMessage matches a time as messages have it, with the words before an example of how to write one.
var timeOfMessage = regexp.MustCompile(`(?:such as )?\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)`)

// written writes a time of a message as pages do, midnight as the day alone. An example stays.
func (l *language) written(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		return text
	case t.Equal(t.UTC().Truncate(24 * time.Hour)):
		return l.date(t.UTC())
	}
	return l.moment(t)
}

var (
	quotedText   = regexp.MustCompile(`"([^"]*)"`)
	areaWithCode = regexp.MustCompile(`^.* \[(\S+)\]$`)
)

// translatedValue writes a value of a message as the language does, if it is a list of words in quotes, or of areas.
func (p *page) translatedValue(name, value string) string {
	switch name {
	case "words":
		return quotedText.ReplaceAllStringFunc(value, func(word string) string {
			return p.lang.text("quoted", "text", strings.Trim(word, `"`))
		})
	case "option":
		return p.lang.textOr("option."+value, value)
	case "number", "lost", "had", "share":
		return p.lang.number(strings.ReplaceAll(value, ",", ""))
	case "kind":
		return p.lang.textOr("kind."+value, value)
	case "filters":
		names := strings.Split(value, ", ")
		for i, name := range names {
			names[i] = p.lang.textOr("facet."+name, name)
		}
		return strings.Join(names, ", ")
	case "asked":
		return p.asTyped(value)
	case "areas", "others":
		areas := strings.Split(value, " or ")
		for i, text := range areas {
			var found struct{ Area area }
			code := areaWithCode.FindStringSubmatch(text)
			if code == nil || p.read("/api/areas/"+url.PathEscape(code[1]), url.Values{"lang": {p.lang.Code}}, &found) != nil {
				continue // it remains as the message has it
			}
			areas[i] = found.Area.Name
			if above := found.Area.PartOf; above != nil {
				areas[i] += ", " + above.Name
			}
			areas[i] += " [" + code[1] + "]"
		}
		return strings.Join(areas, p.lang.text("or"))
	}
	return value
}
