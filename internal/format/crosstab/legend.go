package crosstab

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Footnote is a letter, a number or a mark that a line below a table explains, and its text.
type Footnote struct {
	Sign    string // without brackets: "1"
	Written string // with its brackets or slash: "(1)", "1/"
	Text    string
}

var (
	// enclosed matches a line below a table that explains a letter, a number or a sign in brackets or before one:
	// "(b) Estimate", "[1] Census estimates", "2) From 2017", "1/ Census estimates".
	enclosed = lazyregexp.New(`^(\((\pL|[0-9a-z]{1,2}|[*†‡]{1,3})\)|\[([0-9a-z]{1,2})\]|([0-9a-z]{1,2}|[*†‡]{1,3})[/)])\s*(\S.*)$`)
	// bare matches such a line without brackets: "a. Data refer to 2017", "p = provisional", "T. From the source".
	// "A survey" explains none.
	bare = lazyregexp.New(`^(?:(\p{Ll}|[0-9]{1,2}|[*†‡]{1,3})(?:\.|\s| ?[=:–])|(\p{Lu})(?:[./)]\s| ?[=:]))\s*(\S.+)$`)
	// raised matches such a line with a raised number or a sign: "¹ Census estimates", "*Estimates".
	raised = lazyregexp.New(`^([⁰¹²³⁴-⁹]{1,2}|[*†‡]{1,3})[.)]?\s*([^\s*†‡].*)$`)
	// abbreviated matches such a line of an abbreviation with dots or a slash, or of one of letters: "n.a. = not available",
	// "n.e.c. not elsewhere classified", "k. A.: keine Angabe", "n/a not available", "na = not available".
	abbreviated = lazyregexp.New(`^(?:\(?(` + abbreviation + `)\)?(?:\s*[=:–-]\s*|\s+)|((?:\pL\. ?){2,4})\s*[=:–]\s*|(\pL{2,4})\s*=\s*)(\S.+)$`)
	// markLine matches a line that says what a mark in place of a number means.
	markLine = lazyregexp.New(`^(:|\.{1,3}|…|-{1,3}|–|—|/|x|X)(\s*[=:–]\s*|\s+)(\pL.+)$`)
	// equals matches what stands between a letter and its text, and legend the heading of a line of them.
	equals = lazyregexp.New(`^[=:–-]\s*`)
	legend = lazyregexp.New(`(?i)^(?:legend|symbols?|flags?|key|signs?|zeichenerklärung|légende|signes)(?: used)?\s*:\s*`)
	// signed matches one of several explanations in a line, also of an abbreviation such as n.a., equated one with an
	// equals sign, and started the beginning of one in a line of equated ones: also "ep = estimated".
	signed  = lazyregexp.New(`^(?:` + signs + `)\s*[=:–]\s*\S`)
	equated = lazyregexp.New(`^(?:` + signs + `)\s*=\s*\S`)
	started = lazyregexp.New(`^(?:` + signs + `|\pL{2,3})\s*=\s*\S`)
	// separated matches a part of a line up to the next separator.
	separated = lazyregexp.New(`[^;,]*[;,]?`)
)

const (
	abbreviation = `(?:\pL\.){2,4}|(?:\pL\.){1,3}\pL|\pL/\pL`
	signs        = `\(?\pL\)?|\(?(?:` + abbreviation + `)\)?|(?:\pL\. ){1,3}\pL\.|[0-9]{1,2}\)?|[*†‡]{1,3}|:|\.{1,3}|…|-{1,3}|–|—|/`
)

// Explained returns what a line below a table explains: one footnote, or several between semicolons or commas.
func Explained(line string) (all []Footnote) {
	for _, part := range explanations(legend.ReplaceAllString(line, "")) {
		all = append(all, explained(part)...)
	}
	return all
}

// explanations splits a line into its explanations.
func explanations(line string) (all []string) {
	if parts := allSigned(line, ";"); parts != nil {
		for _, part := range parts {
			all = append(all, explanations(part)...)
		}
		return all
	}
	if parts := equations(line); parts != nil {
		return parts
	}
	if parts := allSigned(line, ","); parts != nil {
		return parts
	}
	return []string{line}
}

