package update

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/internal/source"
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
	s, entries, err := u.checkScope(ctx, s)
	if err != nil {
		return 0, err
	}
	now := u.options.Now()
	if _, err := u.options.Watches.Add(ctx, s.String(), every, now); err != nil {
		return 0, err
	}
	if _, _, err := u.options.Watches.Expand(ctx, s.String(), refsOf(s.Office, entries), now); err != nil {
		return 0, err
	}
	return len(entries), nil
}

// checkScope checks a scope against its office's list. It returns the matching
// datasets, and the scope in the office's spelling.
func (u *Updater) checkScope(ctx context.Context, s scope) (scope, []source.Entry, error) {
	itself := []source.Entry{{Code: s.Code}}
	if s.Office == "" {
		return s, itself, nil
	}
	o, _ := u.options.Sources.Office(s.Office)
	l, err := u.readList(ctx, o, []scope{s}, nil)
	// A missing folder has no datasets, but a missing list is an error.
	if err == nil && (folderOf(o, s) == "" || !isMissing(l.errs[0])) {
		err = l.errs[0]
	}
	switch {
	case stat.KindOf(err) == stat.Refused && s.single():
		return s, itself, nil // the office has no list: only a fetch can tell
	case err != nil:
		return s, nil, fmt.Errorf("checking %s in the list of %s: %w", s, o.Name, err)
	case len(l.matches[0]) == 0 && s.single():
		return s, nil, stat.Errorf(stat.NotFound, "%s: %s lists no such dataset%s; `almanac source datasets %s --search WORDS` finds them", s, o.Name, l.near, o.ID)
	case len(l.matches[0]) == 0:
		return s, nil, stat.Errorf(stat.NotFound, "%s: no dataset in the list of %s matches; `almanac source datasets %s` lists them", s, o.Name, o.ID)
	}
	if l.whole {
		if err := u.options.Watches.Listed(ctx, o.ID, l.read, l.hasTimes); err != nil {
			return s, nil, err
		}
	}
	if !s.single() {
		return s, l.matches[0], nil
	}
	// If one code is the beginning of another ("EXR" and "EXR/M"), the longer is meant.
	listed := l.matches[0][0]
	for _, e := range l.matches[0] {
		if len(e.Code) > len(listed.Code) {
			listed = e
		}
	}
	s.Code = listed.Code + s.Code[len(listed.Code):]
	return s, []source.Entry{{Code: s.Code, Title: listed.Title}}, nil
}

func (n nearest) String() string {
	if len(n.codes) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(n.codes, ", ") + "?"
}

func refsOf(office string, entries []source.Entry) []watch.Ref {
	refs := make([]watch.Ref, len(entries))
	for i, e := range entries {
		refs[i] = watch.Ref{Office: office, Text: source.Ref{Office: office, Code: e.Code}.String(), Title: e.Title}
	}
	return refs
}
