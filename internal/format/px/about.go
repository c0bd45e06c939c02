package px

import (
	"strings"
	"time"

	"almanac/internal/format/office"
)

// date reads when the data were updated, and when the file was made.
// CREATION-DATE may be that of an old file of which this one is a copy, so that
// the later of the two counts.
func (t *table) date() {
	zone := office.Zone(t.dataset.Source.ID)
	var own, other time.Time // LAST-UPDATED in the file's language, and in others
	for _, st := range t.header.updates {
		at := readTime(st.values[0], zone)
		if t.header.isOwn(st.language) {
			own = later(own, at)
		} else {
			other = later(other, at)
		}
	}
	if own.IsZero() {
		own = other
	}
	t.dataset.Updated = own
	t.prepared = later(own, readTime(t.header.text(slot{keyword: "CREATION-DATE"}), zone))
}

// readTime reads 20230224 08:30, or a date alone; anything else is no time.
func readTime(text string, zone *time.Location) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range []string{"20060102 15:04", "20060102 15:04:05", "20060102"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at
		}
	}
	return time.Time{}
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
		shown := t.shown != "" && st.language == t.shown
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
	lines := strings.FieldsFunc(withoutTags(text), func(r rune) bool { return r == '#' || r == '\n' })
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

// withoutTags leaves out <em>, </em>, <br />, <a href='…'>; any other < stays.
func withoutTags(text string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '<')
		if open < 0 || open+1 == len(text) {
			b.WriteString(text)
			return b.String()
		}
		if next := text[open+1]; next != '/' && next != '!' && (next|0x20 < 'a' || next|0x20 > 'z') {
			b.WriteString(text[:open+1])
			text = text[open+1:]
			continue
		}
		closing := strings.IndexByte(text[open:], '>')
		if closing < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:open])
		text = text[open+closing+1:]
	}
}
