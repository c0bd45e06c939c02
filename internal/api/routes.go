package api

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"almanac/internal/chart/embed"
	"almanac/internal/request"
)

// route is an address and method of the interface, as described in the API reference.
type route struct {
	method     string // empty: GET and HEAD
	path       string // pattern of http.ServeMux
	name       string // of the operation
	summary    string
	guard      guard // the same for all routes of a path
	counted    bool  // requests count against the caller's limit
	undated    bool  // responses have no time of publication
	unfinished bool  // a response may lack what was not read in time, and then has no ETag
	early      bool  // 304 is sent before the number of pages is known
	inOne      bool  // responses are in one language, which Content-Language names
	params     []request.Param
	body       string   // schema of the request body; empty: no body
	statuses   []int    // possible statuses besides those of the wrapper
	schema     string   // schema of the response; empty: not JSON
	isText     bool     // responses are plain text
	pictures   []string // extensions of the pictures in responses
	form       *form    // of the file in responses
	isSDMX     bool     // errors are those of SDMX
	inRanges   bool     // ranges of the file can be read, and count once
	handle     func(*exchange) (*reply, error)
	// wantsFollowed reports whether a request has followed=true; nil: the route does
	// not support it.
	wantsFollowed func(*exchange) bool
}

type guard uint8

const (
	anyCaller  guard = iota // a valid key, or no key unless the limit of anonymous callers is 0
	keyHolder               // a valid key
	newcomer                // a valid key, or no key even if the limit of anonymous callers is 0
	unchecked               // keys are ignored
	linkHolder              // the token of a link in the address
)

