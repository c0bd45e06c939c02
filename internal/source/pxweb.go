package source

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

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// pxweb is a PxWeb server. A dataset is a table with a cell for each combination of the
// values of its variables. The server returns the values (metadata) and the cells of
// selected values, up to a limit of cells per response. A large table is therefore
// fetched in parts (pxweb_split.go), which are imported as one dataset.
//
// The interface has two versions. In version 1 (pxweb1.go), tables are in folders and
// a table's code is its path: BE/BE0101/BE0101A/BefolkningNy. In version 2
// (pxweb2.go), a table has an ID: TAB638. If an office with version 2 also serves
// version 1, Office.Data is the address of version 1, ending in /{code}. Codes and
// folders with a slash then use version 1.
//
// Data are requested as PX files, because only these contain everything about a table:
// flags with their meaning, notes on values and cells, units. Every value is requested
// by its code, because the server adds up or leaves out variables without a selection.
type pxweb struct {
	pxwebService
	paths pxwebService // for codes that are paths; nil if there are none
}

// pxwebService is a version of the interface.
type pxwebService interface {
	office() *pxwebCaller
	contents(ctx context.Context, f Filter) iter.Seq2[Entry, error]
	// updated returns the time of a table's last update; zero if unknown.
	updated(ctx context.Context, code string) (time.Time, error)
	// table reads a table's metadata.
	table(ctx context.Context, code string) (pxwebTable, error)
	// query returns the request for the cells of some values of each variable.
	query(code string, part []pxwebVariable) fetch.Request
	// dataset returns the code of the dataset, which its files may not contain.
	dataset(code string) string
}

// pxwebTable is the metadata of a table.
type pxwebTable struct {
	variables []pxwebVariable
	digest    string // of the server's response
}

// pxwebVariable is a variable with the codes of its values.
type pxwebVariable struct {
	code      string
	values    []string
	isMeasure bool // its values are measures, which may have different units
}

// NewPxweb returns the server of an office.
func NewPxweb(o Office, c *fetch.Client) Server {
	if o.Version != "2" {
		return &pxweb{pxwebService: newPxweb1(o, o.Address, c)}
	}
	s := &pxweb{pxwebService: newPxweb2(o, c)}
	if address, ok := strings.CutSuffix(o.Data, "/{code}"); ok {
		s.paths = newPxweb1(o, address, c)
	}
	return s
}

func (s *pxweb) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return s.serviceFor(f.Under).contents(ctx, f)
}

// serviceFor returns the version of the interface for a code or folder.
func (s *pxweb) serviceFor(code string) pxwebService {
	if s.paths != nil && strings.Contains(strings.Trim(code, "/"), "/") {
		return s.paths
	}
	return s.pxwebService
}

// errPxwebChanged reports that the table changed during the download.
var errPxwebChanged = errors.New("the table changed during the download")

// Fetch saves a whole table, in as many parts as the server's limit requires.
func (s *pxweb) Fetch(ctx context.Context, r Request) (*Download, error) {
	code, query, isPart := strings.Cut(r.Code, "?")
	filter, err := pxwebFilter(query)
	if err != nil {
		return nil, err
	}
	service := s.serviceFor(code)
	if isPart {
		service = pxwebPart{service, query, filter}
	}
	r.Code = code
	if err := pxwebCheck(r.Code); err != nil {
		return nil, err
	}
	updated := time.Time{}
	if r.Listed != nil {
		updated = r.Listed.Updated
	}
	unchanged := func() bool { return !updated.IsZero() && updated.Equal(r.Known.Updated) }
	for range 2 {
		if unchanged() {
			break
		}
		limits, err := service.office().limits(ctx)
		if err == nil && updated.IsZero() {
			updated, err = service.updated(ctx, r.Code)
		}
		if err != nil {
			return nil, pxwebMissing(service.office(), r.Code, err)
		}
		if unchanged() {
			break
		}
		d, err := pxwebFetch(ctx, service, r, updated, limits.cells)
		if !errors.Is(err, errPxwebChanged) {
			return d, err
		}
		updated = time.Time{}
	}
	if unchanged() {
		return &Download{Unchanged: true, Source: service.office().Name, Code: service.dataset(r.Code), State: r.Known}, nil
	}
	return nil, stat.Errorf(stat.Unavailable, "%s:%s changed twice during the download; try again later", service.office().ID, r.Code)
}

