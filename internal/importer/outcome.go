package importer

import (
	"fmt"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Status says what an import did with one dataset.
type Status string

// The outcomes of an import.
const (
	Created     Status = "created"     // a dataset that was not there
	Updated     Status = "updated"     // a new vintage
	Unchanged   Status = "unchanged"   // the file says what is stored already
	Quarantined Status = "quarantined" // not published, for what it lacks; Outcome.Error says what
	Refused     Status = "refused"     // nothing was stored; Outcome.Error says why
)

// Counts account for every cell of a file: Read = Stored + Missing + Dropped.
// What counts as a cell depends on the format.
type Counts struct {
	Read    int `json:"read"`
	Stored  int `json:"stored"`  // with a value, in the store
	Missing int `json:"missing"` // without a value, with or without flags
	Dropped int `json:"dropped"` // the sum of the notes that drop
}

// Changes are the values by which a new vintage differs from the one before.
type Changes struct {
	Added   int `json:"added"`
	Revised int `json:"revised"` // another value, flag or note
	Removed int `json:"removed"`
}

// Outcome is what became of one dataset of a file. A refused file has a single
// outcome, with zero counts, because nothing of it was stored.
type Outcome struct {
	File         string      `json:"file"`   // as the caller named it
	Format       string      `json:"format"` // empty if it was not recognised
	Status       Status      `json:"status"`
	ID           int         `json:"id"` // 0 if refused
	Code         string      `json:"code"`
	Version      string      `json:"version"` // the one that serves now
	Series       int         `json:"series"`
	Observations Counts      `json:"observations"`
	Changes      Changes     `json:"changes,omitzero"` // of an updated dataset, or what a quarantined file would change
	Notes        []stat.Note `json:"notes"`            // never nil
	// Kind says of a refusal whose fault it was: [stat.Refused] and [stat.Invalid]
	// are the data's, others ours or the disk's.
	Kind  stat.Kind `json:"-"`
	Error string    `json:"error"` // for people: what was wrong, where, and what would be right
}

// Notes of the importer, beside those of the formats.
const (
	// NoteLabelsMissing: the dictionaries remembered for the source are not
	// there any more; what was learnt and the labels of the previous vintage stay.
	NoteLabelsMissing = "labels-folder-missing"
	// NoteLabelsNotUsed: dictionaries were given, and none is of the file's
	// office.
	NoteLabelsNotUsed = "labels-not-used"
	// NoteMappingNotUsed: a mapping was given for a file whose columns its format
	// knows.
	NoteMappingNotUsed = "mapping-not-used"
	// NoteNotRemembered: the dataset is stored, but not what the import taught of
	// its office's codes or of how its file is read.
	NoteNotRemembered = "not-remembered"
	// NoteOlderRelease: the source updated the file before what is stored.
	NoteOlderRelease = "older-release"
	// NoteFixedChanged: a dimension that left the key for having a single code
	// has another single code now.
	NoteFixedChanged = "fixed-dimension-changed"
)

// heldText says why a dataset of a file was not published, and what a person
// can do.
func heldText(file string, h *store.Held) string {
	text := fmt.Sprintf("%s: compared with version %s of dataset %d (%s), which keeps serving, the file lacks %s; ", file, h.Against, h.ID, h.Code, h.Lacks())
	if h.Rejected {
		return text + fmt.Sprintf("it was rejected on %s, and to publish it all the same it must be imported with --accept", h.Since.Format(time.DateOnly))
	}
	return text + fmt.Sprintf("`almanac dataset accept %d` publishes it all the same, `almanac dataset reject %d` discards it", h.ID, h.ID)
}
