package stat

import "sort"

// Kinds of notes in a [Report] that more than one format writes. Readers define
// kinds of their own for what only they meet. The kinds in [drops] alone mean
// cells that were not stored.
const (
	NoteUndated            = "undated"              // a time that is no period, such as 2020W99; drops
	NoteDoubled            = "doubled"              // the same value given twice; drops
	NoteSuperseded         = "superseded"           // an earlier part's value that a later part replaces; drops
	NoteNumberUnderMissing = "number-under-missing" // a number beside a status that says there is none
	NoteUnknownFlag        = "unknown-flag"         // a mark that the office's list of flags does not know
	NoteUnknownArea        = "unknown-area"         // a geography code that no code system knows; served as itself
	NoteCodeFromFilename   = "code-from-filename"   // the dataset's code is the file's name
	NoteNoLabels           = "no-labels"            // codes without labels: a format that has only codes counts all, the importer those that stay so
	NoteCountryNotUsed     = "country-not-used"     // --country given for a file that has a geography
	NotePeriodNotUsed      = "period-not-used"      // --period given for a file that has times
	NoteUnknownCode        = "unknown-code"         // a code that the dimension's code list does not have; served as itself
	NoteNoStructure        = "no-structure"         // dimensions told from attributes by their names, for want of a structure
	NotePartial            = "partial"              // the file says that it is a part of its dataset
	NoteRounded            = "rounded"              // a number with more digits than 64 bits hold
	NoteNumberStyle        = "number-style"         // numbers read with a decimal comma or with signs between thousands
	NoteNotRead            = "not-read"             // a part of the file that holds no observations and was passed over
	NoteOpenEnd            = "open-end"             // the file ends right behind its last cell, which may have been cut off
	NoteEncoding           = "encoding"             // text read as windows-1252 because it is no UTF-8
)

// drops holds the kinds of notes that count cells which were not stored.
var drops = map[string]bool{NoteUndated: true, NoteDoubled: true, NoteSuperseded: true}

// Note is something a reader of the data should know of an import.
type Note struct {
	Kind    string `json:"kind"`
	Count   int    `json:"count"`
	Drops   bool   `json:"drops"` // the cells counted here were not stored
	Example string `json:"example,omitempty"`
}

// Report accounts for every cell of a file:
// Read = stored + Missing + dropped, where dropped is the sum of the notes
// that drop. What counts as a cell depends on the format.
type Report struct {
	Read    int // cells in the file
	Missing int // cells without a value, with or without flags
	notes   map[string]*Note
}

// Add counts n under a kind. The first non-empty example stays.
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

// Merge adds what another report counted.
func (r *Report) Merge(other *Report) {
	r.Read += other.Read
	r.Missing += other.Missing
	for _, n := range other.Notes() {
		r.Add(n.Kind, n.Count, n.Example)
	}
}

// Withdraw takes back the note of a kind, which does not drop, and reports
// whether there was one: a reader says what its file leaves open, and who knows
// more of the office takes it back.
func (r *Report) Withdraw(kind string) bool {
	note := r.notes[kind]
	if note == nil || note.Drops {
		return false
	}
	delete(r.notes, kind)
	return true
}

// Dropped is the number of cells that were neither stored nor missing.
func (r *Report) Dropped() int {
	dropped := 0
	for _, n := range r.notes {
		if n.Drops {
			dropped += n.Count
		}
	}
	return dropped
}

// Notes returns the notes ordered by kind.
func (r *Report) Notes() []Note {
	notes := make([]Note, 0, len(r.notes))
	for _, n := range r.notes {
		notes = append(notes, *n)
	}
	sort.Slice(notes, func(i, j int) bool { return notes[i].Kind < notes[j].Kind })
	return notes
}