// allSigned returns the parts of a line between separators if each of them explains something.
func allSigned(line, separator string) []string {
	parts := strings.Split(line, separator)
	for i, part := range parts {
		if parts[i] = strings.TrimSpace(part); !signed.MatchString(parts[i]) {
			return nil
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// equations returns the parts of a line of several explanations with equals signs, whose texts may contain separators:
// "/ = no figure, too uncertain, x = confidential".
func equations(line string) (parts []string) {
	count := 0
	for _, part := range separated.FindAllString(line, -1) {
		trimmed := strings.TrimSpace(part)
		if equated.MatchString(trimmed) {
			count++
		} else if len(parts) == 0 {
			return nil
		}
		if started.MatchString(trimmed) {
			parts = append(parts, part)
		} else {
			parts[len(parts)-1] += part
		}
	}
	if count < 2 {
		return nil
	}
	for i, part := range parts {
		parts[i] = strings.Trim(part, ";, ")
	}
	return parts
}

func explained(line string) []Footnote {
	textOf := func(text string) string { return cmp.Or(equals.ReplaceAllString(text, ""), text) }
	if m := abbreviated.FindStringSubmatch(line); m != nil {
		sign := strings.TrimSpace(m[1] + m[2] + m[3])
		return []Footnote{{sign, sign, textOf(m[4])}}
	}
	if m := enclosed.FindStringSubmatch(line); m != nil {
		return []Footnote{{m[2] + m[3] + m[4], m[1], textOf(m[5])}}
	}
	if m := bare.FindStringSubmatch(line); m != nil {
		return []Footnote{{m[1] + m[2], m[1] + m[2], textOf(m[3])}}
	}
	if m := raised.FindStringSubmatch(line); m != nil {
		return []Footnote{{m[1], m[1], textOf(m[2])}}
	}
	if m := markLine.FindStringSubmatch(line); m != nil && (strings.Contains(m[2], "=") || SaysNoNumber(m[3]) || isZero(m[3])) {
		return []Footnote{{m[1], m[1], m[3]}}
	}
	return nil
}

// notNumber matches words of such a line that say that there is no number.
var notNumber = lazyregexp.New(`(?i)available|dispon[ií]|verfügbar|missing|applicable|unknown|unbekannt|onbekend|inconnu|desconocid|desconhecid|sconosciut|keine angabe|ohne angabe|no data|no value|` +
	`^(?:not (?:reported|shown|published|disclosed)|non (?:communiqué|publié|renseigné|significati)|nicht (?:ausgewiesen|nachgewiesen|veröffentlicht|berechn|sinnvoll)|no (?:consta|procede|publicad)|sin datos?\b|non (?:rilevat|pubblicat|calcolabil)|geen gegevens|brak)`)

// SaysNoNumber reports whether what a line below a table says of a mark is that there is no number, or a secret one.
func SaysNoNumber(text string) bool {
	flags, _ := office.Status(office.Local.ID, "", text)
	_, conf := flags.Split()
	return notNumber.MatchString(text) || flags.Missing() || conf != ""
}

// isNoNumber reports whether a line below the table says that a text stands where there is no number.
func (r *reader) isNoNumber(mark string) bool {
	note := r.footnotes[mark]
	return note != "" && !text.IsNumber(mark) && SaysNoNumber(note)
}

// zero matches the text of a mark that stands for zero: "Zero absoluto", "nichts vorhanden".
var zero = lazyregexp.New(`(?i)^(?:(?:genau|exakt|absolute?|exactly|represents|none or) |nichts vorhanden \((?:genau )?)?(?:zero|null?|nil|nul[aoe]?|cero|nulla|noll|néant|nichts vorhanden)(?:$|[\s.,;)])`)

func isZero(text string) bool { return zero.MatchString(text) && !notNumber.MatchString(text) }

// Zeros returns the dashes that footnotes explain as zero.
func Zeros(notes map[string]string) (zeros []string) {
	for sign, text := range notes {
		if strings.Trim(sign, "-–—") == "" && isZero(text) {
			zeros = append(zeros, sign)
		}
	}
	return zeros
}

// raise writes figures as raised ones, as they may stand behind a name or a number.
var raise = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// Footnotes returns the texts of the letters, numbers and marks that lines below a table explain. A number
// may be raised where it stands. Of a sign with two texts, it is unknown which of them it means, so it has none.
func Footnotes(lines []string) map[string]string {
	notes := map[string]string{}
	for _, line := range lines {
		for _, f := range Explained(line) {
			add(notes, f.Sign, f.Text)
			if figures := raise.Replace(f.Sign); figures != f.Sign {
				add(notes, figures, f.Text)
			}
		}
	}
	return notes
}

// IsMark reports whether no end of a name or of a number looks like a footnote as it is written: (1), [1], 2), 3/, ¹ and *.
func (f Footnote) IsMark() bool {
	return f.Written != f.Sign || strings.ContainsAny(f.Sign, "*†‡⁰¹²³⁴⁵⁶⁷⁸⁹")
}

// Marks returns the texts of those footnotes that are marks, as they are written.
func Marks(lines []string) map[string]string {
	marks := map[string]string{}
	for _, line := range lines {
		for _, f := range Explained(line) {
			if f.IsMark() {
				add(marks, f.Written, f.Text)
			}
		}
	}
	return marks
}

// add adds the text of a sign, unless it has another one.
func add(notes map[string]string, sign, text string) {
	if before, isKnown := notes[sign]; isKnown && before != text {
		text = ""
	}
	notes[sign] = text
}

// footnote returns the text of a footnote that stands beside something; empty if none explains it.
func (r *reader) footnote(sign string) string {
	note := r.footnotes[sign]
	if note != "" {
		r.usedNotes[[2]string{sign, note}] = true
	}
	return note
}

// isUsedNote reports whether a line below the table explains what stands in the table: beside a number or a name, or in
// place of a number.
func (r *reader) isUsedNote(line string) bool {
	isUsed := func(sign, text string) bool { return r.usedNotes[[2]string{sign, text}] }
	for period, comment := range office.PeriodComments([]string{line}) {
		return isUsed(period, comment)
	}
	return slices.ContainsFunc(Explained(line), func(f Footnote) bool {
		return isUsed(f.Sign, f.Text) || isUsed(raise.Replace(f.Sign), f.Text)
	})
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
