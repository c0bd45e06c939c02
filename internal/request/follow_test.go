package request_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// openAfter opens the vintage after the imports of some files of one dataset.
func openAfter(t testing.TB, files ...string) *store.Vintage {
	t.Helper()
	s := newStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, o := range im.Read(context.Background(), "t.csv", strings.NewReader(file)) {
			if o.Error != "" {
				t.Fatal(o.Error)
			}
		}
	}
	v, err := s.Vintage(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// without returns a file without the lines that have a prefix.
func without(file string, starts ...string) string {
	var kept []string
	for line := range strings.Lines(file) {
		if !slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(line, start) }) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// updated is the table after an update that renamed Germany and removed females and the
// United Kingdom.
var updated = strings.Replace(without(table, "#code,F", "#code,UK", "F,"), "DE,Germany", "DE,Federal Republic of Germany", 1)

// A selection has labels, earlier labels or codes, and ISO codes for countries. It is
// stored as codes, in the order of the code list and without duplicates.
func TestReadSelection(t *testing.T) {
	v := openAfter(t, strings.Replace(table, "DE,Germany", "DE,West Germany", 1), table)
	for _, c := range []struct {
		rule, body string
		want       stat.Selection
	}{
		{"an empty object: the whole dataset", `{}`, stat.Selection{}},
		{"an object with white space", " {\n} ", stat.Selection{}},
		{"a string", `{"dim1": "Females"}`, stat.Selection{"sex": {"F"}}},
		{"an array of strings", `{"dim1": ["Females"]}`, stat.Selection{"sex": {"F"}}},
		{"by code", `{"dim1": "F", "country": ["UK"]}`, stat.Selection{"sex": {"F"}, "geo": {"UK"}}},
		{"a label takes precedence over a code", `{"dim1": "Total"}`, stat.Selection{"sex": {"T"}}},
		{"by an earlier label", `{"country": "West Germany"}`, stat.Selection{"geo": {"DE"}}},
		{"by ISO codes, in any case", `{"country": ["GR", "gbr", "276"]}`, stat.Selection{"geo": {"DE", "EL", "UK"}}},
		{"in the order of the code list", `{"country": ["UK", "EU27_2020", "Greece"]}`, stat.Selection{"geo": {"EU27_2020", "EL", "UK"}}},
		{"each once", `{"country": ["UK", "United Kingdom", "GB", "UK"]}`, stat.Selection{"geo": {"UK"}}},
		{"more values than one chunk", `{"country": ["UK", "UK", "UK", "UK", "UK", "UK", "DE"]}`, stat.Selection{"geo": {"DE", "UK"}}},
		{"all axes", `{"dim2": "Number", "country": "DE", "dim1": ["F", "T"]}`, stat.Selection{"sex": {"T", "F"}, "unit": {"NR"}, "geo": {"DE"}}},
	} {
		got, err := request.ReadSelection([]byte(c.body), v)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %s: %v %s", c.rule, c.body, err, diff)
		}
	}
}

