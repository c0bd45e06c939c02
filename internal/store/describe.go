package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/catalog"
)

// listing returns what the catalogue lists of a vintage.
func listing(d *stat.Dataset, info *vintageInfo) catalog.Dataset {
	return catalog.Dataset{
		ID: d.ID, Source: d.Source.ID, Code: d.Code, Name: d.Name, Names: namesOf(d), Areas: d.Areas(), Text: d.Description,
		Description: catalog.Description{
			SourceName: d.Source.Name, Licence: d.Licence, Attribution: d.Attribution, Frequencies: frequencyCodes(info.Periods),
			Oldest: info.Oldest.String(), Newest: info.Newest.String(), Observations: info.Observations, NextUpdate: momentText(d.NextUpdate),
		},
	}
}

// momentText writes a time, the zero time as the empty text.
func momentText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// frequencyCodes returns the codes of the frequencies of periods, separated by spaces.
func frequencyCodes(periods []stat.Period) string {
	var codes []string
	for _, f := range stat.FrequenciesOf(periods) {
		codes = append(codes, f.Code())
	}
	return strings.Join(codes, " ")
}

// parseFrequencies is the inverse of frequencyCodes.
func parseFrequencies(codes string) []stat.Frequency {
	var list []stat.Frequency
	for f := stat.Annual; f <= stat.Day; f++ {
		if slices.Contains(strings.Fields(codes), f.Code()) {
			list = append(list, f)
		}
	}
	return list
}

// describedAtOnce is the number of datasets that one change of the catalogue describes.
const describedAtOnce = 500

// describe completes the catalogue's rows that an earlier program wrote. A dataset
// whose structure cannot be read has no description until it is imported again.
func (s *Store) describe(ctx context.Context) error {
	for {
		if rows, err := s.catalog.Undescribed(ctx, 1); err != nil || len(rows) == 0 {
			return err
		}
		err := s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) error {
			rows, err := ch.Undescribed(ctx, describedAtOnce) // another process may have been faster
			if err != nil {
				return err
			}
			for id, row := range rows {
				if d, ok := s.describedFrom(id, row); ok {
					if err := ch.Describe(ctx, d); err != nil {
						return err
					}
				}
				if err := ch.Described(ctx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

func (s *Store) describedFrom(id int, row catalog.Vintage) (d catalog.Dataset, ok bool) {
	if len(row.Structure) == 0 {
		return d, false // removed
	}
	var packed structure
	err := json.Unmarshal(row.Structure, &packed)
	if err != nil || packed.Dataset == nil || packed.Info == nil {
		s.log.Warn("the structure of a dataset cannot be read; import it again", "dataset", id, "error", err)
		return d, false
	}
	packed.Dataset.ID = id
	return listing(packed.Dataset, packed.Info), true
}

// Descriptions returns the descriptions of datasets by ID, without empty ones.
func (s *Store) Descriptions(ctx context.Context, ids []int) (map[int]string, error) {
	return s.catalog.Texts(ctx, ids)
}

// DescriptionsIn is Descriptions with the texts in the first of the languages in which each
// dataset has one, as [Vintage.Languages] writes them; else the one that it has for everybody.
func (s *Store) DescriptionsIn(ctx context.Context, ids []int, languages []string) (map[int]string, error) {
	texts, err := s.Descriptions(ctx, ids)
	if err != nil || len(languages) == 0 {
		return texts, err
	}
	c := s.Catalog()
	for id := range texts {
		e := c.Entry(id)
		if e == nil {
			continue // removed since
		}
		row, ok, err := s.catalog.Vintage(ctx, id, e.seq)
		if err != nil {
			return nil, err
		}
		var packed structure
		if !ok || json.Unmarshal(row.Structure, &packed) != nil || packed.Dataset.Curated["description"] != "" {
			continue // what cannot be read is reported by whoever opens the dataset
		}
		for _, language := range languages {
			if language == packed.Dataset.Language {
				break
			}
			if t := packed.Translations[language]; t != nil && t.Description != "" {
				texts[id] = t.Description
				break
			}
		}
	}
	return texts, nil
}

// AllowsBulk reports whether the whole dataset may be handed out; see [Store.SetBulk].
func (v *Vintage) AllowsBulk() bool { return v.store.list.Load().AllowsBulk(v.Dataset.Source.ID) }
