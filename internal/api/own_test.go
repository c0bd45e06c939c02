package api_test

import (
	"strings"
	"testing"

	"almanac/internal/api"
)

// docs/api.md, The catalogue: the catalogue and the data endpoint match a source's own
// codes, in any case, even if they look like another system's.
func TestAmbiguousOwnCodes(t *testing.T) {
	s := newStore(t)
	load(t, s, "own.csv", strings.NewReader(`#almanac-tidy,1
#source,nso,National office
#dataset,own,Own codes
#dimension,ind,Indicator
#geography,geo,Area
ind,geo,TIME_PERIOD,OBS_VALUE
a,USA,2020,1
a,UK,2020,2
a,Middle Earth,2020,3
a,Xyz,2020,4
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for _, code := range []string{"USA", "usa", "UK", "Middle%20Earth", "middle+earth", "xyz"} {
		if got := ask(t, "GET", base+"/api/datasets?country="+code); !strings.Contains(got.body, `"total":1`) {
			t.Errorf("catalog, country=%s: %s", code, got.body)
		}
		if got := ask(t, "GET", base+"/api/datasets/1/data?country="+code); strings.Contains(got.body, `"notices"`) {
			t.Errorf("data, country=%s: %s", code, got.body)
		}
	}
	if got := ask(t, "GET", base+"/api/datasets?country=Middle"); !strings.Contains(got.body, `"total":0`) {
		t.Errorf("a part of a code: %s", got.body)
	}
}

// docs/api.md, Values: the unit of a row is that of the series, else the value of the unit
// dimension (including a fixed one), else that of a code, else that of the dataset. Equal
// units do not split a block.
func TestUnits(t *testing.T) {
	s := newStore(t)
	load(t, s, "fixed.csv", strings.NewReader(`#almanac-tidy,1
#source,nso,National office
#dataset,fixed,Nine dimensions
#dimension,d1,D1
#dimension,d2,D2
#dimension,d3,D3
#dimension,d4,D4
#dimension,d5,D5
#dimension,d6,D6
#dimension,d7,D7
#dimension,d8,D8
#dimension,unit,Unit,unit
#code,KG,Kilogram
#geography,geo,Area
d1,d2,d3,d4,d5,d6,d7,d8,unit,geo,TIME_PERIOD,OBS_VALUE
a,a,a,a,a,a,a,a,KG,DE,2020,1
b,a,a,a,a,a,a,a,KG,DE,2020,2
`))
	load(t, s, "units.csv", strings.NewReader(`#almanac-tidy,1
#source,nso,National office
#dataset,units,Units
#unit,whole
#dimension,ind,Indicator
#geography,geo,Area
ind,geo,TIME_PERIOD,OBS_VALUE,UNIT_MEASURE
a,AT,2020,1,z
a,DE,2020,2,whole
a,FR,2021,3,
a,JP,2020,4,z
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	if got := ask(t, "GET", base+"/api/datasets/1/data"); strings.Count(got.body, `"unit":"Kilogram"`) != 2 {
		t.Errorf("a fixed unit dimension: %s", got.body)
	}
	got := ask(t, "GET", base+"/api/datasets/2/data")
	for _, want := range []string{
		`"countries":["DE","FR"],"rows":[{"period":"2020","values":{"DE":2},"unit":"whole"},{"period":"2021","values":{"FR":3},"unit":"whole"}]`,
		`"countries":["AT","JP"],"rows":[{"period":"2020","values":{"AT":1,"JP":4},"unit":"z"}]`,
	} {
		if !strings.Contains(got.body, want) {
			t.Errorf("block %s is missing in %s", want, got.body)
		}
	}
	if got := ask(t, "GET", base+"/api/datasets/2/latest"); !strings.Contains(got.body, `"period":"2021","countries":{"FR":"3"}`) {
		t.Errorf("latest over all units: %s", got.body)
	}
}

// A repeated query gets 304 only while the response is the same, also if its tag is
// cached.
func TestRepeatedQueryAfterImport(t *testing.T) {
	s := newStore(t)
	table := func(value string) {
		load(t, s, "t.csv", strings.NewReader("#almanac-tidy,1\n#source,nso,National office\n#dataset,t,T\n#dimension,ind,Indicator\n#geography,geo,Area\n"+
			"ind,geo,TIME_PERIOD,OBS_VALUE\na,DE,2020,"+value+"\n"))
	}
	table("1")
	base := serve(t, newAPI(t, api.Options{Store: s}))
	address := base + "/api/datasets/1/data?dim1=a&country=DE"
	first := ask(t, "GET", address)
	again := ask(t, "GET", address, "If-None-Match: "+first.Header.Get("ETag"))
	other := ask(t, "GET", address, `If-None-Match: "something-else"`)
	if again.StatusCode != 304 || again.body != "" || other.StatusCode != 200 || other.body != first.body {
		t.Errorf("requested again: %d; with another tag: %d %s", again.StatusCode, other.StatusCode, other.body)
	}
	table("2")
	after := ask(t, "GET", address, "If-None-Match: "+first.Header.Get("ETag"))
	if after.StatusCode != 200 || !strings.Contains(after.body, `"DE":2`) || after.Header.Get("ETag") == first.Header.Get("ETag") {
		t.Errorf("after a new vintage: %d %s", after.StatusCode, after.body)
	}
}

// docs/formats.md: an invalid period such as 2020W99 is listed in the metadata as undated
// and never served as a week or a year.
func TestUndatedIsListed(t *testing.T) {
	s := newStore(t)
	load(t, s, "deaths.tsv", strings.NewReader("sex,geo\\time\t2020W99 \t2020W01 \nF,DE\t5 \t7 \n"))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	if got := ask(t, "GET", base+"/api/datasets/1/meta"); !strings.Contains(got.body, `"undated":["2020W99"]`) {
		t.Errorf("metadata: %s", got.body)
	}
	if got := ask(t, "GET", base+"/api/datasets/1/data"); !strings.Contains(got.body, `"rows":[{"period":"W01/2020","values":{"Germany":7}}]`) {
		t.Errorf("data: %s", got.body)
	}
}

// docs/api.md, All responses: an ETag depends on the vintage, the version of the
// encoder, the canonical query and the content coding.
func TestETagIncludesEncoderVersion(t *testing.T) {
	v, err := sampleStore(t).Vintage(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{" " + api.EncoderVersion + " ", v.Version, v.Digest} {
		if !strings.Contains(api.Identity(v), part) {
			t.Errorf("the input of tags is %q, without %q", api.Identity(v), part)
		}
	}
}
