package crosstab

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// signatures are names of heading rows that only the files of one office have together.
var signatures = []struct {
	office string
	rows   []string
}{
	{"insee", []string{"idbank"}},
	{"ons", []string{"cdid"}},
	{"abs", []string{"series type", "data type", "collection month"}},
	{"rba", []string{"type", "publication date", "series id"}},
}

// bundesbankID matches the identifiers of series of the Bundesbank.
var bundesbankID = regexp.MustCompile(`^BB[A-Z0-9]{2,3}\.[A-Z0-9_.]+$`)

// publisherLine matches a line that names the publishing office.
var publisherLine = regexp.MustCompile(`(?i)^(?:©|\(c\)|copyright|source|sources|quelle|fonte|fuente|forrás|数据来源|資料|出典)\s*[:：]?\s*(.+)$`)

// publisher returns the office that publishes the table: that of the caller, else the one
// whose files have such headings, else the only one that the lines around the table name.
func (r *reader) publisher(lines []string) stat.Source {
	if r.in.Source != "" {
		return office.Find(r.in.Source)
	}
	if s := office.Find(r.signature()); office.IsListed(s) {
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

// signature returns the ID of the office that has such heading rows, if there is one.
func (r *reader) signature() string {
	names := map[string]bool{}
	for _, h := range r.heads {
		names[strings.TrimRight(strings.ToLower(h.name), " :")] = true
	}
	for _, s := range signatures {
		if !slices.ContainsFunc(s.rows, func(name string) bool { return !names[name] }) {
			return s.office
		}
	}
	if ids := r.ofRole(roleID); len(ids) > 0 && allCells(ids[0].cells, bundesbankID.MatchString) {
		return "bundesbank"
	}
	return ""
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
