package update

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/stat"
)

// grace is how long an import may continue after the process is told to stop.
// What it has not published then is fetched again.
const grace = 10 * time.Second

// ending returns a context that ends grace after ctx.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return later, func() { stop(); cancel() }
}

// download is a fetched reference, ready to be imported.
type download struct {
	*source.Download
	ref    string
	office source.Office
	folder string
	manual importer.Options // stated by users
	claim  func(source, code string, id int) error
}

// importDownload imports a download: first the files with labels, then all data
// as one import. An unusable file with labels is no failure, because earlier or
// later imports may have the labels. incomplete says that such a file failed for
// a reason outside itself and must be fetched again.
func (u *Updater) importDownload(ctx context.Context, b download) (outcomes []importer.Outcome, incomplete bool) {
	o := b.options()
	o.Claim = b.claim
	im, err := importer.New(u.options.Store, o)
	if err != nil {
		o := refusal(b.ref, fmt.Sprintf("%s: the office's row in the table of offices is invalid: %v", b.ref, err))
		o.Kind = stat.Conflict // other data would not help
		return []importer.Outcome{o}, false
	}
	for _, path := range b.Companions {
		if err := im.ImportCodes(ctx, path); err != nil && ctx.Err() == nil {
			incomplete = incomplete || stat.KindOf(err) != stat.Refused && stat.KindOf(err) != stat.Invalid
			u.options.Log.Warn("a file with labels could not be used", "ref", b.ref, "error", b.replacePaths(err.Error()))
		}
	}
	outcomes = im.Import(ctx, b.Data...)
	if len(outcomes) == 0 {
		return []importer.Outcome{refusal(b.ref, b.ref+": the answer of the office's server contains no data")}, incomplete
	}
	for i := range outcomes {
		outcomes[i].File, outcomes[i].Error = b.ref, short(b.replacePaths(outcomes[i].Error))
		for n := range outcomes[i].Notes {
			outcomes[i].Notes[n].Example = b.replacePaths(outcomes[i].Notes[n].Example)
		}
	}
	return outcomes, incomplete
}

// options returns the import options. What users state takes precedence over
// what the office's server states.
func (b download) options() importer.Options {
	o := b.manual
	o.Source = cmp.Or(o.Source, b.Source)
	o.Code = cmp.Or(o.Code, b.Code)
	o.Name = cmp.Or(o.Name, b.Name)
	o.SourceURL = cmp.Or(o.SourceURL, b.SourceURL)
	o.MetadataURL = cmp.Or(o.MetadataURL, b.MetadataURL)
	o.Country = cmp.Or(o.Country, b.office.Country)
	if o.Updated.IsZero() {
		o.Updated = b.Updated
	}
	o.Joined = len(b.Data) > 1
	o.Progress, o.Starting, o.Report = nil, nil, nil
	return o
}

// replacePaths replaces paths of downloads by the reference, because the files
// are deleted before anybody reads the text.
func (b download) replacePaths(text string) string {
	for _, path := range b.Data {
		name := b.ref
		if len(b.Data) > 1 {
			name += " (" + filepath.Base(path) + ")"
		}
		text = strings.ReplaceAll(text, path, name)
	}
	return strings.ReplaceAll(text, b.folder, b.ref)
}

// refusal is the outcome of a reference of which nothing is stored.
func refusal(ref, text string) importer.Outcome {
	return importer.Outcome{File: ref, Status: importer.Refused, Kind: stat.Refused, Notes: []stat.Note{}, Error: short(text)}
}

// isLocalFault reports whether a download could not be stored because of this
// machine: no space, no permission.
func isLocalFault(outcomes []importer.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o importer.Outcome) bool {
		return o.Status == importer.Refused && (o.Kind == stat.Internal || o.Kind == stat.Unavailable)
	})
}

// isDataFault reports whether a download was refused for its content. It is not
// fetched again before the office has other data.
func isDataFault(outcomes []importer.Outcome) bool {
	return !slices.ContainsFunc(outcomes, func(o importer.Outcome) bool {
		return o.Status == importer.Refused && o.Kind != stat.Refused && o.Kind != stat.Invalid
	})
}
