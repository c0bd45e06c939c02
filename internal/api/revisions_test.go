package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/store"
)

// changingTable is a table of which versions are made by editing its text.
const changingTable = `#almanac-tidy,1
#source,test,Office
#dataset,changing,Table
#dimension,item,Item
#code,A,Apples
#code,B,Berries
#geography,geo,Area
#code,DE,Germany
#code,FR,France
item,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MEASURE
A,DE,2020,1,,Euro
A,DE,2021,2,,Euro
A,FR,2020,3,,Euro
A,FR,2021,4,,Euro
B,DE,2020,5,,Euro
B,FR,2020,6,,Euro
`

// changes are what a list of revisions and a list of versions say.
type changes struct {
	Data []struct {
		Kind    string
		Version string
		Digest  string
		Changed []string
		Code    string `json:"country_code"`
		Unit    string
		OldUnit string `json:"old_unit"`
		ISO     string `json:"period_iso"`
	}
	Changed                 []string
	Changes                 []struct{ Kind, Member, Dimension, Code, Old, New string }
	Added, Revised, Removed int
	Notices                 []struct{ Parameter, Message string }
}

// changingServer serves a dataset with a version a day, each made from the one before by
// replacing texts.
func changingServer(t *testing.T, edits ...*strings.Replacer) (s *store.Store, read func(path string) changes) {
	t.Helper()
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, newAPI(t, api.Options{Store: s, BaseURL: "http://almanac.test"}))
	t.Cleanup(func() { s.Close() })
	text := changingTable
	load(t, s, "changing.csv", strings.NewReader(text))
	for _, edit := range edits {
		now = now.AddDate(0, 0, 1)
		text = edit.Replace(text)
		load(t, s, "changing.csv", strings.NewReader(text))
	}
	return s, func(path string) changes {
		t.Helper()
		got := ask(t, "GET", base+"/api/datasets/1"+path)
		var c changes
		if err := json.Unmarshal([]byte(got.body), &c); err != nil || got.StatusCode != 200 {
			t.Fatalf("%s: %d %s", path, got.StatusCode, got.body)
		}
		return c
	}
}

// hasNotice reports whether a notice has a text.
func (c *changes) hasNotice(text string) bool {
	return slices.ContainsFunc(c.Notices, func(n struct{ Parameter, Message string }) bool { return strings.Contains(n.Message, text) })
}

// A restored version has the digest of the first one, unless labels have changed since: former labels belong to it.
func TestDigestOfRestored(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		isEqual        bool
	}{
		{"a value", ",6,", ",7,", true},
		{"a label", "Berries", "Soft fruit", false},
	} {
		s, read := changingServer(t, strings.NewReplacer(c.old, c.new))
		if _, err := s.Restore(t.Context(), 1, "1.0"); err != nil {
			t.Fatal(err)
		}
		list := read("/versions").Data
		if r := read("/revisions?from=1.0&to=1.2"); len(r.Data) != 0 || r.Changes != nil || list[2].Version != "1.0" {
			t.Errorf("%s: the restored version differs: %+v", c.name, r)
		}
		if (list[0].Digest == list[2].Digest) != c.isEqual || list[1].Digest == list[2].Digest {
			t.Errorf("%s: digests of 1.2, 1.1 and 1.0: %s %s %s", c.name, list[0].Digest, list[1].Digest, list[2].Digest)
		}
	}
}

