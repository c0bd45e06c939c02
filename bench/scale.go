package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"almanac/internal/stat"
)

// fewDatasets is the number of datasets in the store that the one with many is compared with, and of those that are read
// again and again in both.
const fewDatasets = 100

// scaleMemory is what datasets may take in the memory of each server, so that its whole memory has a bound that does not depend on the machine.
const scaleMemory = "256MiB"

// scaleShapes returns n datasets of 2000 observations each, but for some that are missing.
func scaleShapes(n int) (all []shape) {
	for i := range n {
		all = append(all, shape{code: fmt.Sprintf("scale_%06d", i), counts: []int{5, 2}, areas: areas[:20], freq: stat.Quarter, year: 2015, nPeriods: 10})
	}
	return all
}

// measureScale measures a server with many datasets beside one with few.
func (h *harness) measureScale() string {
	t := newTable("what", "few", "many", "ratio")
	counts := map[string]int{"few": min(fewDatasets, h.scale), "many": h.scale}
	servers := map[string]*process{}
	for _, name := range []string{"few", "many"} {
		dir := h.fillStore(fmt.Sprintf("scale-%d", counts[name]), scaleShapes(counts[name]))
		begin := time.Now()
		p := h.startServer(nil, append(h.serveCommand(dir), "--memory", scaleMemory)...)
		defer p.stop()
		p.waitReady()
		ready := t.add("from the start to ready, seconds", name, time.Since(begin).Seconds())
		p.waitIdle()
		t.add("from the start to idle, CPU seconds", name, p.cpu().Seconds())
		t.add("memory when idle, MB", name, p.settledMemory())
		if servers[name] = p; name == "many" {
			ready.atMost = 2
		}
	}
	h.readAlternately(t, "datasets in memory", counts, servers, fewDatasets)
	h.readAlternately(t, "any dataset", counts, servers, h.scale)
	t.add("memory after all requests, MB", "few", memoryOf(servers["few"].cmd.Process.Pid, "VmRSS"))
	t.add("memory after all requests, MB", "many", memoryOf(servers["many"].cmd.Process.Pid, "VmRSS")).atMost = 1500
	return fmt.Sprintf("Two stores of datasets of 2000 observations each: %d of them, and %d. Reads are of one series, 5 countries and all periods, from 16 connections; "+
		"with many datasets those of any dataset are mostly the first of it. The servers run with --memory %s. Ratio: many ÷ few.\n\n%s", counts["few"], counts["many"], scaleMemory, t)
}

// readAlternately reads parts of up to most datasets of each store in turn.
func (h *harness) readAlternately(t *table, name string, counts map[string]int, servers map[string]*process, most int) {
	row := "read, " + name + ", p99 ms"
	for range h.rounds {
		measured := map[string]float64{}
		for _, store := range []string{"few", "many"} {
			round := newTable("")
			w := h.workload(name, 0, scaleQueries(min(most, counts[store]), counts[store], h.requests)...)
			if most == fewDatasets {
				h.capture(servers[store], w)
			}
			h.load(round, w.on(servers[store], ""))
			for _, column := range []string{"p50 ms", "p99 ms", "CPU µs"} {
				measured[store+column] = round.add(name, column).values[0]
				t.add("read, "+name+", "+column, store, measured[store+column])
			}
		}
		for _, column := range []string{"p50 ms", "p99 ms", "CPU µs"} {
			t.add("read, "+name+", "+column, "ratio", measured["many"+column]/measured["few"+column])
		}
	}
	if most == fewDatasets {
		t.add(row, "ratio").atMost = 1.5
	}
}

// scaleQueries returns n requests for parts of datasets, evenly spread over all of a store.
func scaleQueries(datasets, all, n int) (list []string) {
	random := rand.New(rand.NewPCG(seed, 4))
	for range n {
		id, first := 1+random.IntN(datasets)*(all/datasets), random.IntN(16)
		uri := fmt.Sprintf("/api/datasets/%d/data?dim1=na_item%02d&dim2=unit%02d", id, random.IntN(5), random.IntN(2))
		for _, area := range areas[first : first+5] {
			uri += "&country=" + area.ID
		}
		list = append(list, uri)
	}
	return list
}

// waitReady waits until a server is ready.
func (p *process) waitReady() {
	for {
		resp := must(http.Get(p.url + "/readyz"))
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
