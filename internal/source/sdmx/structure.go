package sdmx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// loadStructure fetches the dataflow's structure once a day, because the store keeps the
// labels. With must it is fetched in any case. The data can be read without a structure,
// so it is not an error if the server has none or refuses it. After an outage the next
// fetch requests it again.
func (f *flowFetch) loadStructure(ctx context.Context, must bool) error {
	address := f.structureAddress(f.flow)
	f.mu.Lock()
	flow, isLoaded := f.flows[address]
	f.mu.Unlock()
	f.title = flow.title
	known, wasFetched := f.known[address]
	if f.structure != "" {
		return nil
	}
	if !must && isLoaded && wasFetched && f.client.Now().Sub(flow.at) < structureAge {
		f.answers[address] = known
		return nil
	}
	if must || !isLoaded {
		known = fetch.Validators{} // the file is needed, at least for the title
	}
	path := filepath.Join(f.folder, "structure.xml")
	request := f.Request(address)
	request.Accept, request.Known = f.structureTypes(), known
	answer, err := f.client.Save(ctx, request, path)
	f.missing = nil
	var failure *fetch.Error
	switch {
	case errors.As(err, &failure) && !failure.Outage():
		return nil
	case failure != nil && !must:
		f.missing = []string{address}
		return nil
	case err != nil:
		return err
	}
	f.answers[address] = answer.Validators
	if answer.NotModified {
		keepIfZero(f.answers, f.known, address)
	} else {
		title, err := titleOf(ctx, path, f.flow.id, f.Language)
		if err != nil {
			delete(f.answers, address)
			if stat.KindOf(err) == stat.Unavailable && !must {
				f.missing = []string{address} // an error message, or no structure
				return nil
			}
			return err
		}
		f.structure, f.title = path, title
	}
	f.mu.Lock()
	f.flows[address] = knownFlow{at: f.client.Now(), title: f.title}
	f.mu.Unlock()
	return nil
}

// structureTypes returns the media types to request for structures.
func (s *server) structureTypes() string {
	if s.Version == "3.0" {
		return "application/vnd.sdmx.structure+xml;version=3.0.0, " + structureMediaTypes
	}
	return structureMediaTypes
}

// titleOf returns the dataflow's title in a structure message.
func titleOf(ctx context.Context, path, id, language string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	title := ""
	for f, err := range listFlows(ctx, file, language) {
		if err != nil {
			return "", err
		}
		if f.id == id {
			title = f.title
		}
	}
	return title, nil
}

// loadDimensions reads the dimensions by which a dataset can be split.
func (f *flowFetch) loadDimensions(ctx context.Context) error {
	if f.dimensions != nil {
		return nil
	}
	if err := f.loadStructure(ctx, true); err != nil {
		return err
	}
	f.dimensions = &structure.Key{}
	if f.structure == "" {
		return nil
	}
	file, err := os.Open(f.structure)
	if err != nil {
		return err
	}
	defer file.Close()
	*f.dimensions, err = structure.ReadKey(file, f.flow.id)
	return messageError(err)
}

// halves splits a key in two, along the dimension with the most codes. ok is false if
// every dimension has only one code left, or no known ones.
func halves(dimensions []structure.Dimension, key string) (first, second string, ok bool) {
	if len(dimensions) == 0 {
		return "", "", false
	}
	positions := make([]string, len(dimensions))
	if key != "" {
		parts := strings.Split(key, ".")
		if len(parts) > len(positions) {
			return "", "", false
		}
		copy(positions, parts)
	}
	most, codes := 0, []string(nil)
	for i, dim := range dimensions {
		these := dim.Codes
		if positions[i] != "" && positions[i] != "*" {
			these = strings.Split(positions[i], "+")
		}
		if len(these) > len(codes) {
			most, codes = i, these
		}
	}
	if len(codes) < 2 {
		return "", "", false
	}
	with := func(codes []string) string {
		some := slices.Clone(positions)
		some[most] = strings.Join(codes, "+")
		return strings.Join(some, ".")
	}
	return with(codes[:len(codes)/2]), with(codes[len(codes)/2:]), true
}
