package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// Status is the result of a publication.
type Status string

// The outcomes of a publication.
const (
	Created     Status = "created"
	Updated     Status = "updated"
	Unchanged   Status = "unchanged"
	Quarantined Status = "quarantined" // the current vintage stays
)

// Result describes a publication.
type Result struct {
	Status  Status
	ID      int
	Vintage stat.Vintage // the current vintage
	Held    *Held        // the quarantined vintage, if there is one
}

// checkComplete returns an error if required metadata are missing.
func checkComplete(d *stat.Dataset) error {
	if d.Source.ID == "" || d.Code == "" || d.Name == "" {
		return fmt.Errorf("dataset %q lacks a source, a code or a name", d.Code)
	}
	for _, dim := range d.Axes() {
		if dim.ID == "" || dim.Label == "" || len(dim.Codes) == 0 {
			return fmt.Errorf("dimension %q of dataset %s lacks an ID, a label or codes", dim.ID, d.Code)
		}
		labels := map[string]bool{}
		for _, code := range dim.Codes {
			if code.Label == "" || labels[code.Label] {
				return fmt.Errorf("code %q of dimension %s of dataset %s has the label %q, which is empty or not unique", code.ID, dim.ID, d.Code, code.Label)
			}
			labels[code.Label] = true
		}
	}
	for _, code := range d.Geography.Codes {
		if code.Area == "" {
			return fmt.Errorf("code %q of dataset %s has no area", code.ID, d.Code)
		}
	}
	return nil
}

// errOvertaken means that another vintage became current during a publication.
var errOvertaken = errors.New("another import of the dataset was published at the same time; import the file again")

// publishTries is how often a publication is tried when others overtake it.
const publishTries = 5

// publication is the next vintage of a dataset.
type publication struct {
	contents
	createOnly bool // must not replace another vintage
	by         publisher
	held       string // its file, if it comes from quarantine
}

// publisher is the origin of a publication.
type publisher int

const (
	imported publisher = iota // an import, which may be quarantined
	person                    // an edit of a stored vintage: the quarantine stays
	accepted                  // an import that a person approved
)

func (s *Store) publish(ctx context.Context, p publication) (r Result, err error) {
	for range publishTries {
		if r, err = s.publishOnce(ctx, p); !errors.Is(err, errOvertaken) {
			break
		}
	}
	return r, err
}

func (s *Store) publishOnce(ctx context.Context, p publication) (Result, error) {
	d, c := p.Dataset, p.columns
	id, seq, err := s.catalog.Reserve(ctx, d.Source.ID, d.Code)
	if err != nil {
		return Result{}, err
	}
	d.ID = id
	var previous *Vintage
	if seq > 0 {
		if previous, err = s.openVintage(ctx, id, seq); err != nil {
			return Result{}, err
		}
		d.Code = previous.Dataset.Code // in its first spelling
		if p.held != "" {
			keepCurated(d, previous.Dataset)
		}
		keepFormerLabels(d, previous.Dataset)
	}
	info := &vintageInfo{Seq: seq + 1, Parts: p.parts}
	if info.Digest, err = digestOf(d, c); err != nil {
		return Result{}, err
	}
	status := Created
	switch {
	case previous == nil:
		info.Version, info.Added = "1.0", c.values()
	case previous.Digest == info.Digest:
		return s.unchanged(ctx, p, previous)
	case p.createOnly:
		return Result{}, errPart(d.Code)
	default:
		status = Updated
		if err := p.compareTo(previous, info); err != nil {
			return Result{}, err
		}
	}
	if info.Held != nil {
		return s.hold(ctx, p, info, previous)
	}
	if err := s.commit(ctx, p, info, seq); err != nil {
		return Result{}, fmt.Errorf("storing dataset %s: %w", d.Code, err)
	}
	s.published.Add(1)
	return Result{Status: status, ID: id, Vintage: info.Vintage}, nil
}

// compareTo compares a publication with the current vintage. It sets in info the
// version, the changes, and the reasons to quarantine it.
func (p *publication) compareTo(previous *Vintage, info *vintageInfo) error {
	c, err := previous.load()
	if err != nil {
		return err
	}
	old := contents{previous.Dataset, c, previous.parts}
	info.Added, info.Revised, info.Removed = compareVintages(old, p.contents)
	if info.Version, err = nextVersion(previous.Version); err != nil || p.by != imported {
		return err
	}
	if reasons := reasonsToHold(old, p.contents, info.Removed); len(reasons) > 0 {
		info.Held = &heldInfo{Against: previous.Version, Reasons: reasons}
	}
	return nil
}

