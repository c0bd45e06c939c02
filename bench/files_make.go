package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// generated is a kind of file that is made for the measurement: made up numbers
// of a plausible table.
type generated struct {
	name    string // of the file
	what    string
	goal    float64 // MB a second of the reader alone; 0: none
	library string  // that takes such files apart
	write   func(w io.Writer, cells int) error
}

var generatedFiles = []generated{
	{"specific.xml", "SDMX-ML, structure-specific", 60, "encoding/xml", writeSpecific},
	{"generic.xml", "SDMX-ML, generic", 0, "encoding/xml", writeGeneric},
	{"flat.csv", "SDMX-CSV", 80, "encoding/csv", writeSDMXCSV},
	{"cube.px", "PX", 0, "", writePX},
	{"cube.json", "JSON-stat", 0, "encoding/json", writeJSONStat},
}

// periodsASeries is how many months the series of generated tables have.
const periodsASeries = 240

// manyAreas are the areas of generated tables.
var manyAreas = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

// series yields the keys of a generated table of so many cells.
func series(cells int, yield func(item int, area string)) {
	for n := range (cells + periodsASeries - 1) / periodsASeries {
		yield(n/len(manyAreas), manyAreas[n%len(manyAreas)])
	}
}

func month(n int) string { return fmt.Sprintf("%d-%02d", 2005+n/12, n%12+1) }

func number(r *rand.Rand) string { return fmt.Sprintf("%.1f", r.Float64()*100_000) }

