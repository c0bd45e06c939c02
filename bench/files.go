package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonstat"
	"almanac/internal/format/px"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxml"
)

// measureFiles measures reading generated files of several formats, and importing
// many small ones while a server answers requests.
func (h *harness) measureFiles() string {
	formats, many := newTable("format", "MB", "observations", "reader, MB/s", "library, MB/s", "ratio"), newTable("what")
	for _, f := range fileFormats {
		h.readFormat(f, formats)
	}
	_, files := h.generateSmall()
	fmt.Fprintf(h.log, "importing %d files of %d observations\n", len(files), smallCells)
	h.withTempDir(func(dir string) {
		h.importFiles(dir, files[:len(files)/10]...)
		h.catalogDuring(dir, many, func() {
			all := h.importFiles(dir, files...)
			what := fmt.Sprintf("%d files of %d observations each, in all these formats in turn, imported by one command: ", len(files), smallCells)
			many.add(what+"seconds", onlyColumn, all.wall.Seconds()).atMost = 600
			many.add("ms a file", onlyColumn, milliseconds(all.wall)/float64(len(files)))
			many.add("peak memory, MB", onlyColumn, all.memory)
		})
	})
	return fmt.Sprintf("Generated files, read on one core, in MB per second of CPU time. The reader (`format.Read`) yields every observation; in turn with it, a Go library parses the same file and does nothing else. "+
		"The import is the whole `almanac import`, from the program's start to the stored version. Peaks are the memory of each process.\n\n%s\n%s", formats, many)
}

// readFormat measures one large file: the reader and the library in turn, then the
// whole import.
func (h *harness) readFormat(f fileFormat, t *table) {
	path := filepath.Join(h.dir, "files", fmt.Sprintf("%d-%s", h.cells, f.name))
	h.generate(f, path, h.cells, "MADE_UP")
	mb := float64(must(os.Stat(path)).Size()) / 1e6
	fmt.Fprintf(h.log, "reading %s, %.0f MB\n", f.what, mb)
	row, readers := f.what, []string{ourReader}
	if f.library != "" {
		row, readers = f.what+", beside "+f.library, append(readers, f.library)
	}
	t.add(row, "MB", mb)
	for round := range h.rounds {
		for _, name := range readers {
			var r reading
			h.command(&r, pinned(h.self, "read", path, name)...)
			if name != ourReader {
				t.add(row, "library, MB/s", mb/r.CPU.Seconds())
				continue
			}
			if round == 0 {
				t.add(row, "observations", float64(r.Cells))
			}
			t.add(row, "reader, MB/s", mb/r.CPU.Seconds()).atLeast = f.goal
			t.add(row, "reader, peak MB", r.Memory)
		}
		slices.Reverse(readers)
		r, _, _ := h.importAlone(path)
		t.add(row, "import, MB/s", mb/r.cpu.Seconds())
		t.add(row, "import, million cells a second", float64(r.Observations.Read)/1e6/r.cpu.Seconds())
		t.add(row, "import, peak MB", r.memory)
	}
	if f.library != "" {
		t.addRatios(row, "ratio", "reader, MB/s", "library, MB/s")
	}
}

func (h *harness) generate(f fileFormat, path string, cells int, code string) {
	if !exists(path) {
		createFile(path, func(w io.Writer) error { return f.write(w, cells, code) })
	}
}

// reading is one pass over a file.
type reading struct {
	Cells  int           // observations; 0 for a library
	CPU    time.Duration // user and system
	Memory float64       // of the process at its peak, MB
}

// ourReader names the reader that is compared with libraries.
const ourReader = "almanac"

// runRead is the role "read": it reads a file once, with our reader or a library,
// and prints a [reading].
func runRead(args []string, _ io.Reader, stdout io.Writer) {
	f := must(os.Open(args[0]))
	defer f.Close()
	begin, cells := cpuOf(os.Getpid()), 0
	if args[1] == ourReader {
		cells = readAlmanac(f)
	} else if err := libraries[args[1]](f); !errors.Is(err, io.EOF) {
		check(err)
	}
	check(json.NewEncoder(stdout).Encode(reading{cells, cpuOf(os.Getpid()) - begin, memoryOf(os.Getpid(), "VmHWM")}))
}

// readAlmanac reads a file with the format that recognises it, and counts the
// observations.
func readAlmanac(f *os.File) (cells int) {
	head := make([]byte, 64<<10)
	n, _ := f.ReadAt(head, 0) // the file may be shorter
	in := format.Input{Name: filepath.Base(f.Name()), Data: f, Again: func() (io.ReadCloser, error) { return os.Open(f.Name()) }}
	formats := slices.Concat(sdmxml.Formats(), sdmxcsv.Formats(), px.Formats(), jsonstat.Formats())
	at := slices.IndexFunc(formats, func(f format.Format) bool { return f.Read != nil && f.Recognise(in.Name, head[:n]) })
	if at < 0 {
		check(fmt.Errorf("no format recognises %s", f.Name()))
	}
	for t, err := range formats[at].Read(context.Background(), in) {
		check(err)
		for _, err := range t.Observations {
			check(err)
			cells++
		}
	}
	return cells
}

