package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/catalog"
)

// Entry is a dataset in the catalogue.
type Entry struct {
	ID         int
	Source     string // the source's ID
	Code       string
	Name       string
	Names      stat.Texts // by language; nil if there is only one
	Version    string
	LastUpdate time.Time // by the source, else of the import; in the time zone for display
	Imported   time.Time // see [stat.Vintage]
	NextUpdate time.Time // see [stat.Dataset]; that of the newest import, even if it changed nothing else

	SourceName   string
	Licence      string           // as the dataset itself states it; empty if it does not
	Attribution  string           // likewise
	Frequencies  []stat.Frequency // from annual to daily; shared, must not be changed
	Oldest       stat.Period      // first period with a value; zero if there are no values
	Newest       stat.Period      // last period with a value
	Observations int
	Versions     int // number of vintages that are kept

	seq   int
	areas int // ID of the list of areas
}

// cacheKey identifies the dataset's current vintage.
func (e *Entry) cacheKey() cacheKey {
	return cacheKey{e.ID, e.seq, e.Imported.UnixNano(), e.LastUpdate.Unix(), false}
}

// Catalog is an immutable list of all datasets at one moment.
type Catalog struct {
	Generation int64     // grows with every change of the store
	Changed    time.Time // when the newest change was published
	Entries    []Entry   // by ascending ID

	areaLists   map[int][]string
	withoutBulk map[string]bool // sources whose whole datasets are not handed out
	memo
}

// Entry returns the entry of a dataset, or nil.
func (c *Catalog) Entry(id int) *Entry {
	if i := id - 1; i >= 0 && i < len(c.Entries) && c.Entries[i].ID == id { // none before it was removed
		return &c.Entries[i]
	}
	i, ok := slices.BinarySearchFunc(c.Entries, id, func(e Entry, id int) int { return cmp.Compare(e.ID, id) })
	if !ok {
		return nil
	}
	return &c.Entries[i]
}

// With returns the positions in Entries, ascending, of the datasets that include any
// of the areas (in upper or lower case). The caller must not change the slice.
func (c *Catalog) With(areas ...string) []int32 {
	lists := c.Memo(listsKey{}, func() any {
		lists := map[string][]int{}
		for id, list := range c.areaLists {
			for _, area := range list {
				lists[strings.ToUpper(area)] = append(lists[strings.ToUpper(area)], id)
			}
		}
		return lists
	}).(map[string][]int)
	including := map[int]bool{}
	for _, area := range areas {
		for _, list := range lists[strings.ToUpper(area)] {
			including[list] = true
		}
	}
	if len(including) == 0 {
		return nil // not cached: the number of unknown areas is unlimited
	}
	return c.Memo(areasKey(strings.ToUpper(strings.Join(areas, " "))), func() any {
		var positions []int32
		for i := range c.Entries {
			if including[c.Entries[i].areas] {
				positions = append(positions, int32(i))
			}
		}
		return positions
	}).([]int32)
}

// Areas returns the areas of the dataset at a position in Entries, as in available_geo. The
// caller must not change the slice.
func (c *Catalog) Areas(at int) []string {
	list := c.areaLists[c.Entries[at].areas]
	if len(list) == 1 && list[0] == "" {
		return nil // a dataset without a geography
	}
	return list
}

// AllowsBulk reports whether the whole datasets of a source may be handed out.
func (c *Catalog) AllowsBulk(source string) bool { return !c.withoutBulk[source] }

// Find returns the entry of the dataset with a source and code, in upper or lower case, or
// nil.
func (c *Catalog) Find(source, code string) *Entry {
	type codesKey struct{}
	type reference struct{ source, code string } // in lower case
	byCode := c.Memo(codesKey{}, func() any {
		byCode := make(map[reference]int32, len(c.Entries))
		for i := range c.Entries {
			byCode[reference{strings.ToLower(c.Entries[i].Source), strings.ToLower(c.Entries[i].Code)}] = int32(i)
		}
		for i := range c.Entries {
			e := &c.Entries[i]
			listed := reference{strings.ToLower(e.Source), strings.ToLower(stat.ListedCode(e.Source, e.Code))}
			if _, isTaken := byCode[listed]; !isTaken {
				byCode[listed] = int32(i)
			}
		}
		return byCode
	}).(map[reference]int32)
	at, ok := byCode[reference{strings.ToLower(source), strings.ToLower(code)}]
	if !ok {
		return nil
	}
	return &c.Entries[at]
}