// A version that changes only labels or metadata says so everywhere that changes are read.
func TestVersionsWithTheSameValues(t *testing.T) {
	cases := []struct {
		name, old, new string
		kind           string
		change         string
	}{
		{"a label", "Berries", "Soft fruit", "labels", "labels label item B Berries Soft fruit"},
		{"the name", "changing,Table", "changing,Table of fruit", "metadata", "metadata name   Table Table of fruit"},
		{"the order of codes", "#code,A,Apples\n#code,B,Berries", "#code,B,Berries\n#code,A,Apples", "structure", "structure order item   "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, read := changingServer(t, strings.NewReplacer(c.old, c.new))
			if list := read("/versions"); !slices.Equal(list.Data[0].Changed, []string{c.kind}) || list.Data[1].Changed != nil {
				t.Errorf("the list of versions is %+v", list.Data)
			}
			r := read("/revisions")
			if len(r.Data) != 0 || !slices.Equal(r.Changed, []string{c.kind}) || len(r.Changes) != 1 || !r.hasNotice("besides values, versions 1.0 and 1.1 differ in "+c.kind) {
				t.Fatalf("the revisions are %+v", r)
			}
			d := r.Changes[0]
			if got := strings.Join([]string{d.Kind, d.Member, d.Dimension, d.Code, d.Old, d.New}, " "); got != c.change {
				t.Errorf("the change is %q, want %q", got, c.change)
			}
			if since := read("/data?updated_since=2026-01-02"); len(since.Data) != 0 || !since.hasNotice("besides values, the "+c.kind+" changed since version 1.0; listed at http://almanac.test/api/datasets/1/revisions?from=1.0&to=1.1") {
				t.Errorf("the data since then are %+v", since)
			}
		})
	}
}

// If the version before was deleted, the list of revisions is empty and says why.
func TestRevisionsSinceADeletedVersion(t *testing.T) {
	s, read := changingServer(t, strings.NewReplacer("A,DE,2020,1,,Euro", "A,DE,2020,5,,Euro"))
	const message = "the versions before 1.1 are no longer kept"
	if r := read("/revisions"); r.Revised != 1 || r.hasNotice(message) {
		t.Fatalf("the revisions are %+v", r)
	}
	if _, err := s.Prune(t.Context(), 1, 1); err != nil {
		t.Fatal(err)
	}
	if r := read("/revisions"); r.Revised != 0 || !r.hasNotice(message) {
		t.Errorf("the revisions are %+v, want a notice", r)
	}
}

// Observations with another unit are revised.
func TestRevisedUnits(t *testing.T) {
	_, read := changingServer(t, strings.NewReplacer("A,DE,2020,1,,Euro", "A,DE,2020,1,,1000 Euro", "A,DE,2021,2,,Euro", "A,DE,2021,2,,1000 Euro"))
	r := read("/revisions?iso_periods=true&codes=true&flags=true")
	if r.Revised != 2 || len(r.Data) != 2 || !slices.Equal(r.Changed, []string{"units"}) || !r.hasNotice("whose unit is another one: 2") {
		t.Fatalf("the revisions are %+v", r)
	}
	if len(r.Changes) != 1 || r.Changes[0].Member != "unit" || r.Changes[0].Old != "Euro" || r.Changes[0].New != "1000 Euro" {
		t.Errorf("the changes are %+v", r.Changes)
	}
	if d := r.Data[1]; d.Unit != "1000 Euro" || d.OldUnit != "Euro" || !slices.Equal(d.Changed, []string{"unit"}) || d.ISO != "2021" {
		t.Errorf("a revision is %+v", d)
	}
	if list := read("/versions"); list.Data[0].Version != "1.1" || !slices.Equal(list.Data[0].Changed, []string{"units"}) {
		t.Errorf("the list of versions is %+v", list.Data)
	}
	if since := read("/data?updated_since=2026-01-02"); len(since.Data) != 1 || !since.hasNotice("the units changed") {
		t.Errorf("the data since then are %+v", since)
	}
}

