package main

import (
	"strings"

	"almanac/internal/stat"
)

// given returns the flags that the caller gave, by name.
func (r *readFlags) given() []stat.Suggestion {
	return []stat.Suggestion{
		{Option: "labels", Value: r.Labels}, {Option: "source", Value: r.Source}, {Option: "code", Value: r.Code},
		{Option: "country", Value: r.Country}, {Option: "period", Value: r.Period}, {Option: "geo", Value: r.Geo},
		{Option: "mapping", Value: r.Mapping}, {Option: "encoding", Value: r.Encoding}, {Option: "decimal", Value: string(r.Decimal)},
	}
}

// suggestion returns the complete command that would import a refused file, or an
// empty text if nothing is suggested. A suggested option replaces a given one.
func (r *readFlags) suggestion(data, file string, suggested []stat.Suggestion) string {
	if len(suggested) == 0 {
		return ""
	}
	words := []string{"almanac import", flagText("--data", data)}
	isSuggested := map[string]bool{}
	for _, s := range suggested {
		isSuggested[s.Option] = true
	}
	for _, s := range r.given() {
		if s.Value != "" && !isSuggested[s.Option] {
			words = append(words, flagText("--"+s.Option, s.Value))
		}
	}
	if r.NoGeo && !isSuggested["no-geo"] && !isSuggested["geo"] && !isSuggested["country"] {
		words = append(words, "--no-geo")
	}
	for _, s := range suggested {
		if s.Value == "" {
			words = append(words, "--"+s.Option)
		} else {
			words = append(words, flagText("--"+s.Option, s.Value))
		}
	}
	return strings.Join(append(words, shellWord(file)), " ")
}
