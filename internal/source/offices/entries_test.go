package offices_test

import (
	"reflect"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
)

// listCase is an office with its list, in the form of its kind of server, and what the
// first entry must state.
type listCase struct {
	office source.Office
	files  map[string]string // by address
	want   source.Entry
}

var listCases = map[string]listCase{
	"SDMX": {
		office: source.Office{Kind: "sdmx", Agency: "NB"},
		files: map[string]string{"/dataflow/NB/all/latest": `<mes:Structure xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:str="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">
			<mes:Structures><str:Dataflows><str:Dataflow agencyID="NB" id="EXR" version="1.0">
			<com:Name xml:lang="no">Valutakurser</com:Name><com:Name xml:lang="en">Exchange rates</com:Name>
			<com:Description xml:lang="en">&lt;p&gt;Norges&amp;nbsp;Banks rates&lt;/p&gt;</com:Description><com:Description xml:lang="no">Kurser</com:Description>
			</str:Dataflow></str:Dataflows></mes:Structures></mes:Structure>`},
		want: source.Entry{
			Code: "EXR", Title: "Exchange rates", Language: "en", Description: "Norges Banks rates",
			Others: []source.Text{{Language: "no", Title: "Valutakurser", Description: "Kurser"}},
		},
	},
	"SDMX in JSON": {
		office: source.Office{Kind: "sdmx", Agency: "NSO", Language: "fr"},
		files: map[string]string{"/dataflow/NSO/all/latest": `{"meta":{},"data":{"dataflows":[{"id":"POP","version":"1.0","agencyID":"NSO",
			"name":"Population totale","names":{"fr":"Population totale"},"description":"Au 1er janvier","descriptions":{"fr":"Au 1er janvier"}}]}}`},
		want: source.Entry{Code: "POP", Title: "Population totale", Language: "fr", Description: "Au 1er janvier"},
	},
	"cubes": {
		office: source.Office{Kind: "sdmx", Version: "cubes"},
		files: map[string]string{"/getAllCubesListLite": `[{"productId":10100002,"cubeTitleEn":"Central government debt","cubeTitleFr":"Dette du gouvernement central",
			"cubeStartDate":"2009-04-01","cubeEndDate":"2021-08-01","subjectCode":["10"],"frequencyCode":6}]`},
		want: source.Entry{
			Code: "10100002", Title: "Central government debt", Folders: []string{"10"}, Language: "en", Frequency: "M", First: "2009-04-01", Last: "2021-08-01",
			Others: []source.Text{{Language: "fr", Title: "Dette du gouvernement central"}},
		},
	},
	"Eurostat": {
		office: source.Office{Kind: "eurostat"},
		files: map[string]string{
			"/catalogue/toc/txt?lang=en": contentsLines("Economy", "GDP and main components"), "/catalogue/toc/txt?lang=de": contentsLines("Wirtschaft", "BIP und Hauptkomponenten"),
		},
		want: source.Entry{
			Code: "nama_10_gdp", Title: "GDP and main components", Theme: "Economy", Folders: []string{"economy"}, Language: "en", Frequency: "A", First: "1975", Last: "2022",
			Others: []source.Text{{Language: "de", Title: "BIP und Hauptkomponenten", Theme: "Wirtschaft"}},
		},
	},
	"PxWebApi 2": {
		office: source.Office{Kind: "pxweb", Version: "2"},
		files: map[string]string{
			"/config": `{"languages":[{"id":"en"},{"id":"sv"}],"maxDataCells":1000,"maxCallsPerTimeWindow":30,"timeWindow":1}`,
			"/tables?includeDiscontinued=true&lang=en&pageNumber=1&pageSize=500": tablePage("Population by region", "region, year", "Population"),
			"/tables?includeDiscontinued=true&lang=sv&pageNumber=1&pageSize=500": tablePage("Befolkning efter region", "region, år", "Befolkning"),
		},
		want: source.Entry{
			Code: "TAB1", Title: "Population by region", Theme: "Population", Folders: []string{"BE"}, Language: "en", Description: "region, year", Frequency: "A", First: "1990", Last: "2017",
			Others: []source.Text{{Language: "sv", Title: "Befolkning efter region", Description: "region, år", Theme: "Befolkning"}},
		},
	},
	"Statbank": {
		office: source.Office{Kind: "statbank"},
		files: map[string]string{
			"/tables?lang=en": `[{"id":"FOLK1A","text":"Population at the first day of the quarter","firstPeriod":"2008Q1","latestPeriod":"2026Q4","variables":["region","sex","time"]}]`,
			"/tables?lang=da": `[{"id":"FOLK1A","text":"Befolkningen den 1. i kvartalet","firstPeriod":"2008K1","latestPeriod":"2026K4","variables":["område","køn","tid"]}]`,
		},
		want: source.Entry{
			Code: "FOLK1A", Title: "Population at the first day of the quarter", Language: "en", Description: "region, sex, time", First: "2008Q1", Last: "2026Q4",
			Others: []source.Text{{Language: "da", Title: "Befolkningen den 1. i kvartalet", Description: "område, køn, tid"}},
		},
	},
	"World Bank": {
		office: source.Office{Kind: "worldbank"},
		files: map[string]string{
			"/source?format=json&per_page=1000&page=1": `[{"page":1,"pages":1,"per_page":"1000","total":1},[{"id":"2","lastupdated":"","name":"World Development Indicators"}]]`,
			"/indicator?format=json&per_page=1000&page=1": `[{"page":1,"pages":1,"per_page":"1000","total":1},[{"id":"SP.POP.TOTL","name":"Population, total","source":{"id":"2","value":"World Development Indicators"},
				"sourceNote":"Total population is based on the de facto definition.","topics":[{"id":"8","value":"Health "}]}]]`,
		},
		want: source.Entry{
			Code: "SP.POP.TOTL", Title: "Population, total", Theme: "World Development Indicators / Health", Folders: []string{"2"}, Language: "en",
			Description: "Total population is based on the de facto definition.",
		},
	},
	"index": {
		office: source.Office{Kind: "index", Contents: "/indicators", Data: "/{code}.csv", Index: &source.Index{
			Code: "id", Title: "name", Description: "note", Theme: "theme", First: "timeLine.min", Last: "timeLine.max",
		}},
		files: map[string]string{"/indicators": `[{"id":"CR.1","name":"Completion rate","note":"<b>Primary</b> education","theme":"EDUCATION","timeLine":{"min":1970,"max":2023}}]`},
		want:  source.Entry{Code: "CR.1", Title: "Completion rate", Theme: "EDUCATION", Description: "Primary education", First: "1970", Last: "2023"},
	},
	"GENESIS": {
		office: source.Office{Kind: "genesis"},
		files:  map[string]string{"/catalogue/tables": `{"Status":{"Code":0},"List":[{"Code":"12411-0001","Content":"Bevölkerung: Deutschland,\nStichtag"}]}`},
		want: source.Entry{
			Code: "12411-0001", Title: "Bevölkerung: Deutschland, Stichtag", Language: "de",
			Others: []source.Text{{Language: "en", Title: "Bevölkerung: Deutschland, Stichtag"}},
		},
	},
}

