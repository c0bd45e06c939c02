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
// maxMatches is the most datasets of one watch.
const (
	maxListed  = 5_000_000
	maxMatches = 200_000
)

// list is the relevant part of an office's list of contents.
type list struct {
	read     time.Time
	hasTimes bool // some entries tell when the dataset changed
	whole    bool // all of it was read, not only some folders
	// stretch is the random factor of the interval until the next reading.
	stretch float64
	// entries are the entries of items and of matches, by code in lower case.
	entries map[string]source.Entry
}

func (l *list) entry(code string) *source.Entry {
	if l == nil {
		return nil
	}
	if e, ok := l.entries[strings.ToLower(code)]; ok {
		return &e
	}
	return nil
}

// readList reads an office's list of contents once, and finds the matches of
// expansions and the entries of items. From servers that list folder by folder it
// only reads the folders of the expansions. If a folder cannot be read, the errors
// of its expansions say so; the returned error is an outage of the office or a
// local fault.
func (u *Updater) readList(ctx context.Context, o source.Office, expansions []*expansion, items []watch.Item) (*list, error) {
	l := &list{read: u.options.Now(), stretch: u.randomFactor(), entries: map[string]source.Entry{}}
	isItem := map[string]bool{}
	for _, it := range items {
		isItem[strings.ToLower(codeOf(it))] = true
	}
	byFolder := map[string][]*expansion{}
	var folders []string
	if !o.Walked("") {
		folders = append(folders, "")
	}
	for _, x := range expansions {
		folder := folderOf(o, x.scope)
		if !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
		byFolder[folder] = append(byFolder[folder], x)
	}
	for _, folder := range folders {
		err := u.readFolder(ctx, o, folder, func(e source.Entry) {
			l.hasTimes = l.hasTimes || !e.Updated.IsZero()
			e.Description, e.Others = "", nil // nobody needs them here
			code := strings.ToLower(e.Code)
			keep := isItem[code]
			for _, x := range byFolder[folder] {
				keep = x.add(e) || keep
			}
			if keep {
				l.entries[code] = e
			}
		})
		switch f := faultOf(err); {
		case err == nil:
			l.whole = l.whole || folder == ""
		case ctx.Err() != nil, f == faultOutage, f == faultLocal:
			return nil, err
		default:
			u.options.Log.Warn("reading a part of a list of contents failed", "office", o.ID, "below", folder, "error", err)
			for _, x := range byFolder[folder] {
				x.fail(err)
			}
		}
	}
	for _, x := range expansions {
		x.matches = distinct(x.matches, func(e source.Entry) string { return strings.ToLower(e.Code) })
	}
	return l, nil
}

// add adds an entry of the expansion's folder if it matches.
func (x *expansion) add(e source.Entry) (isMatch bool) {
	if x.isSingle() {
		x.suggest(e.Code)
	}
	switch {
	case x.err != nil || x.theme == "" && !x.scope.matches(e):
		return false
	case len(x.matches) == maxMatches:
		x.fail(stat.Errorf(stat.Refused, "%s matches more than %d datasets; watch a part of them", x.scope, maxMatches))
		return false
	}
	x.matches = append(x.matches, e)
	return true
}

// fail records why the matches could not be found. The first reason counts.
func (x *expansion) fail(err error) {
	if x.err == nil {
		x.err, x.matches = err, nil
	}
}

// Limits of suggestions: their number, and the length of codes.
const (
	maxSuggestions   = 3
	maxSuggestedCode = 100
)

// suggest considers a code for suggestions: those that contain the missing code,
// else similar ones.
func (x *expansion) suggest(code string) {
	switch {
	case len(x.Code) > maxSuggestedCode || len(code) > maxSuggestedCode || slices.Contains(x.containing, code):
	case !strings.Contains(strings.ToLower(code), strings.ToLower(x.Code)):
		x.similar = stat.Nearest(x.Code, append(x.similar, code))
	case len(x.containing) < maxSuggestions:
		x.containing = append(x.containing, code)
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

func (u *Updater) readFolder(ctx context.Context, o source.Office, folder string, take func(source.Entry)) error {
	n := 0
	for e, err := range u.options.Sources.Server(o.ID).Contents(ctx, source.Filter{Under: folder}) {
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

func codeOf(it watch.Item) string {
	if it.Office == "" {
		return it.Ref
	}
	return strings.TrimPrefix(it.Ref, it.Office+":")
}
