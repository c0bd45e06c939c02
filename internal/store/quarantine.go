package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/catalog"
)

// Held is a vintage in quarantine: an import that took too much away from its
// dataset (guard.go), and waits until a person accepts or rejects it. A dataset
// has at most one.
type Held struct {
	ID           int       `json:"id"`
	Code         string    `json:"code"`
	Name         string    `json:"name"`
	Since        time.Time `json:"since"`   // when it was held, or rejected
	Against      string    `json:"against"` // the version that it was compared with
	Reasons      []string  `json:"reasons"` // what it lacks: "the dimension sex"
	Series       int       `json:"series"`
	Observations int       `json:"observations"`
	Added        int       `json:"added"` // against that version
	Revised      int       `json:"revised"`
	Removed      int       `json:"removed"`

	Rejected bool `json:"-"` // it came again after it was rejected, and does not wait
}

// Lacks is what the vintage lacks, for a sentence.
func (h *Held) Lacks() string { return joinWords(h.Reasons) }

// heldInfo is what the file of a held vintage says of why it is held.
type heldInfo struct {
	Against string   `json:"against"`
	Reasons []string `json:"reasons"`
}

// newHeld describes a held vintage by its file.
func newHeld(d *stat.Dataset, info *vintageInfo) *Held {
	return &Held{
		ID: d.ID, Code: d.Code, Name: d.Name, Since: info.Imported, Against: info.Held.Against, Reasons: info.Held.Reasons,
		Series: info.Series, Observations: info.Observations, Added: info.Added, Revised: info.Revised, Removed: info.Removed,
	}
}

// row is the catalog's form of a held vintage.
func (h *Held) row(digest, file string) (catalog.Quarantined, error) {
	body, err := json.Marshal(h)
	return catalog.Quarantined{Dataset: h.ID, Digest: digest, Since: h.Since, File: file, Body: body}, err
}

func heldOf(row catalog.Quarantined) (*Held, error) {
	h := &Held{}
	if err := json.Unmarshal(row.Body, h); err != nil {
		return nil, fmt.Errorf("reading the quarantine of dataset %d: %w", row.Dataset, err)
	}
	h.Since, h.Rejected = row.Since, row.File == ""
	return h, nil
}

// hold puts a publication into quarantine, in place of what waits of the
// dataset. The same vintage again is not stored twice, and one that was
// rejected not at all.
func (s *Store) hold(ctx context.Context, p publication, info *vintageInfo, previous *Vintage) (Result, error) {
	result := Result{Status: Quarantined, ID: p.ID, Vintage: previous.Vintage}
	before, known, err := s.catalog.Quarantined(ctx, p.ID)
	if err != nil {
		return Result{}, err
	}
	if known && before.Digest == info.Digest {
		if result.Held, err = heldOf(before); err != nil {
			return Result{}, err
		}
		if result.Held.Rejected || result.Held.Against == info.Held.Against && s.holds(before.File) {
			return result, nil
		}
	}
	info.describe(p.contents, s.timestamp())
	result.Held = newHeld(p.Dataset, info)
	if err := s.putHeld(ctx, p, info, previous.seq); err != nil {
		return Result{}, fmt.Errorf("holding dataset %s: %w", p.Code, err)
	}
	return result, nil
}

// putHeld writes the file of a held vintage and its row, if the vintage that it
// was compared with is still the current one.
func (s *Store) putHeld(ctx context.Context, p publication, info *vintageInfo, against int) error {
	staged, err := s.quarantine.Stage(func(to io.Writer) error { return writeFile(to, p.Dataset, info, p.columns) })
	if err != nil {
		return err
	}
	defer staged.Discard()
	// A key of its own for each, so that a file can be deleted without the lock.
	file := fmt.Sprintf("%s%s-%d.parquet", folderOf(p.ID), info.Digest[:12], info.Imported.UnixNano())
	row, err := newHeld(p.Dataset, info).row(info.Digest, file)
	if err != nil {
		return err
	}
	var before catalog.Quarantined
	err = s.catalog.Quietly(ctx, func(ch *catalog.Change) error {
		if err := checkCurrent(ctx, ch, p.ID, against); err != nil {
			return err
		}
		if before, _, err = ch.Quarantined(ctx, p.ID); err != nil {
			return err
		}
		if err := deleteOrphans(s.quarantine, p.ID, map[string]bool{before.File: true}); err != nil {
			return err
		}
		if err := ch.PutQuarantined(ctx, row); err != nil {
			return err
		}
		return staged.Commit(file)
	})
	if err == nil && before.File != file {
		s.dropHeldFile(before.File)
	}
	return err
}

// holds reports whether a file of a held vintage is there.
func (s *Store) holds(file string) bool {
	b, err := s.quarantine.Open(file)
	if err != nil {
		return false
	}
	b.Close()
	return true
}

// dropHeldFile deletes a file that no row names any more. One that stays is an
// orphan.
func (s *Store) dropHeldFile(file string) {
	if file == "" {
		return
	}
	if err := s.quarantine.Delete(file); err != nil {
		s.log.Warn("deleting a file in quarantine", "file", file, "error", err)
	}
}

