package source_test

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
	"almanac/internal/stattest"
)

// Agencies are folders, titles are in English if available, and a damaged list is an
// error.
func TestSdmxContents(t *testing.T) {
	dir := stattest.DataDir(t)
	b := newSdmxHarness(t, replay.SDMXOffices(dir)["oecd"], "oecd", nil)
	all, err := b.contents(t, source.Filter{})
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	some, err := b.contents(t, source.Filter{Under: "OECD.ELS"})
	if err != nil || len(some) != 1 || some[0].Code != "OECD.ELS,PART2" || len(b.Requests("/dataflow/OECD.ELS/")) != 1 {
		t.Errorf("%+v, %v", some, err)
	}
	b = newSdmxHarness(t, replay.SDMXOffices(dir)["istat"], "istat", nil)
	list, err := b.contents(t, source.Filter{Search: "SERVICES infancy"})
	if err != nil || len(list) != 1 || list[0].Updated.Format(time.DateTime) != "2025-11-14 16:15:51" {
		t.Errorf("%+v, %v", list, err)
	}
	whole := replay.SDMXListHead + replay.SDMXFlow{Agency: "IT1", ID: "A"}.XML() + replay.SDMXListTail
	for name, body := range map[string]string{
		"truncated":  whole[:len(whole)-30],
		"HTML":       "<!DOCTYPE html><html><body>closed</body></html>",
		"DOCTYPE":    `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "b">]>` + whole[strings.Index(whole, "<mes:"):],
		"error":      replay.SDMXErrorMessage("503", "Service unavailable"),
		"JSON":       `{"data": {}}`,
		"data":       `<message:GenericData xmlns:message="m"/>`,
		"empty":      "",
		"nesting":    "<Structure>" + strings.Repeat("<a>", 1000),
		"a long tag": "<Structure><a b='" + strings.Repeat("x", 3<<20) + "'/></Structure>",
	} {
		t.Run(name, func(t *testing.T) {
			b.Fault(replay.Fault{Match: "/dataflow", Body: body + " "})
			defer b.Mend()
			if list, err := b.contents(t, source.Filter{}); err == nil {
				t.Errorf("got %d entries, want an error", len(list))
			} else {
				t.Log(err)
			}
		})
	}
}

// A list of a million dataflows, or fewer in a short run, takes little memory.
func TestSdmxMillion(t *testing.T) {
	n := stattest.Rounds(t, 200_000, 1_000_000)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := bufio.NewWriter(w)
		_, _ = out.WriteString(replay.SDMXListHead)
		for i := range n {
			fmt.Fprintf(out, `<str:Dataflow id="DF_%d" agencyID="A%d" version="1.0"><com:Name xml:lang="en">Dataflow %d</com:Name></str:Dataflow>`, i, i%1000, i)
		}
		_, _ = out.WriteString(replay.SDMXListTail)
		_ = out.Flush()
	})
	b := newSdmxHarness(t, h, "oecd", nil)
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	count, peak := 0, uint64(0)
	for e, err := range b.server.Contents(t.Context(), source.Filter{}) {
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
