package api

import (
	"net/http"
	"slices"
	"strings"

	"almanac/internal/request"
)

// securitySchemes are the two ways to send a key.
var securitySchemes = object{
	"apiKey": object{"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "Keys begin with alm_."},
	"bearer": object{"type": "http", "scheme": "bearer", "description": "The same key, as Authorization: Bearer. Do not send both."},
}

// limitHeaders are the headers of every counted response and of every 429.
var limitHeaders = []string{"RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}

// responseHeaders describes headers. Required ones are on every response that names them.
var responseHeaders = object{
	"RateLimit-Policy":      header("string", `The limit and its window in seconds: "daily";q=100;w=86400, or "accounts";q=3;w=86400 for the limit of free accounts. Callers without a limit receive none of the five limit headers.`),
	"RateLimit":             header("string", `The number of requests left, and the seconds until the limit resets: "daily";r=99;t=40211.`),
	"X-RateLimit-Limit":     header("integer", "The limit in requests per UTC day; for free accounts, in accounts per UTC day."),
	"X-RateLimit-Remaining": header("integer", "The number left."),
	"X-RateLimit-Reset":     header("integer", "When the count resets: midnight UTC, in seconds since 1970."),
	"Retry-After":           requiredHeader("integer", "The number of seconds to wait before another request."),
	"WWW-Authenticate":      requiredHeader("string", "Bearer"),
	"Allow":                 requiredHeader("string", "The methods that the address accepts."),
	"X-Request-Id":          requiredHeader("string", "The id under which the log describes a failure."),
	"ETag":                  requiredHeader("string", "Strong: it changes with the bytes. Send it in If-None-Match."),
	"ETagIfFinished":        header("string", "As ETag. Absent if something was not read in time, which a notice then says."),
	"Link":                  requiredHeader("string", "The first, previous, next and last page of the list (RFC 8288), with all parameters of the request: <https://example.org/api/datasets?limit=20&page=1>; rel=\"next\". Of a file, its metadata (rel=\"describedby\") and the licence (rel=\"license\")."),
	"X-Notice":              header("string", "Something valid that is probably not intended, such as a country that the dataset does not have, or why the file is empty: the parameter, a sentence and similar values, in quotes, with what is not ASCII escaped. A file or picture may have several."),
	"Content-Language":      header("string", "The language of the labels and names, if it is known."),
	"Content-Location":      header("string", "The address with the dataset's id, if the request named the dataset by its source and code."),
	"Content-Disposition":   requiredHeader("string", "The name of the file."),
	"Accept-Ranges":         header("string", "bytes. Absent if the response is a size (dry_run=true)."),
	"Content-Range":         header("string", "Which bytes of how many the response has. With several ranges, each part says it."),
	"Repr-Digest":           header("string", "The SHA-256 of the whole file (RFC 9530), also if the response has a range of it. Absent if the response is a size (dry_run=true)."),
	"Location":              requiredHeader("string", "The address of the job, or of the dataset if it is here already."),
	"Last-Modified":         header("string", "When the data were published here. Send it in If-Modified-Since, which is ignored if the response depends on Accept-Language (see Vary). Absent if there are no data, or if the answer does not change with the data alone."),
}

func header(kind, description string) object {
	return object{"description": description, "schema": object{"type": kind}}
}

func requiredHeader(kind, description string) object {
	h := header(kind, description)
	h["required"] = true
	return h
}

// sharedResponses are the same at every address, by component name.
var sharedResponses = object{
	"MethodNotAllowed": withHeaders(failure("The address does not accept this method."), "X-Request-Id", "Allow"),
	"Unavailable":      withHeaders(failure("Temporarily unavailable. The request was not counted."), "X-Request-Id", "Retry-After"),
	"Failure":          withHeaders(failure("Any other failure: 406, 500."), "X-Request-Id"),
}

func sharedResponse(name string) object {
	return object{"$ref": "#/components/responses/" + name}
}

func withHeaders(response object, names ...string) object {
	headers := object{}
	for _, name := range names {
		headers[name] = object{"$ref": "#/components/headers/" + name}
	}
	if len(names) > 0 {
		response["headers"] = headers
	}
	return response
}

// security says whether a guard requires a key, accepts one, or ignores keys.
func (a *API) security(g guard) []object {
	keys := []object{{"apiKey": []string{}}, {"bearer": []string{}}}
	switch {
	case g == unchecked:
		return []object{}
	case g == keyHolder, g == anyCaller && a.limits.Anonymous == 0:
		return keys
	}
	return append([]object{{}}, keys...)
}

// allStatuses returns the possible statuses, including those of the wrapper.
func (rt *route) allStatuses() []int {
	all := append(slices.Clone(rt.statuses), http.StatusMethodNotAllowed)
	if rt.guard != unchecked {
		all = append(all, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// headers returns the described headers of a response of the route.
func (rt *route) headers(status int) []string {
	var names []string
	if status == http.StatusTooManyRequests || rt.counted && countable(status) {
		names = slices.Clone(limitHeaders)
	}
	switch {
	case status == http.StatusUnauthorized:
		names = append(names, "WWW-Authenticate")
	case status == http.StatusTooManyRequests:
		names = append(names, "Retry-After")
	case status < 300 && slices.Contains(rt.statuses, http.StatusAccepted) && rt.path != agentsPath:
		names = append(names, "Location")
	case status < 400 && slices.Contains(rt.statuses, http.StatusNotModified):
		names = append(names, "ETag")
		if rt.counted && !rt.undated { // other addresses change with the program or never
			names = append(names, "Last-Modified")
		}
	}
	if rt.hasParam("page") && (status < 300 || status < 400 && !rt.early) {
		names = append(names, "Link")
	}
	if status < 400 && rt.inOne {
		names = append(names, "Content-Language")
	}
	if status < 300 && rt.form != nil {
		names = append(names, "Content-Disposition")
	}
	if status < 400 && rt.form != nil {
		names = append(names, "Link")
	}
	if status < 400 && (rt.form != nil || strings.HasPrefix(rt.name, "drawChart")) {
		names = append(names, "X-Notice")
	}
	switch { // the others are made when they are read, and a whole one is sent at once
	case status < 300 && rt.name == "readDatasetFile":
		names = append(names, "Accept-Ranges", "Repr-Digest")
	case status == http.StatusPartialContent:
		names = append(names, "Accept-Ranges")
	}
	if status == http.StatusPartialContent || status == http.StatusRequestedRangeNotSatisfiable {
		names = append(names, "Content-Range")
	}
	if status < 400 && rt.method == "" && strings.Contains(rt.path, "{id}") {
		names = append(names, "Content-Location")
	}
	if status >= 400 {
		names = append(names, "X-Request-Id")
	}
	return names
}

func (rt *route) hasParam(name string) bool {
	return slices.ContainsFunc(rt.params, func(p request.Param) bool { return p.Name == name })
}

func (rt *route) response(status int) object {
	switch status {
	case http.StatusMethodNotAllowed:
		return sharedResponse("MethodNotAllowed")
	case http.StatusServiceUnavailable:
		return sharedResponse("Unavailable")
	}
	described := rt.responseBody(status)
	rt.addExample(described, status)
	described = withHeaders(described, rt.headers(status)...)
	if status == http.StatusOK && rt.unfinished {
		described["headers"].(object)["ETag"] = object{"$ref": "#/components/headers/ETagIfFinished"}
	}
	return described
}

func (rt *route) responseBody(status int) object {
	switch {
	case status == http.StatusNotModified:
		return object{"description": "Not modified: the caller already has the response."}
	case status == http.StatusNoContent:
		return object{"description": "Done."}
	case status == http.StatusTooManyRequests && !rt.counted:
		return failure("The limit of new accounts for one client address and UTC day is used up. The headers describe this limit.")
	case status == http.StatusBadRequest && rt.path == agentsPath:
		return object{"description": "The body is no message; an error of JSON-RPC 2.0 says why.", "content": content("Any")}
	case status >= 300:
		return failure(http.StatusText(status) + ".")
	case rt.pictures != nil:
		kinds := object{}
		for _, ending := range rt.pictures {
			kinds[withoutParameters(pictureTypes[ending][0])] = object{"schema": object{"type": "string", "format": "binary"}}
		}
		return object{"description": "The picture.", "content": kinds}
	case rt.form != nil:
		return object{"description": "The file; with dry_run=true its size, as JSON.", "content": object{withoutParameters(rt.form.mediaType): object{"schema": rt.form.schema()}, kindJSON: content("FilteredData")[kindJSON]}}
	case rt.isText:
		return object{"description": "Text in Markdown.", "content": object{"text/plain": object{"schema": object{"type": "string"}}}}
	case status == http.StatusAccepted && rt.path == agentsPath:
		return object{"description": "The message was a notification, which has no response."}
	case rt.schema == "":
		return object{"description": "A page.", "content": object{"text/html": object{"schema": object{"type": "string"}}}}
	}
	return object{"description": "The response.", "content": content(rt.schema)}
}

// withoutParameters returns a media type alone.
func withoutParameters(mediaType string) string {
	kind, _, _ := strings.Cut(mediaType, ";")
	return kind
}

func failure(description string) object {
	return object{"description": description, "content": content("Error")}
}

func content(schema string) object {
	return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + schema}}}
}
