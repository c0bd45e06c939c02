package importer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// publish publishes the datasets of a file, or none if one of them must not be
// published. It returns the outcomes of those that were.
func (im *Importer) publish(ctx context.Context, tables []*table) ([]Outcome, error) {
	for _, t := range tables {
		if err := im.check(ctx, t); err != nil {
			return nil, formatError{t.format, err}
		}
	}
	var outcomes []Outcome
	for _, t := range tables {
		o, err := im.publishTable(ctx, t)
		if err != nil {
			return outcomes, formatError{t.format, err}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// check returns an error if the dataset must not be published. It is called for
// all datasets of a file before the first one is published.
func (im *Importer) check(ctx context.Context, t *table) error {
	if im.options.Claim != nil {
		id := 0
		if before := t.previous(); before != nil {
			id = before.ID
		}
		if err := im.options.Claim(t.dataset.Source.ID, t.dataset.Code, id); err != nil {
			return err
		}
	}
	return t.draft.Check(ctx, im.publishOptions(t))
}

func (im *Importer) publishOptions(t *table) store.PublishOptions {
	return store.PublishOptions{
		CreateOnly: t.partial != "",
		Accept:     im.options.Accept,
		Pages:      im.options.Joined || len(t.shares) > 0,
	}
}

func (im *Importer) publishTable(ctx context.Context, t *table) (Outcome, error) {
	result, err := t.draft.Publish(ctx, im.publishOptions(t))
	if err != nil {
		return Outcome{}, err
	}
	v := result.Vintage
	o := Outcome{
		File: t.file, Format: t.format, Status: Status(result.Status),
		ID: result.ID, Code: t.dataset.Code, Version: v.Version, Series: v.Series,
		Observations: t.counts(),
	}
	if h := result.Quarantined; h != nil { // its codes are not stored before a person accepts it
		o.Series, o.Changes, o.Error = h.Series, Changes{h.Added, h.Revised, h.Removed}, heldText(t.file, h)
		o.Notes = t.report.Notes()
		return o, nil
	}
	if o.Status == Updated {
		o.Changes = Changes{v.Added, v.Revised, v.Removed}
	}
	// The dataset is published even if this fails.
	if err := im.keep(context.WithoutCancel(ctx), t); err != nil {
		t.report.Add(NoteNotRemembered, 1, err.Error())
	}
	o.Notes = t.report.Notes()
	return o, nil
}

// keep stores what later imports need: how the file of a published dataset is
// read, where its office's dictionaries are, and what is known about its codes.
func (im *Importer) keep(ctx context.Context, t *table) error {
	var errs []error
	if o := t.options; o.Mapping != "" || o.Decimal != "" || o.Encoding != "" {
		errs = append(errs, im.store.SetReadOptions(ctx, t.dataset.Source.ID, t.dataset.Code, o))
	}
	if t.office == "" {
		return errors.Join(errs...)
	}
	err := im.store.UpdateDictionary(ctx, t.office, t.update)
	if d := im.dictionaries.merged[t.office]; d != nil && err == nil {
		im.dictionaries.merged[t.office] = d.Over(t.update.Dictionary)
	}
	errs = append(errs, im.keepLabelsFolder(ctx, t.office), stat.Wrap(err, "storing the codes of %s", t.office))
	return errors.Join(errs...)
}

func (im *Importer) keepLabelsFolder(ctx context.Context, office string) error {
	root := im.options.Labels
	if folder := im.dictionaries.folders[root]; folder == nil || len(folder.dictionaries[office]) == 0 {
		return nil
	}
	known, err := im.store.LabelsDir(ctx, office)
	if err == nil && known != root {
		err = im.store.SetLabelsDir(ctx, office, root)
	}
	return err
}

func (t *table) counts() Counts {
	return Counts{Read: t.report.Read, Stored: t.summary.Observations, Missing: t.report.Missing, Dropped: t.report.Dropped()}
}

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

// Kinds of notes of the importer, in addition to those of the formats.
const (
	NoteLabelsMissing       = "labels-folder-missing"   // the remembered dictionaries no longer exist; labels from earlier imports are used
	NoteLabelsNotUsed       = "labels-not-used"         // none of the stated dictionaries is of the file's office
	NoteLabelsUnread        = "labels-unread"           // a dictionary could not be read completely
	NoteContentsOlder       = "contents-older"          // the office's table of contents is older than the file
	NoteUpdateTimeUnread    = "update-time-unread"      // a time of update has an unknown form
	NoteNamesForCodes       = "names-for-codes"         // names in the file were replaced by the codes with these labels
	NoteGeographyRemembered = "geography-remembered"    // the geography is that of an earlier import of the dataset
	NoteGeographyByCodes    = "geography-by-codes"      // nothing states the geography; it is the dimension whose codes are all areas
	NoteMappingNotUsed      = "mapping-not-used"        // a mapping was stated for a file whose format defines the columns
	NoteFlagsRemembered     = "flags-remembered"        // the file was read with options stated for an earlier import of the dataset
	NoteNotRemembered       = "not-remembered"          // the dataset is stored, but its office's codes or its read options could not be
	NoteOlderRelease        = "older-release"           // the source updated the file before the stored version
	NoteFixedChanged        = "fixed-dimension-changed" // a dimension that is not in the key has another single code now
)

func heldText(file string, h *store.QuarantinedVintage) string {
	text := fmt.Sprintf("%s: compared with version %s of dataset %d (%s), which stays current, the file lacks %s; ", file, h.Against, h.ID, h.Code, h.Lacks())
	if h.Rejected {
		return text + fmt.Sprintf("it was rejected on %s; to publish it anyway, import it with --accept", h.Since.Format(time.DateOnly))
	}
	return text + fmt.Sprintf("`almanac dataset accept %d` publishes it anyway, `almanac dataset reject %d` discards it", h.ID, h.ID)
}
