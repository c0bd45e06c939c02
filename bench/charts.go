package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// libraries are the modules in the folder peers that draw with other libraries.
var libraries = []string{"echarts", "vega"}

//go:embed peers/*.mjs peers/package.json
var peerFiles embed.FS

// contender is a process that draws charts, warm and on one core.
type contender struct {
	*process
	name string
	draw func(k *chartKind, file string) (bytes int) // saves the picture if file is not ""
}

// newChart returns a request for a chart with a unique title, so that it is not in
// the cache.
func (h *harness) newChart(k *chartKind) string {
	return fmt.Sprintf(`{"datasetId": %d, "chartType": %q, "customTitle": "Picture %d"}`, k.dataset, k.name, h.drawn.Add(1))
}

// postChart requests a chart and returns its picture.
func (c *connection) postChart(body string) []byte {
	c.exchange(&exchange{URI: "/api/charts/generate-png", Post: body}, http.StatusOK)
	var drawn struct {
		Success bool
		Base64  []byte
	}
	check(json.Unmarshal(c.body.Bytes(), &drawn))
	if !drawn.Success || len(drawn.Base64) == 0 {
		check(fmt.Errorf("the response contains no picture: %.300s", c.body.Bytes()))
	}
	return drawn.Base64
}

// startAlmanac starts a server that draws charts. The picture that it saves has the
// title of the dataset.
func (h *harness) startAlmanac(store string) contender {
	server := h.startServer(nil, pinToCore(h.serveCommand(store)...)...)
	c := dial(h.ctx, server)
	return contender{server, "almanac", func(k *chartKind, file string) int {
		if file != "" {
			check(os.WriteFile(file, c.postChart(fmt.Sprintf(`{"datasetId": %d, "chartType": %q}`, k.dataset, k.name)), 0o644))
		}
		return len(c.postChart(h.newChart(k)))
	}}
}

