package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"almanac/internal/chart"
	"almanac/internal/chart/render"
	"almanac/internal/format/tidy"
)

// Names of the contenders in the tables. Other libraries have the names of their
// modules in the folder peers.
const (
	drawnHere = "almanac"
	posted    = "almanac, by POST"
	encoder   = "image/png alone"
)

// drawings is a folder with everything needed to draw the charts:
//
//	numbers.json                 for other libraries
//	line.json bar.json map.json  chart.Spec, as the server made it
//	data/                        a store with the same numbers
type drawings struct {
	dir    string
	posted int // charts requested from the server
}

func (d *drawings) store() string       { return filepath.Join(d.dir, "data") }
func (d *drawings) numbersFile() string { return filepath.Join(d.dir, "numbers.json") }

func specFile(dir string, k *chartKind) string { return filepath.Join(dir, k.name+".json") }

// prepareDrawings fills a folder. The server creates the specs, so that the
// measured charts are the ones it draws.
func (h *harness) prepareDrawings(dir string) *drawings {
	d := &drawings{dir: dir}
	byKind := map[string]*numbers{}
	for i, n := range newNumbers() {
		byKind[chartKinds[i].name] = n
		file := filepath.Join(dir, n.code+".csv")
		createFile(file, func(w io.Writer) error {
			dataset, observations := n.dataset()
			return tidy.Write(w, dataset, observations)
		})
		h.importFiles(d.store(), file)
	}
	createFile(d.numbersFile(), func(w io.Writer) error { return json.NewEncoder(w).Encode(byKind) })
	h.withServer(d.store(), func(p *process) {
		c := dial(h.ctx, p)
		defer c.Close()
		for i := range chartKinds {
			k := &chartKinds[i]
			drawn := c.postChart(fmt.Sprintf(`{"datasetId": %d, "chartType": %q}`, k.dataset, k.field))
			digest := strings.TrimSuffix(filepath.Base(drawn.URL), ".png")
			kept := must(os.Open(filepath.Join(d.store(), "charts", digest[:2], digest+".json.zst")))
			defer kept.Close()
			spec := must(io.ReadAll(must(zstd.NewReader(kept))))
			check(os.WriteFile(specFile(dir, k), spec, 0o644))
		}
	})
	return d
}

// postedChart is the server's response to a chart request.
type postedChart struct {
	Success bool
	Base64  []byte
	URL     string
}

// postChart requests a chart from the server.
func (c *connection) postChart(body string) (drawn postedChart) {
	c.exchange(&exchange{URI: "/api/charts/generate-png", Post: body}, "", http.StatusOK, false)
	check(json.Unmarshal(c.body.Bytes(), &drawn))
	if !drawn.Success || len(drawn.Base64) == 0 {
		check(fmt.Errorf("there is no picture in %.300s", c.body.Bytes()))
	}
	return drawn
}

// newChart returns a request for a chart that is not in the cache: its title is
// unique.
func (d *drawings) newChart(k *chartKind) string {
	d.posted++
	return fmt.Sprintf(`{"datasetId": %d, "chartType": %q, "customTitle": "Picture %d"}`, k.dataset, k.field, d.posted)
}

// job is an instruction to a painter, as a line of JSON: draw one kind for some
// time, or once into a file, or draw many pictures at once.
type job struct {
	Kind  string `json:"kind"`
	MS    int64  `json:"ms,omitempty"`
	File  string `json:"file,omitempty"`
	Crowd *crowd `json:"crowd,omitempty"`
}

// jobResult is a painter's result, as a line of JSON.
type jobResult struct {
	MS    []float64 `json:"ms,omitempty"` // of each picture
	Bytes int       `json:"bytes"`        // of the last one
	Error string    `json:"error,omitempty"`
}

// painter is a process that runs jobs: this program in the role "paint", or a
// library in the folder peers.
type painter struct {
	process
	in  io.WriteCloser
	out *bufio.Reader
}

