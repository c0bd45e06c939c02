// Package eurostat is a client of Eurostat's dissemination service.
package eurostat

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the office's time zone on machines without zone files

	"almanac/internal/format/office"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server is Eurostat's dissemination service:
//
//	catalogue/toc/txt?lang=en                        the datasets and their last updates
//	sdmx/2.1/data/CODE?format=TSV&compressed=true    a whole dataset, codes only
//	sdmx/2.1/codelist/ESTAT/DIM?format=TSV&…         the labels of a dimension's codes
//	1.0/async/status/ID, 1.0/async/data/ID           a dataset that takes time to prepare
//
// All datasets with a dimension share its code list. Code lists are therefore kept in
// memory for a day, and each download gets a copy of those it needs.
type server struct {
	source.Office
	client *fetch.Client

	listMu    sync.Mutex // locked while a list is fetched, so that datasets share one request
	lists     map[string]codeList
	listBytes int // size of lists

	entryMu     sync.Mutex
	entries     map[string]source.Entry // by lower-case code, for requests without an entry
	entriesRead time.Time               // when entries were last read, successfully or not
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server {
	return &server{Office: o, client: c, lists: map[string]codeList{}}
}

// How long code lists and contents are kept in memory, and their limits.
const (
	listAge       = 24 * time.Hour   // of a code list
	listRetry     = time.Hour        // after a failure to fetch one
	entriesAge    = 10 * time.Minute // of the list of contents, for requests without an entry
	maxEntries    = 100_000          // datasets of the list of contents
	maxListBytes  = 16 << 20         // of one code list, packed
	maxListsBytes = 64 << 20         // of all code lists
)

// codePattern matches codes of datasets, dimensionPattern IDs of dimensions.
var (
	codePattern      = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_$.-]{0,99}$`)
	dimensionPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,49}$`)
	// listFilePattern matches the office's file name of a code list, which
	// contains the version of the list.
	listFilePattern = regexp.MustCompile(`^(ESTAT_[A-Z0-9_]+_[0-9]+(?:\.[0-9]+)*_EN\.tsv)(?:\.gz)?$`)
)

// Fetch saves a whole dataset and its code lists.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	part, err := s.parsePart(r.Code)
	if err != nil {
		return nil, err
	}
	listed := r.Listed
	if listed == nil {
		listed = s.findEntry(ctx, part.dataset)
	}
	d := &source.Download{
		Source: s.Name, Code: r.Code, State: source.State{Answers: r.Known.Answers},
		SourceURL: office.EurostatPage(part.dataset),
	}
	if listed != nil {
		d.Name, d.Updated, d.State.Updated = part.name(listed.Title), listed.Updated, source.StorableTime(listed.Updated, s.client.Now(), zone)
		if !listed.Updated.IsZero() && listed.Updated.Equal(r.Known.Updated) {
			d.Unchanged = true
			return d, nil
		}
	}
	address := s.partAddress(part)
	path := filepath.Join(r.Folder, "data")
	known := r.Known.Answers[address]
	missing, isAvailable := s.missingLists(ctx, r.Known.Missing)
	if isAvailable {
		known = fetch.Validators{}
	}
	request := s.Request(address)
	request.Known = known
	answer, err := s.data(ctx, request, path)
	if err != nil {
		return nil, s.suggestPart(part, err)
	}
	d.State.Answers = map[string]fetch.Validators{address: answer.Validators}
	if d.Unchanged = answer.NotModified; d.Unchanged {
		d.State.Updated = r.UnchangedTime(d.Updated, s.client.Now(), zone)
		d.State.SetMissing(missing)
		return d, nil
	}
	if part.isStatistics() {
		d.Data = []string{path + ".json"}
		return d, os.Rename(path, d.Data[0])
	}
	dimensions, err := readDimensions(path)
	if err != nil {
		err = &stat.Error{Kind: stat.Unavailable, Message: "the response of " + address + " is not a table of Eurostat", Err: err}
		return nil, err
	}
	file := filepath.Join(r.Folder, packedName("estat_"+strings.ToLower(part.dataset)+".tsv", answer.Head))
	if err := os.Rename(path, file); err != nil {
		return nil, err
	}
	d.Data = []string{file}
	d.Companions, err = s.companions(ctx, dimensions, r.Folder)
	missing, _ = s.missingLists(ctx, dimensions)
	d.State.SetMissing(missing)
	return d, err
}

// serviceOf returns the address of a dataset's service. Foreign trade in goods and
// industrial production (DS-…) have a separate one.
func (s *server) serviceOf(code string) string {
	if strings.HasPrefix(strings.ToLower(code), "ds-") {
		return strings.Replace(s.Address, "/api/dissemination", "/api/comext/dissemination", 1)
	}
	return s.Address
}

// packedName adds .gz to a file name if the body is packed. The service packs files,
// but an HTTP layer may have unpacked them.
func packedName(name string, head []byte) string {
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		return name + ".gz"
	}
	return name
}

