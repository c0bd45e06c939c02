package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// plain fetches files at addresses. An office of the kind "files" has a Data address with
// {code} and optionally a list of contents: lines of code, tab, title. The codes of the office without a name are addresses
// anywhere on the web.
type plain struct {
	Office
	client *fetch.Client
	check  func(address string, a fetch.Answer) error // of a response; nil: none
}

// NewPlain returns the server of an office.
func NewPlain(o Office, c *fetch.Client) Server { return newCheckedPlain(o, c, nil) }

// newCheckedPlain is NewPlain with a check of responses.
func newCheckedPlain(o Office, c *fetch.Client, check func(address string, a fetch.Answer) error) Server {
	return &plain{o, c, check}
}

// Fetch saves a file under the name given by the server or the address, because formats
// derive a dataset's code from it if the file states none. A file of an office is named
// after its code.
func (p *plain) Fetch(ctx context.Context, r Request) (*Download, error) {
	address, err := p.addressOf(r.Code)
	if err != nil {
		return nil, err
	}
	page, query, _ := strings.Cut(address, "?") // the query may contain a key
	d := &Download{Source: p.Name, SourceURL: cmp.Or(p.Website, page), Name: r.Known.Title}
	if r.Listed != nil {
		d.Name = r.Listed.Title
	}
	d.State.Title = d.Name // for rounds that do not read the list
	path := filepath.Join(r.Folder, ".data")
	request := fetch.Request{Address: address, Accept: p.Accept, Known: r.Known.Answers[address], Pause: time.Duration(p.Pause)}
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
func (p *plain) examine(code, address, path string, a fetch.Answer) error {
	if p.check != nil {
		if err := p.check(address, a); err != nil {
			return err
		}
	}
	if p.Cells == 0 {
		return nil
	}
	lines, err := CountLines(path)
	if err == nil && lines > p.Cells {
		err = stat.Errorf(stat.Refused, "%s returned the first %d rows of %s, and truncates longer tables", p.Name, lines-1, code)
	}
	return err
}

// title returns the title of a dataset in the office's list; empty if it is not listed or
// the list cannot be read, which must not prevent the download.
func (p *plain) title(ctx context.Context, code string) string {
	for e, err := range p.Contents(ctx, Filter{}) {
		if err != nil {
			break
		}
		if e.Code == code {
			return e.Title
		}
	}
	return ""
}

func (p *plain) addressOf(code string) (string, error) {
	switch {
	case isAddress(code):
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
func (p *plain) nameOf(code string, a fetch.Answer) string {
	name := a.Filename
	for _, address := range []string{code, strings.ReplaceAll(p.Data, "{code}", "code"), a.Address} {
		if base := baseOf(address); isAddress(address) && Extension(name) == "" && Extension(base) != "" {
			name = base
		}
	}
	switch {
	case !isAddress(code) && FileName(code) != code:
		name = withHash(FileName(code)+Extension(name), code)
	case !isAddress(code):
		name = code + Extension(name)
	case name == "":
		_, rest, _ := strings.Cut(code, "://")
		rest, query, _ := strings.Cut(rest, "?")
		name = strings.Trim(plainSlug.ReplaceAllString(rest, "-"), "-")
		name = strings.ToValidUTF8(name[max(0, len(name)-MaxFileName/2):], "") // addresses differ at the end
		if query != "" {
			name = withHash(name, code)
		}
	}
	if ending := filepath.Ext(name); strings.EqualFold(ending, ".gz") && !bytes.HasPrefix(a.Head, []byte{0x1f, 0x8b}) {
		name = strings.TrimSuffix(name, ending) // the client unpacked it
	}
	return FileName(name)
}

// Contents yields the lines of the office's list.
func (p *plain) Contents(ctx context.Context, _ Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
		if p.Office.Contents == "" {
			return stat.Errorf(stat.Refused, "%s has no list of files; name a file by its code or address", cmp.Or(p.Name, "the web"))
		}
		file, _, err := SaveList(ctx, p.client, fetch.Request{Address: p.Office.Contents, Pause: time.Duration(p.Pause)})
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		lines := bufio.NewScanner(file)
		for number := 1; lines.Scan(); number++ {
			code, title, found := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "\t")
			code, title = strings.TrimSpace(code), strings.TrimSpace(title)
			if code == "" && !found {
				continue // an empty line
			}
			if code == "" || !found {
				return stat.Errorf(stat.Unavailable, "%s, line %d: must be a code, a tab and a title, not %.60q", p.Office.Contents, number, lines.Text())
			}
			if err := add(Entry{Code: strings.Clone(code), Title: title}); err != nil {
				return err
			}
		}
		if err := lines.Err(); err != nil {
			return &stat.Error{Kind: stat.Unavailable, Message: p.Office.Contents + " cannot be read line by line", Err: err}
		}
		return nil
	})
}
