package main

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// alternate sends workloads in turn, round after round, and reverses their order after
// each round. A first round, which is not measured, warms up the servers.
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
	t.addRatios(first.name, first.prefix+"CPU µs", second.prefix+"CPU µs").atLeast = first.goal
}

// measures reports whether a case is to be measured.
func (h *harness) measures(name string) bool { return strings.Contains(name, h.only) }

// compareWithBare measures the server and a bare handler with the same responses.
func (h *harness) compareWithBare(t *table, server *process, w workload) {
	if !h.measures(w.name) {
		return
	}
	h.capture(server, w)
	bare := h.startBare(w.list)
	defer bare.stop()
	h.compare(t, w.on(bare, "bare: "), w.on(server, "server: "))
}

// measureCases measures reads of data, metadata and the catalogue, first reads,
// and the import of a large real file.
func (h *harness) measureCases() string {
	s := h.mainStore()
	cases, memory, others := newTable("case", "queries", "ratio"), newTable("case", "queries", "ratio"), newTable("what")
	forms := newTable("case", "queries", "ratio")
	h.withServer(s.dir, func(p *process) {
		p.waitIdle()
		parts := h.smallReads(p, s, cases, memory)
		h.formReads(p, s, parts, forms, others)
	})
	h.catalogReads(cases, others)
	h.wholeReads(s, "identity", 0.12, cases, others)
	h.wholeReads(s, "zstd", 0, cases, others) // compressing a response costs more than sending it a hundred times
	if h.only == "" {
		h.firstReads(s, others)
		h.realImport(others)
	}
	return fmt.Sprintf("Ratio: bare handler's CPU time ÷ the server's. CPU time is that of one request.\n\n%s\n"+
		"In (e) both serve the same bytes. For the first request in zstd the server renders and compresses what the bare handler has ready, so this has no goal; for later requests it sends a file. "+
		"The server caches rendered responses only of whole datasets.\n\n### Beside an in-memory server\n\n"+
		"The same requests and responses as in (a), from a plain net/http program that has the data in arrays and writes the JSON anew for each request (`bench/memory.go`). "+
		"Ratio: its CPU time ÷ the server's.\n\n%s\n### Files\n\n"+
		"Files of a selection beside its JSON, from the same server, and the file in which a dataset is stored beside net/http with the same file. "+
		"Ratio: the CPU time of the JSON or of net/http ÷ that of the file.\n\n%s\n### Other figures\n\n%s", cases, memory, forms, others)
}

// catalogReads measures (d), pages of the catalogue, and how long a server with many
// datasets takes to start.
func (h *harness) catalogReads(cases, others *table) {
	if h.only != "" && !strings.HasPrefix(h.only, "(d)") {
		return // the store takes minutes to fill
	}
	catalog := h.catalogStore()
	h.withServer(catalog, func(p *process) {
		p.waitIdle()
		all, german := catalogPages(h.catalog, ""), catalogPages(h.catalog/2, "&country=DE")
		h.compareWithBare(cases, p, h.workload("(d) catalogue page of 100", 0.6, all...))
		h.compareWithBare(cases, p, h.workload("(d) catalogue page of 100 with country=DE", 0.6, german...))
		h.compareWithBare(cases, p, h.workload("(d) last catalogue page", 0.6, all[len(all)-1]))
		h.compareWithBare(cases, p, h.workload("(d) last catalogue page with country=DE", 0.6, german[len(german)-1]))
	})
	for range h.rounds {
		begin := time.Now()
		h.withServer(catalog, func(p *process) {
			h.capture(p, h.workload("readiness", 0, "/readyz"))
			others.add(fmt.Sprintf("start to ready with %d datasets, ms", h.catalog), onlyColumn, milliseconds(time.Since(begin))).atMost = 1000
		})
	}
}

