// Package gho is a client of the WHO's Global Health Observatory.
package gho

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// server is the WHO's Global Health Observatory over OData.
//
// An indicator is a dataset and usually comes in one response. If the service splits it
// into pages, each page states the address of the next one but not its own position, so
// the pages are merged into one list.
//
// Records contain only codes. The labels of their dimensions are requested separately.
type server struct {
	source.Office
	client *fetch.Client
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server { return &server{o, c} }

// Limits of the responses.
const (
	maxPages     = 2000
	maxBytes     = 1 << 30  // of an indicator
	maxListBytes = 64 << 20 // of a list of indicators
)

// codePattern matches codes of indicators, typePattern those of dimensions, which the service
// calls types.
var (
	codePattern = regexp.MustCompile(`^` + source.CodePattern + `$`)
	typePattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,100}$`)
)

// indicator is an indicator in the list.
type indicator struct {
	Code  string `json:"IndicatorCode"`
	Title string `json:"IndicatorName"`
}

// Contents yields the indicators. Their list has neither folders nor times of updates.
func (s *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		return s.indicators(ctx, s.Address+"/Indicator", func(t indicator) error {
			if !codePattern.MatchString(t.Code) {
				return nil
			}
			return add(source.Entry{Code: t.Code, Title: strings.TrimSpace(t.Title)})
		})
	})
}

// indicators reads all pages of a list of indicators.
func (s *server) indicators(ctx context.Context, address string, use func(indicator) error) error {
	visited := visitedPages{}
	for address != "" {
		body, answer, err := s.client.Read(ctx, s.Request(address), maxListBytes)
		if err != nil {
			return err
		}
		in := jsonstream.New(bytes.NewReader(body))
		page, err := readPage(in, func() error {
			var t indicator
			if err := in.Decode(&t); err != nil {
				return err
			}
			return use(t)
		})
		if err == nil {
			address, err = visited.next(s.Address, address, answer, page)
		}
		if err = source.UnexpectedResponse(stat.Unavailable, address, err); err != nil {
			return err
		}
	}
	return nil
}

// Fetch saves an indicator and the labels of its codes.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	if !codePattern.MatchString(r.Code) {
		return nil, stat.Errorf(stat.NotFound, "%s has no indicator %q; codes look like WHOSIS_000001", s.Name, r.Code)
	}
	got, err := s.pages(ctx, r)
	if source.IsMissing(err) {
		return nil, stat.Errorf(stat.NotFound, "%s has no indicator %s; `almanac source datasets %s --search WORDS` lists them", s.Name, r.Code, s.ID)
	}
	if err != nil {
		return nil, err
	}
	if got.unchanged || len(r.Known.Answers) > 0 && sameDigests(got.answers, r.Known.Answers) {
		return &source.Download{Unchanged: true, State: r.Known}, nil
	}
	d := &source.Download{State: source.State{Answers: got.answers}, Source: s.Name, SourceURL: s.Website}
	if d.Data, err = got.merge(r.Folder); err == nil {
		d.Companions, err = s.labels(ctx, got.types, r.Folder)
	}
	if err == nil {
		d.Name, err = s.title(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// fetched consists of the pages of an indicator.
type fetched struct {
	unchanged bool
	files     []string
	answers   map[string]fetch.Validators
	types     map[string]bool // types of the dimensions in the records
}

// pages saves the pages of an indicator. The request is conditional only if the last
// fetch had one response, because one unchanged page says nothing about the others.
func (s *server) pages(ctx context.Context, r source.Request) (fetched, error) {
	got := fetched{answers: map[string]fetch.Validators{}, types: map[string]bool{}}
	visited, size := visitedPages{}, int64(0)
	for address := s.Address + "/" + url.PathEscape(r.Code); address != ""; {
		request := s.Request(address)
		if len(r.Known.Answers) == 1 && len(got.files) == 0 {
			request.Known = r.Known.Answers[address]
		}
		file := filepath.Join(r.Folder, fmt.Sprintf("page-%04d.json", len(got.files)+1))
		answer, err := s.client.Save(ctx, request, file)
		if err != nil {
			return got, err
		}
		if answer.NotModified {
			got.unchanged = true
			return got, nil
		}
		got.files = append(got.files, file)
		got.answers[address] = answer.Validators
		if size += answer.Size; size > maxBytes {
			return got, stat.Errorf(stat.Refused, "%s: the indicator is larger than the limit of %d MiB", address, maxBytes>>20)
		}
		page, err := scanPage(file, got.types)
		if err != nil {
			return got, source.UnexpectedResponse(stat.Refused, address, err)
		}
		if page.records == 0 && page.next == "" && len(got.files) == 1 {
			return got, stat.Errorf(stat.Refused, "%s: the indicator has no data", address)
		}
		next, err := visited.next(s.Address, address, answer, page)
		if err = source.UnexpectedResponse(stat.Refused, address, err); err != nil {
			return got, err
		}
		address = next
	}
	return got, nil
}

// sameDigests reports whether two fetches had the same responses.
func sameDigests(now, before map[string]fetch.Validators) bool {
	return maps.EqualFunc(now, before, func(a, b fetch.Validators) bool { return a.Digest != "" && a.Digest == b.Digest })
}

// visitedPages is the set of pages already read, by address and by digest.
type visitedPages map[string]bool

// next returns the address of the next page; empty after the last one. The error reports
// an address outside the service and pages without end.
func (v visitedPages) next(base, address string, answer fetch.Answer, page pageInfo) (string, error) {
	if page.next == "" {
		return "", nil
	}
	here, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	next, err := here.Parse(page.next)
	if err != nil {
		return "", fmt.Errorf("the next page has an invalid address: %.200q", page.next)
	}
	content := cmp.Or(answer.Validators.Digest, address)
	v[address] = true
	switch {
	case !strings.HasPrefix(next.String(), base+"/"):
		return "", fmt.Errorf("the next page is outside the service: %.200s", next)
	case page.records == 0 || v[next.String()] || v[content] && content != address:
		return "", fmt.Errorf("the pages have no end: the next page %.200s was already read or follows an empty one", next)
	case len(v) > 2*maxPages:
		return "", fmt.Errorf("more than %d pages", maxPages)
	}
	v[content] = true
	return next.String(), nil
}

// title returns the title of an indicator, which its records do not contain; empty if the
// service has none.
func (s *server) title(ctx context.Context, r source.Request) (string, error) {
	if r.Listed != nil && r.Listed.Title != "" {
		return r.Listed.Title, nil
	}
	title := ""
	filter := url.Values{"$filter": {"IndicatorCode eq '" + r.Code + "'"}}
	err := s.indicators(ctx, s.Address+"/Indicator?"+strings.ReplaceAll(filter.Encode(), "+", "%20"), func(t indicator) error {
		if strings.EqualFold(t.Code, r.Code) {
			title = strings.TrimSpace(t.Title)
		}
		return nil
	})
	var failed *fetch.Error
	if errors.As(err, &failed) && (failed.Reason == fetch.Missing || failed.Reason == fetch.Denied) {
		return "", nil
	}
	return title, err
}

// labels saves the labels of dimensions. After an error it returns the files saved so far.
func (s *server) labels(ctx context.Context, types map[string]bool, folder string) (files []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(types)) {
		file := filepath.Join(folder, "labels-"+name+".json")
		address := s.Address + "/DIMENSION/" + url.PathEscape(name) + "/DimensionValues"
		_, err := s.client.Save(ctx, s.Request(address), file)
		if source.IsMissing(err) {
			continue // a dimension without a list
		}
		if err != nil {
			return files, err
		}
		page, err := scanPage(file, map[string]bool{})
		if err == nil && page.records == 0 {
			continue // no labels
		}
		files = append(files, file)
		if err != nil {
			return files, source.UnexpectedResponse(stat.Refused, address, err)
		}
	}
	return files, nil
}