// settle ends what waits of a dataset whose next import is published: within
// the change that publishes it. It returns the file that can go afterwards.
func (s *Store) settle(ctx context.Context, ch *catalog.Change, p publication) (file string, err error) {
	if p.by == person {
		return "", nil
	}
	row, known, err := ch.Quarantined(ctx, p.ID)
	if err != nil {
		return "", err
	}
	if p.held != "" && row.File != p.held {
		return "", stat.Errorf(stat.Conflict, "another import of dataset %d came into quarantine, or out of it, meanwhile: look at it with `almanac dataset show %d` and accept it again", p.ID, p.ID)
	}
	if err := deleteOrphans(s.quarantine, p.ID, map[string]bool{row.File: true}); err != nil || !known {
		return "", err
	}
	return row.File, ch.DropQuarantined(ctx, p.ID)
}

// unchanged is the result of a publication that changes nothing. What waits of
// the dataset is not what its office publishes any more.
func (s *Store) unchanged(ctx context.Context, p publication, previous *Vintage) (Result, error) {
	result := Result{Status: Unchanged, ID: p.ID, Vintage: previous.Vintage}
	if _, known, err := s.catalog.Quarantined(ctx, p.ID); err != nil || !known || p.by == person {
		return result, err
	}
	var file string
	err := s.catalog.Quietly(ctx, func(ch *catalog.Change) (err error) {
		file, err = s.settle(ctx, ch, p)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	s.dropHeldFile(file)
	return result, nil
}

// Quarantined lists the vintages in quarantine, by dataset.
func (s *Store) Quarantined(ctx context.Context) ([]Held, error) {
	rows, err := s.catalog.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Held, len(rows))
	for i, row := range rows {
		h, err := heldOf(row)
		if err != nil {
			return nil, err
		}
		list[i] = *h
	}
	return list, nil
}

// Held returns the vintage of a dataset that waits in quarantine; nil if none
// does.
func (s *Store) Held(ctx context.Context, id int) (*Held, error) {
	row, known, err := s.catalog.Quarantined(ctx, id)
	if err != nil || !known || row.File == "" {
		return nil, err
	}
	return heldOf(row)
}

// waiting is the row of the vintage of a dataset that waits. The error is
// [stat.NotFound] where none does.
func (s *Store) waiting(ctx context.Context, id int) (catalog.Quarantined, error) {
	if _, err := s.current(ctx, id); err != nil {
		return catalog.Quarantined{}, err
	}
	row, known, err := s.catalog.Quarantined(ctx, id)
	switch {
	case err != nil:
		return row, err
	case !known:
		return row, stat.Errorf(stat.NotFound, "dataset %d has nothing in quarantine; `almanac dataset quarantined` lists what is", id)
	case row.File == "":
		return row, errRejected(id, row.Since)
	}
	return row, nil
}

func errRejected(id int, on time.Time) error {
	return stat.Errorf(stat.NotFound, "dataset %d has nothing in quarantine: what was there was rejected on %s and is gone; to publish it all the same import the file again with --accept",
		id, on.Format(time.DateOnly))
}

// Accept publishes the vintage of a dataset that waits in quarantine, as the
// version after the current one, whatever that is now. What a curator set
// meanwhile stays.
func (s *Store) Accept(ctx context.Context, id int) (Result, error) {
	row, err := s.waiting(ctx, id)
	if err != nil {
		return Result{}, err
	}
	p, err := s.openHeld(row)
	if err != nil {
		return Result{}, err
	}
	return s.publish(ctx, p)
}

// openHeld reads a held vintage as what is to be published.
func (s *Store) openHeld(row catalog.Quarantined) (p publication, err error) {
	f, err := openVintageFile(s.quarantine, row.File)
	if errors.Is(err, fs.ErrNotExist) {
		return p, stat.Errorf(stat.NotFound, "the file of dataset %d in quarantine is gone: import it again", row.Dataset)
	}
	if err == nil {
		defer f.close()
		var c *columns
		c, err = loadColumns(f.File, f.RowGroups(), f.dataset, f.info.Periods)
		p = publication{contents: contents{f.dataset, c, f.info.Parts}, by: accepted, held: row.File}
	}
	return p, wrap(fmt.Sprintf("reading the quarantine of dataset %d", row.Dataset), err)
}

// Reject discards the vintage of a dataset that waits in quarantine, and
// returns what it was. Its digest is remembered, so that nobody is asked about
// the same data again.
func (s *Store) Reject(ctx context.Context, id int) (*Held, error) {
	row, err := s.waiting(ctx, id)
	if err != nil {
		return nil, err
	}
	err = s.catalog.Quietly(ctx, func(ch *catalog.Change) error {
		now, known, err := ch.Quarantined(ctx, id)
		if err != nil {
			return err
		}
		if !known || now.File != row.File {
			return stat.Errorf(stat.Conflict, "what waits of dataset %d has changed meanwhile: look again with `almanac dataset show %d`", id, id)
		}
		now.File, now.Since = "", s.now()
		return ch.PutQuarantined(ctx, now)
	})
	if err != nil {
		return nil, err
	}
	s.dropHeldFile(row.File)
	return heldOf(row)
}

// keepCurated gives a vintage from quarantine what a curator has set of its
// dataset since, or taken back.
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
	set := map[string]string{}
	for _, axis := range current.Axes() {
		set[axis.ID] = axis.Default
	}
	for _, axis := range d.Axes() {
		if code, known := set[axis.ID]; known {
			axis.Default = code
		}
	}
}
