package update

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// grace is how long an import may continue after the process is told to stop.
// What it has not published then is fetched again.
const grace = 10 * time.Second

func (v *visit) finishImport(ctx context.Context, j *job) {
	if ctx.Err() != nil {
		v.postponeJob(j)
		return
	}
	outcomes, it, entries, err := v.importJob(ctx, j)
	if err != nil {
		v.postponeJob(j)
		return
	}
	if isLocalFault(outcomes...) {
		err := fmt.Errorf("storing a download: %s", it.Error)
		v.noteError(err)
		if v.faults.Add(1) > 1 { // a single one may be a special case
			v.endVisit(err)
		}
	}
	v.finish(ctx, j, it, entries)
}

// importJob imports a download and returns the outcomes, the item's new row and
// its log entries. The error says that the import was stopped with ctx.
func (v *visit) importJob(ctx context.Context, j *job) (outcomes []importer.Outcome, it watch.Item, entries []watch.Entry, err error) {
	stopped := ctx
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(stopped, func() { time.AfterFunc(grace, cancel) })()
	v.step(j.item, Importing, j.size())
	outcomes, incomplete := v.importFiles(ctx, j)
	if ctx.Err() != nil && worstOf(outcomes).Status == importer.Refused {
		return nil, it, nil, ctx.Err()
	}
	it, entries = v.afterImport(ctx, j, outcomes, incomplete)
	return outcomes, it, entries, nil
}

// importFiles imports a download: first the files with labels, then all data as
// one import. An unusable file with labels is no failure, because earlier or later
// imports may have the labels. incomplete says that such a file failed for a reason
// outside itself and must be fetched again.
func (v *visit) importFiles(ctx context.Context, j *job) (outcomes []importer.Outcome, incomplete bool) {
	o := v.importOptions(j)
	o.Claim = func(source, code string, id int) error { return v.claim(ctx, j, source, code, id) }
	im, err := importer.New(v.options.Store, o)
	if err != nil {
		outcomes = refuse(j.ref, fmt.Sprintf("%s: the office's row in the table of offices is invalid: %v", j.ref, err))
		outcomes[0].Kind = stat.Conflict // other data would not help
		return outcomes, false
	}
	for _, path := range j.Companions {
		if err := im.ImportCodes(ctx, path); err != nil && ctx.Err() == nil {
			incomplete = incomplete || stat.KindOf(err) != stat.Refused && stat.KindOf(err) != stat.Invalid
			v.options.Log.Warn("a file with labels could not be used", "ref", j.ref, "error", j.replacePaths(err.Error()))
		}
	}
	outcomes = im.Import(ctx, j.Data...)
	if len(outcomes) == 0 {
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

// importOptions returns the import options. What users state takes precedence over
// what the office's server states.
func (v *visit) importOptions(j *job) importer.Options {
	o := j.manual
	o.Source = cmp.Or(o.Source, j.Source)
	o.Code = cmp.Or(o.Code, j.Code)
	o.Name = cmp.Or(o.Name, j.Name)
	o.SourceURL = cmp.Or(o.SourceURL, j.SourceURL)
	o.MetadataURL = cmp.Or(o.MetadataURL, j.MetadataURL)
	o.Country = cmp.Or(o.Country, v.office.Country)
	if o.Updated.IsZero() {
		o.Updated = j.Updated
	}
	o.Joined = len(j.Data) > 1
	o.Progress, o.Starting, o.Report = nil, nil, nil
	return o
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

// refuse returns the outcome of a reference of which nothing is stored.
func refuse(ref, reason string) []importer.Outcome {
	return []importer.Outcome{{File: ref, Status: importer.Refused, Kind: stat.Refused, Notes: []stat.Note{}, Error: short(reason)}}
}
