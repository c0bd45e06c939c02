package api

import (
	"net/http"
	"slices"
)

// What the reference says of callers: where their keys go, what the gate
// answers them, and which headers tell them of their limit.

// securitySchemes are the two places that a key can be sent in.
var securitySchemes = object{
	"apiKey": object{"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "A key begins with alm_."},
	"bearer": object{"type": "http", "scheme": "bearer", "description": "The same key, as Authorization: Bearer. Not both at once."},
}

// limitHeaders are the headers of every answer that is counted against a
// limit, and of the one that says that it is used up.
var limitHeaders = []string{"RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}

// callerHeaders describes the headers that answer callers.
var callerHeaders = object{
	"RateLimit-Policy":      header("string", `The limit and its span in seconds: "daily";q=100;w=86400. Not sent, like the other four, to callers without a limit.`),
	"RateLimit":             header("string", `What is left of the limit, and for how many seconds: "daily";r=99;t=40211.`),
	"X-RateLimit-Limit":     header("integer", "The limit, in requests a UTC day."),
	"X-RateLimit-Remaining": header("integer", "What is left of it."),
	"X-RateLimit-Reset":     header("integer", "When the count begins anew: midnight UTC, in seconds since 1970."),
	"Retry-After":           header("integer", "After how many seconds it is worth asking again."),
	"WWW-Authenticate":      header("string", "Bearer"),
}

func header(kind, description string) object {
	return object{"description": description, "schema": object{"type": kind}}
}

// security says which keys a guard wants: none at all, one if there is one, or
// one in any case.
func (a *API) security(g guard) []object {
	keys := []object{{"apiKey": []string{}}, {"bearer": []string{}}}
	switch {
	case g == open:
		return []object{}
	case g == keyed, g != inviting && a.limits.Anonymous == 0:
		return keys
	}
	return append([]object{{}}, keys...)
}

// allStatuses are the statuses that a caller of the route can bring about,
// those of the gate among them.
func (rt *route) allStatuses() []int {
	all := slices.Clone(rt.statuses)
	if rt.guard != open {
		all = append(all, http.StatusUnauthorized, http.StatusForbidden)
	}
	if rt.guard.counts() {
		all = append(all, http.StatusTooManyRequests)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// headers are those of an answer of the route that tell the caller what to do.
func (rt *route) headers(status int) []string {
	var names []string
	if rt.guard.counts() && (countable(status) || status == http.StatusTooManyRequests) {
		names = slices.Clone(limitHeaders)
	}
	switch status {
	case http.StatusUnauthorized:
		names = append(names, "WWW-Authenticate")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		names = append(names, "Retry-After")
	}
	return names
}
