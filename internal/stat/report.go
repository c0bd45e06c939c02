package stat

import (
	"slices"
	"strings"
)

// Kinds of notes in a [Report] that several formats use. A reader defines its own
// kinds for its own cases. Only the kinds in [drops] count cells that were not
// stored.
const (
	NoteUndated            = "undated"              // a time that is not a period, such as 2020W99; drops
	NoteDoubled            = "doubled"              // a duplicate observation; drops
	NoteSuperseded         = "superseded"           // a value replaced by a later part; drops
	NoteNumberUnderMissing = "number-under-missing" // a number with a status that means a missing value
	NoteUnknownFlag        = "unknown-flag"         // a flag that is not in the office's list
	NoteUnknownArea        = "unknown-area"         // a geography code that no code system has; it stands for itself
	NoteCodeFromFilename   = "code-from-filename"   // the dataset's code was taken from the file's name
	NoteNoLabels           = "no-labels"            // codes without labels: counted by formats without labels, then by the importer if they stay so
	NoteCountryNotUsed     = "country-not-used"     // a country was stated for a file that has a geography
	NotePeriodNotUsed      = "period-not-used"      // a period was stated for a file that has periods
	NoteUnknownCode        = "unknown-code"         // a code that is not in the dimension's code list
	NoteNoStructure        = "no-structure"         // dimensions and attributes were distinguished by name, because there is no structure
	NotePartial            = "partial"              // the file states that it is a part of its dataset
	NoteRounded            = "rounded"              // a number with more digits than a 64-bit float holds
	NotePercent            = "percent"              // a number that its cell shows as a percentage: 0.125 as 12.5%
	NoteSourceNamed        = "source-named"         // an office is only named: "Source: Statistics Denmark"; the importer decides what it means
	NoteScaled             = "scaled"               // a number that its cell shows in thousands or millions: 67391582 as 67,392
	NoteNumberStyle        = "number-style"         // numbers were read with a decimal comma or thousands separators
	NoteNotRead            = "not-read"             // a part of the file without observations was skipped
	NoteOpenEnd            = "open-end"             // the file ends right after its last cell, which may be truncated
	NoteEncoding           = "encoding"             // the text is not UTF-8, and was read in this encoding
)

// drops holds the kinds of notes that count cells that were not stored.
var drops = map[string]bool{NoteUndated: true, NoteDoubled: true, NoteSuperseded: true}

// Note tells users of the data something about an import.
type Note struct {
	Kind    string `json:"kind"`
	Count   int    `json:"count"`
	Drops   bool   `json:"drops"` // the cells counted here were not stored
	Example string `json:"example,omitempty"`
}

// Report accounts for every cell of a file: Read = stored + Missing + dropped,
// where dropped is the sum of the notes with Drops. What is a cell depends on the
// format.
type Report struct {
	Read    int // cells in the file
	Missing int // cells without a value, with or without flags
	notes   map[string]*Note
}

// Add adds n to the count of a kind and keeps the first non-empty example.
func (r *Report) Add(kind string, n int, example string) {
	if r.notes == nil {
		r.notes = map[string]*Note{}
	}
	note := r.notes[kind]
	if note == nil {
		note = &Note{Kind: kind, Drops: drops[kind]}
		r.notes[kind] = note
	}
	note.Count += n
	if note.Example == "" {
		note.Example = example
	}
}

// Merge adds the counts of another report.
func (r *Report) Merge(other *Report) {
	r.Read += other.Read
	r.Missing += other.Missing
	for _, n := range other.Notes() {
		r.Add(n.Kind, n.Count, n.Example)
	}
}

// Withdraw removes the note of a kind that does not drop, and reports whether there
// was one. A reader notes what its file lacks; the importer withdraws the note if
// the office's dictionaries have it.
func (r *Report) Withdraw(kind string) bool {
	note := r.notes[kind]
	if note == nil || note.Drops {
		return false
	}
	delete(r.notes, kind)
	return true
}

// Dropped returns the number of cells that are neither stored nor missing.
func (r *Report) Dropped() int {
	dropped := 0
	for _, n := range r.notes {
		if n.Drops {
			dropped += n.Count
		}
	}
	return dropped
}

// Notes returns the notes, sorted by kind.
func (r *Report) Notes() []Note {
	notes := make([]Note, 0, len(r.notes))
	for _, n := range r.notes {
		notes = append(notes, *n)
	}
	slices.SortFunc(notes, func(a, b Note) int { return strings.Compare(a.Kind, b.Kind) })
	return notes
}
