package sdmx

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/source"
)

// The parser of lists never panics and yields only valid IDs.
func FuzzFlows(f *testing.F) {
	f.Add(`<Structure><Dataflows><Dataflow id="A" agencyID="B"><Name xml:lang="en">x</Name></Dataflow></Dataflows></Structure>`)
	f.Add(`<Structure><Dataflow id="A"><Annotations><Annotation id="LAST_UPDATE"><AnnotationTitle>2025-01-01</AnnotationTitle></Annotation></Annotations></Dataflow></Structure>`)
	f.Add("\xef\xbb\xbf<Structure><Dataflow><Ref id='A'/></Dataflow>")
	f.Add(`<Error><ErrorMessage code="100"><Text>no</Text></ErrorMessage></Error>`)
	f.Fuzz(func(t *testing.T, text string) {
		for e, err := range listFlows(t.Context(), strings.NewReader(text), "fr") {
			if err != nil {
				return
			}
			if !idPattern.MatchString(e.id) {
				t.Errorf("got a dataflow with the invalid ID %q", e.id)
			}
		}
	})
}

// A code that is parsed, written and parsed again names the same dataflow.
func FuzzCode(f *testing.F) {
	for _, code := range []string{"EXR", "ECB,EXR", "ECB,EXR,1.0", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA", "EXR/D.USD+GBP.EUR.SP00.A", "EXR/...", "47_850"} {
		f.Add(code)
	}
	s := New(source.Office{ID: "ecb", Agency: "ECB", Address: "https://x"}, nil).(*server)
	f.Fuzz(func(t *testing.T, code string) {
		flow, err := s.parseFlow(code)
		if err != nil {
			return
		}
		again, err := s.parseFlow(s.code(flow))
		if err != nil || again != flow {
			t.Errorf("%q: got %+v, written as %q, which parses as %+v (%v)", code, flow, s.code(flow), again, err)
		}
		if address := s.dataAddress(flow, query{key: flow.key}); strings.ContainsAny(address, "?# \\%\"<>") {
			t.Errorf("%q: got the unsafe address %s", code, address)
		}
	})
}

// Halves of the years together cover each year once.
func TestYears(t *testing.T) {
	t.Parallel()
	var walk func(q query, depth int) []query
	walk = func(q query, depth int) []query {
		year, ok := q.middle()
		if !ok || depth == 0 {
			return []query{q}
		}
		first, second := q, q
		first.to, second.from = year, year+1
		return append(walk(first, depth-1), walk(second, depth-1)...)
	}
	for depth := range 12 {
		parts := walk(query{}, depth)
		if parts[0].from != 0 || parts[len(parts)-1].to != 0 {
			t.Errorf("depth %d: from %d to %d", depth, parts[0].from, parts[len(parts)-1].to)
		}
		for i := 1; i < len(parts); i++ {
			if parts[i].from != parts[i-1].to+1 {
				t.Errorf("depth %d: %+v follows %+v", depth, parts[i], parts[i-1])
			}
		}
	}
}

// Messages about responses that are too large are told from those about too many
// requests.
func TestTooBigMessages(t *testing.T) {
	t.Parallel()
	for text, tooBig := range map[string]bool{
		"Query size exceeds maximum limit (1000000 entries).":                                        true,
		"EXTRACTION_TOO_BIG: The requested extraction is too big, estimated 46431889920 rows":        true,
		"Response size exceeds service limit":                                                        true,
		"Response too large due to client request":                                                   true,
		"The query results in more than the supported maximum number of time series in one request.": true,
		"The number of observations exceeds the limit of 300000":                                     true,
		"Due to the large query the response will be available at http://x":                          true,
		"Too many requests. Rate limit exceeded, maximum size of quota reached":                      false,
		"You have exceeded the limit of 60 downloads per hour; the number of results is restricted":  false,
		"Semantic error: the dimension FREQ is unknown":                                              false,
		"No results found": false,
		"":                 false,
	} {
		if got := isTooBig(text); got != tooBig {
			t.Errorf("%q: got %t, want %t", text, got, tooBig)
		}
	}
}

// Addresses follow the offices' quirks: Bundesbank's structures have another base and no
// version, Istat's list is requested in full.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ office, code, list, structure, data string }{
		{"ecb", "EXR/D.USD.EUR.SP00.A", "https://data-api.ecb.europa.eu/service/dataflow/ECB/all/latest?detail=allstubs",
			"https://data-api.ecb.europa.eu/service/dataflow/ECB/EXR/latest?references=all", "https://data-api.ecb.europa.eu/service/data/EXR/D.USD.EUR.SP00.A"},
		{"oecd", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA,1.1", "https://sdmx.oecd.org/public/rest/dataflow/all/all/latest?detail=allstubs",
			"https://sdmx.oecd.org/public/rest/dataflow/OECD.SDD.NAD/DSD_NAMAIN1@DF_QNA/1.1?references=all", "https://sdmx.oecd.org/public/rest/data/OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA,1.1/all"},
		{"bundesbank", "BBEX3", "https://api.statistiken.bundesbank.de/rest/metadata/dataflow/BBK",
			"https://api.statistiken.bundesbank.de/rest/metadata/dataflow/BBK/BBEX3?references=all", "https://api.statistiken.bundesbank.de/rest/data/BBEX3"},
		{"istat", "47_850", "https://esploradati.istat.it/SDMXWS/rest/dataflow/IT1/all/latest",
			"https://esploradati.istat.it/SDMXWS/rest/dataflow/IT1/47_850/latest?references=all", "https://esploradati.istat.it/SDMXWS/rest/data/47_850/all"},
	} {
		at := slices.IndexFunc(Offices, func(o source.Office) bool { return o.ID == test.office })
		s := New(Offices[at], nil).(*server)
		flow, err := s.parseFlow(test.code)
		if err != nil {
			t.Fatal(err)
		}
		if list, structure, data := s.listAddress(""), s.structureAddress(flow), s.dataAddress(flow, query{key: flow.key}); list != test.list || structure != test.structure || data != test.data {
			t.Errorf("%s:%s: got addresses\n%s\n%s\n%s", test.office, test.code, list, structure, data)
		}
	}
}
