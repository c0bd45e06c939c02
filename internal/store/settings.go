package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"

	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// sourceSetting is what the host of the service decided about a source. It is kept in a file
// beside the vintages, so that a rebuilt catalogue has it.
type sourceSetting struct {
	Source string `json:"source"`
	Bulk   bool   `json:"bulk"`
}

const settingsFolder = "settings/"

func settingKey(source string) string { return settingsFolder + url.PathEscape(source) + ".json" }

// SetBulk sets whether the whole datasets of a source may be handed out. Parts of them may
// always be read. At first, they may.
func (s *Store) SetBulk(ctx context.Context, source string, allowed bool) error {
	setting, err := s.blobs.Stage(func(to io.Writer) error {
		return json.NewEncoder(to).Encode(sourceSetting{source, allowed})
	})
	if err != nil {
		return fmt.Errorf("storing the setting of source %s: %w", source, err)
	}
	defer setting.Discard()
	err = s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) error {
		if err := ch.SetBulk(ctx, source, allowed); err != nil {
			return err
		}
		if allowed {
			return s.blobs.Delete(settingKey(source))
		}
		return setting.SaveAs(settingKey(source))
	})
	if err != nil {
		return err
	}
	return s.refresh(ctx)
}

func (s *Store) rebuildSetting(ctx context.Context, ch *catalog.Change, key string) error {
	var setting sourceSetting
	if err := s.readJSON(key, &setting); err != nil {
		return err
	}
	return ch.SetBulk(ctx, setting.Source, setting.Bulk)
}

// readJSON reads a file beside the vintages.
func (s *Store) readJSON(key string, to any) error {
	b, err := s.blobs.Open(context.Background(), key, blob.Whole)
	if err != nil {
		return err
	}
	defer b.Close()
	return json.NewDecoder(b.Reader()).Decode(to)
}
