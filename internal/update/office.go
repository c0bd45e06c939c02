package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// An office is out after so many failures in a row: of the kind that passes, or
// of any.
const (
	outages   = 3
	allFailed = 20
)

// visit is a round's business with one office. It belongs to one goroutine.
type visit struct {
	*chosen
	*round
	server source.Server
	list   *list // nil: none was read

	outages, failures int       // in a row
	reason            string    // of the last failure
	until             time.Time // the office is out
}

// callOn does what is to be done of one office: its list of contents, if that is
// needed, then its items one after another.
func (r *round) callOn(ctx context.Context, c *chosen) {
	v := &visit{chosen: c, round: r, server: r.options.Sources.Server(c.known.ID)}
	for _, it := range v.items {
		r.step(it, Waiting, 0)
	}
	now := r.options.Now()
	if v.server != nil && !v.byName && now.Before(v.known.Until) {
		v.until, v.reason = v.known.Until, v.known.Error
		r.failing(r.options.Watches.Postpone(context.WithoutCancel(ctx), v.known.ID, v.until))
		r.postpone(v.whyNot(), v.items...)
		return
	}
	if v.server != nil {
		if err := v.expand(ctx); err != nil {
			v.unlisted(ctx, err)
			return
		}
	}
	// What failed before comes last, or a few that always fail would keep the
	// others from ever being asked for.
	slices.SortFunc(v.items, func(a, b watch.Item) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Failed, b.Failed), cmp.Compare(a.ID, b.ID))
	})
	for i, it := range v.items {
		if ctx.Err() != nil {
			r.postpone(wasEnded, v.items[i:]...)
			return
		}
		if !v.until.IsZero() {
			r.postpone(v.whyNot(), v.items[i:]...)
			return
		}
		v.item(ctx, it)
	}
}

