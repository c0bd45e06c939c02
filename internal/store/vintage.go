package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"almanac/internal/stat"
	"almanac/internal/trace"
)

// Vintage is a vintage of a dataset, opened for reading. It never changes, so a
// request that holds it does not see later publications.
type Vintage struct {
	stat.Vintage
	Dataset    *stat.Dataset
	LastUpdate time.Time     // by the source, else of the import; in the time zone for display
	Oldest     stat.Period   // first period with a value; zero if there are no values
	Newest     stat.Period   // last period with a value
	Periods    []stat.Period // all periods that occur, sorted

	store *Store
	seq   int
	parts int // number of parts of its file; 0 if unknown
	file  string
	// fileDigest is the SHA-256 of the file; nil if it is not known yet.
	fileDigest atomic.Pointer[[sha256.Size]byte]
	isVerified atomic.Bool // the file had this digest when it was downloaded first

	lists []*codeList                   // one per axis
	texts map[string]*packedTranslation // by language; see translation.go
	of    *Vintage                      // the stored vintage, if this is a view of it; else nil
	memo                                // what encoders derive from the vintage

	isEarlier bool     // it was opened as an earlier version than the current one
	isHeld    bool     // it is in quarantine
	changes   *Changes // what a view is restricted to; nil: nothing

	chosen       atomic.Pointer[stat.Latest] // the default series; nil if not chosen yet
	loading      sync.Mutex
	isLoadingAll atomic.Bool // in the background
	columns      atomic.Pointer[columns]
	weight       int64 // bytes counted by the cache, guarded by its lock
}

// structure is a vintage as the catalogue stores it: the dataset with the digests of
// its code lists.
type structure struct {
	Dataset *stat.Dataset `json:"dataset"`
	Lists   []string      `json:"lists"` // digests, one per axis
	Info    *vintageInfo  `json:"info"`

	// FileDigest is the SHA-256 of the file; nil if it was published before that was recorded.
	FileDigest []byte `json:"file_digest,omitempty"`

	Translations map[string]*packedTranslation `json:"translations,omitempty"`
}

func (s *Store) newVintage(ctx context.Context, file string, body []byte) (*Vintage, error) {
	var packed structure
	if err := json.Unmarshal(body, &packed); err != nil {
		return nil, fmt.Errorf("reading the structure of %s: %w", file, err)
	}
	v := &Vintage{
		Vintage: packed.Info.Vintage, Dataset: packed.Dataset, LastUpdate: packed.Info.LastUpdate,
		Oldest: packed.Info.Oldest, Newest: packed.Info.Newest, Periods: packed.Info.Periods,
		store: s, seq: packed.Info.Seq, parts: packed.Info.Parts, file: file, texts: packed.Translations, weight: int64(4 * len(body)),
	}
	if len(packed.FileDigest) == sha256.Size {
		digest := [sha256.Size]byte(packed.FileDigest)
		v.fileDigest.Store(&digest)
	}
	for i, axis := range v.Dataset.Axes() {
		l, err := s.codeList(ctx, file, packed.Lists[i])
		if err != nil {
			return nil, err
		}
		axis.Codes = l.codes
		v.lists = append(v.lists, l)
	}
	if l := packed.Info.Latest; l != nil && l.Edition == latestEdition() {
		v.chosen.Store(v.latestFrom(l))
	}
	return v, nil
}

// latestFrom replaces codes by positions.
func (v *Vintage) latestFrom(info *latestInfo) *stat.Latest {
	if info == nil {
		return nil
	}
	latest := &stat.Latest{Rules: info.Rules, Period: info.Period, Values: info.Values, Units: info.Units, Flags: info.Flags}
	for axis, id := range info.Key {
		latest.Key = append(latest.Key, v.lists[axis].byID[id])
	}
	areas := v.lists[len(v.lists)-1]
	for _, id := range info.Areas {
		latest.Areas = append(latest.Areas, areas.byID[id])
	}
	return latest
}

