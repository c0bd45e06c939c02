package importer

import (
	"context"
	"errors"
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
	Refused     Status = "refused"     // no data stored; see Outcome.Error
)

// Counts account for every cell of a file: Read = Stored + Missing + Dropped.
// What counts as a cell depends on the format.
type Counts struct {
	Read    int `json:"read"`
	Stored  int `json:"stored"`  // with a value
	Missing int `json:"missing"` // without a value, with or without flags
	Dropped int `json:"dropped"` // the sum of the notes with Drops
}

// Changes says what differs from the previous version: numbers of values, and what else.
type Changes struct {
	Added   int `json:"added"`
	Revised int `json:"revised"` // the value, the unit, a flag or a note changed
	Removed int `json:"removed"`
	// Changed says what else differs.
	Changed stat.Changed `json:"changed,omitempty"`
}

// Outcome is the result for one dataset of a file, or the refusal of a file, which has
// zero counts.
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
	// Codes says which codes of a refused file without data were stored, and for which
	// files: "2 code lists for files of Eurostat".
	Codes []string `json:"codes,omitempty"`
	// Readings, if any, are ways to read the refused file: options to state. If there are
	// several, only the caller can decide which is right.
	Readings [][]stat.Suggestion `json:"-"`
}

// Kinds of notes of the importer, in addition to those of the formats.
const (
	NoteLabelsMissing       = "labels-folder-missing"   // the remembered dictionaries no longer exist; labels from earlier imports are used
	NoteLabelsNotUsed       = "labels-not-used"         // none of the stated dictionaries is of the file's office
	NoteLabelsUnread        = "labels-unread"           // a dictionary could not be read completely
	NoteNamesForCodes       = "names-for-codes"         // names in the file were replaced by the codes with these labels
	NoteGeographyRemembered = "geography-remembered"    // the geography is that of an earlier import of the dataset
	NoteGeographyByCodes    = "geography-by-codes"      // nothing states the geography; it is the dimension whose codes are areas
	NoteAreas               = "areas"                   // nothing declares the code system of the areas; it is the one that the codes and labels show
	NoteSameArea            = "same-area"               // two codes of the geography mean one area: Turkey, Türkiye
	NoteMappingNotUsed      = "mapping-not-used"        // a mapping was stated for a file whose format defines the columns
	NoteFlagsRemembered     = "flags-remembered"        // the file was read with options stated for an earlier import of the dataset
	NoteNotRemembered       = "not-remembered"          // the dataset is stored, but its office's codes or its read options could not be
	NoteRepaired            = "repaired"                // the damaged file of the same data was written again
	NoteDateRemoved         = "date-removed"            // stored versions had a time of update of the office's table of contents, which is not that of their data
	NoteOlderRelease        = "older-release"           // the source updated the file before the stored version
	NoteFixedChanged        = "fixed-dimension-changed" // a dimension that is not in the key has another single code now
)

// formatError is an error with the format of its file, for [Outcome.Format].
type formatError struct {
	format string
	error
}

func (e formatError) Unwrap() error { return e.error }

// withRefusal adds the outcome of a file that failed with err, if err is not nil.
func withRefusal(outcomes []Outcome, file string, err error) []Outcome {
	if err == nil {
		return outcomes
	}
	return append(outcomes, refusal(file, err))
}

// refusal returns the outcome of a file that failed with err.
func refusal(file string, err error) Outcome {
	var (
		at    *stat.FileError
		as    formatError
		codes codesError
	)
	errors.As(err, &as)
	errors.As(err, &codes)
	kind := stat.KindOf(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%s: interrupted; nothing was stored", file)
	case errors.As(err, &at):
		if at.File != "" && at.File != file {
			at.File = file + "/" + at.File // a member of an archive
		} else {
			at.File = file
		}
	default:
		err = fmt.Errorf("%s: %w", file, err)
	}
	return Outcome{
		File: file, Format: as.format, Status: Refused, Notes: []stat.Note{}, Kind: kind,
		Error: err.Error(), Codes: codes.stored, Readings: stat.ReadingsOf(err),
	}
}

func quarantinedText(file string, h *store.QuarantinedVintage) string {
	text := fmt.Sprintf("%s: compared with version %s of dataset %d (%s), which stays current, the file lacks %s; ", file, h.Against, h.ID, h.Code, h.Lacks())
	if h.Rejected {
		return text + fmt.Sprintf("it was rejected on %s; to publish it anyway, import it with --accept", h.Since.Format(time.DateOnly))
	}
	return text + fmt.Sprintf("`almanac dataset accept %d` publishes it anyway, `almanac dataset reject %d` discards it", h.ID, h.ID)
}
