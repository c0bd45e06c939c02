package update

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/source"
	"almanac/internal/watch"
)

// worthAList is how many due items make it worth while to look once whether the
// office's list tells when datasets changed.
const worthAList = 20

// expand reads the office's list of contents, if it is needed, and finds what
// is to be done then. ok is false if nothing is, since the list could not be
// read.
func (v *visit) expand(ctx context.Context) (ok bool) {
	var watches []watch.Watch
	var scopes []scope
	for i, s := range v.scopes {
		if s.single() { // it stands for itself
			v.standsFor(ctx, v.watches[i], []source.Entry{{Code: s.Code}})
			continue
		}
		watches, scopes = append(watches, v.watches[i]), append(scopes, s)
	}
	if len(scopes) == 0 {
		if v.listTells() {
			v.list = v.recentList()
		}
		if v.list != nil || !v.listTells() {
			return len(v.watches) == 0 || v.done(ctx, v.chooseAgain(ctx))
		}
	}
	items, err := v.options.Watches.OfOffice(ctx, v.known.ID)
	if err != nil {
		return v.done(ctx, err)
	}
	if v.list, err = v.readList(ctx, v.office, scopes, items); err != nil {
		v.list = nil
		if isLocal(err) {
			return v.done(ctx, err)
		}
		v.endUnlisted(ctx, err)
		return false
	}
	v.keep(ctx)
	for i, w := range watches {
		if err := v.list.wrong[i]; err != nil {
			v.noteUnexpanded(ctx, w, "it cannot be found what this stands for: "+err.Error())
			continue
		}
		v.standsFor(ctx, w, v.list.takes[i])
	}
	return v.done(ctx, v.chooseAgain(ctx))
}

// done reports whether the visit may go on, which it may not after an error of
// the database.
func (v *visit) done(ctx context.Context, err error) (ok bool) {
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		v.postpone(wasEnded, v.items...)
	default:
		v.noteError(err)
		v.postpone(err.Error(), v.items...)
	}
	return false
}

// listTells reports whether the office's list may spare questions for items: it
// tells when datasets changed; or it has not been read yet, and many are due.
func (v *visit) listTells() bool {
	if len(v.items) == 0 || v.known.ID == "" || v.office.Walked("") {
		return false
	}
	return v.known.Tells || v.known.Listed.IsZero() && len(v.items) >= worthAList
}

// recentList is the list that an earlier round read, if it is new enough for what
// is due; nil if it is not.
func (v *visit) recentList() *list {
	v.Keeper.mu.Lock()
	defer v.Keeper.mu.Unlock()
	l := v.lists[v.known.ID]
	if l == nil || v.byName || l.read.After(v.began) {
		return nil
	}
	for _, it := range v.items {
		if v.began.Sub(l.read) > span(it.Every, v.office)/2 {
			return nil
		}
	}
	return l
}

// keep keeps the list for later rounds. An office that has none, as it seems, is
// not asked for it again only to look whether it tells.
func (v *visit) keep(ctx context.Context) {
	l := &list{read: v.list.read, tells: v.list.tells, whole: v.list.whole, stretch: v.list.stretch, entries: v.list.entries}
	v.Keeper.mu.Lock()
	v.lists[v.known.ID] = l
	v.Keeper.mu.Unlock()
	if l.whole || v.known.Listed.IsZero() && !v.office.Walked("") {
		v.noteError(v.options.Watches.Listed(context.WithoutCancel(ctx), v.known.ID, l.read, l.whole && l.tells))
	}
	if l.whole || slices.Contains(v.list.wrong, nil) {
		v.noteAnswer(ctx)
	}
}

// maxMissing is how many datasets a list may lack of those that a watch stood for
// before it is taken for damaged: a fifth, and some.
func maxMissing(before int) int { return max(5, before/5) }

