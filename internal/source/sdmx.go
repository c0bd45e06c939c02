package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// sdmx is an SDMX 2.1 or 3.0 REST service: dataflows, each with a structure that
// defines its codes, and data that can be requested by key and period.
//
// The differences between offices are in their rows (offices_sdmx.go): addresses, media
// types, pauses. sdmx_parts.go handles responses that would be too large.
type sdmx struct {
	Office
	client *fetch.Client

	mu     sync.Mutex
	accept int                      // index of the media type that the server last accepted
	flows  map[string]sdmxKnownFlow // by address of the structure
}

// sdmxKnownFlow is what is known of a dataflow.
type sdmxKnownFlow struct {
	at    time.Time
	title string
}

// sdmxStructureAge is how long a structure is not requested again.
const sdmxStructureAge = 24 * time.Hour

func newSdmx(o Office, c *fetch.Client) Server {
	return &sdmx{Office: o, client: c, flows: map[string]sdmxKnownFlow{}}
}

// Contents yields the office's dataflows. If they belong to several agencies, these are
// the folders, and one of them can be requested alone.
func (s *sdmx) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		address := s.listAddress(f.Under)
		request := fetch.Request{Address: address, Accept: sdmxStructureTypes, Pause: s.pause()}
		read := s.entries
		if s.Version == sdmxCubes {
			request.Accept, read = "application/json", sdmxCubeEntries
		}
		file, _, err := save(ctx, s.client, request)
		chosen := choice{Filter: f}
		if isMissing(err) && f.Under != "" {
			err = chosen.missing(s.Office)
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer func() { _ = file.Close() }()
		seen := sdmxSeen{}
		for e, err := range read(ctx, file) {
			if err != nil {
				yield(Entry{}, fmt.Errorf("%s: %w", address, err))
				return
			}
			if chosen.takes(e) && seen.add(e.Code) && !yield(e, nil) {
				return
			}
		}
		if err := chosen.missing(s.Office); err != nil {
			yield(Entry{}, err)
		}
	}
}

