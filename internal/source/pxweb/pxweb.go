// Package pxweb is a client of PxWeb servers, and of the Statbank, which limits responses
// in the same way.
package pxweb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server is a PxWeb server. A dataset is a table with a cell for each combination of the
// values of its variables. The server returns the values (metadata) and the cells of
// selected values, up to a limit of cells per response. A large table is therefore
// fetched in parts (split.go), which are imported as one dataset.
//
// The interface has two versions. In version 1 (v1.go), tables are in folders and
// a table's code is its path: BE/BE0101/BE0101A/BefolkningNy. In version 2
// (v2.go), a table has an ID: TAB638. If an office with version 2 also serves
// version 1, Office.Data is the address of version 1, ending in /{code}. Codes and
// folders with a slash then use version 1.
//
// Data are requested as PX files, because only these contain everything about a table:
// flags with their meaning, notes on values and cells, units. Every value is requested
// by its code, because the server adds up or leaves out variables without a selection.
type server struct {
	protocol
	paths protocol // for codes that are paths; nil if there are none
}

// protocol is a version of the interface.
type protocol interface {
	office() *caller
	contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error]
	// updated returns the time of a table's last update; zero if unknown.
	updated(ctx context.Context, code string) (time.Time, error)
	// table reads a table's metadata.
	table(ctx context.Context, code string) (tableInfo, error)
	// query returns the request for the cells of some values of each variable.
	query(code string, part []variable) fetch.Request
	// dataset returns the code of the dataset, which its files may not contain.
	dataset(code string) string
}

// tableInfo is the metadata of a table.
type tableInfo struct {
	variables []variable
	digest    string // of the server's response
}

// variable is a variable with the codes of its values.
type variable struct {
	code      string
	values    []string
	isMeasure bool // its values are measures, which may have different units
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server {
	if o.Version != "2" {
		return &server{protocol: newV1(o, o.Address, c)}
	}
	s := &server{protocol: newV2(o, c)}
	if address, ok := strings.CutSuffix(o.Data, "/{code}"); ok {
		s.paths = newV1(o, address, c)
	}
	return s
}

func (s *server) Contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return s.serviceFor(f.Under).contents(ctx, f)
}

// serviceFor returns the version of the interface for a code or folder.
func (s *server) serviceFor(code string) protocol {
	if s.paths != nil && strings.Contains(strings.Trim(code, "/"), "/") {
		return s.paths
	}
	return s.protocol
}

// Fetch saves a whole table, in as many parts as the server's limit requires.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	code, query, isPart := strings.Cut(r.Code, "?")
	service := s.serviceFor(code)
	if isPart {
		filters, err := parseFilters(query)
		if err != nil {
			return nil, err
		}
		service = filtered{service, query, filters}
	}
	r.Code = code
	if err := checkCode(code); err != nil {
		return nil, err
	}
	o, listed := service.office(), r.ListedUpdated()
	return source.OfOneRelease(o.ID+":"+code, func() (*source.Download, error) {
		updated := listed
		listed = time.Time{} // a second attempt requests the time
		limits, err := o.limits(ctx)
		if err == nil && updated.IsZero() {
			updated, err = service.updated(ctx, code)
		}
		if err != nil {
			return nil, missingTable(o, code, err)
		}
		if !updated.IsZero() && updated.Equal(r.Known.Updated) {
			return &source.Download{Unchanged: true, Source: o.Name, Code: service.dataset(code), State: r.Known}, nil
		}
		return fetchTable(ctx, service, r, updated, limits.cells)
	})
}

// fetchTable makes one attempt to fetch a table, in parts of at most the given number of
// cells. updated is the time of the table's update before the download.
func fetchTable(ctx context.Context, service protocol, r source.Request, updated time.Time, cells int) (*source.Download, error) {
	t, err := service.table(ctx, r.Code)
	if err != nil {
		return nil, missingTable(service.office(), r.Code, err)
	}
	files, digest, err := fetchParts(ctx, service, r, t, cells)
	if err == nil && len(files) > 1 || isDenied(err) {
		// Parts from before and after an update must not be mixed, and a request for
		// a removed value is refused.
		switch hasChanged, errNow := changedSince(ctx, service, r.Code, t, updated); {
		case errNow != nil:
			err = errNow
		case hasChanged:
			err = source.ErrReleaseChanged
		}
	}
	if err != nil {
		return nil, err
	}
	address := service.query(r.Code, nil).Address
	d := &source.Download{
		Source: service.office().Name, Code: service.dataset(r.Code), Data: files, SourceURL: service.office().Website,
		State: source.State{Updated: source.StorableTime(updated, service.office().client.Now(), source.LastMidnight), Answers: map[string]fetch.Validators{address: {Digest: digest}}},
	}
	if digest == r.Known.Answers[address].Digest {
		d.Unchanged, d.Data = true, nil
		d.State.Updated = r.UnchangedTime(updated, service.office().client.Now(), source.LastMidnight)
	}
	return d, nil
}

