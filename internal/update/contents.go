package update

import (
	"context"
	"slices"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// Bounds of lists. The one is far above what any office has, so that a list
// without an end ends; the other is what one watch may stand for.
const (
	maxListed = 5_000_000
	maxWanted = 200_000
)

// list is what is kept of an office's list of contents: the entries of the
// datasets that somebody wants, and what each scope takes.
type list struct {
	read  time.Time
	tells bool // when datasets changed
	// stretch is by what the span until the next reading is made longer or
	// shorter by chance.
	stretch float64
	// told are the entries of items, by code in lower case.
	told  map[string]source.Entry
	takes [][]source.Entry // by scope
	near  nearest
}

// entry is what the list says of an item, nil if it is not in it.
func (l *list) entry(code string) *source.Entry {
	if l == nil {
		return nil
	}
	if e, ok := l.told[strings.ToLower(code)]; ok {
		return &e
	}
	return nil
}

// readList reads an office's list of contents once, for some scopes, and for
// the items that it may tell about. Servers that are walked by folder are only
// asked for the folders of the scopes.
func (k *Keeper) readList(ctx context.Context, o source.Office, scopes []scope, items []watch.Item) (*list, error) {
	l := &list{
		read: k.options.Now(), stretch: 1 - jitter + 2*jitter*k.options.Rand(),
		told: map[string]source.Entry{}, takes: make([][]source.Entry, len(scopes)),
	}
	wanted := map[string]bool{}
	for _, it := range items {
		wanted[strings.ToLower(codeOf(it))] = true
	}
	take := func(e source.Entry, below string) error {
		l.tells = l.tells || !e.Updated.IsZero()
		known := wanted[strings.ToLower(e.Code)]
		for i, s := range scopes {
			if s.theme != "" && s.theme != below || s.theme == "" && !s.takes(e) {
				continue
			}
			if len(l.takes[i]) == maxWanted {
				return stat.Errorf(stat.Refused, "%s stands for more than %d datasets: watch a part of them", s, maxWanted)
			}
			l.takes[i] = append(l.takes[i], e)
			known = true
		}
		if known {
			l.told[strings.ToLower(e.Code)] = e
		}
		if len(scopes) == 1 && scopes[0].single() {
			l.near.see(scopes[0].Code, e.Code)
		}
		return nil
	}
	for _, below := range questions(o, scopes) {
		if err := k.readPart(ctx, o, below, take); err != nil {
			return nil, err
		}
	}
	for i, some := range l.takes {
		l.takes[i] = once(some)
	}
	return l, nil
}

// questions are the folders that an office's server is asked to list, so that
// all scopes are answered; the empty one is all of the list. Only the server
// knows what stands below a theme: a dataset may stand in several, and the list
// as a whole yields it once.
func questions(o source.Office, scopes []scope) []string {
	var all []string
	if !o.Walked("") {
		all = append(all, "")
	}
	for _, s := range scopes {
		if folder := s.under(); (s.theme != "" || o.Walked(s.Code)) && !slices.Contains(all, folder) {
			all = append(all, folder)
		}
	}
	return all
}

func (k *Keeper) readPart(ctx context.Context, o source.Office, below string, take func(e source.Entry, below string) error) error {
	n := 0
	for e, err := range k.options.Sources.Server(o.ID).Contents(ctx, source.Wanted{Under: below}) {
		if err != nil {
			return err
		}
		if n++; n > maxListed {
			return stat.Errorf(stat.Refused, "the list of %s has more than %d entries", o.Name, maxListed)
		}
		if err := take(e, below); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// once keeps the first of entries with the same code.
func once(entries []source.Entry) []source.Entry {
	seen := map[string]bool{}
	return slices.DeleteFunc(entries, func(e source.Entry) bool {
		key := strings.ToLower(e.Code)
		was := seen[key]
		seen[key] = true
		return was
	})
}

// codeOf is the code of an item as its office knows it.
func codeOf(it watch.Item) string {
	if it.Office == "" {
		return it.Ref
	}
	return strings.TrimPrefix(it.Ref, it.Office+":")
}

// nearest are the codes that are most like one that is not there.
type nearest struct {
	codes []string
	far   []int
}

// maxNear is how many codes are named.
const maxNear = 3

// see looks at one code of the list.
func (n *nearest) see(wanted, code string) {
	if len(wanted) > 100 || len(code) > 100 {
		return
	}
	wanted, lower := strings.ToLower(wanted), strings.ToLower(code)
	far := 0
	if !strings.Contains(lower, wanted) {
		if far = 1 + distance(wanted, lower); far > 1+max(2, len(wanted)/3) {
			return
		}
	}
	at, _ := slices.BinarySearch(n.far, far+1)
	if at >= maxNear || slices.Contains(n.codes, code) {
		return
	}
	n.codes, n.far = slices.Insert(n.codes, at, code), slices.Insert(n.far, at, far)
	if len(n.codes) > maxNear {
		n.codes, n.far = n.codes[:maxNear], n.far[:maxNear]
	}
}

// distance is how many letters must be put in, left out or changed to make one
// text of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // of the row above, one to the left
		row[0] = i + 1
		for j := range len(b) {
			changed := before
			if a[i] != b[j] {
				changed++
			}
			before = row[j+1]
			row[j+1] = min(changed, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
