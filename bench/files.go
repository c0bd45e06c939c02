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
	"os"
	"path/filepath"
	"slices"
	"syscall"
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
	formats, many := newTable("format", "MB", "observations", "reader, MB/s", "library", "library, MB/s", "ratio"), newTable("what", measured)
	for _, g := range generatedFiles {
		h.readFormat(g, formats)
	}
	h.importMany(many)
	return fmt.Sprintf("Generated files, read on one core. MB a second of CPU time: the reader alone (`format.Read`, every observation asked for), "+
		"a library of Go that parses the same file and does nothing else, in turn with it, and the whole `almanac import`, from the program's start to the stored version. "+
		"Peak: memory of the reader's process, and of the import's.\n\n%s\n%s", formats, many)
}

// readFormat measures one large file: the reader and the library in turn, then the
// whole import.
func (h *harness) readFormat(g generated, t *table) {
	path := filepath.Join(h.dir, "files", fmt.Sprintf("%d-%s", h.cells, g.name))
	h.generate(g, path, h.cells, "MADE_UP")
	mb := float64(must(os.Stat(path)).Size()) / 1e6
	fmt.Fprintf(h.log, "reading %s, %.0f MB\n", g.what, mb)
	readers := []string{"ours"}
	if g.library != "" {
		readers = append(readers, g.library)
	}
	t.put(g.what, "MB", fmt.Sprintf("%.0f", mb))
	t.put(g.what, "library", g.library)
	for range h.rounds {
		for _, name := range readers {
			run := h.command(pinned(h.self, "read", path, name)...)
			var r reading
			check(json.Unmarshal(run.lastLine, &r))
			if name != "ours" {
				t.add(g.what, "library, MB/s", mb/r.CPU.Seconds())
				continue
			}
			t.put(g.what, "observations", fmt.Sprint(r.Cells))
			t.add(g.what, "reader, MB/s", mb/r.CPU.Seconds())
			t.add(g.what, "reader, peak MB", run.memory)
		}
		slices.Reverse(readers)
		r, _, _ := h.importAlone(path)
		t.add(g.what, "import, MB/s", mb/r.cpu.Seconds())
		t.add(g.what, "import, million cells a second", float64(r.Observations.Read)/1e6/r.cpu.Seconds())
		t.add(g.what, "import, peak MB", r.memory)
	}
	t.cell(g.what, "reader, MB/s").goal.atLeast = g.goal
	if g.library != "" {
		t.addRatios(g.what, "ratio", "reader, MB/s", "library, MB/s")
	}
}

// generate writes a file unless it exists.
func (h *harness) generate(g generated, path string, cells int, code string) {
	if !exists(path) {
		createFile(path, func(w io.Writer) error { return g.write(w, cells, code) })
	}
}

// reading is one pass over a file.
type reading struct {
	Cells int           // observations, or what the library counts
	CPU   time.Duration // user and system
}

// runRead is the role "read": it reads a file once, with our reader or a library,
// and prints the time.
func runRead(ctx context.Context, args []string, _ io.Reader, stdout io.Writer) {
	f := must(os.Open(args[0]))
	defer f.Close()
	read := map[string]func() int{
		"ours":          func() int { return readOurs(ctx, f) },
		"encoding/xml":  func() int { return readXML(f) },
		"encoding/csv":  func() int { return readCSV(f) },
		"encoding/json": func() int { return readJSON(f) },
	}[args[1]]
	begin := ownCPU()
	cells := read()
	check(json.NewEncoder(stdout).Encode(reading{cells, ownCPU() - begin}))
}

// ownCPU returns the user and system time of this process.
func ownCPU() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// readOurs reads a file with the format that recognises it, and counts the
// observations.
func readOurs(ctx context.Context, f *os.File) (cells int) {
	head := make([]byte, 64<<10)
	n, _ := f.ReadAt(head, 0) // the file may be shorter
	in := format.Input{Name: filepath.Base(f.Name()), Data: f, Again: func() (io.ReadCloser, error) { return os.Open(f.Name()) }}
	formats := slices.Concat(sdmxml.Formats(), sdmxcsv.Formats(), px.Formats(), jsonstat.Formats())
	at := slices.IndexFunc(formats, func(f format.Format) bool { return f.Read != nil && f.Recognise(in.Name, head[:n]) })
	if at < 0 {
		check(fmt.Errorf("no format recognises %s", f.Name()))
	}
	for t, err := range formats[at].Read(ctx, in) {
		check(err)
		for _, err := range t.Observations {
			check(err)
			cells++
		}
	}
	return cells
}

