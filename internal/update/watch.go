package update

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/offices"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// Watch checks that a reference exists, adds a watch for it, and returns the
// number of matching datasets. The error is [stat.NotFound] if the office lists no
// such dataset, and suggests similar codes.
func (u *Updater) Watch(ctx context.Context, ref string, every time.Duration) (datasets int, err error) {
	if every < 0 {
		return 0, stat.Errorf(stat.Invalid, "invalid interval for %s: must not be negative", ref)
	}
	s, err := u.scopeOf(ref)
	if err != nil {
		return 0, err
	}
	x := &expansion{scope: s}
	if err := u.check(ctx, x); err != nil {
		return 0, err
	}
	now := u.options.Now()
	if _, err := u.options.Watches.Add(ctx, x.String(), every, now); err != nil {
		return 0, err
	}
	_, _, err = u.options.Watches.Expand(ctx, x.String(), x.refs(), now)
	return len(x.matches), err
}

// JoinWatched returns the reference of a dataset's part together with the parts of the same
// dataset that are watched, and the watches of these. It returns other references as they
// are.
func (u *Updater) JoinWatched(ctx context.Context, ref string) (joined string, parts []watch.Watch, err error) {
	watches, err := u.options.Watches.List(ctx)
	if err != nil {
		return ref, nil, err
	}
	for _, w := range watches {
		if both := u.options.Sources.JoinParts([]string{w.Ref, ref}); len(both) == 1 {
			ref, parts = both[0], append(parts, w)
		}
	}
	return ref, slices.DeleteFunc(parts, func(w watch.Watch) bool { return w.Ref == ref }), nil
}

// check finds the matches of a scope in its office's list, and puts the code of a
// single dataset into the office's spelling.
func (u *Updater) check(ctx context.Context, x *expansion) error {
	itself := []source.Entry{{Code: x.Code}}
	if x.Office == "" {
		x.matches = itself
		return nil
	}
	o, _ := u.options.Sources.Office(x.Office)
	l, err := u.readList(ctx, o, []*expansion{x}, nil)
	// A missing folder has no datasets, but a missing list is an error.
	if err == nil && (folderOf(o, x.scope) == "" || faultOf(x.err) != faultMissing) {
		err = x.err
	}
	switch {
	case stat.KindOf(err) == stat.Refused && x.isSingle():
		x.matches = itself // the office has no list: only a fetch can tell
		return nil
	case err != nil:
		return fmt.Errorf("checking %s in the list of %s: %w", x, o.Name, &unreadList{err})
	case len(x.matches) == 0 && x.isSingle():
		return stat.Errorf(stat.NotFound, "%s: %s lists no such dataset%s; `almanac source datasets %s --search WORDS` finds them", x, o.Name, x.suggestions(), o.ID)
	case len(x.matches) == 0:
		return stat.Errorf(stat.NotFound, "%s: no dataset in the list of %s matches; `almanac source datasets %s` lists them", x, o.Name, o.ID)
	}
	if l.whole {
		if err := u.options.Watches.RecordList(ctx, o.ID, l.read, l.hasTimes); err != nil {
			return err
		}
	}
	if x.isSingle() {
		// If one code is the beginning of another ("EXR" and "EXR/M"), the longer is meant.
		listed := slices.MaxFunc(x.matches, func(a, b source.Entry) int { return cmp.Compare(len(a.Code), len(b.Code)) })
		x.isPart = len(x.Code) > len(listed.Code)
		x.Code = listed.Code + x.Code[len(listed.Code):]
		x.matches = []source.Entry{{Code: x.Code, Title: listed.Title}}
	}
	return nil
}

// unreadList is the error of an office's list that cannot be read. So it says nothing about
// a dataset.
type unreadList struct{ error }

func (e *unreadList) Unwrap() error { return e.error }

// suggestions returns a hint with codes that are similar to the missing one.
func (x *expansion) suggestions() string {
	codes := slices.Concat(x.containing, x.similar)
	if len(codes) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(codes[:min(len(codes), maxSuggestions)], ", ") + "?"
}

func (x *expansion) refs() []watch.Ref {
	refs := make([]watch.Ref, len(x.matches))
	for i, e := range x.matches {
		refs[i] = watch.Ref{Office: x.Office, Text: offices.Ref{Office: x.Office, Code: e.Code}.String(), Title: e.Title}
	}
	return refs
}

// scope is the set of datasets of a reference: one dataset, those whose code
// matches a pattern, or those of a theme.
type scope struct {
	offices.Ref
	pattern *regexp.Regexp // if Code contains a *, else nil
	theme   string         // or empty
}

// themeFolder is the folder of themes, as in eurostat:theme/na10.
const themeFolder = "theme"

func (u *Updater) scopeOf(text string) (scope, error) {
	ref, err := u.options.Sources.ParseRef(text)
	if err != nil {
		return scope{}, err
	}
	s := scope{Ref: ref}
	folder, theme, isTheme := strings.Cut(ref.Code, "/")
	isTheme = isTheme && strings.EqualFold(folder, themeFolder)
	switch {
	case ref.Office == "": // a plain address may contain anything
	case isTheme && theme == "":
		return scope{}, stat.Errorf(stat.Invalid, "%q does not name a theme; use %s:%s/CODE", text, ref.Office, themeFolder)
	case isTheme:
		s.theme = theme
	case strings.Contains(ref.Code, "*"):
		// A * matches any characters, slashes included.
		letters := strings.ReplaceAll(regexp.QuoteMeta(ref.Code), `\*`, ".*")
		if s.pattern, err = regexp.Compile("(?is)^" + letters + "$"); err != nil {
			return scope{}, stat.Errorf(stat.Invalid, "invalid pattern %q: %v", text, err)
		}
	}
	return s, nil
}

func (s scope) isSingle() bool { return s.pattern == nil && s.theme == "" }

// matches reports whether a dataset belongs to a scope that is not a theme. A
// folder followed by * (BE/*) matches everything below the folder, even if codes
// are not paths.
func (s scope) matches(e source.Entry) bool {
	if s.pattern == nil {
		return s.theme == "" && sameDataset(s.Code, e.Code)
	}
	folder, ok := strings.CutSuffix(s.Code, "/*")
	return s.pattern.MatchString(e.Code) || ok && isBelow(e, folder)
}

// isBelow reports whether a dataset is below a folder or theme.
func isBelow(e source.Entry, folder string) bool {
	isIt := func(name string) bool { return strings.EqualFold(name, folder) }
	return slices.ContainsFunc(e.Folders, isIt) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isIt)
}

// sameDataset reports whether a code that a user wrote means a listed dataset:
// the whole dataset, or a part selected by a filter after the code
// (EXR/M.USD.EUR.SP00.A).
func sameDataset(written, listed string) bool {
	n := len(listed)
	return n > 0 && len(written) >= n && strings.EqualFold(written[:n], listed) &&
		(len(written) == n || strings.ContainsAny(written[n:n+1], "/?,"))
}

// under returns the folder that contains the whole scope, for servers that list
// folder by folder; "" is the root.
func (s scope) under() string {
	code := s.Code
	switch {
	case s.theme != "":
		return s.theme
	case s.pattern != nil:
		code, _, _ = strings.Cut(s.Code, "*")
	default:
		code, _, _ = strings.Cut(code, "?")
	}
	return strings.TrimSuffix(code[:strings.LastIndexByte(code, '/')+1], "/")
}