// Find returns the position of a code on an axis of [stat.Dataset.Axes]. The text
// is exactly its label, a former label, the code itself, or a label in another language,
// in this order.
func (v *Vintage) Find(axis int, text string) (pos int32, ok bool) {
	l := v.lists[axis]
	if pos, ok := l.byLabel[text]; ok {
		return pos, true
	}
	d := &v.Dataset.Geography
	if axis < len(v.Dataset.Dimensions) {
		d = &v.Dataset.Dimensions[axis]
	}
	if id, was := d.Former[text]; was {
		pos, ok := l.byID[id]
		return pos, ok
	}
	if pos, ok = l.byID[text]; ok {
		return pos, true
	}
	return v.findTranslated(axis, text)
}

// Position returns the position of the code with an ID on an axis of
// [stat.Dataset.Axes].
func (v *Vintage) Position(axis int, id string) (pos int32, ok bool) {
	pos, ok = v.lists[axis].byID[id]
	return pos, ok
}

// Select answers a query. It loads the observations if they are not in memory.
func (v *Vintage) Select(ctx context.Context, q stat.Query) (*stat.Extract, error) {
	ctx, span := trace.Begin(ctx, "select observations")
	span.SetNumber("almanac.dataset.id", int64(v.Dataset.ID))
	span.Set("almanac.dataset.version", v.Version)
	x, err := v.selectIn(ctx, q)
	span.End(err)
	return x, err
}

func (v *Vintage) selectIn(ctx context.Context, q stat.Query) (*stat.Extract, error) {
	if v.of != nil {
		x, err := v.of.selectChanged(ctx, v.changes, q)
		if err == nil {
			x.Dataset = v.Dataset
			if q.Flags && len(v.Dataset.Notes) > 0 {
				x.Blocks = withNotes(x.Blocks, v.Dataset.Notes)
			}
		}
		return x, err
	}
	x, err := v.extract(ctx, q)
	if err == nil {
		x.KeepEnds(&q)
	}
	return x, err
}

func (v *Vintage) extract(ctx context.Context, q stat.Query) (*stat.Extract, error) {
	if v.isLarge() {
		return v.selectFromDisk(ctx, q)
	}
	c, err := v.columnsFor(ctx, q.Select)
	if err != nil {
		return nil, err
	}
	return &stat.Extract{Dataset: v.Dataset, Periods: v.Periods, Blocks: c.extract(ctx, &q, c.scopeOf(v.subject(), &q))}, nil
}

// Default returns the default series and its latest values, nil if there are no values.
// It is stored with the vintage. If another edition of the rules chose it, it is chosen
// again when first needed.
func (v *Vintage) Default() (*stat.Latest, error) {
	if v.of != nil {
		return v.of.Default()
	}
	if latest := v.chosen.Load(); latest != nil || v.Newest.IsZero() {
		return latest, nil
	}
	latest, err := v.latestOf(nil, stat.LatestLast)
	if err != nil || latest == nil {
		return nil, err
	}
	v.chosen.CompareAndSwap(nil, latest)
	return v.chosen.Load(), nil
}

// LatestOf chooses the default series of a selection (see [stat.Query.Select]) and
// returns its latest values for the selected areas. The error is [stat.NotFound]
// if the selection has no values.
func (v *Vintage) LatestOf(sel [][]int32, mode stat.LatestMode) (*stat.Latest, error) {
	latest, err := v.latestOf(sel, mode)
	if err != nil {
		return nil, err
	}
	if latest == nil {
		return nil, stat.Errorf(stat.NotFound, "no series of dataset %d has a value for this selection", v.Dataset.ID)
	}
	return latest, nil
}

func (v *Vintage) latestOf(sel [][]int32, mode stat.LatestMode) (*stat.Latest, error) {
	if v.of != nil {
		return v.of.latestOf(sel, mode)
	}
	if v.isLarge() {
		o, err := v.stored(context.Background(), sel)
		if err != nil {
			return nil, err
		}
		return o.latestOf(v.subject(), sel, mode)
	}
	c, err := v.columnsFor(context.Background(), sel)
	if err != nil {
		return nil, err
	}
	return c.latestOf(v.subject(), sel, mode), nil
}

// LatestPeriod returns the period that a query with a mode of one period selects, zero if
// the query selects no value.
func (v *Vintage) LatestPeriod(q stat.Query) (stat.Period, error) {
	within, err := v.scopeOf(&q)
	if err != nil || within.hi == 0 {
		return stat.Period{}, err
	}
	return v.Periods[within.hi-1], nil
}

