// Package source implements clients of the offices' servers. They list the datasets
// that an office offers and download those that have changed since the last fetch.
//
// An [Office] is a row of a table: an ID, the kind of its server, the address, and its
// quirks. Each kind of server is a package below this one (eurostat, sdmx, …) with the rows
// of its offices. It turns an Office into a [Server] with two methods: [Server.Contents]
// lists the datasets, and [Server.Fetch] downloads one if it has changed. A server saves
// files as the office wrote them and does not parse numbers: package format reads the
// files. This package holds what the kinds share; package offices is the table of all.
//
// All network traffic goes through a [fetch.Client], which limits requests and responses.
package source

import (
	"context"
	"iter"
	"time"

	"almanac/internal/source/fetch"
)

// Server is an office's server. Its methods are safe for concurrent use.
//
// Errors are those of package fetch ([fetch.Error]) or of package stat:
// [stat.NotFound] for a dataset or folder that the office does not have,
// [stat.Refused] for one that cannot be fetched as it is (a single period that
// exceeds the server's limit), [stat.Unavailable] for an outage.
type Server interface {
	// Contents yields the datasets that the office offers, in the office's order. It
	// yields them while it reads the list, which may have a million entries. A dataset
	// in several folders is yielded once. An error ends the list.
	Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error]

	// Fetch saves the files of a dataset into a folder if it has changed.
	// Request.Known is the Download.State of the last Fetch, at first the zero State.
	// Request.Listed, if not nil, is the dataset's entry in a list of contents read in
	// this round; if it says that nothing changed, no request is sent. A dataset in
	// several responses is saved completely or not at all. If one of them has changed,
	// the unchanged ones are downloaded, too.
	Fetch(ctx context.Context, r Request) (*Download, error)
}

// Filter selects entries of a list of contents. The zero Filter selects all.
type Filter struct {
	Search string // words that must all occur in code, title or theme; case and order are ignored
	Under  string // folder, theme or provider that must contain the dataset
	// Languages requests the texts in all languages of the office, also if this takes more
	// requests.
	Languages bool
}

// Entry is a dataset in an office's list of contents.
type Entry struct {
	Code    string    `json:"code"`              // as Fetch expects it
	Title   string    `json:"title"`             // in English if available
	Theme   string    `json:"theme,omitempty"`   // names of its folders, from the top: "Economy and finance / National accounts"
	Folders []string  `json:"folders,omitempty"` // codes of its folders, from the top: "data", "economy", "na10"
	Updated time.Time `json:"updated,omitzero"`  // last update by the office; zero if unknown

	// The rest is as the office's list states it; empty if it does not.
	Language    string `json:"language,omitempty"` // of the title, as in ISO 639-1; empty: that of the office
	Description string `json:"description,omitempty"`
	Frequency   string `json:"frequency,omitempty"` // an SDMX code: "A"
	First       string `json:"first,omitempty"`     // first and last period, as the office writes them
	Last        string `json:"last,omitempty"`
	Others      []Text `json:"others,omitempty"` // the title in other languages
}

// Text is the title of a dataset in one language.
type Text struct {
	Language    string `json:"language"` // as in ISO 639-1
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Theme       string `json:"theme,omitempty"`
}

// Request names a dataset to fetch.
type Request struct {
	Code   string
	Known  State
	Listed *Entry
	Folder string // existing empty folder for the files
}

// State is what one fetch of a dataset needs to know about the last one. It is stored as
// JSON.
type State struct {
	Updated time.Time                   `json:"updated,omitzero"`  // according to the list of contents or the data
	Answers map[string]fetch.Validators `json:"answers,omitempty"` // by address (and body)
	Title   string                      `json:"title,omitempty"`   // according to the list of contents, if the data state none

	// Missing names companions that could not be fetched because of an outage. While
	// there are any, Updated is zero, so that the next check calls Fetch. Fetch requests
	// them again. Once they are available, it fetches the data as well, because only an
	// import stores labels.
	Missing []string `json:"lacking,omitempty"`
}

// Download is the result of a Fetch.
type Download struct {
	// Unchanged is true if nothing has changed since Request.Known. No files are saved
	// then.
	Unchanged bool

	Data       []string // data files, to be imported as one dataset
	Companions []string // files with code lists, to be read first
	State      State    // for the next Fetch, once the data are stored

	// The rest describes what the files may not state. Empty texts are unknown.
	Source      string // the office's name; [Office.Name]
	Code        string
	Name        string
	SourceURL   string // a web page for people
	MetadataURL string
	Updated     time.Time
}

// ProbeBytes limits the response to a probe. A longer one also shows that the server
// works.
const ProbeBytes = 4 << 20
