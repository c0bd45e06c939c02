package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// FirstVersion is the version of the first import of a dataset.
const FirstVersion = "1.0"

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
	Status      Status
	ID          int
	Vintage     stat.Vintage        // the current vintage
	IsRepaired  bool                // its damaged file was written again
	Quarantined *QuarantinedVintage // the quarantined vintage, if there is one
}

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

// publishTries limits the tries of a publication that others overtake.
const publishTries = 5

// publication is the next vintage of a dataset.
type publication struct {
	contents
	createOnly     bool // must not replace another vintage
	by             publisher
	quarantineFile string // its file, if it comes from quarantine
	permit         func(context.Context) error

	// Set for each try:
	previous *Vintage // the current vintage; nil if there is none
	info     *vintageInfo
}

type publisher int

const (
	imported publisher = iota // an import, which may be quarantined
	person                    // an edit of a stored vintage: the quarantine stays
	accepted                  // an import that a person approved
)

func (s *Store) publish(ctx context.Context, p publication) (r Result, err error) {
	for range publishTries {
		if r, err = s.tryPublish(ctx, p); !errors.Is(err, errOvertaken) {
			break
		}
	}
	return r, err
}

func (s *Store) tryPublish(ctx context.Context, p publication) (Result, error) {
	d := p.Dataset
	id, seq, err := s.catalog.Reserve(ctx, d.Source.ID, d.Code)
	if err != nil {
		return Result{}, err
	}
	d.ID = id
	if seq > 0 {
		if p.previous, err = s.openVintage(ctx, id, seq); err != nil {
			return Result{}, err
		}
		d.Code = p.previous.Dataset.Code // in its first spelling
		if p.quarantineFile != "" {
			keepCurated(d, p.previous.Dataset)
		}
		keepFormerLabels(d, p.previous.Dataset)
		if e := s.Catalog().Entry(id); p.by == person && e != nil {
			d.NextUpdate = e.NextUpdate
		}
		if p.createOnly {
			d.Partial = p.previous.Dataset.Partial // a page with the stored values changes nothing
		}
	}
	p.info = &vintageInfo{Seq: seq + 1, Parts: p.parts}
	if p.info.Digest, err = digestOf(d, p.observations); err != nil {
		return Result{}, err
	}
	status := Created
	switch {
	case p.previous == nil:
		p.info.Version, p.info.Added = FirstVersion, p.observations.values
	case p.previous.Digest == p.info.Digest:
		return s.confirm(ctx, p)
	case p.createOnly:
		return Result{}, errPart(d.Code)
	default:
		status = Updated
		if err := p.compare(ctx); err != nil {
			return Result{}, err
		}
	}
	if p.info.Quarantine != nil {
		return s.quarantineVintage(ctx, p)
	}
	if err := s.storeVintage(ctx, p); err != nil {
		return Result{}, fmt.Errorf("storing dataset %s: %w", d.Code, err)
	}
	s.published.Add(1)
	return Result{Status: status, ID: id, Vintage: p.info.Vintage}, nil
}

// compare compares a publication with the current vintage, or with the newest that can be read. It
// sets the version, the changes, and the reasons to quarantine it.
func (p *publication) compare(ctx context.Context) error {
	before := p.previous
	o, err := before.observations()
	if errors.Is(err, ErrDamaged) {
		if before, err = before.store.readableBefore(ctx, p.ID, before.seq); before != nil {
			o, err = before.observations()
		}
	}
	if err != nil {
		return err
	}
	if p.info.Version, err = nextVersion(p.previous.Version); err != nil {
		return err
	}
	if before == nil {
		p.info.Added = p.observations.values
		return nil
	}
	old := contents{Dataset: before.Dataset, observations: o, parts: before.parts}
	info := p.info
	counts, err := before.store.compare(old, p.contents)
	if err != nil {
		return err
	}
	info.Added, info.Revised, info.Removed = counts.Added, counts.Revised, counts.Removed
	if info.Changed, err = p.changed(ctx, before, counts); err != nil {
		return err
	}
	if p.by != imported {
		return nil
	}
	if reasons := reasonsToQuarantine(old, p.contents, info.Removed); len(reasons) > 0 {
		info.Quarantine = &quarantineInfo{Against: before.Version, Reasons: reasons}
	}
	return nil
}

