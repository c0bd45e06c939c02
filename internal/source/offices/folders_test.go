package offices_test

import (
	"net/http"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/jsonstattest"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/replay/worldbanktest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// An unknown folder is an error; a folder without results is not.
func TestUnknownFolders(t *testing.T) {
	t.Parallel()
	dir := stattest.DataDir(t)
	pxweb, err := pxwebtest.New(dir, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	worldbank, err := worldbanktest.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	for office, c := range map[string]struct {
		handler http.Handler
		folder  string // empty: the office has no folders
	}{
		"eurostat":  {eurostattest.New(dir), "na10"},
		"worldbank": {worldbank, "2"},
		"oecd":      {sdmxtest.Offices(dir)["oecd"], "OECD.ELS"},
		"ecb":       {sdmxtest.Offices(dir)["ecb"], ""},
		"statcan":   {sdmxtest.StatCan(dir), "34"},
		"cso":       {jsonstattest.New(dir), ""},
		"scb":       {pxweb, "AM0401"},
	} {
		t.Run(office, func(t *testing.T) {
			s := sourcetest.NewServer(t, sourcetest.NewClock(), sourcetest.OfficeAt(t, office, sourcetest.CloseAtEnd(t, replay.Serve(c.handler))))
			for _, w := range []source.Filter{{Under: "no-such-folder"}, {Under: "no-such-folder", Search: "a"}} {
				if err := sourcetest.ListError(s.Contents(t.Context(), w)); stat.KindOf(err) != stat.NotFound {
					t.Errorf("%+v: got error %v, want kind NotFound", w, err)
				}
			}
			if c.folder == "" {
				return
			}
			if all := sourcetest.Entries(t, s.Contents(t.Context(), source.Filter{Under: c.folder})); len(all) == 0 {
				t.Errorf("%s is empty", c.folder)
			}
			if none := sourcetest.Entries(t, s.Contents(t.Context(), source.Filter{Under: c.folder, Search: "no such words"})); len(none) > 0 {
				t.Errorf("%s: got entries %+v, want none", c.folder, none)
			}
		})
	}
}
