package demand

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the length of the longest stored text in characters.
const maxText = 100

// private matches texts that people paste by mistake and that say who they are or open a
// door: e-mail addresses, network addresses, telephone numbers, long numbers such as those
// of cards and accounts, identifiers of sessions, keys and tokens.
var private = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\S@([\pL\d-]+\.)+\pL{2}`, `://`,
	`alm(_|%5f)`,
	`\b\d{1,3}(\.\d{1,3}){3}\b`,
	`\b([0-9a-f]{1,4}:){3,}|::[0-9a-f]`,
	`(\+|\b00)[ (]*\d([ ()/.-]*\d){6,}`,
	`\d([ ./-]?\d){10,}`,
	`\b[a-z]{2}\d{2}([ ]?[0-9a-z]{4}){3,}`,
	`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-`,
	`\b(password|passwort|passwd|api[ _-]?key|token|secret|bearer|mot de passe|contraseña)\b`,
}, "|"))

// random matches words that only a generator writes, such as tokens, if there is a digit in
// them; words of that length exist in some languages.
var random = regexp.MustCompile(`(?i)[0-9a-z]{28,}`)

func isPrivate(text string) bool {
	return private.MatchString(text) ||
		slices.ContainsFunc(random.FindAllString(text, -1), func(word string) bool { return strings.ContainsAny(word, "0123456789") })
}

// storedText returns the form in which a text is stored and compared: in lower case, with
// single spaces, cut after maxText characters. It is empty for a text that may be private.
func storedText(text string) string { return storedForm(text, unicode.ToLower) }

// storedReference is storedText for references, which keep their case.
func storedReference(ref string) string {
	return storedForm(ref, func(r rune) rune { return r })
}

func storedForm(text string, letter func(rune) rune) string {
	if isPrivate(text) {
		return ""
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return letter(r)
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxText {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:maxText-1])) + "…"
}
