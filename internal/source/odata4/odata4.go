// Package odata4 is a client of the OData 4 service of Statistics Netherlands.
package odata4

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server is the OData 4 service of Statistics Netherlands:
//
//	base/Datasets             all tables
//	base/TABLE/Properties     the title and the time of the last change
//	base/TABLE/Dimensions     the dimensions and which of them are time and geography
//	base/TABLE/DIMCodes       the codes of a dimension with their labels
//	base/TABLE/MeasureCodes   the measures with their units
//	base/TABLE/Observations   the numbers, in pages
//
// No format has all of them in one file, so they are written as one JSON-stat file
// (jsonstat.go). Its numbers are the texts of the responses.
type server struct {
	source.Office
	client *fetch.Client
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server { return &server{o, c} }

// Limits of a table.
const (
	maxPages      = 2000
	maxProperties = 4 << 20   // bytes of the properties
	maxPageBytes  = 256 << 20 // bytes of one page
)

var codePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,50}$`)

// tableProperties are the properties of a table, also in the list.
type tableProperties struct {
	Identifier string
	Title      string
	Modified   string

	Description, Language string // only in the list
}

// dimension is a dimension of a table.
type dimension struct {
	Identifier, Title, Kind string
	codes                   []codeEntry
}

// codeEntry is a code of a dimension, or a measure.
type codeEntry struct {
	Identifier, Title, Unit string
	Decimals                *int
}

// readPages requests a list, page by page.
func readPages[T any](ctx context.Context, s *server, address string, each func(T) error) error {
	for page := 0; address != ""; page++ {
		if page == maxPages {
			return stat.Errorf(stat.Refused, "%s returns a list in more than %d pages", s.Name, maxPages)
		}
		var list struct {
			Value []T    `json:"value"`
			Next  string `json:"@odata.nextLink"`
		}
		body, err := source.ReadJSON(ctx, s.client, s.Request(address), maxPageBytes, &list)
		if err != nil {
			return err
		}
		if list.Value == nil {
			return stat.Errorf(stat.Unavailable, "%s: the response is not a list: %.200q", address, fetch.MessageIn(body))
		}
		for _, item := range list.Value {
			if err := each(item); err != nil {
				return err
			}
		}
		address = list.Next
	}
	return nil
}

func (s *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		return readPages(ctx, s, cmp.Or(s.Office.Contents, s.Address+"/Datasets"), func(t tableProperties) error {
			return add(source.Entry{Code: t.Identifier, Title: strings.Join(strings.Fields(t.Title), " "), Updated: source.ParseTime(t.Modified), Language: stat.LanguageTag(t.Language), Description: source.Description(t.Description)})
		})
	})
}

// Fetch saves a table.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	if !codePattern.MatchString(r.Code) {
		return nil, stat.Errorf(stat.Invalid, "invalid code %q of a dataset of %s: must look like 37296ned", r.Code, s.Name)
	}
	base := s.Address + "/" + url.PathEscape(r.Code)
	properties, err := s.properties(ctx, r.Code, base)
	if err != nil {
		return nil, err
	}
	updated := source.ParseTime(properties.Modified)
	d := &source.Download{
		Source: s.Name, Code: cmp.Or(properties.Identifier, r.Code), Name: properties.Title, Updated: updated, SourceURL: s.Website,
		State: source.State{Updated: source.StorableTime(updated, s.client.Now(), source.LastMidnight), Title: properties.Title},
	}
	if d.Unchanged = !updated.IsZero() && updated.Equal(r.Known.Updated); d.Unchanged {
		return d, nil
	}
	dimensions, err := s.dimensions(ctx, base)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(r.Folder, source.FileName(r.Code+".json"))
	if err := s.save(ctx, path, base, properties, dimensions); err != nil {
		return nil, err
	}
	d.Data = []string{path}
	return d, nil
}

// properties requests the properties of a table.
func (s *server) properties(ctx context.Context, code, base string) (p tableProperties, err error) {
	body, err := source.ReadJSON(ctx, s.client, s.Request(base+"/Properties"), maxProperties, &p)
	if err == nil && p.Identifier == "" {
		err = stat.Errorf(stat.Unavailable, "%s/Properties: the response has no properties of %s: %.200q", base, code, fetch.MessageIn(body))
	}
	return p, err
}

// dimensions requests the dimensions with their codes; the last one is the measure.
func (s *server) dimensions(ctx context.Context, base string) (list []dimension, err error) {
	err = readPages(ctx, s, base+"/Dimensions", func(d dimension) error {
		list = append(list, d)
		return nil
	})
	list = append(list, dimension{Identifier: measure, Title: "Measure", Kind: measure})
	for i := range list {
		d := &list[i]
		if err == nil {
			err = readPages(ctx, s, base+"/"+url.PathEscape(d.Identifier)+"Codes", func(c codeEntry) error {
				c.Identifier = strings.TrimSpace(c.Identifier)
				d.codes = append(d.codes, c)
				return nil
			})
		}
	}
	return list, err
}

// measure is the member of an observation with its measure.
const measure = "Measure"

// save writes a table.
func (s *server) save(ctx context.Context, path, base string, p tableProperties, dimensions []dimension) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	w := newWriter(out, p, dimensions)
	err = readPages(ctx, s, base+"/Observations", w.add)
	if err == nil && w.observations == 0 {
		err = stat.Errorf(stat.Refused, "%s has no observations of %s at present", s.Name, p.Identifier)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	w.end()
	return errors.Join(out.Flush(), file.Close())
}

// fault returns an error for an observation that does not fit its table.
func fault(format string, args ...any) error {
	return stat.Errorf(stat.Unavailable, "the observations do not fit the codes of the table: %s", fmt.Sprintf(format, args...))
}