// routes lists all addresses of the interface, in the order of the API reference; those of the
// SDMX REST API are in sdmxroutes.go.
var routes = []route{
	{
		path: "/api/datasets", name: "listDatasets", summary: "List the datasets", counted: true,
		params: request.Params[request.Catalog](), statuses: []int{200, 304, 400}, schema: "CatalogPage", handle: (*exchange).catalog,
	},
	{
		method: http.MethodPost, path: "/api/datasets", name: "bringDataset", summary: "Have a dataset of an office brought into the service", counted: true,
		body: "Reference", statuses: []int{200, 202, 400, 403, 404, 413, 415}, schema: "Job", handle: (*exchange).bringDataset,
	},
	{
		path: "/api/jobs/{job}", name: "readJob", summary: "Read how far a dataset is that was requested",
		statuses: []int{200, 400, 404}, schema: "Job", handle: withoutParams((*exchange).job),
	},
	{
		path: "/api/datasets/{id}", name: "readDataset", summary: "Read a dataset with all its data", inOne: true, counted: true,
		params: request.Params[request.Details](), statuses: []int{200, 304, 400, 404}, schema: "DatasetWithData", handle: (*exchange).details,
	},
	{
		path: "/api/datasets/{id}/meta", name: "readMetadata", summary: "Read a dataset's metadata", inOne: true, counted: true,
		params: request.Params[request.Texts](), statuses: []int{200, 304, 400, 404}, schema: "DatasetMeta", handle: (*exchange).meta,
	},
	{
		path: "/api/datasets/{id}/latest", name: "readLatest", summary: "Read the latest values of one series of a dataset", inOne: true, counted: true,
		params: request.Params[request.Latest](), statuses: []int{200, 304, 400, 404}, schema: "Latest", handle: (*exchange).latest,
	},
	{
		path: "/api/datasets/{id}/data", name: "readData", summary: "Read a part of a dataset", inOne: true, counted: true,
		params: request.Params[request.Data](), statuses: []int{200, 304, 400, 404}, schema: "FilteredData", handle: (*exchange).data,
		wantsFollowed: (*exchange).dataWantsFollowed,
	},
	fileRoute(&csvForm), fileRoute(&parquetForm), fileRoute(&ndjsonForm), fileRoute(&jsonstatForm), fileRoute(&xlsxForm),
	fileRoute(&sdmxCSVForm), fileRoute(&sdmxJSONForm), fileRoute(&sdmxMLForm),
	{
		method: http.MethodPost, path: "/api/datasets/{id}/data", name: "postData", summary: "Read a part of a dataset that takes a long selection", inOne: true, counted: true,
		body: "DataRequest", statuses: []int{200, 400, 404, 413, 415}, schema: "FilteredData", handle: (*exchange).postData,
		wantsFollowed: (*exchange).postWantsFollowed,
	},
	{
		path: "/api/data", name: "readSeveral", summary: "Read parts of several datasets", counted: true, undated: true,
		params: request.Params[request.ManyData](), statuses: []int{200, 304, 400, 404}, schema: "ManyData", handle: (*exchange).manyData,
	},
	{
		path: "/api/datasets/{id}/availability", name: "readAvailability", summary: "Read which values still give data under a selection", inOne: true, counted: true,
		params: request.AvailabilityParams(), statuses: []int{200, 304, 400, 404}, schema: "Availability", handle: (*exchange).availability,
		wantsFollowed: (*exchange).availabilityWantsFollowed,
	},
	{
		path: "/api/datasets/{id}/dataset.parquet", name: "readDatasetFile", summary: "Read the file in which a dataset is stored", counted: true, inRanges: true,
		params: request.Params[request.Stored](), statuses: []int{200, 206, 304, 400, 404, 412, 416}, form: &parquetForm, handle: (*exchange).datasetFile,
	},
	{
		path: "/api/datasets/{id}/dimensions", name: "readDimensions", summary: "Read the values for filtering a dataset", inOne: true, counted: true,
		params: request.Params[request.Texts](), statuses: []int{200, 304, 400, 404}, schema: "Dimensions", handle: (*exchange).dimensions,
	},
	{
		path: "/api/datasets/{id}/versions", name: "listVersions", summary: "List the versions of a dataset", counted: true,
		params: request.Params[request.Versions](), statuses: []int{200, 304, 400, 404}, schema: "VersionPage", handle: (*exchange).versions,
	},
	{
		path: "/api/datasets/{id}/revisions", name: "listRevisions", summary: "List what changed between two versions of a dataset", inOne: true, counted: true, early: true,
		params: request.Params[request.Revisions](), statuses: []int{200, 304, 400, 404}, schema: "RevisionPage", handle: (*exchange).revisions,
		wantsFollowed: (*exchange).revisionsWantFollowed,
	},
	{
		path: "/api/areas", name: "listAreas", summary: "List countries, groups and regions", inOne: true, counted: true, undated: true,
		params: request.Params[request.Areas](), statuses: []int{200, 304, 400}, schema: "AreaPage", handle: (*exchange).areas,
	},
	{
		path: "/api/areas/{area}", name: "readArea", summary: "Read an area by any of its codes or names", inOne: true, counted: true, undated: true,
		params: request.Params[request.Area](), statuses: []int{200, 304, 400, 404}, schema: "AreaWithMeanings", handle: (*exchange).area,
	},
	{
		path: "/api/search", name: "search", summary: "Find datasets of this service and of the offices' lists", early: true, counted: true, undated: true, unfinished: true,
		params: request.Params[request.Search](), statuses: []int{200, 304, 400, 503}, schema: "SearchPage", handle: (*exchange).search,
	},
	{
		path: "/api/topics", name: "listTopics", summary: "List the topics of datasets", inOne: true, counted: true, undated: true,
		params: request.Params[request.Topics](), statuses: []int{200, 304, 400, 503}, schema: "TopicList", handle: (*exchange).topics,
	},
	{
		path: "/api/concepts", name: "listConcepts", summary: "List the measures that datasets of several sources have", counted: true, undated: true,
		params: request.Params[request.Concepts](), statuses: []int{200, 304, 400}, schema: "ConceptList", handle: (*exchange).concepts,
	},
	{
		method: http.MethodPost, path: "/api/charts/generate-png", name: "generateChart", summary: "Draw a chart", inOne: true, counted: true,
		params: request.Params[request.Drawn](), body: "ChartRequest", statuses: []int{200, 400, 404, 413, 415, 503}, schema: "Chart", handle: (*exchange).generateChart,
		wantsFollowed: (*exchange).chartBodyWantsFollowed,
	},
	chartRoute("png", "png"), chartRoute("jpeg", "jpg"), chartRoute("jpg", "jpg"), chartRoute("svg", "svg"),
	{
		path: "/api/datasets/{id}/chart.json", name: "describeChart", summary: "Say what a chart shows", counted: true, inOne: true,
		params: slices.Concat(request.ChartParams(), request.SelectionParams()), statuses: []int{200, 304, 400, 404}, schema: "ChartDescription",
		handle: (*exchange).describeChart, wantsFollowed: chartAddressWantsFollowed,
	},
	{
		path: "/api/followed", name: "listFollowed", summary: "List what the organisation follows", guard: keyHolder, counted: true,
		params: request.Params[request.Paging](), statuses: []int{200, 400}, schema: "FollowedPage", handle: (*exchange).listFollowed,
	},
	{
		path: "/api/followed/{datasetId}", name: "readFollowed", summary: "Read what the organisation follows of a dataset", guard: keyHolder, counted: true,
		statuses: []int{200, 400, 404}, schema: "Followed", handle: withoutParams((*exchange).readFollowed),
	},
	{
		method: http.MethodPut, path: "/api/followed/{datasetId}", name: "follow", summary: "Follow a dataset or change what is followed of it", guard: keyHolder, counted: true,
		body: "Selection", statuses: []int{200, 400, 404, 413, 415}, schema: "Followed", handle: (*exchange).follow,
	},
	{
		method: http.MethodDelete, path: "/api/followed/{datasetId}", name: "unfollow", summary: "Stop following a dataset", guard: keyHolder, counted: true,
		statuses: []int{204, 400, 404}, handle: withoutParams((*exchange).unfollow),
	},
	{
		path: "/api/limits", name: "readLimits", summary: "Read how much of the daily limit is left",
		statuses: []int{200, 400}, schema: "Limits", handle: withoutParams((*exchange).limits),
	},
	{
		path: "/api/status", name: "readStatus", summary: "Read how old the data of each source are",
		statuses: []int{200, 304, 400}, schema: "Status", handle: withoutParams((*exchange).status),
	},
	{
		method: http.MethodPost, path: "/api/accounts", name: "createAccount", summary: "Create a free account and its key", guard: newcomer,
		body: "AccountRequest", statuses: []int{201, 400, 403, 409, 413, 415, 429}, schema: "NewAccount", handle: (*exchange).createAccount,
	},
	{
		path: "/charts/{file}", name: "readChart", summary: "Read the picture of a drawn chart", guard: unchecked,
		statuses: []int{200, 304, 400, 404, 503}, pictures: []string{"png", "jpg", "svg", "html"}, handle: withoutParams((*exchange).chartFile),
	},
	{
		method: http.MethodPost, path: agentsPath, name: "callTool", summary: "Answer a message of an agent (Model Context Protocol)", guard: anyCaller,
		body: "AgentMessage", statuses: []int{200, 202, 400, 413, 415}, schema: "Any", handle: (*exchange).mcp,
	},
	{path: "/llms.txt", name: "readOverview", isText: true, summary: "Read what agents and language models need to know of this service", guard: unchecked, statuses: []int{200, 304}, handle: withoutParams((*exchange).overview)},
	{path: "/openapi.json", name: "readReference", summary: "Read this description", guard: unchecked, statuses: []int{200, 304}, schema: "Any", handle: (*exchange).reference},
	{path: "/healthz", name: "health", summary: "Check that the process responds", guard: unchecked, statuses: []int{200}, schema: "Health", handle: (*exchange).health},
	{path: "/readyz", name: "readiness", summary: "Check that data can be read and requests counted", guard: unchecked, statuses: []int{200, 503}, schema: "Health", handle: (*exchange).readiness},
	{path: "/{$}", name: "page", summary: "Show a page of links", guard: unchecked, statuses: []int{200}, handle: (*exchange).page},
}

