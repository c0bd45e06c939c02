package update

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
		return fmt.Errorf("checking %s in the list of %s: %w", x, o.Name, err)
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
		x.Code = listed.Code + x.Code[len(listed.Code):]
		x.matches = []source.Entry{{Code: x.Code, Title: listed.Title}}
	}
	return nil
}

// suggestions returns a hint at codes that are similar to the missing one.
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
		refs[i] = watch.Ref{Office: x.Office, Text: source.Ref{Office: x.Office, Code: e.Code}.String(), Title: e.Title}
	}
	return refs
}
