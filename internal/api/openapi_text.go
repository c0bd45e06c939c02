package api

import (
	"net/http"
	"slices"
	"strings"
)

// tags are the groups of operations, in the order of the API reference.
var tags = []object{
	{"name": "Catalogue", "description": "What there is: datasets, their dimensions and versions, topics, areas, search."},
	{"name": "Data", "description": "The numbers: all, a part, the latest, in several forms."},
	{"name": "Charts", "description": "Pictures of the numbers."},
	{"name": "SDMX", "description": "The same datasets as web services of SDMX."},
	{"name": "Accounts", "description": "Accounts, limits, and what an organisation follows."},
	{"name": "Service", "description": "The state of the service and of its sources, and this description."},
}

// tag returns the group of the route.
func (rt *route) tag() string {
	path := rt.path
	last := path[strings.LastIndex(path, "/")+1:]
	switch {
	case strings.HasPrefix(path, "/sdmx/"):
		return "SDMX"
	case strings.Contains(path, "chart"):
		return "Charts"
	case strings.HasPrefix(path, "/api/followed"), path == "/api/accounts", path == "/api/limits":
		return "Accounts"
	case path == "/api/datasets/{id}", path == "/api/data", last == "latest", rt.hasParam("period"), rt.body == "DataRequest", strings.HasPrefix(last, "dataset."):
		return "Data"
	case strings.HasPrefix(path, "/api/datasets"), strings.HasPrefix(path, "/api/areas"), path == "/api/search", path == "/api/topics":
		return "Catalogue"
	}
	return "Service"
}

// description says in sentences what the route's fields say about its requests and responses.
func (rt *route) description() string {
	sentences := []string{rt.summary + "."}
	add := func(when bool, sentence string) {
		if when {
			sentences = append(sentences, sentence)
		}
	}
	add(rt.guard == keyHolder, "Needs a key.")
	add(rt.guard == unchecked, "Needs no key and ignores one.")
	add(rt.counted, "Counts against the daily limit, except as 304.")
	add(!rt.counted, "Does not count against the daily limit.")
	add(rt.inOne, "The response is in one language, which the header Content-Language names.")
	add(slices.Contains(rt.statuses, http.StatusNotModified), "The response has an ETag: send it in If-None-Match to learn whether anything changed.")
	add(rt.hasParam("page"), "The response is one page of a list; its header Link has the addresses of the others.")
	add(rt.wantsFollowed != nil, "With followed=true a key is needed.")
	return strings.Join(sentences, " ")
}
