package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
)

// measureSync watches all files of an office and makes two rounds: one in which
// all are new, while a server on the same store answers catalogue requests, and
// one in which nothing has changed.
func (h *harness) measureSync() string {
	folder, files := h.generateSmall()
	fmt.Fprintf(h.log, "synchronising %d datasets of %d observations\n", len(files), smallCells)
	createFile(filepath.Join(folder, "contents.tsv"), func(w io.Writer) error {
		for _, f := range files {
			must(fmt.Fprintf(w, "%s\tMade up, %s\n", filepath.Base(f), filepath.Ext(f)))
		}
		return nil
	})
	office := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer office.Close()
	t := newTable("what")
	h.withTempDir(func(dir string) {
		offices := must(json.Marshal(map[string]any{"offices": []map[string]string{{
			"id": "many", "name": "Many datasets", "kind": "files", "address": office.URL,
			"contents": office.URL + "/contents.tsv", "data": office.URL + "/{code}",
		}}}))
		check(os.WriteFile(filepath.Join(dir, "sources.json"), offices, 0o644))
		h.command(h.binary, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "many:*")
		// Datasets of other sources, so that the catalogue has a full page.
		h.importFiles(dir, files[:len(files)/10]...)
		h.catalogDuring(dir, t, func() { h.syncOnce(dir, t, "all are new", 600) })
		h.syncOnce(dir, t, "nothing has changed", 60, "many:*")
	})
	return fmt.Sprintf("An office on the loopback (a file server, `Last-Modified` its only validator) has %d datasets of %d observations each, files of all the formats above in turn. "+
		"They are watched by one pattern, and `almanac sync` makes two rounds, with one connection to the office. During the first round a server on the same store was asked for the catalog; "+
		"a tenth as many datasets of others were there before, so that the page had its length.\n\n%s", len(files), smallCells, t)
}

// syncOnce makes one round: without references over what is due, else over the
// matching datasets, due or not.
func (h *harness) syncOnce(dir string, t *table, name string, goal float64, refs ...string) {
	r := h.command(append([]string{h.binary, "sync", "--data", dir, "--networks", "127.0.0.1/32", "--json"}, refs...)...)
	var total struct{ Created, Unchanged int }
	check(json.Unmarshal(r.lastLine, &total))
	if total.Created+total.Unchanged != h.smallFiles || refs != nil && total.Created > 0 {
		check(fmt.Errorf("%s: created and unchanged are not the %d datasets: %s", name, h.smallFiles, r.lastLine))
	}
	t.add(name+": seconds", measured, r.wall.Seconds()).atMost = goal
	t.add(name+": ms a dataset", measured, milliseconds(r.wall)/float64(h.smallFiles))
	t.add(name+": created", measured, float64(total.Created))
	t.add(name+": unchanged", measured, float64(total.Unchanged))
	t.add(name+": peak memory, MB", measured, r.memory).atMost = 524
}
