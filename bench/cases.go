package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const seed = 2026 // of all random queries

// alternate sends workloads in turn, round after round, and reverses their order
// after each. One more round before warms the servers up.
func (h *harness) alternate(t *table, list ...workload) {
	fmt.Fprintf(h.log, "%s: %d queries, %d connections\n", list[0].name, len(list[0].list), list[0].connections)
	for _, w := range list {
		h.load(newTable(""), w)
	}
	for range h.rounds {
		for _, w := range list {
			h.load(t, w)
		}
		slices.Reverse(list)
	}
}

// compare measures the workloads of a case and adds the ratio of their CPU times.
func (h *harness) compare(t *table, first, second workload) {
	t.add(first.name, "queries", float64(len(first.list)))
	h.alternate(t, first, second)
	t.addRatios(first.name, "ratio", first.prefix+"CPU µs", second.prefix+"CPU µs").atLeast = first.goal
}

// besideBare measures the server and a bare handler with the same responses.
func (h *harness) besideBare(t *table, server *process, w workload) {
	h.capture(server, w)
	bare := h.startBare(w.list)
	defer bare.stop()
	h.compare(t, w.on(bare, "bare: "), w.on(server, "server: "))
}

// measureCases measures reads of data, metadata and the catalogue, first reads,
// and the import of a large real file.
func (h *harness) measureCases() string {
	s, catalog := h.mainStore(), h.catalogStore()
	cases, opened, others := newTable("case", "queries", "ratio"), newTable("dataset"), newTable("what")
	h.withServer(s.dir, func(p *process) { h.smallReads(p, s, cases, others) })
	h.withServer(catalog, func(p *process) {
		all, german := catalogPages(h.catalog, ""), catalogPages(h.catalog/2, "&country=DE")
		h.besideBare(cases, p, h.workload("(d) catalog page of 100", 0.6, all...))
		h.besideBare(cases, p, h.workload("(d) catalog page of 100 with country=DE", 0.6, german...))
		h.besideBare(cases, p, h.workload("(d) last catalog page", 0.6, all[len(all)-1]))
		h.besideBare(cases, p, h.workload("(d) last catalog page with country=DE", 0.6, german[len(german)-1]))
	})
	h.wholeReads(s, "identity", 0.08, cases, others)
	h.wholeReads(s, "zstd", 0, cases, others) // compressing once costs more than sending a hundred times
	h.firstReads(s, opened)
	for range h.rounds {
		begin := time.Now()
		h.withServer(catalog, func(p *process) {
			h.capture(p, h.workload("readiness", 0, "/readyz"))
			others.add(fmt.Sprintf("start to ready with %d datasets, ms", h.catalog), onlyColumn, milliseconds(time.Since(begin))).atMost = 1000
		})
	}
	h.realImport(others)
	return fmt.Sprintf("Ratio: bare handler's CPU time ÷ the server's. CPU time is that of one request.\n\n%s\n"+
		"In (e) both serve the same bytes. For the first request in zstd the server renders and compresses what the bare handler has ready, so this has no goal; for later requests it sends a file. "+
		"The server caches rendered responses only of whole datasets.\n\n### Datasets that are not in memory\n\n"+
		"One series of each dataset. The time includes opening the dataset, whose file is in the system's cache.\n\n%s\n### Other figures\n\n%s", cases, opened, others)
}

// smallCases returns the cases (a), (b) and (c).
func (h *harness) smallCases(s *mainStore, random *rand.Rand) []workload {
	return []workload{
		h.workload("(a) one series, 5 countries, 20 periods", 0.55, s.seriesQueries(random, h.queries)...),
		h.workload("(b) /latest", 0.7, s.everyDataset("/api/datasets/%d/latest")...),
		h.workload("(b) /latest of a chosen series and country", 0, s.latestQueries(random, h.queries)...),
		h.workload("(c) metadata", 0.8, s.everyDataset("/api/datasets/%d/meta")...),
	}
}

// smallReads measures the cases on the main store: (a), (b), (c), (g), (f).
func (h *harness) smallReads(p *process, s *mainStore, cases, others *table) {
	random := rand.New(rand.NewPCG(seed, 1))
	list := h.smallCases(s, random)
	if s.sparse != 0 {
		list = append(list, h.workload("(g) sparse partner data, tran_r_rapa", 0.55, h.sparseQueries(p, s.sparse, random)...))
	}
	cache := filepath.Join(s.dir, "cache")
	before, _ := os.ReadDir(cache) // it may not exist yet
	for i, w := range list {
		h.besideBare(cases, p, w)
		if i == 0 {
			after, _ := os.ReadDir(cache)
			others.add("(a) hit rate of the server's cache of rendered responses, %", onlyColumn, 100*float64(len(after)-len(before))/float64(len(w.list)))
		}
	}
	unchanged := h.workload("(f) 304 Not Modified to the queries of (a)", 0.8)
	unchanged.status = http.StatusNotModified
	for _, e := range list[0].list {
		unchanged.list = append(unchanged.list, exchange{URI: e.URI, Lines: "If-None-Match: " + e.ETag + "\r\n"})
	}
	h.besideBare(cases, p, unchanged)
}

