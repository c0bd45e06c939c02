package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// QuarantinedVintage is a vintage in quarantine: an import that would remove too much from its
// dataset (reasons.go) and waits until a person accepts or rejects it. A dataset has
// at most one.
type QuarantinedVintage struct {
	ID           int       `json:"id"`
	Code         string    `json:"code"`
	Name         string    `json:"name"`
	Since        time.Time `json:"since"`            // when it was quarantined or rejected
	Updated      time.Time `json:"updated,omitzero"` // when the office updated the file; zero: it does not say
	Against      string    `json:"against"`          // version that it was compared with
	Reasons      []string  `json:"reasons"`          // what it lacks: "the dimension sex"
	Series       int       `json:"series"`
	Observations int       `json:"observations"`
	Added        int       `json:"added"` // compared with that version
	Revised      int       `json:"revised"`
	Removed      int       `json:"removed"`

	Rejected bool `json:"-"` // the same data were rejected before; it does not wait
}

// Lacks describes what the vintage lacks: "the dimension sex and the unit EUR".
func (h *QuarantinedVintage) Lacks() string { return stat.JoinWords(h.Reasons) }

// quarantineInfo is stored in the file of a quarantined vintage.
type quarantineInfo struct {
	Against string   `json:"against"`
	Reasons []string `json:"reasons"`
}

func newQuarantined(d *stat.Dataset, info *vintageInfo) *QuarantinedVintage {
	return &QuarantinedVintage{
		ID: d.ID, Code: d.Code, Name: d.Name, Since: info.Imported, Updated: d.Updated, Against: info.Quarantine.Against, Reasons: info.Quarantine.Reasons,
		Series: info.Series, Observations: info.Observations, Added: info.Added, Revised: info.Revised, Removed: info.Removed,
	}
}

func (h *QuarantinedVintage) row(digest, file string) (catalog.Quarantined, error) {
	body, err := json.Marshal(h)
	return catalog.Quarantined{Dataset: h.ID, Digest: digest, Since: h.Since, File: file, Body: body}, err
}

func parseQuarantined(row catalog.Quarantined) (*QuarantinedVintage, error) {
	h := &QuarantinedVintage{}
	if err := json.Unmarshal(row.Body, h); err != nil {
		return nil, fmt.Errorf("reading the quarantine of dataset %d: %w", row.Dataset, err)
	}
	h.Since, h.Rejected = row.Since, row.File == ""
	return h, nil
}

// quarantineVintage replaces the dataset's quarantined vintage by a publication, unless
// that is the same vintage or was rejected.
func (s *Store) quarantineVintage(ctx context.Context, p publication) (Result, error) {
	result := Result{Status: Quarantined, ID: p.ID, Vintage: p.previous.Vintage}
	before, known, err := s.catalog.Quarantined(ctx, p.ID)
	if err != nil {
		return Result{}, err
	}
	if known && before.Digest == p.info.Digest {
		if result.Quarantined, err = parseQuarantined(before); err != nil {
			return Result{}, err
		}
		if result.Quarantined.Rejected {
			return result, nil
		}
		if b, err := s.quarantine.Open(ctx, before.File, blob.Part); err == nil {
			b.Close()
			if result.Quarantined.Against == p.info.Quarantine.Against {
				return result, nil
			}
		}
	}
	if err := p.info.describe(p.contents, s.timestamp()); err != nil {
		return Result{}, err
	}
	result.Quarantined = newQuarantined(p.Dataset, p.info)
	if err := s.storeQuarantined(ctx, p, result.Quarantined); err != nil {
		return Result{}, fmt.Errorf("quarantining dataset %s: %w", p.Code, err)
	}
	return result, nil
}

// storeQuarantined writes the file and the row of a quarantined vintage.
func (s *Store) storeQuarantined(ctx context.Context, p publication, h *QuarantinedVintage) error {
	staged, err := p.stage(s.quarantine)
	if err != nil {
		return err
	}
	defer staged.Discard()
	// Each file has a unique key, so that it can be deleted without the lock.
	file := fmt.Sprintf("%s%s-%d.parquet", folderOf(p.ID), p.info.Digest[:12], h.Since.UnixNano())
	row, err := h.row(p.info.Digest, file)
	if err != nil {
		return err
	}
	var before catalog.Quarantined
	err = s.catalog.ChangeQuietly(ctx, func(ch *catalog.Change) error {
		if err := s.beginChange(ctx, ch, p); err != nil {
			return err
		}
		if before, _, err = ch.Quarantined(ctx, p.ID); err != nil {
			return err
		}
		if err := ch.PutQuarantined(ctx, row); err != nil {
			return err
		}
		return staged.SaveAs(file)
	})
	if err == nil && before.File != file {
		s.deleteQuarantined(before.File)
	}
	return err
}