// An observation that alone of its series gets another unit is revised, and so is one that gets the
// unit of the others. Units that stand side by side in a period stay apart.
func TestRevisedUnitsOfSomePeriods(t *testing.T) {
	_, read := changingServer(t,
		strings.NewReplacer("A,DE,2021,2,,Euro", "A,DE,2021,2,,1000 Euro", "A,FR,2021,4,,Euro", "A,FR,2021,0.004,,1000 Euro"),
		strings.NewReplacer("A,DE,2021,2,,1000 Euro", "A,DE,2021,2,,Euro"),
		strings.NewReplacer("A,DE,2020,1,,Euro", "A,DE,2020,1,,Euro\nA,DE,2020,1,,Dollar"),
	)
	for _, c := range []struct {
		from    string
		want    [3]int // added, revised, removed
		changed []string
		first   string
	}{
		{"1.0", [3]int{0, 2, 0}, []string{"units"}, "revised DE Euro → 1000 Euro [unit]"},
		{"1.1", [3]int{0, 1, 0}, []string{"units"}, "revised DE 1000 Euro → Euro [unit]"},
		{"1.2", [3]int{1, 0, 0}, nil, "added DE  → Dollar []"},
	} {
		r := read("/revisions?from=" + c.from + "&to=" + c.from[:2] + string(c.from[2]+1))
		if got := [3]int{r.Added, r.Revised, r.Removed}; got != c.want || !slices.Equal(r.Changed, c.changed) {
			t.Fatalf("the revisions since %s are %+v", c.from, r)
		}
		d := r.Data[0]
		if got := fmt.Sprint(d.Kind, " ", d.Code, " ", d.OldUnit, " → ", d.Unit, " ", d.Changed); got != c.first {
			t.Errorf("the first revision since %s is %q, want %q", c.from, got, c.first)
		}
	}
	if r := read("/revisions?from=1.0&to=1.1"); !slices.Equal(r.Data[1].Changed, []string{"value", "unit"}) {
		t.Errorf("the revision with another value is %+v", r.Data[1])
	}
}

// A list of revisions takes the filters of data, and matches a code by its label of either version.
func TestRevisionFilters(t *testing.T) {
	_, read := changingServer(t, strings.NewReplacer("Germany", "Deutschland", ",3,,", ",33,,", ",1,,", ",11,,", "B,FR,2020,6,,Euro\n", ""))
	for query, want := range map[string][3]int{
		"":                                {0, 2, 1},
		"country=Germany":                 {0, 1, 0},
		"country=Deutschland":             {0, 1, 0},
		"not.country=Deutschland":         {0, 1, 1},
		"not.country=Germany":             {0, 1, 1},
		"like.country=Deu*":               {0, 1, 0},
		"like.country=Ger*":               {0, 0, 0},
		"not.dim1=B":                      {0, 2, 0},
		"like.dim1=Ber*":                  {0, 0, 1},
		"like.dim1=App*&country=FR":       {0, 1, 0},
		"within=DE":                       {0, 1, 0},
		"period_to=2019":                  {0, 0, 0},
		"not.dim1=A&not.country=DE":       {0, 0, 1},
		"dim1=B&period=2020&kind=removed": {0, 0, 1},
	} {
		r := read("/revisions?" + query)
		if got := [3]int{r.Added, r.Revised, r.Removed}; got != want || r.hasNotice("no such") {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}

// The number of removed values is that of the selection, and the address lists these.
func TestRemovedOfSelection(t *testing.T) {
	_, read := changingServer(t, strings.NewReplacer("A,FR,2021,4,,Euro\n", "", "B,FR,2020,6,,Euro\n", "", "A,DE,2021,2,,Euro", "A,DE,2021,2,P,Euro"))
	for query, want := range map[string]int{
		"": 2, "&country=France": 2, "&country=Germany": 0, "&dim1=A": 1, "&not.dim1=Apples": 1, "&period=2021": 1, "&like.dim1=B*&country=FR": 1,
		"&latest=true": 2, "&lang=de&country=Frankreich": 2,
	} {
		c := read("/data?updated_since=2026-01-02" + query)
		at := slices.IndexFunc(c.Notices, func(n struct{ Parameter, Message string }) bool { return strings.Contains(n.Message, "removed") })
		if (at >= 0) != (want > 0) {
			t.Errorf("%s: %+v, want %d removed", query, c.Notices, want)
		}
		if at < 0 {
			continue
		}
		message := c.Notices[at].Message
		if !strings.Contains(message, fmt.Sprintf("values of this selection that were removed since version 1.0: %d; listed at ", want)) {
			t.Errorf("%s: %s", query, message)
		}
		_, address, _ := strings.Cut(message, "listed at ")
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if r := read("/revisions?" + u.RawQuery); len(r.Data) != want {
			t.Errorf("%s lists %d, want %d", address, len(r.Data), want)
		}
	}
}