// wholeReads measures (e): the whole JSON of large datasets, for the first request
// and for later ones. Each round restarts the server, because it has only one first
// request for a dataset, and lets it read the datasets into memory. For the bare
// handler all requests are alike.
func (h *harness) wholeReads(s *mainStore, coding string, firstGoal float64, cases, others *table) {
	name := fmt.Sprintf("(e) whole dataset of %d observations, %s, ", h.million, coding)
	again := h.workload(name+"again", 0.5)
	again.connections, again.requests = 1, 30
	latest := h.workload("reading into memory", 0)
	for _, d := range s.million {
		again.list = append(again.list, exchange{URI: fmt.Sprintf("/api/datasets/%d", d.id), Lines: "Accept-Encoding: " + coding + "\r\n"})
		latest.list = append(latest.list, exchange{URI: fmt.Sprintf("/api/datasets/%d/data?latest=true", d.id)})
	}
	first := again
	first.name, first.requests, first.goal = name+"first", len(again.list), firstGoal
	fmt.Fprintln(h.log, first.name)
	h.withServer(s.dir, func(p *process) { h.capture(p, again) })
	bare := h.startBare(again.list)
	defer bare.stop()
	growth := 0.0
	for range h.rounds {
		for _, w := range []workload{first, again} {
			w.requests = again.requests
			h.load(cases, w.on(bare, "bare: "))
		}
		h.withServer(s.dir, func(p *process) {
			h.capture(p, latest)
			before := memoryOf(p.cmd.Process.Pid, "VmRSS")
			highest, err := memoryDuring(p.cmd.Process.Pid, "VmRSS", func() error { return catch(func() { h.load(cases, first.on(p, "server: ")) }) })
			check(err)
			growth = max(growth, highest-before)
			h.load(cases, again.on(p, "server: "))
		})
	}
	for _, w := range []workload{first, again} {
		cases.addRatios(w.name, "ratio", "bare: CPU µs", "server: CPU µs").atLeast = w.goal
	}
	cases.add(first.name, "server: first byte ms").atMost = 20
	others.add("(e) "+coding+": growth of memory while it streams, highest of all rounds, MB", onlyColumn, growth).atMost = 67
	others.add("(e) "+coding+": size of a response, MB", onlyColumn, float64(len(again.list[0].Body))/1e6)
}

// firstReads measures the first response that needs a dataset. Each round restarts
// the server and requests one series of each dataset, over one connection.
func (h *harness) firstReads(s *mainStore, opened *table) {
	random := rand.New(rand.NewPCG(seed, 3))
	small := h.workload("small ones, as in (a)", 0)
	for _, d := range s.small {
		small.list = append(small.list, exchange{URI: d.query(random)})
	}
	for range h.rounds {
		for _, w := range []workload{small, h.workload(fmt.Sprintf("the one with %d series", h.big), 0, s.big.query(random))} {
			w.connections, w.requests = 1, len(w.list)
			h.withServer(s.dir, func(p *process) { h.load(opened, w.on(p, "")) })
		}
	}
	opened.add(small.name, "p50 ms").atMost = 5
}

func (h *harness) realImport(others *table) {
	const name = "estat_nama_10_gdp.tsv.gz"
	file := filepath.Join(h.data, "eurostat", "tsv-new", name)
	if _, err := os.Stat(file); err != nil {
		fmt.Fprintf(h.log, "no import is measured: %v\n", err)
		return
	}
	const what = "import of " + name + " on one core: "
	for range h.rounds {
		r, parquet, all := h.importAlone(file)
		cells, stored := float64(r.Observations.Read)/1e6, float64(r.Observations.Stored)
		others.add(what+"million cells a second of CPU time", onlyColumn, cells/r.cpu.Seconds()).atLeast = 1.5
		others.add(what+"million cells a second by the clock", onlyColumn, cells/r.wall.Seconds())
		others.add(what+"peak memory, MB", onlyColumn, r.memory).atMost = 419
		others.add(what+"bytes an observation on disk", onlyColumn, parquet/stored).atMost = 4
		others.add(what+"the same with the catalog around it", onlyColumn, all/stored)
	}
}

// importAlone imports one file into an empty store, on one core. It also returns
// the sizes of the version's file and of the whole store.
func (h *harness) importAlone(file string) (r importResult, parquet, all float64) {
	h.withTempDir(func(dir string) {
		r.commandRun = h.command(&r, pinned(h.importing(dir, file)...)...)
		check(fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			size := float64(must(entry.Info()).Size())
			all += size
			if filepath.Ext(name) == ".parquet" {
				parquet += size
			}
			return nil
		}))
	})
	return r, parquet, all
}