func contentsLines(folder, title string) string {
	return `"title"	"code"	"type"	"last update of data"	"last table structure change"	"data start"	"data end"	"values"
"` + folder + `"	"economy"	"folder"	" "	" "	" "	" "	
"    ` + title + `"	"nama_10_gdp"	"dataset"	" "	" "	"1975"	"2022"	100
`
}

func tablePage(label, variables, theme string) string {
	return `{"tables":[{"id":"TAB1","label":"` + label + `","description":"","firstPeriod":"1990","lastPeriod":"2017","timeUnit":"Annual",
		"variableNames":["` + variables + `"],"paths":[[{"id":"BE","label":"` + theme + `"}]]}],"page":{"pageNumber":1,"totalElements":1,"totalPages":1}}`
}

// Entries state what the lists of their offices have, in all their languages.
func TestEntries(t *testing.T) {
	for name, c := range listCases {
		t.Run(name, func(t *testing.T) {
			files := replay.NewFiles(nil)
			for address, body := range c.files {
				files.SetBody(address, body)
			}
			server := sourcetest.CloseAtEnd(t, replay.Serve(files))
			o := c.office
			o.ID, o.Name, o.Address = "made", "Made", server.URL
			if o.Contents != "" {
				o.Contents, o.Data = server.URL+o.Contents, server.URL+o.Data
			}
			entries := sourcetest.Entries(t, sourcetest.NewServer(t, sourcetest.NewClock(), o).Contents(t.Context(), source.Filter{Languages: true}))
			if len(entries) != 1 || !reflect.DeepEqual(entries[0], c.want) {
				t.Errorf("the entries are\n%+v, want\n%+v", entries, c.want)
			}
		})
	}
}
