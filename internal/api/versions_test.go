package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// editions are the texts of one file as it was at several times.
type editions []string

// realEditions returns versions of a real file in which values change, come and go.
func realEditions(t *testing.T, count int) editions {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "eurostat", "tsv-new", "sdg_08_10.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	list := editions{string(text)}
	random := rand.New(rand.NewPCG(7, 7))
	number := regexp.MustCompile(`\t-?\d+(\.\d+)?`)
	for len(list) < count {
		lines := strings.Split(list[len(list)-1], "\n")
		for i := 1; i < len(lines); i++ {
			lines[i] = number.ReplaceAllStringFunc(lines[i], func(cell string) string {
				switch random.IntN(40) {
				case 0:
					return "\t" + strconv.Itoa(random.IntN(1000)) + "." + strconv.Itoa(1+random.IntN(8))
				case 1:
					return "\t:"
				}
				return cell
			})
		}
		list = append(list, strings.Join(lines, "\n"))
	}
	return list
}

// madeEditions returns versions of a table in which labels, dimensions' codes and flags change too.
func madeEditions(count int) (list editions) {
	for i := range count {
		text := "#almanac-tidy,1\n#source,test,Office\n#dataset,made,Table\n#dimension,item,Item\n"
		text += fmt.Sprintf("#code,A,\"Apples, edition %d\"\n", i/3)
		if i%5 == 2 {
			text += fmt.Sprintf("#code,B%d,Berries\n", i)
		}
		text += "#geography,geo,Area\n#code,DE,Germany\nitem,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n"
		text += fmt.Sprintf("A,DE,2020,%d,\nA,DE,2021,%d,%s\n", i, 5, map[bool]string{true: "P"}[i%4 == 3])
		if i%5 == 2 {
			text += fmt.Sprintf("B%d,DE,2020,1.5,\n", i)
		}
		list = append(list, text)
	}
	return list
}

// versionedPaths are addresses that a version may be chosen of.
var versionedPaths = []string{"/data?", "/data?flags=true&codes=true&", "/data.csv?", "/meta?", "/dimensions?", "/latest?", "?", "/chart.svg?"}

// A version of a dataset reads as it did when it was current, by number and by time, while
// imports go on, with little memory, after a restart, and after versions were deleted.
func TestVersionsReadAsWhenCurrent(t *testing.T) {
	for name, list := range map[string]editions{"real": realEditions(t, 20), "made": madeEditions(20)} {
		t.Run(name, func(t *testing.T) { testVersions(t, list) })
	}
}

