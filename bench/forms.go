package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fileServer is the first argument of the child process that serves a file with net/http.
const fileServer = "file-server"

// serveFile serves a file at each address, which the kernel copies to the connection.
func serveFile(file string, log io.Writer) {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Fprintf(log, "listening on http://%s\n", listener.Addr())
	check(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })))
}

// comparedForms are the forms of files that are compared with the JSON of the same
// selection.
var comparedForms = []struct {
	name, extension string
	goal            float64
}{
	{"CSV", ".csv", 1},
	{"SDMX-JSON", ".sdmx.json", 0.5},
	{"JSON-stat", ".jsonstat", 0},
}

// formReads measures files beside the JSON of the same selection, the whole Parquet file
// beside net/http with the same file, and which values still give data.
func (h *harness) formReads(p *process, s *mainStore, parts workload, forms, others *table) {
	large := h.workload("", 0, fmt.Sprintf("/api/datasets/%d/data?period_from=01/2016", s.million[0]))
	large.connections, large.requests = 1, 3
	for _, form := range comparedForms {
		for _, size := range []struct {
			name string
			workload
		}{{"one series, 5 countries, 20 periods", parts}, {"a quarter of a large dataset", large}} {
			name := "(h) " + form.name + ", " + size.name
			if !h.measures(name) {
				continue
			}
			json, other := size.workload, size.workload
			json.list, other.list = slices.Clone(json.list), slices.Clone(json.list)
			for i := range other.list {
				other.list[i] = exchange{URI: strings.Replace(json.list[i].URI, "/data?", "/data"+form.extension+"?", 1)}
			}
			json.name, other.name, json.goal = name, name, form.goal
			h.capture(p, json)
			h.capture(p, other)
			h.compare(forms, json.on(p, "beside: "), other.on(p, "file: "))
		}
	}
	if name := "(i) whole Parquet file"; h.measures(name) {
		h.wholeFile(p, s, name, forms)
	}
	if name := "(j) which values still give data, of " + fmt.Sprint(h.big) + " series"; h.measures(name) {
		w := h.workload(name, 0, fmt.Sprintf("/api/datasets/%d/availability", s.big))
		for _, area := range areas[:20] {
			w.list = append(w.list, exchange{URI: fmt.Sprintf("/api/datasets/%d/availability?country=%s", s.big, area.ID)})
		}
		w.connections, w.requests = 1, 2*len(w.list)
		h.capture(p, w)
		measured := newTable("")
		for range h.rounds {
			h.load(measured, w.on(p, ""))
		}
		others.add(name+": p50 ms", onlyColumn, measured.add(name, "p50 ms").values...).atMost = 30
	}
}

// wholeFile measures the Parquet file of a large dataset beside net/http with that file.
func (h *harness) wholeFile(p *process, s *mainStore, name string, forms *table) {
	w := h.workload(name, 0.9, fmt.Sprintf("/api/datasets/%d/dataset.parquet", s.million[0]))
	w.connections, w.requests = 1, 200
	h.capture(p, w)
	h.withTempDir(func(dir string) {
		file := filepath.Join(dir, "dataset.parquet")
		check(os.WriteFile(file, w.list[0].Body, 0o644))
		plain := h.startServer(nil, h.self, fileServer, file)
		defer plain.stop()
		h.compare(forms, w.on(plain, "beside: "), w.on(p, "file: "))
	})
}
