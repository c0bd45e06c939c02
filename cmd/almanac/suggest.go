package main

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// given returns the flags that the caller gave, by name.
func (r *readFlags) given() []stat.Suggestion {
	given := []stat.Suggestion{
		{Option: "labels", Value: r.Labels}, {Option: "source", Value: r.Source}, {Option: "code", Value: r.Code},
		{Option: "country", Value: r.Country}, {Option: "period", Value: r.Period}, {Option: "geo", Value: r.Geo},
		{Option: "mapping", Value: r.Mapping}, {Option: "encoding", Value: r.Encoding}, {Option: "decimal", Value: string(r.Decimal)},
	}
	return withSwitch(withoutEmpty(given), "no-geo", r.NoGeo)
}

// withoutEmpty drops the flags that the caller did not give.
func withoutEmpty(flags []stat.Suggestion) []stat.Suggestion {
	return slices.DeleteFunc(flags, func(s stat.Suggestion) bool { return s.Value == "" })
}

// withSwitch appends a flag that has no value, if it is on.
func withSwitch(flags []stat.Suggestion, name string, isOn bool) []stat.Suggestion {
	if !isOn {
		return flags
	}
	return append(flags, stat.Suggestion{Option: name})
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
	return withSwitch(append(withoutEmpty(given), c.network.given()...), "accept", c.Accept)
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
	return withoutEmpty(given)
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
	isSuggested["no-geo"] = isSuggested["no-geo"] || isSuggested["geo"] || isSuggested["country"]
	given := slices.DeleteFunc(append(r.given(), more...), func(s stat.Suggestion) bool { return isSuggested[s.Option] })
	for _, s := range append(given, suggested...) {
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
