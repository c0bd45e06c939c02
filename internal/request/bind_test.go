package request_test

import (
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/request"
	"almanac/internal/stat"
)

// docs/api.md, Filters: an unknown parameter, a repeated parameter that takes one value, an
// empty value, a boolean other than true, false, 1 and 0, and invalid UTF-8 are 400, and the
// message names the parameter. Values are URL-encoded.
func TestBind(t *testing.T) {
	for _, c := range []struct {
		query string
		want  request.Data
		err   string // a part of the error's message
	}{
		{query: ""},
		{query: "&&"},
		{query: "country=Germany", want: request.Data{Country: []string{"Germany"}}},
		{query: "country=Germany&country=France", want: request.Data{Country: []string{"Germany", "France"}}},
		{query: "dim1=a&dim8=b&dim1=c", want: request.Data{Dims: request.Dims{0: {"a", "c"}, 7: {"b"}}}},
		{query: "period=Q1/2020&latest=1&flags=true&followed=false", want: request.Data{Period: "Q1/2020", Latest: true, Flags: true}},
		{query: "period_from=2019&period_to=2020&latest=0", want: request.Data{PeriodFrom: "2019", PeriodTo: "2020"}},
		{query: "country=C%C3%B4te+d%27Ivoire%2C%20all", want: request.Data{Country: []string{"Côte d'Ivoire, all"}}},
		{query: "dim%31=a%2Bb%26c%3Dd", want: request.Data{Dims: request.Dims{0: {"a+b&c=d"}}}},
		{query: "country=a=b;c", want: request.Data{Country: []string{"a=b;c"}}},
		{query: "country=+", want: request.Data{Country: []string{" "}}},

		{query: "contry=x", err: `unknown parameter "contry" (did you mean country?)`},
		{query: "COUNTRY=x", err: `unknown parameter "COUNTRY" (did you mean country?)`},
		{query: "geo=x", err: `unknown parameter "geo" (did you mean country?)`},
		{query: "startPeriod=x", err: `unknown parameter "startPeriod" (did you mean period_from?)`},
		{query: "sex=x", err: `unknown parameter "sex"; known`},
		{query: "dim0=x", err: `unknown parameter "dim0"`},
		{query: "dim9=x", err: `unknown parameter "dim9"`},
		{query: "dim=x", err: `unknown parameter "dim"`},
		{query: "=x", err: `unknown parameter ""`},
		{query: "api_key=x", err: `unknown parameter "api_key"; known parameters: dim1`},
		{query: "period=2019&period=2019", err: "parameter period is given more than once"},
		{query: "latest=1&latest=0", err: "parameter latest is given more than once"},
		{query: "country=", err: "parameter country is empty"},
		{query: "country=DE&dim2", err: "parameter dim2 is empty"},
		{query: "latest=TRUE", err: `parameter latest must be true, false, 1 or 0, not "TRUE"`},
		{query: "flags=2", err: `parameter flags must be true, false, 1 or 0, not "2"`},
		{query: "country=%C3", err: "parameter country is not valid UTF-8"},
		{query: "country=\xff", err: "parameter country is not valid UTF-8"},
		{query: "%ff=x", err: "a parameter name is not valid UTF-8"},
		{query: "country=%", err: `parameter country has an invalid percent-encoding "%"`},
		{query: "country=%4", err: `"%4"`},
		{query: "country=50%zz", err: `"%zz"`},
		{query: "%zz=1", err: "a parameter name has an invalid percent-encoding"},
	} {
		var got request.Data
		err := request.Bind(c.query, &got)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || stat.KindOf(err) != stat.Invalid) {
			t.Errorf("%s: error %v, want %q", c.query, err, c.err)
		}
		if diff := cmp.Diff(c.want, got); err == nil && diff != "" {
			t.Errorf("%s: %s", c.query, diff)
		}
	}
}

// An option of one form of data, asked of another, is an error that names the forms that have it.
func TestOptionOfOtherForm(t *testing.T) {
	for query, want := range map[string]string{
		"wide=area":   "wide is an option of CSV, XLSX: use data.csv or data.xlsx",
		"sep=tab":     "sep is an option of CSV: use data.csv",
		"labels=both": "labels is an option of CSV, XLSX, Parquet, NDJSON: use data.csv or data.xlsx or data.parquet or data.ndjson",
	} {
		var data request.Data
		if err := request.Bind(query, &data); err == nil || err.Error() != want || stat.KindOf(err) != stat.Invalid {
			t.Errorf("data with %s: %v, want %s", query, err, want)
		}
		var parquet request.Parquet
		if err := request.Bind(query, &parquet); query != "labels=both" && (err == nil || err.Error() != want) {
			t.Errorf("Parquet with %s: %v, want %s", query, err, want)
		}
		var list request.Catalog
		if err := request.Bind(query, &list); err == nil || !strings.Contains(err.Error(), "unknown parameter") {
			t.Errorf("the catalogue with %s: %v", query, err)
		}
	}
}

