package update

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// An import by hand waits so long for what another process is fetching, and
// looks so often.
const (
	waitForLock = time.Minute
	lookForLock = 250 * time.Millisecond
)

// Import fetches and imports datasets by reference, watched or not, and tells
// of each outcome as [importer.Importer.Import] does. Outcome.File is the
// reference. What is watched is fetched like anything else, so that it can be told
// what is in it, and its row is brought up to date.
func (k *Keeper) Import(ctx context.Context, refs ...string) []importer.Outcome {
	var outcomes []importer.Outcome
	for i, ref := range refs {
		if ctx.Err() != nil {
			break
		}
		some := k.importOne(ctx, ref, len(refs)-i)
		for _, o := range some {
			if k.options.Import.Report != nil {
				k.options.Import.Report(o)
			}
		}
		outcomes = append(outcomes, some...)
	}
	return outcomes
}

// byHand is one reference that is imported by hand: a visit to its office for
// one job.
type byHand struct {
	*visit
	job  *job
	left int
}

func (k *Keeper) importOne(ctx context.Context, text string, left int) []importer.Outcome {
	s, err := k.scopeOf(text)
	if err == nil && !s.single() {
		err = stat.Errorf(stat.Invalid, "%s stands for several datasets: `almanac watch add %s` and `almanac sync` fetch them all", text, text)
	}
	if err != nil {
		return []importer.Outcome{refusal(text, err.Error())}
	}
	o, _ := k.options.Sources.Office(s.Office)
	ref := s.String()
	h := &byHand{
		visit: &visit{
			chosen: &chosen{office: o, known: watch.Office{ID: s.Office}, byName: true},
			round:  &round{Keeper: k, stored: k.options.Store.Catalog()},
			server: k.options.Sources.Server(s.Office),
		},
		job:  &job{brought: brought{ref: ref, office: o, stated: k.options.Import}, began: k.options.Now()},
		left: left,
	}
	outcomes, err := h.locked(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return []importer.Outcome{refusal(ref, ref+": interrupted, nothing of it is stored")}
	case err != nil:
		return []importer.Outcome{refusal(ref, ref+": "+err.Error())}
	}
	return outcomes
}

// locked fetches and imports with the reference locked.
func (h *byHand) locked(ctx context.Context) (outcomes []importer.Outcome, err error) {
	if h.known, err = h.knownOffice(ctx, h.known.ID); err != nil {
		return nil, err
	}
	if h.isOut(true) {
		return nil, stat.Errorf(stat.Unavailable, "%s", h.whyNot())
	}
	if err := h.find(ctx); err != nil {
		return nil, err
	}
	number := cmp.Or(h.job.item.ID, numberOf(h.job.ref))
	unlock, err := h.wait(ctx, number)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := h.find(ctx); err != nil { // another process may just have fetched it
		return nil, err
	}
	if h.job.folder, err = h.fresh(number); err != nil {
		return nil, err
	}
	defer os.RemoveAll(h.job.folder)
	return h.fetch(ctx)
}

// knownOffice is what is known of an office.
func (k *Keeper) knownOffice(ctx context.Context, id string) (watch.Office, error) {
	offices, err := k.options.Watches.Offices(ctx)
	for _, o := range offices {
		if o.ID == id {
			return o, nil
		}
	}
	return watch.Office{ID: id}, err
}

// find finds the item that the reference is, if it is watched.
func (h *byHand) find(ctx context.Context) error {
	items, err := h.options.Watches.Items(ctx, h.job.ref)
	if err == nil && len(items) == 0 && h.known.ID != "" { // perhaps in another spelling
		items, err = h.options.Watches.OfOffice(ctx, h.known.ID)
		items = slices.DeleteFunc(items, func(it watch.Item) bool { return !strings.EqualFold(it.Ref, h.job.ref) })
	}
	h.job.item = watch.Item{Ref: h.job.ref, Office: h.known.ID}
	if len(items) > 0 {
		h.job.item = items[0]
	}
	if err == nil && h.job.item.ID != 0 {
		h.job.had, err = h.options.Watches.Brought(ctx, h.job.item.ID)
	}
	return err
}

// wait takes the lock of a reference, or waits for who has it.
func (h *byHand) wait(ctx context.Context, number int64) (unlock func(), err error) {
	for waited := time.Duration(0); ; waited += lookForLock {
		unlock, ok, err := h.options.Watches.Lock(number)
		if ok || err != nil {
			return unlock, err
		}
		if waited >= waitForLock {
			return nil, stat.Errorf(stat.Conflict, "another process has been fetching it for more than %v: wait until it has finished", waitForLock)
		}
		if waited == 0 {
			h.tell(Event{Ref: h.job.ref, Stage: Waiting, Left: h.left})
		}
		if err := h.options.Sleep(ctx, lookForLock); err != nil {
			return nil, err
		}
	}
}

// fetch brings the dataset from the office into the store. What came of it is
// written down; that it could not be fetched is the outcome of a refusal.
func (h *byHand) fetch(ctx context.Context) ([]importer.Outcome, error) {
	j := h.job
	h.tell(Event{Ref: j.ref, Stage: Fetching, Left: h.left})
	request := source.Request{Code: codeOf(j.item), Folder: j.folder, Known: source.State{Title: rememberedOf(j.item).Title}}
	if h.options.Import.Source+h.options.Import.Code != "" {
		j.item.ID, j.had = 0, nil // it becomes another dataset than the one that is watched
	}
	d, err := h.bring(ctx, request, func(bytes int64) { h.tell(Event{Ref: j.ref, Stage: Fetching, Bytes: bytes, Left: h.left}) })
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		if h.known.ID != "" && askedFor(err) > 0 {
			h.reason = err.Error()
			h.out(ctx, askedFor(err))
		}
		it, e := h.afterFailure(j, err)
		h.write(ctx, it, e)
		return []importer.Outcome{refusal(j.ref, j.ref+": "+e.Error)}, nil
	}
	h.answered(ctx)
	j.Download = d
	h.tell(Event{Ref: j.ref, Stage: Importing, Bytes: sizeOf(d.Data) + sizeOf(d.Companions), Left: h.left})
	importing, cancel := ending(ctx)
	defer cancel()
	j.claim = func(source, code string, id int) error { return h.Keeper.claim(importing, j, source, code, id) }
	defer h.unclaim(j.item.ID)
	outcomes, lacking := h.imported(importing, j.brought)
	if importing.Err() != nil && worstOf(outcomes) == importer.Refused {
		return nil, importing.Err()
	}
	it, entries := h.afterImport(j, outcomes, lacking)
	h.write(ctx, it, entries...)
	return outcomes, nil
}

// write writes down what came of an import by hand and tells it. An error is
// logged only: what is stored is stored.
func (h *byHand) write(ctx context.Context, it watch.Item, entries ...watch.Entry) {
	if it.ID == 0 {
		it.State = nil
	}
	results := h.result(ctx, h.job, it, entries)
	for i := range entries {
		h.tell(Event{Ref: h.job.ref, Stage: Finished, Bytes: entries[i].Bytes, Entry: &entries[i], Left: h.left - 1})
	}
	if err := h.options.Watches.Finish(context.WithoutCancel(ctx), results); err != nil {
		h.options.Log.Error("writing down an import by hand", "ref", h.job.ref, "error", err)
	}
}
