package source

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
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// gho is the WHO's Global Health Observatory over OData.
//
// An indicator is a dataset and comes in one response. If the service splits it
// into pages, each page names the next one but not its own position, so the pages
// are merged into one list again.
//
// Records hold only codes. The labels of the dimensions that occur are requested
// separately.
type gho struct {
	Office
	client *fetch.Client
}

func newGho(o Office, c *fetch.Client) Server { return &gho{o, c} }

// Limits of the responses.
const (
	ghoPages     = 2000
	ghoBytes     = 1 << 30  // of an indicator
	ghoListBytes = 64 << 20 // of a list of indicators
)

// ghoCodes matches codes of indicators, ghoTypes those of dimensions.
var (
	ghoCodes = regexp.MustCompile(`^` + plainCode + `$`)
	ghoTypes = regexp.MustCompile(`^[A-Za-z0-9_]{1,100}$`)
)

// ghoTitles is the entry of an indicator in the list.
type ghoTitles struct {
	Code  string `json:"IndicatorCode"`
	Title string `json:"IndicatorName"`
}

// Contents yields the indicators. The list has neither folders nor times of
// updates.
func (s *gho) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		chosen := choice{Filter: f}
		seen := map[string]bool{}
		err := s.indicators(ctx, s.Address+"/Indicator", func(t ghoTitles) error {
			e := Entry{Code: t.Code, Title: strings.TrimSpace(t.Title)}
			if !ghoCodes.MatchString(e.Code) || seen[e.Code] || !chosen.takes(e) {
				return nil
			}
			seen[e.Code] = true
			if !yield(e, nil) {
				return errEnough
			}
			return nil
		})
		if err == nil {
			err = chosen.missing(s.Office)
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(Entry{}, err)
		}
	}
}

// indicators reads all pages of a list of indicators.
func (s *gho) indicators(ctx context.Context, address string, use func(ghoTitles) error) error {
	visited := ghoVisited{}
	for address != "" {
		body, answer, err := s.client.Read(ctx, fetch.Request{Address: address, Pause: time.Duration(s.Pause)}, ghoListBytes)
		if err != nil {
			return err
		}
		in := newStream(bytes.NewReader(body))
		page, err := in.ghoPage(func() error {
			var t ghoTitles
			if err := in.Decode(&t); err != nil {
				return err
			}
			return use(t)
		})
		if err == nil {
			address, err = visited.next(s.Address, address, answer, page)
		}
		if errors.Is(err, errEnough) {
			return err
		}
		if err != nil {
			return notUnderstood(stat.Unavailable, address, err)
		}
	}
	return nil
}

// Fetch saves an indicator and the labels of its codes.
func (s *gho) Fetch(ctx context.Context, r Request) (*Download, error) {
	if !ghoCodes.MatchString(r.Code) {
		return nil, stat.Errorf(stat.NotFound, "%s has no indicator %q; codes look like WHOSIS_000001", s.Name, r.Code)
	}
	got, err := s.pages(ctx, r)
	if isMissing(err) {
		return nil, stat.Errorf(stat.NotFound, "%s has no indicator %s; `almanac source datasets %s --search WORDS` lists them", s.Name, r.Code, s.ID)
	}
	if err != nil {
		dropFiles(got.files)
		return nil, err
	}
	if got.unchanged || len(r.Known.Answers) > 0 && sameDigests(got.answers, r.Known.Answers) {
		dropFiles(got.files)
		return &Download{Unchanged: true, State: r.Known}, nil
	}
	d := &Download{State: State{Answers: got.answers}, Source: s.Name, SourceURL: s.Website}
	if d.Data, err = got.merge(r.Folder); err == nil {
		d.Companions, err = s.labels(ctx, got.types, r.Folder)
	}
	if err == nil {
		d.Name, err = s.title(ctx, r)
	}
	if err != nil {
		dropFiles(append(d.Data, d.Companions...))
		return nil, err
	}
	return d, nil
}

// ghoAnswers holds the pages of an indicator.
type ghoAnswers struct {
	unchanged bool
	files     []string
	answers   map[string]fetch.Validators
	types     map[string]bool // types of the dimensions in the records
}

// pages saves the pages of an indicator, from the first to the one without a next.
// The request is conditional only if the indicator came in one response: among
// several, an unchanged one says nothing about the others.
func (s *gho) pages(ctx context.Context, r Request) (ghoAnswers, error) {
	got := ghoAnswers{answers: map[string]fetch.Validators{}, types: map[string]bool{}}
	visited, size := ghoVisited{}, int64(0)
	for address := s.Address + "/" + url.PathEscape(r.Code); address != ""; {
		request := fetch.Request{Address: address, Pause: time.Duration(s.Pause)}
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
		if size += answer.Size; size > ghoBytes {
			return got, stat.Errorf(stat.Refused, "%s: the indicator is larger than the limit of %d MiB", address, ghoBytes>>20)
		}
		page, err := scanGho(file, got.types)
		if err != nil {
			return got, notUnderstood(stat.Refused, address, err)
		}
		if page.records == 0 && page.next == "" && len(got.files) == 1 {
			return got, stat.Errorf(stat.Refused, "%s: the indicator has no data", address)
		}
		next, err := visited.next(s.Address, address, answer, page)
		if err != nil {
			return got, notUnderstood(stat.Refused, address, err)
		}
		address = next
	}
	return got, nil
}

// sameDigests reports whether two fetches had the same responses.
func sameDigests(now, before map[string]fetch.Validators) bool {
	return maps.EqualFunc(now, before, func(a, b fetch.Validators) bool { return a.Digest != "" && a.Digest == b.Digest })
}

// ghoVisited holds the pages of a list already read, by address and by content.
type ghoVisited map[string]bool

// next returns the address of the next page; empty after the last one. The error
// reports pages that lead elsewhere or have no end.
func (v ghoVisited) next(base, address string, answer fetch.Answer, page ghoPage) (string, error) {
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
	case len(v) > 2*ghoPages:
		return "", fmt.Errorf("more than %d pages", ghoPages)
	}
	v[content] = true
	return next.String(), nil
}

// title returns the name of an indicator, which its records do not contain; empty
// if the service has none.
func (s *gho) title(ctx context.Context, r Request) (string, error) {
	if r.Listed != nil && r.Listed.Title != "" {
		return r.Listed.Title, nil
	}
	title := ""
	filter := url.Values{"$filter": {"IndicatorCode eq '" + r.Code + "'"}}
	err := s.indicators(ctx, s.Address+"/Indicator?"+strings.ReplaceAll(filter.Encode(), "+", "%20"), func(t ghoTitles) error {
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

// labels saves the values of dimensions with their labels. With an error it returns
// the files saved so far.
func (s *gho) labels(ctx context.Context, types map[string]bool, folder string) (files []string, err error) {
	for _, name := range sortedKeys(types) {
		file := filepath.Join(folder, "labels-"+name+".json")
		address := s.Address + "/DIMENSION/" + url.PathEscape(name) + "/DimensionValues"
		_, err := s.client.Save(ctx, fetch.Request{Address: address, Pause: time.Duration(s.Pause)}, file)
		if isMissing(err) {
			continue // a dimension without a list
		}
		if err != nil {
			return files, err
		}
		page, err := scanGho(file, map[string]bool{})
		if err == nil && page.records == 0 {
			dropFiles([]string{file}) // no labels
			continue
		}
		files = append(files, file)
		if err != nil {
			return files, notUnderstood(stat.Refused, address, err)
		}
	}
	return files, nil
}
