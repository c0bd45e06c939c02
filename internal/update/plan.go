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

// plan is what a round is to do for one office.
type plan struct {
	office  source.Office // the zero one for plain addresses
	known   watch.Office
	watches []watch.Watch // to be expanded, with their scopes
	scopes  []scope
	items   []watch.Item
	byName  bool // somebody asked for these: due or not, out or not
}

// choose finds what a round is to do: what is due, or what is asked for. Offices
// that are passed over have nothing due.
func (k *Keeper) choose(ctx context.Context, refs []string, passed map[string]bool) ([]*plan, error) {
	all := &planner{Keeper: k, byOffice: map[string]*plan{}}
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
	all.inOrder = slices.DeleteFunc(all.inOrder, func(c *plan) bool { return len(c.items) == 0 && len(c.scopes) == 0 })
	return all.inOrder, err
}

// planner collects the plans, by office.
type planner struct {
	*Keeper
	byOffice map[string]*plan
	inOrder  []*plan
}

func (c *planner) of(office string) *plan {
	one := c.byOffice[office]
	if one == nil {
		o, _ := c.options.Sources.Office(office)
		one = &plan{office: o, known: watch.Office{ID: office}}
		c.byOffice[office], c.inOrder = one, append(c.inOrder, one)
	}
	return one
}

func (c *planner) add(items []watch.Item) {
	for _, it := range items {
		one := c.of(it.Office)
		one.items = append(one.items, it)
	}
}

func (c *planner) expand(w watch.Watch, s scope) {
	one := c.of(s.Office)
	one.watches, one.scopes = append(one.watches, w), append(one.scopes, s)
}

// due chooses what is due, the office whose items are longest due first.
func (c *planner) due(ctx context.Context, watches []watch.Watch, passed map[string]bool) error {
	now := c.options.Now()
	for _, w := range watches {
		s, err := c.scopeOf(w.Ref)
		if err != nil {
			c.options.Log.Warn("a watch that is not understood any more", "ref", w.Ref, "error", err)
			continue
		}
		out := s.Office != "" && waits(c.of(s.Office).known.Until, now)
		if !passed[s.Office] && !out && c.expandable(w, s, now) {
			c.expand(w, s)
		}
	}
	for _, one := range c.inOrder {
		if next := one.known.Next; passed[one.known.ID] || next.IsZero() || !(watch.Item{Due: next}).IsDue(now) {
			continue
		}
		items, err := c.options.Watches.Due(ctx, one.known.ID, now)
		if err != nil {
			return err
		}
		one.items = c.free(items)
	}
	slices.SortStableFunc(c.inOrder, func(a, b *plan) int { return a.known.Next.Compare(b.known.Next) })
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
func (c *planner) named(ctx context.Context, ref string, watches []watch.Watch) error {
	if o, ok := c.options.Sources.Office(strings.ToLower(ref)); ok {
		ref = o.ID + ":*"
	}
	s, err := c.scopeOf(ref)
	if err != nil {
		return err
	}
	found := false
	for _, w := range watches {
		ws, err := c.scopeOf(w.Ref)
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
		items, err := c.options.Watches.Of(ctx, w.Ref)
		if err != nil {
			return err
		}
		c.add(items)
	}
	items, err := c.itemsOf(ctx, s)
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
