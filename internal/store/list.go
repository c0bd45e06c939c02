package store

import (
	"cmp"
	"context"
	"encoding/json"
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
	Names      stat.Texts // in other languages; nil if there are none
	Version    string
	LastUpdate time.Time // by the source, else of the import; in the time zone for display
	Imported   time.Time // see [stat.Vintage]

	seq   int
	areas int // ID of the list of areas
}

// Catalog is an immutable list of all datasets at one moment.
type Catalog struct {
	Generation int64     // grows with every change of the store
	Changed    time.Time // when the newest change was published
	Entries    []Entry   // by ascending ID

	areaLists map[int][]string
	memo
}

// Entry returns the entry of a dataset, or nil.
func (c *Catalog) Entry(id int) *Entry {
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
	next.Entries, err = mergeEntries(c.Entries, rows)
	return next, err
}

// mergeEntries applies changed rows to entries. Both are sorted by ID.
func mergeEntries(old []Entry, rows []catalog.Row) ([]Entry, error) {
	merged := make([]Entry, 0, len(old)+len(rows))
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
		updated, err := time.Parse(time.RFC3339, r.LastUpdate)
		if err != nil {
			return nil, fmt.Errorf("reading the time of update of dataset %d: %w", r.ID, err)
		}
		var names stat.Texts
		if r.Names != "" {
			if err := json.Unmarshal([]byte(r.Names), &names); err != nil {
				return nil, fmt.Errorf("reading the names of dataset %d: %w", r.ID, err)
			}
		}
		merged = append(merged, Entry{
			ID: r.ID, Source: r.Source, Code: r.Code, Name: r.Name, Names: names, Version: r.Version,
			LastUpdate: updated, Imported: r.Imported, seq: r.Seq, areas: r.AreaList,
		})
	}
	return append(merged, old...), nil
}