func writeSpecific(to io.Writer, cells int) error {
	w, r := bufio.NewWriterSize(to, 1<<20), rand.New(rand.NewPCG(1, 1))
	fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?>
<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:u="urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ESTAT:MADE_UP(1.0):ObsLevelDim:TIME_PERIOD">
<m:Header><m:ID>x</m:ID><m:Test>true</m:Test><m:Prepared>2024-01-01T00:00:00Z</m:Prepared><m:Sender id="ESTAT"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref id="MADE_UP" agencyID="ESTAT" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
<u:DataSet>
`)
	series(cells, func(item int, area string) {
		fmt.Fprintf(w, "<Series freq=\"M\" unit=\"PC\" item=\"I%d\" geo=\"%s\">\n", item, area)
		for n := range periodsASeries {
			status := ""
			if n%10 == 9 {
				status = ` OBS_STATUS="P"`
			}
			fmt.Fprintf(w, "<Obs TIME_PERIOD=\"%s\" OBS_VALUE=\"%s\"%s/>\n", month(n), number(r), status)
		}
		fmt.Fprint(w, "</Series>\n")
	})
	fmt.Fprint(w, "</u:DataSet>\n</m:StructureSpecificData>\n")
	return w.Flush()
}

func writeGeneric(to io.Writer, cells int) error {
	w, r := bufio.NewWriterSize(to, 1<<20), rand.New(rand.NewPCG(1, 1))
	fmt.Fprint(w, `<?xml version="1.0" encoding="UTF-8"?>
<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common" xmlns:g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic">
<m:Header><m:ID>x</m:ID><m:Test>true</m:Test><m:Prepared>2024-01-01T00:00:00Z</m:Prepared><m:Sender id="ESTAT"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref id="MADE_UP" agencyID="ESTAT" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
<m:DataSet structureRef="S">
`)
	series(cells, func(item int, area string) {
		fmt.Fprintf(w, "<g:Series><g:SeriesKey><g:Value id=\"freq\" value=\"M\"/><g:Value id=\"unit\" value=\"PC\"/><g:Value id=\"item\" value=\"I%d\"/><g:Value id=\"geo\" value=\"%s\"/></g:SeriesKey>\n", item, area)
		for n := range periodsASeries {
			fmt.Fprintf(w, "<g:Obs><g:ObsDimension value=\"%s\"/><g:ObsValue value=\"%s\"/></g:Obs>\n", month(n), number(r))
		}
		fmt.Fprint(w, "</g:Series>\n")
	})
	fmt.Fprint(w, "</m:DataSet>\n</m:GenericData>\n")
	return w.Flush()
}

func writeSDMXCSV(to io.Writer, cells int) error {
	w, r := bufio.NewWriterSize(to, 1<<20), rand.New(rand.NewPCG(1, 1))
	fmt.Fprint(w, "DATAFLOW,LAST UPDATE,freq,unit,item,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\r\n")
	series(cells, func(item int, area string) {
		for n := range periodsASeries {
			flag := ""
			if n%10 == 9 {
				flag = "p"
			}
			fmt.Fprintf(w, "ESTAT:MADE_UP(1.0),27/10/23 23:00:00,M,PC,I%d,%s,%s,%s,%s\r\n", item, area, month(n), number(r), flag)
		}
	})
	return w.Flush()
}

// itemsOf is how many items a table of so many cells has, each for all areas.
func itemsOf(cells int) int { return max(1, cells/periodsASeries/len(manyAreas)) }

func writePX(to io.Writer, cells int) error {
	w, r := bufio.NewWriterSize(to, 1<<20), rand.New(rand.NewPCG(1, 1))
	items := itemsOf(cells)
	fmt.Fprint(w, "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\nCODEPAGE=\"utf-8\";\nLANGUAGE=\"en\";\nMATRIX=\"MADE_UP\";\nSUBJECT-AREA=\"x\";\nSUBJECT-CODE=\"x\";\nTITLE=\"Made up\";\nCONTENTS=\"Made up\";\nUNITS=\"number\";\nDECIMALS=1;\nSOURCE=\"Statistics Sweden\";\n")
	fmt.Fprintf(w, "STUB=\"item\",\"country\";\nHEADING=\"month\";\nMAP(\"country\")=\"world\";\n")
	list := func(keyword string, n int, text func(int) string) {
		fmt.Fprint(w, keyword, "=")
		for i := range n {
			fmt.Fprintf(w, "%q%s", text(i), []string{",", ";\n"}[min(1, (i+1)/n)])
		}
	}
	list(`VALUES("item")`, items, func(i int) string { return fmt.Sprint("Item ", i) })
	list(`VALUES("country")`, len(manyAreas), func(i int) string { return manyAreas[i] })
	list(`VALUES("month")`, periodsASeries, func(i int) string { return strings.Replace(month(i), "-", "M", 1) })
	fmt.Fprint(w, "TIMEVAL(\"month\")=TLIST(M1)")
	for i := range periodsASeries {
		fmt.Fprintf(w, ",%q", strings.Replace(month(i), "-", "", 1))
	}
	fmt.Fprint(w, ";\nDATA=\n")
	for range items * len(manyAreas) {
		for n := range periodsASeries {
			if n%50 == 49 {
				fmt.Fprint(w, `".." `)
			} else {
				fmt.Fprint(w, number(r), " ")
			}
		}
		fmt.Fprint(w, "\n")
	}
	fmt.Fprint(w, ";\n")
	return w.Flush()
}

func writeJSONStat(to io.Writer, cells int) error {
	w, r := bufio.NewWriterSize(to, 1<<20), rand.New(rand.NewPCG(1, 1))
	items := itemsOf(cells)
	index := func(n int, text func(int) string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%q,", text(i))
		}
		return "[" + strings.TrimSuffix(b.String(), ",") + "]"
	}
	fmt.Fprintf(w, `{"version":"2.0","class":"dataset","label":"Made up","source":"Eurostat","id":["item","geo","time"],"size":[%d,%d,%d],"role":{"geo":["geo"],"time":["time"]},"dimension":{`,
		items, len(manyAreas), periodsASeries)
	fmt.Fprintf(w, `"item":{"category":{"index":%s}},"geo":{"category":{"index":%s}},"time":{"category":{"index":%s}}},"value":[`,
		index(items, func(i int) string { return fmt.Sprint("I", i) }), index(len(manyAreas), func(i int) string { return manyAreas[i] }),
		index(periodsASeries, month))
	for i := range items * len(manyAreas) * periodsASeries {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprint(w, number(r))
	}
	fmt.Fprint(w, "]}\n")
	return w.Flush()
}

// renamed replaces a name in what is written. The generators write small files
// in one piece.
type renamed struct {
	io.Writer
	from, to []byte
}

func (r *renamed) Write(b []byte) (int, error) {
	if _, err := r.Writer.Write(bytes.ReplaceAll(b, r.from, r.to)); err != nil {
		return 0, err
	}
	return len(b), nil
}