// changed returns what differs from a vintage besides its observations, as [stat.Vintage] has it.
func (p *publication) changed(ctx context.Context, from *Vintage, counts RevisionCounts) (stat.Changed, error) {
	before := *from.Dataset
	var err error
	if before.Translations, err = from.Translations(ctx); err != nil {
		return "", err
	}
	return changedText(counts.Kinds(differences(&before, p.Dataset))), nil
}

// stage writes the vintage's file.
func (p *publication) stage(dir blob.Store) (blob.Staged, error) {
	hash := sha256.New()
	staged, err := dir.Stage(func(to io.Writer) error {
		return writeFile(io.MultiWriter(to, hash), p.Dataset, p.info, p.observations)
	})
	p.info.fileDigest = hash.Sum(nil)
	return staged, err
}

// storeVintage writes the file and makes the vintage the current one.
func (s *Store) storeVintage(ctx context.Context, p publication) error {
	at := s.timestamp()
	if _, changed, err := s.catalog.State(ctx); err != nil {
		return err
	} else if at.Before(changed) {
		at = changed // the clock went back; times of publication must not
	}
	if err := p.info.describe(p.contents, at); err != nil {
		return err
	}
	staged, err := p.stage(s.blobs)
	if err != nil {
		return err
	}
	defer staged.Discard()
	row, err := catalogRow(p.Dataset, p.info)
	if err != nil {
		return err
	}
	var emptied string
	err = s.catalog.Change(ctx, at, func(ch *catalog.Change) error {
		if err := s.beginChange(ctx, ch, p); err != nil {
			return err
		}
		if emptied, err = s.emptyQuarantine(ctx, ch, p); err != nil {
			return err
		}
		if err := ch.AddVintage(ctx, listing(p.Dataset, p.info), row); err != nil {
			return err
		}
		return staged.SaveAs(row.File)
	})
	if err == nil {
		s.deleteQuarantined(emptied)
	}
	return err
}

func (s *Store) timestamp() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// beginChange returns an error if p is not permitted, and errOvertaken if the vintage
// before p is no longer the current one. It deletes the files that a crash left.
func (s *Store) beginChange(ctx context.Context, ch *catalog.Change, p publication) error {
	if p.permit != nil {
		if err := p.permit(ctx); err != nil {
			return err
		}
	}
	current, err := ch.Current(ctx, p.ID)
	if err != nil {
		return err
	}
	if current != p.info.Seq-1 {
		return errOvertaken
	}
	return s.deleteOrphans(ctx, ch, p.ID)
}

// catalogRow returns a vintage's row with its [structure] and code lists.
func catalogRow(d *stat.Dataset, info *vintageInfo) (row catalog.Vintage, err error) {
	short := *d
	short.Dimensions = slices.Clone(d.Dimensions)
	packed := structure{Dataset: &short, Info: info, FileDigest: info.fileDigest}
	lists := map[string][]byte{}
	for _, axis := range short.Axes() {
		digest, err := addList(lists, axis.Codes)
		if err != nil {
			return row, fmt.Errorf("writing the codes of %s: %w", axis.ID, err)
		}
		packed.Lists = append(packed.Lists, digest)
		axis.Codes = nil
	}
	short.Translations = nil
	if packed.Translations, err = packTranslations(d, lists); err != nil {
		return row, err
	}
	row = catalog.Vintage{
		Vintage: info.Vintage, Seq: info.Seq, LastUpdate: info.LastUpdate.Format(time.RFC3339), CodeLists: lists,
		File: fmt.Sprintf("%s%06d-%s-%s.parquet", folderOf(d.ID), info.Seq, info.Version, info.Digest[:12]),
	}
	row.Structure, err = json.Marshal(packed)
	return row, err
}

// addList adds the JSON of a list to lists and returns its digest.
func addList(lists map[string][]byte, list any) (string, error) {
	text, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	digest := catalog.DigestOfList(text)
	lists[digest] = text
	return digest, nil
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
	for dir, named := range map[blob.Store][]string{s.blobs: files, s.quarantine: {row.File}} {
		keys, err := dir.List(folderOf(id))
		if err != nil {
			return err
		}
		for _, key := range keys {
			if slices.Contains(named, key) {
				continue
			}
			if err := dir.Delete(key); err != nil {
				return err
			}
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
