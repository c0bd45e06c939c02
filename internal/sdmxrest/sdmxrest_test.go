package sdmxrest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stat"
)

func TestFilters(t *testing.T) {
	codes := []string{"A", "B", "B1GQ", "M", "Q", "65+"}
	for _, c := range []struct{ query, want string }{
		{"c[X]=A", "A"},
		{"c%5BX%5D=A,M", "A M"},
		{"c[X]=eq:A", "A"},
		{"c[X]=ne:A", "B B1GQ M Q 65+"},
		{"c[X]=ne:A+ne:B", "B1GQ M Q 65+"},
		{"c[X]=ne:A%2Bne:B", "B1GQ M Q 65+"},
		{"c[X]=ge:B+le:M", "B B1GQ M"},
		{"c[X]=gt:B+lt:M", "B1GQ"},
		{"c[X]=sw:B,ew:M", "B B1GQ M"},
		{"c[X]=co:1G", "B1GQ"},
		{"c[X]=nc:B+ne:A", "M Q 65+"},
		{"c[X]=ne:65_x2B_", "A B B1GQ M Q"},
		{"c[X]=sw:65", "65+"},
		{"c[X]=A+B", ""},
	} {
		t.Run(c.query, func(t *testing.T) {
			filters, rest, err := SplitFilters("a=1&" + c.query + "&b=2")
			if err != nil || rest != "a=1&b=2" || len(filters) != 1 || filters[0].Component != "X" {
				t.Fatalf("%v, rest %q, error %v", filters, rest, err)
			}
			var got []string
			for _, code := range codes {
				if filters[0].accepts(code) {
					got = append(got, code)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("selects %v, want %s", got, c.want)
			}
		})
	}
	for _, query := range []string{"c[]=A", "c[X=A", "c[X]=", "c[X]=%zz", "c[X]=A&c[X]=B", "c[X]=xx:A"} {
		if _, _, err := SplitFilters(query); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%s: %v, want an invalid request", query, err)
		}
	}
}

func FuzzSplitFilters(f *testing.F) {
	f.Add("c[X]=A,B&startPeriod=2020")
	f.Add("c%5BX%5D=ge:2020-01+le:2020-12&c[Y]=%")
	f.Fuzz(func(t *testing.T, query string) {
		filters, rest, err := SplitFilters(query)
		if err != nil {
			return
		}
		if n := strings.Count(query, "&") - strings.Count(rest, "&"); n > len(filters) {
			t.Errorf("%q has %d filters and the rest %q", query, len(filters), rest)
		}
		for i := range filters {
			filters[i].accepts("A")
		}
	})
}

func TestPeriods(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{"ge:2020-01+le:2020-12", "01/2020 12/2020 "},
		{"gt:2020", "01/01/2021  "},
		{"lt:2020-Q2", " 31/03/2020 "},
		{"2020-02", "  02/2020"},
	} {
		f := mustFilter(t, c.filter)
		var s Selection
		if err := s.selectPeriods(&f); err != nil || fmt.Sprint(s.From, " ", s.To, " ", s.Within) != c.want || s.Periods != nil {
			t.Errorf("%s selects %v %v %v %v (%v), want %s", c.filter, s.From, s.To, s.Within, s.Periods, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"2020", "2020"}, {"2020-S1", "H1/2020"}, {"2020-Q3", "Q3/2020"}, {"2020-M07", "07/2020"}, {"2020-W05", "W05/2020"},
		{"2020-01-31T12:00:00", "31/01/2020"}, {"2020-01-31T12:00:00+01:00", "31/01/2020"}, {"2020-01-31Z", "31/01/2020"}, {"2020-T1", ""}, {"soon", ""},
	} {
		p, err := ParsePeriod("startPeriod", c.text)
		if p.String() != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s is %s (%v), want %s", c.text, p, err, c.want)
		}
	}
}

