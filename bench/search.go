package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// measureSearch asks the judged questions over HTTP: among the lists of offices alone, and
// with many stored datasets while an import runs. Without the judgements it says so.
func (h *harness) measureSearch() string {
	if !exists(filepath.Join(h.judgements, "judgements.tsv")) {
		return "Not measured: there are no judged questions in the folder of -judgements.\n"
	}
	questions := readQuestions(h.judgements)
	quality, speed := newTable("questions", "number", "nDCG@10", "MRR", "recall@20", "without results", "judged@10", "p50 ms", "p95 ms"), newTable("what")
	h.withTempDir(func(dir string) {
		offers := h.offersFile(dir)
		store := filepath.Join(dir, "offers")
		h.fillOffers(store, offers, speed)
		base := 0.0
		h.withServer(filepath.Join(dir, "empty"), func(p *process) { base = p.settledMemory() })
		h.searchServer(store, speed, "lists of the offices", func(p *process, c *connection) {
			speed.add("lists of the offices: memory of the server, without that of an empty one, MB", onlyColumn, p.settledMemory()-base).atMost = 150
			before := p.cpu()
			h.askAll(quality, c, questions)
			speed.add("lists of the offices: CPU time of the server for a question, ms", onlyColumn, milliseconds(p.cpu()-before)/float64(h.rounds*len(questions)))
			speed.add("lists of the offices: memory of the server after all questions, MB", onlyColumn, memoryOf(p.cmd.Process.Pid, "VmRSS"))
		})
		h.askDuringImports(dir, offers, questions, speed)
	})
	return fmt.Sprintf("The judged questions over HTTP, `GET /api/search?q=…&limit=20` on one connection, each %d times. The lists of the offices have 84,945 datasets of 24 sources. "+
		"nDCG@10, MRR and recall count results without a judgement as wrong. Search is tuned on questions with even numbers; some with odd ones were read when terms were added, so neither half is unseen. "+
		"Times are those of the client, from the request to the last byte.\n\n%s\n%s", h.rounds, quality, speed)
}

// offersFile returns the table of what offices offer: a part of it with -quick.
func (h *harness) offersFile(dir string) string {
	whole := filepath.Join(h.judgements, "catalogue.tsv.gz")
	if !h.quick {
		return whole
	}
	part, n := filepath.Join(dir, "part.tsv"), 0
	createFile(part, func(w io.Writer) error {
		for line := range lines(whole) {
			if n++; n > 2000 {
				break
			}
			must(fmt.Fprintln(w, line))
		}
		return nil
	})
	return part
}

// readTitles returns the titles of a table of offers, in another order.
func readTitles(table string) (titles []string) {
	column := -1
	for line := range lines(table) {
		fields := strings.Split(line, "\t")
		if column < 0 {
			if column = slices.Index(fields, "title"); column < 0 {
				check(fmt.Errorf("%s has no column title", table))
			}
			continue
		}
		titles = append(titles, fields[column])
	}
	random := rand.New(rand.NewPCG(seed, 2))
	random.Shuffle(len(titles), func(i, j int) { titles[i], titles[j] = titles[j], titles[i] })
	return titles
}

// lines yields the lines of a text file, which may be compressed with gzip.
func lines(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		f := must(os.Open(name))
		defer f.Close()
		in := io.Reader(f)
		if filepath.Ext(name) == ".gz" {
			in = must(gzip.NewReader(f))
		}
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() && yield(scanner.Text()) {
		}
		check(scanner.Err())
	}
}

func (h *harness) fillOffers(store, offers string, t *table) {
	fmt.Fprintf(h.log, "reading %s\n", offers)
	check(os.MkdirAll(store, 0o755))
	r := h.command(nil, h.binary, "source", "refresh", "--data", store, "--from", offers)
	t.add("`source refresh --from`: seconds", onlyColumn, r.wall.Seconds())
}

// searchServer runs a server, waits until it finds something, and calls work.
func (h *harness) searchServer(store string, t *table, name string, work func(*process, *connection)) {
	begin := time.Now()
	h.withServer(store, func(p *process) {
		for !isIndexed(p) {
			time.Sleep(10 * time.Millisecond)
		}
		c := dial(h.ctx, p)
		defer c.Close()
		t.add(name+": from the start of the server to the first result, seconds", onlyColumn, time.Since(begin).Seconds()).atMost = 60
		t.add(name+": CPU time until then, seconds", onlyColumn, p.cpu().Seconds())
		work(p, c)
	})
}

// isIndexed reports whether the server has built its index. Before, a search is 503, or has no
// ETag while only offers are found.
func isIndexed(p *process) bool {
	resp := must(http.Get(p.url + "/api/search?q=population"))
	defer resp.Body.Close()
	must(io.Copy(io.Discard, resp.Body))
	return resp.StatusCode == http.StatusOK && resp.Header.Get("ETag") != ""
}