// smallCases returns the cases (a), (b) and (c).
func (h *harness) smallCases(p *process, s *mainStore) []workload {
	queries := slices.Concat(h.partQueries(p, h.queries*19/20/len(s.small), s.small...), h.partQueries(p, h.queries/20, s.big))
	return []workload{
		h.workload("(a) one series, 5 countries, 20 periods", 0.65, queries...),
		h.workload("(b) /latest", 0.7, addresses("/api/datasets/%d/latest", s.generated)...),
		h.workload("(c) metadata", 0.8, addresses("/api/datasets/%d/meta", s.generated)...),
	}
}

// latestOf returns the requests for the latest values of the series of other requests.
func latestOf(list []exchange) (uris []string) {
	for _, e := range list {
		address, query, _ := strings.Cut(e.URI, "/data?")
		values := must(url.ParseQuery(query))
		maps.DeleteFunc(values, func(name string, _ []string) bool { return !strings.HasPrefix(name, "dim") })
		uris = append(uris, address+"/latest?"+values.Encode())
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}

// smallReads measures the cases on the main store: (a), (b), (c), (g), (f), and (a) beside
// an in-memory server. It returns the workload of (a).
func (h *harness) smallReads(p *process, s *mainStore, cases, memory *table) workload {
	list := h.smallCases(p, s)
	list = append(list, h.workload("(b) /latest of a chosen series", 0.65, latestOf(list[0].list)...))
	if s.sparse != 0 {
		list = append(list, h.workload("(g) sparse partner data, tran_r_rapa", 0.55, h.partQueries(p, h.queries, s.sparse)...))
	}
	for _, w := range list {
		h.compareWithBare(cases, p, w)
	}
	if part := list[0]; h.measures(part.name) {
		peer := h.startMemory(p, append(slices.Clone(s.small), s.big))
		part.goal = 1.3
		h.compare(memory, part.on(peer, "in memory: "), part.on(p, "server: "))
		peer.stop()
	}
	if !h.measures("(f) 304") {
		return list[0]
	}
	if list[0].list[0].Status == 0 {
		h.capture(p, list[0])
	}
	unchanged := h.workload("(f) 304 Not Modified to the queries of (a)", 0.8)
	unchanged.status = http.StatusNotModified
	for _, e := range list[0].list {
		unchanged.list = append(unchanged.list, exchange{URI: e.URI, Lines: "If-None-Match: " + e.ETag + "\r\n"})
	}
	h.compareWithBare(cases, p, unchanged)
	return list[0]
}

// wholeReads measures (e): the whole JSON of large datasets, for the first request
// and for later ones. Each round restarts the server, because it has only one first
// request for a dataset, and lets it read the datasets into memory and finish the work of its
// start. For the bare handler all requests are alike.
func (h *harness) wholeReads(s *mainStore, coding string, firstGoal float64, cases, others *table) {
	name := fmt.Sprintf("(e) whole dataset of %d observations, %s, ", h.million, coding)
	again := h.workload(name+"again", 0.5, addresses("/api/datasets/%d", s.million)...)
	again.connections, again.requests = 1, 30
	for i := range again.list {
		again.list[i].Lines = "Accept-Encoding: " + coding + "\r\n"
	}
	first := again
	if first.name, first.requests, first.goal = name+"first", len(again.list), firstGoal; !h.measures(first.name) {
		return
	}
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
			h.capture(p, h.workload("reading into memory", 0, addresses("/api/datasets/%d/data?latest=true", s.million)...))
			p.waitIdle()
			before := memoryOf(p.cmd.Process.Pid, "VmRSS")
			highest := memoryDuring(p.cmd.Process.Pid, "VmRSS", func() { h.load(cases, first.on(p, "server: ")) })
			growth = max(growth, highest-before)
			h.load(cases, again.on(p, "server: "))
		})
	}
	for _, w := range []workload{first, again} {
		cases.addRatios(w.name, "bare: CPU µs", "server: CPU µs").atLeast = w.goal
	}
	cases.add(first.name, "server: first byte ms").atMost = 20
	others.add("(e) "+coding+": growth of memory while it streams, highest of all rounds, MB", onlyColumn, growth).atMost = 67
	others.add("(e) "+coding+": size of a response, MB", onlyColumn, float64(len(again.list[0].Body))/1e6)
}

