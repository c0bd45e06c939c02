package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/encode/sdmx"
	"almanac/internal/encode/sdmx/json"
	"almanac/internal/encode/sdmx/ml"
	"almanac/internal/request"
	"almanac/internal/sdmxrest"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// sdmxFlow is a version of a dataset that a request names as a dataflow, with what the request selects of it.
type sdmxFlow struct {
	*sdmx.Flow
	selection *sdmxrest.Selection
	action    sdmx.Action
	from, to  time.Time // when the version was current; zero: not said
}

// sdmxData replies with data of a dataflow.
func (x *exchange) sdmxData(ref sdmxrest.Reference, key string, isV3 bool) (*reply, error) {
	p, part, err := bindSDMX[sdmxrest.Data](x, key, isV3)
	if err != nil {
		return nil, err
	}
	part.Start, part.End = p.StartPeriod, p.EndPeriod
	form, media, err := sdmxrest.ChooseData(sdmxrest.Wanted{Format: p.Format, Version: p.FormatVersion, Accept: x.r.Header["Accept"], IsV3: isV3})
	if err == nil && form == nil {
		err = &refusal{http.StatusNotAcceptable, "Accept names no media type of data that there is; there are " + sdmxrest.DataMediaTypes()}
	}
	if err != nil {
		return nil, err
	}
	options, err := p.Options(media)
	if err != nil {
		return nil, err
	}
	options.IsV3 = form.IsV3
	f, err := x.sdmxFlow(ref, p.AsOf)
	if err != nil {
		return nil, err
	}
	if options.Only, err = p.Only(f.Flow); err != nil {
		return nil, err
	}
	sets, err := x.sdmxSets(f, &p)
	if err == nil && len(sets) > 0 && !form.HasSets {
		err = &sdmxrest.NotImplemented{Message: "this format has only one data set, and a history has several; choose the format genericdata, structurespecificdata, jsondata or csvdata"}
	}
	if err != nil {
		return nil, err
	}
	for _, f := range append([]*sdmxFlow{f}, sets...) {
		if err := f.choose(part); err != nil {
			return nil, err
		}
		if err := x.checkSelection(f.Vintage, &f.selection.Query); err != nil {
			return nil, err
		}
	}
	for _, unknown := range f.selection.Unknown[:min(maxUnknown, len(f.selection.Unknown))] {
		h := x.w.Header()
		h["X-Notice"] = append(h["X-Notice"], strconv.QuoteToASCII("the dataset does not have "+access.Redact(unknown)))
	}
	options.Empty = f.selection.NoResults(f.Flow)
	return x.sdmxMessage(f, sets, form, options), nil
}

// bindSDMX reads the parameters of a request for data or availability, and returns what the key and the filters
// name.
func bindSDMX[T any](x *exchange, key string, isV3 bool) (p T, part sdmxrest.Part, err error) {
	x.varyByForm()
	filters, rest, err := sdmxrest.SplitFilters(x.r.URL.RawQuery)
	if err == nil {
		err = request.Bind(rest, &p)
	}
	return p, sdmxrest.Part{Key: key, Filters: filters, IsV3: isV3}, err
}

// maxUnknown is how many codes that a dataset does not have are named in headers.
const maxUnknown = 10

// sdmxMessage replies with a message, of several data sets if there are any. The queries run when send
// calls encode.
func (x *exchange) sdmxMessage(f *sdmxFlow, sets []*sdmxFlow, form *sdmxrest.DataForm, options sdmx.MessageOptions) *reply {
	address := access.Redact(x.api.opts.BaseURL + x.r.URL.RequestURI())
	what := fmt.Sprintf("sdmx %s %s %+v", form.MediaType, address, tagged(options))
	for _, set := range sets {
		what += fmt.Sprintf(" %s %s %s %s", set.Version, set.action, set.from, set.to)
	}
	what += fmt.Sprint(f.selection.Periods, f.selection.Keys)
	base := baseOf(f.Vintage)
	encode := func(s *stream) error {
		m, err := f.message(x.r.Context(), options)
		if err != nil {
			return err
		}
		m.Address = address
		for _, set := range sets {
			one, err := set.message(x.r.Context(), options)
			if err != nil {
				return err
			}
			m.Sets = append(m.Sets, one)
		}
		return form.Write(&streamWriter{s}, m)
	}
	isWhole := selectsAll(&f.selection.Query) && !f.selection.IsNarrower() && f.Vintage.Changes() == nil && sets == nil && options.First == 0 && options.Last == 0 && options.Offset == 0 && options.Limit == 0 && options.Only == nil
	kind := form.MediaType
	if form.IsCSV {
		kind += ";charset=utf-8"
	}
	return &reply{tag: base.queryTag(&f.selection.Query, nil, what), modified: base.modified, contentType: []string{kind}, encode: encode, isKept: isWhole}
}