// registerRoutes registers each route by method and path, and each path for all
// other methods.
func (a *API) registerRoutes() {
	methods := map[string]string{} // by path
	guards := map[string]guard{}
	all := slices.Concat(routes, sdmxRoutes())
	for i := range all {
		rt := &all[i]
		a.mux.Handle(cmp.Or(rt.method, http.MethodGet)+" "+rt.path, a.handler(rt))
		methods[rt.path] += cmp.Or(rt.method, "GET, HEAD") + ", "
		guards[rt.path] = rt.guard
		if rt.method == "" && !rt.isSDMX {
			a.readable = append(a.readable, rt.path)
		}
	}
	for path, list := range methods {
		if !isCovered(path, methods) {
			a.mux.Handle(path, a.handler(otherMethods(guards[path], list+"OPTIONS", strings.HasPrefix(path, "/sdmx/"))))
		}
	}
	a.mux.Handle("/sdmx/", a.handler(&unknownSDMX))
	a.mux.Handle("GET "+linkRoute.path, a.handler(&linkRoute))
	a.mux.Handle(linkRoute.path, a.handler(otherMethods(unchecked, "GET, HEAD, OPTIONS", false)))
	a.mux.Handle("/", a.handler(&unknownAddress))
}

// isCovered reports whether another path matches all that a path does, such as /{resource}/{agency}
// for /data/{flow}. The mux does not take a path for all methods beside one for GET that covers
// it; the other one then handles the other methods of both.
func isCovered(path string, others map[string]string) bool {
	parts := strings.Split(path, "/")
	for other := range others {
		otherParts := strings.Split(other, "/")
		if other == path || len(otherParts) != len(parts) {
			continue
		}
		covers, isWider := true, false
		for i, part := range otherParts {
			isWild := strings.HasPrefix(part, "{") && part != "{$}"
			covers = covers && (part == parts[i] || isWild)
			isWider = isWider || isWild && !strings.HasPrefix(parts[i], "{")
		}
		if covers && isWider {
			return true
		}
	}
	return false
}

