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

// How long an import by hand waits for another process, and how often it checks.
const (
	lockTimeout = time.Minute
	lockPoll    = 250 * time.Millisecond
)

// Import fetches and imports datasets by reference, watched or not, and reports
// each outcome as [importer.Importer.Import] does. Outcome.File is the
// reference. It fetches a watched dataset even if nothing changed, and updates
// its row.
func (u *Updater) Import(ctx context.Context, refs ...string) []importer.Outcome {
	var outcomes []importer.Outcome
	for i, ref := range refs {
		if ctx.Err() != nil {
			break
		}
		some := u.importOne(ctx, ref, len(refs)-i)
		for _, o := range some {
			if u.options.Import.Report != nil {
				u.options.Import.Report(o)
			}
		}
		outcomes = append(outcomes, some...)
	}
	return outcomes
}

// importOne imports one reference by hand. left is the number of references that
// are not finished, this one included.
func (u *Updater) importOne(ctx context.Context, text string, left int) []importer.Outcome {
	s, err := u.scopeOf(text)
	if err == nil && !s.single() {
		err = stat.Errorf(stat.Invalid, "%s matches several datasets; `almanac watch add %s` and `almanac sync` fetch them all", text, text)
	}
	if err != nil {
		return []importer.Outcome{refusal(text, err.Error())}
	}
	o, _ := u.options.Sources.Office(s.Office)
	ref := s.String()
	v := &visit{
		plan:   &plan{office: o, known: watch.Office{ID: s.Office}, byName: true},
		round:  &round{Updater: u, stored: u.options.Store.Catalog(), left: left},
		server: u.options.Sources.Server(s.Office),
	}
	j := &job{download: download{ref: ref, office: o, manual: u.options.Import}, start: u.options.Now()}
	outcomes, err := v.importLocked(ctx, j)
	switch {
	case err != nil && ctx.Err() != nil:
		return []importer.Outcome{refusal(ref, ref+": interrupted, nothing was stored")}
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
	if v.isUnavailable(true) {
		return nil, stat.Errorf(stat.Unavailable, "%s", v.outageText())
	}
	if err := v.findItem(ctx, j); err != nil {
		return nil, err
	}
	number := cmp.Or(j.item.ID, numberOf(j.ref))
	unlock, err := v.lockItem(ctx, j, number)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := v.findItem(ctx, j); err != nil { // another process may have changed it
		return nil, err
	}
	if j.folder, err = v.makeFolder(number); err != nil {
		return nil, err
	}
	defer os.RemoveAll(j.folder)
	return v.fetchByHand(ctx, j)
}

// findItem sets the job's item if the reference is watched.
func (v *visit) findItem(ctx context.Context, j *job) error {
	items, err := v.options.Watches.Items(ctx, j.ref)
	if err == nil && len(items) == 0 && v.known.ID != "" { // the spelling may differ
		items, err = v.options.Watches.OfOffice(ctx, v.known.ID)
		items = slices.DeleteFunc(items, func(it watch.Item) bool { return !strings.EqualFold(it.Ref, j.ref) })
	}
	j.item = watch.Item{Ref: j.ref, Office: v.known.ID}
	if len(items) > 0 {
		j.item = items[0]
	}
	if err == nil && j.item.ID != 0 {
		j.before, err = v.options.Watches.DatasetsOfItem(ctx, j.item.ID)
	}
	return err
}

// lockItem locks a reference and waits while another process has it.
func (v *visit) lockItem(ctx context.Context, j *job, number int64) (unlock func(), err error) {
	for waited := time.Duration(0); ; waited += lockPoll {
		unlock, ok, err := v.options.Watches.Lock(number)
		if ok || err != nil {
			return unlock, err
		}
		if waited >= lockTimeout {
			return nil, stat.Errorf(stat.Conflict, "another process has been fetching it for more than %v; try again when it has finished", lockTimeout)
		}
		if waited == 0 {
			v.step(j.item, Waiting, 0)
		}
		if err := v.options.Sleep(ctx, lockPoll); err != nil {
			return nil, err
		}
	}
}

// fetchByHand fetches and imports the dataset and records the result. A failed
// fetch is a refused outcome.
func (v *visit) fetchByHand(ctx context.Context, j *job) ([]importer.Outcome, error) {
	v.step(j.item, Fetching, 0)
	request := source.Request{Code: codeOf(j.item), Folder: j.folder, Known: source.State{Title: stateOf(j.item).Title}}
	if v.options.Import.Source+v.options.Import.Code != "" {
		j.item.ID, j.before = 0, nil // not the watched dataset
	}
	d, err := v.fetchInTurn(ctx, request, func(bytes int64) { v.step(j.item, Fetching, bytes) })
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		if v.known.ID != "" && retryAfter(err) > 0 {
			v.reason = err.Error()
			v.markUnavailable(ctx, retryAfter(err))
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

// finishByHand records the result of an import by hand. It only logs an error,
// because the data are stored.
func (v *visit) finishByHand(ctx context.Context, j *job, it watch.Item, entries ...watch.Entry) {
	if it.ID == 0 {
		it.State = nil
	}
	j.unlock = func() {} // importLocked unlocks
	v.finish(ctx, j, it, entries)
	v.flush(ctx)
}
