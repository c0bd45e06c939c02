package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"text/template"
)

// fileFormat is a kind of generated file.
type fileFormat struct {
	name     string  // of the file
	what     string  // its name in the report
	goal     float64 // MB per second of the reader alone; 0: none
	library  string  // that parses these files
	template string  // executed with a [fileContent]
}

// fileContent is a plausible table of made-up numbers: a series of months for each
// item and area.
type fileContent struct {
	Code                 string // of the dataset, if the format has a place for it
	Items, Areas, Months []string
	random               *rand.Rand
}

// Value returns the next number.
func (c *fileContent) Value() string { return fmt.Sprintf("%.1f", c.random.Float64()*100_000) }

// Every reports whether a count from 0 reaches a multiple of nth.
func (c *fileContent) Every(nth, count int) bool { return (count+1)%nth == 0 }

var templateFuncs = template.FuncMap{
	"list":   func(texts []string) string { return `"` + strings.Join(texts, `","`) + `"` },
	"remove": func(part, text string) string { return strings.ReplaceAll(text, part, "") },
}

// sdmxHead returns the beginning of an SDMX-ML message of a kind, with a namespace
// and the reference to its structure.
func sdmxHead(kind, namespace string) string {
	const schemas = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/"
	return `<?xml version="1.0" encoding="UTF-8"?>
<m:` + kind + ` xmlns:m="` + schemas + `message" xmlns:c="` + schemas + `common" xmlns:` + namespace + `>
<m:Header><m:ID>x</m:ID><m:Test>true</m:Test><m:Prepared>2024-01-01T00:00:00Z</m:Prepared><m:Sender id="ESTAT"/><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref id="{{.Code}}" agencyID="ESTAT" version="1.0"/></c:StructureUsage></m:Structure></m:Header>
`
}

var fileFormats = []fileFormat{
	{"specific.xml", "SDMX-ML, structure-specific", 60, "encoding/xml",
		sdmxHead("StructureSpecificData", `u="urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ESTAT:{{.Code}}(1.0):ObsLevelDim:TIME_PERIOD"`) + `<u:DataSet>
{{range $item := .Items}}{{range $area := $.Areas -}}
<Series freq="M" unit="PC" item="{{$item}}" geo="{{$area}}">
{{range $n, $month := $.Months -}}
<Obs TIME_PERIOD="{{$month}}" OBS_VALUE="{{$.Value}}"{{if $.Every 10 $n}} OBS_STATUS="P"{{end}}/>
{{end}}</Series>
{{end}}{{end}}</u:DataSet>
</m:StructureSpecificData>
`},
	{"generic.xml", "SDMX-ML, generic", 0, "encoding/xml",
		sdmxHead("GenericData", `g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic"`) + `<m:DataSet structureRef="S">
{{range $item := .Items}}{{range $area := $.Areas -}}
<g:Series><g:SeriesKey><g:Value id="freq" value="M"/><g:Value id="unit" value="PC"/><g:Value id="item" value="{{$item}}"/><g:Value id="geo" value="{{$area}}"/></g:SeriesKey>
{{range $month := $.Months -}}
<g:Obs><g:ObsDimension value="{{$month}}"/><g:ObsValue value="{{$.Value}}"/></g:Obs>
{{end}}</g:Series>
{{end}}{{end}}</m:DataSet>
</m:GenericData>
`},
	{"flat.csv", "SDMX-CSV", 80, "encoding/csv", `DATAFLOW,LAST UPDATE,freq,unit,item,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
{{range $item := .Items}}{{range $area := $.Areas}}{{range $n, $month := $.Months -}}
ESTAT:{{$.Code}}(1.0),27/10/23 23:00:00,M,PC,{{$item}},{{$area}},{{$month}},{{$.Value}},{{if $.Every 10 $n}}p{{end}}
{{end}}{{end}}{{end}}`},
	{"cube.px", "PX", 0, "", `CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="en";
MATRIX="{{.Code}}";
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
VALUES("item")={{list .Items}};
VALUES("country")={{list .Areas}};
VALUES("month")={{list .Months}};
TIMEVAL("month")=TLIST(M1),{{list .Months | remove "-"}};
DATA=
{{range .Items}}{{range $.Areas}}{{range $n, $month := $.Months}}{{if $.Every 50 $n}}".."{{else}}{{$.Value}}{{end}} {{end}}
{{end}}{{end}};
`},
	{"cube.json", "JSON-stat", 0, "encoding/json", `{"version":"2.0","class":"dataset","label":"Made up","source":"Eurostat","id":["item","geo","time"],"size":[{{len .Items}},{{len .Areas}},{{len .Months}}],` +
		`"role":{"geo":["geo"],"time":["time"]},"dimension":{"item":{"category":{"index":[{{list .Items}}]}},"geo":{"category":{"index":[{{list .Areas}}]}},"time":{"category":{"index":[{{list .Months}}]}}},` +
		`"value":[{{range $i, $item := .Items}}{{range $k, $area := $.Areas}}{{range $n, $month := $.Months}}{{if or $i $k $n}},{{end}}{{$.Value}}{{end}}{{end}}{{end}}]}
`},
}

// write writes a file with about the given number of observations.
func (f *fileFormat) write(w io.Writer, cells int, code string) error {
	c := &fileContent{Code: code, random: rand.New(rand.NewPCG(1, 1))}
	for n := range 240 {
		c.Months = append(c.Months, fmt.Sprintf("%d-%02d", 2005+n/12, n%12+1))
	}
	nSeries := (cells + len(c.Months) - 1) / len(c.Months)
	c.Areas = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")
	c.Areas = c.Areas[:min(len(c.Areas), nSeries)]
	for i := range max(1, cells/len(c.Months)/len(c.Areas)) {
		c.Items = append(c.Items, fmt.Sprint("I", i))
	}
	return template.Must(template.New(f.name).Funcs(templateFuncs).Parse(f.template)).Execute(w, c)
}