func (a *API) handler(rt *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, rt) })
}

// otherMethods returns the route of a path for methods that are not allowed, and for
// OPTIONS, which browsers send before requests from other origins.
func otherMethods(g guard, allowed string, isSDMX bool) *route {
	allow := []string{allowed}
	return &route{guard: g, isSDMX: isSDMX, handle: func(x *exchange) (*reply, error) {
		if x.r.Method == http.MethodOptions {
			return x.options(allow), nil
		}
		x.w.Header()["Allow"] = allow
		return nil, &refusal{http.StatusMethodNotAllowed, fmt.Sprintf("method %s is not allowed at %s; allowed methods: %s", x.r.Method, x.r.URL.Path, allowed)}
	}}
}

// options replies to OPTIONS with the methods of an address.
func (x *exchange) options(allow []string) *reply {
	h := x.w.Header()
	delete(h, "Vary")
	h["Allow"] = allow
	h["Access-Control-Allow-Methods"] = allow
	h["Access-Control-Allow-Headers"] = allowedHeaders
	h["Access-Control-Max-Age"] = preflightAge
	return &reply{status: http.StatusNoContent, ignoresCoding: true}
}

// Header values that are the same on every response. They must not be changed.
var (
	anyOrigin       = []string{"*"}
	readMethods     = []string{"GET, HEAD, OPTIONS"}
	exposedHeaders  = []string{"ETag, Last-Modified, Link, X-Notice, Content-Location, Content-Disposition, Accept-Ranges, Content-Range, Repr-Digest, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"}
	allowedHeaders  = []string{"X-API-Key, Authorization, Content-Type, If-None-Match, If-Modified-Since, If-Range, Range, Mcp-Protocol-Version, Mcp-Method, Mcp-Name"}
	preflightAge    = []string{"86400"}
	applicationJSON = []string{"application/json"}
	applicationXML  = []string{"application/vnd.sdmx.error+xml;version=2.1"}
	textHTML        = []string{"text/html; charset=utf-8"}
	varyEncoding    = []string{"Accept-Encoding"}
	varyCaller      = []string{"Accept-Encoding, X-API-Key, Authorization"}
	varyLanguage    = []string{"Accept-Encoding, Accept-Language, X-API-Key, Authorization"}
	// of addresses with a form for each Accept
	varyForm         = []string{"Accept-Encoding, X-API-Key, Authorization, Accept"}
	varyFormLanguage = []string{"Accept-Encoding, Accept-Language, X-API-Key, Authorization, Accept"}
	bearer           = []string{"Bearer"}
	noCache          = []string{"no-cache"}
	privateNoCache   = []string{"private, no-cache"}
	privateNoStore   = []string{"private, no-store"}
	noStore          = []string{"no-store"}
	noScripts        = []string{"default-src 'none'; style-src 'unsafe-inline'; font-src data:"} // an SVG file can be opened as a document
	pageScript       = []string{embed.Policy}
	immutable        = []string{"public, max-age=31536000, immutable"}
)