// firstReads measures the first response that needs a dataset. Each round restarts
// the server and requests one series of each dataset, over one connection.
func (h *harness) firstReads(s *mainStore, others *table) {
	var w workload
	h.withServer(s.dir, func(p *process) { w = h.workload("first reads", 0, h.partQueries(p, 1, s.small...)...) })
	w.connections, w.requests = 1, len(w.list)
	opened := newTable("")
	for range h.rounds {
		h.withServer(s.dir, func(p *process) { h.load(opened, w.on(p, "")) })
	}
	others.add("(a) from a dataset that is not in memory, whose file is in the system's cache: p50 ms", onlyColumn, opened.add(w.name, "p50 ms").values...).atMost = 5
}

// realImport measures the import of a large file into an empty store, on one core.
func (h *harness) realImport(others *table) {
	const name = "estat_nama_10_gdp.tsv.gz"
	file := filepath.Join(h.data, "eurostat", "tsv-new", name)
	if _, err := os.Stat(file); err != nil {
		fmt.Fprintf(h.log, "no import is measured: %v\n", err)
		return
	}
	const what = "import of " + name + " on one core: "
	for range h.rounds {
		h.withTempDir(func(dir string) {
			var result importResult
			r := h.command(&result, pinToCore(h.importCommand(dir, file)...)...)
			size := 0.0
			for _, parquet := range must(filepath.Glob(filepath.Join(dir, "vintages", "*", "*", "*.parquet"))) {
				size += float64(must(os.Stat(parquet)).Size())
			}
			if size == 0 {
				check(errors.New("the import left no Parquet file"))
			}
			others.add(what+"million cells a second of CPU time", onlyColumn, float64(result.Observations.Read)/1e6/r.cpu.Seconds()).atLeast = 1.5
			others.add(what+"peak memory, MB", onlyColumn, r.memory).atMost = 419
			others.add(what+"bytes an observation on disk", onlyColumn, size/float64(result.Observations.Stored)).atMost = 4
		})
	}
}

// manyConnections are the connections of many clients at once. They send
// longerRound times as many requests in a round, so that it takes long enough.
const (
	manyConnections = 256
	longerRound     = 3
)

// measureMeter measures the cost of keys and of counting requests: the cases (a),
// (b) and (c) in turn with a key and without one, when nothing is counted, and
// then one key over many connections. The main store gets an account database for
// it, which is removed afterwards.
func (h *harness) measureMeter() string {
	s, t := h.mainStore(), newTable("case", "queries", "ratio")
	defer func() {
		for _, name := range must(filepath.Glob(filepath.Join(s.dir, "access.*"))) {
			check(os.Remove(name))
		}
	}()
	var created struct{ Key string }
	h.command(&created, h.binary, "key", "create", "--data", s.dir, "--account", "bench", "--tier", "pro", "--json")
	h.withServer(s.dir, func(p *process) {
		var with workload
		for _, w := range h.smallCases(p, s) {
			w.name, w.goal = w.name+", with a key", 0.8
			h.capture(p, w)
			with = w.on(p, "with: ")
			with.list = slices.Clone(w.list)
			for i := range with.list {
				with.list[i].Lines = "X-API-Key: " + created.Key + "\r\n"
			}
			h.compare(t, w.on(p, "without: "), with)
		}
		with.name += fmt.Sprintf(", from %d connections at once", manyConnections)
		with.connections, with.requests = manyConnections, longerRound*h.requests
		h.alternate(t, with)
		t.add(with.name, "with: requests/s").atLeast = 20_000
	}, "--limits", "anonymous=unlimited,pro=1000000000")
	return fmt.Sprintf("The same server serves the same requests in turn without a key, when anonymous callers have no limit and nothing is counted, and with the key of an account whose requests are counted on the disk before they are served. "+
		"Ratio: CPU time without a key ÷ with one. Many connections share the cores with the load generator.\n\n%s", t)
}
