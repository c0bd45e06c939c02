package crosstab

import (
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// marked matches a text with the mark of a footnote behind it: "Belgium (3)", "Exports 1)", "2021 2/", "Serbia¹", "Italy [2]".
var marked = lazyregexp.New(`^(.*?[^\s(*†‡]) ?([*†‡]{1,3}|[⁰¹²³⁴-⁹]{1,2})$|^(.*[^\s(]) ?(?:\((\p{Ll}|[0-9]{1,2}|\*{1,3})\)|\[([0-9a-z]{1,2})\]| ([0-9a-z]{1,2})[/)]| ([0-9]{1,2})(?: \(map\))?)$`) // of Statistics Canada

// power matches units of areas and volumes, which end like a mark: "km²".
var power = lazyregexp.New(`(^|[^\pL])[kcd]?m[²³]$`)

// explain splits a text of the stub or the boxhead and the mark behind it if a footnote
// explains it, and no other text is the same without it.
func (r *reader) explain(text string, isOther func(bare string) bool) (bare, note string) {
	m := marked.FindStringSubmatch(text)
	if m == nil {
		return text, ""
	}
	bare, sign := m[1]+m[3], m[2]+strings.Join(m[4:], "")
	if isOther(bare) || power.MatchString(text) {
		return text, ""
	}
	if note = r.footnote(sign); note == "" {
		return text, ""
	}
	return bare, note
}

// explainHeads takes the marks of footnotes from the headings. The footnotes become notes
// on all values of the column.
func (r *reader) explainHeads() {
	r.headNotes = make([]string, len(r.values))
	for _, h := range r.ofRole(roleHeading) {
		before := slices.Clone(h.cells)
		for j, cell := range before {
			bare, note := r.explain(cell, func(bare string) bool { return slices.Contains(before, bare) })
			h.cells[j], r.headNotes[j] = bare, table.JoinNotes(r.headNotes[j], note)
		}
	}
}

// explainBeside adds the footnotes of the marks that stand in cells of their own beside headings. A
// mark is about all columns that the heading covers.
func (r *reader) explainBeside() {
	for row := r.first; row < r.top; row++ {
		if isCounting(r.rows[row]) {
			continue
		}
		isCovered := func(j int) bool {
			return j > 0 && at(r.rows[row], r.values[j].column) == "" && r.isSameHeading(row, j-1, j)
		}
		for j, v := range r.values {
			for _, column := range v.beside {
				note := r.footnote(strings.Trim(at(r.rows[row], column), "() "))
				if note == "" {
					continue
				}
				first := j
				for isCovered(first) {
					first--
				}
				r.headNotes[first] = table.JoinNotes(r.headNotes[first], note)
				for k := first + 1; k < len(r.values) && isCovered(k); k++ {
					r.headNotes[k] = table.JoinNotes(r.headNotes[k], note)
				}
			}
		}
	}
}

// isSameHeading reports whether two columns of values have the same heading in a row.
func (r *reader) isSameHeading(row, i, j int) bool {
	if row == r.periodRow {
		return r.values[i].text == r.values[j].text
	}
	return slices.ContainsFunc(r.heads, func(h *head) bool { return h.row == row && h.cells[i] == h.cells[j] })
}

// remark is what stands beside a value.
type remark struct{ flags, note string }

// addBeside adds what stands beside a value: letters of footnotes and words are notes,
// other letters are flags. A letter that is usual for a flag is one beside its footnote too, if
// that is not one of a, b, c or A, B, C, or if the footnote is a word for a status.
func (r *reader) addBeside(cell string, to *remark) {
	if cell == "" {
		return
	}
	if len(cell) > maxLetters && !letters.MatchString(cell) {
		to.note = table.JoinNotes(to.note, cell)
		return
	}
	for letter := range strings.SplitSeq(cell, ",") {
		letter = strings.Trim(letter, " )(")
		if note := r.footnote(letter); note != "" {
			to.note = table.JoinNotes(to.note, note)
			_, isKnown := r.status(letter)
			if office.NoteFlags(note) != "" {
				continue // addStatus adds what it says
			}
			first := "a"
			if letter == strings.ToUpper(letter) {
				first = "A"
			}
			isListed := r.footnotes[first] != "" && !office.IsStatus(note)
			if isListed || !isKnown && !usualFlag.MatchString(letter) {
				continue
			}
		}
		to.flags = joinLetters(to.flags, letter)
	}
}

// addStatus adds the flags of all footnotes on a value that are names of a status, such as "Break in series", and of a mark
// in place of a number.
func (r *reader) addStatus(_ *table.Row, o *stat.Observation) error {
	for note := range strings.SplitSeq(o.Note, "; ") {
		if flags := office.NoteFlags(note); flags != "" && slices.Contains(slices.Collect(maps.Values(r.footnotes)), note) {
			o.Flags = stat.NewFlags(string(o.Flags), string(flags))
		}
	}
	if math.IsNaN(o.Value) {
		o.Flags = office.MarkFlags(r.dataset.Source.ID, o.Flags, func(mark string) string { return r.footnotes[mark] })
	}
	return nil
}

// flagsOf returns the flags of letters between commas.
func (r *reader) flagsOf(letters string) (all stat.Flags, areKnown bool) {
	areKnown = true
	for letter := range strings.SplitSeq(letters, ",") {
		flags, isKnown := r.status(letter)
		all, areKnown = stat.NewFlags(string(all), string(flags)), areKnown && isKnown
	}
	return all, areKnown
}

// usualFlag matches the letters that most offices use: break, definition, estimate, forecast,
// provisional, revised, unreliable.
var usualFlag = lazyregexp.New(`^[bdefpru]$`)

const maxLetters = 3 // letters of a flag

// shortWord matches what stands for a flag and is no letter.
var shortWord = lazyregexp.New(`^\p{Lu}{2,3}$`)

// status returns the flag of a letter. If short words that are no flags stand beside
// values, such as PF for "partly free", the letters are of the same list.
func (r *reader) status(letter string) (flags stat.Flags, isKnown bool) {
	if r.hasOwnFlags {
		return office.OwnFlag(r.dataset.Source.ID, letter), false
	}
	return office.Status(r.dataset.Source.ID, "", letter)
}

// areFlags reports whether all words are flags of the publisher.
func (r *reader) areFlags(words map[string]bool) bool {
	for word := range words {
		if _, isKnown := office.Status(r.dataset.Source.ID, "", word); !isKnown {
			return false
		}
	}
	return true
}
