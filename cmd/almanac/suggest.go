package main

import (
	"strings"
	"time"

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

// otherFlags returns the other flags that the caller gave.
func (c *importCmd) otherFlags() []stat.Suggestion {
	given := []stat.Suggestion{
		{Option: "name", Value: c.Name}, {Option: "description", Value: c.Description},
		{Option: "source-url", Value: c.SourceURL}, {Option: "metadata-url", Value: c.MetadataURL},
	}
	if !c.Updated.IsZero() {
		given = append(given, stat.Suggestion{Option: "updated", Value: c.Updated.Format(time.RFC3339)})
	}
	return append(given, c.network.given()...)
}

// given returns the flags of the network that the caller gave.
func (n *network) given() []stat.Suggestion {
	given := []stat.Suggestion{{Option: "sources", Value: n.Sources}, {Option: "secrets", Value: n.Secrets}, {Option: "agent", Value: n.Agent}}
	for _, host := range n.Hosts {
		given = append(given, stat.Suggestion{Option: "hosts", Value: host})
	}
	for _, p := range n.Networks {
		given = append(given, stat.Suggestion{Option: "networks", Value: p.String()})
	}
	return given
}

// suggestion returns the complete command that would import a refused file, or an
// empty text if nothing is suggested. A suggested option replaces a given one; more are
// further flags that the caller gave.
func (r *readFlags) suggestion(data, file string, suggested []stat.Suggestion, more ...stat.Suggestion) string {
	if len(suggested) == 0 {
		return ""
	}
	words := []string{"almanac import", flagText("--data", data)}
	isSuggested := map[string]bool{}
	for _, s := range suggested {
		isSuggested[s.Option] = true
	}
	for _, s := range append(r.given(), more...) {
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
	if strings.HasPrefix(file, "-") {
		file = "./" + file // not a flag
	}
	return strings.Join(append(words, shellWord(file)), " ")
}
