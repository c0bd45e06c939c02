package source

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// odata4 is the OData 4 service of Statistics Netherlands:
//
//	base/Datasets             all tables
//	base/TABLE/Properties     the title and the time of the last change
//	base/TABLE/Dimensions     the dimensions and which of them are time and geography
//	base/TABLE/DIMCodes       the codes of a dimension with their labels
//	base/TABLE/MeasureCodes   the measures with their units
//	base/TABLE/Observations   the numbers, in pages
//
// No format has all of them in one file, so they are written as one JSON-stat file
// (odata4_stat.go). Its numbers are the texts of the responses.
type odata4 struct {
	Office
	client *fetch.Client
}

// NewOdata4 returns the server of an office.
func NewOdata4(o Office, c *fetch.Client) Server { return &odata4{o, c} }

// Limits of a table.
const (
	odataMaxPages      = 2000
	odataMaxProperties = 4 << 20   // bytes of the properties
	odataPage          = 256 << 20 // bytes of one page
)

var odataCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,50}$`)

// odataProperties are the properties of a table, also in the list.
type odataProperties struct {
	Identifier string
	Title      string
	Modified   string
}

// odataDimension is a dimension of a table.
type odataDimension struct {
	Identifier, Title, Kind string
	codes                   []odataCodeOf
}

// odataCodeOf is a code of a dimension, or a measure.
type odataCodeOf struct {
	Identifier, Title, Unit string
	Decimals                *int
}

// pages requests a list, page by page.
func odataPages[T any](ctx context.Context, s *odata4, address string, each func(T) error) error {
	for page := 0; address != ""; page++ {
		if page == odataMaxPages {
			return stat.Errorf(stat.Refused, "%s returns a list in more than %d pages", s.Name, odataMaxPages)
		}
		body, _, err := s.client.Read(ctx, fetch.Request{Address: address, Accept: "application/json", Pause: time.Duration(s.Pause)}, odataPage)
		if err != nil {
			return err
		}
		var list struct {
			Value []T    `json:"value"`
			Next  string `json:"@odata.nextLink"`
		}
		if err := json.Unmarshal(body, &list); err != nil {
			return stat.Errorf(stat.Unavailable, "the response of %s cannot be read: %v", address, err)
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

func (s *odata4) Contents(ctx context.Context, _ Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
		return odataPages(ctx, s, cmp.Or(s.Office.Contents, s.Address+"/Datasets"), func(t odataProperties) error {
			return add(Entry{Code: t.Identifier, Title: strings.Join(strings.Fields(t.Title), " "), Updated: ParseTime(t.Modified)})
		})
	})
}

// Fetch saves a table.
func (s *odata4) Fetch(ctx context.Context, r Request) (*Download, error) {
	if !odataCode.MatchString(r.Code) {
		return nil, stat.Errorf(stat.Invalid, "invalid code %q of a dataset of %s: must look like 37296ned", r.Code, s.Name)
	}
	base := s.Address + "/" + url.PathEscape(r.Code)
	properties, err := s.properties(ctx, r.Code, base)
	if err != nil {
		return nil, err
	}
	updated := ParseTime(properties.Modified)
	d := &Download{
		Source: s.Name, Code: cmp.Or(properties.Identifier, r.Code), Name: properties.Title, Updated: updated, SourceURL: s.Website,
		State: State{Updated: StorableTime(updated, s.client.Now(), LastMidnight), Title: properties.Title},
	}
	if d.Unchanged = !updated.IsZero() && updated.Equal(r.Known.Updated); d.Unchanged {
		return d, nil
	}
	dimensions, err := s.dimensions(ctx, base)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(r.Folder, FileName(r.Code+".json"))
	if err := s.save(ctx, path, base, properties, dimensions); err != nil {
		return nil, err
	}
	d.Data = []string{path}
	return d, nil
}

// properties requests the properties of a table.
func (s *odata4) properties(ctx context.Context, code, base string) (p odataProperties, err error) {
	body, _, err := s.client.Read(ctx, fetch.Request{Address: base + "/Properties", Accept: "application/json", Pause: time.Duration(s.Pause)}, odataMaxProperties)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(body, &p); err != nil || p.Identifier == "" {
		return p, stat.Errorf(stat.Unavailable, "%s/Properties: the response has no properties of %s: %.200q", base, code, fetch.MessageIn(body))
	}
	return p, nil
}

// dimensions requests the dimensions with their codes; the last one is the measure.
func (s *odata4) dimensions(ctx context.Context, base string) (list []odataDimension, err error) {
	err = odataPages(ctx, s, base+"/Dimensions", func(d odataDimension) error {
		list = append(list, d)
		return nil
	})
	list = append(list, odataDimension{Identifier: odataMeasure, Title: "Measure", Kind: odataMeasure})
	for i := range list {
		d := &list[i]
		if err == nil {
			err = odataPages(ctx, s, base+"/"+url.PathEscape(d.Identifier)+"Codes", func(c odataCodeOf) error {
				c.Identifier = strings.TrimSpace(c.Identifier)
				d.codes = append(d.codes, c)
				return nil
			})
		}
	}
	return list, err
}

// odataMeasure is the member of an observation with its measure.
const odataMeasure = "Measure"

// SaveList writes a table.
func (s *odata4) save(ctx context.Context, path, base string, p odataProperties, dimensions []odataDimension) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	w := newOdataWriter(out, p, dimensions)
	err = odataPages(ctx, s, base+"/Observations", w.add)
	if err == nil && w.observations == 0 {
		err = stat.Errorf(stat.Refused, "%s has no observations of %s at present", s.Name, p.Identifier)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(w.end(), out.Flush(), file.Close())
}

// odataFault returns an error for an observation that does not fit its table.
func odataFault(format string, args ...any) error {
	return stat.Errorf(stat.Unavailable, "the observations do not fit the codes of the table: %s", fmt.Sprintf(format, args...))
}