// deleteQuarantined deletes a file without a row. After an error, the next import does.
func (s *Store) deleteQuarantined(file string) {
	if file == "" {
		return
	}
	if err := s.quarantine.Delete(file); err != nil {
		s.log.Warn("deleting a file from quarantine", "file", file, "error", err)
	}
}

// emptyQuarantine deletes the row of a dataset's quarantined vintage within the
// change that publishes its next import. It returns the file to delete afterwards.
func (s *Store) emptyQuarantine(ctx context.Context, ch *catalog.Change, p publication) (file string, err error) {
	if p.by == person {
		return "", nil
	}
	row, known, err := ch.Quarantined(ctx, p.ID)
	if err != nil {
		return "", err
	}
	if p.quarantineFile != "" && row.File != p.quarantineFile {
		return "", stat.Errorf(stat.Conflict, "the quarantine of dataset %d has just changed: check it with `almanac dataset show %d`, then accept it again", p.ID, p.ID)
	}
	if !known {
		return "", nil
	}
	return row.File, ch.DropQuarantined(ctx, p.ID)
}

// confirm handles a publication that changes nothing but, perhaps, when the source updates the data
// next. It empties the quarantine, because the office no longer publishes those data.
func (s *Store) confirm(ctx context.Context, p publication) (Result, error) {
	result := Result{Status: Unchanged, ID: p.ID, Vintage: p.previous.Vintage}
	var err error
	if result.IsRepaired, err = s.repair(ctx, p); err != nil {
		return result, err
	}
	if e := s.Catalog().Entry(p.ID); e != nil && !p.Dataset.NextUpdate.IsZero() && !p.Dataset.NextUpdate.Equal(e.NextUpdate) {
		if err := s.catalog.Change(ctx, s.timestamp(), func(ch *catalog.Change) error {
			return ch.SetNextUpdate(ctx, p.ID, momentText(p.Dataset.NextUpdate))
		}); err != nil {
			return result, err
		}
		s.published.Add(1)
	}
	if _, known, err := s.catalog.Quarantined(ctx, p.ID); err != nil || !known || p.by == person {
		return result, err
	}
	var file string
	err = s.catalog.ChangeQuietly(ctx, func(ch *catalog.Change) (err error) {
		if err := s.deleteOrphans(ctx, ch, p.ID); err != nil {
			return err
		}
		file, err = s.emptyQuarantine(ctx, ch, p)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	s.deleteQuarantined(file)
	return result, nil
}

// Quarantined lists the vintages in quarantine, ordered by dataset.
func (s *Store) Quarantined(ctx context.Context) ([]QuarantinedVintage, error) {
	rows, err := s.catalog.ListQuarantined(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]QuarantinedVintage, len(rows))
	for i, row := range rows {
		h, err := parseQuarantined(row)
		if err != nil {
			return nil, err
		}
		list[i] = *h
	}
	return list, nil
}

// QuarantinedVintage returns the quarantined vintage of a dataset, nil if there is none.
func (s *Store) QuarantinedVintage(ctx context.Context, id int) (*QuarantinedVintage, error) {
	row, known, err := s.catalog.Quarantined(ctx, id)
	if err != nil || !known || row.File == "" {
		return nil, err
	}
	return parseQuarantined(row)
}

// HeldVersion is the version of a vintage in quarantine, which gets a number when it is accepted.
const HeldVersion = "quarantine"

// OpenQuarantined opens the quarantined vintage of a dataset, to compare it with the current one. Its texts are in the language of
// its dataset. The error is [stat.NotFound] if there is none.
func (s *Store) OpenQuarantined(ctx context.Context, id int) (*Vintage, error) {
	row, err := s.quarantineRow(ctx, id)
	if err != nil {
		return nil, err
	}
	current, err := s.Vintage(ctx, id)
	if err != nil {
		return nil, err
	}
	f, err := openVintageFile(s.quarantine, row.File, blob.Part)
	if err != nil {
		return nil, stat.Wrap(err, "reading the quarantine of dataset %d", id)
	}
	defer f.blob.Close()
	v := &Vintage{
		Vintage: f.info.Vintage, Dataset: f.dataset, LastUpdate: f.info.LastUpdate, Oldest: f.info.Oldest, Newest: f.info.Newest, Periods: f.info.Periods,
		store: s, seq: current.seq + 1, parts: f.info.Parts, file: row.File, isEarlier: true, isHeld: true,
	}
	v.Version = HeldVersion
	for _, axis := range v.Dataset.Axes() {
		v.lists = append(v.lists, newCodeList(axis.Codes))
	}
	return v, nil
}

// quarantineRow returns the row of a dataset's quarantined vintage. The error is
// [stat.NotFound] if there is none.
func (s *Store) quarantineRow(ctx context.Context, id int) (catalog.Quarantined, error) {
	if _, err := s.current(ctx, id); err != nil {
		return catalog.Quarantined{}, err
	}
	row, known, err := s.catalog.Quarantined(ctx, id)
	switch {
	case err != nil:
		return row, err
	case !known:
		return row, stat.Errorf(stat.NotFound, "dataset %d has no update in quarantine; `almanac dataset quarantined` lists the datasets that have one", id)
	case row.File == "":
		return row, stat.Errorf(stat.NotFound, "dataset %d has no update in quarantine: the last one was rejected on %s and deleted; to publish it anyway, import the file again with --accept",
			id, row.Since.Format(time.DateOnly))
	}
	return row, nil
}

// Accept publishes the quarantined vintage of a dataset as the version after the
// current one. It keeps what a curator has set since.
func (s *Store) Accept(ctx context.Context, id int) (Result, error) {
	row, err := s.quarantineRow(ctx, id)
	if err != nil {
		return Result{}, err
	}
	p, err := s.openQuarantined(row)
	if err != nil {
		return Result{}, err
	}
	return s.publish(ctx, p)
}

func (s *Store) openQuarantined(row catalog.Quarantined) (p publication, err error) {
	f, err := openVintageFile(s.quarantine, row.File, blob.Whole)
	if errors.Is(err, fs.ErrNotExist) {
		return p, stat.Errorf(stat.NotFound, "the quarantined file of dataset %d is missing: import it again", row.Dataset)
	}
	if err == nil {
		var o *observations
		o, err = s.observationsOf(f)
		p = publication{contents: contents{Dataset: f.dataset, observations: o, parts: f.info.Parts}, by: accepted, quarantineFile: row.File}
	}
	return p, stat.Wrap(err, "reading the quarantine of dataset %d", row.Dataset)
}

// Reject deletes the quarantined vintage of a dataset and returns its description.
// Its digest is remembered, so that the same data are not quarantined again.
func (s *Store) Reject(ctx context.Context, id int) (*QuarantinedVintage, error) {
	row, err := s.quarantineRow(ctx, id)
	if err != nil {
		return nil, err
	}
	err = s.catalog.ChangeQuietly(ctx, func(ch *catalog.Change) error {
		now, known, err := ch.Quarantined(ctx, id)
		if err != nil {
			return err
		}
		if !known || now.File != row.File {
			return stat.Errorf(stat.Conflict, "the quarantine of dataset %d has just changed: check it with `almanac dataset show %d`, then reject it again", id, id)
		}
		now.File, now.Since = "", s.now()
		return ch.PutQuarantined(ctx, now)
	})
	if err != nil {
		return nil, err
	}
	s.deleteQuarantined(row.File)
	return parseQuarantined(row)
}

// keepCurated applies to a quarantined or an earlier vintage what a curator has set or reset
// since.
func keepCurated(d, current *stat.Dataset) {
	for name := range d.Curated {
		if _, still := current.Curated[name]; !still {
			*d.Text(name) = *current.Text(name)
		}
	}
	d.Curated = nil
	for name, text := range current.Curated {
		d.Curate(name, text)
	}
	for _, axis := range d.Axes() {
		for _, known := range current.Axes() {
			if known.ID == axis.ID {
				axis.Default = known.Default
			}
		}
	}
}