// commit writes the file and updates the catalog, if the vintage against is still
// current.
func (s *Store) commit(ctx context.Context, p publication, info *vintageInfo, against int) error {
	d := p.Dataset
	imported := s.timestamp()
	if _, changed, err := s.catalog.State(ctx); err != nil {
		return err
	} else if imported.Before(changed) {
		imported = changed // the clock went back; times of publication must not
	}
	info.describe(p.contents, imported)
	staged, err := s.blobs.Stage(func(to io.Writer) error { return writeFile(to, d, info, p.columns) })
	if err != nil {
		return err
	}
	defer staged.Discard()
	row, lists, err := catalogRow(d, info)
	if err != nil {
		return err
	}
	var emptied string
	err = s.catalog.Change(ctx, info.Imported, func(ch *catalog.Change) error {
		if err := checkCurrent(ctx, ch, d.ID, against); err != nil {
			return err
		}
		if err := s.deleteOrphans(ctx, ch, d.ID); err != nil {
			return err
		}
		if emptied, err = s.emptyQuarantine(ctx, ch, p); err != nil {
			return err
		}
		if err := addVintage(ctx, ch, d, row, lists); err != nil {
			return err
		}
		return staged.Commit(row.File)
	})
	if err == nil {
		s.deleteHeldFile(emptied)
	}
	return err
}

// timestamp returns the current time with the store's precision.
func (s *Store) timestamp() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// checkCurrent returns errOvertaken if seq is not the dataset's current vintage.
func checkCurrent(ctx context.Context, ch *catalog.Change, id, seq int) error {
	current, err := ch.Current(ctx, id)
	if err == nil && current != seq {
		err = errOvertaken
	}
	return err
}

// addVintage stores a vintage's row and makes it current.
func addVintage(ctx context.Context, ch *catalog.Change, d *stat.Dataset, row catalog.Vintage, lists map[string][]byte) error {
	for digest, codes := range lists {
		if err := ch.PutCodeList(ctx, digest, codes); err != nil {
			return err
		}
	}
	if err := ch.SetCurrent(ctx, catalog.Dataset{ID: d.ID, Source: d.Source.ID, Code: d.Code, Name: d.Name, Areas: d.Areas()}, row); err != nil {
		return err
	}
	return ch.AddVintage(ctx, d.ID, row)
}

// catalogRow returns a vintage's row and its code lists by digest.
func catalogRow(d *stat.Dataset, info *vintageInfo) (catalog.Vintage, map[string][]byte, error) {
	body, lists, err := packStructure(d, info)
	if err != nil {
		return catalog.Vintage{}, nil, err
	}
	return catalog.Vintage{
		Vintage: info.Vintage, Seq: info.Seq, LastUpdate: info.LastUpdate.Format(time.RFC3339),
		File:      fmt.Sprintf("%s%06d-%s-%s.parquet", folderOf(d.ID), info.Seq, info.Version, info.Digest[:12]),
		Structure: body,
	}, lists, nil
}

// folderOf returns the key prefix of a dataset's blobs. Each parent folder has at
// most a thousand datasets.
func folderOf(id int) string { return fmt.Sprintf("%d/%d/", id/1000, id) }

// deleteOrphans deletes the files of a dataset that a crash left without a row.
func (s *Store) deleteOrphans(ctx context.Context, ch *catalog.Change, id int) error {
	files, err := ch.Files(ctx, id)
	if err != nil {
		return err
	}
	row, _, err := ch.Quarantined(ctx, id)
	if err != nil {
		return err
	}
	for dir, named := range map[*blob.Dir][]string{s.blobs: files, s.quarantine: {row.File}} {
		keys, err := dir.List(folderOf(id))
		if err != nil {
			return err
		}
		for _, key := range keys {
			if !slices.Contains(named, key) {
				err = errors.Join(err, dir.Delete(key))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepFormerLabels keeps the labels of earlier vintages. A label that no code has
// now still matches the code that had it first.
func keepFormerLabels(d, previous *stat.Dataset) {
	for _, dim := range d.Axes() {
		for _, before := range previous.Axes() {
			if before.ID != dim.ID {
				continue
			}
			dim.Former = before.Published()
			for _, code := range dim.Codes {
				delete(dim.Former, code.Label)
			}
			if len(dim.Former) == 0 {
				dim.Former = nil
			}
		}
	}
}

// Current opens the current vintage of the dataset with a source and code. It
// returns nil if there is none.
func (s *Store) Current(ctx context.Context, source, code string) (*Vintage, error) {
	id, seq, err := s.catalog.Find(ctx, source, code)
	if err != nil || seq == 0 {
		return nil, err
	}
	return s.openVintage(ctx, id, seq)
}
