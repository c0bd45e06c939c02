// Package source knows the offices' servers: which datasets they offer, what has
// changed since the last fetch, and where the files are.
//
// An [Office] is a row of a table (offices.go): an ID, the kind of its server, the
// address, and its quirks. There are a few kinds of servers, with one file each
// (eurostat.go, sdmx.go, worldbank.go, gho.go, pxweb.go, jsonstat.go, dbnomics.go,
// plain.go). A kind turns an Office into a [Server] with two methods: list the
// datasets ([Server.Contents]) and download what has changed of one
// ([Server.Fetch]). A server saves files as the office wrote them and does not
// parse numbers: package format reads them.
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
	// Contents yields the datasets that the office offers, in the office's order and
	// while they are read: a list may have a million entries. A dataset in several
	// folders is yielded once. An error ends the list.
	Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error]

	// Fetch saves the files of a dataset into a folder if it has changed.
	// Request.Known is the Download.State of the last Fetch, at first the zero State.
	// Request.Listed, if not nil, is the dataset's entry in a list of contents read in
	// this round; if it says that nothing changed, no request is sent. A dataset in
	// several responses is saved completely or not at all: an unchanged
	// response is still needed if another one has changed.
	Fetch(ctx context.Context, r Request) (*Download, error)
}

// Filter selects entries of a list of contents. The zero Filter selects all.
type Filter struct {
	Search string // words that must all occur in code, title or theme, in any case and order
	Under  string // folder, theme or provider that must contain the dataset
}

// Entry is a dataset in an office's list of contents.
type Entry struct {
	Code    string    `json:"code"`              // as Fetch expects it
	Title   string    `json:"title"`             // in English if available
	Theme   string    `json:"theme,omitempty"`   // the folders above it, from the top: "Economy and finance / National accounts"
	Folders []string  `json:"folders,omitempty"` // their codes, from the top: "data", "economy", "na10"
	Updated time.Time `json:"updated,omitzero"`  // last update by the office; zero if unknown
}

// Request names a dataset to fetch.
type Request struct {
	Code   string
	Known  State
	Listed *Entry
	Folder string // existing empty folder for the files
}

// State is stored as JSON between two fetches of a dataset.
type State struct {
	Updated time.Time                   `json:"updated,omitzero"`  // according to the list of contents or the data
	Answers map[string]fetch.Validators `json:"answers,omitempty"` // by address (and body)
	Title   string                      `json:"title,omitempty"`   // according to the list of contents, if the data have none

	// Missing names companions that could not be fetched because of an outage. While
	// there are any, Updated is zero, so that each check calls Fetch. Fetch requests
	// them again and, once they are available, the data too, because only an import
	// stores labels.
	Missing []string `json:"lacking,omitempty"`
}

// Download is the result of a Fetch.
type Download struct {
	// Unchanged is true if nothing has changed since Request.Known. There are no
	// files then.
	Unchanged bool

	Data       []string // data files, to be imported as one dataset
	Companions []string // files with code lists, to be read first
	State      State    // for the next Fetch, once the data are stored

	// What the files do not state themselves. Empty texts state nothing.
	Source      string // the office's name; [Office.Name]
	Code        string
	Name        string
	SourceURL   string // a web page for people
	MetadataURL string
	Updated     time.Time
}
