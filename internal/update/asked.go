package update

import (
	"context"
	"fmt"
	"slices"
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
	s, entries, err := k.offered(ctx, s)
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

// offered checks a scope against its office's list, and returns the datasets
// that it stands for, and itself in the office's spelling.
func (k *Keeper) offered(ctx context.Context, s scope) (scope, []source.Entry, error) {
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

// chosen is what a round is to do for one office.
type chosen struct {
	office  source.Office // the zero one for plain addresses
	known   watch.Office
	watches []watch.Watch // to be expanded, with their scopes
	scopes  []scope
	items   []watch.Item
	byName  bool // somebody asked for these: due or not, out or not
}

// choose finds what a round is to do: what is due, or what is asked for. Offices
// that are passed over have nothing due.
func (k *Keeper) choose(ctx context.Context, refs []string, passed map[string]bool) ([]*chosen, error) {
	all := &choices{keeper: k, byOffice: map[string]*chosen{}}
	known, err := k.options.Watches.Offices(ctx)
	if err != nil {
		return nil, err
	}
	now := k.options.Now()
	for _, o := range known {
		if now.Before(o.Until) && !waits(o.Until, now) {
			if err := k.options.Watches.Resumes(ctx, o.ID); err != nil {
				return nil, err
			}
			o.Until, o.Next = time.Time{}, now
		}
		all.of(o.ID).known = o
	}
	watches, err := k.options.Watches.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		err = all.due(ctx, watches, passed)
	}
	for _, ref := range refs {
		if err = all.named(ctx, ref, watches); err != nil {
			break
		}
	}
	all.inOrder = slices.DeleteFunc(all.inOrder, func(c *chosen) bool { return len(c.items) == 0 && len(c.scopes) == 0 })
	return all.inOrder, err
}

// choices are what is chosen, by office.
type choices struct {
	keeper   *Keeper
	byOffice map[string]*chosen
	inOrder  []*chosen
}

func (c *choices) of(office string) *chosen {
	one := c.byOffice[office]
	if one == nil {
		o, _ := c.keeper.options.Sources.Office(office)
		one = &chosen{office: o, known: watch.Office{ID: office}}
		c.byOffice[office], c.inOrder = one, append(c.inOrder, one)
	}
	return one
}

func (c *choices) add(items []watch.Item) {
	for _, it := range items {
		one := c.of(it.Office)
		one.items = append(one.items, it)
	}
}

func (c *choices) expand(w watch.Watch, s scope) {
	one := c.of(s.Office)
	one.watches, one.scopes = append(one.watches, w), append(one.scopes, s)
}

// due chooses what is due, the office whose items are longest due first.
func (c *choices) due(ctx context.Context, watches []watch.Watch, passed map[string]bool) error {
	now := c.keeper.options.Now()
	for _, w := range watches {
		s, err := c.keeper.scopeOf(w.Ref)
		if err != nil {
			c.keeper.options.Log.Warn("a watch that is not understood any more", "ref", w.Ref, "error", err)
			continue
		}
		out := s.Office != "" && waits(c.of(s.Office).known.Until, now)
		if !passed[s.Office] && !out && c.keeper.expandable(w, s, now) {
			c.expand(w, s)
		}
	}
	for _, one := range c.inOrder {
		if next := one.known.Next; passed[one.known.ID] || next.IsZero() || !(watch.Item{Due: next}).IsDue(now) {
			continue
		}
		items, err := c.keeper.options.Watches.Due(ctx, one.known.ID, now)
		if err != nil {
			return err
		}
		one.items = c.keeper.free(items)
	}
	slices.SortStableFunc(c.inOrder, func(a, b *chosen) int { return a.known.Next.Compare(b.known.Next) })
	return nil
}

// expandable reports whether it is time to look what a watch stands for.
func (k *Keeper) expandable(w watch.Watch, s scope, now time.Time) bool {
	if w.Expanded.IsZero() || w.Expanded.After(now) {
		return true // another process was killed before it said, or its clock was wrong
	}
	o, _ := k.options.Sources.Office(s.Office)
	return !s.single() && !now.Before(w.Expanded.Add(span(w.Every, o)))
}

// named chooses what somebody asks for: an office, a watch, or the items that a
// reference stands for.
func (c *choices) named(ctx context.Context, ref string, watches []watch.Watch) error {
	db := c.keeper.options.Watches
	if o, ok := c.keeper.options.Sources.Office(strings.ToLower(ref)); ok {
		ref = o.ID + ":*"
	}
	s, err := c.keeper.scopeOf(ref)
	if err != nil {
		return err
	}
	found := false
	for _, w := range watches {
		ws, err := c.keeper.scopeOf(w.Ref)
		if err != nil || ws.Office != s.Office || !strings.EqualFold(w.Ref, s.String()) && s.Code != "*" {
			continue
		}
		found = true
		if !ws.single() || w.Expanded.IsZero() {
			c.expand(w, ws)
		}
		if ws.single() {
			continue // its item is found below
		}
		items, err := db.Of(ctx, w.Ref)
		if err != nil {
			return err
		}
		c.add(items)
	}
	items, err := c.keeper.itemsOf(ctx, s)
	if err != nil {
		return err
	}
	c.add(items)
	if !found && len(items) == 0 {
		return stat.Errorf(stat.NotFound, "%s is not watched: `almanac watch add %s` keeps it up to date, `almanac import %s` fetches it once", s, s, s)
	}
	c.of(s.Office).byName = true
	return nil
}

// itemsOf are the items that a scope takes; of a single dataset the one that is
// spelt like it, if there is one.
func (k *Keeper) itemsOf(ctx context.Context, s scope) ([]watch.Item, error) {
	if s.single() {
		items, err := k.options.Watches.Items(ctx, s.String())
		if err != nil || len(items) > 0 || s.Office == "" {
			return items, err
		}
	}
	items, err := k.options.Watches.OfOffice(ctx, s.Office)
	return slices.DeleteFunc(items, func(it watch.Item) bool { return !s.takes(source.Entry{Code: codeOf(it)}) }), err
}