// A selection is validated against the dataset, and the error names the unknown value.
// Bodies are strict JSON.
func TestReadSelectionErrors(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		rule, body string
		message    []string
	}{
		{"an unknown value", `{"dim1": "Femals"}`, []string{`dim1: "Femals" is not a label or code of Sex`, "nearest: Females"}},
		{"… among known ones", `{"country": ["DE", "Grece"]}`, []string{`country: "Grece" is not a label, code, ISO code or M49 code of an area in the dataset`, "nearest: Greece"}},
		{"… several", `{"country": ["Atlantis", "DE", "Mu"]}`, []string{`"Atlantis"`, `; country: "Mu"`}},
		{"… after many others", `{"country": ["DE", "DE", "DE", "DE", "DE", "DE", "Mu"]}`, []string{`"Mu"`}},
		{"labels are exact", `{"dim1": "females"}`, []string{`"females"`, "nearest: Females"}},
		{"a country is not a dimension value", `{"dim1": "DE"}`, []string{`dim1: "DE"`}},
		{"a code of another dimension", `{"dim2": "F"}`, []string{`dim2: "F" is not a label or code of Unit`}},
		{"a dimension that the dataset does not have", `{"dim3": "x"}`, []string{"unknown parameter dim3", "dim1 to dim2"}},
		{"an unknown field", `{"cuontry": "DE"}`, []string{`unknown field "cuontry" in the body (did you mean country?); known fields: dim1, dim2, country`}},
		{"… a dimension's id", `{"sex": "F"}`, []string{`unknown field "sex" in the body (did you mean dim1?)`}},
		{"… a dimension's label", `{"Unit": "NR"}`, []string{`unknown field "Unit" in the body (did you mean dim2?)`}},
		{"… the geography's label", `{"Area": "DE"}`, []string{`did you mean country?`}},
		{"… a period", `{"period": "2020"}`, []string{`unknown field "period"`}},
		{"… dim0", `{"dim0": "x"}`, []string{`unknown field "dim0"`}},
		{"… dim9", `{"dim9": "x"}`, []string{`unknown field "dim9"`}},
		{"… dim01", `{"dim01": "F"}`, []string{`unknown field "dim01"`}},
		{"… empty", `{"": "x"}`, []string{`unknown field ""`}},
		{"an empty array", `{"dim1": []}`, []string{`no value for "dim1"`, "leave it out"}},
		{"an empty string", `{"dim1": ""}`, []string{`empty string for "dim1"`}},
		{"an empty string among others", `{"country": ["DE", ""]}`, []string{`empty string for "country"`}},
		{"wrong types: null", `{"dim1": null}`, []string{`must have a string or an array of strings for "dim1", not null`}},
		{"wrong types: a number", `{"country": 276}`, []string{`for "country", not the number 276`}},
		{"wrong types: an object", `{"country": {"DE": true}}`, []string{`for "country", not an object`}},
		{"wrong types: a number among strings", `{"country": ["DE", 276]}`, []string{`must have strings as the values of "country", not the number 276`}},
		{"wrong types: null among strings", `{"country": [null]}`, []string{`must have strings as the values of "country", not null`}},
		{"not an object", `["DE"]`, []string{"the body is an array; it must be a JSON object"}},
		{"not an object", `null`, []string{"the body is null"}},
		{"an empty body", "", []string{"the body is empty", `{"dim1": ["…"], "country": ["…"]}`}},
		{"not JSON", `dim1=F`, []string{"cannot be read as JSON"}},
		{"a body that ends early", `{"dim1": ["F"`, []string{"ends unexpectedly"}},
		{"a field twice", `{"country": "DE", "country": "UK"}`, []string{`the name "country" is given twice`}},
		{"trailing data", `{} {}`, []string{"has text after its JSON object"}},
		{"invalid UTF-8", "{\"dim1\": \"\xff\"}", []string{"not valid UTF-8"}},
		{"half of a surrogate pair", `{"dim1": "\ud83d"}`, []string{"half of a surrogate pair"}},
	} {
		_, err := request.ReadSelection([]byte(c.body), v)
		wantMessage(t, c.rule+": "+c.body, err, c.message...)
	}
	many := `{"dim1": ["` + strings.Repeat(`?", "`, 10_000) + `?"]}`
	if _, err := request.ReadSelection([]byte(many), v); err == nil || len(err.Error()) > 1000 {
		t.Errorf("10,000 unknown values give an error of %d bytes", len(fmt.Sprint(err)))
	}
}

