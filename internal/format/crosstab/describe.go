package crosstab

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// describe fills in the metadata of the dataset: what the caller states, the lines above
// and below the table, and the remarks of the boxhead.
func (r *reader) describe() {
	d := &r.dataset
	titles, footer := r.titles(), r.found.footer
	d.Source = r.publisher(slices.Concat(titles, footer))
	around := office.ReadAround(titles, footer)
	d.Code, d.Unit = around.Code, withMultiplier(around.Unit, around.Multiplier)
	r.nameStub(around, titles)
	lines := slices.DeleteFunc(around.Lines, r.takeUnit)
	lines = r.takeName(slices.Concat(lines, r.constants(), r.found.titles))
	for _, line := range slices.Concat(lines, r.remarks(), footer) {
		table.AddLine(&d.Description, line)
	}
	if r.haveOneUnit() {
		d.Unit = cmp.Or(r.unit(0), d.Unit)
	}
	r.setUpdates(slices.Concat(titles, footer))
}

// takeName takes the name of the dataset from the lines above the table, and returns the others.
// Files in sections have it below the line "Name".
func (r *reader) takeName(lines []string) []string {
	d := &r.dataset
	for i, line := range lines {
		if strings.EqualFold(line, "name") && i+1 < len(lines) {
			d.Name = lines[i+1]
			return slices.Delete(lines, i, i+2)
		}
	}
	for _, line := range lines {
		if d.Name = table.StatedTitle(line); d.Name != "" {
			return lines
		}
	}
	if at := slices.IndexFunc(lines, r.isTitle); at >= 0 {
		d.Name = lines[at]
		return slices.Delete(lines, at, at+1)
	}
	if len(r.values) == 1 {
		d.Name = r.label(0)
	}
	return lines
}

// isTitle reports whether a line above the table may be its title.
func (l *Layout) isTitle(line string) bool {
	isLegend := slices.ContainsFunc(l.rows[:l.legend], func(row []string) bool {
		_, isAlone := onlyCell(row)
		return !isAlone && joinCells(row) == line
	})
	return !isLegend && table.IsTitle(line)
}

// haveOneUnit reports whether the boxhead has the same unit for all columns, and these are no
// series, which keep theirs.
func (r *reader) haveOneUnit() bool {
	for j := range r.values {
		if r.unit(j) != r.unit(0) || len(r.times) > 0 && j > 0 {
			return false
		}
	}
	return true
}

// takeUnit sets the unit of the whole table if a line above it states one. It reports whether the
// line says nothing else.
func (r *reader) takeUnit(line string) (isAll bool) {
	unit := &r.dataset.Unit
	if *unit != "" {
		return false
	}
	if m := unitLine.FindStringSubmatch(line); m != nil {
		*unit = m[1]
		return true
	}
	if r.hasOtherUnits() {
		return false
	}
	isOther := func(h *head) bool { return !r.isItems(h) }
	isOne := !slices.ContainsFunc(r.varyingHeads(), isOther)
	if alone := unitAlone(line); alone != "" && isOne {
		*unit = alone
		return true
	}
	if title, bracketed := unitInTitle(line); title == "" || isOne || len(r.values) == 1 {
		*unit = bracketed
	}
	return false
}

// hasOtherUnits reports whether a column or row may have another unit than the title says.
func (r *reader) hasOtherUnits() bool {
	for _, h := range r.heads {
		if slices.ContainsFunc(h.cells, hasOwnUnit) {
			return true
		}
	}
	return slices.ContainsFunc(r.found.stub, func(c *stubColumn) bool { return slices.ContainsFunc(c.names(), hasOwnUnit) })
}

// dayFirst is how the offices of dayFirstOffices write dates, where others may mean the month by the
// first number.
const dayFirst = "02-01-2006"

var dayFirstOffices = []string{"ons"}

// setUpdates sets the dates of the last update, the latest of those that the boxhead states, else that
// of a line around the table, and of the next one, the earliest after that.
func (r *reader) setUpdates(around []string) {
	for _, t := range r.dates(roleUpdated) {
		if t.After(r.dataset.Updated) {
			r.dataset.Updated = t
		}
	}
	for i, line := range around {
		if i > 0 && strings.HasSuffix(around[i-1], ":") { // its date may stand below a word
			line = around[i-1] + " " + line
		}
		if r.dataset.Updated.IsZero() {
			r.dataset.Updated = table.UpdatedIn(line, office.Zone(r.dataset.Source.ID))
		}
	}
	next := &r.dataset.NextUpdate
	for _, t := range r.dates(roleNextUpdate) {
		if t.After(r.dataset.Updated) && (next.IsZero() || t.Before(*next)) {
			*next = t
		}
	}
}

