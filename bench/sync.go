package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"
)

// measureSync watches all files of an office and makes two rounds: one in which all files
// are new, while a server on the same store serves catalogue requests, and one in which
// nothing has changed.
func (h *harness) measureSync() string {
	fmt.Fprintf(h.log, "synchronising %d datasets of %d observations\n", h.watched, watchedAreas*watchedMonths)
	t := newTable("what")
	h.withTempDir(func(folder string) {
		files := h.generateWatched(folder)
		office := httptest.NewServer(http.FileServer(http.Dir(folder)))
		defer office.Close()
		dir := filepath.Join(folder, "store")
		check(os.Mkdir(dir, 0o755))
		offices := must(json.Marshal(map[string]any{"offices": []map[string]string{{
			"id": "many", "name": "Many datasets", "kind": "files", "address": office.URL,
			"contents": office.URL + "/contents.tsv", "data": office.URL + "/{code}",
		}}}))
		check(os.WriteFile(filepath.Join(dir, "sources.json"), offices, 0o644))
		h.command(nil, h.binary, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "many:*")
		// Datasets of another source, so that the catalogue has a full page.
		h.command(nil, h.importCommand(dir, files[:len(files)/10]...)...)
		h.withServer(dir, func(p *process) {
			idle := h.requestCatalog(p, func() { time.Sleep(min(5*time.Second, time.Duration(h.watched)*time.Millisecond)) })
			busy := h.requestCatalog(p, func() { h.syncOnce(dir, t, "all are new", 600) })
			t.add("catalogue page of 100 while the server is idle: p50 ms", onlyColumn, quantile(idle, 50))
			t.add("catalogue page of 100 during this round: p50 ms", onlyColumn, quantile(busy, 50))
			t.add("catalogue page of 100 during this round: p99 ms", onlyColumn, quantile(busy, 99))
			t.add("catalogue page of 100 during this round: times the idle p50", onlyColumn, quantile(busy, 50)/quantile(idle, 50)).atMost = 2
		})
		h.syncOnce(dir, t, "nothing has changed", 60, "many:*")
	})
	return fmt.Sprintf("An office on the loopback, a file server whose only validator is `Last-Modified`, has %d datasets of %d observations each, in SDMX-CSV. "+
		"One pattern watches them, and `almanac sync` makes two rounds, with one connection to the office. The store already has a tenth as many datasets of another source, "+
		"so that the catalogue page is full. A client requests it every %v during the first round from a server on the same store.\n\n%s", h.watched, watchedAreas*watchedMonths, requestInterval, t)
}

// The series and periods of each dataset that is kept up to date.
const (
	watchedAreas  = 5
	watchedMonths = 200
)

// generateWatched writes the office's files, one for each dataset, and their list.
func (h *harness) generateWatched(folder string) (files []string) {
	random := rand.New(rand.NewPCG(seed, 2))
	createFile(filepath.Join(folder, "contents.tsv"), func(contents io.Writer) error {
		for n := range h.watched {
			name := fmt.Sprintf("%05d.csv", n)
			must(fmt.Fprintf(contents, "%s\tMade up\n", name))
			files = append(files, filepath.Join(folder, name))
			createFile(files[n], func(w io.Writer) error {
				must(fmt.Fprintln(w, "DATAFLOW,LAST UPDATE,freq,unit,item,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG"))
				for i := range watchedAreas * watchedMonths {
					month := i % watchedMonths
					must(fmt.Fprintf(w, "ESTAT:MADE_UP_%05d(1.0),27/10/23 23:00:00,M,PC,I0,%s,%d-%02d,%.1f,\n",
						n, areas[i/watchedMonths].ID, 2005+month/12, month%12+1, random.Float64()*100_000))
				}
				return nil
			})
		}
		return nil
	})
	return files
}

const requestInterval = 5 * time.Millisecond // of catalogue requests

// requestCatalog requests a page of the catalogue until work is done, and returns the
// response times in milliseconds.
func (h *harness) requestCatalog(p *process, work func()) (times []float64) {
	c := dial(h.ctx, p)
	defer c.Close()
	during(requestInterval, work, func() {
		c.exchange(&exchange{URI: "/api/datasets?limit=100"}, http.StatusOK)
		times = append(times, milliseconds(c.whole))
	})
	return times
}

// syncOnce makes one round: over the datasets that are due, or with references over
// those that match, due or not.
func (h *harness) syncOnce(dir string, t *table, name string, goal float64, refs ...string) {
	var total struct{ Created, Unchanged int }
	r := h.command(&total, append([]string{h.binary, "sync", "--data", dir, "--networks", "127.0.0.1/32", "--json"}, refs...)...)
	if total.Created+total.Unchanged != h.watched || refs != nil && total.Created > 0 {
		check(fmt.Errorf("%s: %+v, want %d datasets", name, total, h.watched))
	}
	t.add(name+": seconds", onlyColumn, r.wall.Seconds()).atMost = goal
	t.add(name+": peak memory, MB", onlyColumn, r.memory).atMost = 524
}
