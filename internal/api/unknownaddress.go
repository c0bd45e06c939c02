package api

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// unknownAddress handles all addresses without a route. OPTIONS is allowed, so that a script of another
// origin can read why there is nothing.
var unknownAddress = route{handle: func(x *exchange) (*reply, error) {
	if x.r.Method == http.MethodOptions {
		return x.options(readMethods), nil
	}
	return nil, x.api.errNothingAt(x.r.URL.Path)
}}

func (a *API) errNothingAt(address string) error {
	return stat.Errorf(stat.NotFound, "there is nothing at %s%s; /openapi.json lists all addresses", address, a.otherForms(address))
}

// otherForms returns the part of a message that names the addresses that differ from one that there is not only in
// their extension, such as data and data.csv for data.xls; empty if there are none.
func (a *API) otherForms(address string) string {
	folder, name := path.Split(address)
	stem, _, _ := strings.Cut(name, ".")
	hasJSON := false
	var others []string
	for _, pattern := range a.readable {
		patternFolder, patternName := path.Split(pattern)
		patternStem, extension, _ := strings.Cut(patternName, ".")
		if patternStem != stem || !matchesPath(patternFolder, folder) {
			continue
		}
		if extension == "" {
			hasJSON = true
		} else {
			others = append(others, patternName)
		}
	}
	switch {
	case hasJSON && others != nil:
		return fmt.Sprintf("; JSON is at %s, and other forms are at %s", folder+stem, strings.Join(others, ", "))
	case hasJSON:
		return fmt.Sprintf("; it is at %s, as JSON only", folder+stem)
	case others != nil:
		return "; there is " + strings.Join(others, ", ")
	}
	return ""
}

// matchesPath reports whether a path is one of a pattern of http.ServeMux.
func matchesPath(pattern, text string) bool {
	return slices.EqualFunc(strings.Split(pattern, "/"), strings.Split(text, "/"), func(part, given string) bool {
		return part == given || strings.HasPrefix(part, "{") && given != ""
	})
}
