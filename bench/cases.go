package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// seed is that of all random queries.
const seed = 2026

// side is a server and what it is sent.
type side struct {
	name   string // as tables have it
	server *process
	list   []exchange
}

// alternate sends the sides a workload in turn, round after round, the order
// reversed with each. A round before the first warms up. It returns the rounds
// of each side.
func (h *harness) alternate(w workload, sides ...side) []measured {
	fmt.Fprintf(h.log, "%s: %d queries, %d connections\n", w.name, len(w.list), w.connections)
	all := make([]measured, len(sides))
	for round := range h.rounds + 1 {
		for i := range sides {
			if round%2 == 1 {
				i = len(sides) - 1 - i
			}
			w.list = sides[i].list
			into := &all[i]
			if round == 0 {
				into = &measured{}
			}
			h.load(sides[i].server, w, into)
		}
	}
	return all
}

// compare measures two sides and puts a row into a table: the CPU time of the
// first ÷ that of the second, and what each took.
func (h *harness) compare(t *table, w workload, first, second side) {
	all := h.alternate(w, first, second)
	t.put(w.name, "queries", fmt.Sprint(len(w.list)))
	t.setComparison(w, first.name, second.name, all[0], all[1])
}

func (t *table) setComparison(w workload, first, second string, a, b measured) {
	t.setGoal(w.name, "ratio", goal{atLeast: w.goal}, ratios(a.cpu, b.cpu)...)
	a.putInto(t, w.name, ", "+first)
	b.putInto(t, w.name, ", "+second)
}

// besideBare measures a case: the server and a bare handler that has the same
// responses ready.
func (h *harness) besideBare(t *table, server *process, w workload) {
	h.capture(server, w)
	bare := h.startBare(w.list)
	defer bare.stop()
	h.compare(t, w, side{"bare", bare, w.list}, side{"server", server, w.list})
}

// measureCases measures reads of data, metadata and the catalog, what is slow
// only once, and the import of a large real file.
func (h *harness) measureCases() string {
	s := h.newStores()
	cases, others := &table{what: "case"}, &table{what: "what"}
	h.smallReads(s, cases, others)
	h.catalogReads(s, cases)
	for _, coding := range []string{"identity", "zstd"} {
		h.wholeReads(s, coding, cases, others)
	}
	h.firstReads(s, others)
	h.readiness(s, others)
	h.realImport(others)
	return fmt.Sprintf("Ratio: bare handler's CPU time ÷ the server's. CPU time is that of one request.\n\n%s\n"+
		"In (e) both serve the same bytes. Asked first in zstd, the server renders and compresses what the bare handler has ready; no goal is set for that. Asked again, it sends a file. "+
		"The server keeps rendered responses only of whole datasets.\n\n### Other figures\n\n%s", cases, others)
}

// small is a case with small responses.
func (h *harness) small(name string, goal float64, uris ...string) workload {
	return workload{name: name, goal: goal, list: gets(uris), status: http.StatusOK, connections: 16, requests: h.requests}
}

// smallCases are (a), (b) and (c).
func (h *harness) smallCases(s *stores, random *rand.Rand) []workload {
	return []workload{
		h.small("(a) one series, 5 countries, 20 periods", 0.55, s.seriesQueries(random, h.queries)...),
		h.small("(b) /latest", 0.7, s.everyDataset("/api/datasets/%d/latest")...),
		h.small("(b) /latest of a chosen series and country", 0, s.latestQueries(random, h.queries)...),
		h.small("(c) metadata", 0.8, s.everyDataset("/api/datasets/%d/meta")...),
	}
}

// smallReads measures the cases on the main store: (a), (b), (c), (g), (f).
func (h *harness) smallReads(s *stores, cases, others *table) {
	p := h.serve(s.main)
	defer p.stop()
	random := rand.New(rand.NewPCG(seed, 1))
	list := h.smallCases(s, random)
	if s.sparse != 0 {
		list = append(list, h.small("(g) sparse partner data, tran_r_rapa", 0.55, h.sparseQueries(p, s.sparse, random)...))
	}
	cache := filepath.Join(s.main, "cache")
	before, _ := os.ReadDir(cache) // which may not be there yet
	for i, w := range list {
		h.besideBare(cases, p, w)
		if i == 0 {
			after, _ := os.ReadDir(cache)
			others.put("(a) hit rate of the server's cache of rendered responses, %", "measured", figure(100*float64(len(after)-len(before))/float64(len(w.list))))
		}
	}
	unchanged := h.small("(f) 304 Not Modified to the queries of (a)", 0.8)
	unchanged.status = http.StatusNotModified
	for _, e := range list[0].list {
		unchanged.list = append(unchanged.list, exchange{URI: e.URI, Lines: "If-None-Match: " + e.ETag + "\r\n"})
	}
	h.besideBare(cases, p, unchanged)
}

// catalogReads measures (d) on the store with many datasets.
func (h *harness) catalogReads(s *stores, cases *table) {
	p := h.serve(s.catalog)
	defer p.stop()
	all, german := catalogPages(h.catalog, ""), catalogPages(h.catalog/2, "&country=DE")
	h.besideBare(cases, p, h.small("(d) catalog page of 100", 0.6, all...))
	h.besideBare(cases, p, h.small("(d) catalog page of 100 with country=DE", 0.6, german...))
	h.besideBare(cases, p, h.small("(d) last catalog page", 0.6, all[len(all)-1]))
	h.besideBare(cases, p, h.small("(d) last catalog page with country=DE", 0.6, german[len(german)-1]))
}