// Select returns the positions in Entries, ascending, of the datasets that include an
// area that has accepts. source is the ID of the dataset's source.
func (c *Catalog) Select(has func(source, area string) bool) []int32 {
	type key struct {
		source string
		list   int
	}
	known := map[key]bool{}
	var positions []int32
	for i := range c.Entries {
		k := key{c.Entries[i].Source, c.Entries[i].areas}
		found, ok := known[k]
		if !ok {
			found = slices.ContainsFunc(c.areaLists[k.list], func(area string) bool { return has(k.source, area) })
			known[k] = found
		}
		if found {
			positions = append(positions, int32(i))
		}
	}
	return positions
}

// Keys of the memo.
type (
	listsKey struct{} // the IDs of the lists that include each area, in upper case
	areasKey string   // result of With for areas
)

// refreshed returns an up-to-date catalogue, or c itself if nothing has changed.
func (c *Catalog) refreshed(ctx context.Context, db *catalog.DB) (*Catalog, error) {
	generation, changed, err := db.State(ctx)
	if err != nil {
		return nil, err
	}
	if generation == c.Generation {
		return c, nil
	}
	rows, err := db.Changed(ctx, c.Generation)
	if err != nil {
		return nil, err
	}
	newest := 0
	for id := range c.areaLists {
		newest = max(newest, id)
	}
	// Read the lists after the rows that refer to them.
	lists, err := db.AreaLists(ctx, newest)
	if err != nil {
		return nil, err
	}
	maps.Copy(lists, c.areaLists)
	next := &Catalog{Generation: generation, Changed: changed, areaLists: lists}
	if next.withoutBulk, err = db.WithoutBulk(ctx); err != nil {
		return nil, err
	}
	next.Entries, err = mergeEntries(c.Entries, rows)
	return next, err
}

// mergeEntries applies changed rows to entries. Both are sorted by ID.
func mergeEntries(old []Entry, rows []catalog.Row) ([]Entry, error) {
	merged := make([]Entry, 0, len(old)+len(rows))
	known := sharing{map[string]string{}, map[string][]stat.Frequency{}}
	for _, r := range rows {
		for len(old) > 0 && old[0].ID < r.ID {
			merged, old = append(merged, old[0]), old[1:]
		}
		if len(old) > 0 && old[0].ID == r.ID {
			old = old[1:]
		}
		if r.Seq == 0 {
			continue
		}
		entry, err := known.entry(&r)
		if err != nil {
			return nil, err
		}
		merged = append(merged, entry)
	}
	return append(merged, old...), nil
}

// sharing keeps one copy of what many entries have in common.
type sharing struct {
	texts       map[string]string
	frequencies map[string][]stat.Frequency
}

func (known *sharing) text(text string) string {
	if _, ok := known.texts[text]; !ok {
		known.texts[text] = text
	}
	return known.texts[text]
}

func (known *sharing) entry(r *catalog.Row) (Entry, error) {
	updated, err := time.Parse(time.RFC3339, r.LastUpdate)
	if err != nil {
		return Entry{}, fmt.Errorf("reading the time of update of dataset %d: %w", r.ID, err)
	}
	var names stat.Texts
	if r.Names != "" {
		if err := json.Unmarshal([]byte(r.Names), &names); err != nil {
			return Entry{}, fmt.Errorf("reading the names of dataset %d: %w", r.ID, err)
		}
	}
	e := Entry{
		ID: r.ID, Names: names, Source: known.text(r.Source), Code: r.Code, Name: r.Name, Version: r.Version, LastUpdate: updated, Imported: r.Imported,
		SourceName: known.text(r.SourceName), Licence: known.text(r.Licence), Attribution: known.text(r.Attribution),
		Observations: r.Observations, Versions: r.Versions, seq: r.Seq, areas: r.AreaList,
	}
	if err := errors.Join(e.Oldest.UnmarshalText([]byte(r.Oldest)), e.Newest.UnmarshalText([]byte(r.Newest))); err != nil {
		return Entry{}, fmt.Errorf("reading the periods of dataset %d: %w", r.ID, err)
	}
	if r.NextUpdate != "" {
		if e.NextUpdate, err = time.Parse(time.RFC3339, r.NextUpdate); err != nil {
			return Entry{}, fmt.Errorf("reading the next update of dataset %d: %w", r.ID, err)
		}
	}
	if _, ok := known.frequencies[r.Frequencies]; !ok {
		known.frequencies[r.Frequencies] = parseFrequencies(r.Frequencies)
	}
	e.Frequencies = known.frequencies[r.Frequencies]
	return e, nil
}
