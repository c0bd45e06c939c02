// Package source knows the offices' servers: what they offer, what changed
// since it was last fetched, and where the files are.
//
// An [Office] is a row of a table (offices.go): an ID, the kind of its server,
// the address, and its quirks. There are few kinds of servers, one file each
// (eurostat.go, sdmx.go, worldbank.go, gho.go, pxweb.go, jsonstat.go,
// dbnomics.go, plain.go), and a kind makes an Office a [Server], which answers
// two questions: which datasets are there ([Server.Contents]), and what has
// changed of one ([Server.Fetch]). A server yields files as the office wrote
// them and never looks at a number: package format reads them.
//
// All that goes over the network goes through a [fetch.Client], which is
// polite and bounded.
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
	// Contents yields the datasets that the office offers, in the office's
	// order and one after another as they are read: a list may have a million
	// entries. A dataset that stands in several folders is yielded once. The
	// error ends the list.
	Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error]

	// Fetch brings what changed of a dataset into a folder. Request.Known is what
	// the last Fetch returned as Download.State, the zero State at first.
	// Request.Told, if
	// not nil, is the dataset's entry of a list of contents read in this round:
	// where it says that nothing changed, nothing is asked. A dataset that comes
	// in several answers is fetched whole or not at all: one answer that has not
	// changed is no reason to leave it out when another has.
	Fetch(ctx context.Context, r Request) (*Download, error)
}

// Wanted narrows a list of contents. The zero Wanted is all of it.
type Wanted struct {
	Search string // words that must stand in code, title or theme, in any case and order
	Under  string // folder, theme or provider: those below it
}

// Entry is a dataset as an office's list of contents has it.
type Entry struct {
	Code    string    `json:"code"`              // as Fetch takes it
	Title   string    `json:"title"`             // in English where the office has it
	Theme   string    `json:"theme,omitempty"`   // the folders above it, from the top: "Economy and finance / National accounts"
	Folders []string  `json:"folders,omitempty"` // their codes, from the top: "data", "economy", "na10"
	Updated time.Time `json:"updated,omitzero"`  // when the office last changed it; zero where it does not say
}

// Request asks for one dataset.
type Request struct {
	Code   string
	Known  State
	Told   *Entry
	Folder string // where the files go; it is there, and empty
}

// State is what is remembered of a dataset between two fetches, as JSON.
type State struct {
	Updated time.Time                   `json:"updated,omitzero"`  // as the contents or the data told
	Answers map[string]fetch.Validators `json:"answers,omitempty"` // by address (and body)
	Title   string                      `json:"title,omitempty"`   // as the contents told, where the data do not

	// Lacking names companions that could not be had, for an outage. Updated is
	// zero as long as there are any, so that each check comes to Fetch, which
	// asks for them, and for the data once more when they have come: labels are
	// learnt by importing.
	Lacking []string `json:"lacking,omitempty"`
}

// Download is what a Fetch brought.
type Download struct {
	// Unchanged: the office says that nothing changed since Request.Known.
	// There are no files then.
	Unchanged bool

	Data       []string // paths of the files with data, to be imported as one dataset
	Companions []string // paths of files that tell of codes, to be learnt first
	State      State    // to be given to the next Fetch, once the data are stored

	// What the files do not say of themselves. Empty texts state nothing.
	Source      string // the office's name; [Office.Name]
	Code        string
	Name        string
	SourceURL   string // the page for people
	MetadataURL string
	Updated     time.Time
}