// startPainter runs a command in a folder.
func (h *harness) startPainter(dir string, args ...string) *painter {
	cmd := exec.CommandContext(h.ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	p := &painter{process{cmd: cmd}, must(cmd.StdinPipe()), bufio.NewReader(must(cmd.StdoutPipe()))}
	check(cmd.Start())
	return p
}

// run sends a job and waits for its result.
func (p *painter) run(j job) (r jobResult) {
	check(json.NewEncoder(p.in).Encode(j))
	check(json.Unmarshal(must(p.out.ReadBytes('\n')), &r))
	if r.Error != "" {
		check(fmt.Errorf("%s: %s", p.cmd, r.Error))
	}
	return r
}

// runPaint is the role "paint": it draws the specs of a folder like the server,
// or only encodes the finished pictures again.
func runPaint(_ context.Context, args []string, stdin io.Reader, stdout io.Writer) {
	specs := map[string]*chart.Spec{}
	draw := map[string]func(io.Writer) error{}
	for i := range chartKinds {
		k := &chartKinds[i]
		spec := must(chart.Decode(must(os.ReadFile(specFile(args[0], k)))))
		specs[k.name] = spec
		draw[k.name] = func(w io.Writer) error { return render.PNG(w, chart.Layout(spec)) }
		if args[1] == encoder {
			var b bytes.Buffer
			check(draw[k.name](&b))
			picture, fastest := must(png.Decode(&b)), png.Encoder{CompressionLevel: png.BestSpeed}
			draw[k.name] = func(w io.Writer) error { return fastest.Encode(w, picture) }
		}
	}
	jobs, results := json.NewDecoder(stdin), json.NewEncoder(stdout)
	for {
		var j job
		err := jobs.Decode(&j)
		if errors.Is(err, io.EOF) {
			return
		}
		check(err)
		var r jobResult
		err = catch(func() {
			switch {
			case j.Crowd != nil:
				j.Crowd.draw(specs)
			case draw[j.Kind] == nil:
				check(fmt.Errorf("unknown kind of chart %q", j.Kind))
			default:
				r = paint(draw[j.Kind], j)
			}
		})
		if err != nil {
			r.Error = err.Error()
		}
		check(results.Encode(r))
	}
}

// paint runs one job.
func paint(draw func(io.Writer) error, j job) (r jobResult) {
	var picture bytes.Buffer
	r.MS = repeat(time.Duration(j.MS)*time.Millisecond, func() {
		picture.Reset()
		check(draw(&picture))
	})
	r.Bytes = picture.Len()
	if j.File != "" {
		check(os.WriteFile(j.File, picture.Bytes(), 0o644))
	}
	return r
}

// repeat calls work for a span, at least three times, and returns the duration of
// each call in milliseconds.
func repeat(span time.Duration, work func()) (ms []float64) {
	for end := time.Now().Add(span); len(ms) < 3 || time.Now().Before(end); {
		begin := time.Now()
		work()
		ms = append(ms, milliseconds(time.Since(begin)))
	}
	return ms
}

// crowd is a number of waves of pictures that are drawn at once, to measure
// memory.
type crowd struct{ Width, Height, Waves int }

const crowdSize = 16

func (c *crowd) draw(specs map[string]*chart.Spec) {
	for range c.Waves {
		var group errgroup.Group
		for i := range crowdSize {
			spec := *specs[chartKinds[i%len(chartKinds)].name]
			spec.Width, spec.Height = c.Width, c.Height
			group.Go(func() error { return render.PNG(io.Discard, chart.Layout(&spec)) })
		}
		check(group.Wait())
	}
}

// contender is a measured process that draws charts, warm and on one core.
type contender struct {
	*process
	name string
	draw func(k *chartKind, span time.Duration) jobResult
}

// startContender starts a painter as a contender.
func (h *harness) startContender(name, dir string, args ...string) contender {
	p := h.startPainter(dir, pinned(args...)...)
	return contender{&p.process, name, func(k *chartKind, span time.Duration) jobResult {
		return p.run(job{Kind: k.name, MS: span.Milliseconds()})
	}}
}

// contenders starts all contenders. unmeasured says why other libraries are
// missing, or is nil.
func (h *harness) contenders(d *drawings) (all []contender, unmeasured error) {
	server := h.startServer(nil, pinned(h.serving(d.store(), "anonymous=unlimited")...)...)
	all = []contender{
		h.startContender(encoder, "", h.self, "paint", d.dir, encoder),
		h.startContender(drawnHere, "", h.self, "paint", d.dir, drawnHere),
		{server, posted, func(k *chartKind, span time.Duration) (r jobResult) {
			c := dial(h.ctx, server)
			defer c.Close()
			r.MS = repeat(span, func() { r.Bytes = len(c.postChart(d.newChart(k)).Base64) })
			return r
		}},
	}
	if h.quick {
		return all, errors.New("this was a quick run")
	}
	dir, err := h.installPeers()
	if err != nil {
		fmt.Fprintf(h.log, "CHARTS ARE NOT MEASURED BESIDE OTHER LIBRARIES: %v\n", err)
		return all, err
	}
	for _, name := range peerNames {
		all = append(all, h.startContender(name, dir, "node", "painter.mjs", name, d.numbersFile()))
	}
	return all, nil
}

// measureCharts compares drawing with other libraries and with an encoder of the
// finished picture. All draw the same numbers, in warm processes pinned to the
// same core, in turn, round after round.
func (h *harness) measureCharts() string {
	dir, remove := h.tempDir()
	defer remove()
	d := h.prepareDrawings(dir)
	all, unmeasured := h.contenders(d)
	defer func() {
		for _, c := range all {
			c.stop()
		}
	}()
	times, memory, note := newTable("chart"), newTable("memory at its highest, MB", measured), ""
	for i := range chartKinds {
		fmt.Fprintf(h.log, "charts: %s\n", chartKinds[i].what)
		h.chartRounds(&chartKinds[i], all, times)
	}
	h.crowdMemory(d, memory)
	if unmeasured != nil {
		note = fmt.Sprintf("**Other libraries were not measured: %v.**\n\n", unmeasured)
	}
	return fmt.Sprintf("The same numbers as PNG of 1200 × 675 pixels, each in a warm process pinned to the same core, in turns; `docs/charts.md` shows the pictures. "+
		"Apache ECharts and Vega-Lite make SVG without a browser, which resvg makes PNG of; their outlines of countries are projected beforehand and Vega-Lite's charts compiled beforehand. "+
		"%q is the whole way of a request for a picture that nobody asked for before, base64 and keeping the picture included. "+
		"%q encodes our finished picture again: the bound for those who draw and then encode with it.\n\n"+
		"Goal of a picture: a third of the time of the fastest other library in the same round, or 15 ms of CPU time; a quarter or 25 ms for maps.\n\n%s%s\n%s",
		posted, encoder, note, times, memory)
}

// chartRounds measures one kind of chart: each contender once to warm up, and
// then in turn, with a different first one in each round. It adds a row for each,
// the fastest first.
func (h *harness) chartRounds(k *chartKind, all []contender, t *table) {
	others := len(t.rows)
	for round := range h.rounds + 1 {
		for i := range all {
			c := all[(i+round)%len(all)]
			before := c.cpu()
			a := c.draw(k, h.span)
			cpu := c.cpu() - before
			if round > 0 {
				t.add(k.row(c.name), "ms, median", median(a.MS))
				t.add(k.row(c.name), "ms, p95", quantile(a.MS, 95))
				t.add(k.row(c.name), "CPU ms", milliseconds(cpu)/float64(len(a.MS)))
				t.add(k.row(c.name), "KB", float64(a.Bytes)/1024)
			}
		}
	}
	slices.SortFunc(t.rows[others:], func(a, b string) int {
		return cmp.Compare(median(t.cell(a, "ms, median").values), median(t.cell(b, "ms, median").values))
	})
	for _, c := range all {
		k.compare(t, c.name)
	}
}

func (k *chartKind) row(name string) string { return k.what + ", drawn by " + name }

// compare adds a contender's times divided by those of the fastest other library
// in the same round, if one was measured, and the goal.
func (k *chartKind) compare(t *table, name string) {
	const column = "÷ fastest other"
	for round, ms := range t.cell(k.row(name), "ms, median").values {
		fastest := math.Inf(1)
		for _, peer := range peerNames {
			if c := t.cells[cellName{k.row(peer), "ms, median"}]; c != nil {
				fastest = min(fastest, c.values[round])
			}
		}
		if !math.IsInf(fastest, 1) {
			t.add(k.row(name), column, ms/fastest)
		}
	}
	if name == drawnHere || name == posted {
		shares, cpu := t.cell(k.row(name), column).values, t.cell(k.row(name), "CPU ms").values
		met := len(shares) > 0 && median(shares) <= k.share || median(cpu) <= k.cpu
		t.put(k.row(name), "goal", verdict(met, fmt.Sprintf("1/%.0f of the fastest or %.0f ms of CPU", 1/k.share, k.cpu)))
	}
}

// crowdMemory measures the memory of pictures drawn at once: each size in its own
// process, and in a server with as many requests.
func (h *harness) crowdMemory(d *drawings, t *table) {
	fmt.Fprintf(h.log, "charts: %d at once\n", crowdSize)
	const waves = 8
	usual := fmt.Sprintf("%d pictures at once, %d × %d", crowdSize, chart.DefaultWidth, chart.DefaultHeight)
	large := fmt.Sprintf("%d pictures at once, %d × %d", crowdSize, chart.MaxSide, chart.MaxPixels/chart.MaxSide)
	limit := goal{atMost: 315} // 300 MiB
	alone := func(c crowd) float64 {
		p := h.startPainter("", h.self, "paint", d.dir, drawnHere)
		defer p.stop()
		p.run(job{Crowd: &c})
		return memoryOf(p.cmd.Process.Pid, "VmHWM")
	}
	t.addMeasured(usual, alone(crowd{chart.DefaultWidth, chart.DefaultHeight, waves}), limit)
	t.addMeasured(large, alone(crowd{chart.MaxSide, chart.MaxPixels / chart.MaxSide, 2}), goal{})
	h.withServer(d.store(), func(server *process) {
		group, ctx := errgroup.WithContext(h.ctx)
		for n := range crowdSize {
			var bodies []string
			for range waves {
				bodies = append(bodies, d.newChart(&chartKinds[n%len(chartKinds)]))
			}
			group.Go(func() error {
				return catch(func() {
					c := dial(ctx, server)
					defer c.Close()
					for _, body := range bodies {
						c.postChart(body)
					}
				})
			})
		}
		check(group.Wait())
		t.addMeasured("server that is asked for "+usual, memoryOf(server.cmd.Process.Pid, "VmHWM"), limit)
	})
}
