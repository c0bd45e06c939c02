package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Names of those who draw charts, as the tables have them. The other libraries
// have the names of their modules in the folder peers.
const (
	drawnHere = "almanac"
	posted    = "almanac, by POST"
	encoder   = "image/png alone"
)

// contender draws charts and is measured: a warm process on one core.
type contender struct {
	*process
	name string
	draw func(ctx context.Context, kind string, span time.Duration) (answer, error)
}

// turn is one contender's part of a round: as many pictures as it drew in its time.
type turn struct {
	ms    []float64     // of each picture, sorted
	cpu   time.Duration // a picture
	bytes int           // of a picture
}

// middle is the median time of a picture in milliseconds.
func (t turn) middle() float64 { return t.ms[len(t.ms)/2] }

// charts measures what drawing costs, beside other libraries and beside an
// encoder that has the finished picture: all draw the same numbers, in warm
// processes pinned to the same core, one after another, round after round.
func (h *harness) charts(ctx context.Context, r *report) error {
	dir, err := os.MkdirTemp(h.o.dir, "charts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d, err := newDrawings(ctx, dir)
	if err != nil {
		return fmt.Errorf("preparing charts: %w", err)
	}
	r.charts = &chartReport{turns: map[string]map[string][]turn{}}
	all, err := h.contenders(ctx, d, r.charts)
	defer func() {
		for _, c := range all {
			_ = c.stop()
		}
	}()
	if err != nil {
		return err
	}
	for _, kind := range chartKinds {
		fmt.Fprintf(h.log, "charts: %s\n", kind.what)
		if err := h.chartRounds(ctx, kind, all, r.charts); err != nil {
			return err
		}
	}
	r.charts.crowds, err = h.crowds(ctx, d)
	return err
}

// chartsOnly measures charts and nothing else, and prints their section. With a
// file to write to it replaces the section there.
func (h *harness) chartsOnly(ctx context.Context, stdout io.Writer) error {
	r := &report{options: h.o}
	if err := h.charts(ctx, r); err != nil {
		return err
	}
	var section strings.Builder
	r.charts.write(&section)
	return h.hand(stdout, chartsHeading, section.String())
}

// contenders starts all who draw. What started is returned with an error too.
func (h *harness) contenders(ctx context.Context, d *drawings, r *chartReport) ([]contender, error) {
	var all []contender
	for _, name := range []string{drawnHere, encoder} {
		p, err := startPainter(ctx, "", pinned(h.self, "paint", d.dir, name))
		if err != nil {
			return all, err
		}
		all = append(all, p.contender(name))
	}
	server, err := h.startChartServer(ctx, d, pinned)
	if err != nil {
		return all, err
	}
	all = append(all, contender{server, posted, newPoster(server.url, d).draw})
	if h.o.alone {
		r.unmeasured = "this was a quick run"
		return all, nil
	}
	peers, err := installPeers(ctx, filepath.Join(h.o.dir, "peers"), h.log)
	if err != nil {
		fmt.Fprintf(h.log, "CHARTS ARE NOT MEASURED BESIDE OTHER LIBRARIES: %v\n", err)
		r.unmeasured = err.Error()
		return all, nil
	}
	for _, name := range peerNames {
		p, err := startPainter(ctx, peers, pinned("node", "painter.mjs", name, d.numbersFile()))
		if err != nil {
			return all, err
		}
		all = append(all, p.contender(name))
	}
	return all, nil
}

// pinned is a command that runs on one core, the first, if there is a way to
// say so, and with one thread at a time if it is of ours.
func pinned(args ...string) []string {
	command := []string{"env", "GOMAXPROCS=1"}
	if _, err := exec.LookPath("taskset"); err == nil {
		command = append(command, "taskset", "-c", "0")
	}
	return append(command, args...)
}

// free is a command that runs on all cores.
func free(args ...string) []string { return args }

// chartRounds measures one kind of chart: each contender once to warm up, and
// then in turn, the first of a round changing with each.
func (h *harness) chartRounds(ctx context.Context, kind chartKind, all []contender, r *chartReport) error {
	turns := map[string][]turn{}
	for round := -1; round < h.o.rounds; round++ {
		for i := range all {
			c := all[(i+round+1)%len(all)]
			t, err := c.turn(ctx, kind.name, h.o.span)
			if err != nil {
				return fmt.Errorf("%s drawing %s: %w", c.name, kind.what, err)
			}
			if round >= 0 {
				turns[c.name] = append(turns[c.name], t)
			}
		}
	}
	r.turns[kind.name] = turns
	return nil
}

func (c contender) turn(ctx context.Context, kind string, span time.Duration) (turn, error) {
	before, err := c.cpu()
	if err != nil {
		return turn{}, err
	}
	a, err := c.draw(ctx, kind, span)
	if err != nil {
		return turn{}, err
	}
	after, err := c.cpu()
	if err != nil {
		return turn{}, err
	}
	if len(a.MS) == 0 {
		return turn{}, errors.New("it drew nothing")
	}
	slices.Sort(a.MS)
	return turn{a.MS, (after - before) / time.Duration(len(a.MS)), a.Bytes}, nil
}

// startChartServer starts the real server on the numbers of the charts.
func (h *harness) startChartServer(ctx context.Context, d *drawings, place func(...string) []string) (*process, error) {
	args := place(h.o.almanac, "serve", "--data", d.store, "--listen", "127.0.0.1:0", "--limits", "anonymous=unlimited")
	return start(ctx, args[0], args[1:]...)
}

// poster asks a server for charts that it has never been asked for: each has
// another title.
type poster struct {
	url    string
	d      *drawings
	client *http.Client
	asked  int
}

func newPoster(url string, d *drawings) *poster {
	return &poster{url: url + "/api/charts/generate-png", d: d, client: &http.Client{Transport: &http.Transport{}}}
}

func (p *poster) draw(ctx context.Context, kind string, span time.Duration) (answer, error) {
	var a answer
	var text []byte
	end := time.Now().Add(span)
	for len(a.MS) < 3 || time.Now().Before(end) {
		begin := time.Now()
		var err error
		if text, err = p.post(ctx, kind); err != nil {
			return a, err
		}
		a.MS = append(a.MS, float64(time.Since(begin))/1e6)
	}
	picture, err := pictureIn(text)
	a.Bytes = len(picture)
	return a, err
}

// post asks for the next picture and returns the body of the answer.
func (p *poster) post(ctx context.Context, kind string) ([]byte, error) {
	p.asked++
	body := p.d.request(kind, fmt.Sprintf("%s, picture %d", p.d.numbers[kind].Title, p.asked))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(resp.Body); err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s: %.300s", p.url, resp.Status, text.Bytes())
	}
	return text.Bytes(), nil
}

// pictureIn is the picture in the answer to a chart request.
func pictureIn(text []byte) ([]byte, error) {
	var a struct {
		Success bool
		Base64  []byte
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, err
	}
	if !a.Success || len(a.Base64) == 0 {
		return nil, fmt.Errorf("there is no picture in %.300s", text)
	}
	return a.Base64, nil
}