// changedSince reports whether a table has changed since its metadata were read.
func changedSince(ctx context.Context, service protocol, code string, before tableInfo, updated time.Time) (bool, error) {
	now, err := service.updated(ctx, code)
	if err != nil {
		return false, err
	}
	if !updated.IsZero() && !now.IsZero() && !now.Equal(updated) {
		return true, nil
	}
	t, err := service.table(ctx, code)
	return err == nil && t.digest != before.digest, err
}

// Limits of a table's parts.
const (
	maxParts    = 2000 // a larger table cannot be kept up to date
	maxHalvings = 4    // of the limit of cells, if the server states none or a wrong one
)

// fetchParts fetches all parts of a table and returns their files and a digest of them
// all. If the server refuses a response as too large, it starts again with parts of half
// the size.
func fetchParts(ctx context.Context, service protocol, r source.Request, t tableInfo, cells int) ([]string, string, error) {
	for halving := 0; ; halving++ {
		parts, err := split(t.variables, cells, maxParts)
		if err != nil {
			return nil, "", stat.Errorf(stat.Refused, "%s:%s: %v", service.office().ID, r.Code, err)
		}
		files, digest, err := saveParts(ctx, service, r, parts)
		if err == nil {
			return files, digest, nil
		}
		if !isTooLarge(err) || halving == maxHalvings {
			return nil, "", err
		}
		if cells = cellsOf(parts[len(files)]) / 2; cells == 0 {
			return nil, "", err
		}
	}
}

// saveParts saves parts. After an error it returns the files saved so far.
func saveParts(ctx context.Context, service protocol, r source.Request, parts [][]variable) (files []string, digest string, err error) {
	o := service.office()
	all := sha256.New()
	for i, part := range parts {
		file := filepath.Join(r.Folder, fmt.Sprintf("%s-%04d.px", source.FileName(service.dataset(r.Code)), i+1))
		answer, err := o.client.Save(ctx, o.withPause(service.query(r.Code, part)), file)
		if err != nil {
			return files, "", err
		}
		if err := examine(o, r.Code, file, answer, cellsOf(part)); err != nil {
			return files, "", err
		}
		if extension := extensionOf(answer); extension != filepath.Ext(file) {
			answered := file
			file = strings.TrimSuffix(file, ".px") + extension
			if err := os.Rename(answered, file); err != nil {
				return files, "", err
			}
		}
		files = append(files, file)
		all.Write([]byte(answer.Validators.Digest))
	}
	return files, hex.EncodeToString(all.Sum(nil)), nil
}

// isTooLarge reports whether a server refused a query because of its size.
func isTooLarge(err error) bool {
	var e *fetch.Error
	return errors.As(err, &e) && (e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusForbidden)
}

// isDenied reports whether a server refused a query because of its content.
// Version 1 responds with 404 to an unknown value.
func isDenied(err error) bool {
	var e *fetch.Error
	return errors.As(err, &e) && (e.Reason == fetch.Denied || e.Reason == fetch.Missing)
}

// missingTable returns the error for an unknown table, or err unchanged.
func missingTable(o *caller, code string, err error) error {
	var e *fetch.Error
	if !errors.As(err, &e) || e.Reason != fetch.Missing && e.Status != http.StatusBadRequest {
		return err
	}
	where := o.ID
	if folder := strings.TrimSuffix(code[:strings.LastIndexByte(code, '/')+1], "/"); folder != "" {
		where += " --under " + folder
	}
	return &stat.Error{Kind: stat.NotFound, Message: fmt.Sprintf("%s has no table %q; its name may have changed: `almanac source datasets %s` lists the tables", o.Name, code, where), Err: err}
}

// checkCode returns an error for a code that would lead to another path of the server.
func checkCode(code string) error {
	for segment := range strings.SplitSeq(code, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return stat.Errorf(stat.Invalid, "invalid table code %q: must be the path in the server's folders (BE/BE0101/BE0101A/BefolkningNy) or an ID (TAB638)", code)
		}
	}
	return nil
}
