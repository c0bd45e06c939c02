package importer

import (
	"fmt"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Status is the result of an import for one dataset.
type Status string

// The outcomes of an import.
const (
	Created     Status = "created"     // a new dataset
	Updated     Status = "updated"     // a new version
	Unchanged   Status = "unchanged"   // the file has the same data as the current version
	Quarantined Status = "quarantined" // not published because of what it lacks; see Outcome.Error
	Refused     Status = "refused"     // not stored; see Outcome.Error
)

// Counts account for every cell of a file: Read = Stored + Missing + Dropped.
// What counts as a cell depends on the format.
type Counts struct {
	Read    int `json:"read"`
	Stored  int `json:"stored"`  // with a value
	Missing int `json:"missing"` // without a value, with or without flags
	Dropped int `json:"dropped"` // the sum of the notes with Drops
}

// Changes counts the values that differ from the previous version.
type Changes struct {
	Added   int `json:"added"`
	Revised int `json:"revised"` // the value, a flag or a note changed
	Removed int `json:"removed"`
}

// Outcome is the result for one dataset of a file. A refused file has a single
// outcome with zero counts, because nothing was stored.
type Outcome struct {
	File         string      `json:"file"`   // as given by the caller
	Format       string      `json:"format"` // empty if it is unknown
	Status       Status      `json:"status"`
	ID           int         `json:"id"` // 0 if refused
	Code         string      `json:"code"`
	Version      string      `json:"version"` // the current version
	Series       int         `json:"series"`
	Observations Counts      `json:"observations"`
	Changes      Changes     `json:"changes,omitzero"` // of an updated dataset; of a quarantined one, what it would change
	Notes        []stat.Note `json:"notes"`            // never nil
	// Kind is the kind of a refusal: [stat.Refused] and [stat.Invalid] are errors of
	// the data, others are failures of Almanac or the machine.
	Kind  stat.Kind `json:"-"`
	Error string    `json:"error"` // for people: what is wrong, where, and what would be right
}

// Notes of the importer, in addition to those of the formats.
const (
	// NoteLabelsMissing: the dictionaries remembered for the source no longer
	// exist; labels from earlier imports are used.
	NoteLabelsMissing = "labels-folder-missing"
	// NoteLabelsNotUsed: none of the stated dictionaries is of the file's office.
	NoteLabelsNotUsed = "labels-not-used"
	// NoteMappingNotUsed: a mapping was stated for a file whose format defines the
	// columns.
	NoteMappingNotUsed = "mapping-not-used"
	// NoteNotRemembered: the dataset is stored, but its office's codes or its read
	// options could not be.
	NoteNotRemembered = "not-remembered"
	// NoteOlderRelease: the source updated the file before the stored version.
	NoteOlderRelease = "older-release"
	// NoteFixedChanged: a dimension with a single code, which is not in the key, has
	// another single code now.
	NoteFixedChanged = "fixed-dimension-changed"
)

// heldText explains why a dataset was quarantined and what can be done.
func heldText(file string, h *store.Held) string {
	text := fmt.Sprintf("%s: compared with version %s of dataset %d (%s), which stays current, the file lacks %s; ", file, h.Against, h.ID, h.Code, h.Lacks())
	if h.Rejected {
		return text + fmt.Sprintf("it was rejected on %s; to publish it anyway, import it with --accept", h.Since.Format(time.DateOnly))
	}
	return text + fmt.Sprintf("`almanac dataset accept %d` publishes it anyway, `almanac dataset reject %d` discards it", h.ID, h.ID)
}
