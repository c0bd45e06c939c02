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
	whole bool // all of it was read, and not only some folders
	// stretch is by what the span until the next reading is made longer or
	// shorter by chance.
	stretch float64
	// entries are the entries of items, by code in lower case.
	entries map[string]source.Entry
	takes   [][]source.Entry // by scope
	wrong   []error          // by scope: why what it takes could not be found
	near    nearest
}

// entry is what the list says of an item, nil if it is not in it.
func (l *list) entry(code string) *source.Entry {
	if l == nil {
		return nil
	}
	if e, ok := l.entries[strings.ToLower(code)]; ok {
		return &e
	}
	return nil
}

// readList reads an office's list of contents once, for some scopes, and for
// the items that it may tell about. Servers that are walked by folder are only
// asked for the folders of the scopes. A folder that cannot be read, since the
// office does not have it for instance, is told in the list of its scopes; the
// error is an outage of the office, or a fault here.
func (k *Keeper) readList(ctx context.Context, o source.Office, scopes []scope, items []watch.Item) (*list, error) {
	l := &list{
		read: k.options.Now(), stretch: 1 - jitter + 2*jitter*k.options.Rand(),
		entries: map[string]source.Entry{}, takes: make([][]source.Entry, len(scopes)), wrong: make([]error, len(scopes)),
	}
	wanted := map[string]bool{}
	for _, it := range items {
		wanted[strings.ToLower(codeOf(it))] = true
	}
	var questions []string
	if !o.Walked("") {
		questions = append(questions, "")
	}
	for _, s := range scopes {
		if below := questionOf(o, s); !slices.Contains(questions, below) {
			questions = append(questions, below)
		}
	}
	for _, below := range questions {
		inPart := make([]bool, len(scopes))
		for i, s := range scopes {
			inPart[i] = questionOf(o, s) == below
		}
		err := k.readPart(ctx, o, below, func(e source.Entry) {
			l.tells = l.tells || !e.Updated.IsZero()
			if l.take(scopes, inPart, e) || wanted[strings.ToLower(e.Code)] {
				l.entries[strings.ToLower(e.Code)] = e
			}
		})
		switch {
		case err == nil:
			l.whole = l.whole || below == ""
		case ctx.Err() != nil || isOutage(err) || isLocal(err):
			return nil, err
		default:
			k.options.Log.Warn("a part of a list of contents cannot be read", "office", o.ID, "below", below, "error", err)
			l.failed(inPart, err)
		}
	}
	for i, some := range l.takes {
		l.takes[i] = distinct(some, func(e source.Entry) string { return strings.ToLower(e.Code) })
	}
	return l, nil
}

// take gives an entry to the scopes that it was asked for and that take it, and
// reports whether any does.
func (l *list) take(scopes []scope, inPart []bool, e source.Entry) (taken bool) {
	for i, s := range scopes {
		switch {
		case !inPart[i] || l.wrong[i] != nil || s.theme == "" && !s.takes(e):
			continue
		case len(l.takes[i]) == maxWanted:
			l.wrong[i] = stat.Errorf(stat.Refused, "%s stands for more than %d datasets: watch a part of them", s, maxWanted)
			l.takes[i] = nil
			continue
		}
		l.takes[i] = append(l.takes[i], e)
		taken = true
	}
	if len(scopes) == 1 && scopes[0].single() {
		l.near.see(scopes[0].Code, e.Code)
	}
	return taken
}

// failed says of scopes that what they take could not be found.
func (l *list) failed(inPart []bool, err error) {
	for i, is := range inPart {
		if is && l.wrong[i] == nil {
			l.wrong[i], l.takes[i] = err, nil
		}
	}
}

// questionOf is the folder that an office's server is asked to list for a scope;
// the empty one is all of the list. Only the server knows what stands below a
// theme: a dataset may stand in several, and the list as a whole yields it once.
func questionOf(o source.Office, s scope) string {
	if s.theme != "" || o.Walked(s.Code) {
		return s.under()
	}
	return ""
}

func (k *Keeper) readPart(ctx context.Context, o source.Office, below string, take func(source.Entry)) error {
	n := 0
	for e, err := range k.options.Sources.Server(o.ID).Contents(ctx, source.Filter{Under: below}) {
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
