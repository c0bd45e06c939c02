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
	"maps"
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
	"almanac/internal/chart/ink"
	"almanac/internal/format/tidy"
)

// Names of those who draw charts, as the tables have them. The other libraries
// have the names of their modules in the folder peers.
const (
	drawnHere = "almanac"
	posted    = "almanac, by POST"
	encoder   = "image/png alone"
)

// drawings are a folder with all that is needed to draw the charts:
//
//	numbers.json                 for other libraries
//	line.json bar.json map.json  chart.Spec, as the server made it
//	data/                        a store with the same numbers
type drawings struct {
	dir    string
	posted int // charts that the server was asked for
}

func (d *drawings) store() string       { return filepath.Join(d.dir, "data") }
func (d *drawings) numbersFile() string { return filepath.Join(d.dir, "numbers.json") }

func specFile(dir string, k *chartKind) string { return filepath.Join(dir, k.name+".json") }

// prepareDrawings fills a folder. The server makes the specs, so that what is
// measured is what it draws.
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
		c := must(dial(h.ctx, p))
		defer c.Close()
		for i := range chartKinds {
			k := &chartKinds[i]
			drawn := must(c.postChart(fmt.Sprintf(`{"datasetId": %d, "chartType": %q}`, k.dataset, k.field)))
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

// postChart has the server draw a chart.
func (c *connection) postChart(body string) (drawn postedChart, err error) {
	if err := c.check(&exchange{URI: "/api/charts/generate-png", Post: body}, "", http.StatusOK, false); err != nil {
		return drawn, err
	}
	if err := json.Unmarshal(c.body.Bytes(), &drawn); err != nil || !drawn.Success || len(drawn.Base64) == 0 {
		return drawn, fmt.Errorf("there is no picture in %.300s (%v)", c.body.Bytes(), err)
	}
	return drawn, nil
}

// newChart is the body of a request for a chart that nobody has asked for: it
// has a title of its own.
func (d *drawings) newChart(k *chartKind) string {
	d.posted++
	return fmt.Sprintf(`{"datasetId": %d, "chartType": %q, "customTitle": "Picture %d"}`, k.dataset, k.field, d.posted)
}

// order is what a painter is told, a line of JSON: to draw one kind for so long,
// or once into a file; or to draw waves of many pictures at once.
type order struct {
	Kind  string `json:"kind"`
	MS    int64  `json:"ms,omitempty"`
	File  string `json:"file,omitempty"`
	Crowd *crowd `json:"crowd,omitempty"`
}

// answer is what a painter says.
type answer struct {
	MS    []float64 `json:"ms,omitempty"` // of each picture
	Bytes int       `json:"bytes"`        // of the last one
	Error string    `json:"error,omitempty"`
}

// painter is a process that draws to order: this program in the role "paint",
// or a library's in the folder peers.
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

// obey sends an order and waits for its answer.
func (p *painter) obey(o order) (a answer) {
	check(json.NewEncoder(p.in).Encode(o))
	check(json.Unmarshal(must(p.out.ReadBytes('\n')), &a))
	if a.Error != "" {
		check(fmt.Errorf("%s: %s", p.cmd, a.Error))
	}
	return a
}

// runPaint is the role "paint": it draws the specs of a folder as the server
// does, or encodes finished pictures of them again.
func runPaint(_ context.Context, args []string, stdin io.Reader, stdout io.Writer) {
	specs := map[string]*chart.Spec{}
	draw := map[string]func(io.Writer) error{}
	for i := range chartKinds {
		k := &chartKinds[i]
		spec := must(chart.Decode(must(os.ReadFile(specFile(args[0], k)))))
		specs[k.name] = spec
		draw[k.name] = func(w io.Writer) error { return ink.PNG(w, chart.Layout(spec)) }
		if args[1] == encoder {
			var b bytes.Buffer
			check(draw[k.name](&b))
			picture, fastest := must(png.Decode(&b)), png.Encoder{CompressionLevel: png.BestSpeed}
			draw[k.name] = func(w io.Writer) error { return fastest.Encode(w, picture) }
		}
	}
	orders, answers := json.NewDecoder(stdin), json.NewEncoder(stdout)
	for {
		var o order
		if err := orders.Decode(&o); errors.Is(err, io.EOF) {
			return
		} else {
			check(err)
		}
		var a answer
		err := catch(func() {
			switch {
			case o.Crowd != nil:
				check(o.Crowd.draw(specs))
			case draw[o.Kind] == nil:
				check(fmt.Errorf("there is no chart %q", o.Kind))
			default:
				a = paint(draw[o.Kind], o)
			}
		})
		if err != nil {
			a.Error = err.Error()
		}
		check(answers.Encode(a))
	}
}

// paint carries out one order.
func paint(draw func(io.Writer) error, o order) (a answer) {
	var picture bytes.Buffer
	a.MS = repeat(time.Duration(o.MS)*time.Millisecond, func() {
		picture.Reset()
		check(draw(&picture))
	})
	a.Bytes = picture.Len()
	if o.File != "" {
		check(os.WriteFile(o.File, picture.Bytes(), 0o644))
	}
	return a
}

// repeat calls work for a span, three times at least, and returns the
// milliseconds of each call.
func repeat(span time.Duration, work func()) (ms []float64) {
	for end := time.Now().Add(span); len(ms) < 3 || time.Now().Before(end); {
		begin := time.Now()
		work()
		ms = append(ms, milliseconds(time.Since(begin)))
	}
	return ms
}

// crowd is many pictures drawn at once, waves of them, to see how much memory
// that takes.
type crowd struct{ Width, Height, Waves int }

const crowdSize = 16

func (c *crowd) draw(specs map[string]*chart.Spec) error {
	for range c.Waves {
		var group errgroup.Group
		for i := range crowdSize {
			spec := *specs[chartKinds[i%len(chartKinds)].name]
			spec.Width, spec.Height = c.Width, c.Height
			group.Go(func() error { return ink.PNG(io.Discard, chart.Layout(&spec)) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// contender draws charts and is measured: a warm process on one core.
type contender struct {
	*process
	name string
	draw func(k *chartKind, span time.Duration) answer
}

// startContender starts a painter as a contender.
func (h *harness) startContender(name, dir string, args ...string) contender {
	p := h.startPainter(dir, pinned(args...)...)
	return contender{&p.process, name, func(k *chartKind, span time.Duration) answer {
		return p.obey(order{Kind: k.name, MS: span.Milliseconds()})
	}}
}

// contenders starts all who draw, and returns why the other libraries are not
// among them, if so.
func (h *harness) contenders(d *drawings) (all []contender, unmeasured error) {
	server := h.startServer(nil, pinned(h.serving(d.store(), "anonymous=unlimited")...)...)
	all = []contender{
		h.startContender(encoder, "", h.self, "paint", d.dir, encoder),
		h.startContender(drawnHere, "", h.self, "paint", d.dir, drawnHere),
		{server, posted, func(k *chartKind, span time.Duration) (a answer) {
			c := must(dial(h.ctx, server))
			defer c.Close()
			a.MS = repeat(span, func() { a.Bytes = len(must(c.postChart(d.newChart(k))).Base64) })
			return a
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

// measureCharts measures what drawing costs, beside other libraries and beside
// an encoder that has the finished picture: all draw the same numbers, in warm
// processes pinned to the same core, one after another, round after round.
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
	times, memory, note := &table{what: "chart"}, &table{what: "memory at its highest"}, ""
	for i := range chartKinds {
		fmt.Fprintf(h.log, "charts: %s\n", chartKinds[i].what)
		chartKinds[i].putInto(times, h.chartRounds(&chartKinds[i], all))
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

// drawn are the rounds of a contender, in each of which it drew as many pictures
// as it could: ms of a picture (median, 95th of a hundred, CPU time) and KB.
type drawn struct{ middle, high, cpu, size []float64 }

// chartRounds measures one kind of chart: each contender once to warm up, and
// then in turn, the first of a round changing with each.
func (h *harness) chartRounds(k *chartKind, all []contender) map[string]*drawn {
	rounds := map[string]*drawn{}
	for round := range h.rounds + 1 {
		for i := range all {
			c := all[(i+round)%len(all)]
			before := c.cpu()
			a := c.draw(k, h.span)
			cpu := milliseconds(c.cpu()-before) / float64(len(a.MS))
			if round == 0 {
				rounds[c.name] = &drawn{}
				continue
			}
			d := rounds[c.name]
			d.middle, d.high = append(d.middle, median(a.MS)), append(d.high, quantile(a.MS, 95))
			d.cpu, d.size = append(d.cpu, cpu), append(d.size, float64(a.Bytes)/1024)
		}
	}
	return rounds
}

// putInto puts a row for each contender, the fastest first.
func (k *chartKind) putInto(t *table, rounds map[string]*drawn) {
	names := slices.SortedFunc(maps.Keys(rounds), func(a, b string) int {
		return cmp.Compare(median(rounds[a].middle), median(rounds[b].middle))
	})
	for _, name := range names {
		row, d := k.what+", drawn by "+name, rounds[name]
		t.set(row, "ms, median", d.middle...)
		t.set(row, "p95", d.high...)
		t.set(row, "CPU ms", d.cpu...)
		t.set(row, "KB", d.size...)
		shares := sharesOfFastest(rounds, name)
		if shares != nil {
			t.set(row, "÷ fastest other", shares...)
		}
		if name == drawnHere || name == posted {
			met := shares != nil && median(shares) <= k.share || median(d.cpu) <= k.cpu
			t.put(row, "goal", verdict(met, fmt.Sprintf("1/%.0f of the fastest or %.0f ms of CPU", 1/k.share, k.cpu)))
		}
	}
}

// sharesOfFastest are the times of a contender as parts of those of the fastest
// other library in the same round; nil where none was measured.
func sharesOfFastest(rounds map[string]*drawn, name string) (shares []float64) {
	for i, ms := range rounds[name].middle {
		fastest := math.Inf(1)
		for _, peer := range peerNames {
			if d := rounds[peer]; d != nil {
				fastest = min(fastest, d.middle[i])
			}
		}
		if !math.IsInf(fastest, 1) {
			shares = append(shares, ms/fastest)
		}
	}
	return shares
}

// crowdMemory measures the memory of pictures drawn at once: each size in a
// process of its own, and a server that is asked for as many.
func (h *harness) crowdMemory(d *drawings, t *table) {
	fmt.Fprintf(h.log, "charts: %d at once\n", crowdSize)
	const waves = 8
	usual := fmt.Sprintf("%d pictures at once, %d × %d", crowdSize, chart.DefaultWidth, chart.DefaultHeight)
	large := fmt.Sprintf("%d pictures at once, %d × %d", crowdSize, chart.MaxSide, chart.MaxPixels/chart.MaxSide)
	limit := goal{atMost: 315} // 300 MiB
	alone := func(c crowd) float64 {
		p := h.startPainter("", h.self, "paint", d.dir, drawnHere)
		defer p.stop()
		p.obey(order{Crowd: &c})
		return memoryOf(p.cmd.Process.Pid, "VmHWM")
	}
	t.setGoal(usual, "MB", limit, alone(crowd{chart.DefaultWidth, chart.DefaultHeight, waves}))
	t.set(large, "MB", alone(crowd{chart.MaxSide, chart.MaxPixels / chart.MaxSide, 2}))
	h.withServer(d.store(), func(server *process) {
		group, ctx := errgroup.WithContext(h.ctx)
		for n := range crowdSize {
			var bodies []string
			for range waves {
				bodies = append(bodies, d.newChart(&chartKinds[n%len(chartKinds)]))
			}
			group.Go(func() error {
				return catch(func() {
					c := must(dial(ctx, server))
					defer c.Close()
					for _, body := range bodies {
						must(c.postChart(body))
					}
				})
			})
		}
		check(group.Wait())
		t.setGoal("server that is asked for "+usual, "MB", limit, memoryOf(server.cmd.Process.Pid, "VmHWM"))
	})
}
