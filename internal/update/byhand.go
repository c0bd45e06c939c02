package update

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// lockTimeout is how long an import by hand waits for another process.
const lockTimeout = time.Minute

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
	if err == nil && !s.isSingle() {
		err = stat.Errorf(stat.Invalid, "%s matches several datasets; `almanac watch add %s` and `almanac sync` fetch them all", text, text)
	}
	if err != nil {
		return refuse(text, err.Error())
	}
	v := u.newVisit(s.Office)
	v.byName, v.round = true, &round{Updater: u, stored: u.options.Store.Catalog(), left: left}
	j := &job{ref: s.String(), manual: u.options.Import, start: u.options.Now(), unlock: func() {}} // importLocked unlocks
	outcomes, err := v.importLocked(ctx, j)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted, nothing was stored")
	}
	if err != nil {
		return refuse(j.ref, j.ref+": "+err.Error())
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
	if v.isUnavailable() {
		return nil, stat.Errorf(stat.Unavailable, "%s", v.outageText())
	}
	if err := v.findItem(ctx, j); err != nil {
		return nil, err
	}
	number := cmp.Or(j.item.ID, numberOf(j.ref))
	unlock, err := v.lock(ctx, number, lockPoll, func(waited time.Duration) error {
		if waited >= lockTimeout {
			return stat.Errorf(stat.Conflict, "another process has been fetching it for more than %v; try again when it has finished", lockTimeout)
		}
		if waited == 0 {
			v.step(j.item, Waiting, 0)
		}
		return nil
	})
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

// findItem sets the job's item, to a row without an ID if the reference is not
// watched.
func (v *visit) findItem(ctx context.Context, j *job) error {
	items, err := v.options.Watches.Items(ctx, j.ref)
	if err == nil && len(items) == 0 && v.known.ID != "" { // the spelling may differ
		items, err = v.options.Watches.ItemsOfOffice(ctx, v.known.ID)
		items = slices.DeleteFunc(items, func(it watch.Item) bool { return !strings.EqualFold(it.Ref, j.ref) })
	}
	j.item = watch.Item{Ref: j.ref, Office: v.known.ID}
	if len(items) > 0 {
		j.item = items[0]
	}
	return err
}

// fetchByHand fetches and imports the dataset and records the result. A failed
// fetch is a refused outcome.
func (v *visit) fetchByHand(ctx context.Context, j *job) (outcomes []importer.Outcome, _ error) {
	request := source.Request{Code: codeOf(j.item), Known: source.State{Title: stateOf(j.item).Title}}
	if j.manual.Source+j.manual.Code != "" {
		j.item.ID = 0 // not the watched dataset
	}
	var it watch.Item
	var entries []watch.Entry
	switch d, err := v.fetchInTurn(ctx, j, request); {
	case err == nil:
		j.Download = d
		v.noteAnswer(ctx)
		defer v.unclaim(j.item.ID)
		if outcomes, it, entries, err = v.importJob(ctx, j); err != nil {
			return nil, err
		}
	case ctx.Err() != nil:
		return nil, err
	default:
		if v.known.ID != "" && retryAfter(err) > 0 {
			v.markUnavailable(ctx, err.Error(), retryAfter(err))
		}
		var e watch.Entry
		it, e = v.afterFailure(j, err)
		outcomes, entries = refuse(j.ref, j.ref+": "+e.Error), []watch.Entry{e}
	}
	v.finish(ctx, j, it, entries)
	v.flush(ctx) // logs an error: the data are stored
	return outcomes, nil
}
