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
	dir, remove := h.tempDir()
	defer remove()
	offices := must(json.Marshal(map[string]any{"offices": []map[string]string{{
		"id": "many", "name": "Many datasets", "kind": "files", "address": office.URL,
		"contents": office.URL + "/contents.tsv", "data": office.URL + "/{code}",
	}}}))
	check(os.WriteFile(filepath.Join(dir, "sources.json"), offices, 0o644))
	h.command(h.binary, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "many:*")
	// Datasets of other sources, so that the catalogue has a full page.
	h.importFiles(dir, files[:len(files)/10]...)
	t := newTable("what", measured)
	h.catalogDuring(dir, t, func() { h.syncOnce(dir, nil, 600, t) })
	h.syncOnce(dir, []string{"many:*"}, 60, t)
	return fmt.Sprintf("An office on the loopback (a file server, `Last-Modified` its only validator) has %d datasets of %d observations each, files of all the formats above in turn. "+
		"They are watched by one pattern, and `almanac sync` makes two rounds, with one connection to the office. During the first round a server on the same store was asked for the catalog; "+
		"a tenth as many datasets of others were there before, so that the page had its length.\n\n%s", len(files), smallCells, t)
}

// syncOnce makes one round: without references the first one, in which all
// datasets are new, else one over the matching datasets, due or not.
func (h *harness) syncOnce(dir string, refs []string, seconds float64, t *table) {
	r := h.command(append([]string{h.binary, "sync", "--data", dir, "--networks", "127.0.0.1/32", "--json"}, refs...)...)
	var total struct{ Created, Unchanged int }
	check(json.Unmarshal(r.lastLine, &total))
	name, found := "all are new", total.Created+total.Unchanged
	if refs != nil {
		name, found = "nothing has changed", total.Unchanged
	}
	if found != h.smallFiles {
		check(fmt.Errorf("%s: %d of %d datasets: %s", name, found, h.smallFiles, r.lastLine))
	}
	t.addMeasured(name+": seconds", r.wall.Seconds(), goal{atMost: seconds})
	t.addMeasured(name+": ms a dataset", milliseconds(r.wall)/float64(found), goal{})
	t.put(name+": created, unchanged", measured, fmt.Sprintf("%d, %d", total.Created, total.Unchanged))
	t.addMeasured(name+": peak memory, MB", r.memory, goal{atMost: 524})
}
