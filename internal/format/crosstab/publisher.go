package crosstab

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// publisherLine matches a line that names the publishing office.
var publisherLine = regexp.MustCompile(`(?i)^(?:©|\(c\)|copyright|source|sources|quelle|fonte|fuente|forrás|数据来源|資料|出典)\s*[:：]?\s*(.+)$`)

// publisher returns the office that publishes the table: that of the caller, else the one
// whose files have such headings, else the only one that the lines around the table name.
func (r *reader) publisher(lines []string) stat.Source {
	if r.in.Source != "" {
		return office.Find(r.in.Source)
	}
	if s := office.Find(r.signature(lines)); office.IsListed(s) {
		return s
	}
	var found []stat.Source
	for _, line := range lines {
		if strings.HasPrefix(line, snbCube) && office.IsListed(office.Find("snb")) {
			return office.Find("snb")
		}
		s, ok := namedIn(line)
		if ok && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return stat.Source{ID: "local", Name: "Local file"}
}

// signature returns the ID of the office whose files have such heading rows and lines
// around the table; empty if there is none.
func (r *reader) signature(lines []string) string {
	p := office.Page{Name: r.in.Name, Rows: slices.Clone(r.rows[:r.body]), IsWhole: true}
	for _, line := range lines {
		p.Rows = append(p.Rows, []string{line})
	}
	id, _ := office.Sign(p)
	return id
}

// namedIn returns the office that a line names as the publisher: after a word such as
// Source, or by the address of its site.
func namedIn(line string) (stat.Source, bool) {
	if strings.HasPrefix(line, "http") {
		return office.FindHost(line)
	}
	m := publisherLine.FindStringSubmatch(line)
	if m == nil {
		return stat.Source{}, false
	}
	first, _, _ := strings.Cut(m[1], " - ")
	first = strings.Trim(first, " .,;")
	if s := office.Find(first); office.IsListed(s) {
		return s, true
	}
	return office.FindIn(m[1])
}
