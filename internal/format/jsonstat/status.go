package jsonstat

import (
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// meaning is what a status says.
type meaning struct {
	flags   stat.Flags // beside a number
	alone   stat.Flags // without a number
	missing bool       // a number beside it is none
	known   bool
	note    string // the file's own words for a mark that is not known
}

// eurostat is the source whose marks have a list of their own.
const eurostat = "eurostat"

// meaningOf reads a status. JSON-stat has no list of them, so that every mark
// is the office's own; the dots and colons of all offices say that there is no
// value.
func meaningOf(source, content string) meaning {
	content = strings.Join(strings.Fields(content), " ")
	if source != eurostat {
		flags, known := office.Status(source, "status", content)
		missing := text.IsMissing(content)
		return meaning{flags: flags, alone: flags, missing: missing || flags.Missing(), known: known || missing || content == "-"}
	}
	// Eurostat's colon is no mark of its own, as in its other files.
	letters := strings.TrimLeft(content, ": ")
	m := meaning{known: true, missing: letters != content}
	if letters != "" {
		m.flags, m.known = office.Status(eurostat, "obs_flag", letters)
	}
	m.alone = m.flags
	if m.flags.Has(stat.ConfPrefix + "C") {
		m.alone = stat.NewFlags(string(m.flags), "Q")
	}
	m.missing = m.missing || m.flags.Missing()
	return m
}