// pxwebFetch makes one attempt to fetch a table, in parts of at most the given number of
// cells. updated is the time of the table's update before the download.
func pxwebFetch(ctx context.Context, service pxwebService, r Request, updated time.Time, cells int) (*Download, error) {
	t, err := service.table(ctx, r.Code)
	if err != nil {
		return nil, pxwebMissing(service.office(), r.Code, err)
	}
	files, digest, err := pxwebParts(ctx, service, r, t, cells)
	if err == nil && len(files) > 1 || pxwebDenied(err) {
		// Parts from before and after an update must not be mixed, and a request for
		// a removed value is refused.
		switch hasChanged, errNow := pxwebHasChanged(ctx, service, r.Code, t, updated); {
		case errNow != nil:
			err = errNow
		case hasChanged:
			err = errPxwebChanged
		}
	}
	if err != nil {
		return nil, err
	}
	address := service.query(r.Code, nil).Address
	d := &Download{
		Source: service.office().Name, Code: service.dataset(r.Code), Data: files, SourceURL: service.office().Website,
		State: State{Updated: StorableTime(updated, service.office().client.Now(), LastMidnight), Answers: map[string]fetch.Validators{address: {Digest: digest}}},
	}
	if digest == r.Known.Answers[address].Digest {
		d.Unchanged, d.Data = true, nil
		d.State.Updated = r.UnchangedTime(updated, service.office().client.Now(), LastMidnight)
	}
	return d, nil
}

// pxwebHasChanged reports whether a table has changed since its metadata were read.
func pxwebHasChanged(ctx context.Context, service pxwebService, code string, before pxwebTable, updated time.Time) (bool, error) {
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
	pxwebMaxParts    = 2000 // a larger table cannot be kept up to date
	pxwebMaxHalvings = 4    // of the limit of cells, if the server states none or a wrong one
)

// pxwebParts fetches all parts of a table and returns their files and a digest of them
// all. If the server refuses a response as too large, it starts again with parts of half
// the size.
func pxwebParts(ctx context.Context, service pxwebService, r Request, t pxwebTable, cells int) ([]string, string, error) {
	for halving := 0; ; halving++ {
		parts, err := pxwebSplit(t.variables, cells, pxwebMaxParts)
		if err != nil {
			return nil, "", stat.Errorf(stat.Refused, "%s:%s: %v", service.office().ID, r.Code, err)
		}
		files, digest, err := pxwebSave(ctx, service, r, parts)
		if err == nil {
			return files, digest, nil
		}
		if !pxwebTooLarge(err) || halving == pxwebMaxHalvings {
			return nil, "", err
		}
		if cells = pxwebCells(parts[len(files)]) / 2; cells == 0 {
			return nil, "", err
		}
	}
}

// pxwebSave saves parts. After an error it returns the files saved so far.
func pxwebSave(ctx context.Context, service pxwebService, r Request, parts [][]pxwebVariable) (files []string, digest string, err error) {
	o := service.office()
	all := sha256.New()
	for i, part := range parts {
		file := filepath.Join(r.Folder, fmt.Sprintf("%s-%04d.px", FileName(service.dataset(r.Code)), i+1))
		answer, err := o.client.Save(ctx, o.withPause(service.query(r.Code, part)), file)
		if err != nil {
			return files, "", err
		}
		if err := pxwebExamine(o, r.Code, file, answer, pxwebCells(part)); err != nil {
			return files, "", err
		}
		if extension := pxwebExtension(answer); extension != filepath.Ext(file) {
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

// pxwebTooLarge reports whether a server refused a query because of its size.
func pxwebTooLarge(err error) bool {
	var e *fetch.Error
	return errors.As(err, &e) && (e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusForbidden)
}

// pxwebDenied reports whether a server refused a query because of its content.
// Version 1 responds with 404 to an unknown value.
func pxwebDenied(err error) bool {
	var e *fetch.Error
	return errors.As(err, &e) && (e.Reason == fetch.Denied || e.Reason == fetch.Missing)
}

// pxwebMissing returns the error for an unknown table, or err unchanged.
func pxwebMissing(o *pxwebCaller, code string, err error) error {
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

// pxwebCheck returns an error for a code that would lead to another path of the server.
func pxwebCheck(code string) error {
	for segment := range strings.SplitSeq(code, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return stat.Errorf(stat.Invalid, "invalid table code %q: must be the path in the server's folders (BE/BE0101/BE0101A/BefolkningNy) or an ID (TAB638)", code)
		}
	}
	return nil
}
