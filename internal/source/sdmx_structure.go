package source

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// learnStructure fetches the dataflow's structure if it is unknown: the store keeps the
// labels, and once a day is enough. With must it is fetched in any case. A dataflow
// without a structure is still readable, so it is no error if the server has none or
// refuses it. After an outage it is requested again.
func (f *sdmxFetch) learnStructure(ctx context.Context, must bool) error {
	address := f.structureAddress(f.flow)
	f.mu.Lock()
	learned, asked := f.flows[address]
	f.mu.Unlock()
	f.title = learned.title
	known, taught := f.known[address]
	if f.structure != "" {
		return nil
	}
	if !must && asked && taught && f.client.Now().Sub(learned.at) < sdmxStructureAge {
		f.answers[address] = known
		return nil
	}
	if must || !asked {
		known = fetch.Validators{} // the file is needed at least for the title
	}
	path := filepath.Join(f.folder, "structure.xml")
	answer, err := f.client.Save(ctx, fetch.Request{Address: address, Accept: f.structureTypes(), Known: known, Pause: f.pause()}, path)
	f.lacking = nil
	if sdmxWithoutStructure(err) {
		return nil
	}
	if isOutage(err) && !must {
		f.lacking = []string{address}
		return nil
	}
	if err != nil {
		return err
	}
	f.answers[address] = answer.Validators
	if answer.NotModified {
		keepIfZero(f.answers, f.known, address)
	} else {
		title, err := sdmxTitle(ctx, path, f.flow.id, f.Language)
		if err != nil {
			_ = os.Remove(path)
			delete(f.answers, address)
			if stat.KindOf(err) == stat.Unavailable && !must {
				f.lacking = []string{address} // an error message, or no structure
				return nil
			}
			return err
		}
		f.structure, f.title = path, title
	}
	f.mu.Lock()
	f.flows[address] = sdmxLearned{at: f.client.Now(), title: f.title}
	f.mu.Unlock()
	return nil
}

// structureTypes returns the media types to request for structures.
func (s *sdmx) structureTypes() string {
	if s.Version == "3.0" {
		return "application/vnd.sdmx.structure+xml;version=3.0.0, " + sdmxStructureTypes
	}
	return sdmxStructureTypes
}

// sdmxWithoutStructure reports whether the server says that the structure does not exist
// or is not available.
func sdmxWithoutStructure(err error) bool {
	var failure *fetch.Error
	if !errors.As(err, &failure) {
		return false
	}
	return failure.Reason == fetch.Missing || failure.Reason == fetch.Denied || failure.Status == http.StatusNotImplemented
}

// sdmxTitle returns the dataflow's title in a structure message.
func sdmxTitle(ctx context.Context, path, id, language string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	title := ""
	for f, err := range sdmxFlows(ctx, file, language) {
		if err != nil {
			return "", err
		}
		if f.id == id {
			title = f.title
		}
	}
	return title, nil
}

// sdmxDimensions are the dimensions of a dataflow in the order of its keys.
type sdmxDimensions struct {
	list []sdmxDimension
	time bool // it has a time dimension
}

// sdmxDimension is a dimension with the codes in its code list; none if the structure
// names no list.
type sdmxDimension struct {
	id       string
	position int
	lists    string // the ID of its code list
	codes    []string
}

// learnDimensions reads the dimensions by which a dataset can be split.
func (f *sdmxFetch) learnDimensions(ctx context.Context) error {
	if f.dimensions != nil {
		return nil
	}
	if err := f.learnStructure(ctx, true); err != nil {
		return err
	}
	f.dimensions = &sdmxDimensions{}
	if f.structure == "" {
		return nil
	}
	file, err := os.Open(f.structure)
	if err != nil {
		return err
	}
	defer file.Close()
	f.dimensions, err = readSdmxDimensions(ctx, file, f.flow.id)
	return err
}

// sdmxStructureReader collects what a structure message says about keys.
type sdmxStructureReader struct {
	*sdmxXML
	flow string // the dataflow

	wanted     string // the ID of its structure
	structures map[string]*sdmxDimensions
	order      []string
	lists      map[string][]string
	codes      int
}

// sdmxMaxCodes limits the codes of all code lists in a structure message.
const sdmxMaxCodes = 2_000_000