// libraries parse a file and do nothing else, up to io.EOF or another error.
var libraries = map[string]func(io.Reader) error{
	"encoding/xml": func(f io.Reader) (err error) {
		for d := xml.NewDecoder(f); err == nil; {
			_, err = d.RawToken()
		}
		return err
	},
	"encoding/csv": func(f io.Reader) (err error) {
		r := csv.NewReader(f)
		r.ReuseRecord = true
		for err == nil {
			_, err = r.Read()
		}
		return err
	},
	"encoding/json": func(f io.Reader) error {
		var cube struct{ Value []*float64 }
		return json.Unmarshal(must(io.ReadAll(f)), &cube)
	},
}

const smallCells = 1000 // observations in each small file

// generateSmall writes many small files of all formats, each with its own dataset.
func (h *harness) generateSmall() (dir string, files []string) {
	dir = filepath.Join(h.dir, "files", fmt.Sprintf("many-%d", h.smallFiles))
	for n := range h.smallFiles {
		f := fileFormats[n%len(fileFormats)]
		path := filepath.Join(dir, fmt.Sprintf("%05d-%s", n, f.name))
		h.generate(f, path, smallCells, fmt.Sprintf("MADE_UP_%05d", n))
		files = append(files, path)
	}
	return dir, files
}

const requestInterval = 5 * time.Millisecond // of catalogue requests

// catalogDuring starts a server on a store and measures its catalogue responses,
// first idle and then during work.
func (h *harness) catalogDuring(dir string, t *table, work func()) {
	idle := func() { time.Sleep(min(5*time.Second, time.Duration(h.smallFiles)*time.Millisecond)) }
	h.withServer(dir, func(p *process) {
		before, during := h.requestCatalog(p, idle), h.requestCatalog(p, work)
		what := fmt.Sprintf("catalog page of 100, requested every %v meanwhile from a server on the same store: ", requestInterval)
		t.add(what+"median ms", onlyColumn, median(during))
		t.add(what+"p99 ms", onlyColumn, quantile(during, 99))
		t.add("the same while the server was idle: median ms", onlyColumn, median(before))
		t.add("the same while the server was idle: p99 ms", onlyColumn, quantile(before, 99))
		t.add("times the idle median", onlyColumn, median(during)/median(before)).atMost = 2
	})
}

// requestCatalog requests a page of the catalogue until work is done, and returns the
// response times in milliseconds.
func (h *harness) requestCatalog(p *process, work func()) (times []float64) {
	c := dial(h.ctx, p)
	defer c.Close()
	done := make(chan error, 1)
	go func() { done <- catch(work) }()
	for {
		select {
		case err := <-done:
			check(err)
			return times
		case <-time.After(requestInterval):
			c.exchange(&exchange{URI: "/api/datasets?limit=100"}, "", http.StatusOK, false)
			times = append(times, milliseconds(c.whole))
		}
	}
}

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
		h.command(nil, h.binary, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "many:*")
		// Datasets of other sources, so that the catalogue has a full page.
		h.importFiles(dir, files[:len(files)/10]...)
		h.catalogDuring(dir, t, func() { h.syncOnce(dir, t, "all are new", 600) })
		h.syncOnce(dir, t, "nothing has changed", 60, "many:*")
	})
	return fmt.Sprintf("An office on the loopback, a file server whose only validator is `Last-Modified`, has %d datasets of %d observations each, in all the formats above in turn. "+
		"One pattern watches them, and `almanac sync` makes two rounds, with one connection to the office. The store already has a tenth as many datasets of other sources, "+
		"so that the catalog page requested during the first round is full.\n\n%s", len(files), smallCells, t)
}

// syncOnce makes one round: without references over what is due, else over the
// matching datasets, due or not.
func (h *harness) syncOnce(dir string, t *table, name string, goal float64, refs ...string) {
	var total struct{ Created, Unchanged int }
	r := h.command(&total, append([]string{h.binary, "sync", "--data", dir, "--networks", "127.0.0.1/32", "--json"}, refs...)...)
	if total.Created+total.Unchanged != h.smallFiles || refs != nil && total.Created > 0 {
		check(fmt.Errorf("%s: %+v, want %d datasets", name, total, h.smallFiles))
	}
	t.add(name+": seconds", onlyColumn, r.wall.Seconds()).atMost = goal
	t.add(name+": ms a dataset", onlyColumn, milliseconds(r.wall)/float64(h.smallFiles))
	t.add(name+": created", onlyColumn, float64(total.Created))
	t.add(name+": unchanged", onlyColumn, float64(total.Unchanged))
	t.add(name+": peak memory, MB", onlyColumn, r.memory).atMost = 524
}