// dates returns the dates of the heading rows with a role.
func (r *reader) dates(role rowRole) (dates []time.Time) {
	zone := office.Zone(r.dataset.Source.ID)
	for _, h := range r.ofRole(role) {
		for _, cell := range h.cells {
			t := table.UpdateTime(cell, zone)
			if t.IsZero() && slices.Contains(dayFirstOffices, r.dataset.Source.ID) {
				t, _ = time.ParseInLocation(dayFirst, cell, zone) // else it is none
			}
			if !t.IsZero() {
				dates = append(dates, t)
			}
		}
	}
	return dates
}

// publisherLine matches a line that names the publishing office.
var publisherLine = lazyregexp.New(`(?i)^(?:©|\(c\)|copyright|source|sources|quelle|fonte|fuente|forrás|kilde|källa|lähde|heimild|bron|źródło|zdroj|kaynak|источник|джерело|izvor|sursa|allikas|avots|šaltinis|πηγή|数据来源|資料|出典)\s*[:：]?\s*(.+)$`)

// ownLine matches such a line that only the office itself writes, and the address of its site.
var ownLine = lazyregexp.New(`(?i)^(?:©|\(c\)|copyright|http)`)

// ownWork matches a line of someone who calculated numbers from those of an office.
var ownWork = lazyregexp.New(`(?i)\b(own|authors?|based on|calculat\w*|estimates? from|eigene|berechnung\w*|basierend|propi[ao]s?|própri[ao]s?|elabora\w*|calculs?|cálculos?|proprie)\b`)

// publisherParts matches what separates an office from the rest of the line.
var publisherParts = lazyregexp.New(` - |[,;] `)

// publisher returns the office that publishes the table: that of the caller, else the one
// whose files have such rows, else the only one that the lines around the table name.
func (r *reader) publisher(lines []string) stat.Source {
	if r.in.Source != "" {
		return office.Find(r.in.Source)
	}
	page := office.Page{Name: r.in.Name, Rows: slices.Clone(r.rows[:r.top])}
	var named []stat.Source
	isOwn := false
	for _, line := range lines {
		page.Rows = append(page.Rows, []string{line})
		if s, ok := namedIn(line); ok && !slices.Contains(named, s) {
			named, isOwn = append(named, s), ownLine.MatchString(line)
		}
	}
	if signed := office.Sign(page); signed.ID != "" {
		s := office.Find(signed.ID)
		if signed.IsNamed {
			r.report.Add(stat.NoteSourceNamed, 1, s.Name)
		}
		return s
	}
	if len(named) == 1 {
		if !isOwn {
			r.report.Add(stat.NoteSourceNamed, 1, named[0].Name)
		}
		return named[0]
	}
	return office.Local
}

// namedIn returns the office that a line names as the publisher: after a word such as
// Source, or by the address of its site.
func namedIn(line string) (stat.Source, bool) {
	if strings.HasPrefix(line, "http") {
		return office.FindHost(line)
	}
	m := publisherLine.FindStringSubmatch(line)
	if m == nil || ownWork.MatchString(m[1]) {
		return stat.Source{}, false
	}
	if namesSeveral(m[1]) {
		return stat.Source{}, false
	}
	parts := publisherParts.Split(m[1], -1) // "DANE, GEIH": an office and its survey
	s := office.Find(strings.Trim(parts[0], " .;"))
	isOther := func(part string) bool { return office.IsListed(office.Find(part)) }
	if office.IsListed(s) && !slices.ContainsFunc(parts[1:], isOther) {
		return s, true
	}
	return office.FindIn(m[1])
}

// namesSeveral reports whether a text names several offices with semicolons between them, as the sources of
// the columns are.
func namesSeveral(text string) bool {
	var named []stat.Source
	for part := range strings.SplitSeq(text, ";") {
		if s, ok := office.FindIn(part); ok && !slices.Contains(named, s) {
			named = append(named, s)
		}
	}
	return len(named) > 1
}

// sourceOf returns the source that the boxhead states for a column, with its heading, if the columns have
// several; else nothing, because the description has it.
func (r *reader) sourceOf(j int) string {
	for _, h := range r.heads {
		name := strings.TrimRight(h.name, " :")
		isDimension := h.role == roleHeading && slices.Contains(r.varyingHeads(), h)
		if name != "" && !isDimension && h.cells[j] != "" && len(distinct(h.cells)) > 1 && publisherLine.MatchString(name+": x") {
			return name + ": " + h.cells[j]
		}
	}
	return ""
}
