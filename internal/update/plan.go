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

// plan is the work of a round for one office.
type plan struct {
	office  source.Office // zero for plain addresses
	known   watch.Office
	watches []*expansion // watches to expand
	items   []watch.Item
	byName  bool // requested by name: also if not due or the office is unavailable
}

// expansion is a watch, or a reference to check, whose datasets are to be found.
type expansion struct {
	watch watch.Watch // zero for a reference to check
	scope
	matches []source.Entry
	err     error // why the matches could not be found

	containing, similar []string // suggestions for the code of a single dataset
}

// choose returns the work of a round: what is due, or what refs request. It
// skips busy offices.
func (u *Updater) choose(ctx context.Context, refs []string, busy map[string]bool) ([]*plan, error) {
	all := &planner{Updater: u, byOffice: map[string]*plan{}}
	known, err := u.options.Watches.Offices(ctx)
	if err != nil {
		return nil, err
	}
	now := u.options.Now()
	for _, o := range known {
		if now.Before(o.Until) && !isPaused(o.Until, now) {
			if err := u.options.Watches.Resume(ctx, o.ID, time.Time{}); err != nil {
				return nil, err
			}
			o.Until, o.Next = time.Time{}, now
		}
		all.of(o.ID).known = o
	}
	watches, err := u.options.Watches.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		err = all.chooseDue(ctx, watches, busy)
	}
	for _, ref := range refs {
		if err = all.chooseNamed(ctx, ref, watches); err != nil {
			break
		}
	}
	all.inOrder = slices.DeleteFunc(all.inOrder, func(c *plan) bool { return len(c.items) == 0 && len(c.watches) == 0 })
	return all.inOrder, err
}

// planner collects the plans of the offices.
type planner struct {
	*Updater
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
	one.watches = append(one.watches, &expansion{watch: w, scope: s})
}

// chooseDue adds what is due, the office with the longest due items first.
func (c *planner) chooseDue(ctx context.Context, watches []watch.Watch, busy map[string]bool) error {
	now := c.options.Now()
	for _, w := range watches {
		s, err := c.scopeOf(w.Ref)
		if err != nil {
			c.options.Log.Warn("a watch is no longer valid", "ref", w.Ref, "error", err)
			continue
		}
		out := s.Office != "" && isPaused(c.of(s.Office).known.Until, now)
		if !busy[s.Office] && !out && c.expandable(w, s, now) {
			c.expand(w, s)
		}
	}
	for _, one := range c.inOrder {
		if next := one.known.Next; busy[one.known.ID] || next.IsZero() || !(watch.Item{Due: next}).IsDue(now) {
			continue
		}
		items, err := c.options.Watches.Due(ctx, one.known.ID, now)
		if err != nil {
			return err
		}
		one.items = c.withoutSkipped(items)
	}
	slices.SortStableFunc(c.inOrder, func(a, b *plan) int { return a.known.Next.Compare(b.known.Next) })
	return nil
}

// expandable reports whether the datasets of a watch must be found again.
func (u *Updater) expandable(w watch.Watch, s scope, now time.Time) bool {
	if w.Expanded.IsZero() || w.Expanded.After(now) {
		return true // a process was killed before it expanded the watch, or its clock was wrong
	}
	o, _ := u.options.Sources.Office(s.Office)
	return !s.single() && !now.Before(w.Expanded.Add(interval(w.Every, o)))
}

// chooseNamed adds what a reference requests: an office, a watch, or items.
func (c *planner) chooseNamed(ctx context.Context, ref string, watches []watch.Watch) error {
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
		return stat.Errorf(stat.NotFound, "%s is not watched; `almanac watch add %s` keeps it up to date, `almanac import %s` fetches it once", s, s, s)
	}
	c.of(s.Office).byName = true
	return nil
}

// itemsOf returns the items that match a scope. For a single dataset the exact
// spelling comes before others.
func (u *Updater) itemsOf(ctx context.Context, s scope) ([]watch.Item, error) {
	if s.single() {
		items, err := u.options.Watches.Items(ctx, s.String())
		if err != nil || len(items) > 0 || s.Office == "" {
			return items, err
		}
	}
	items, err := u.options.Watches.OfOffice(ctx, s.Office)
	return slices.DeleteFunc(items, func(it watch.Item) bool { return !s.matches(source.Entry{Code: codeOf(it)}) }), err
}
