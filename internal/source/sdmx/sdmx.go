// Package sdmx is a client of SDMX REST services, and of the archives of Statistics Canada.
package sdmx

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"strings"
	"sync"
	"time"

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server is an SDMX 2.1 or 3.0 REST service: dataflows, each with a structure that
// defines its codes, and data that can be requested by key and period.
//
// The differences between offices are in their rows (offices.go): addresses, media
// types, pauses. split.go handles responses that would be too large.
type server struct {
	source.Office
	client *fetch.Client

	mu     sync.Mutex
	accept int                  // server of the media type that the server accepted last
	flows  map[string]knownFlow // by address of the structure
}

// knownFlow is the last structure of a dataflow.
type knownFlow struct {
	at    time.Time // of its request
	title string
}

// structureAge is the time after which a structure is requested again.
const structureAge = 24 * time.Hour

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server {
	if o.Version == cubesVersion {
		return &cubes{o, c}
	}
	return &server{Office: o, client: c, flows: map[string]knownFlow{}}
}

// Contents yields the office's dataflows. If they belong to several agencies, the agencies
// are the folders, and the dataflows of one agency can be requested alone.
func (s *server) Contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		address := s.listAddress(f.Under)
		if f.Languages { // stubs have no descriptions
			address = strings.TrimSuffix(address, stubs)
		}
		request := s.Request(address)
		request.Accept = structureMediaTypes
		return source.ReadList(ctx, s.client, request, func(list io.Reader, _ string) error {
			return stat.Wrap(s.readFlows(ctx, list, add), "%s", address)
		})
	})
}

// readFlows reads the dataflows of a list.
func (s *server) readFlows(ctx context.Context, file io.Reader, add func(source.Entry) error) error {
	for f, err := range listFlows(ctx, file, s.Language) {
		if err != nil {
			return err
		}
		e := source.Entry{Code: s.code(dataflow{agency: f.agency, id: f.id}), Title: cmp.Or(f.title, f.id), Updated: f.updated, Language: f.language, Description: f.description, Others: f.others}
		if s.Agency == "" {
			e.Folders = []string{f.agency}
		}
		if err := add(e); err != nil {
			return err
		}
	}
	return nil
}

// Fetch saves the data of a dataflow, and its structure if that has changed.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	flow, err := s.parseFlow(r.Code)
	if err != nil {
		return nil, err
	}
	f := &flowFetch{server: s, flow: flow, folder: r.Folder, known: r.Known.Answers, answers: map[string]fetch.Validators{}}
	return f.download(ctx, r)
}

// download fetches the data and then the structure, which is not needed if the data are
// unchanged.
func (f *flowFetch) download(ctx context.Context, r source.Request) (*source.Download, error) {
	if len(r.Known.Missing) > 0 {
		if err := f.loadStructure(ctx, false); err != nil {
			return nil, err
		}
		if f.structure != "" { // the data must be imported again, with the labels
			f.known = maps.Clone(f.known)
			maps.DeleteFunc(f.known, func(_ string, v fetch.Validators) bool { return v.Digest != digestSplit })
		}
	}
	files, same, err := f.data(ctx)
	if err != nil {
		return nil, err
	}
	d := &source.Download{
		Unchanged: same, Source: f.Name, Code: f.code(f.flow), SourceURL: f.Website, Updated: r.ListedUpdated(),
		State: source.State{Updated: source.StorableTime(r.ListedUpdated(), f.client.Now(), source.LastMidnight), Answers: f.answers},
	}
	if same {
		d.State.Title = r.Known.Title
		keepAnswer(f.answers, r.Known.Answers, f.structureAddress(f.flow))
		d.State.Updated = r.UnchangedTime(d.Updated, f.client.Now(), source.LastMidnight)
		d.State.SetMissing(f.missing)
		return d, nil
	}
	if err := f.loadStructure(ctx, false); err != nil {
		return nil, err
	}
	d.State.SetMissing(f.missing)
	d.Data, d.Name = files, cmp.Or(r.Known.Title, f.title)
	if r.Listed != nil {
		d.Name = r.Listed.Title
	}
	d.State.Title = d.Name
	if part := f.flow.part(); d.Name != "" && part != "" {
		d.Name += " (" + part + ")"
	}
	if f.structure != "" {
		d.Companions = []string{f.structure}
	}
	return d, nil
}

// keepAnswer copies the known validators of an address that was not requested.
func keepAnswer(answers, known map[string]fetch.Validators, address string) {
	if v, ok := known[address]; ok {
		answers[address] = v
	}
}

// flowFetch is one fetch of one dataflow.
type flowFetch struct {
	*server
	flow   dataflow
	folder string

	known    map[string]fetch.Validators
	answers  map[string]fetch.Validators
	requests int

	structure  string   // path of the file, if one was received
	missing    []string // address of the structure, if missing because of an outage
	title      string
	dimensions *structure.Key // nil: not read yet
}

// data fetches the data, in one response or in parts. same reports whether they are
// unchanged.
func (f *flowFetch) data(ctx context.Context) (files []string, same bool, err error) {
	parts, err := f.collectAll(ctx)
	if errors.Is(err, errTimeless) {
		f.dimensions.HasTime, f.known, f.answers = false, nil, map[string]fetch.Validators{}
		parts, err = f.collectAll(ctx)
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
		again := []dataPart{p}
		if p.same && !p.empty { // another part has changed, so this one is needed, too
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
		return nil, false, f.noData(ctx)
	}
	return files, false, nil
}

// noData returns the error for missing data: the dataflow is unknown or empty.
func (f *flowFetch) noData(ctx context.Context) error {
	if err := f.loadStructure(ctx, true); err != nil {
		return err
	}
	forKey := ""
	if part := f.flow.part(); part != "" {
		forKey = " for the key " + part
	}
	if f.structure == "" {
		return f.NoDataset(f.code(f.flow), nil)
	}
	return stat.Errorf(stat.Refused, "dataset %s of %s has no observations%s at present", f.code(dataflow{agency: f.flow.agency, id: f.flow.id}), f.Name, forKey)
}

// mediaTypes returns the media types to request for data, best first. The default is
// SDMX-CSV, which servers write while they read their databases, then structure-specific
// XML, then generic XML, which is three times as long, then JSON.
func (s *server) mediaTypes() []string {
	types := s.Accept
	if types == "" {
		types = "application/vnd.sdmx.data+csv;version=1.0.0, application/vnd.sdmx.structurespecificdata+xml;version=2.1, application/vnd.sdmx.genericdata+xml;version=2.1, application/vnd.sdmx.data+json;version=1.0.0"
		if s.Version == "3.0" {
			types = "application/vnd.sdmx.data+csv;version=2.0.0, application/vnd.sdmx.data+xml;version=3.0.0, application/vnd.sdmx.data+json;version=2.0.0"
		}
	}
	list := strings.Split(types, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