// settledMemory returns the memory of the process in MB when it has stopped changing.
func (p *process) settledMemory() float64 {
	last := 0.0
	for range 50 {
		time.Sleep(200 * time.Millisecond)
		now := memoryOf(p.cmd.Process.Pid, "VmRSS")
		if now == last {
			break
		}
		last = now
	}
	return last
}

// ask returns the results of a question, each as source:code.
func (h *harness) ask(c *connection, text string) (results []string) {
	e := exchange{URI: "/api/search?limit=20&q=" + url.QueryEscape(text)}
	c.exchange(&e, http.StatusOK)
	var page struct {
		Data []struct {
			Source string `json:"source"`
			Code   string `json:"dataset_code"`
		} `json:"data"`
	}
	check(json.Unmarshal(e.Body, &page))
	for _, hit := range page.Data {
		results = append(results, hit.Source+":"+hit.Code)
	}
	return results
}

// askAll asks all questions in each round and adds their scores and times, by kind and by
// whether their number is odd.
func (h *harness) askAll(t *table, c *connection, questions []question) {
	scores, times := make([]score, len(questions)), make([][]float64, len(questions))
	for range h.rounds {
		for i := range questions {
			scores[i] = questions[i].score(h.ask(c, questions[i].text))
			times[i] = append(times[i], milliseconds(c.whole))
		}
	}
	addRow := func(name string, has func(*question) bool) {
		var chosen []score
		var spans []float64
		for i := range questions {
			if has(&questions[i]) {
				chosen, spans = append(chosen, scores[i]), append(spans, times[i]...)
			}
		}
		m := mean(chosen)
		for column, value := range map[string]float64{
			"number": float64(len(chosen)), "nDCG@10": m.ndcg, "MRR": m.mrr, "recall@20": m.recall, "without results": m.empty,
			"judged@10": m.judged, "p50 ms": quantile(spans, 50), "p95 ms": quantile(spans, 95),
		} {
			t.add(name, column, value)
		}
	}
	var kinds []string
	for _, q := range questions {
		kinds = append(kinds, q.kind)
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	for _, kind := range kinds {
		addRow(kind, func(q *question) bool { return q.kind == kind })
	}
	for _, kind := range kinds {
		addRow(kind+", odd", func(q *question) bool { return q.kind == kind && q.isOdd() })
	}
	addRow("all, even", func(q *question) bool { return !q.isOdd() })
	addRow("all, odd", (*question).isOdd)
	addRow("all", func(*question) bool { return true })
	t.add("all, odd", "nDCG@10").atLeast = 0.6
	t.add("all, odd", "p95 ms").atMost = 50
}

// askDuringImports asks the questions of a server with many stored datasets, while it is
// idle and while imports add to them.
func (h *harness) askDuringImports(dir, offers string, questions []question, t *table) {
	store := filepath.Join(dir, "stored")
	titled := h.fillStore(fmt.Sprintf("titled-%d", h.catalog), catalogShapes(h.catalog, readTitles(offers)))
	check(os.CopyFS(store, os.DirFS(titled)))
	h.fillOffers(store, offers, newTable("what"))
	name := fmt.Sprintf("with %d stored datasets besides", h.catalog)
	h.searchServer(store, t, name, func(p *process, c *connection) {
		ask := func() (times []float64) {
			for range h.rounds {
				for _, q := range questions {
					h.ask(c, q.text)
					times = append(times, milliseconds(c.whole))
				}
			}
			return times
		}
		before := p.cpu()
		idle := ask()
		t.add(name+": CPU time of the server for a question, ms", onlyColumn, milliseconds(p.cpu()-before)/float64(len(idle)))
		imports, stop := h.importInTurn(dir, store)
		busy := ask()
		close(stop)
		n := <-imports
		if n < 0 {
			check(fmt.Errorf("an import failed"))
		}
		t.add(name+": p50 ms", onlyColumn, quantile(idle, 50))
		t.add(name+": p95 ms", onlyColumn, quantile(idle, 95)).atMost = 50
		t.add(name+", during imports: p50 ms", onlyColumn, quantile(busy, 50))
		t.add(name+", during imports: p95 ms", onlyColumn, quantile(busy, 95)).atMost = 50
		t.add(name+": memory of the server, MB", onlyColumn, p.settledMemory())
	})
}

// importInTurn imports one new dataset after another until stop is closed, and then sends
// the number of imports, or -1 if one failed.
func (h *harness) importInTurn(dir, store string) (imports chan int, stop chan struct{}) {
	imports, stop = make(chan int, 1), make(chan struct{})
	go func() {
		n := 0
		err := catch(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := shape{code: fmt.Sprintf("during_%05d", n), counts: []int{5, 2}, areas: areas[:20], freq: stat.Annual, year: 1990, nPeriods: 30}
				file := filepath.Join(dir, s.code+".csv")
				createFile(file, s.write)
				h.command(nil, h.importCommand(store, file)...)
				n++
			}
		})
		if err != nil {
			fmt.Fprintln(h.log, err)
			n = -1
		}
		imports <- n
	}()
	return imports, stop
}
