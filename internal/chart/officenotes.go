package chart

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/chart/font"
	"almanac/internal/chart/words"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Limits of the notes of the office that a picture shows in words.
const (
	maxOfficeNotes = 2
	maxOfficeNote  = 120 // letters
)

// officeNotes states what the office notes on drawn values. If that is too much for the picture, it
// counts the values.
func (s *Spec) officeNotes(b brevity) []string {
	var texts []string
	isNoted := func(series *Series, at int) bool {
		return isRemark(series.Notes[at]) && !namesFlag(series.Notes[at], series.Flag(at))
	}
	for i := range s.Series {
		series := &s.Series[i]
		for _, r := range s.runs(series, isNoted) {
			for at := r.first; at <= r.last; at++ {
				if !slices.Contains(texts, series.Notes[at]) {
					texts = append(texts, series.Notes[at])
				}
			}
		}
	}
	l := s.Words()
	isLong := func(text string) bool { return utf8.RuneCountInString(text) > maxOfficeNote }
	switch {
	case texts == nil:
		return nil
	case b >= countedFlags || len(texts) > maxOfficeNotes || slices.ContainsFunc(texts, isLong):
		return []string{l.Text("The source has notes on %s, which are in the data.", l.List(s.placesOf(1, isNoted)))}
	}
	var notes []string
	for _, text := range texts {
		places := s.placesOf(words.MaxListed+1, func(series *Series, at int) bool { return series.Notes[at] == text })
		notes = append(notes, l.Text("Note of the source on %s: %s.", l.List(places), strings.TrimSuffix(font.Clean(strings.ReplaceAll(text, "\n", "; ")), ".")))
	}
	return notes
}

// columnNote matches what a column of the file says of a value: "Repository: Labour force survey".
var columnNote = lazyregexp.New(`^\p{L}[\p{L}\p{N}_ /-]{0,30}: [^;]+(; \p{L}[\p{L}\p{N}_ /-]{0,30}: [^;]+)*$`)

// isRemark reports whether a note has words that readers of a picture should know, which a mark or what
// columns of the file say is not.
func isRemark(note string) bool {
	return strings.ContainsFunc(note, unicode.IsLetter) && !columnNote.MatchString(note)
}

// namesFlag reports whether a note only says what a flag of the value says: "Break" of a break in the
// series.
func namesFlag(note string, flags stat.Flags) bool {
	note = strings.ToLower(strings.TrimSuffix(note, "."))
	return slices.ContainsFunc(flags.List(), func(code string) bool { return strings.Contains(strings.ToLower(stat.FlagName(code)), note) })
}