// docs/api.md, The catalogue: page and limit are decimal integers in range.
func TestBindNumbers(t *testing.T) {
	for _, c := range []struct {
		query       string
		page, limit int
		err         string
	}{
		{"", 0, 100, ""},
		{"page=0&limit=1", 0, 1, ""},
		{"page=007", 7, 100, ""},
		{"page=1000000000", 1000000000, 100, ""},
		{"page=1000000001", 0, 100, "page"},
		{"page=-1", 0, 100, "page"},
		{"page=%2B1", 0, 100, "page"},
		{"page=1e3", 0, 100, "page"},
		{"page=0x10", 0, 100, "page"},
		{"page=٣", 0, 100, "page"},
		{"limit=0", 0, 100, "limit"},
		{"limit=1&limit=1", 0, 1, "limit"},
	} {
		var got request.Catalog
		err := request.Bind(c.query, &got)
		if got.Page != c.page || got.Limit != c.limit || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), "parameter "+c.err) {
			t.Errorf("%s: %+v, %v", c.query, got, err)
		}
	}
}

// After an error, the other parameters are still read, so that followed=true is found in
// any position.
func TestBindContinuesAfterError(t *testing.T) {
	var got request.Data
	if err := request.Bind("nonsense=1&country=&followed=1&dim1=a", &got); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("the first error is %v", err)
	}
	if !got.Followed || len(got.Dims[0]) != 1 {
		t.Errorf("the other parameters are %+v", got)
	}
}

// Every parameter of every struct is documented, and its example is accepted. The examples of one address can be sent together, so
// a parameter that excludes another one has none.
func TestParamsAreDocumented(t *testing.T) {
	exclusive := []string{"as_of", "updated_since", "first_n", "last_n"}
	ofLaterDimension := regexp.MustCompile(`(^|\.)dim[2-8]$`)
	check := func(params []request.Param, bind func(string) error) {
		for _, p := range params {
			isWithoutExample := ofLaterDimension.MatchString(p.Name) || slices.Contains(exclusive, p.Name) || strings.HasPrefix(p.Name, "below.") // the sample has no hierarchy
			if p.Doc == "" || p.Example == "" && !isWithoutExample {
				t.Errorf("parameter %q has doc %q and example %q", p.Name, p.Doc, p.Example)
			}
			if p.Example == "" {
				continue
			}
			if err := bind(url.Values{p.Name: {p.Example}}.Encode()); err != nil {
				t.Errorf("the example of %s: %v", p.Name, err)
			}
		}
	}
	check(request.Params[request.Catalog](), func(q string) error { return request.Bind(q, &request.Catalog{}) })
	check(request.Params[request.Details](), func(q string) error { return request.Bind(q, &request.Details{}) })
	check(request.Params[request.Data](), func(q string) error { return request.Bind(q, &request.Data{}) })
	check(request.Params[request.Latest](), func(q string) error { return request.Bind(q, &request.Latest{}) })
	if params := request.Params[request.None](); len(params) != 0 {
		t.Errorf("None has the parameters %v", params)
	}
	if err := request.Bind("x=1", &request.None{}); err == nil || !strings.Contains(err.Error(), "takes none") {
		t.Errorf("None accepts a parameter: %v", err)
	}
}

// The latest endpoint accepts each dimension once and selects the same as the data
// endpoint.
func TestLatestIsASelection(t *testing.T) {
	var latest request.Latest
	if err := request.Bind("dim2=a&country=x&country=y", &latest); err != nil {
		t.Fatal(err)
	}
	var data request.Data
	if err := request.Bind("dim2=a&country=x&country=y", &data); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(data, request.Data{Dims: latest.Dims, Country: latest.Country}); diff != "" {
		t.Error(diff)
	}
	if err := request.Bind("dim2=a&dim2=a", &request.Latest{}); err == nil {
		t.Error("a repeated dim2 was accepted")
	}
}

// For any query string, Bind either returns the values that net/url reads or an error of
// kind Invalid, and never panics.
func FuzzBind(f *testing.F) {
	for _, query := range []string{"", "country=Germany&dim1=a+b", "period=2020&&latest=1", "country=%C3%B4", "dim1=a;b", "%zz", "page=1&limit=2"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		var got request.Data
		if err := request.Bind(query, &got); err != nil {
			if stat.KindOf(err) != stat.Invalid || err.Error() == "" {
				t.Fatalf("%q: %v", query, err)
			}
			return
		}
		// net/url rejects semicolons, which have no special meaning here.
		values, err := url.ParseQuery(strings.ReplaceAll(query, ";", "%3B"))
		if err != nil {
			t.Fatalf("%q is accepted, but net/url says %v", query, err)
		}
		want := request.Data{
			Country: values["country"], Period: values.Get("period"), PeriodFrom: values.Get("period_from"), PeriodTo: values.Get("period_to"),
			Latest: slices.Contains([]string{"1", "true"}, values.Get("latest")), Flags: slices.Contains([]string{"1", "true"}, values.Get("flags")),
			Followed: slices.Contains([]string{"1", "true"}, values.Get("followed")),
		}
		for i := range want.Dims {
			want.Dims[i] = values["dim"+string(rune('1'+i))]
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is read as %+v, by net/url as %+v", query, got, want)
		}
	})
}
