package api

import (
	"net/http"
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/request"
	"almanac/internal/sdmxrest"
)

// sdmxRoutes returns the addresses of the SDMX REST API of SDMX 2.1 and 3.0. The last parts of an
// address may be left out; the API reference has the whole ones.
func sdmxRoutes() []route {
	data := request.Params[sdmxrest.Data]()
	structure := request.Params[sdmxrest.Structure]()
	availability := request.Params[sdmxrest.Availability]()
	var all []route
	add := func(rt route, required string, optional ...string) {
		rt.isSDMX, rt.counted, rt.undated = true, true, true
		rt.statuses = []int{http.StatusOK, http.StatusNotModified, http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable, http.StatusRequestEntityTooLarge, http.StatusNotImplemented}
		for n := range len(optional) + 1 {
			rt.path, rt.isShort = required+strings.Join(optional[:n], ""), n < len(optional)
			all = append(all, rt)
		}
	}
	add(route{name: "readSDMXData", summary: "Read data as SDMX 2.1", params: data, handle: sdmxHandler((*exchange).data21)},
		"/sdmx/2.1/data/{flow}", "/{key}", "/{provider}")
	add(route{name: "readSDMXAvailability", summary: "Read which codes have data, as SDMX 2.1", params: availability, handle: sdmxHandler((*exchange).availability21)},
		"/sdmx/2.1/availableconstraint/{flow}", "/{key}", "/{provider}", "/{component}")
	add(route{name: "readSDMXStructures", summary: "Read dataflows, structures, code lists and concepts, as SDMX 2.1", params: structure, handle: sdmxHandler((*exchange).structures21)},
		"/sdmx/2.1/{resource}", "/{agency}", "/{artefact}", "/{version}", "/{item}")
	add(route{name: "readSDMX3Data", summary: "Read data as SDMX 3.0", params: data, handle: sdmxHandler((*exchange).data30)},
		"/sdmx/3.0/data/{context}/{agency}/{artefact}", "/{version}", "/{key}")
	add(route{name: "readSDMX3Availability", summary: "Read which codes have data, as SDMX 3.0", params: availability, handle: sdmxHandler((*exchange).availability30)},
		"/sdmx/3.0/availability/{context}/{agency}/{artefact}", "/{version}", "/{key}", "/{component}")
	add(route{name: "readSDMX3Structures", summary: "Read dataflows, structures, code lists and concepts, as SDMX 3.0", params: structure, handle: sdmxHandler((*exchange).structures30)},
		"/sdmx/3.0/structure/{resource}", "/{agency}", "/{artefact}", "/{version}", "/{item}")
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
	return x.sdmxData(ref, x.r.PathValue("key"), false)
}

func (x *exchange) availability21() (*reply, error) {
	ref, err := sdmxrest.ParseFlow(x.r.PathValue("flow"))
	if err != nil {
		return nil, err
	}
	return x.sdmxAvailability(ref, x.r.PathValue("key"), x.r.PathValue("component"), false)
}

func (x *exchange) structures21() (*reply, error) { return x.sdmxStructures(x.structureQuery(), false) }

func (x *exchange) structures30() (*reply, error) { return x.sdmxStructures(x.structureQuery(), true) }

// structureQuery returns what the address names.
func (x *exchange) structureQuery() sdmxrest.StructureQuery {
	return sdmxrest.StructureQuery{
		Resource: x.r.PathValue("resource"), Reference: x.sdmxReference(), Items: x.r.PathValue("item"),
	}
}

func (x *exchange) sdmxReference() sdmxrest.Reference {
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
	ref := x.sdmxReference()
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
	return ref, nil
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