// wholeReads measures (e): the whole JSON of large datasets, asked for the first
// time and again. A first time can be had only once a server and dataset, so
// each round starts the server anew, has it read the datasets into memory, and
// then asks.
func (h *harness) wholeReads(s *stores, coding string, cases, others *table) {
	again := workload{name: fmt.Sprintf("(e) whole dataset of %d observations, %s, again", h.million, coding), goal: 0.5, status: http.StatusOK, connections: 1, requests: 30}
	latest := h.small("reading into memory", 0)
	for _, d := range s.million {
		again.list = append(again.list, exchange{URI: fmt.Sprintf("/api/datasets/%d", d.id), Lines: "Accept-Encoding: " + coding + "\r\n"})
		latest.list = append(latest.list, exchange{URI: fmt.Sprintf("/api/datasets/%d/data?latest=true", d.id)})
	}
	first := again
	first.name, first.requests, first.goal = strings.TrimSuffix(again.name, "again")+"first", len(again.list), 0
	if coding == "identity" {
		first.goal = 0.08 // compressing once costs more than sending a hundred times
	}
	fmt.Fprintln(h.log, first.name)
	h.withServer(s.main, func(p *process) { h.capture(p, again) })
	bare := h.startBare(again.list)
	defer bare.stop()
	var ready, one, two measured
	var growths []float64
	for range h.rounds {
		h.load(bare, again, &ready)
		h.withServer(s.main, func(p *process) {
			h.capture(p, latest)
			before, highest, err := memoryDuring(p.cmd.Process.Pid, "VmRSS", func() error { return catch(func() { h.load(p, first, &one) }) })
			check(err)
			growths = append(growths, highest-before)
			h.load(p, again, &two)
		})
	}
	cases.setComparison(first, "bare", "server", ready, one)
	cases.setComparison(again, "bare", "server", ready, two)
	others.setGoal("(e) "+coding+": first byte, ms", "measured", goal{atMost: 20}, one.first...)
	others.setGoal("(e) "+coding+": growth of memory while it streams, highest of all rounds, MB", "measured", goal{atMost: 64}, slices.Max(growths))
	others.set("(e) "+coding+": size of a response, MB", "measured", float64(len(again.list[0].Body))/1e6)
}

// withServer starts a server for some work.
func (h *harness) withServer(dir string, work func(*process)) {
	p := h.serve(dir)
	defer p.stop()
	work(p)
}

// firstReads measures the first response that needs a dataset: the server is
// started anew, and each dataset is asked for one series, over one connection.
func (h *harness) firstReads(s *stores, others *table) {
	random := rand.New(rand.NewPCG(seed, 3))
	var uris []string
	for _, d := range s.small {
		uris = append(uris, d.query(random))
	}
	var small, big measured
	for range h.rounds {
		for into, list := range map[*measured][]string{&small: uris, &big: {s.big.query(random)}} {
			w := h.small("first reads", 0, list...)
			w.connections, w.requests = 1, len(list)
			h.withServer(s.main, func(p *process) { h.load(p, w, into) })
		}
	}
	const what = "(a) on a dataset that is not in memory, opening included (files in the system's cache)"
	others.setGoal(what+", p50 ms", "measured", goal{atMost: 5}, small.p50...)
	others.set(what+", p99 ms", "measured", small.p99...)
	others.set(fmt.Sprintf("the same, for the one with %d series, ms", h.big), "measured", big.p50...)
}

// readiness measures the time from start to the first response of /readyz with
// the large catalog.
func (h *harness) readiness(s *stores, others *table) {
	var times []float64
	for range h.rounds {
		begin := time.Now()
		h.withServer(s.catalog, func(p *process) {
			h.capture(p, h.small("readiness", 0, "/readyz"))
			times = append(times, milliseconds(time.Since(begin)))
		})
	}
	others.setGoal(fmt.Sprintf("start to ready with %d datasets, ms", h.catalog), "measured", goal{atMost: 1000}, times...)
}

// realImport measures how a large real file is imported.
func (h *harness) realImport(others *table) {
	const name = "estat_nama_10_gdp.tsv.gz"
	file := filepath.Join(h.data, "eurostat", "tsv-new", name)
	if _, err := os.Stat(file); err != nil {
		fmt.Fprintf(h.log, "no import is measured: %v\n", err)
		return
	}
	var r importRuns
	for range h.rounds {
		h.importAlone(file, &r)
	}
	const what = "import of " + name + " on one core: "
	others.setGoal(what+"million cells a second of CPU time", "measured", goal{atLeast: 1.5}, ratios(r.cells, r.cpu)...)
	others.set(what+"million cells a second by the clock", "measured", ratios(r.cells, r.wall)...)
	others.setGoal(what+"peak memory, MB", "measured", goal{atMost: 419}, r.memory...)
	others.setGoal(what+"bytes an observation on disk", "measured", goal{atMost: 4}, r.parquet...)
	others.set(what+"the same with the catalog around it", "measured", r.store...)
}

// importRuns are imports of one file into an empty store, on one core: millions
// of cells, seconds, MB of memory, and bytes on disk an observation, in the
// observations' file and in the store.
type importRuns struct{ cells, cpu, wall, memory, parquet, store []float64 }

func (h *harness) importAlone(file string, r *importRuns) {
	dir, remove := h.tempDir()
	defer remove()
	last := h.importWith(pinned, dir, file)
	var parquet, store int64
	check(filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		store += info.Size()
		if filepath.Ext(name) == ".parquet" {
			parquet += info.Size()
		}
		return nil
	}))
	stored := float64(last.Observations.Stored)
	r.cells, r.memory = append(r.cells, float64(last.Observations.Read)/1e6), append(r.memory, last.memory)
	r.cpu, r.wall = append(r.cpu, last.cpu.Seconds()), append(r.wall, last.wall.Seconds())
	r.parquet, r.store = append(r.parquet, float64(parquet)/stored), append(r.store, float64(store)/stored)
}
