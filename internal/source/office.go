package source

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Office is an office's server, as the table has it (offices.go) and as an
// installation adds its own (sources.json).
type Office struct {
	ID      string `json:"id"`      // as references write it: the "oecd" of oecd:DF_QNA; also the source of its datasets
	Name    string `json:"name"`    // "OECD"
	Kind    string `json:"kind"`    // a key of kinds: "sdmx", "pxweb", …
	Address string `json:"address"` // of the service, https, without a slash at its end
	Website string `json:"website,omitempty"`

	// Check is how often the office is asked whether something changed, where
	// the dataset's own history does not say better. 0: a day.
	Check Every `json:"check,omitzero"`
	// Pause is the least time between two requests. 0: none.
	Pause Every `json:"pause,omitzero"`
	// Cells is how many values one answer may hold, 0 where there is no limit or
	// the server tells it.
	Cells int `json:"cells,omitempty"`

	Agency   string `json:"agency,omitempty"`   // SDMX: whose dataflows are listed; empty: all
	Language string `json:"language,omitempty"` // of titles and labels, where the server has several; empty: en
	Country  string `json:"country,omitempty"`  // the area of datasets without a geography

	// Contents and Data are addresses that differ from what the kind does by
	// itself; {code} in Data stands for the dataset's code.
	Contents string `json:"contents,omitempty"`
	Data     string `json:"data,omitempty"`
	// Accept are the media types that data are asked for in, where the kind's
	// own are not understood.
	Accept string `json:"accept,omitempty"`
	// Version tells dialects of a kind apart: "2.1" and "3.0" of SDMX, "1" and
	// "2" of PxWeb. Empty: the kind's first.
	Version string `json:"version,omitempty"`

	// Limits and Quirks are for people: what the office says of its limits, and
	// what surprised us.
	Limits string `json:"limits,omitempty"`
	Quirks string `json:"quirks,omitempty"`
}

// Walked reports whether the office's server has no list of all its datasets but
// is walked folder by folder, one request each; code is that of a dataset or a
// folder. An office with both versions of PxWeb has a list of the newer one's
// tables and none of those whose codes are paths.
func (o Office) Walked(code string) bool {
	switch o.Kind {
	case "dbnomics":
		return true
	case "pxweb":
		return o.Version != "2" || o.Data != "" && strings.Contains(code, "/")
	}
	return false
}

// Every is a span of time, as JSON and flags write it: "6h", "90s".
type Every time.Duration

// MarshalJSON writes the span as Go does: "6h0m0s".
func (e Every) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(e).String()) }

// UnmarshalJSON reads a span.
func (e *Every) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("a span of time is a text such as \"6h\" or \"90s\", not %s", text)
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no span of time: write \"6h\" or \"90s\"", s)
	}
	*e = Every(d)
	return nil
}
