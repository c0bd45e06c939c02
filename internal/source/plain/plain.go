// Package plain fetches files at addresses: those of offices of the kind "files", and any
// on the web.
package plain

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server fetches files at addresses. An office of the kind "files" has a Data address with
// {code} and optionally a list of contents: lines of code, tab, title. The codes of the office without a name are addresses
// anywhere on the web.
type server struct {
	source.Office
	client *fetch.Client
	check  func(address string, a fetch.Answer) error // of a response; nil: none
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server { return NewChecked(o, c, nil) }

// NewChecked is New with a check of responses.
func NewChecked(o source.Office, c *fetch.Client, check func(address string, a fetch.Answer) error) source.Server {
	return &server{o, c, check}
}

// Fetch saves a file under the name given by the server or the address, because formats
// derive a dataset's code from it if the file states none. A file of an office is named
// after its code.
func (p *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	address, err := p.addressOf(r.Code)
	if err != nil {
		return nil, err
	}
	page, query, _ := strings.Cut(address, "?") // the query may contain a key
	d := &source.Download{Source: p.Name, SourceURL: cmp.Or(p.Website, page), Name: r.Known.Title}
	if r.Listed != nil {
		d.Name = r.Listed.Title
	}
	d.State.Title = d.Name // for rounds that do not read the list
	path := filepath.Join(r.Folder, ".data")
	request := p.Request(address)
	request.Accept, request.Known = p.Accept, r.Known.Answers[address]
	if p.Post {
		request.Address = page
		if request.Form, err = url.ParseQuery(query); err != nil {
			return nil, stat.Errorf(stat.Invalid, "invalid query of %s: %v", address, err)
		}
	}
	answer, err := p.client.Save(ctx, request, path)
	if err != nil {
		return nil, err
	}
	d.State.Answers = map[string]fetch.Validators{address: answer.Validators}
	if d.Unchanged = answer.NotModified; d.Unchanged {
		return d, nil
	}
	if err := p.examine(r.Code, address, path, answer); err != nil {
		return nil, err
	}
	if d.Name == "" && p.Office.Contents != "" {
		d.Name = p.title(ctx, r.Code)
		d.State.Title = d.Name
	}
	file := filepath.Join(r.Folder, p.nameOf(r.Code, answer))
	d.Data = []string{file}
	return d, os.Rename(path, file)
}

// examine refuses a response that is no data, or a table with as many rows as the office
// returns at most, because its end may be missing.
func (p *server) examine(code, address, path string, a fetch.Answer) error {
	if p.check != nil {
		if err := p.check(address, a); err != nil {
			return err
		}
	}
	if p.Cells == 0 {
		return nil
	}
	lines, err := source.CountLines(path)
	if err == nil && lines > p.Cells {
		err = stat.Errorf(stat.Refused, "%s returned the first %d rows of %s, and truncates longer tables", p.Name, lines-1, code)
	}
	return err
}

// title returns the title of a dataset in the office's list; empty if it is not listed or
// the list cannot be read, which must not prevent the download.
func (p *server) title(ctx context.Context, code string) string {
	for e, err := range p.Contents(ctx, source.Filter{}) {
		if err != nil {
			break
		}
		if e.Code == code {
			return e.Title
		}
	}
	return ""
}

func (p *server) addressOf(code string) (string, error) {
	switch {
	case IsAddress(code):
		return code, nil
	case p.Data == "":
		return "", stat.Errorf(stat.NotFound, "%q is not an address of a file; it must begin with https://", code)
	}
	if path, query, ok := strings.Cut(code, "?"); ok && strings.HasSuffix(p.Data, "/{code}") {
		return strings.TrimSuffix(p.Data, "{code}") + escapePath(path) + "?" + query, nil
	}
	return strings.ReplaceAll(p.Data, "{code}", escapePath(code)), nil
}

// escapePath escapes a code, which may be a path, for an address. A code that would lead
// to a folder above is escaped as a whole.
func escapePath(code string) string {
	segments := strings.Split(code, "/")
	for i, segment := range segments {
		if segment == "" || segment == "." || segment == ".." {
			return url.PathEscape(code)
		}
		segments[i] = url.PathEscape(segment)
	}
	return strings.Join(segments, "/")
}

// nameOf returns the name of the saved file: the one from the server, or else the last
// part of the requested or the redirected address. If neither contains a file name, the
// name is made from the address, because datasets get their codes from it. The query is
// left out, because it may contain a key. A hash distinguishes names that would be equal.
func (p *server) nameOf(code string, a fetch.Answer) string {
	name := a.Filename
	for _, address := range []string{code, strings.ReplaceAll(p.Data, "{code}", "code"), a.Address} {
		if base := baseOf(address); IsAddress(address) && source.Extension(name) == "" && source.Extension(base) != "" {
			name = base
		}
	}
	switch {
	case !IsAddress(code) && source.FileName(code) != code:
		name = withHash(source.FileName(code)+source.Extension(name), code)
	case !IsAddress(code):
		name = code + source.Extension(name)
	case name == "":
		_, rest, _ := strings.Cut(code, "://")
		rest, query, _ := strings.Cut(rest, "?")
		name = strings.Trim(slugPattern.ReplaceAllString(rest, "-"), "-")
		name = strings.ToValidUTF8(name[max(0, len(name)-source.MaxFileName/2):], "") // addresses differ at the end
		if query != "" {
			name = withHash(name, code)
		}
	}
	if ending := filepath.Ext(name); strings.EqualFold(ending, ".gz") && !bytes.HasPrefix(a.Head, []byte{0x1f, 0x8b}) {
		name = strings.TrimSuffix(name, ending) // the client unpacked it
	}
	return source.FileName(name)
}

// Contents yields the lines of the office's list.
func (p *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		if p.Office.Contents == "" {
			return stat.Errorf(stat.Refused, "%s has no list of files; name a file by its code or address", cmp.Or(p.Name, "the web"))
		}
		return source.ReadList(ctx, p.client, p.Request(p.Office.Contents), func(list io.Reader, _ string) error {
			return p.readLines(list, add)
		})
	})
}

func (p *server) readLines(list io.Reader, add func(source.Entry) error) error {
	lines := bufio.NewScanner(list)
	for number := 1; lines.Scan(); number++ {
		code, title, found := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "\t")
		code, title = strings.TrimSpace(code), strings.TrimSpace(title)
		if code == "" && !found {
			continue // an empty line
		}
		if code == "" || !found {
			return stat.Errorf(stat.Unavailable, "%s, line %d: must be a code, a tab and a title, not %.60q", p.Office.Contents, number, lines.Text())
		}
		if err := add(source.Entry{Code: code, Title: title}); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return &stat.Error{Kind: stat.Unavailable, Message: p.Office.Contents + " cannot be read line by line", Err: err}
	}
	return nil
}

// IsAddress reports whether a code is an address on the web.
func IsAddress(code string) bool {
	lower := strings.ToLower(code)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}

// baseOf returns the last part of an address's path, without the query; empty if
// there is none.
func baseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.HasSuffix(u.Path, "/") || u.Path == "" {
		return ""
	}
	return path.Base(u.Path)
}

// slugPattern matches characters that a file name made from an address must not contain.
var slugPattern = regexp.MustCompile(`[^\pL\pN]+`)

// withHash adds a short hash of the origin to a name, to distinguish equal names of
// different origins.
func withHash(name, origin string) string {
	extension := source.Extension(name)
	sum := sha256.Sum256([]byte(origin))
	return strings.TrimSuffix(name, extension) + "-" + hex.EncodeToString(sum[:4]) + extension
}
