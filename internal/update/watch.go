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

// Watch checks that what is to be watched exists and adds it; it returns how
// many datasets it stands for. The error is [stat.NotFound] if the office lists
// no such dataset, and names those that are spelt alike.
func (k *Keeper) Watch(ctx context.Context, ref string, every time.Duration) (datasets int, err error) {
	if every < 0 {
		return 0, stat.Errorf(stat.Invalid, "how often %s is looked for is no negative span", ref)
	}
	s, err := k.scopeOf(ref)
	if err != nil {
		return 0, err
	}
	s, entries, err := k.checkScope(ctx, s)
	if err != nil {
		return 0, err
	}
	now := k.options.Now()
	if _, err := k.options.Watches.Add(ctx, s.String(), every, now); err != nil {
		return 0, err
	}
	if _, _, err := k.options.Watches.Expand(ctx, s.String(), refsOf(s.Office, entries), now); err != nil {
		return 0, err
	}
	return len(entries), nil
}

// checkScope checks a scope against its office's list, and returns the datasets
// that it stands for, and itself in the office's spelling.
func (k *Keeper) checkScope(ctx context.Context, s scope) (scope, []source.Entry, error) {
	itself := []source.Entry{{Code: s.Code}}
	if s.Office == "" {
		return s, itself, nil
	}
	o, _ := k.options.Sources.Office(s.Office)
	l, err := k.readList(ctx, o, []scope{s}, nil)
	// A folder that is not there has no datasets; a list that is not there has told
	// nothing.
	if err == nil && (questionOf(o, s) == "" || !isMissing(l.wrong[0])) {
		err = l.wrong[0]
	}
	switch {
	case stat.KindOf(err) == stat.Refused && s.single():
		return s, itself, nil // the office has no list: only fetching will tell
	case err != nil:
		return s, nil, fmt.Errorf("checking %s against what %s offers: %w", s, o.Name, err)
	case len(l.takes[0]) == 0 && s.single():
		return s, nil, stat.Errorf(stat.NotFound, "%s: %s lists no such dataset%s; `almanac source datasets %s --search WORDS` finds them", s, o.Name, l.near, o.ID)
	case len(l.takes[0]) == 0:
		return s, nil, stat.Errorf(stat.NotFound, "%s: nothing that %s lists fits; `almanac source datasets %s` shows what there is", s, o.Name, o.ID)
	}
	if l.whole {
		if err := k.options.Watches.Listed(ctx, o.ID, l.read, l.tells); err != nil {
			return s, nil, err
		}
	}
	if !s.single() {
		return s, l.takes[0], nil
	}
	// Where one code begins like another ("EXR" and "EXR/M"), the longest is meant.
	listed := l.takes[0][0]
	for _, e := range l.takes[0] {
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
