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

// ways are the complete commands that would import a refused file: one, or one for
// each of several readings.
type ways struct {
	Try    string   `json:"try,omitempty"`
	Either []string `json:"either,omitempty"`
}

func (c ways) text() string {
	switch {
	case c.Try != "":
		return "  try: " + c.Try + "\n"
	case c.Either != nil:
		return "  either: " + strings.Join(c.Either, "\n  or:     ") + "\n"
	}
	return ""
}

// ways returns the commands for the readings of a refused file. more are further flags
// that the caller gave.
func (r *readFlags) ways(data, file string, readings [][]stat.Suggestion, more ...stat.Suggestion) (c ways) {
	for _, suggested := range readings {
		c.Either = append(c.Either, r.command(data, file, suggested, more...))
	}
	if len(c.Either) == 1 {
		c.Try, c.Either = c.Either[0], nil
	}
	return c
}

// command returns the command that imports a file with the flags that the caller gave,
// except those that suggested ones replace.
func (r *readFlags) command(data, file string, suggested []stat.Suggestion, more ...stat.Suggestion) string {
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
