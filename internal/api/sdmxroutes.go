package api

import (
	"net/http"
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/sdmxrest"
	"almanac/internal/stat"
)

// sdmxRoutes returns the addresses of the SDMX REST API of SDMX 2.1 and 3.0. The last parts of an
// address may be left out. They are not in the API reference, since the standard describes them.
func sdmxRoutes() []route {
	var all []route
	add := func(handle func(*exchange) (*reply, error), required string, optional ...string) {
		for n := range len(optional) + 1 {
			all = append(all, route{path: required + strings.Join(optional[:n], ""), isSDMX: true, counted: true, undated: true, handle: sdmxHandler(handle)})
		}
	}
	add((*exchange).data21, "/sdmx/2.1/data/{flow}", "/{key}", "/{provider}")
	add((*exchange).availability21, "/sdmx/2.1/availableconstraint/{flow}", "/{key}", "/{provider}", "/{component}")
	add((*exchange).structures21, "/sdmx/2.1/{resource}", "/{agency}", "/{artefact}", "/{version}", "/{item}")
	add((*exchange).data30, "/sdmx/3.0/data/{context}/{agency}/{artefact}", "/{version}", "/{key}")
	add((*exchange).availability30, "/sdmx/3.0/availability/{context}/{agency}/{artefact}", "/{version}", "/{key}", "/{component}")
	add((*exchange).structures30, "/sdmx/3.0/structure/{resource}", "/{agency}", "/{artefact}", "/{version}", "/{item}")
	add((*exchange).schema, "/sdmx/2.1/schema/{context}/{agency}/{artefact}", "/{version}")
	add((*exchange).schema, "/sdmx/3.0/schema/{context}/{agency}/{artefact}", "/{version}")
	return all
}

// sdmxHandler returns a handler whose errors have the statuses of SDMX.
func sdmxHandler(handle func(*exchange) (*reply, error)) func(*exchange) (*reply, error) {
	return func(x *exchange) (*reply, error) {
		rep, err := handle(x)
		return rep, sdmxError(err)
	}
}

// data21 replies to /data/{flow}/{key}/{provider}.
func (x *exchange) data21() (*reply, error) {
	ref, err := sdmxrest.ParseFlow(x.r.PathValue("flow"))
	if err != nil {
		return nil, err
	}
	if err := x.checkProvider(ref); err != nil {
		return nil, err
	}
	return x.sdmxData(ref, x.r.PathValue("key"), false)
}

// checkProvider checks that the provider in an address of SDMX 2.1, if there is one, is the agency of the
// dataset.
func (x *exchange) checkProvider(ref sdmxrest.Reference) error {
	provider := x.r.PathValue("provider")
	e, err := ref.Entry(x.api.opts.Store.Catalog())
	if err != nil || sdmxrest.IsProvider(provider, e.Source) {
		return err
	}
	return stat.Errorf(stat.NotFound, "there are no data of the provider %.100q; the provider of %s is %s", provider, sdmx.EscapeID(e.Code), sdmx.AgencyOf(e.Source))
}

func (x *exchange) availability21() (*reply, error) {
	ref, err := sdmxrest.ParseFlow(x.r.PathValue("flow"))
	if err != nil {
		return nil, err
	}
	if err := x.checkProvider(ref); err != nil {
		return nil, err
	}
	return x.sdmxAvailability(ref, x.r.PathValue("key"), x.r.PathValue("component"), false)
}

func (x *exchange) structures21() (*reply, error) {
	return x.sdmxStructures(sdmxrest.StructureQuery{Resource: x.r.PathValue("resource"), Items: x.r.PathValue("item")}, false)
}

func (x *exchange) structures30() (*reply, error) {
	return x.sdmxStructures(sdmxrest.StructureQuery{Resource: x.r.PathValue("resource"), Items: x.r.PathValue("item")}, true)
}

// schema replies to a schema query with the structure of a dataflow, with its lists, in place of a
// schema of XML.
func (x *exchange) schema() (*reply, error) {
	q := sdmxrest.StructureQuery{Resource: x.r.PathValue("context"), References: []string{"descendants"}}
	return x.sdmxStructures(q, strings.HasPrefix(x.r.URL.Path, "/sdmx/3.0/"))
}

// sdmxReference returns what the address names.
func (x *exchange) sdmxReference() (sdmxrest.Reference, error) {
	return sdmxrest.NewReference(x.r.PathValue("agency"), x.r.PathValue("artefact"), x.r.PathValue("version"))
}

func (x *exchange) data30() (*reply, error) {
	ref, err := x.dataContext()
	if err != nil {
		return nil, err
	}
	return x.sdmxData(ref, x.r.PathValue("key"), true)
}

func (x *exchange) availability30() (*reply, error) {
	ref, err := x.dataContext()
	if err != nil {
		return nil, err
	}
	return x.sdmxAvailability(ref, x.r.PathValue("key"), x.r.PathValue("component"), true)
}

// dataContext returns the dataflow that an address of SDMX 3.0 names, by itself or by its
// structure.
func (x *exchange) dataContext() (sdmxrest.Reference, error) {
	ref, err := x.sdmxReference()
	switch context := x.r.PathValue("context"); context {
	case "dataflow", "*":
	case "datastructure":
		ref.IDs = slices.Clone(ref.IDs)
		for i, id := range ref.IDs {
			ref.IDs[i] = sdmx.FlowOf("DSD", id)
		}
	default:
		return ref, &sdmxrest.NotImplemented{Message: "the context of data must be dataflow or datastructure, not " + context}
	}
	return ref, err
}

// unknownSDMX handles all other addresses below /sdmx/.
var unknownSDMX = route{isSDMX: true, handle: unknownAddress.handle}

// withoutLastSlash returns a request for an address of SDMX without a slash at its end, which means
// that the last parts are left out.
func withoutLastSlash(r *http.Request) *http.Request {
	if !strings.HasPrefix(r.URL.Path, "/sdmx/") || !strings.HasSuffix(r.URL.Path, "/") {
		return r
	}
	changed := *r
	u := *r.URL
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
	changed.URL = &u
	return &changed
}
