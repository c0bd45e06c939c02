package source

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Office describes an office's server. The built-in ones are in the packages
// of the kinds; an installation adds its own in sources.json.
type Office struct {
	ID      string `json:"id"`      // used in references (the "oecd" of oecd:DF_QNA) and as the source of its datasets
	Name    string `json:"name"`    // "OECD"
	Kind    string `json:"kind"`    // a key of kinds: "sdmx", "pxweb", …
	Address string `json:"address"` // of the service, https, without a slash at the end
	Website string `json:"website,omitempty"`

	// Check is the interval between two checks for changes, unless the history of a
	// dataset suggests another. 0: a day.
	Check Interval `json:"check,omitzero"`
	// Pause is the minimum time between two requests. 0: none.
	Pause Interval `json:"pause,omitzero"`
	// DataPause is the minimum time between two downloads of data, for offices that limit
	// these more than lists and structures. 0: none.
	DataPause Interval `json:"data_pause,omitzero"`
	// Cells is the maximum number of values in one response; 0 if there is no limit
	// or the server states it.
	Cells int `json:"cells,omitempty"`

	Agency   string `json:"agency,omitempty"`   // SDMX: the agency whose dataflows are listed; empty: all
	Language string `json:"language,omitempty"` // of titles and labels, if the server has several; empty: en
	Country  string `json:"country,omitempty"`  // the area of datasets without a geography

	// Contents and Data replace the kind's default addresses of the list of contents and
	// of the data. {code} in Data stands for the dataset's code.
	Contents string `json:"contents,omitempty"`
	Data     string `json:"data,omitempty"`
	// Post says that the query of an address of data is sent as a form, by POST, as some
	// services require. For the kinds "files" and "index".
	Post bool `json:"post,omitempty"`
	// Index says how the JSON list at Contents is read, for the kind "index".
	Index *Index `json:"index,omitempty"`
	// Accept lists the media types to request instead of those of the kind.
	Accept string `json:"accept,omitempty"`
	// Version is the dialect of the kind: "2.1" and "3.0" of SDMX, "1" and "2" of
	// PxWeb. Empty: the first dialect of the kind.
	Version string `json:"version,omitempty"`

	// Key says how the office's server expects a key; nil: it needs none. The key itself
	// is a secret and never in a row.
	Key *Key `json:"key,omitempty"`
	// Sample is the code of a small dataset, for checks of the server.
	Sample string `json:"sample,omitempty"`
	// Untried is true if the row follows documentation and public code alone: no answer
	// of the server has been seen.
	Untried bool `json:"untried,omitempty"`

	// Limits and Quirks are for people: the office's stated limits, and surprises.
	Limits string `json:"limits,omitempty"`
	Quirks string `json:"quirks,omitempty"`
}

// Key says where requests contain the key of an office: in a parameter of the query or in a
// header.
type Key struct {
	Parameter string `json:"parameter,omitempty"`
	Header    string `json:"header,omitempty"`
	Password  string `json:"password,omitempty"` // another header: the key may be an account, as name:password
	Optional  bool   `json:"optional,omitempty"` // requests without a key are answered, but fewer
	From      string `json:"from,omitempty"`     // the web page where people get a key
}

// Index says how a JSON list of datasets is read: where its records are, and which of
// their members contain what. Members of objects are separated by dots.
type Index struct {
	// Records is the list of datasets: "Datasets.Dataset"; empty: the document itself. The
	// lists of a member that occurs in several objects are one list.
	Records string `json:"records"`
	Code    string `json:"code"`
	Title   string `json:"title,omitempty"`
	Updated string `json:"updated,omitempty"`
	// Description, Theme, First and Last are described at [Entry].
	Description string `json:"description,omitempty"`
	Theme       string `json:"theme,omitempty"`
	First       string `json:"first,omitempty"`
	Last        string `json:"last,omitempty"`
	// File is the address of the dataset's file. If Then is stated, it is the address of
	// a JSON document whose member Then is the address of the file.
	File string `json:"file,omitempty"`
	Then string `json:"then,omitempty"`
}

// Walked reports whether the server has no complete list of datasets, so that listing
// them takes one request per folder. code is the code of a dataset or folder. An office
// with both versions of PxWeb has a list of the tables of version 2, but not of those
// whose codes are paths.
func (o Office) Walked(code string) bool {
	switch o.Kind {
	case "dbnomics":
		return true
	case "pxweb":
		return o.Version != "2" || o.Data != "" && strings.Contains(code, "/")
	}
	return false
}

// IsPart reports whether a code names a part of a dataset, by a key or filters, as in
// EXR/M.USD.EUR.SP00.A and une_rt_m?geo=DE. Some offices of other kinds have such codes for
// whole datasets.
func (o Office) IsPart(code string) bool {
	switch o.Kind {
	case "eurostat", "sdmx":
		return strings.ContainsAny(code, "/?")
	case "dbnomics", "pxweb":
		return strings.Contains(code, "?")
	}
	return false
}

// Interval is a duration, written as "6h" or "90s" in JSON and flags.
type Interval time.Duration

// MarshalJSON writes the duration in Go's form, such as "6h0m0s".
func (i Interval) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(i).String()) }

// UnmarshalJSON parses a duration, which must not be negative.
func (i *Interval) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("a duration must be a text such as \"6h\" or \"90s\", not %s", text)
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("invalid duration %q: must be a text such as \"6h\" or \"90s\"", s)
	}
	*i = Interval(d)
	return nil
}

// Request returns a request for an address, with the office's pause.
func (o Office) Request(address string) fetch.Request {
	return fetch.Request{Address: address, Pause: time.Duration(o.Pause)}
}

// NoDataset returns the error for a dataset that the office does not have. cause is the
// response, or nil.
func (o Office) NoDataset(code string, cause error) error {
	message := "there is no such file"
	switch {
	case o.HasList():
		message = o.Name + " has no dataset " + code + "; `almanac source datasets " + o.ID + "` lists the codes"
	case o.Name != "":
		message = o.Name + " has no dataset " + code
	}
	return &stat.Error{Kind: stat.NotFound, Message: message, Err: cause}
}

// NoList returns the error for a list, or a folder, that the office does not have.
func (o Office) NoList(folder string, cause error) error {
	message := o.Name + " has no list of datasets here; its address may have changed"
	if folder != "" {
		message = fmt.Sprintf("%s has no folder %q with datasets; `almanac source datasets %s` lists the folders", o.Name, folder, o.ID)
	}
	return &stat.Error{Kind: stat.NotFound, Message: message, Err: cause}
}

// HasList reports whether the office lists its datasets.
func (o Office) HasList() bool {
	return o.ID != "" && (o.Contents != "" || o.Kind != "files" && o.Kind != "jsonstat")
}
