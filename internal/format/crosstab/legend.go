package crosstab

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// explained is a letter, a number or a mark with its text.
type explained struct{ sign, text string }

var (
	// footnote matches a line below a table that explains a letter or number: "a. Data refer to 2017", "1/ Census
	// estimates", "(b) Estimate", "p = provisional", "T. From the source". "A survey" explains none.
	footnote = regexp.MustCompile(`^\(?(?:(\p{Ll}|[0-9]{1,2}|[*†‡]{1,3})(?:[./)]|\s| ?[=:–])|(\p{Lu})(?:[./)]\s| ?[=:]))\s*(\S.+)$`)
	// raised matches such a line with a raised number: "¹ Census estimates".
	raised = regexp.MustCompile(`^([⁰¹²³⁴-⁹]{1,2})[.)]?\s*(\S.+)$`)
	// markLine matches a line that says what a mark in place of a number means.
	markLine = regexp.MustCompile(`^(:|\.{1,3}|…|-|–|—|--|x|X)\s*(?:[=:–]\s*|\s+)(\pL.+)$`)
	// sign matches what stands between a letter and its text, and legend the heading of a line of them.
	sign   = regexp.MustCompile(`^[=:–-]\s*`)
	legend = regexp.MustCompile(`(?i)^(?:legend|symbols?|flags?|key|signs?|zeichenerklärung|légende|signes)(?: used)?\s*:\s*`)
	// signed matches one of several explanations in a line.
	signed = regexp.MustCompile(`^(?:\(?\pL\)?|[0-9]{1,2}\)?|[*†‡]{1,3}|:|\.{1,3}|…|-|–|—|--)\s*[=:–]\s*\S`)
)

// explanations returns what a line below a table explains: one footnote, or several signs with their texts between
// semicolons or commas.
func explanations(line string) []explained {
	line = legend.ReplaceAllString(line, "")
	for _, separator := range []string{";", ","} {
		parts := strings.Split(line, separator)
		isSigned := func(part string) bool { return signed.MatchString(strings.TrimSpace(part)) }
		if len(parts) < 2 || slices.ContainsFunc(parts, func(part string) bool { return !isSigned(part) }) {
			continue
		}
		var all []explained
		for _, part := range parts {
			all = append(all, explanation(strings.TrimSpace(part))...)
		}
		return all
	}
	return explanation(line)
}

func explanation(line string) []explained {
	if m := footnote.FindStringSubmatch(line); m != nil {
		return []explained{{m[1] + m[2], cmp.Or(sign.ReplaceAllString(m[3], ""), m[3])}}
	}
	if m := raised.FindStringSubmatch(line); m != nil {
		return []explained{{m[1], m[2]}}
	}
	if m := markLine.FindStringSubmatch(line); m != nil && notNumber.MatchString(m[2]) {
		return []explained{{m[1], m[2]}}
	}
	return nil
}

// raise writes figures as raised ones, as they may stand behind a name or a number.
var raise = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// Footnotes returns the texts of the letters, numbers and marks that lines below a table explain. A number
// may be raised where it stands.
func Footnotes(lines []string) map[string]string {
	notes := map[string]string{}
	for _, line := range lines {
		for _, e := range explanations(line) {
			for _, sign := range []string{e.sign, raise.Replace(e.sign)} {
				if notes[sign] == "" {
					notes[sign] = e.text
				}
			}
		}
	}
	return notes
}

// footnote returns the text of a footnote that stands beside something; empty if none explains it.
func (r *reader) footnote(sign string) string {
	note := r.footnotes[sign]
	if note != "" {
		r.usedNotes[note] = true
	}
	return note
}

// isUsedNote reports whether a line below the table explains what stands beside a number or a name.
func (r *reader) isUsedNote(line string) bool {
	return slices.ContainsFunc(explanations(line), func(e explained) bool { return r.usedNotes[e.text] })
}

// noteUnread notes the rows that hold neither data nor the heading of a section nor a footnote that is one of values.
func (r *reader) noteUnread(report *stat.Report) {
	s := r.found
	lines := s.footer[max(0, len(s.footer)-s.below):]
	unread := slices.DeleteFunc(slices.Clone(lines), r.isUsedNote)
	used := len(lines) - len(unread)
	first := strings.Join(unread[:min(len(unread), 1)], "")
	switch above := s.sections - s.below; {
	case !s.isSectioned && above > 0:
		report.Add(stat.NoteNotRead, s.sections-used, text.Clip(s.first))
	case !s.isSectioned && s.sections > used:
		report.Add(stat.NoteNotRead, s.sections-used, text.Clip(first))
	case s.isSectioned && s.bare+s.below > used:
		report.Add(stat.NoteNotRead, s.bare+s.below-used, text.Clip(cmp.Or(s.outer, first)))
	}
	if s.repeated > 0 {
		report.Add(stat.NoteNotRead, s.repeated, text.Clip(s.heading))
	}
}