// message returns the message of a version.
func (f *sdmxFlow) message(ctx context.Context, options sdmx.MessageOptions) (*sdmx.Message, error) {
	extract, err := f.Vintage.Select(ctx, f.selection.Query)
	if err != nil {
		return nil, err
	}
	return &sdmx.Message{Flow: f.Flow, Extract: f.selection.Of(extract), MessageOptions: options, Action: f.action, ValidFrom: f.from, ValidTo: f.to}, nil
}

// tagged returns the options without the error, whose text depends on the query only.
func tagged(o sdmx.MessageOptions) sdmx.MessageOptions {
	o.Empty = nil
	return o
}

// choose sets what an address selects.
func (f *sdmxFlow) choose(part sdmxrest.Part) (err error) {
	f.selection, err = sdmxrest.NewSelection(f.Flow, part)
	return err
}

// sdmxFlow opens the version of a dataset that a reference and the parameter asOf name, in the
// language of the caller.
func (x *exchange) sdmxFlow(ref sdmxrest.Reference, asOf string) (*sdmxFlow, error) {
	e, err := ref.Entry(x.api.opts.Store.Catalog())
	if err != nil {
		return nil, err
	}
	at, err := ref.At(asOf, func() ([]string, error) { return x.sdmxVersions(e) })
	if err != nil {
		return nil, err
	}
	v, err := x.vintageOf(strconv.Itoa(e.ID), at)
	if err != nil {
		return nil, err
	}
	l, err := x.localised(v, "")
	if err != nil {
		return nil, err
	}
	if at == (store.At{}) {
		x.w.Header()["X-Notice"] = noticeHeaders(insteadNotice(v, request.Edition{}))
	}
	return &sdmxFlow{Flow: sdmx.FlowFor(l.Vintage)}, nil
}

// sdmxVersions returns the versions of a dataset that are kept, oldest first.
func (x *exchange) sdmxVersions(e *store.Entry) ([]string, error) {
	list, err := x.api.opts.Store.Versions(x.r.Context(), e.ID)
	var versions []string
	for i := range list {
		versions = append(versions, list[i].Version)
	}
	return versions, err
}

// sdmxStructures replies with artefacts, those that the address names and those that they refer to.
func (x *exchange) sdmxStructures(q sdmxrest.StructureQuery, isV3 bool) (*reply, error) {
	x.varyByForm()
	p, err := bind[sdmxrest.Structure](x)
	if err != nil {
		return nil, err
	}
	form, err := x.sdmxStructureForm(p.Format, p.FormatVersion, isV3)
	if err != nil {
		return nil, err
	}
	q.References, q.Detail = append(q.References, strings.FieldsFunc(p.References, isListSeparator)...), p.Detail
	if q.Reference, err = x.sdmxReference(); err != nil {
		return nil, err
	}
	open := func(e *store.Entry, version string) (*sdmx.Structures, error) {
		if version == e.Version {
			version = "" // the current one, whichever it is when it is opened
		}
		return x.sdmxStructuresOf(e.ID, store.At{Version: version})
	}
	region := func(f *sdmx.Flow) (*sdmx.Region, error) {
		return sdmxrest.Available(x.r.Context(), f, &sdmxrest.Selection{Query: stat.Query{Flags: true}}, "exact", "")
	}
	r := &sdmxrest.Resolver{Catalog: x.api.opts.Store.Catalog(), Versions: x.sdmxVersions, Open: open, Region: region, Topics: x.sdmxTopics}
	found, err := r.Resolve(q)
	if err != nil {
		return nil, err
	}
	return x.sdmxStructureMessage(form, found, r.Catalog.Changed)
}

func isListSeparator(r rune) bool { return r == ',' || r == '+' || r == ' ' }

func (x *exchange) sdmxStructureForm(format, version string, isV3 bool) (*sdmxrest.StructureForm, error) {
	form, err := sdmxrest.ChooseStructure(sdmxrest.Wanted{Format: format, Version: version, Accept: x.r.Header["Accept"], IsV3: isV3})
	if err == nil && form == nil {
		err = &refusal{http.StatusNotAcceptable, "Accept names no media type of structures that there is; there are " + sdmxrest.StructureMediaTypes()}
	}
	return form, err
}

// sdmxStructureMessage replies with a structure message.
func (x *exchange) sdmxStructureMessage(form *sdmxrest.StructureForm, found []*sdmx.Artefact, prepared time.Time) (*reply, error) {
	for i, a := range found {
		found[i] = a.InVersion(form.IsJSON)
	}
	var text bytes.Buffer
	var err error
	if form.IsJSON {
		language, _ := request.BaseLanguage("", x.acceptLanguage())
		x.w.Header()["Vary"] = varyFormLanguage
		err = json.WriteStructures(&text, json.Header{ID: "structures", Prepared: prepared, Sender: "Almanac", Language: language}, found)
	} else {
		err = ml.WriteStructures(&text, ml.Header{ID: "structures", Prepared: prepared, Sender: "Almanac"}, found)
	}
	if err != nil {
		return nil, err
	}
	rep := constantReply(text.Bytes())
	rep.contentType = []string{form.MediaType}
	return rep, nil
}