// TestSeveralPeriods has filters of time that are not one span.
func TestSeveralPeriods(t *testing.T) {
	var periods []stat.Period
	for _, text := range strings.Fields("2019 2020 2020-Q1 2020-Q4 2021 2021-Q1 2022") {
		p, err := stat.ParsePeriod(text)
		if err != nil {
			t.Fatal(err)
		}
		periods = append(periods, p)
	}
	for _, c := range []struct{ filter, want string }{
		{"2020,2021", "2020 Q1/2020 Q4/2020 2021 Q1/2021"},
		{"2020-Q1,2022", "Q1/2020 2022"},
		{"ge:2019+le:2020-Q1,2022", "2019 2020 Q1/2020 2022"},
		{"ne:2020", "2019 2021 Q1/2021 2022"},
		{"ne:2020+ne:2021", "2019 2022"},
		{"ge:2020+ne:2021+lt:2022", "2020 Q1/2020 Q4/2020"},
		{"2020+ge:2020-Q4", "2020 Q4/2020"},
		{"gt:2019+ge:2021", "2021 Q1/2021 2022"},
		{"lt:2020,gt:2021", "2019 2022"},
		{"2020+2021", ""},
	} {
		f := mustFilter(t, c.filter)
		var s Selection
		if err := s.selectPeriods(&f); err != nil {
			t.Fatal(err)
		}
		block := &stat.Block{Areas: []int32{0}, RowStart: []int32{0}}
		for i := range periods {
			block.Periods, block.Area, block.Value = append(block.Periods, int32(i)), append(block.Area, 0), append(block.Value, float64(i))
			block.RowStart = append(block.RowStart, int32(i+1))
		}
		var got []string
		for b := range s.Of(&stat.Extract{Periods: periods, Blocks: func(yield func(*stat.Block, error) bool) { yield(block, nil) }}).Blocks {
			for row, at := range b.Periods {
				if got = append(got, periods[at].String()); b.Value[row] != float64(at) {
					t.Errorf("%s: %s has the value of another period", c.filter, periods[at])
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s selects %s, want %s", c.filter, strings.Join(got, " "), c.want)
		}
	}
	for _, filter := range []string{"co:2020", "2020,soon"} {
		f := mustFilter(t, filter)
		if err := new(Selection).selectPeriods(&f); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%s: %v, want an invalid request", filter, err)
		}
	}
}

func TestChooseData(t *testing.T) {
	const generic, specific, json2, json1, csv2, csv1 = 0, 1, 2, 3, 4, 5
	for _, c := range []struct {
		accept string
		isV3   bool
		want   int
	}{
		{"", false, generic}, {"", true, json2}, {"*/*", false, generic}, {"*/*", true, json2},
		{"application/vnd.sdmx.structurespecificdata+xml;version=2.1", true, specific},
		{"application/vnd.sdmx.data+json", false, json2},
		{"application/vnd.sdmx.data+json;version=1.0.0", true, json1},
		{"application/vnd.sdmx.data+json;version=1.0.0-wd", false, -1},
		{"application/vnd.sdmx.data+csv;version=2.0.0;labels=both", false, csv2},
		{"application/vnd.sdmx.data+csv;version=1.0.0, text/csv;q=0.5", true, csv1},
		{"application/vnd.sdmx.data+csv;version=2+.0.1", true, csv2},
		{"application/vnd.sdmx.data+csv; version=3.0.0", true, -1},
		{"text/csv", false, csv1}, {"text/csv", true, csv2}, {"application/json", true, json2},
		{"image/png, */*;q=0.1", false, generic}, {"image/png", false, -1},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false, generic},
	} {
		f, _, err := ChooseData(Wanted{Accept: []string{c.accept}, IsV3: c.isV3})
		if at := slices.Index(DataForms, f); err != nil || at != c.want {
			t.Errorf("%q, 3.0 %v: form %d (%v), want %d", c.accept, c.isV3, at, err, c.want)
		}
	}
}

