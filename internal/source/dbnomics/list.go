package dbnomics

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// Limits of a list: entries per page, pages, and bytes of a page, whose entries may
// contain all labels of a dataset.
const (
	listSize     = 50
	maxListPages = 20_000
	maxBytes     = 64 << 20
)

// description describes a provider or a dataset.
type description struct {
	Code, Name             string
	Provider, ProviderName string
	Indexed                string // when DBnomics imported it
	Series                 int
	Dimensions             []string // their IDs
}

func (d *description) updated() time.Time {
	t, err := time.Parse(time.RFC3339, d.Indexed)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// Contents yields the datasets of one provider or of all, provider by provider. Search
// words are sent to the search of DBnomics.
func (s *server) Contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		return s.entries(ctx, f, func(d description) error {
			if !codePattern.MatchString(d.Provider) || !codePattern.MatchString(d.Code) {
				return nil
			}
			return add(source.Entry{
				Code: d.Provider + "/" + d.Code, Title: strings.TrimSpace(d.Name),
				Theme: cmp.Or(d.ProviderName, d.Provider), Folders: []string{d.Provider}, Updated: d.updated(),
			})
		})
	})
}

// entries reads the lists that a filter needs.
func (s *server) entries(ctx context.Context, f source.Filter, use func(description) error) error {
	if strings.TrimSpace(f.Search) != "" {
		return s.list(ctx, "/search?q="+url.QueryEscape(f.Search)+"&", "results", use)
	}
	var providers []description
	err := s.list(ctx, "/providers?", "providers", func(d description) error {
		if f.Under == "" || strings.EqualFold(f.Under, d.Code) || strings.EqualFold(f.Under, d.Name) {
			providers = append(providers, d)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if f.Under != "" && len(providers) == 0 {
		return stat.Errorf(stat.NotFound, "DBnomics has no provider %q; https://db.nomics.world/providers lists them", f.Under)
	}
	for _, p := range providers {
		if !codePattern.MatchString(p.Code) {
			continue
		}
		err := s.list(ctx, "/datasets/"+url.PathEscape(p.Code)+"?", "datasets", func(d description) error {
			d.Provider, d.ProviderName = p.Code, p.Name
			return use(d)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// list reads all pages of a list. path must end with "?" or "&".
func (s *server) list(ctx context.Context, path, name string, use func(description) error) error {
	offset, before, all := 0, "", -1
	for page := 1; ; page++ {
		address := fmt.Sprintf("%s%slimit=%d&offset=%d", s.Address, path, listSize, offset)
		body, _, err := s.client.Read(ctx, s.Request(address), maxBytes)
		if err != nil {
			return err
		}
		first, entries := "", 0
		found, err := readList(body, name, func(d description) error {
			if entries++; entries == 1 {
				first = d.Provider + "/" + d.Code
			}
			if entries == 1 && first == before {
				return errors.New("the page repeats the page before it")
			}
			return use(d)
		})
		if err = source.UnexpectedResponse(stat.Unavailable, address, err); err != nil {
			return err
		}
		if page == 1 {
			all = found
		}
		offset, before = offset+entries, first
		if found != all || found >= 0 && source.IsShort(found, offset) || found < 0 && offset == 0 {
			return stat.Errorf(stat.Unavailable, "%s: this page states %d entries in the list, the first page stated %d, and %d were received", address, found, all, offset)
		}
		if found < 0 && entries < listSize || offset >= found && found >= 0 || entries == 0 && !source.IsShort(offset, found) {
			return nil
		}
		if entries == 0 || page == maxListPages {
			return stat.Errorf(stat.Unavailable, "%s: the list should have %d entries but ends after %d", address, found, offset)
		}
	}
}

// readList reads a page of a list: {"providers": {"docs": […],
// "num_found": 93}}. It returns the stated number of entries in the list, or -1 without
// one.
func readList(body []byte, name string, use func(description) error) (int, error) {
	in := jsonstream.New(bytes.NewReader(body))
	has, found := false, -1
	err := in.Object(func(field string) (bool, error) {
		if field != name {
			return false, nil
		}
		return true, in.Object(func(field string) (bool, error) {
			switch field {
			case "docs":
				has = true
				return true, in.List(func() error {
					d, err := readDescription(in)
					if err != nil {
						return err
					}
					return use(d)
				})
			case "num_found":
				return true, in.Decode(&found)
			}
			return false, nil
		})
	})
	if err == nil && !has {
		err = fmt.Errorf("missing %q with a list \"docs\"", name)
	}
	if err == nil {
		err = in.End()
	}
	return found, err
}

// readDescription reads an entry of a list and skips its labels.
func readDescription(s *jsonstream.Stream) (d description, err error) {
	into := map[string]any{
		"code": &d.Code, "name": &d.Name, "provider_code": &d.Provider, "provider_name": &d.ProviderName,
		"indexed_at": &d.Indexed, "nb_series": &d.Series, "dimensions_codes_order": &d.Dimensions,
	}
	err = s.Object(func(field string) (bool, error) {
		at := into[field]
		if at == nil {
			return false, nil
		}
		return true, s.Decode(at)
	})
	return d, err
}