// sdmxStructuresOf opens a version of a dataset for a structure message, with its names in all
// languages.
func (x *exchange) sdmxStructuresOf(id int, at store.At) (*sdmx.Structures, error) {
	v, err := x.api.opts.Store.VintageAt(x.r.Context(), id, at)
	if err != nil {
		return nil, err
	}
	translations, err := v.Translations(x.r.Context())
	return &sdmx.Structures{Flow: sdmx.FlowFor(v), Translations: translations}, err
}

// sdmxTopics returns the topics of datasets, none while there is no search.
func (x *exchange) sdmxTopics(entries []*store.Entry) map[int][]string {
	index, err := x.index()
	if err != nil {
		return nil
	}
	var ids []int
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return index.TopicsOf(ids)
}

// sdmxAvailability replies with what has data in a selection.
func (x *exchange) sdmxAvailability(ref sdmxrest.Reference, key, component string, isV3 bool) (*reply, error) {
	p, part, err := bindSDMX[sdmxrest.Availability](x, key, isV3)
	if err != nil {
		return nil, err
	}
	part.Start, part.End = p.StartPeriod, p.EndPeriod
	if p.Mode != "" && p.Mode != "exact" && p.Mode != "available" {
		return nil, stat.Errorf(stat.Invalid, "parameter mode must be exact or available, not %.40q", p.Mode)
	}
	form, err := x.sdmxStructureForm(p.Format, p.FormatVersion, isV3)
	if err != nil {
		return nil, err
	}
	f, err := x.sdmxFlow(ref, "")
	if err == nil && p.UpdatedAfter != "" {
		err = x.restrictToChanges(f, p.UpdatedAfter)
	}
	if err != nil {
		return nil, err
	}
	if err := f.choose(part); err != nil {
		return nil, err
	}
	return x.sdmxRegion(f, form, &p, component)
}

func (x *exchange) sdmxRegion(f *sdmxFlow, form *sdmxrest.StructureForm, p *sdmxrest.Availability, component string) (*reply, error) {
	component, err := sdmxrest.ParseComponent(f.Flow, component)
	if err != nil {
		return nil, err
	}
	region, err := sdmxrest.Available(x.r.Context(), f.Flow, f.selection, p.Mode, component)
	if err != nil {
		return nil, err
	}
	if region.Series == 0 && p.Mode != "available" {
		return nil, f.selection.NoResults(f.Flow)
	}
	s, err := x.sdmxStructuresOf(f.Dataset.ID, store.At{Version: f.Vintage.Version})
	if err != nil {
		return nil, err
	}
	found, err := sdmxrest.AvailabilityReferences(s, region, strings.FieldsFunc(p.References, isListSeparator))
	if err != nil {
		return nil, err
	}
	return x.sdmxStructureMessage(form, append(found, s.Constraint(region)), f.Vintage.Imported)
}

// sdmxError returns an error with the status that SDMX has for it.
func sdmxError(err error) error {
	if e, ok := errors.AsType[*sdmxrest.NotImplemented](err); ok {
		return &refusal{http.StatusNotImplemented, e.Message}
	}
	if e, ok := errors.AsType[*sdmxrest.TooLarge](err); ok {
		return &refusal{http.StatusRequestEntityTooLarge, e.Message}
	}
	return err
}

// sdmxErrors are the codes and titles of errors in SDMX, by status.
var sdmxErrors = map[int]struct {
	code  int
	title string
}{
	http.StatusBadRequest: {140, "Syntax error"}, http.StatusUnauthorized: {110, "Unauthorized"}, http.StatusForbidden: {150, "Semantic error"},
	http.StatusNotFound: {100, "No results found"}, http.StatusRequestEntityTooLarge: {510, "Response size exceeds service limit"},
	http.StatusInternalServerError: {500, "Internal server error"}, http.StatusNotImplemented: {501, "Not implemented"}, http.StatusServiceUnavailable: {503, "Service unavailable"},
}

// sdmxErrorBody returns the body of an error and its media type. It is JSON where the caller reads
// JSON, else XML.
func (x *exchange) sdmxErrorBody(status int, message string) (contentType []string, body []byte) {
	e, ok := sdmxErrors[status]
	if !ok {
		e.code, e.title = status, http.StatusText(status)
	}
	message = access.Redact(message)
	accept := strings.Join(x.r.Header["Accept"], ",") + x.r.URL.Query().Get("format")
	isJSON := strings.HasPrefix(x.r.URL.Path, "/sdmx/3.0/") && !strings.Contains(accept, "xml") || strings.Contains(accept, "json")
	if isJSON {
		return applicationJSON, json.WriteError(nil, e.code, e.title, message)
	}
	return applicationXML, ml.WriteError(nil, e.code, message)
}
