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

// grace is how long an import that has begun may go on when everything else is
// being ended. What it has not published then is fetched again.
const grace = 10 * time.Second

// ending is a context that ends some time after another, so that what has
// begun comes to its end.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return later, func() { stop(); cancel() }
}

// download is a download of a reference that is to be imported.
type download struct {
	*source.Download
	ref    string
	office source.Office
	folder string
	stated importer.Options // by people
	claim  func(source, code string, id int) error
}

// importDownload brings a download into the store: first what tells of codes, then
// all data as one import. What companions do not teach is no failure, since
// earlier imports taught, or a later one will; lacking says that one could not be
// learnt from for a reason that is not its own, and is to be fetched again.
func (k *Keeper) importDownload(ctx context.Context, b download) (outcomes []importer.Outcome, lacking bool) {
	o := b.options()
	o.Claim = b.claim
	im, err := importer.New(k.options.Store, o)
	if err != nil {
		o := refusal(b.ref, fmt.Sprintf("%s: the office's row in the table of offices cannot be used: %v", b.ref, err))
		o.Kind = stat.Conflict // with other data it would be the same
		return []importer.Outcome{o}, false
	}
	for _, path := range b.Companions {
		if err := im.ImportCodes(ctx, path); err != nil && ctx.Err() == nil {
			lacking = lacking || stat.KindOf(err) != stat.Refused && stat.KindOf(err) != stat.Invalid
			k.options.Log.Warn("a file that tells of codes could not be used", "ref", b.ref, "error", b.named(err.Error()))
		}
	}
	outcomes = im.Import(ctx, b.Data...)
	if len(outcomes) == 0 {
		return []importer.Outcome{refusal(b.ref, b.ref+": what the office's server gave holds no data")}, lacking
	}
	for i := range outcomes {
		outcomes[i].File, outcomes[i].Error = b.ref, short(b.named(outcomes[i].Error))
		for n := range outcomes[i].Notes {
			outcomes[i].Notes[n].Example = b.named(outcomes[i].Notes[n].Example)
		}
	}
	return outcomes, lacking
}

// options are what the importer is told: what people state comes before what
// the office's server says.
func (b download) options() importer.Options {
	o := b.stated
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

// named writes the reference where a text names a file that was fetched: its
// path is gone when somebody reads it.
func (b download) named(text string) string {
	for _, path := range b.Data {
		name := b.ref
		if len(b.Data) > 1 {
			name += " (" + filepath.Base(path) + ")"
		}
		text = strings.ReplaceAll(text, path, name)
	}
	return strings.ReplaceAll(text, b.folder, b.ref)
}

// refusal is an outcome of which nothing is stored.
func refusal(ref, text string) importer.Outcome {
	return importer.Outcome{File: ref, Status: importer.Refused, Kind: stat.Refused, Notes: []stat.Note{}, Error: short(text)}
}

// faultOfOurs reports whether a download could not be stored for what is wrong
// here: no space, no permission.
func faultOfOurs(outcomes []importer.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o importer.Outcome) bool {
		return o.Status == importer.Refused && (o.Kind == stat.Internal || o.Kind == stat.Unavailable)
	})
}

// faultOfData reports whether a download was refused for what it is, and not
// because it could not be stored: then it need not be fetched again before the
// office has another.
func faultOfData(outcomes []importer.Outcome) bool {
	return !slices.ContainsFunc(outcomes, func(o importer.Outcome) bool {
		return o.Status == importer.Refused && o.Kind != stat.Refused && o.Kind != stat.Invalid
	})
}
