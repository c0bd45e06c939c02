package px

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// describe sets the metadata of the table as a whole.
func (r *reader) describe(in format.Input) {
	h, d := r.header, r.Dataset
	d.Source = r.office(in.Source)
	id, matrix := h.text(slot{keyword: "TABLEID"}), h.text(slot{keyword: "MATRIX"})
	if strings.HasPrefix(id, "urn:") { // of ISTAC; MATRIX is shorter
		id = ""
	}
	// INE calls several tables alike, and files by the numbers of tables.
	if number, _, _ := strings.Cut(in.Name, "."); d.Source.ID == "ine" && fileNumber.MatchString(number) && !strings.Contains(matrix, number) {
		matrix = ""
	}
	r.SetCode(in.Code, id, matrix)
	// Offices write DESCRIPTION themselves; programs make TITLE.
	for _, keyword := range []string{"DESCRIPTION", "TITLE", "CONTENTS"} {
		d.Name = cmp.Or(d.Name, oneLine(h.best(keyword, r.language)))
	}
	d.Name = cmp.Or(d.Name, d.Code)
	if source := oneLine(h.best("SOURCE", r.language)); !strings.EqualFold(source, d.Source.Name) {
		d.Attribution = source
	}
	if link := h.best("LINK", r.language); strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") {
		d.SourceURL = link
	}
	d.Description = r.description()
	r.setTimes()
}

// fileNumber matches the number of a table of INE: 1443.px.
var fileNumber = regexp.MustCompile(`^[0-9]{3,6}$`)

// office returns the office that made the table. If SOURCE names several, CONTACT names
// the one that compiled it.
func (r *reader) office(stated string) stat.Source {
	if stated != "" {
		return office.Find(stated)
	}
	h := r.header
	lines := strings.Split(plain(h.text(slot{keyword: "SOURCE"})), "\n")
	if len(lines) > 1 {
		if s, ok := office.FindIn(h.text(slot{keyword: "CONTACT"})); ok {
			return s
		}
	}
	for _, text := range append(lines, plain(h.best("SOURCE", "en"))) {
		if s, _ := office.FindFirst(text); office.IsListed(s) {
			return s
		}
	}
	if name := strings.TrimSpace(lines[0]); name != "" {
		return office.Find(cmp.Or(beginning(name), name))
	}
	for _, keyword := range []string{"COPYRIGHT", "CONTACT", "DATABASE"} {
		if s, ok := office.FindIn(h.best(keyword, "")); ok {
			return s
		}
	}
	return stat.Source{}
}

// beginning returns the text before the first sign that ends a name: "BFS" of
// "BFS - Beschäftigungsstatistik".
func beginning(text string) string {
	for _, sign := range []string{" - ", ",", ";", "(", "[", "©", ":"} {
		text, _, _ = strings.Cut(text, sign)
	}
	return strings.TrimSpace(text)
}

// setTimes sets when the data were updated and the file was made. CREATION-DATE may be
// that of an older file of which this one is a copy, so the later of the two counts.
func (r *reader) setTimes() {
	zone := office.Zone(r.Dataset.Source.ID)
	var own, translated time.Time
	for _, st := range r.header.updates {
		updated := &translated
		if r.header.isOwn(st.language) {
			updated = &own
		}
		*updated = later(*updated, text.Time(st.values[0], zone))
	}
	r.Dataset.Updated = cmp.Or(own, translated)
	r.Dataset.NextUpdate = r.nextUpdate(zone)
	r.Prepared = later(r.Dataset.Updated, text.Time(r.header.text(slot{keyword: "CREATION-DATE"}), zone))
}

// nextUpdate returns the first of the stated times of the next update that is after the last one.
// Variables of one table can have different times.
func (r *reader) nextUpdate(zone *time.Location) (next time.Time) {
	for _, st := range r.header.next {
		at := text.Time(st.values[0], zone)
		if at.After(r.Dataset.Updated) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// description joins the remarks on the table and its variables, mandatory ones (NOTEX)
// first.
func (r *reader) description() string {
	var parts []string
	for _, keyword := range noteKeywords {
		if remark := plain(r.header.best(keyword, r.language)); remark != "" {
			parts = append(parts, remark)
		}
		for _, v := range r.vars {
			note, _ := r.translation(keyword, v)
			if remark := plain(note.text()); remark != "" {
				parts = append(parts, strings.TrimSpace(v.label)+": "+remark)
			}
		}
	}
	return strings.Join(parts, "\n")
}

// plain returns a text of the file without markup; # becomes a line break.
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

func oneLine(text string) string { return strings.ReplaceAll(plain(text), "\n", " ") }

// tag matches <em>, </em>, <br />, <a href='…'>; any other < is not markup.
var tag = regexp.MustCompile(`<[/!A-Za-z][^>]*>`)