// failing notes an error of the database; the first is that of the round.
func (r *round) failing(err error) {
	if err == nil {
		return
	}
	r.options.Log.Error("keeping datasets up to date", "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

func (v *visit) whyNot() string {
	return fmt.Sprintf("%s is left alone until %s: %s", v.name(), v.until.UTC().Format("2006-01-02 15:04 MST"), v.reason)
}

// name is what people call the office.
func (v *visit) name() string {
	if v.office.Name == "" {
		return "the web"
	}
	return v.office.Name
}

// unlisted ends the visit because the list of contents could not be read.
func (v *visit) unlisted(ctx context.Context, err error) {
	if ctx.Err() != nil {
		v.postpone(wasEnded, v.items...)
		return
	}
	v.reason = "its list of contents cannot be read: " + err.Error()
	var failure *fetch.Error
	errors.As(err, &failure)
	v.out(ctx, failure)
	v.failing(v.options.Watches.Note(context.WithoutCancel(ctx), watch.Entry{
		At: v.options.Now(), Ref: v.known.ID, Office: v.known.ID, Status: failed, Error: v.reason,
	}))
	v.postpone(v.whyNot(), v.items...)
}

// out leaves the office alone from now on. failure may be nil.
func (v *visit) out(ctx context.Context, failure *fetch.Error) {
	now := v.options.Now()
	var after time.Duration
	if failure != nil {
		after = failure.After
	}
	v.until = v.outage(v.known, after, now)
	v.failing(v.options.Watches.Answered(context.WithoutCancel(ctx), v.known.ID, now, v.reason, v.until))
	v.options.Log.Warn("an office is left alone", "office", v.known.ID, "until", v.until, "reason", v.reason)
}

// answered notes that the office answers.
func (v *visit) answered(ctx context.Context) {
	v.outages, v.failures = 0, 0
	if !v.known.Until.IsZero() {
		v.known.Until = time.Time{}
		v.failing(v.options.Watches.Answered(context.WithoutCancel(ctx), v.known.ID, v.options.Now(), "", time.Time{}))
	}
}

// failedWith counts a failure, and finds whether the office is out.
func (v *visit) failedWith(ctx context.Context, err error) {
	var failure *fetch.Error
	errors.As(err, &failure)
	switch {
	case isMissing(err), isRefused(err):
		v.answered(ctx)
		return
	case failure != nil && failure.Outage(), stat.KindOf(err) == stat.Unavailable:
		v.outages++
	default:
		v.outages = 0
	}
	v.failures++
	v.reason = err.Error()
	if v.outages >= outages || v.failures >= allFailed || failure != nil && failure.Outage() && failure.After > 0 {
		v.out(ctx, failure)
	}
}

func isMissing(err error) bool {
	var failure *fetch.Error
	return errors.As(err, &failure) && failure.Reason == fetch.Missing || stat.KindOf(err) == stat.NotFound
}

// isRefused reports whether the office answers, and the dataset cannot be
// fetched as it is.
func isRefused(err error) bool {
	var failure *fetch.Error
	return stat.KindOf(err) == stat.Refused && !errors.As(err, &failure)
}

// expand reads the office's list of contents, if it is needed, and finds what
// is to be done then. The error is that the list could not be read.
func (v *visit) expand(ctx context.Context) error {
	var watches []watch.Watch
	var scopes []scope
	for i, s := range v.scopes {
		if s.single() { // it stands for itself
			v.standsFor(ctx, v.watches[i], []source.Entry{{Code: s.Code}})
			continue
		}
		watches, scopes = append(watches, v.watches[i]), append(scopes, s)
	}
	if len(scopes) == 0 && !v.listTells() {
		return v.chooseAgain(ctx)
	}
	if l := v.lately(); l != nil && len(scopes) == 0 {
		v.list = l
		return nil
	}
	items, err := v.options.Watches.OfOffice(ctx, v.known.ID)
	if err != nil {
		return err
	}
	v.list, err = v.readList(ctx, v.office, scopes, items)
	if stat.KindOf(err) == stat.Refused && len(scopes) == 0 {
		v.list = nil // it has no list after all
		return nil
	}
	if err != nil {
		return err
	}
	v.keep(ctx)
	for i, w := range watches {
		v.standsFor(ctx, w, v.list.takes[i])
	}
	return v.chooseAgain(ctx)
}

// listTells reports whether the office's list may spare questions for items:
// it tells when datasets changed, or has not been read yet.
func (v *visit) listTells() bool {
	if len(v.items) == 0 || v.known.ID == "" || v.office.Walked("") {
		return false
	}
	return v.known.Tells
}

// lately is the list that an earlier round read, if it is new enough for what
// is due; nil if it is not.
func (v *visit) lately() *list {
	v.Keeper.mu.Lock()
	defer v.Keeper.mu.Unlock()
	l := v.lists[v.known.ID]
	if l == nil || v.byName {
		return nil
	}
	for _, it := range v.items {
		if v.began.Sub(l.read) > span(it.Every, v.office)/2 {
			return nil
		}
	}
	return l
}

// keep keeps the list for later rounds.
func (v *visit) keep(ctx context.Context) {
	l := &list{read: v.list.read, tells: v.list.tells, stretch: v.list.stretch, told: v.list.told}
	v.Keeper.mu.Lock()
	v.lists[v.known.ID] = l
	v.Keeper.mu.Unlock()
	if !v.office.Walked("") {
		v.failing(v.options.Watches.Listed(context.WithoutCancel(ctx), v.known.ID, l.read, l.tells))
	}
	v.answered(ctx)
}

// believed is how many datasets a list may lack of those that a watch stood for
// before it is taken for damaged: a fifth, and some.
func believed(before int) int { return max(5, before/5) }

// standsFor writes what a watch stands for now. What the office lists no more is
// told, and is not asked for any more; but a list that lacks too much, or
// everything, takes nothing away.
func (v *visit) standsFor(ctx context.Context, w watch.Watch, entries []source.Entry) {
	ctx = context.WithoutCancel(ctx)
	refs := refsOf(v.known.ID, entries)
	before, err := v.options.Watches.Of(ctx, w.Ref)
	if err != nil {
		v.failing(err)
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
	if len(gone) > believed(len(before)) || len(gone) > 0 && len(refs) == 0 {
		v.note(ctx, w.Ref, failed, fmt.Sprintf("the list of %s lacks %d of the %d datasets that this stands for: they are kept", v.name(), len(gone), len(before)))
		refs = append(refs, gone...)
	}
	_, went, err := v.options.Watches.Expand(ctx, w.Ref, refs, v.options.Now())
	v.failing(err)
	for _, ref := range went {
		v.note(ctx, ref, vanished, v.name()+" does not offer it any more; what is stored of it stays")
	}
}

// note writes a line of the log that is of no try.
func (v *visit) note(ctx context.Context, ref, status, text string) {
	v.failing(v.options.Watches.Note(ctx, watch.Entry{At: v.options.Now(), Ref: ref, Office: v.known.ID, Status: status, Error: text}))
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
		return !todo[it.ID] && (v.byName || it.Due.After(now) && !v.toldNewer(it))
	})
	v.replaced(len(v.items), len(items))
	v.items = items
	return nil
}

// toldNewer reports whether the list says that an item changed since it was
// fetched.
func (v *visit) toldNewer(it watch.Item) bool {
	e := v.list.entry(codeOf(it))
	known := rememberedOf(it).Updated
	return e != nil && it.Failed == 0 && !known.IsZero() && e.Updated.After(known)
}
