package source

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

	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// Limits of a list: entries per page, pages, and bytes of a page, whose entries may
// contain all labels of a dataset.
const (
	dbnomicsEntries = 50
	dbnomicsPages   = 20_000
	dbnomicsBytes   = 64 << 20
)

// dbnomicsDoc describes a provider or a dataset.
type dbnomicsDoc struct {
	Code, Name             string
	Provider, ProviderName string
	Indexed                string // when DBnomics imported it
	Series                 int
	Dimensions             []string // their IDs
}

func (d *dbnomicsDoc) updated() time.Time {
	t, err := time.Parse(time.RFC3339, d.Indexed)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// Contents yields the datasets of one provider or of all, provider by provider. Search
// words are sent to the search of DBnomics.
func (s *dbnomics) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
		return s.entries(ctx, f, func(d dbnomicsDoc) error {
			if !dbnomicsCodes.MatchString(d.Provider) || !dbnomicsCodes.MatchString(d.Code) {
				return nil
			}
			return add(Entry{
				Code: d.Provider + "/" + d.Code, Title: strings.TrimSpace(d.Name),
				Theme: cmp.Or(d.ProviderName, d.Provider), Folders: []string{d.Provider}, Updated: d.updated(),
			})
		})
	})
}

// entries reads the lists that a filter needs.
func (s *dbnomics) entries(ctx context.Context, f Filter, use func(dbnomicsDoc) error) error {
	if strings.TrimSpace(f.Search) != "" {
		return s.list(ctx, "/search?q="+url.QueryEscape(f.Search)+"&", "results", use)
	}
	var providers []dbnomicsDoc
	err := s.list(ctx, "/providers?", "providers", func(d dbnomicsDoc) error {
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
		if !dbnomicsCodes.MatchString(p.Code) {
			continue
		}
		err := s.list(ctx, "/datasets/"+url.PathEscape(p.Code)+"?", "datasets", func(d dbnomicsDoc) error {
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
func (s *dbnomics) list(ctx context.Context, path, name string, use func(dbnomicsDoc) error) error {
	offset, before, all := 0, "", -1
	for page := 1; ; page++ {
		address := fmt.Sprintf("%s%slimit=%d&offset=%d", s.Address, path, dbnomicsEntries, offset)
		body, _, err := s.client.Read(ctx, fetch.Request{Address: address, Pause: time.Duration(s.Pause)}, dbnomicsBytes)
		if err != nil {
			return err
		}
		first, entries := "", 0
		found, err := readDbnomicsList(body, name, func(d dbnomicsDoc) error {
			if entries++; entries == 1 {
				first = d.Provider + "/" + d.Code
			}
			if entries == 1 && first == before {
				return errors.New("the page repeats the page before it")
			}
			return use(d)
		})
		if errors.Is(err, ErrStop) {
			return err
		}
		if err != nil {
			return UnexpectedResponse(stat.Unavailable, address, err)
		}
		if page == 1 {
			all = found
		}
		offset, before = offset+entries, first
		if found != all || found >= 0 && IsShort(found, offset) || found < 0 && offset == 0 {
			return stat.Errorf(stat.Unavailable, "%s: this page states %d entries in the list, the first page stated %d, and %d were received", address, found, all, offset)
		}
		if found < 0 && entries < dbnomicsEntries || offset >= found && found >= 0 || entries == 0 && !IsShort(offset, found) {
			return nil
		}
		if entries == 0 || page == dbnomicsPages {
			return stat.Errorf(stat.Unavailable, "%s: the list should have %d entries but ends after %d", address, found, offset)
		}
	}
}

// readDbnomicsList reads a page of a list: {"providers": {"docs": […],
// "num_found": 93}}. It returns the stated number of entries in the list, or -1 without
// one.
func readDbnomicsList(body []byte, name string, use func(dbnomicsDoc) error) (int, error) {
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
					d, err := readDbnomicsDoc(in)
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

// readDbnomicsDoc reads an entry of a list and skips its labels.
func readDbnomicsDoc(s *jsonstream.Stream) (d dbnomicsDoc, err error) {
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