// readXML parses an XML file and counts its elements.
func readXML(f io.Reader) (elements int) {
	for d := xml.NewDecoder(f); ; {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return elements
		}
		check(err)
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
}

// readCSV parses a CSV file and counts its records.
func readCSV(f io.Reader) (records int) {
	r := csv.NewReader(f)
	r.ReuseRecord = true
	for ; ; records++ {
		_, err := r.Read()
		if errors.Is(err, io.EOF) {
			return records
		}
		check(err)
	}
}

// readJSON parses a JSON-stat file and counts its values.
func readJSON(f io.Reader) int {
	var cube struct{ Value []*float64 }
	check(json.Unmarshal(must(io.ReadAll(f)), &cube))
	return len(cube.Value)
}

// smallCells is the number of observations in each small file.
const smallCells = 1000

// generateSmall writes many small files of all formats, each with its own dataset.
func (h *harness) generateSmall() (dir string, files []string) {
	dir = filepath.Join(h.dir, "files", fmt.Sprintf("many-%d", h.smallFiles))
	for n := range h.smallFiles {
		g := generatedFiles[n%len(generatedFiles)]
		path := filepath.Join(dir, fmt.Sprintf("%05d-%s", n, g.name))
		h.generate(g, path, smallCells, fmt.Sprintf("MADE_UP_%05d", n))
		files = append(files, path)
	}
	return dir, files
}

// importMany imports many files with one command while a server on the same store
// answers catalogue requests.
func (h *harness) importMany(t *table) {
	_, files := h.generateSmall()
	fmt.Fprintf(h.log, "importing %d files of %d observations\n", len(files), smallCells)
	dir, remove := h.tempDir()
	defer remove()
	h.importFiles(dir, files[:len(files)/10]...)
	h.catalogDuring(dir, t, func() {
		all := h.importFiles(dir, files...)
		what := fmt.Sprintf("%d files of %d observations each, of all these formats in turn, imported by one command: ", len(files), smallCells)
		t.addMeasured(what+"seconds", all.wall.Seconds(), goal{atMost: 600})
		t.addMeasured("ms a file", milliseconds(all.wall)/float64(len(files)), goal{})
		t.addMeasured("peak memory, MB", all.memory, goal{})
	})
}

// catalogDuring starts a server on a store and measures its catalogue responses,
// first idle and then during work.
func (h *harness) catalogDuring(dir string, t *table, work func()) {
	h.withServer(dir, func(p *process) {
		idle := h.askCatalog(p, func() { time.Sleep(min(5*time.Second, time.Duration(h.smallFiles)*time.Millisecond)) })
		busy := h.askCatalog(p, work)
		what := fmt.Sprintf("a server on the same store, asked for a catalog page of 100 every %v meanwhile: ", askEvery)
		t.addMeasured(what+"median ms", median(busy), goal{})
		t.addMeasured(what+"p99 ms", quantile(busy, 99), goal{})
		t.addMeasured("the same before, when it was idle: median ms", median(idle), goal{})
		t.addMeasured("the same before, when it was idle: p99 ms", quantile(idle, 99), goal{})
		t.addMeasured("times the idle median", median(busy)/median(idle), goal{atMost: 2})
	})
}

// askEvery is the time between two catalogue requests.
const askEvery = 5 * time.Millisecond

// askCatalog requests a page of the catalogue until work is done, and returns the
// response times in milliseconds.
func (h *harness) askCatalog(p *process, work func()) (times []float64) {
	c := dial(h.ctx, p)
	defer c.Close()
	done := make(chan error, 1)
	go func() { done <- catch(work) }()
	for {
		select {
		case err := <-done:
			check(err)
			return times
		case <-time.After(askEvery):
			c.exchange(&exchange{URI: "/api/datasets?limit=100"}, "", http.StatusOK, false)
			times = append(times, milliseconds(c.whole))
		}
	}
}
