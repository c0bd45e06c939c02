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

// maxListed stops a list without an end: no office has as many datasets.
// maxWanted is the most datasets of one watch.
const (
	maxListed = 5_000_000
	maxWanted = 200_000
)

// list is the relevant part of an office's list of contents: the entries of
// watched datasets, and the matches of each scope.
type list struct {
	read     time.Time
	hasTimes bool // some entries tell when the dataset changed
	whole    bool // all of it was read, not only some folders
	// stretch is the random factor of the interval until the next reading.
	stretch float64
	// entries are the entries of items, by code in lower case.
	entries map[string]source.Entry
	matches [][]source.Entry // by scope
	errs    []error          // by scope: why its matches could not be found
	near    nearest
}

// entry returns the entry with a code, or nil.
func (l *list) entry(code string) *source.Entry {
	if l == nil {
		return nil
	}
	if e, ok := l.entries[strings.ToLower(code)]; ok {
		return &e
	}
	return nil
}

// readList reads an office's list of contents once, for the given scopes and
// items. From servers that list folder by folder it only reads the folders of
// the scopes. If a folder cannot be read, the errors of its scopes say so; the
// returned error is an outage of the office or a local fault.
func (u *Updater) readList(ctx context.Context, o source.Office, scopes []scope, items []watch.Item) (*list, error) {
	l := &list{
		read: u.options.Now(), stretch: 1 - jitter + 2*jitter*u.options.Rand(),
		entries: map[string]source.Entry{}, matches: make([][]source.Entry, len(scopes)), errs: make([]error, len(scopes)),
	}
	wanted := map[string]bool{}
	for _, it := range items {
		wanted[strings.ToLower(codeOf(it))] = true
	}
	var folders []string
	if !o.Walked("") {
		folders = append(folders, "")
	}
	for _, s := range scopes {
		if below := folderOf(o, s); !slices.Contains(folders, below) {
			folders = append(folders, below)
		}
	}
	for _, below := range folders {
		inPart := make([]bool, len(scopes))
		for i, s := range scopes {
			inPart[i] = folderOf(o, s) == below
		}
		err := u.readPart(ctx, o, below, func(e source.Entry) {
			l.hasTimes = l.hasTimes || !e.Updated.IsZero()
			if l.add(scopes, inPart, e) || wanted[strings.ToLower(e.Code)] {
				l.entries[strings.ToLower(e.Code)] = e
			}
		})
		switch {
		case err == nil:
			l.whole = l.whole || below == ""
		case ctx.Err() != nil || isOutage(err) || isLocal(err):
			return nil, err
		default:
			u.options.Log.Warn("reading a part of a list of contents failed", "office", o.ID, "below", below, "error", err)
			l.failed(inPart, err)
		}
	}
	for i, some := range l.matches {
		l.matches[i] = distinct(some, func(e source.Entry) string { return strings.ToLower(e.Code) })
	}
	return l, nil
}

// add adds an entry to the matching scopes of the folder being read, and reports
// whether there is any.
func (l *list) add(scopes []scope, inPart []bool, e source.Entry) (isWanted bool) {
	for i, s := range scopes {
		switch {
		case !inPart[i] || l.errs[i] != nil || s.theme == "" && !s.matches(e):
			continue
		case len(l.matches[i]) == maxWanted:
			l.errs[i] = stat.Errorf(stat.Refused, "%s matches more than %d datasets; watch a part of them", s, maxWanted)
			l.matches[i] = nil
			continue
		}
		l.matches[i] = append(l.matches[i], e)
		isWanted = true
	}
	if len(scopes) == 1 && scopes[0].single() {
		l.near.add(scopes[0].Code, e.Code)
	}
	return isWanted
}

// failed records why the matches of scopes could not be found.
func (l *list) failed(inPart []bool, err error) {
	for i, is := range inPart {
		if is && l.errs[i] == nil {
			l.errs[i], l.matches[i] = err, nil
		}
	}
}

// folderOf returns the folder to list for a scope, "" for the whole list. Only
// the server knows what is below a theme: a dataset may have several themes, and
// the whole list contains it once.
func folderOf(o source.Office, s scope) string {
	if s.theme != "" || o.Walked(s.Code) {
		return s.under()
	}
	return ""
}

func (u *Updater) readPart(ctx context.Context, o source.Office, below string, take func(source.Entry)) error {
	n := 0
	for e, err := range u.options.Sources.Server(o.ID).Contents(ctx, source.Filter{Under: below}) {
		if err != nil {
			return err
		}
		if n++; n > maxListed {
			return stat.Errorf(stat.Refused, "the list of %s has more than %d entries", o.Name, maxListed)
		}
		take(e)
	}
	return ctx.Err()
}

// codeOf returns the office's code of an item.
func codeOf(it watch.Item) string {
	if it.Office == "" {
		return it.Ref
	}
	return strings.TrimPrefix(it.Ref, it.Office+":")
}

// nearest collects the codes that are most similar to a missing one.
type nearest struct {
	codes     []string
	distances []int
}

// maxNear is the number of codes suggested.
const maxNear = 3

func (n *nearest) add(wanted, code string) {
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
	at, _ := slices.BinarySearch(n.distances, far+1)
	if at >= maxNear || slices.Contains(n.codes, code) {
		return
	}
	n.codes, n.distances = slices.Insert(n.codes, at, code), slices.Insert(n.distances, at, far)
	if len(n.codes) > maxNear {
		n.codes, n.distances = n.codes[:maxNear], n.distances[:maxNear]
	}
}

// distance is the number of letters to insert, delete or change to turn one text
// into the other.
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
