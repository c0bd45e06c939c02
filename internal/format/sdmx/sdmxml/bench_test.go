package sdmxml_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/sdmx/sdmxml"
)

// BenchmarkRead reads generated messages of about 50 MB each.
func BenchmarkRead(b *testing.B) {
	for name, data := range map[string][]byte{"specific": bigSpecific(50 << 20), "flat": bigFlat(50 << 20), "generic": bigGeneric(50 << 20)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			cells := 0
			for b.Loop() {
				cells += readAll(b, data)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cells), "ns/obs")
		})
	}
}

// readAll reads a message and returns how many observations it has.
func readAll(t testing.TB, data []byte) (cells int) {
	in := format.Input{Name: "big.xml", Again: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
	for table, err := range sdmxml.Formats()[0].Read(context.Background(), in) {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range table.Observations {
			if err != nil {
				t.Fatal(err)
			}
		}
		cells += table.Report.Read
	}
	return cells
}

// bigSpecific makes a structure-specific message of about size bytes.
func bigSpecific(size int) []byte {
	var b bytes.Buffer
	b.WriteString(specificHead)
	for series := 0; b.Len() < size; series++ {
		fmt.Fprintf(&b, "<Series FREQ=\"M\" ITEM=\"I%d\" REF_AREA=\"C%d\" UNIT=\"EUR\" UNIT_MULT=\"6\" TITLE=\"Series %d &amp; more\">\n", series/200, series%200, series)
		for n := range 240 {
			status := "A"
			if n%37 == 0 {
				status = "E"
			}
			fmt.Fprintf(&b, "<Obs TIME_PERIOD=\"%d-%02d\" OBS_VALUE=\"%d.%d\" OBS_STATUS=%q/>\n", 2000+n/12, n%12+1, series*7+n*31, n%10, status)
		}
		b.WriteString("</Series>\n")
	}
	b.WriteString("</m:DataSet></m:StructureSpecificData>\n")
	return b.Bytes()
}

// bigFlat makes a structure-specific message with observations outside of series.
func bigFlat(size int) []byte {
	var b bytes.Buffer
	b.WriteString(specificHead)
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, "<Obs FREQ=\"M\" ITEM=\"I%d\" REF_AREA=\"C%d\" TIME_PERIOD=\"%d-%02d\" OBS_VALUE=\"%d.%d\" OBS_STATUS=\"A\" UNIT=\"EUR\"/>\n",
			n/48000, n/240%200, 2000+n/12%20, n%12+1, n*31, n%10)
	}
	b.WriteString("</m:DataSet></m:StructureSpecificData>\n")
	return b.Bytes()
}

// bigGeneric makes a generic message of about size bytes.
func bigGeneric(size int) []byte {
	var b bytes.Buffer
	b.WriteString(genericHead)
	for series := 0; b.Len() < size; series++ {
		fmt.Fprintf(&b, "<g:Series><g:SeriesKey><g:Value id=\"FREQ\" value=\"M\"/><g:Value id=\"REF_AREA\" value=\"C%d\"/></g:SeriesKey>\n", series)
		for n := range 240 {
			fmt.Fprintf(&b, "<g:Obs><g:ObsDimension value=\"%d-%02d\"/><g:ObsValue value=\"%d.%d\"/><g:Attributes><g:Value id=\"OBS_STATUS\" value=\"A\"/></g:Attributes></g:Obs>\n",
				2000+n/12, n%12+1, series*7+n*31, n%10)
		}
		b.WriteString("</g:Series>\n")
	}
	b.WriteString("</m:DataSet></m:GenericData>\n")
	return b.Bytes()
}

// Beginnings of messages of SDMX 2.1.
const (
	specificHead = `<?xml version="1.0" encoding="UTF-8"?><m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message">` +
		`<m:Header><m:Prepared>2020-01-01T00:00:00Z</m:Prepared><m:Sender id="ECB"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD">` +
		`<Structure><Ref agencyID="ECB" id="BIG"/></Structure></m:Structure></m:Header><m:DataSet structureRef="S">`
	genericHead = `<?xml version="1.0" encoding="UTF-8"?><m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="g">` +
		`<m:Header><m:Prepared>2020-01-01T00:00:00Z</m:Prepared><m:Sender id="ECB"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD">` +
		`<Structure><Ref agencyID="ECB" id="BIG"/></Structure></m:Structure></m:Header><m:DataSet structureRef="S">`
)

// TestNoAllocationPerObservation compares the allocations for a long series with those
// for a short one.
func TestNoAllocationPerObservation(t *testing.T) {
	message := func(copies int) []byte {
		obs := []byte(`<Obs TIME_PERIOD="2014" OBS_VALUE="1.5" OBS_STATUS="A" OBS_COM="Indicative rate" OBS_CONF="F"/>`)
		series := `<Series FREQ="A" REF_AREA="AT" UNIT="EUR" UNIT_MULT="6">`
		return []byte(specificHead + series + string(bytes.Repeat(obs, copies)) + "</Series></m:DataSet></m:StructureSpecificData>")
	}
	short, long := message(10), message(2000)
	allocations := func(data []byte) float64 { return testing.AllocsPerRun(5, func() { readAll(t, data) }) }
	if a, b := allocations(short), allocations(long); b > a+100 {
		t.Errorf("10 observations: %v allocations; 2000: %v", a, b)
	}
}