// docs/api.md, What an organisation follows: followed=true restricts a query to what the
// organisation follows, and combines with all other filters.
func TestRestrict(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		rule, query string
		followed    stat.Selection
		want        [][]int32
		message     string // the notices
	}{
		{"the whole dataset is followed: nothing changes", "", stat.Selection{}, nil, ""},
		{"… nor with a filter", "dim1=F", nil, [][]int32{{1}, nil, nil}, ""},
		{"axes without a restriction stay open", "", stat.Selection{"sex": {"F"}}, [][]int32{{1}, nil, nil}, ""},
		{"a filter on another axis", "country=DE", stat.Selection{"sex": {"T", "F"}}, [][]int32{{0, 1}, nil, {1}}, ""},
		{"a filter on the same axis", "country=DE&country=GB", stat.Selection{"geo": {"EL", "UK"}}, [][]int32{nil, nil, {3}}, ""},
		{"nothing in common", "country=DE", stat.Selection{"geo": {"EL", "UK"}}, [][]int32{nil, nil, {}}, ""},
		{"a stored selection in any order", "", stat.Selection{"geo": {"UK", "DE", "UK"}}, [][]int32{nil, nil, {1, 3}}, ""},
		{"by code, never by label", "", stat.Selection{"sex": {"Total"}}, [][]int32{{2}, nil, nil}, ""},
		{"a removed code", "", stat.Selection{"geo": {"DE", "FR"}}, [][]int32{nil, nil, {1}}, `FR: the organisation follows "FR" of Area (country), which the dataset no longer has`},
		{"all codes of an axis were removed", "country=DE", stat.Selection{"sex": {"M", "N"}}, [][]int32{{}, nil, {1}}, `M: the organisation follows "M" of Sex (dim1), which the dataset no longer has; N: the organisation follows "N" of Sex (dim1), which the dataset no longer has`},
		{"a removed code does not match labels", "", stat.Selection{"sex": {"Females"}}, [][]int32{{}, nil, nil}, `Females: the organisation follows "Females" of Sex (dim1), which the dataset no longer has`},
		{"an axis was removed", "", stat.Selection{"age": {"Y15"}, "sex": {"F"}}, [][]int32{{1}, nil, {}}, `age: the organisation follows "Y15" of dimension "age", which the dataset no longer has; nothing is selected`},
		{"… with its codes", "", stat.Selection{"age": {"Y65", "Y15"}}, [][]int32{nil, nil, {}}, `age: the organisation follows "Y65", "Y15" of dimension "age", which the dataset no longer has; nothing is selected`},
		{"… of which ten are named", "", stat.Selection{"age": strings.Split("abcdefghijkl", "")}, [][]int32{nil, nil, {}}, `age: the organisation follows "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" and 2 more of dimension "age", which the dataset no longer has; nothing is selected`},
		{"the organisation does not follow the dataset", "", request.Unfollowed(v), [][]int32{nil, nil, {}}, "true: the organisation does not follow dataset 1"},
	} {
		var p request.Data
		if err := request.Bind(c.query, &p); err != nil {
			t.Fatal(err)
		}
		req, _, err := request.Parse(v, &p, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := copyOf(req.Select)
		q, notices := request.Restrict(v, req, c.followed)
		if diff := cmp.Diff(c.want, q.Select); diff != "" {
			t.Errorf("%s: %s", c.rule, diff)
		}
		if diff := cmp.Diff(before, req.Select); diff != "" {
			t.Errorf("%s: the caller's query was changed: %s", c.rule, diff)
		}
		if diff := cmp.Diff(c.message, joinFollowed(t, notices)); diff != "" {
			t.Errorf("%s: %s", c.rule, diff)
		}
		if diff := cmp.Diff(notices, goneNotices(v, c.followed)); diff != "" {
			t.Errorf("%s: the lost codes differ from the notices: %s", c.rule, diff)
		}
	}
}

// copyOf returns a deep copy of a selection.
func copyOf(sel [][]int32) [][]int32 {
	all := slices.Clone(sel)
	for i := range all {
		all[i] = slices.Clone(all[i])
	}
	return all
}

// joinFollowed joins the notices about a followed selection.
func joinFollowed(t *testing.T, notices []request.Notice) string {
	t.Helper()
	var texts []string
	for _, n := range notices {
		if n.Parameter != "followed" || n.Nearest == nil {
			t.Errorf("notice %+v", n)
		}
		texts = append(texts, n.Value+": "+n.Message)
	}
	return strings.Join(texts, "; ")
}

// A selection that an update makes empty stays and is reported. Renamed codes stay
// followed.
func TestFollowedAfterUpdates(t *testing.T) {
	before, after := openTable(t), openAfter(t, table, updated)
	for _, c := range []struct {
		rule, body string
		gone       string // after the update
		words      string // after the update
		hasData    bool   // after the update
	}{
		{"the whole dataset", `{}`, "", "", true},
		{"renamed", `{"country": "Germany"}`, "", "country DE=Federal Republic of Germany", true},
		{"partly removed", `{"country": ["DE", "UK"]}`, "UK", "country DE=Federal Republic of Germany UK=UK", true},
		{"removed", `{"country": "UK"}`, "UK", "country UK=UK", false},
		{"removed on two axes", `{"dim1": "Females", "country": "UK"}`, "F UK", "dim1 F=F, country UK=UK", false},
		{"removed on one of two axes", `{"dim1": "Females", "country": "DE"}`, "F", "dim1 F=F, country DE=Federal Republic of Germany", false},
		{"present, but without common data", `{"dim1": "T", "country": "EU27_2020"}`, "", "dim1 T=Total, country EU27_2020=European Union", false},
	} {
		selection, err := request.ReadSelection([]byte(c.body), before)
		if err != nil {
			t.Fatal(err)
		}
		if notices := goneNotices(before, selection); len(notices) != 0 {
			t.Errorf("%s: lost before the update: %v", c.rule, notices)
		}
		var gone []string
		for _, n := range goneNotices(after, selection) {
			gone = append(gone, n.Value)
		}
		if got := strings.Join(gone, " "); got != c.gone {
			t.Errorf("%s: the lost codes are %q, want %q", c.rule, got, c.gone)
		}
		if got := describeParts(request.DescribeSelection(after, selection)); got != c.words {
			t.Errorf("%s: described as %q, want %q", c.rule, got, c.words)
		}
		if hasData, err := request.HasData(context.Background(), after, selection); hasData != c.hasData || err != nil {
			t.Errorf("%s: has values: %v, %v", c.rule, hasData, err)
		}
	}
	if hasData, err := request.HasData(context.Background(), after, stat.Selection{"age": {"Y15"}}); hasData || err != nil {
		t.Errorf("a removed axis: has values: %v, %v", hasData, err)
	}
}