// startLibrary starts a process in the folder peers that draws charts. A line of
// its input is a kind of chart, and a file if the picture is to be saved; a line of
// its output is the size of the picture.
func (h *harness) startLibrary(name, peers, numbers string) contender {
	args := pinToCore("node", "painter.mjs", name, numbers)
	cmd := exec.CommandContext(h.ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = peers, os.Stderr
	in, out := must(cmd.StdinPipe()), bufio.NewReader(must(cmd.StdoutPipe()))
	check(cmd.Start())
	return contender{&process{cmd: cmd}, name, func(k *chartKind, file string) (size int) {
		must(fmt.Fprintln(in, strings.TrimSpace(k.name+" "+file)))
		if _, err := fmt.Fscanln(out, &size); err != nil {
			check(fmt.Errorf("%[2]s returned no picture of %[1]s: %[3]w", k.name, name, err))
		}
		return size
	}}
}

// startLibraries installs and starts the other libraries, or returns why they are
// missing.
func (h *harness) startLibraries(numbers string) (all []contender, err error) {
	if h.quick {
		return nil, errors.New("this was a quick run")
	}
	peers := filepath.Join(h.dir, "peers")
	fmt.Fprintf(h.log, "installing other chart libraries in %s\n", peers)
	check(os.RemoveAll(peers))
	check(os.CopyFS(h.dir, peerFiles))
	if err := catch(func() {
		h.command(nil, "npm", "install", "--prefix", peers, "--prefer-offline", "--no-audit", "--no-fund")
	}); err != nil {
		return nil, err
	}
	for _, name := range libraries {
		all = append(all, h.startLibrary(name, peers, numbers))
	}
	return all, nil
}

// measureCharts compares drawing with other libraries. All draw the same numbers,
// in warm processes pinned to the same core, in turn, round after round.
func (h *harness) measureCharts() string {
	times, others, note := newTable("chart"), newTable("what"), ""
	h.withTempDir(func(dir string) {
		store, numbers := filepath.Join(dir, "data"), filepath.Join(dir, "numbers.json")
		kinds, byName := newChartKinds(), map[string]*chartKind{}
		for _, k := range kinds {
			byName[k.name] = k
			file := filepath.Join(dir, k.code+".csv")
			createFile(file, k.write)
			h.command(nil, h.importCommand(store, file)...)
		}
		check(os.WriteFile(numbers, must(json.Marshal(byName)), 0o644))
		libraries, err := h.startLibraries(numbers)
		if err != nil {
			note = fmt.Sprintf("**Other libraries were not measured: %v.**\n\n", err)
		}
		all := append([]contender{h.startAlmanac(store)}, libraries...)
		defer func() {
			for _, c := range all {
				c.stop()
			}
		}()
		for _, k := range kinds {
			fmt.Fprintf(h.log, "charts: %s\n", k.what)
			h.chartRounds(k, all, times)
		}
		for _, f := range chartForms {
			h.formRounds(f, store, byName[f.kind], others)
		}
		h.chartMemory(store, kinds, others)
	})
	return fmt.Sprintf("Each library draws the same numbers as PNG of 1200 × 675 pixels, in a warm process pinned to the same core, in turn; `docs/charts.md` shows the pictures. "+
		"Apache ECharts and Vega-Lite make SVG without a browser, and resvg makes PNG of it; their outlines of countries are projected beforehand and Vega-Lite's charts compiled beforehand. "+
		"Almanac's figures are of whole POST requests for pictures that were not requested before, including base64 and storing the picture.\n\n"+
		"The goal is a third of the time of the fastest other library in the same round, or 15 ms of CPU time; for maps a quarter, or 25 ms. "+
		"The last column shows how much of it is used.\n\n%s%s\n"+
		"Other libraries have no counterpart of these. The figures of sparklines and pages are of whole GET requests for pictures that were not requested before.\n\n%s", note, times, others)
}

// chartRounds measures one kind of chart: each contender once to warm up, and
// then in turn, with a different first one in each round. The first is Almanac.
// The pictures are in the folder pictures.
func (h *harness) chartRounds(k *chartKind, all []contender, t *table) {
	folder := filepath.Join(h.dir, "pictures")
	check(os.MkdirAll(folder, 0o755))
	for round := range h.rounds + 1 {
		medians, cpu := make([]float64, len(all)), make([]float64, len(all))
		for i := range all {
			i = (i + round + len(all) - 1) % len(all) // round 1 begins with the first
			c, size, times, before := all[i], 0, []float64(nil), all[i].cpu()
			for end := time.Now().Add(h.span); len(times) < 3 || time.Now().Before(end); {
				begin := time.Now()
				size = c.draw(k, "")
				times = append(times, milliseconds(time.Since(begin)))
			}
			medians[i], cpu[i] = quantile(times, 50), milliseconds(c.cpu()-before)/float64(len(times))
			if round == 0 {
				c.draw(k, filepath.Join(folder, k.name+"-"+c.name+".png"))
				continue
			}
			row := k.row(c.name)
			t.add(row, "ms, median", medians[i])
			t.add(row, "ms, p95", quantile(times, 95))
			t.add(row, "CPU ms", cpu[i])
			t.add(row, "KB", float64(size)/1024)
		}
		if round > 0 {
			k.compare(t, medians[0], cpu[0], medians[1:])
		}
	}
}

func (k *chartKind) row(name string) string { return k.what + ", drawn by " + name }

// compare adds Almanac's time in a round divided by that of the fastest other
// library, if one was measured, and how much of the goal is used.
func (k *chartKind) compare(t *table, ms, cpu float64, others []float64) {
	row, used := k.row("almanac"), cpu/k.cpu
	if len(others) > 0 {
		ratio := ms / slices.Min(others)
		t.add(row, "÷ fastest other", ratio)
		used = min(used, ratio/k.share)
	}
	t.add(row, "share of the goal", used).atMost = 1
}

// chartForm is a form of charts that is requested by an address.
type chartForm struct {
	what  string
	kind  string // of the chart with the same numbers
	query string
	// Goals: milliseconds of CPU time, and bytes.
	cpu, bytes float64
}

// chartForms are what is drawn besides pictures as PNG, with goals for the time and the size.
var chartForms = []chartForm{
	{"sparkline as SVG, 160 × 40", "line", "type=spark&width=160&height=40", .3, 2000},
	{"page with values of lines, 6 series of 60 quarters", "line", "type=line&embed=html", 5, 60_000},
	{"page with values of horizontal bars, 30 countries", "horizontal-bar", "type=horizontal-bar&embed=html", 5, 60_000},
}

// formRounds measures one form of charts in a warm server on one core.
func (h *harness) formRounds(f chartForm, store string, k *chartKind, t *table) {
	server := h.startServer(nil, pinToCore(h.serveCommand(store)...)...)
	defer server.stop()
	c := dial(h.ctx, server)
	defer c.Close()
	for round := range h.rounds + 1 {
		var times []float64
		before := server.cpu()
		for end := time.Now().Add(h.span); len(times) < 3 || time.Now().Before(end); {
			c.exchange(&exchange{URI: fmt.Sprintf("/api/datasets/%d/chart.svg?%s&customTitle=Picture+%d", k.dataset, f.query, h.drawn.Add(1))}, http.StatusOK)
			times = append(times, milliseconds(c.whole))
		}
		if round == 0 {
			continue
		}
		t.add(f.what+": ms, median", onlyColumn, quantile(times, 50))
		t.add(f.what+": CPU ms", onlyColumn, milliseconds(server.cpu()-before)/float64(len(times))).atMost = f.cpu
		t.add(f.what+": bytes", onlyColumn, float64(c.body.Len())).atMost = f.bytes
	}
}

// chartMemory measures the peak memory of a server that receives requests for pictures
// over 16 connections at once.
func (h *harness) chartMemory(store string, kinds []*chartKind, t *table) {
	const connections, pictures = 16, 8
	h.withServer(store, func(server *process) {
		h.concurrently(connections, func(ctx context.Context, i int) {
			c := dial(ctx, server)
			defer c.Close()
			for range pictures {
				c.postChart(h.newChart(kinds[i%len(kinds)]))
			}
		})
		t.add(fmt.Sprintf("server that draws %d pictures for as many connections, 1200 × 675: peak memory, MB", connections), onlyColumn, memoryOf(server.cmd.Process.Pid, "VmHWM")).atMost = 315
	})
}
