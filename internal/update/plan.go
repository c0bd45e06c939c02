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

// expansion is a watch, or a reference to check, whose datasets are to be found.
type expansion struct {
	watch watch.Watch // zero for a reference to check
	scope
	matches []source.Entry
	isPart  bool  // the reference to check is to a part of the listed dataset
	err     error // why the matches could not be found

	containing, similar []string // suggestions for the code of a single dataset
}

// choose returns the visits of a round: to what is due, or what refs request. It
// skips busy offices.
func (u *Updater) choose(ctx context.Context, refs []string, busy map[string]bool) ([]*visit, error) {
	p := &planner{Updater: u, byOffice: map[string]*visit{}}
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
		p.of(o.ID).known = o
	}
	watches, err := u.options.Watches.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		err = p.chooseDue(ctx, watches, busy)
	}
	for _, ref := range refs {
		if err = p.chooseNamed(ctx, ref, watches); err != nil {
			break
		}
	}
	p.visits = slices.DeleteFunc(p.visits, func(v *visit) bool { return len(v.items) == 0 && len(v.watches) == 0 })
	return p.visits, err
}

type planner struct {
	*Updater
	byOffice map[string]*visit
	visits   []*visit
}

func (p *planner) of(office string) *visit {
	if p.byOffice[office] == nil {
		v := p.newVisit(office)
		p.byOffice[office], p.visits = v, append(p.visits, v)
	}
	return p.byOffice[office]
}

func (u *Updater) newVisit(office string) *visit {
	o, _ := u.options.Sources.Office(office)
	return &visit{office: o, known: watch.Office{ID: office}, server: u.options.Sources.Server(office)}
}

func (p *planner) add(items []watch.Item) {
	for _, it := range items {
		v := p.of(it.Office)
		v.items = append(v.items, it)
	}
}

func (p *planner) expand(w watch.Watch, s scope) {
	v := p.of(s.Office)
	v.watches = append(v.watches, &expansion{watch: w, scope: s})
}

// chooseDue adds what is due, the office with the longest due items first.
func (p *planner) chooseDue(ctx context.Context, watches []watch.Watch, busy map[string]bool) error {
	now := p.options.Now()
	for _, w := range watches {
		s, err := p.scopeOf(w.Ref)
		if err != nil {
			p.options.Log.Warn("a watch is no longer valid", "ref", w.Ref, "error", err)
			continue
		}
		out := s.Office != "" && isPaused(p.of(s.Office).known.Until, now)
		if !busy[s.Office] && !out && p.expandable(w, s, now) {
			p.expand(w, s)
		}
	}
	for _, v := range p.visits {
		if next := v.known.Next; busy[v.known.ID] || next.IsZero() || !(watch.Item{Due: next}).IsDue(now) {
			continue
		}
		items, err := p.options.Watches.Due(ctx, v.known.ID, now)
		if err != nil {
			return err
		}
		v.items = p.withoutSkipped(items)
	}
	slices.SortStableFunc(p.visits, func(a, b *visit) int { return a.known.Next.Compare(b.known.Next) })
	return nil
}

// expandable reports whether the datasets of a watch must be found again.
func (u *Updater) expandable(w watch.Watch, s scope, now time.Time) bool {
	if w.Expanded.IsZero() || w.Expanded.After(now) {
		return true // a process was killed before it expanded the watch, or its clock was wrong
	}
	o, _ := u.options.Sources.Office(s.Office)
	return !s.isSingle() && !now.Before(w.Expanded.Add(interval(w.Every, o)))
}

// chooseNamed adds what a reference requests: an office, a watch, or items.
func (p *planner) chooseNamed(ctx context.Context, ref string, watches []watch.Watch) error {
	if o, ok := p.options.Sources.Office(strings.ToLower(ref)); ok {
		ref = o.ID + ":*"
	}
	s, err := p.scopeOf(ref)
	if err != nil {
		return err
	}
	found := false
	for _, w := range watches {
		ws, err := p.scopeOf(w.Ref)
		if err != nil || ws.Office != s.Office || !strings.EqualFold(w.Ref, s.String()) && s.Code != "*" {
			continue
		}
		found = true
		if !ws.isSingle() || w.Expanded.IsZero() {
			p.expand(w, ws)
		}
		if ws.isSingle() {
			continue // its item is found below
		}
		items, err := p.options.Watches.ItemsOf(ctx, w.Ref)
		if err != nil {
			return err
		}
		p.add(items)
	}
	items, err := p.itemsOf(ctx, s)
	if err != nil {
		return err
	}
	p.add(items)
	if !found && len(items) == 0 {
		return stat.Errorf(stat.NotFound, "%s is not watched; `almanac watch add %s` keeps it up to date, `almanac import %s` fetches it once", s, s, s)
	}
	p.of(s.Office).byName = true
	return nil
}

// itemsOf returns the items that match a scope. For a single dataset the exact
// spelling comes before others.
func (u *Updater) itemsOf(ctx context.Context, s scope) ([]watch.Item, error) {
	if s.isSingle() {
		items, err := u.options.Watches.Items(ctx, s.String())
		if err != nil || len(items) > 0 || s.Office == "" {
			return items, err
		}
	}
	items, err := u.options.Watches.ItemsOfOffice(ctx, s.Office)
	return slices.DeleteFunc(items, func(it watch.Item) bool { return !s.matches(source.Entry{Code: codeOf(it)}) }), err
}
