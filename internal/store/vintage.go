package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/stat"
)

// Vintage is one vintage of a dataset opened for reading; it never changes,
// and a request that holds it sees nothing of later publications.
type Vintage struct {
	stat.Vintage
	Dataset    *stat.Dataset
	LastUpdate time.Time     // the source's own time, else of the import; in the zone to be shown
	Oldest     stat.Period   // first period with a value; zero if there is no value at all
	Newest     stat.Period   // last period with a value
	Default    *stat.Latest  // the default series and its latest values; nil if there is no value at all
	Periods    []stat.Period // all periods that occur, in order

	store *Store
	seq   int
	parts int // of the file that it was read from; 0: not known
	file  string
	lists []*codeList // of each axis
	memo  memo

	loading       sync.Mutex
	loadingBehind atomic.Bool // somebody has begun to load all observations
	columns       atomic.Pointer[columns]
	weight        int64 // bytes counted by the cache, under its lock
}

// structure is the catalog's form of a vintage: the dataset without its code
// lists, and their digests.
type structure struct {
	Dataset *stat.Dataset `json:"dataset"`
	Lists   []string      `json:"lists"` // of each axis
	Info    *vintageInfo  `json:"info"`
}

// packStructure makes the catalog's form of a vintage and its code lists by
// digest.
func packStructure(d *stat.Dataset, info *vintageInfo) (body []byte, lists map[string][]byte, err error) {
	short := *d
	short.Dimensions = append([]stat.Dimension(nil), d.Dimensions...)
	s := structure{Dataset: &short, Info: info}
	lists = map[string][]byte{}
	for _, axis := range short.Axes() {
		codes, err := json.Marshal(axis.Codes)
		if err != nil {
			return nil, nil, fmt.Errorf("writing the codes of %s: %w", axis.ID, err)
		}
		sum := sha256.Sum256(codes)
		digest := hex.EncodeToString(sum[:16])
		lists[digest] = codes
		s.Lists = append(s.Lists, digest)
		axis.Codes = nil
	}
	body, err = json.Marshal(s)
	return body, lists, err
}

// newVintage opens a vintage from the catalog's form of it.
func newVintage(s *Store, file string, body []byte, list func(digest string) (*codeList, error)) (*Vintage, error) {
	var packed structure
	if err := json.Unmarshal(body, &packed); err != nil {
		return nil, fmt.Errorf("reading the structure of %s: %w", file, err)
	}
	v := &Vintage{
		Vintage: packed.Info.Vintage, Dataset: packed.Dataset, LastUpdate: packed.Info.LastUpdate,
		Oldest: packed.Info.Oldest, Newest: packed.Info.Newest, Periods: packed.Info.Periods,
		store: s, seq: packed.Info.Seq, parts: packed.Info.Parts, file: file, weight: int64(4 * len(body)),
	}
	for i, axis := range v.Dataset.Axes() {
		l, err := list(packed.Lists[i])
		if err != nil {
			return nil, err
		}
		axis.Codes = l.codes
		v.lists = append(v.lists, l)
	}
	v.Default = v.latestFrom(packed.Info.Latest)
	return v, nil
}

// latestFrom turns codes into positions.
func (v *Vintage) latestFrom(info *latestInfo) *stat.Latest {
	if info == nil {
		return nil
	}
	latest := &stat.Latest{Period: info.Period, Values: info.Values}
	for axis, id := range info.Key {
		latest.Key = append(latest.Key, v.lists[axis].byID[id])
	}
	areas := v.lists[len(v.lists)-1]
	for _, id := range info.Areas {
		latest.Areas = append(latest.Areas, areas.byID[id])
	}
	return latest
}

// Find returns the position of a code among the codes of axis i of
// [stat.Dataset.Axes]: by label, by a label that was once published, or by
// code; all exact.
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
	pos, ok = l.byID[text]
	return pos, ok
}

// Code returns the position of the code with this ID on axis i of
// [stat.Dataset.Axes].
func (v *Vintage) Code(axis int, id string) (pos int32, ok bool) {
	pos, ok = v.lists[axis].byID[id]
	return pos, ok
}

// Memo returns what make made for key the first time it was asked on this
// vintage: a place for what an encoder derives from it, as long as the vintage
// is in memory. Safe for concurrent use; make may run more than once.
func (v *Vintage) Memo(key any, make func() any) any { return v.memo.get(key, make) }

// Select answers a query with blocks of observations, which it loads if they
// are not in memory.
func (v *Vintage) Select(ctx context.Context, q stat.Query) (*stat.Extract, error) {
	c, err := v.with(q.Select)
	if err != nil {
		return nil, err
	}
	return &stat.Extract{Dataset: v.Dataset, Periods: v.Periods, Blocks: c.extract(ctx, &q)}, nil
}

// LatestOf chooses, as the default series is chosen, among the series that
// remain in a selection (as [stat.Query.Select]), and returns its latest
// values for the areas of the selection. The error is [stat.NotFound] if the
// selection holds no value.
func (v *Vintage) LatestOf(_ context.Context, sel [][]int32) (*stat.Latest, error) {
	c, err := v.with(sel)
	if err != nil {
		return nil, err
	}
	latest := c.latestOf(v.Dataset.Axes(), sel, v.Newest)
	if latest == nil {
		return nil, stat.Errorf(stat.NotFound, "no series of dataset %d has a value for what was asked", v.Dataset.ID)
	}
	return latest, nil
}

// with returns columns that hold at least what a selection wants. If the
// observations are not in memory, a selection that needs only some row groups
// of a large file is answered from these, and the whole is loaded behind the
// answer.
func (v *Vintage) with(sel [][]int32) (*columns, error) {
	if c := v.columns.Load(); c != nil {
		return c, nil
	}
	selects := slices.ContainsFunc(sel, func(codes []int32) bool { return codes != nil })
	if !selects || v.Observations < 2*rowGroupRows {
		return v.load()
	}
	c, err := v.read(sel)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return v.load()
	}
	if v.store.cache.fits(int64(v.Observations)*bytesPerObservation) && v.loadingBehind.CompareAndSwap(false, true) {
		go func() {
			if _, err := v.load(); err != nil {
				v.store.log.Error("loading a dataset", "error", err)
			}
		}()
	}
	return c, nil
}

// load returns all observations, from memory or from the vintage's file.
func (v *Vintage) load() (*columns, error) {
	v.loading.Lock()
	defer v.loading.Unlock()
	if c := v.columns.Load(); c != nil {
		return c, nil
	}
	c, err := v.read(nil)
	if err != nil {
		return nil, err
	}
	v.columns.Store(c)
	v.store.cache.grown(v, c.size())
	return c, nil
}

// read decodes the vintage's file as [readColumns] does.
func (v *Vintage) read(sel [][]int32) (*columns, error) {
	b, err := v.store.blobs.Open(v.file)
	if errors.Is(err, fs.ErrNotExist) { // pruned or removed since it was opened
		return nil, stat.Errorf(stat.Unavailable, "dataset %d has just changed; ask again", v.Dataset.ID)
	}
	var c *columns
	if err == nil {
		defer b.Close()
		c, err = readColumns(b, v.Dataset, v.Periods, sel)
	}
	return c, wrap(fmt.Sprintf("loading dataset %d, version %s", v.Dataset.ID, v.Version), err)
}

// memo keeps what was derived from an immutable value.
type memo struct{ values sync.Map }

func (m *memo) get(key any, make func() any) any {
	if value, ok := m.values.Load(key); ok {
		return value
	}
	value, _ := m.values.LoadOrStore(key, make())
	return value
}
