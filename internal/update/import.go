package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/importer"
	"almanac/internal/importprocess"
	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/trace"
	"almanac/internal/watch"
)

// grace is how long an import may continue after the process is told to stop.
// What it has not published then is fetched again.
const grace = 10 * time.Second

// importDownload imports a download and records the result. It postpones what was
// stopped with ctx.
func (v *visit) importDownload(ctx context.Context, j *job) {
	if ctx.Err() != nil {
		v.postponeJob(j)
		return
	}
	stopped := ctx
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(stopped, func() { time.AfterFunc(grace, cancel) })()
	v.step(j.item, Importing, j.size())
	outcomes, incomplete := v.importFiles(ctx, j)
	if ctx.Err() != nil && worstOf(outcomes).Status == importer.Refused {
		v.postponeJob(j)
		return
	}
	j.outcomes = outcomes
	it, entries := v.afterImport(ctx, j, incomplete)
	if isLocalFault(outcomes...) && !j.isBeyondBound {
		err := fmt.Errorf("storing a download: %s", it.Error)
		v.noteError(err)
		if v.faults.Add(1) > 1 { // a single one may be a special case
			v.endVisit(err)
		}
	}
	v.record(stopped, j, it, entries)
}

// importFiles imports a download: first the files with labels, then all data as
// one import. An unusable file with labels is no failure, because earlier or later
// imports may have the labels. incomplete says that such a file failed for a reason
// outside itself and must be fetched again.
func (v *visit) importFiles(ctx context.Context, j *job) (outcomes []importer.Outcome, incomplete bool) {
	t := importprocess.Task{Options: v.importOptions(j), Companions: j.Companions, Data: j.Data}
	t.Options.Claim = func(source, code string, id int) error { return v.claim(ctx, j, source, code, id) }
	if v.bringing != nil {
		t.Options.Permit = v.bringing.permit
	} else {
		t.Options.Permit = func(context.Context) error { return v.options.Watches.CheckLock(j.number) }
	}
	result, err := v.runTask(ctx, t)
	if ended, ok := errors.AsType[*importprocess.EndedError](err); ok {
		v.options.Log.Error("the process of an import has ended", "ref", j.ref, "reason", ended.Reason, "output", ended.Output)
		j.isBeyondBound = ended.IsBeyondBound
		outcomes = refuse(j.ref, j.ref+": "+ended.Reason)
		outcomes[0].Kind = stat.Internal // the data are not at fault
		return outcomes, false
	}
	if err != nil {
		outcomes = refuse(j.ref, fmt.Sprintf("%s: the office's row in the table of offices is invalid: %v", j.ref, err))
		outcomes[0].Kind = stat.Conflict // other data would not help
		return outcomes, false
	}
	for _, unread := range result.Unread {
		incomplete = incomplete || unread.Kind != stat.Refused && unread.Kind != stat.Invalid
		v.options.Log.Warn("a file with labels could not be used", "ref", j.ref, "error", j.replacePaths(unread.Text))
	}
	if outcomes = result.Outcomes; len(outcomes) == 0 {
		return refuse(j.ref, j.ref+": the answer of the office's server contains no data"), incomplete
	}
	for i := range outcomes {
		o := &outcomes[i]
		o.File, o.Error = j.ref, short(j.replacePaths(o.Error))
		for n := range o.Notes {
			o.Notes[n].Example = j.replacePaths(o.Notes[n].Example)
		}
	}
	return outcomes, incomplete
}

// runTask imports, as a span.
func (v *visit) runTask(ctx context.Context, t importprocess.Task) (importprocess.Result, error) {
	ctx, span := trace.BeginRoot(ctx, "import")
	span.Set("almanac.source", t.Options.Source)
	span.Set("almanac.dataset", t.Options.Code)
	r, err := v.runSomewhere(ctx, t)
	span.SetNumber("almanac.import.datasets", int64(len(r.Outcomes)))
	span.End(err)
	return r, err
}

// runSomewhere imports in a process of its own, if there are such, or in this one.
func (v *visit) runSomewhere(ctx context.Context, t importprocess.Task) (importprocess.Result, error) {
	if v.options.Processes == nil {
		return t.Run(ctx, v.options.Store)
	}
	r, err := v.options.Processes.Run(ctx, t)
	v.noteError(v.options.Store.Refresh(context.WithoutCancel(ctx))) // it published elsewhere
	return r, err
}

