package table

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
)

// otherLine matches lines above a table that are not its title: notes, sources, and what
// accessible spreadsheets say of themselves.
var otherLine = regexp.MustCompile(`(?i)^(notes?\b|(theme|subject|topic|contact) ?:|(not )?seasonally adjusted$|disclaimer|this (file|sheet|table|work(book|sheet)|spreadsheet)\b|tables? with (row|column) headers|(report |data )?(generated|created|extracted)\b|back to|return to|http|sources?:|quelle:|fonte:|fuente:)`)

const maxTitle = 250 // bytes of a title; longer lines are texts

// IsTitle reports whether a line above a table may be its title: it is not a note, the name of an
// office, the date of a release, or a remark in brackets.
func IsTitle(line string) bool {
	line = strings.TrimSpace(line)
	isInBrackets := strings.HasPrefix(line, "(") && strings.HasSuffix(line, ")") || strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
	return len(line) <= maxTitle && !isInBrackets && !otherLine.MatchString(line) && !IsOfRelease(line) && !office.IsListed(office.Find(line))
}

// releaseLine matches the lines above a table that tell when it was published, and those that
// begin with a word for a download or an update before its date, or state a time of day.
var releaseLine = sync.OnceValue(func() *regexp.Regexp {
	var words []string
	for _, w := range slices.Concat(assemble.Words("download line"), assemble.Words("updated")) {
		words = append(words, regexp.QuoteMeta(w))
	}
	return regexp.MustCompile(`(?i)^(©|copyright|release|released|published|publication date|updated|last updated|last revised|next release|date created)\b` +
		`|^(` + strings.Join(words, "|") + `) ?[:：]? ?(on|at|am|vom|le|el|em|il|op|dnia)?:? ?(\pL{3,}\.? ?)?[0-9]` +
		`|[0-9][ T日][0-9]{1,2}:[0-9]{2}\b`)
})

// IsOfRelease reports whether a line above a table tells when it was published or downloaded.
func IsOfRelease(line string) bool { return releaseLine().MatchString(strings.TrimSpace(line)) }

var (
	// titleLine matches a line that calls what follows the title, or the indicator of the whole table.
	titleLine = regexp.MustCompile(`(?i)^(?:(?:series|table|dataset) )?(?:title|titel|titre|título|titolo|indicators?|indicateur|indicador|indicatore|指标|指標) *[:：] *([^\n]+)`)
	// adjustment matches how the Bureau of Labor Statistics begins the titles of series.
	adjustment = regexp.MustCompile(`^\((Seas|Unadj)\) +(.*)`)
)

// StatedTitle returns what a line above a table calls its title, with its own colon: "Series
// title: (Seas) Unemployment Rate", "指标：人口数(人)". It is empty for other lines.
func StatedTitle(line string) string {
	m := titleLine.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	title := strings.TrimSpace(m[1])
	switch a := adjustment.FindStringSubmatch(title); {
	case a == nil:
		return title
	case a[1] == "Seas":
		return a[2] + ", seasonally adjusted"
	default:
		return a[2] + ", not seasonally adjusted"
	}
}