func testVersions(t *testing.T, list editions) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	open := func(memory int64) (*store.Store, string) {
		s, err := store.Open(context.Background(), store.Options{Dir: dir, Memory: memory, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return s, serve(t, newAPI(t, api.Options{Store: s, BaseURL: "http://almanac.test"}))
	}
	s, base := open(0)
	numberOf := func(version int) string { return fmt.Sprintf("%d.%d", 1+version/10, version%10) }
	var was []map[string]string // what each version said when it was current, by path
	check := func(base string, version int) {
		for path, want := range was[version] {
			number, day := numberOf(version), time.Date(2026, 1, 1+version, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
			for _, choice := range []string{"version=" + number, "as_of=" + day, "as_of=" + day + "T12:00:00Z"} {
				got := ask(t, "GET", base+"/api/datasets/1"+path+choice)
				if got.StatusCode != 200 || got.body != want {
					t.Errorf("%s%s: %d, not what it was:\n%.300s\nwant:\n%.300s", path, choice, got.StatusCode, got.body, want)
				}
			}
		}
	}
	var checking sync.WaitGroup
	for i, text := range list {
		load(t, s, "sdg_08_10.tsv", strings.NewReader(text))
		said := map[string]string{}
		for _, path := range versionedPaths {
			address := base + "/api/datasets/1" + path
			if path == "/chart.svg?" { // pictures name a version that was chosen
				address += "version=" + numberOf(i)
			}
			got := ask(t, "GET", address)
			if got.StatusCode != 200 {
				t.Fatalf("%s: %d %s", path, got.StatusCode, got.body)
			}
			said[path] = got.body
		}
		was = append(was, said)
		if i%6 == 5 {
			checking.Go(func() { check(base, i-3) }) // while the next ones are imported
			checking.Go(func() { check(base, i) })
			checking.Wait()
		}
		now = now.AddDate(0, 0, 1)
	}
	checking.Wait()
	got := ask(t, "GET", base+"/api/datasets/1/data?as_of=2025-12-31")
	if got.StatusCode != 404 || !strings.Contains(got.body, "its first one, 1.0, was published here at 2026-01-01T12:00:00Z") {
		t.Errorf("before the first version: %d %s", got.StatusCode, got.body)
	}
	s.Close()

	s, base = open(1)
	for version := range list {
		check(base, version)
	}
	checkCounts(t, base, len(list))
	if _, err := s.Prune(t.Context(), 1, 10); err != nil {
		t.Fatal(err)
	}
	for _, choice := range []string{"version=1.4", "as_of=2026-01-05"} {
		if got := ask(t, "GET", base+"/api/datasets/1/data?"+choice); got.StatusCode != 404 || !strings.Contains(got.body, "was deleted") || !strings.Contains(got.body, "2.0") {
			t.Errorf("%s after it was deleted: %d %s", choice, got.StatusCode, got.body)
		}
	}
	check(base, 10)
	if _, err := s.Restore(t.Context(), 1, "2.1"); err != nil {
		t.Fatal(err)
	}
	check(base, 19)
	before, _, _ := strings.Cut(was[11]["/data?flags=true&codes=true&"], `,"meta":`)
	restored, _, _ := strings.Cut(ask(t, "GET", base+"/api/datasets/1/data?flags=true&codes=true&version=3.0").body, `,"meta":`)
	if before == "" || before != restored {
		t.Error("a restored version is not what it was")
	}
	s.Close()
}

// checkCounts checks that the revisions between each version and the next one are as many as
// the list of versions says, on pages that join.
func checkCounts(t *testing.T, base string, versions int) {
	t.Helper()
	var page struct {
		Data []struct {
			Version                 string
			Added, Revised, Removed int
		}
	}
	if err := json.Unmarshal([]byte(ask(t, "GET", base+"/api/datasets/1/versions").body), &page); err != nil || len(page.Data) != versions {
		t.Fatalf("%d versions, want %d (%v)", len(page.Data), versions, err)
	}
	for i := range versions - 1 {
		to, from := page.Data[i], page.Data[i+1]
		counts, seen := map[string]int{}, map[string]bool{}
		for at := 0; ; at++ {
			var r revisionPage
			path := fmt.Sprintf("/api/datasets/1/revisions?from=%s&to=%s&limit=7&page=%d", from.Version, to.Version, at)
			if at > 3 {
				path = fmt.Sprintf("/api/datasets/1/revisions?from=%s&to=%s&limit=1000&page=0", from.Version, to.Version)
				counts, seen = map[string]int{}, map[string]bool{}
			}
			if err := json.Unmarshal([]byte(ask(t, "GET", base+path).body), &r); err != nil {
				t.Fatal(err)
			}
			for _, each := range r.Data {
				counts[each.Kind]++
				seen[fmt.Sprint(each.Key, each.Code, each.Period, each.Unit)] = true
			}
			if r.Added != to.Added || r.Revised != to.Revised || r.Removed != to.Removed {
				t.Fatalf("%s: %d added, %d revised, %d removed; the list of versions says %+v", path, r.Added, r.Revised, r.Removed, to)
			}
			if at > 3 || !r.Pagination.HasMore {
				break
			}
		}
		if sum := to.Added + to.Revised + to.Removed; counts["added"] != to.Added || counts["revised"] != to.Revised || counts["removed"] != to.Removed || len(seen) != sum {
			t.Errorf("version %s: listed %v, %d different ones; want %+v", to.Version, counts, len(seen), to)
		}
	}
}

type revisionPage struct {
	Data []struct {
		Kind     string
		Key      map[string]string `json:"series_key"`
		Code     string            `json:"country_code"`
		Period   string
		Unit     string
		Changed  []string
		Old      *float64 `json:"old_value"`
		New      *float64 `json:"new_value"`
		NewFlags []string `json:"new_flags"`
	}
	Added, Revised, Removed int
	Pagination              struct {
		Total   int
		HasMore bool
	}
}