// A selection is described as it is stored, so that reading it and setting it again loses
// nothing silently. An axis that is gone has its id as its name, which cannot be mistaken
// for another axis.
func TestDescribeLostAxes(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		rule     string
		v        *store.Vintage
		followed stat.Selection
		want     string
	}{
		{"after the axes that exist", v, stat.Selection{"age": {"Y15", "Y65"}, "sex": {"T"}, "geo": {"DE"}}, "dim1 T=Total, country DE=Germany, age Y15=Y15 Y65=Y65"},
		{"by id", v, stat.Selection{"work": {"X"}, "age": {"Y15"}, "Sex": {"T"}}, "Sex T=T, age Y15=Y15, work X=X"},
		{"named like a field", v, stat.Selection{"dim1": {"X"}, "country": {"FR"}, "sex": {"T"}, "dim9": {"Y"}}, "dim1 T=Total, country (gone) FR=FR, dim1 (gone) X=X, dim9 Y=Y"},
		{"the dataset was removed", nil, stat.Selection{"sex": {"T"}, "geo": {"DE"}}, "geo DE=DE, sex T=T"},
		{"… and followed as a whole", nil, stat.Selection{}, ""},
	} {
		if got := describeParts(request.DescribeSelection(c.v, c.followed)); got != c.want {
			t.Errorf("%s: described as %q, want %q", c.rule, got, c.want)
		}
	}
}