// entries yields the dataflows of a list.
func (s *sdmx) entries(ctx context.Context, file io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for f, err := range sdmxFlows(ctx, file, s.Language) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			e := Entry{Code: s.code(sdmxFlow{agency: f.agency, id: f.id}), Title: cmp.Or(f.title, f.id), Updated: f.updated}
			if s.Agency == "" {
				e.Folders = []string{f.agency}
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Fetch saves a dataflow's data, and its structure if that is new.
func (s *sdmx) Fetch(ctx context.Context, r Request) (*Download, error) {
	if listed := r.Listed; listed != nil && !listed.Updated.IsZero() && listed.Updated.Equal(r.Known.Updated) {
		return &Download{Unchanged: true, State: r.Known}, nil
	}
	if s.Version == sdmxCubes {
		return s.fetchCube(ctx, r)
	}
	flow, err := s.parseFlow(r.Code)
	if err != nil {
		return nil, err
	}
	f := &sdmxFetch{sdmx: s, flow: flow, folder: r.Folder, known: r.Known.Answers, answers: map[string]fetch.Validators{}}
	d, err := f.download(ctx, r)
	if err != nil || d.Unchanged {
		err = errors.Join(err, sdmxClear(r.Folder)) // parts received so far
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// download fetches the data and then the structure, which unchanged data do not need.
func (f *sdmxFetch) download(ctx context.Context, r Request) (*Download, error) {
	if len(r.Known.Missing) > 0 {
		if err := f.loadStructure(ctx, false); err != nil {
			return nil, err
		}
		if f.structure != "" { // the data must be imported again
			f.known = maps.Clone(f.known)
			maps.DeleteFunc(f.known, func(_ string, v fetch.Validators) bool { return v.Digest != sdmxSplit })
		}
	}
	files, same, err := f.data(ctx)
	if err != nil {
		return nil, err
	}
	d := &Download{
		Unchanged: same, Source: f.Name, Code: f.code(f.flow), SourceURL: f.Website, Updated: r.listedUpdated(),
		State: State{Updated: settled(r.listedUpdated(), f.client.Now(), lastMidnight), Answers: f.answers},
	}
	if same {
		d.State.Title = r.Known.Title
		keepAnswer(f.answers, r.Known.Answers, f.structureAddress(f.flow))
		d.State.Updated = r.settledSame(d.Updated, f.client.Now(), lastMidnight)
		d.State.setMissing(f.lacking)
		return d, nil
	}
	if err := f.loadStructure(ctx, false); err != nil {
		return nil, err
	}
	d.State.setMissing(f.lacking)
	d.Data, d.Name = files, cmp.Or(r.Known.Title, f.title)
	if r.Listed != nil {
		d.Name = r.Listed.Title
	}
	d.State.Title = d.Name
	if d.Name != "" && f.flow.key != "" {
		d.Name += " (" + f.flow.key + ")"
	}
	if f.structure != "" {
		d.Companions = []string{f.structure}
	}
	return d, nil
}

func sdmxClear(folder string) error {
	files, err := os.ReadDir(folder)
	for _, file := range files {
		err = errors.Join(err, os.Remove(filepath.Join(folder, file.Name())))
	}
	return err
}

// listedUpdated returns the time of update in the list of contents. The time in a
// structure does not count: it may have been written after the data were fetched, and a
// change in between would be missed.
func (r *Request) listedUpdated() time.Time {
	if r.Listed == nil {
		return time.Time{}
	}
	return r.Listed.Updated
}

// keepAnswer keeps what is known of an address that was not requested.
func keepAnswer(answers, known map[string]fetch.Validators, address string) {
	if v, ok := known[address]; ok {
		answers[address] = v
	}
}

// sdmxFetch is one fetch of one dataflow.
type sdmxFetch struct {
	*sdmx
	flow   sdmxFlow
	folder string

	known    map[string]fetch.Validators
	answers  map[string]fetch.Validators
	requests int

	structure  string   // path of the file, if one was received
	lacking    []string // the structure, if missing because of an outage
	title      string
	dimensions *structure.Key // nil: not looked at
}

// data fetches the data, in one response or in parts. same is true if nothing changed.
func (f *sdmxFetch) data(ctx context.Context) (files []string, same bool, err error) {
	parts, err := f.collect(ctx, sdmxQuery{key: f.flow.key})
	if errors.Is(err, errSdmxTimeless) {
		f.dimensions.HasTime, f.known, f.answers = false, nil, map[string]fetch.Validators{}
		parts, err = f.collect(ctx, sdmxQuery{key: f.flow.key})
	}
	if err != nil {
		return nil, false, err
	}
	changed := false
	for _, p := range parts {
		changed = changed || !p.same
	}
	if !changed {
		return nil, true, nil
	}
	for _, p := range parts {
		again := []sdmxPart{p}
		if p.same && !p.empty { // another part changed, so this one is needed, too
			f.known = maps.Clone(f.known)
			delete(f.known, f.dataAddress(f.flow, p.query)) // to make the request unconditional
			if again, err = f.collect(ctx, p.query); err != nil {
				return nil, false, err
			}
		}
		for _, p := range again {
			if p.file != "" {
				files = append(files, p.file)
			}
		}
	}
	if len(files) == 0 {
		return nil, false, f.nothing(ctx)
	}
	return files, false, nil
}

// nothing is the error for missing data: the dataflow is unknown, or it is empty.
func (f *sdmxFetch) nothing(ctx context.Context) error {
	if err := f.loadStructure(ctx, true); err != nil {
		return err
	}
	what := ""
	if f.flow.key != "" {
		what = " for the key " + f.flow.key
	}
	if f.structure == "" {
		return stat.Errorf(stat.NotFound, "%s has no dataset %s; `almanac source datasets %s` lists the codes", f.Name, f.code(f.flow), f.ID)
	}
	return stat.Errorf(stat.Refused, "dataset %s of %s has no observations%s at present", f.code(sdmxFlow{agency: f.flow.agency, id: f.flow.id}), f.Name, what)
}

// acceptable returns the media types to request for data, best first. The default is
// SDMX-CSV, which servers write while they read their databases, then structure-specific
// XML, then generic XML, which is three times as long.
func (s *sdmx) acceptable() []string {
	types := s.Accept
	if types == "" {
		types = "application/vnd.sdmx.data+csv;version=1.0.0, application/vnd.sdmx.structurespecificdata+xml;version=2.1, application/vnd.sdmx.genericdata+xml;version=2.1"
		if s.Version == "3.0" {
			types = "application/vnd.sdmx.data+csv;version=2.0.0, application/vnd.sdmx.data+xml;version=3.0.0"
		}
	}
	list := strings.Split(types, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