// TestFormats has values of the parameter format that servers of statistical offices take.
func TestFormats(t *testing.T) {
	const generic, specific, json2, json1, csv2, csv1, genericSeries = 0, 1, 2, 3, 4, 5, 6
	for _, c := range []struct {
		format, version, labels string
		want                    int
	}{
		{"genericdata", "", "", generic}, {"structurespecificdata", "2.1", "", specific}, {"generictimeseriesdata", "", "", genericSeries},
		{"jsondata", "", "", json2}, {"jsondata", "2.0", "", json2}, {"jsondata", "1.0.0", "", json1}, {"jsondata1", "", "", json1},
		{"csvdata", "", "", csv2}, {"csvfile", "", "", csv2}, {"csv", "1.0.0", "", csv1}, {"SDMX-CSV", "", "", csv2}, {"JSON", "", "", json2},
		{"csvfilewithlabels", "", "name", csv2}, {"csvfilewithlabels", "1.0.0", "name", csv1},
		{"sdmx-compact-2.1", "", "", specific}, {"SDMX_2.1_STRUCTURED", "", "", specific}, {"sdmx-json", "", "", json2},
		{"application/vnd.sdmx.data+csv;version=1.0.0;labels=both", "", "both", csv1}, {"application/vnd.sdmx.data json", "", "", json2}, {"text/csv", "", "", csv1},
	} {
		f, media, err := ChooseData(Wanted{Format: c.format, Version: c.version, Accept: []string{"image/png"}})
		if at := slices.Index(DataForms, f); err != nil || at != c.want || media["labels"] != c.labels {
			t.Errorf("%s %s: form %d, labels %q (%v), want %d, %q", c.format, c.version, at, media["labels"], err, c.want, c.labels)
		}
	}
	for _, w := range []Wanted{{Format: "nonsense"}, {Format: "tsv"}, {Format: "image/png"}, {Format: "structurespecificdata", Version: "2.0"}} {
		if f, _, err := ChooseData(w); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%v: %v, %v, want an invalid request", w, f, err)
		}
	}
	if f, err := ChooseStructure(Wanted{Format: "structure", Version: "2.1", IsV3: true}); err != nil || f != StructureForms[0] {
		t.Errorf("structure: %v, %v", f, err)
	}
}

func TestReferences(t *testing.T) {
	for _, c := range []struct{ class, references, want string }{
		{"Dataflow", "none", ""},
		{"Dataflow", "children", "DataStructure"},
		{"Dataflow", "descendants", "Codelist ConceptScheme DataStructure"},
		{"Dataflow", "parents", "Categorisation ContentConstraint"},
		{"Dataflow", "parentsandsiblings", "Categorisation CategoryScheme ContentConstraint Dataflow"},
		{"Dataflow", "all", "Categorisation CategoryScheme Codelist ConceptScheme ContentConstraint DataStructure Dataflow"},
		{"Dataflow", "codelist", "Codelist"},
		{"DataStructure", "children", "Codelist ConceptScheme"},
		{"DataStructure", "dataflow", "Dataflow"},
		{"Codelist", "parents", "DataStructure"},
		{"Codelist", "parentsandsiblings", "Codelist ConceptScheme DataStructure"},
		{"CategoryScheme", "parentsandsiblings", "Categorisation CategoryScheme Dataflow"},
		{"Codelist", "metadataflow", ""},
	} {
		got, err := referencedClasses(c.class, c.references)
		got = slices.Clone(got)
		slices.Sort(got)
		if got = slices.Compact(got); err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s of %s: %v (%v), want %s", c.references, c.class, got, err, c.want)
		}
	}
	if _, err := referencedClasses("Dataflow", "friends"); stat.KindOf(err) != stat.Invalid {
		t.Errorf("unknown references: %v", err)
	}
}

func TestProductsOfKeys(t *testing.T) {
	for text, want := range map[string]bool{
		"A.B": true, "A.B+C": true, "A.B,A.C": true, "A.B,A.C,D.B,D.C": true, "A.B,D.C": false, "A.*,B.*": true, "A.*,B.C": false, "A.B,A.B": true,
		"A+D.B,D.C,A.B,D.B": false, "A.B+C,D.E": false,
	} {
		var keys [][]string
		for key := range strings.SplitSeq(text, ",") {
			keys = append(keys, strings.Split(key, "."))
		}
		if got := isProduct(keys); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// TestAgencies finds the datasets of an office by the agencies of its own files.
func TestAgencies(t *testing.T) {
	for _, c := range []struct{ agency, source string }{
		{"EUROSTAT", "eurostat"}, {"ESTAT", "eurostat"}, {"estat", "eurostat"}, {"OECD.CTP.TPS", "oecd"}, {"IT1", "istat"}, {"FR1", "insee"},
		{"ECB", "ecb"}, {"JAPAN-ESRI", "japan-esri"}, {"MY_x2E_OFFICE", "my.office"}, {"MY.OFFICE", "my-office"},
	} {
		if !(Reference{Agencies: []string{c.agency}}).hasAgency(c.source) {
			t.Errorf("%s does not mean %s: %v", c.agency, c.source, sourcesOf(c.agency))
		}
	}
	if (Reference{Agencies: []string{"ESTAT"}}).hasAgency("destatis") {
		t.Error("ESTAT means destatis")
	}
}

// mustFilter returns a filter of periods.
func mustFilter(t *testing.T, text string) Filter {
	t.Helper()
	f, err := parseFilter("TIME_PERIOD", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
