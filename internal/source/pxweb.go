package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// pxweb is a PxWeb server. A dataset is a table: a product of variables with their
// values. The server returns the values (metadata) and the cells of selected values,
// up to a limit of cells per response. A large table is therefore fetched in parts
// (pxweb_split.go), which are imported as one dataset.
//
// The interface has two versions. In version 1 (pxweb1.go), tables are in folders and
// a table's code is its path: BE/BE0101/BE0101A/BefolkningNy. In version 2
// (pxweb2.go), a table has an ID: TAB638. An office with version 2 that also serves
// version 1 states its address in Office.Data, ending in /{code}; codes and folders
// with a slash then use version 1.
//
// Data are requested as PX files, because only these contain everything about a table:
// flags with their meaning, notes on values and cells, units. Every value is requested
// by its code, since the server adds up or leaves out variables without a selection.
type pxweb struct {
	pxwebService
	paths pxwebService // for codes that are paths; nil if there are none
}

// pxwebService is a version of the interface.
type pxwebService interface {
	office() *pxwebCaller
	contents(ctx context.Context, f Filter) iter.Seq2[Entry, error]
	// updated returns the time of a table's last change; zero if unknown.
	updated(ctx context.Context, code string) (time.Time, error)
	// table reads a table's metadata.
	table(ctx context.Context, code string) (pxwebTable, error)
	// query returns the request for the cells of some values of each variable.
	query(code string, part []pxwebVariable) fetch.Request
	// dataset returns the dataset's code, which may be missing in the files.
	dataset(code string) string
}

// pxwebTable is the metadata of a table.
type pxwebTable struct {
	variables []pxwebVariable
	digest    string // of the server's response
}

// pxwebVariable is a variable with the codes of its values.
type pxwebVariable struct {
	code     string
	values   []string
	contents bool // its values are measures with different units
}

func newPxweb(o Office, c *fetch.Client) Server {
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
	return s.serving(f.Under).contents(ctx, f)
}

// serving returns the version that a code or folder belongs to.
func (s *pxweb) serving(code string) pxwebService {
	if s.paths != nil && strings.Contains(strings.Trim(code, "/"), "/") {
		return s.paths
	}
	return s.pxwebService
}

// errPxwebMoved reports that the office changed the table during the download.
var errPxwebMoved = errors.New("the table changed during the download")

// Fetch saves a whole table, in as many parts as the server's limit requires.
func (s *pxweb) Fetch(ctx context.Context, r Request) (*Download, error) {
	of := s.serving(r.Code)
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
		limits, err := of.office().limits(ctx)
		if err == nil && updated.IsZero() {
			updated, err = of.updated(ctx, r.Code)
		}
		if err != nil {
			return nil, pxwebMissing(of.office(), r.Code, err)
		}
		if unchanged() {
			break
		}
		d, err := pxwebFetch(ctx, of, r, updated, limits.cells)
		if !errors.Is(err, errPxwebMoved) {
			return d, err
		}
		updated = time.Time{}
	}
	if unchanged() {
		return &Download{Unchanged: true, Source: of.office().Name, Code: of.dataset(r.Code), State: r.Known}, nil
	}
	return nil, stat.Errorf(stat.Unavailable, "%s:%s is being changed by the office: it changed twice during the download", of.office().ID, r.Code)
}

// pxwebFetch fetches a table once, in parts of at most the given number of cells.
// updated is the time of its update before the download.
func pxwebFetch(ctx context.Context, of pxwebService, r Request, updated time.Time, cells int) (*Download, error) {
	t, err := of.table(ctx, r.Code)
	if err != nil {
		return nil, pxwebMissing(of.office(), r.Code, err)
	}
	files, digest, err := pxwebParts(ctx, of, r, t, cells)
	if err == nil && len(files) > 1 || pxwebDenied(err) {
		// Parts from before and after an update must not be mixed, and a request for
		// a removed value is refused.
		switch moved, errNow := pxwebMoved(ctx, of, r.Code, t, updated); {
		case errNow != nil:
			err = errNow
		case moved:
			err = errPxwebMoved
		}
	}
	if err != nil {
		dropFiles(files)
		return nil, err
	}
	address := of.query(r.Code, nil).Address
	d := &Download{
		Source: of.office().Name, Code: of.dataset(r.Code), Data: files, SourceURL: of.office().Website,
		State: State{Updated: settled(updated, of.office().client.Now(), lastMidnight), Answers: map[string]fetch.Validators{address: {Digest: digest}}},
	}
	if digest == r.Known.Answers[address].Digest {
		d.Unchanged, d.Data = true, nil
		d.State.Updated = r.settledSame(updated, of.office().client.Now(), lastMidnight)
		dropFiles(files)
	}
	return d, nil
}

