package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/chart"
	"almanac/internal/chart/render"
)

// Names of the contenders. Other libraries have the names of their modules.
const (
	ourPainter = "almanac"
	ourServer  = "almanac, by POST"
	encoder    = "image/png alone"
)

// peerNames are the modules in the folder peers that draw with other libraries.
var peerNames = []string{"echarts", "vega"}

//go:embed peers/*.mjs peers/package.json
var peerFiles embed.FS

// drawings is what the charts are drawn from: numbers for other libraries, and a
// store with the same numbers, which keeps the chart.Spec of each chart that its
// server has drawn.
type drawings struct {
	numbers, store string
	kinds          []*chartKind
	requests       int // for charts, sent to the server
}

// prepareDrawings fills a folder. The server creates the specs, so that the
// measured charts are the ones it draws.
func (h *harness) prepareDrawings(dir string) *drawings {
	d := &drawings{numbers: filepath.Join(dir, "numbers.json"), store: filepath.Join(dir, "data"), kinds: newChartKinds()}
	byName := map[string]*chartKind{}
	for _, k := range d.kinds {
		byName[k.name] = k
		file := filepath.Join(dir, k.code+".csv")
		createFile(file, k.write)
		h.importFiles(d.store, file)
	}
	check(os.WriteFile(d.numbers, must(json.Marshal(byName)), 0o644))
	h.withServer(d.store, func(p *process) {
		c := dial(h.ctx, p)
		defer c.Close()
		for _, k := range d.kinds {
			c.postChart(fmt.Sprintf(`{"datasetId": %d, "chartType": %q}`, k.dataset, k.name))
		}
	})
	return d
}

// postChart requests a chart and returns the picture.
func (c *connection) postChart(body string) []byte {
	c.exchange(&exchange{URI: "/api/charts/generate-png", Post: body}, "", http.StatusOK, false)
	var drawn struct {
		Success bool
		Base64  []byte
	}
	check(json.Unmarshal(c.body.Bytes(), &drawn))
	if !drawn.Success || len(drawn.Base64) == 0 {
		check(fmt.Errorf("there is no picture in %.300s", c.body.Bytes()))
	}
	return drawn.Base64
}

// newChart returns a request for a chart with a unique title, so that it is not in
// the cache.
func (d *drawings) newChart(k *chartKind, width, height int) string {
	d.requests++
	return fmt.Sprintf(`{"datasetId": %d, "chartType": %q, "customTitle": "Picture %d", "width": %d, "height": %d}`, k.dataset, k.name, d.requests, width, height)
}

// runPaint is the role "paint": it draws the specs of a store like the server, or
// only encodes the finished pictures again. Each line of the input is a kind of
// chart, with a file for the picture if it is wanted; each line of the output is
// the size of the picture.
func runPaint(args []string, stdin io.Reader, stdout io.Writer) {
	draw := map[string]func(io.Writer) error{}
	for _, file := range must(filepath.Glob(filepath.Join(args[0], "charts", "*", "*.json.zst"))) {
		unpack := must(zstd.NewReader(nil))
		spec := must(chart.Decode(must(unpack.DecodeAll(must(os.ReadFile(file)), nil))))
		name := string(spec.Type)
		draw[name] = func(w io.Writer) error { return render.PNG(w, chart.Layout(spec)) }
		if args[1] == encoder {
			var b bytes.Buffer
			check(draw[name](&b))
			picture, fastest := must(png.Decode(&b)), png.Encoder{CompressionLevel: png.BestSpeed}
			draw[name] = func(w io.Writer) error { return fastest.Encode(w, picture) }
		}
	}
	var picture bytes.Buffer
	for lines := bufio.NewScanner(stdin); lines.Scan(); {
		kind, file, wanted := strings.Cut(lines.Text(), " ")
		if draw[kind] == nil {
			check(fmt.Errorf("unknown kind of chart %q", kind))
		}
		picture.Reset()
		check(draw[kind](&picture))
		if wanted {
			check(os.WriteFile(file, picture.Bytes(), 0o644))
		}
		must(fmt.Fprintln(stdout, picture.Len()))
	}
}

