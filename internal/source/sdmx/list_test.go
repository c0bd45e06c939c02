package sdmx_test

import (
	"bufio"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// Agencies are folders, titles are in English if available, and a damaged list is an
// error.
func TestContents(t *testing.T) {
	dir := stattest.DataDir(t)
	b := newHarness(t, sdmxtest.Offices(dir)["oecd"], "oecd", nil)
	all, err := b.Contents(t, source.Filter{})
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	some, err := b.Contents(t, source.Filter{Under: "OECD.ELS"})
	if err != nil || len(some) != 1 || some[0].Code != "OECD.ELS,PART2" || len(b.Requests("/dataflow/OECD.ELS/")) != 1 {
		t.Errorf("%+v, %v", some, err)
	}
	b = newHarness(t, sdmxtest.Offices(dir)["istat"], "istat", nil)
	list, err := b.Contents(t, source.Filter{Search: "SERVICES infancy"})
	if err != nil || len(list) != 1 || list[0].Updated.Format(time.DateTime) != "2025-11-14 16:15:51" {
		t.Errorf("%+v, %v", list, err)
	}
	whole := sdmxtest.ListHead + sdmxtest.Flow{Agency: "IT1", ID: "A"}.XML() + sdmxtest.ListTail
	for name, body := range map[string]string{
		"truncated":  whole[:len(whole)-30],
		"HTML":       "<!DOCTYPE html><html><body>closed</body></html>",
		"DOCTYPE":    `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "b">]>` + whole[strings.Index(whole, "<mes:"):],
		"error":      sdmxtest.ErrorMessage("503", "Service unavailable"),
		"JSON":       `{"data": {}}`,
		"data":       `<message:GenericData xmlns:message="m"/>`,
		"empty":      "",
		"nesting":    "<Structure>" + strings.Repeat("<a>", 1000),
		"a long tag": "<Structure><a b='" + strings.Repeat("x", 3<<20) + "'/></Structure>",
	} {
		t.Run(name, func(t *testing.T) {
			b.Fault(replay.Fault{Match: "/dataflow", Body: body + " "})
			defer b.Mend()
			if list, err := b.Contents(t, source.Filter{}); err == nil {
				t.Errorf("got %d entries, want an error", len(list))
			} else {
				t.Log(err)
			}
		})
	}
}

// A server may return structures as JSON although XML is requested: lists, labels, and the
// codes by which a dataset is split.
func TestStructuresInJSON(t *testing.T) {
	const flow = `{"id":"POP","version":"1.0","agencyID":"NSO","name":"Population","names":{"en":"Population"},"structure":"urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=NSO:DSD(1.0)"}`
	const structure = `{"data":{"dataflows":[` + flow + `],
		"dataStructures":[{"id":"DSD","version":"1.0","agencyID":"NSO","dataStructureComponents":{
			"dimensionList":{"dimensions":[
				{"id":"REF_AREA","position":0,"conceptIdentity":"urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=NSO:CS(1.0).REF_AREA"},
				{"id":"SEX","position":1,"conceptIdentity":"urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=NSO:CS(1.0).SEX",
					"localRepresentation":{"enumeration":"urn:sdmx:org.sdmx.infomodel.codelist.Codelist=NSO:CL_SEX(1.0)"}}],
				"timeDimensions":[{"id":"TIME_PERIOD","position":2}]}}}],
		"codelists":[{"id":"CL_SEX","version":"1.0","agencyID":"NSO","codes":[{"id":"F","name":"Women"},{"id":"M","name":"Men"}]}]}}`
	files := replay.NewFiles(nil)
	files.SetBody("/dataflow/NSO/all/latest?detail=allstubs", `{"meta":{},"data":{"dataflows":[`+flow+`]}}`)
	files.SetBody("/dataflow/NSO/POP/latest?references=all", structure)
	files.SetBody("/data/POP/all", "DATAFLOW,REF_AREA,SEX,TIME_PERIOD,OBS_VALUE\nNSO:POP(1.0),FR,F,2020,34.7\nNSO:POP(1.0),FR,M,2020,32.6\n")
	b := sourcetest.New(t, files, source.Office{ID: "nso", Name: "nso", Kind: "sdmx", Agency: "NSO"}, "")
	entries, err := b.Contents(t, source.Filter{})
	if err != nil || len(entries) != 1 || entries[0].Code != "POP" || entries[0].Title != "Population" {
		t.Fatalf("got %+v, %v, want POP", entries, err)
	}
	v := b.Vintage(t, b.MustImport(t, "POP").ID)
	if d := v.Dataset.Dimensions[0]; d.Codes[0].Label != "Women" {
		t.Errorf("got %+v, want the labels", d)
	}
	b.State = source.State{}
	b.Fault(replay.Fault{Match: "/data/", Status: http.StatusRequestEntityTooLarge})
	if _, err := b.Fetch(t, "POP", nil); err == nil || len(b.Requests("endPeriod=1963")) == 0 {
		t.Errorf("got %v after %+v, want requests by years", err, b.Requests("/data/"))
	}
	if len(b.Requests("/data/POP/.F")) == 0 {
		t.Errorf("got %+v, want requests by codes", b.Requests("/data/"))
	}
}

// A list of a million dataflows, or fewer in a short run, takes little memory.
func TestMillion(t *testing.T) {
	n := stattest.Rounds(t, 200_000, 1_000_000)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := bufio.NewWriter(w)
		_, _ = out.WriteString(sdmxtest.ListHead)
		for i := range n {
			fmt.Fprintf(out, `<str:Dataflow id="DF_%d" agencyID="A%d" version="1.0"><com:Name xml:lang="en">Dataflow %d</com:Name></str:Dataflow>`, i, i%1000, i)
		}
		_, _ = out.WriteString(sdmxtest.ListTail)
		_ = out.Flush()
	})
	b := newHarness(t, h, "oecd", nil)
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	count, peak := 0, uint64(0)
	for e, err := range b.Source.Contents(t.Context(), source.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; count%100_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
		}
		if e.Code == "" {
			t.Fatal("an entry without a code")
		}
	}
	if count != n || peak > 100<<20 {
		t.Errorf("got %d entries in %d MiB, want %d in at most 100 MiB", count, peak>>20, n)
	}
	t.Logf("%d MiB", peak>>20)
}