func (v *Vintage) scopeOf(q *stat.Query) (scope, error) {
	if v.of != nil {
		return v.of.changedScope(v.changes, q)
	}
	if v.isLarge() {
		o, err := v.stored(context.Background(), q.Select)
		if err != nil {
			return scope{}, err
		}
		return o.scopeOf(v.subject(), q)
	}
	c, err := v.columnsFor(context.Background(), q.Select)
	if err != nil {
		return scope{}, err
	}
	return c.scopeOf(v.subject(), q), nil
}

func (v *Vintage) subject() *subject { return &subject{v.Dataset, v.LastUpdate, v.Newest} }

// columnsFor returns columns that contain at least the selection. Of a large file that
// is not in memory, it reads the needed row groups, if they are few, and loads the
// whole file in the background.
func (v *Vintage) columnsFor(ctx context.Context, sel [][]int32) (*columns, error) {
	if c := v.columns.Load(); c != nil {
		return c, nil
	}
	selects := slices.ContainsFunc(sel, func(codes []int32) bool { return codes != nil })
	if !selects || v.Observations < 2*rowGroupRows {
		return v.load(ctx)
	}
	c, err := v.read(ctx, sel)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return v.load(ctx)
	}
	if int64(v.Observations)*bytesPerObservation <= v.store.cache.budgetOf(v) && v.isLoadingAll.CompareAndSwap(false, true) {
		go func() {
			if _, err := v.load(context.WithoutCancel(ctx)); err != nil {
				v.store.log.Error("loading a dataset in the background", "error", err)
			}
			v.isLoadingAll.Store(false) // after an error, a later request tries again
		}()
	}
	return c, nil
}

// load returns all observations, from memory or from the file.
func (v *Vintage) load(ctx context.Context) (*columns, error) {
	v.loading.Lock()
	defer v.loading.Unlock()
	if c := v.columns.Load(); c != nil {
		return c, nil
	}
	c, err := v.read(ctx, nil)
	if err != nil {
		return nil, err
	}
	v.columns.Store(c)
	v.store.cache.addBytes(v, c.size())
	return c, nil
}

func (v *Vintage) read(ctx context.Context, sel [][]int32) (*columns, error) {
	b, err := v.openBlob(ctx, useOf(sel))
	if err != nil {
		return nil, err
	}
	defer b.Close()
	c, err := readColumns(b, v.Dataset, v.Periods, sel)
	return c, v.damaged(stat.Wrap(err, "loading dataset %d, version %s", v.Dataset.ID, v.Version))
}

// memo caches what is derived from an immutable value, for the life of that value.
type memo struct{ values sync.Map }

// Memo returns the value for key, created with make when first needed. It is safe for
// concurrent use; make may be called more than once.
func (m *memo) Memo(key any, make func() any) any {
	if value, ok := m.values.Load(key); ok {
		return value
	}
	value, _ := m.values.LoadOrStore(key, make())
	return value
}

// codeList is a list of codes with lookup tables, shared by vintages.
type codeList struct {
	codes   []stat.Code
	byLabel map[string]int32
	byID    map[string]int32
}

// codeList returns the code list with a digest of the vintage with a file, in memory while a vintage
// uses it.
func (s *Store) codeList(ctx context.Context, file, digest string) (*codeList, error) {
	if at, ok := s.codeLists.Load(digest); ok {
		if l := at.(weak.Pointer[codeList]).Value(); l != nil {
			return l, nil
		}
	}
	body, err := s.readList(ctx, file, digest)
	if err != nil {
		return nil, err
	}
	var codes []stat.Code
	if err := json.Unmarshal(body, &codes); err != nil {
		return nil, fmt.Errorf("reading code list %s: %w", digest, err)
	}
	l := newCodeList(codes)
	at := weak.Make(l)
	s.codeLists.Store(digest, at)
	runtime.AddCleanup(l, func(digest string) { s.codeLists.CompareAndDelete(digest, at) }, digest)
	return l, nil
}

func newCodeList(codes []stat.Code) *codeList {
	l := &codeList{codes: codes, byLabel: map[string]int32{}, byID: map[string]int32{}}
	for i, code := range codes {
		l.byLabel[code.Label] = int32(i)
		l.byID[code.ID] = int32(i)
	}
	return l
}