// importOptions returns the import options. What users state takes precedence over
// what the office's server states.
func (v *visit) importOptions(j *job) importer.Options {
	var o importer.Options
	if v.byHand {
		o = v.options.Import
	}
	CompleteOptions(&o, j.Download, v.office)
	o.Progress, o.Starting, o.Report = nil, nil, nil
	return o
}

// CompleteOptions adds to the options of an import what the office says about a download.
func CompleteOptions(o *importer.Options, d *source.Download, office source.Office) {
	o.Source = cmp.Or(o.Source, d.Source)
	o.Code = cmp.Or(o.Code, d.Code)
	o.Name = cmp.Or(o.Name, d.Name)
	o.SourceURL = cmp.Or(o.SourceURL, d.SourceURL)
	o.MetadataURL = cmp.Or(o.MetadataURL, d.MetadataURL)
	o.Country = cmp.Or(o.Country, office.Country)
	if o.Updated.IsZero() {
		o.Updated = d.Updated
	}
	o.Joined = len(d.Data) > 1
}

// replacePaths replaces paths of downloads by the reference, because the files
// are deleted before anybody reads the text.
func (j *job) replacePaths(text string) string {
	for _, path := range j.Data {
		name := j.ref
		if len(j.Data) > 1 {
			name += " (" + filepath.Base(path) + ")"
		}
		text = strings.ReplaceAll(text, path, name)
	}
	return strings.ReplaceAll(text, j.folder, j.ref)
}

// refuse returns the outcome of a reference that was not imported.
func refuse(ref, reason string) []importer.Outcome {
	return []importer.Outcome{{File: ref, Status: importer.Refused, Kind: stat.Refused, Notes: []stat.Note{}, Error: short(reason)}}
}

// lockTimeout is how long an import by hand waits for another process.
const lockTimeout = time.Minute

// Import fetches and imports datasets by reference, watched or not, and reports
// each outcome as [importer.Importer.Import] does. Outcome.File is the
// reference; those that are parts of one dataset become one. It fetches a watched dataset even if nothing changed, and updates
// its row.
func (u *Updater) Import(ctx context.Context, refs ...string) []importer.Outcome {
	var outcomes []importer.Outcome
	refs = u.options.Sources.JoinParts(refs)
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
	v.byHand, v.byName, v.round = true, true, &round{Updater: u, stored: u.options.Store.Catalog(), left: left}
	outcomes, err := v.importByHand(ctx, s)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted, nothing was stored")
	}
	if err != nil {
		return refuse(s.String(), s.String()+": "+err.Error())
	}
	return outcomes
}

// importByHand fetches and imports a dataset and records the result. A failed fetch
// is a refused outcome.
func (v *visit) importByHand(ctx context.Context, s scope) ([]importer.Outcome, error) {
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
	it, err := v.findItem(ctx, s)
	if err != nil {
		return nil, err
	}
	number := cmp.Or(it.ID, numberOf(s.String()))
	v.step(it, Waiting, 0)
	unlock, err := v.lock(ctx, number, lockPoll, lockTimeout)
	if err != nil {
		return nil, err
	}
	it, err = v.findItem(ctx, s) // another process may have changed it
	if manual := v.options.Import; manual.Source+manual.Code != "" {
		it.ID = 0 // not the watched dataset
	}
	if v.bringing != nil && it.ID == 0 {
		it = withState(it, itemState{State: source.State{Title: v.bringing.job.Title}})
	}
	j := v.newJob(it, number, unlock)
	defer j.unlock()
	if err != nil {
		return nil, err
	}
	j.ref = s.String()
	v.fetch(ctx, j)
	v.recordMisses()
	v.imports.Wait()
	v.flush(ctx) // logs an error: the data are stored
	if j.outcomes == nil {
		return nil, errors.New(v.endReason(ctx))
	}
	return j.outcomes, nil
}

// findItem returns the item of a reference, without an ID if it is not watched.
func (v *visit) findItem(ctx context.Context, s scope) (watch.Item, error) {
	items, err := v.itemsOf(ctx, s)
	i := slices.IndexFunc(items, func(it watch.Item) bool { return strings.EqualFold(it.Ref, s.String()) })
	if i < 0 {
		return watch.Item{Ref: s.String(), Office: v.known.ID}, err
	}
	return items[i], err
}