// readDimensions returns the dimensions in the first cell of a table, such as
// "freq,unit,geo\TIME_PERIOD", except the periods.
func readDimensions(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var text io.Reader = file
	if packed, err := gzip.NewReader(file); err == nil {
		text = packed
	} else if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	first, err := bufio.NewReader(io.LimitReader(text, 64<<10)).ReadString('\t')
	rows, columns, found := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(first, "\ufeff"), "\t"), `\`)
	if err != nil || !found {
		return nil, stat.Errorf(stat.Invalid, `the first line must begin with "freq,…,geo\TIME_PERIOD" and a tab, not %.60q`, first)
	}
	var dimensions []string
	for _, name := range append(strings.Split(rows, ","), columns) {
		name = strings.TrimSpace(name)
		switch lower := strings.ToLower(name); {
		case !dimensionPattern.MatchString(name):
			return nil, stat.Errorf(stat.Invalid, "the first cell %.60q is not a list of dimensions", first)
		case lower != "time" && lower != "time_period":
			dimensions = append(dimensions, lower)
		}
	}
	return dimensions, nil
}

// codeList is an unparsed code list.
type codeList struct {
	name  string // of the file; empty if the list could not be fetched
	body  []byte
	due   time.Time // time of the next request
	isOut bool      // missing because of an outage
}

// missingLists returns the dimensions whose code lists are missing because of an outage,
// and whether one of the other lists is available.
func (s *server) missingLists(ctx context.Context, dimensions []string) (missing []string, isAvailable bool) {
	for _, dimension := range dimensions {
		list := s.list(ctx, dimension)
		if list.isOut {
			missing = append(missing, dimension)
		}
		isAvailable = isAvailable || list.name != ""
	}
	return missing, isAvailable
}

// companions writes the code lists of some dimensions into a folder. It leaves out
// lists that cannot be fetched, because the data are correct without labels. The error
// is that of the context or of the disk.
func (s *server) companions(ctx context.Context, dimensions []string, folder string) ([]string, error) {
	var paths []string
	for _, dimension := range dimensions {
		list := s.list(ctx, dimension)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if list.name == "" {
			continue
		}
		path := filepath.Join(folder, list.name)
		if err := os.WriteFile(path, list.body, 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// list returns the code list of a dimension, from memory or from the office.
func (s *server) list(ctx context.Context, dimension string) codeList {
	s.listMu.Lock()
	defer s.listMu.Unlock()
	known := s.lists[dimension]
	if s.client.Now().Before(known.due) {
		return known
	}
	address := s.Address + "/sdmx/2.1/codelist/ESTAT/" + strings.ToUpper(dimension) + "?format=TSV&compressed=true&lang=en"
	body, answer, err := s.client.Read(ctx, s.Request(address), maxListBytes)
	if ctx.Err() != nil {
		return known // canceled: not a failure of the office
	}
	list := codeList{name: known.name, body: known.body, due: s.client.Now().Add(listRetry), isOut: known.name == "" && (err == nil || source.IsOutage(err))}
	if err == nil && isList(body) {
		name := dimension + ".dic" // if the file name states no version
		if m := listFilePattern.FindStringSubmatch(answer.Filename); m != nil {
			name = m[1]
		}
		list = codeList{name: packedName(name, body), body: body, due: s.client.Now().Add(listAge)}
	}
	if s.listBytes += len(list.body) - len(known.body); s.listBytes > maxListsBytes {
		clear(s.lists)
		s.listBytes = len(list.body)
	}
	s.lists[dimension] = list
	return list
}

// isList reports whether the first line of a response is a code, a tab and a
// label, as in a code list.
func isList(body []byte) bool {
	var text io.Reader = bytes.NewReader(body)
	if packed, err := gzip.NewReader(text); err == nil {
		text = packed
	} else {
		text = bytes.NewReader(body)
	}
	first, err := bufio.NewReader(io.LimitReader(text, 64<<10)).ReadString('\n')
	code, label, found := strings.Cut(first, "\t")
	return (err == nil || err == io.EOF) && found && strings.TrimSpace(code) != "" && strings.TrimSpace(label) != "" && !strings.HasPrefix(code, "<")
}

// findEntry returns a dataset's entry in the list of contents, which states its title and
// last update. It is nil if the dataset is not listed or the list cannot be read, which
// must not prevent the download.
func (s *server) findEntry(ctx context.Context, code string) *source.Entry {
	s.entryMu.Lock()
	defer s.entryMu.Unlock()
	if s.entriesRead.IsZero() || s.client.Now().Sub(s.entriesRead) > entriesAge {
		s.entries = map[string]source.Entry{}
		for e, err := range s.Contents(ctx, source.Filter{}) {
			if err != nil || len(s.entries) >= maxEntries {
				break
			}
			s.entries[strings.ToLower(e.Code)] = source.Entry{Code: e.Code, Title: e.Title, Updated: e.Updated}
		}
		if ctx.Err() == nil {
			s.entriesRead = s.client.Now()
		}
	}
	if e, ok := s.entries[strings.ToLower(code)]; ok {
		return &e
	}
	return nil
}

// faultOf returns the error of a failed request with the service's own message, if
// it sent one, in place of the XML.
func faultOf(err error) error {
	var failed *fetch.Error
	if !errors.As(err, &failed) {
		return err
	}
	fault := strings.TrimSuffix(readEnvelope(failed.Body).fault, ".")
	cause := *failed
	if fault != "" {
		cause.Body = nil // the message states its text
	}
	switch {
	case fault != "" && failed.Reason == fetch.Missing || strings.Contains(fault, "NO_RESULTS"):
		return &stat.Error{Kind: stat.NotFound, Message: fault, Err: &cause}
	case failed.Reason == fetch.TooBig && fault != "":
		return &stat.Error{Kind: stat.Refused, Message: "the office does not return the dataset as a whole: " + fault, Err: &cause}
	case failed.Reason == fetch.Denied && fault != "":
		return &stat.Error{Kind: stat.Refused, Message: "the office refused the request: " + fault, Err: &cause}
	}
	return err
}
