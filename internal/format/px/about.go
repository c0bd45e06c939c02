package px

import (
	"regexp"
	"strings"
	"time"

	"almanac/internal/format/office"
	"almanac/internal/format/text"
)

// setTimes reads when the data were updated, and when the file was made.
// CREATION-DATE may be that of an old file of which this one is a copy, so that
// the later of the two counts.
func (t *table) setTimes() {
	zone := office.Zone(t.Dataset.Source.ID)
	var own, other time.Time // LAST-UPDATED in the file's language, and in others
	for _, st := range t.header.updates {
		at := text.Time(st.values[0], zone)
		if t.header.isOwn(st.language) {
			own = later(own, at)
		} else {
			other = later(other, at)
		}
	}
	if own.IsZero() {
		own = other
	}
	t.Dataset.Updated = own
	t.Prepared = later(own, text.Time(t.header.text(slot{keyword: "CREATION-DATE"}), zone))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// description puts together the remarks on the table and its variables, those
// first that must be shown with it.
func (t *table) description() string {
	var parts []string
	for _, keyword := range []string{"NOTEX", "NOTE", "DATANOTE"} {
		for _, v := range append([]*variable{nil}, t.vars...) {
			if text := t.remarkOn(keyword, v); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.Join(parts, "\n")
}

// remarkOn is what a keyword remarks on a variable, nil being the table.
func (t *table) remarkOn(keyword string, v *variable) string {
	found := map[bool]string{} // in the language that is shown, in the file's own
	for _, st := range t.header.notes {
		shown := t.language != "" && st.language == t.language
		if st.keyword != keyword || !shown && !t.header.isOwn(st.language) {
			continue
		}
		switch {
		case v == nil && len(st.keys) == 0:
			found[shown] = plain(st.values[0])
		case v != nil && len(st.keys) == 1 && (st.keys[0] == v.name || shown && st.keys[0] == v.shown):
			found[shown] = strings.TrimSpace(v.shown) + ": " + plain(st.values[0])
		}
	}
	if text := found[true]; text != "" {
		return text
	}
	return found[false]
}

// plain makes a text of the file readable: # is a line break, and what stands
// in < and > is markup for browsers.
func plain(text string) string {
	lines := strings.FieldsFunc(tag.ReplaceAllString(text, ""), func(r rune) bool { return r == '#' || r == '\n' })
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// oneLine is plain text without line breaks.
func oneLine(text string) string { return strings.ReplaceAll(plain(text), "\n", " ") }

// tag is <em>, </em>, <br />, <a href='…'>; any other < is no markup.
var tag = regexp.MustCompile(`<[/!A-Za-z][^>]*>`)
