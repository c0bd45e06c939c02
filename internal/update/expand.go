package update

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/source"
	"almanac/internal/watch"
)

// minItemsForList is the number of due items from which it pays to find out
// whether the office's list tells when datasets changed.
const minItemsForList = 20

// expandWatches reads the office's list of contents if needed, and updates the
// items of the visit. ok is false if the list could not be read.
func (v *visit) expandWatches(ctx context.Context) (ok bool) {
	var listed []*expansion // whose matches are in the list
	for _, x := range v.watches {
		if !x.isSingle() {
			listed = append(listed, x)
			continue
		}
		x.matches = []source.Entry{{Code: x.Code}}
		v.updateWatch(ctx, x)
	}
	if len(listed) == 0 {
		wantsList := v.wantsList()
		if wantsList {
			v.list = v.recentList()
		}
		if !wantsList || v.list != nil {
			return len(v.watches) == 0 || v.canContinue(ctx, v.updateItems(ctx))
		}
	}
	items, err := v.options.Watches.ItemsOfOffice(ctx, v.known.ID)
	if err != nil {
		return v.canContinue(ctx, err)
	}
	if v.list, err = v.readList(ctx, v.office, listed, items); err != nil {
		if ctx.Err() != nil || faultOf(err) == faultLocal {
			return v.canContinue(ctx, err)
		}
		reason := "reading its list of contents failed: " + err.Error()
		v.markUnavailable(ctx, reason, retryAfter(err))
		v.writeEntry(ctx, v.known.ID, failed, reason, true)
		v.postpone(v.outageText(), v.items...)
		return false
	}
	v.keepList(ctx)
	if v.list.whole || slices.ContainsFunc(listed, func(x *expansion) bool { return x.err == nil }) {
		v.noteAnswer(ctx)
	}
	for _, x := range listed {
		if x.err != nil {
			v.noteUnexpanded(ctx, x.watch, "the matching datasets could not be found: "+x.err.Error())
			continue
		}
		v.updateWatch(ctx, x)
	}
	return v.canContinue(ctx, v.updateItems(ctx))
}

// canContinue reports whether the visit can go on: not after an error of the
// database.
func (v *visit) canContinue(ctx context.Context, err error) (ok bool) {
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		v.postpone(roundStopped, v.items...)
	default:
		v.noteError(err)
		v.postpone(err.Error(), v.items...)
	}
	return false
}

// wantsList reports whether reading the office's list may save requests for
// items: it tells when datasets changed, or this is unknown and many are due.
func (v *visit) wantsList() bool {
	if len(v.items) == 0 || v.known.ID == "" || v.office.Walked("") {
		return false
	}
	return v.known.ListHasTimes || v.known.Listed.IsZero() && len(v.items) >= minItemsForList
}

// recentList returns the list that an earlier round read, or nil if it is too old
// for the items that are due.
func (v *visit) recentList() *list {
	v.Updater.mu.Lock()
	defer v.Updater.mu.Unlock()
	l := v.lists[v.known.ID]
	if l == nil || v.byName || l.read.After(v.start) {
		return nil
	}
	for _, it := range v.items {
		if v.start.Sub(l.read) > interval(it.Every, v.office)/2 {
			return nil
		}
	}
	return l
}

// keepList keeps the list for later rounds. It also records if an office seems to
// have none, so that it is not requested again in vain.
func (v *visit) keepList(ctx context.Context) {
	l := v.list
	v.Updater.mu.Lock()
	v.lists[v.known.ID] = l
	v.Updater.mu.Unlock()
	if l.whole || v.known.Listed.IsZero() && !v.office.Walked("") {
		v.noteError(v.options.Watches.RecordList(context.WithoutCancel(ctx), v.known.ID, l.read, l.whole && l.hasTimes))
	}
}

// updateWatch records the datasets of a watch. It reports and drops those that
// the office no longer lists. It drops none if the list lacks all, or more than a
// fifth and more than five: such a list is considered damaged.
func (v *visit) updateWatch(ctx context.Context, x *expansion) {
	ctx = context.WithoutCancel(ctx)
	w, refs := x.watch, x.refs()
	before, err := v.options.Watches.ItemsOf(ctx, w.Ref)
	if err != nil {
		v.noteError(err)
		return
	}
	listed := map[string]bool{}
	for _, ref := range refs {
		listed[ref.Text] = true
	}
	var missing []watch.Ref
	for _, it := range before {
		if !listed[it.Ref] {
			missing = append(missing, watch.Ref{Office: it.Office, Text: it.Ref})
		}
	}
	damage := ""
	if len(missing) > max(5, len(before)/5) || len(missing) > 0 && len(refs) == 0 {
		damage = fmt.Sprintf("the list of %s lacks %d of the %d datasets of this watch; they are kept", v.name(), len(missing), len(before))
		refs = append(refs, missing...)
	}
	_, removed, err := v.options.Watches.Expand(ctx, w.Ref, refs, v.options.Now())
	v.noteError(err)
	if damage != "" || w.Error != "" {
		v.noteUnexpanded(ctx, w, damage)
	}
	for _, ref := range removed {
		v.writeEntry(ctx, ref, vanished, v.name()+" no longer offers it; the stored data are kept", true)
	}
}

// noteUnexpanded records why the datasets of a watch could not be found; an empty
// reason says that they were. The same reason is logged once.
func (v *visit) noteUnexpanded(ctx context.Context, w watch.Watch, reason string) {
	ctx, reason = context.WithoutCancel(ctx), short(reason)
	v.noteError(v.options.Watches.RecordExpandError(ctx, w.Ref, reason, v.options.Now()))
	if reason != "" {
		v.writeEntry(ctx, w.Ref, failed, reason, reason != w.Error)
	}
}

// writeEntry reports an entry that does not belong to a try, counts a failure, and
// logs the entry if it is new.
func (v *visit) writeEntry(ctx context.Context, ref, status, text string, isNew bool) {
	e := v.newEntry(watch.Item{Ref: ref, Office: v.known.ID}, status, text)
	if isNew {
		v.noteError(v.options.Watches.AddEntry(context.WithoutCancel(ctx), e))
	}
	v.report(Event{Ref: e.Ref, Stage: Finished, Entry: &e}, func() {
		if status == failed {
			v.summary.Failed++
		}
	})
}

// updateItems adds items after watches were expanded and a list was read: new
// ones, and those that changed according to the list. If items are requested by
// name, it only adds those of the requested watches.
func (v *visit) updateItems(ctx context.Context) error {
	todo := map[string]bool{} // references
	for _, it := range v.items {
		todo[it.Ref] = true
	}
	for _, x := range v.watches {
		if v.byName {
			for _, ref := range x.refs() {
				todo[ref.Text] = true
			}
		}
	}
	items, err := v.options.Watches.ItemsOfOffice(ctx, v.known.ID)
	if err != nil {
		return err
	}
	now := v.options.Now()
	items = slices.DeleteFunc(items, func(it watch.Item) bool {
		return !todo[it.Ref] && (v.byName || !it.IsDue(now) && !v.isNewerInList(it))
	})
	more := len(items) - len(v.items)
	v.round.mu.Lock()
	v.left += more
	v.summary.Items += more
	v.round.mu.Unlock()
	v.items = items
	return nil
}

// isNewerInList reports whether an item changed since it was fetched, according
// to the list.
func (v *visit) isNewerInList(it watch.Item) bool {
	e, known := v.list.entry(codeOf(it)), stateOf(it).Updated
	return it.Failed == 0 && e != nil && !known.IsZero() && e.Updated.After(known)
}