// standsFor writes what a watch stands for now. What the office lists no more is
// told, and is not asked for any more; but a list that lacks too much, or
// everything, takes nothing away.
func (v *visit) standsFor(ctx context.Context, w watch.Watch, entries []source.Entry) {
	ctx = context.WithoutCancel(ctx)
	refs := refsOf(v.known.ID, entries)
	before, err := v.options.Watches.Of(ctx, w.Ref)
	if err != nil {
		v.noteError(err)
		return
	}
	listed := map[string]bool{}
	for _, ref := range refs {
		listed[ref.Text] = true
	}
	var gone []watch.Ref
	for _, it := range before {
		if !listed[it.Ref] {
			gone = append(gone, watch.Ref{Office: it.Office, Text: it.Ref})
		}
	}
	damage := ""
	if len(gone) > maxMissing(len(before)) || len(gone) > 0 && len(refs) == 0 {
		damage = fmt.Sprintf("the list of %s lacks %d of the %d datasets that this stands for: they are kept", v.name(), len(gone), len(before))
		refs = append(refs, gone...)
	}
	_, went, err := v.options.Watches.Expand(ctx, w.Ref, refs, v.options.Now())
	v.noteError(err)
	if damage != "" || w.Error != "" {
		v.noteUnexpanded(ctx, w, damage)
	}
	for _, ref := range went {
		v.writeEntry(ctx, ref, vanished, v.name()+" does not offer it any more; what is stored of it stays")
	}
}

// noteUnexpanded writes why it could not be said what a watch stands for, or that it
// could. A reason that has been written is not written again.
func (v *visit) noteUnexpanded(ctx context.Context, w watch.Watch, reason string) {
	ctx, reason = context.WithoutCancel(ctx), short(reason)
	v.noteError(v.options.Watches.Unexpanded(ctx, w.Ref, reason, v.options.Now()))
	switch reason {
	case "":
	case w.Error:
		v.tellEntry(v.newEntry(w.Ref, failed, reason))
	default:
		v.writeEntry(ctx, w.Ref, failed, reason)
	}
}

// writeEntry writes a line of the log that is of no try, and tells it.
func (v *visit) writeEntry(ctx context.Context, ref, status, text string) {
	e := v.newEntry(ref, status, text)
	v.noteError(v.options.Watches.Note(context.WithoutCancel(ctx), e))
	v.tellEntry(e)
}

// newEntry is a line of the log that is of no try.
func (v *visit) newEntry(ref, status, text string) watch.Entry {
	return watch.Entry{At: v.options.Now(), Ref: ref, Office: v.known.ID, Status: status, Error: short(text)}
}

// chooseAgain finds the items to do now that watches stand for others than
// before and a list was read: new ones, and those of which the list says that
// they changed. Of what is asked for by name, only those of its watches come.
func (v *visit) chooseAgain(ctx context.Context) error {
	todo := map[int64]bool{}
	for _, it := range v.items {
		todo[it.ID] = true
	}
	for _, w := range v.watches {
		items, err := v.options.Watches.Of(ctx, w.Ref)
		if err != nil {
			return err
		}
		for _, it := range items {
			todo[it.ID] = todo[it.ID] || v.byName
		}
	}
	items, err := v.options.Watches.OfOffice(ctx, v.known.ID)
	if err != nil {
		return err
	}
	now := v.options.Now()
	items = slices.DeleteFunc(items, func(it watch.Item) bool {
		return !todo[it.ID] && (v.byName || !it.IsDue(now) && !v.isNewerInList(it))
	})
	more := len(items) - len(v.items)
	v.count(func() { v.left += more; v.summary.Items += more })
	v.items = items
	return nil
}

// isNewerInList reports whether the list says that an item changed since it was
// fetched.
func (v *visit) isNewerInList(it watch.Item) bool {
	if it.Failed > 0 || v.list == nil {
		return false
	}
	e := v.list.entry(codeOf(it))
	if e == nil || e.Updated.IsZero() {
		return false
	}
	known := stateOf(it).Updated
	return !known.IsZero() && e.Updated.After(known)
}