// contender is a process that draws charts, warm and on one core.
type contender struct {
	*process
	name string
	draw func(k *chartKind, file string) (bytes int) // a painter saves the picture if file is not ""
}

// startPainter starts a command in a folder that draws charts like [runPaint]:
// this program in that role, or a library in the folder peers.
func (h *harness) startPainter(name, dir string, args ...string) contender {
	args = pinned(args...)
	cmd := exec.CommandContext(h.ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, out := must(cmd.StdinPipe()), bufio.NewReader(must(cmd.StdoutPipe()))
	check(cmd.Start())
	return contender{&process{cmd: cmd}, name, func(k *chartKind, file string) (size int) {
		must(fmt.Fprintln(in, strings.TrimSpace(k.name+" "+file)))
		if _, err := fmt.Fscanln(out, &size); err != nil {
			check(fmt.Errorf("%s draws no %s: %w", name, k.name, err))
		}
		return size
	}}
}

// startContenders starts all contenders. unmeasured says why other libraries are
// missing, or is nil.
func (h *harness) startContenders(d *drawings) (all []contender, unmeasured error) {
	server := h.startServer(nil, pinned(h.serving(d.store)...)...)
	open := sync.OnceValue(func() *connection { return dial(h.ctx, server) })
	all = []contender{
		h.startPainter(encoder, "", h.self, "paint", d.store, encoder),
		h.startPainter(ourPainter, "", h.self, "paint", d.store, ourPainter),
		{server, ourServer, func(k *chartKind, _ string) int {
			return len(open().postChart(d.newChart(k, chart.DefaultWidth, chart.DefaultHeight)))
		}},
	}
	if h.quick {
		return all, errors.New("this was a quick run")
	}
	dir := filepath.Join(h.dir, "peers")
	fmt.Fprintf(h.log, "installing other chart libraries in %s\n", dir)
	check(os.RemoveAll(dir))
	check(os.CopyFS(h.dir, peerFiles))
	unmeasured = catch(func() {
		h.command(nil, "npm", "install", "--prefix", dir, "--prefer-offline", "--no-audit", "--no-fund")
	})
	for _, name := range peerNames {
		if unmeasured == nil {
			all = append(all, h.startPainter(name, dir, "node", "painter.mjs", name, d.numbers))
		}
	}
	return all, unmeasured
}

// measureCharts compares drawing with other libraries and with an encoder of the
// finished picture. All draw the same numbers, in warm processes pinned to the
// same core, in turn, round after round.
func (h *harness) measureCharts() string {
	times, memory, note := newTable("chart"), newTable("memory at its highest, MB"), ""
	h.withTempDir(func(dir string) {
		d := h.prepareDrawings(dir)
		all, unmeasured := h.startContenders(d)
		defer func() {
			for _, c := range all {
				c.stop()
			}
		}()
		if unmeasured != nil {
			note = fmt.Sprintf("**Other libraries were not measured: %v.**\n\n", unmeasured)
			fmt.Fprint(h.log, note)
		}
		for _, k := range d.kinds {
			fmt.Fprintf(h.log, "charts: %s\n", k.what)
			h.chartRounds(k, all, times)
		}
		h.measureMemory(d, memory, chart.DefaultWidth, chart.DefaultHeight).atMost = 315
		h.measureMemory(d, memory, h.large, h.large*5/7)
	})
	return fmt.Sprintf("Each library draws the same numbers as PNG of 1200 × 675 pixels, in a warm process pinned to the same core, in turn; `docs/charts.md` shows the pictures. "+
		"Apache ECharts and Vega-Lite make SVG without a browser, and resvg makes PNG of it; their outlines of countries are projected beforehand and Vega-Lite's charts compiled beforehand. "+
		"%q is a whole request for a picture that nobody requested before, including base64 and keeping the picture. "+
		"%q encodes our finished picture again: the bound for all that draw and then encode with it.\n\n"+
		"The goal is a third of the time of the fastest other library in the same round, or 15 ms of CPU time; for maps a quarter, or 25 ms. "+
		"The last column says how much of it is used.\n\n%s%s\n%s", ourServer, encoder, note, times, memory)
}

// chartRounds measures one kind of chart: each contender once to warm up, and
// then in turn, with a different first one in each round. It adds a row for each,
// the fastest first. The libraries' pictures are in the folder pictures.
func (h *harness) chartRounds(k *chartKind, all []contender, t *table) {
	others := len(t.rows)
	folder := filepath.Join(h.dir, "pictures")
	check(os.MkdirAll(folder, 0o755))
	for round := range h.rounds + 1 {
		for i := range all {
			c := all[(i+round)%len(all)]
			row, size, times, before := k.row(c.name), 0, []float64(nil), c.cpu()
			for end := time.Now().Add(h.span); len(times) < 3 || time.Now().Before(end); {
				begin := time.Now()
				size = c.draw(k, "")
				times = append(times, milliseconds(time.Since(begin)))
			}
			cpu := c.cpu() - before
			if round > 0 {
				t.add(row, "ms, median", median(times))
				t.add(row, "ms, p95", quantile(times, 95))
				t.add(row, "CPU ms", milliseconds(cpu)/float64(len(times)))
				t.add(row, "KB", float64(size)/1024)
			} else if c.name != encoder {
				c.draw(k, filepath.Join(folder, k.name+"-"+c.name+".png"))
			}
		}
	}
	slices.SortFunc(t.rows[others:], func(a, b string) int {
		return cmp.Compare(median(t.add(a, "ms, median").values), median(t.add(b, "ms, median").values))
	})
	for _, c := range all {
		k.compare(t, c.name)
	}
}

func (k *chartKind) row(name string) string { return k.what + ", drawn by " + name }

// compare adds a contender's times divided by those of the fastest other library
// in the same round, if one was measured, and how much of the goal is used.
func (k *chartKind) compare(t *table, name string) {
	ratio := t.add(k.row(name), "÷ fastest other")
	for round, ms := range t.add(k.row(name), "ms, median").values {
		var peers []float64
		for _, peer := range peerNames {
			if c := t.cells[[2]string{k.row(peer), "ms, median"}]; c != nil {
				peers = append(peers, c.values[round])
			}
		}
		if peers != nil {
			ratio.values = append(ratio.values, ms/slices.Min(peers))
		}
	}
	if name == ourPainter || name == ourServer {
		used := median(t.add(k.row(name), "CPU ms").values) / k.cpu
		if len(ratio.values) > 0 {
			used = min(used, median(ratio.values)/k.share)
		}
		t.add(k.row(name), "share of the goal", used).atMost = 1
	}
}

// measureMemory measures the peak memory of a server that gets requests for 16
// pictures of a size at once.
func (h *harness) measureMemory(d *drawings, t *table, width, height int) (peak *cell) {
	what := fmt.Sprintf("server that draws 16 pictures for as many connections, %d × %d", width, height)
	fmt.Fprintf(h.log, "charts: %s\n", what)
	bodies := make([][]string, 16)
	for i := range bodies {
		for range h.waves {
			bodies[i] = append(bodies[i], d.newChart(d.kinds[i%len(d.kinds)], width, height))
		}
	}
	h.withServer(d.store, func(server *process) {
		h.together(len(bodies), func(ctx context.Context, i int) {
			c := dial(ctx, server)
			defer c.Close()
			for _, body := range bodies[i] {
				c.postChart(body)
			}
		})
		peak = t.add(what, onlyColumn, memoryOf(server.cmd.Process.Pid, "VmHWM"))
	})
	return peak
}
