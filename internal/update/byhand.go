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

// importOne imports one reference by hand: a visit to its office for one job.
// left is how many references are not finished, this one included.
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
	v := &visit{
		plan:   &plan{office: o, known: watch.Office{ID: s.Office}, byName: true},
		round:  &round{Keeper: k, stored: k.options.Store.Catalog(), left: left},
		server: k.options.Sources.Server(s.Office),
	}
	j := &job{download: download{ref: ref, office: o, stated: k.options.Import}, began: k.options.Now()}
	outcomes, err := v.importLocked(ctx, j)
	switch {
	case err != nil && ctx.Err() != nil:
		return []importer.Outcome{refusal(ref, ref+": interrupted, nothing of it is stored")}
	case err != nil:
		return []importer.Outcome{refusal(ref, ref+": "+err.Error())}
	}
	return outcomes
}

// importLocked fetches and imports with the reference locked.
func (v *visit) importLocked(ctx context.Context, j *job) ([]importer.Outcome, error) {
	offices, err := v.options.Watches.Offices(ctx)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(offices, func(o watch.Office) bool { return o.ID == v.known.ID }); i >= 0 {
		v.known = offices[i]
	}
	if v.isOut(true) {
		return nil, stat.Errorf(stat.Unavailable, "%s", v.outageText())
	}
	if err := v.find(ctx, j); err != nil {
		return nil, err
	}
	number := cmp.Or(j.item.ID, numberOf(j.ref))
	unlock, err := v.wait(ctx, j, number)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := v.find(ctx, j); err != nil { // another process may just have fetched it
		return nil, err
	}
	if j.folder, err = v.makeFolder(number); err != nil {
		return nil, err
	}
	defer os.RemoveAll(j.folder)
	return v.fetchByHand(ctx, j)
}

// find finds the item that the job's reference is, if it is watched.
func (v *visit) find(ctx context.Context, j *job) error {
	items, err := v.options.Watches.Items(ctx, j.ref)
	if err == nil && len(items) == 0 && v.known.ID != "" { // perhaps in another spelling
		items, err = v.options.Watches.OfOffice(ctx, v.known.ID)
		items = slices.DeleteFunc(items, func(it watch.Item) bool { return !strings.EqualFold(it.Ref, j.ref) })
	}
	j.item = watch.Item{Ref: j.ref, Office: v.known.ID}
	if len(items) > 0 {
		j.item = items[0]
	}
	if err == nil && j.item.ID != 0 {
		j.had, err = v.options.Watches.DatasetsOfItem(ctx, j.item.ID)
	}
	return err
}

// wait takes the lock of a reference, or waits for who has it.
func (v *visit) wait(ctx context.Context, j *job, number int64) (unlock func(), err error) {
	for waited := time.Duration(0); ; waited += lookForLock {
		unlock, ok, err := v.options.Watches.Lock(number)
		if ok || err != nil {
			return unlock, err
		}
		if waited >= waitForLock {
			return nil, stat.Errorf(stat.Conflict, "another process has been fetching it for more than %v: wait until it has finished", waitForLock)
		}
		if waited == 0 {
			v.step(j.item, Waiting, 0)
		}
		if err := v.options.Sleep(ctx, lookForLock); err != nil {
			return nil, err
		}
	}
}

// fetchByHand brings the dataset from the office into the store. What came of it
// is written down; that it could not be fetched is the outcome of a refusal.
func (v *visit) fetchByHand(ctx context.Context, j *job) ([]importer.Outcome, error) {
	v.step(j.item, Fetching, 0)
	request := source.Request{Code: codeOf(j.item), Folder: j.folder, Known: source.State{Title: stateOf(j.item).Title}}
	if v.options.Import.Source+v.options.Import.Code != "" {
		j.item.ID, j.had = 0, nil // it becomes another dataset than the one that is watched
	}
	d, err := v.fetchInTurn(ctx, request, func(bytes int64) { v.step(j.item, Fetching, bytes) })
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		if v.known.ID != "" && retryAfter(err) > 0 {
			v.reason = err.Error()
			v.out(ctx, retryAfter(err))
		}
		it, e := v.afterFailure(j, err)
		v.finishByHand(ctx, j, it, e)
		return []importer.Outcome{refusal(j.ref, j.ref+": "+e.Error)}, nil
	}
	v.noteAnswer(ctx)
	j.Download = d
	defer v.unclaim(j.item.ID)
	outcomes, it, entries, ended := v.importJob(ctx, j)
	if ended != nil {
		return nil, ended
	}
	v.finishByHand(ctx, j, it, entries...)
	return outcomes, nil
}

// finishByHand writes down what came of an import by hand. An error is logged
// only: what is stored is stored.
func (v *visit) finishByHand(ctx context.Context, j *job, it watch.Item, entries ...watch.Entry) {
	if it.ID == 0 {
		it.State = nil
	}
	j.unlock = func() {} // importLocked does
	v.finish(ctx, j, it, entries)
	v.flush(ctx)
}