func describeParts(parts []request.Part) string {
	var texts []string
	for _, p := range parts {
		text := p.Param
		for i, code := range p.Codes {
			text += " " + code + "=" + p.Labels[i]
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// HasData is false if the dataset has no numbers, or only flags in the selection.
func TestHasDataIgnoresFlags(t *testing.T) {
	file := strings.Replace(table, "OBS_VALUE\n", "OBS_VALUE,OBS_STATUS\n", 1)
	file = strings.NewReplacer("2019,1\n", "2019,1,\n", "2020,2\n", "2020,2,\n", "Q1/2020,3", "Q1/2020,,Q", "Q4/2020,4", "Q4/2020,4,", "2020,5", "2020,5,").Replace(file)
	v := openAfter(t, file)
	if _, ok := v.Find(2, "EL"); !ok {
		t.Fatal("the flagged observation was not stored, so the test proves nothing")
	}
	for area, want := range map[string]bool{"DE": true, "EL": false} {
		if hasData, err := request.HasData(context.Background(), v, stat.Selection{"geo": {area}}); hasData != want || err != nil {
			t.Errorf("%s: has values: %v, %v", area, hasData, err)
		}
	}
}

// docs/api.md, What an organisation follows: charts accept followed=true. Missing dimensions
// get values that are followed.
func TestFollowedChart(t *testing.T) {
	v := openTable(t)
	for _, c := range []struct {
		rule, members string
		followed      stat.Selection
		want          [][]int32
		message       []string // the error
	}{
		{rule: "countries", followed: stat.Selection{"geo": {"EL", "DE"}}, want: [][]int32{{0}, {0}, {1, 2}}},
		{rule: "a missing dimension gets a followed code", followed: stat.Selection{"geo": {"UK"}}, want: [][]int32{{1}, {0}, {3}}},
		{rule: "several dimension values are drawn side by side", followed: stat.Selection{"sex": {"T", "F"}}, want: [][]int32{{0, 1}, {0}, nil}},
		{rule: "with a filter", members: `"selectedDimensions": {"country": ["DE", "UK"]}`, followed: stat.Selection{"geo": {"EL", "DE"}}, want: [][]int32{{0}, {0}, {1}}},
		{rule: "a removed code", followed: stat.Selection{"geo": {"DE", "FR"}}, want: [][]int32{{0}, {0}, {1}}},
		{rule: "nothing in common", members: `"dimensions_query": "country=Germany"`, followed: stat.Selection{"geo": {"EL"}},
			message: []string{"the selection has no data", "no observation that the organisation follows has all of these values", "Germany", "followed"}},
		{rule: "no common data among the followed codes", followed: stat.Selection{"sex": {"F"}, "geo": {"DE"}},
			message: []string{"the dataset has no observations of what the organisation follows"}},
		{rule: "all followed codes were removed", followed: stat.Selection{"geo": {"FR"}},
			message: []string{"the dataset has no observations of what the organisation follows", `follows "FR" of Area (country), which the dataset no longer has`}},
		{rule: "an unknown value is reported as unknown", members: `"dimensions_query": "country=Atlantis"`, followed: stat.Selection{"geo": {"EL"}},
			message: []string{`country: "Atlantis" is not a label, code, ISO code or M49 code of an area`}},
		{rule: "the organisation does not follow the dataset", followed: request.Unfollowed(v),
			message: []string{`the selection has no data: followed "true": the organisation does not follow dataset 1`}},
	} {
		req, err := request.ReadChart([]byte(chartBody(c.members)))
		if err != nil {
			t.Fatal(err)
		}
		req.Followed = c.followed
		_, _, err = request.Spec(context.Background(), v, req)
		wantMessage(t, c.rule, err, c.message...)
		if c.message != nil {
			continue
		}
		d, err := req.Draw(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, d.Query.Select); diff != "" {
			t.Errorf("%s: %s", c.rule, diff)
		}
		if diff := cmp.Diff(goneNotices(v, c.followed), d.Notices); diff != "" {
			t.Errorf("%s: notices: %s", c.rule, diff)
		}
	}
}

// If the whole dataset is followed, followed=true does not change the chart. A chart with
// followed=true is never drawn without a selection.
func TestFollowedChartWithoutSelection(t *testing.T) {
	v := openTable(t)
	var digests []string
	for _, followed := range []stat.Selection{nil, {}} {
		req, err := request.ReadChart([]byte(chartBody("")))
		if err != nil {
			t.Fatal(err)
		}
		req.Followed = followed
		s, _, err := request.Spec(context.Background(), v, req)
		if err != nil {
			t.Fatal(err)
		}
		_, digest := s.Encode()
		digests = append(digests, digest)
	}
	if digests[0] != digests[1] {
		t.Errorf("the charts are %q", digests)
	}
	_, _, err := request.Spec(context.Background(), v, &request.Chart{Options: chart.DefaultOptions(), Data: request.Data{Followed: true}})
	wantMessage(t, "followed without a selection", err, "followed=true requires the API key of an organisation")
}

// FuzzReadSelection checks that any body is rejected as Invalid or becomes a selection of
// existing codes that reads back as itself.
func FuzzReadSelection(f *testing.F) {
	for _, body := range []string{`{}`, `{"dim1": ["F", "Total"], "country": "GR"}`, `{"dim3": "x"}`, `{"dim1": [1]}`, `{"country": "\ud83d"}`, `{"a":`} {
		f.Add([]byte(body))
	}
	v := openTable(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		selection, err := request.ReadSelection(body, v)
		if err != nil {
			if stat.KindOf(err) != stat.Invalid || err.Error() == "" {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if notices := goneNotices(v, selection); len(notices) != 0 {
			t.Fatalf("%q: the lost codes are %v", body, notices)
		}
		fields := map[string][]string{}
		for _, part := range request.DescribeSelection(v, selection) {
			fields[part.Param] = part.Labels
		}
		words, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		again, err := request.ReadSelection(words, v)
		if diff := cmp.Diff(selection, again); diff != "" || err != nil {
			t.Fatalf("%q, as %q: %v %s", body, words, err, diff)
		}
	})
}

// goneNotices returns the notices about followed codes that are gone.
func goneNotices(v *store.Vintage, followed stat.Selection) []request.Notice {
	_, notices := request.Restrict(v, stat.Query{}, followed)
	return notices
}