// pxwebMoved reports whether a table has changed.
func pxwebMoved(ctx context.Context, of pxwebService, code string, was pxwebTable, updated time.Time) (bool, error) {
	now, err := of.updated(ctx, code)
	if err != nil {
		return false, err
	}
	if !updated.IsZero() && !now.IsZero() && !now.Equal(updated) {
		return true, nil
	}
	t, err := of.table(ctx, code)
	return err == nil && t.digest != was.digest, err
}

// Limits of a table's parts.
const (
	pxwebMostParts = 2000 // a larger table cannot be kept up to date
	pxwebHalvings  = 4    // of the limit, if the server does not state it or has another
)

// pxwebParts fetches all parts of a table and returns a digest of them all. If the
// server refuses a response as too large, it requests half as much.
func pxwebParts(ctx context.Context, of pxwebService, r Request, t pxwebTable, cells int) ([]string, string, error) {
	for halving := 0; ; halving++ {
		parts, err := pxwebSplit(t.variables, cells, pxwebMostParts)
		if err != nil {
			return nil, "", stat.Errorf(stat.Refused, "%s:%s: %v", of.office().ID, r.Code, err)
		}
		files, digest, err := pxwebSave(ctx, of, r, parts)
		if err == nil {
			return files, digest, nil
		}
		dropFiles(files)
		if !pxwebTooLarge(err) || halving == pxwebHalvings {
			return nil, "", err
		}
		if cells = pxwebCells(parts[len(files)]) / 2; cells == 0 {
			return nil, "", err
		}
	}
}

// pxwebSave fetches parts and returns the files received.
func pxwebSave(ctx context.Context, of pxwebService, r Request, parts [][]pxwebVariable) (files []string, digest string, err error) {
	o := of.office()
	all := sha256.New()
	for i, part := range parts {
		file := filepath.Join(r.Folder, fmt.Sprintf("%s-%04d.px", pxwebFile(of.dataset(r.Code)), i+1))
		answer, err := o.client.Save(ctx, o.polite(of.query(r.Code, part)), file)
		if err != nil {
			return files, "", err
		}
		files = append(files, file)
		if err := pxwebIsPX(o, r.Code, answer); err != nil {
			return files, "", err
		}
		all.Write([]byte(answer.Validators.Digest))
	}
	return files, hex.EncodeToString(all.Sum(nil)), nil
}

// pxwebIsPX refuses a response that is not a PX file, such as a JSON text with an
// error.
func pxwebIsPX(o *pxwebCaller, code string, a fetch.Answer) error {
	head := strings.TrimSpace(strings.TrimPrefix(string(a.Head), "\ufeff"))
	if head != "" && head[0] >= 'A' && head[0] <= 'Z' && strings.Contains(head, "=") {
		return nil
	}
	return stat.Errorf(stat.Unavailable, "%s:%s: the response is not a PX file: %q", o.ID, code, head[:min(len(head), 200)])
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
	if !errors.As(err, &e) || e.Status != http.StatusNotFound && e.Status != http.StatusGone && e.Status != http.StatusBadRequest {
		return err
	}
	return &stat.Error{Kind: stat.NotFound, Message: fmt.Sprintf("%s has no table %q; `almanac source datasets %s` lists its tables", o.Name, code, o.ID), Err: err}
}

// pxwebCheck refuses codes that would lead elsewhere on the server.
func pxwebCheck(code string) error {
	for segment := range strings.SplitSeq(code, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return stat.Errorf(stat.Invalid, "invalid table code %q: must be the path in the server's folders (BE/BE0101/BE0101A/BefolkningNy) or an ID (TAB638)", code)
		}
	}
	return nil
}

// pxwebFile turns a dataset's code into the beginning of a file name.
func pxwebFile(code string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, code)
	return safe[:min(len(safe), 60)]
}
