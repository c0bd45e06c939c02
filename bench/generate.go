package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// generated is a kind of generated file: made-up numbers of a plausible table,
// 240 months for each item and area. The texts use the verbs of [fmt]; a
// separator stands between the observations of a series.
type generated struct {
	name    string  // of the file
	what    string  // its name in the report
	goal    float64 // MB per second of the reader alone; 0: none
	library string  // that parses these files

	head        string // the lists of items, areas and months; their numbers; the dataset's code
	series      string // item, area
	observation string // item, area, month, value
	// exception replaces each observation whose number is a multiple of every.
	exception string
	every     int
	seriesEnd string
	separator string
	foot      string
}

// months is the number of periods of each generated series.
const months = 240

// fileAreas are the areas of generated files.
var fileAreas = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

func month(n int) string { return fmt.Sprintf("%d-%02d", 2005+n/12, n%12+1) }

// messageHead returns the beginning of an SDMX-ML message of a kind, with a
// namespace and a reference to its structure.
func messageHead(kind, namespace, structure string) string {
	const schemas = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/"
	return `<?xml version="1.0" encoding="UTF-8"?>
<m:` + kind + ` xmlns:m="` + schemas + `message" xmlns:c="` + schemas + `common" xmlns:` + namespace + `>
<m:Header><m:ID>x</m:ID><m:Test>true</m:Test><m:Prepared>2024-01-01T00:00:00Z</m:Prepared><m:Sender id="ESTAT"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref id="%[7]s" agencyID="ESTAT" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
` + structure + "\n"
}

var generatedFiles = []generated{
	{
		name: "specific.xml", what: "SDMX-ML, structure-specific", goal: 60, library: "encoding/xml",
		head:   messageHead("StructureSpecificData", `u="urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ESTAT:%[7]s(1.0):ObsLevelDim:TIME_PERIOD"`, "<u:DataSet>"),
		series: `<Series freq="M" unit="PC" item="I%d" geo="%s">` + "\n", observation: `<Obs TIME_PERIOD="%[3]s" OBS_VALUE="%[4]s"/>` + "\n",
		exception: `<Obs TIME_PERIOD="%[3]s" OBS_VALUE="%[4]s" OBS_STATUS="P"/>` + "\n", every: 10,
		seriesEnd: "</Series>\n", foot: "</u:DataSet>\n</m:StructureSpecificData>\n",
	}, {
		name: "generic.xml", what: "SDMX-ML, generic", library: "encoding/xml",
		head:        messageHead("GenericData", `g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic"`, `<m:DataSet structureRef="S">`),
		series:      `<g:Series><g:SeriesKey><g:Value id="freq" value="M"/><g:Value id="unit" value="PC"/><g:Value id="item" value="I%d"/><g:Value id="geo" value="%s"/></g:SeriesKey>` + "\n",
		observation: `<g:Obs><g:ObsDimension value="%[3]s"/><g:ObsValue value="%[4]s"/></g:Obs>` + "\n",
		seriesEnd:   "</g:Series>\n", foot: "</m:DataSet>\n</m:GenericData>\n",
	}, {
		name: "flat.csv", what: "SDMX-CSV", goal: 80, library: "encoding/csv",
		head:        "DATAFLOW,LAST UPDATE,freq,unit,item,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\r\n",
		observation: "ESTAT:%[5]s(1.0),27/10/23 23:00:00,M,PC,I%[1]d,%[2]s,%[3]s,%[4]s,\r\n",
		exception:   "ESTAT:%[5]s(1.0),27/10/23 23:00:00,M,PC,I%[1]d,%[2]s,%[3]s,%[4]s,p\r\n", every: 10,
	}, {
		name: "cube.px", what: "PX",
		head: `CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="en";
MATRIX="%[7]s";
SUBJECT-AREA="x";
SUBJECT-CODE="x";
TITLE="Made up";
CONTENTS="Made up";
UNITS="number";
DECIMALS=1;
SOURCE="Statistics Sweden";
STUB="item","country";
HEADING="month";
MAP("country")="world";
VALUES("item")=%[1]s;
VALUES("country")=%[2]s;
VALUES("month")=%[3]s;
TIMEVAL("month")=TLIST(M1),%[8]s;
DATA=
`,
		observation: "%[4]s ", exception: `".." `, every: 50, seriesEnd: "\n", foot: ";\n",
	}, {
		name: "cube.json", what: "JSON-stat", library: "encoding/json",
		head: `{"version":"2.0","class":"dataset","label":"Made up","source":"Eurostat","id":["item","geo","time"],"size":[%[4]d,%[5]d,%[6]d],` +
			`"role":{"geo":["geo"],"time":["time"]},"dimension":{"item":{"category":{"index":[%[1]s]}},"geo":{"category":{"index":[%[2]s]}},"time":{"category":{"index":[%[3]s]}}},"value":[`,
		observation: "%[4]s", separator: ",", foot: "]}\n",
	},
}

// write writes a file with about the given number of observations. The dataset
// has the code if the format has a place for it.
func (g *generated) write(w io.Writer, cells int, code string) error {
	random := rand.New(rand.NewPCG(1, 1))
	areas := fileAreas[:min(len(fileAreas), (cells+months-1)/months)]
	items := max(1, cells/months/len(areas))
	list := func(n int, text func(int) string) string {
		quoted := make([]string, n)
		for i := range quoted {
			quoted[i] = `"` + text(i) + `"`
		}
		return strings.Join(quoted, ",")
	}
	allItems := list(items, func(i int) string { return fmt.Sprint("I", i) })
	allAreas := list(len(areas), func(i int) string { return areas[i] })
	put := func(text string, arguments ...any) {
		if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, arguments...)
		}
		_, _ = io.WriteString(w, text) // a buffer, whose Flush returns the error
	}
	put(g.head+"%.0[1]s", allItems, allAreas, list(months, month), items, len(areas), months, code,
		list(months, func(n int) string { return strings.Replace(month(n), "-", "", 1) }))
	separator := ""
	for series := range items * len(areas) {
		item, area := series/len(areas), areas[series%len(areas)]
		put(g.series, item, area)
		for n := range months {
			text := g.observation
			if g.every > 0 && (n+1)%g.every == 0 {
				text = g.exception
			}
			put(separator+text, item, area, month(n), fmt.Sprintf("%.1f", random.Float64()*100_000), code)
			separator = g.separator
		}
		put(g.seriesEnd)
	}
	put(g.foot)
	return nil
}
