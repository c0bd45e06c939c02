package api

import (
	"net/http"
	"strings"
	"time"
)

// notModified reports whether a caller that sends these conditions has the
// answer already. If-None-Match decides where it is given.
func notModified(h http.Header, key string, modified time.Time) bool {
	if tags, given := h["If-None-Match"]; given {
		for _, list := range tags {
			if listsTag(list, key) {
				return true
			}
		}
		return false
	}
	since := h["If-Modified-Since"]
	if len(since) != 1 || modified.IsZero() {
		return false
	}
	at, err := http.ParseTime(since[0])
	return err == nil && !modified.After(at)
}

// listsTag reports whether a list of ETags (or *) holds the one with this key.
// The comparison is the weak one, as RFC 9110 wants it for If-None-Match.
func listsTag(list, key string) bool {
	for {
		list = strings.TrimLeft(list, " \t,")
		if list == "" {
			return false
		}
		if list[0] == '*' {
			return true
		}
		quoted, ok := strings.CutPrefix(strings.TrimPrefix(list, "W/"), `"`)
		if !ok {
			return false
		}
		opaque, rest, closed := strings.Cut(quoted, `"`)
		if !closed {
			return false
		}
		if opaque == key {
			return true
		}
		list = rest
	}
}