// readSdmxDimensions reads the dimensions of a dataflow from its structure message.
func readSdmxDimensions(ctx context.Context, r io.Reader, flow string) (*sdmxDimensions, error) {
	x := &sdmxStructureReader{sdmxXML: newSdmxXML(ctx, r), flow: flow, structures: map[string]*sdmxDimensions{}, lists: map[string][]string{}}
	if err := x.root("Structure", "RegistryInterface"); err != nil {
		return nil, err
	}
	var structure, list string
	for {
		t, err := x.next()
		if err == io.EOF {
			return x.dimensions(), nil
		}
		if err != nil {
			return nil, err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch id := sdmxAttr(start, "id"); start.Name.Local {
		case "DataStructure":
			structure = id
			if id != "" {
				x.structures[id] = &sdmxDimensions{}
				x.order = append(x.order, id)
			}
		case "Codelist":
			list = id
		case "Code":
			if x.under("Codelist") && list != "" {
				if x.codes++; x.codes > sdmxMaxCodes {
					return nil, stat.Errorf(stat.Refused, "the structure of %s has more than the limit of %d codes", flow, sdmxMaxCodes)
				}
				x.lists[list] = append(x.lists[list], id)
			}
		case "Dataflow":
			if id == flow {
				err = x.readReference(&x.wanted)
			}
		case "TimeDimension":
			if d := x.structures[structure]; d != nil && id != "" {
				d.time = true
			}
		case "Dimension":
			if d := x.structures[structure]; d != nil && id != "" && x.under("DimensionList") {
				err = x.readDimension(d, start)
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// under reports whether the parent of the current element has a name.
func (x *sdmxStructureReader) under(parent string) bool {
	return len(x.path) > 1 && x.path[len(x.path)-2] == parent
}

// readReference reads the structure that a dataflow refers to.
func (x *sdmxStructureReader) readReference(into *string) error {
	return x.inside(func(start xml.StartElement) error {
		if start.Name.Local == "Ref" && x.under("Structure") {
			*into = sdmxAttr(start, "id")
		} else if start.Name.Local == "Structure" {
			return x.urn(into)
		}
		return nil
	})
}

// readDimension reads a dimension and the ID of its code list.
func (x *sdmxStructureReader) readDimension(d *sdmxDimensions, start xml.StartElement) error {
	position, err := strconv.Atoi(sdmxAttr(start, "position"))
	if err != nil {
		position = len(d.list) + 1
	}
	dim := sdmxDimension{id: sdmxAttr(start, "id"), position: position}
	err = x.inside(func(start xml.StartElement) error {
		if start.Name.Local == "Ref" && x.under("Enumeration") {
			dim.lists = sdmxAttr(start, "id")
		} else if start.Name.Local == "Enumeration" {
			return x.urn(&dim.lists)
		}
		return nil
	})
	d.list = append(d.list, dim)
	return err
}

// inside visits the elements below the current one.
func (x *sdmxStructureReader) inside(visit func(xml.StartElement) error) error {
	depth := len(x.path)
	for len(x.path) >= depth {
		t, err := x.next()
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if start, ok := t.(xml.StartElement); ok {
			if err := visit(start); err != nil {
				return err
			}
		}
	}
	return nil
}

// urn reads a reference in either form: a URN ("urn:sdmx:…=ECB:CL_FREQ(1.0)") as the text
// of the current element, or a Ref element in it.
func (x *sdmxStructureReader) urn(into *string) error {
	depth := len(x.path)
	for len(x.path) >= depth {
		t, err := x.next()
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "Ref" {
				*into = sdmxAttr(t, "id")
			}
		case xml.CharData:
			if _, id, ok := strings.Cut(string(t), "="); ok {
				_, id, _ = strings.Cut(id, ":")
				id, _, _ = strings.Cut(id, "(")
				*into = strings.TrimSpace(id)
			}
		}
	}
	return nil
}

// dimensions returns the dimensions of the requested dataflow: those of the structure it
// names, or of the only one.
func (x *sdmxStructureReader) dimensions() *sdmxDimensions {
	d := x.structures[x.wanted]
	if d == nil && len(x.order) == 1 {
		d = x.structures[x.order[0]]
	}
	if d == nil {
		return &sdmxDimensions{}
	}
	slices.SortStableFunc(d.list, func(a, b sdmxDimension) int { return a.position - b.position })
	for i := range d.list {
		d.list[i].codes = x.lists[d.list[i].lists]
	}
	return d
}

// halves splits a key in two along the dimension with most codes. ok is false if each
// dimension has only one code left, or none that are known.
func (d *sdmxDimensions) halves(key string) (first, second string, ok bool) {
	if len(d.list) == 0 {
		return "", "", false
	}
	places := make([]string, len(d.list))
	if key != "" {
		given := strings.Split(key, ".")
		if len(given) > len(places) {
			return "", "", false
		}
		copy(places, given)
	}
	most, codes := 0, []string(nil)
	for i, dim := range d.list {
		these := dim.codes
		if places[i] != "" && places[i] != "*" {
			these = strings.Split(places[i], "+")
		}
		if len(these) > len(codes) {
			most, codes = i, these
		}
	}
	if len(codes) < 2 {
		return "", "", false
	}
	with := func(codes []string) string {
		some := slices.Clone(places)
		some[most] = strings.Join(codes, "+")
		return strings.Join(some, ".")
	}
	return with(codes[:len(codes)/2]), with(codes[len(codes)/2:]), true
}
