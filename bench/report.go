package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report collects what was measured.
type report struct {
	options
	results       []result
	streams       []stream
	wholeSize     int
	kept          int // rendered answers in the server's cache after (a)
	cold, coldBig []outcome
	ready         []time.Duration
	imports       []importRun
	files         *fileReport
	sync          *syncRun
	metered       *meterReport
	charts        *chartReport
}

// markdown writes the report as a page of its own.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Benchmarks\n\nMeasured %s on %s, written by `make bench`; `bench/main.go` says how.\n\n", time.Now().UTC().Format("2 January 2006, 15:04 MST"), machine())
	fmt.Fprintf(&b, "The machine was shared; its load average was %s at the end. Absolute figures vary with it, ratios less.\n\n", loadAverage())
	fmt.Fprintf(&b, "%d rounds a case, bare handler and server in turn. The store has %d generated datasets, among them one with %d series; catalog pages come from a store of %d datasets.\n\n",
		r.rounds, r.size.Datasets+1+3, r.size.Big, r.size.Catalog)
	r.cases(&b)
	r.figures(&b)
	r.shortfalls(&b)
	b.WriteString("\n")
	r.files.write(&b)
	r.sync.write(&b)
	r.metered.write(&b)
	r.charts.write(&b)
	return b.String()
}

// hand prints a section that was measured alone and, where there is a file to
// write to, puts it in the place of the one there.
func (h *harness) hand(stdout io.Writer, heading, section string) error {
	if h.o.write != "" {
		page, err := os.ReadFile(h.o.write)
		if err != nil {
			return err
		}
		if err := os.WriteFile(h.o.write, []byte(replaceSection(string(page), heading, section)), 0o644); err != nil {
			return err
		}
	}
	_, err := io.WriteString(stdout, section)
	return err
}

// replaceSection puts a section into a page that has one of this heading, or
// none.
func replaceSection(page, heading, section string) string {
	before, rest, found := strings.Cut(page, heading)
	if !found {
		return strings.TrimRight(page, "\n") + "\n\n" + section
	}
	if i := strings.Index(rest, "\n## "); i >= 0 {
		return before + section + rest[i+1:]
	}
	return before + section
}

func (r *report) cases(b *strings.Builder) {
	b.WriteString("## CPU time a request, beside a bare handler\n\n" +
		"Ratio: bare handler's CPU time ÷ the server's, median of the rounds, with the lowest and the highest.\n\n" +
		"| case | what is asked | queries | ratio | spread | goal | CPU µs, bare | server | requests/s, bare | server | p50 ms, bare | server | p99 ms, bare | server |\n" +
		"|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, c := range r.results {
		ratios := c.ratios()
		fmt.Fprintf(b, "| %s | %s | %d | **%s** | %s–%s | %s |", c.name, c.what, c.distinct,
			figure(ratios[len(ratios)/2]), figure(ratios[0]), figure(ratios[len(ratios)-1]), goal(c.goal))
		for _, f := range []func(sample) float64{
			func(s sample) float64 { return float64(s.cpu) / 1e3 },
			func(s sample) float64 { return float64(s.Requests) / s.Seconds },
			func(s sample) float64 { return s.P50.Seconds() * 1e3 },
			func(s sample) float64 { return s.P99.Seconds() * 1e3 },
		} {
			fmt.Fprintf(b, " %s | %s |", figure(median(c.bare, f)), figure(median(c.ours, f)))
		}
		b.WriteString("\n")
	}
	b.WriteString("\nIn (e) both serve the same bytes. Asked first in zstd, the server renders and compresses what the bare handler has ready; " +
		"no goal is set for that. Asked again, it sends a file.\n")
	fmt.Fprintf(b, "\nThe server keeps rendered answers only of whole datasets. After all rounds of (a) its cache held %d of the %d answers asked for: hit rate at most %.1f %%.\n\n",
		r.kept, r.results[0].distinct, 100*float64(r.kept)/float64(r.results[0].distinct))
}

// row is one line of the second table.
type row struct {
	what, measured, goal string
	short                bool // of the goal
}

func (r *report) figures(b *strings.Builder) {
	b.WriteString("## Other figures\n\n| what | measured | goal |\n|---|---|---|\n")
	for _, f := range r.rows() {
		fmt.Fprintf(b, "| %s | %s | %s |\n", f.what, f.measured, f.goal)
	}
	b.WriteString("\n")
}

// rows are the lines of the second table.
func (r *report) rows() []row {
	list := r.starts()
	for _, coding := range []string{"identity", "zstd"} {
		if growth, first := r.streamed(coding); growth >= 0 {
			list = append(list,
				row{"(e) " + coding + ": first byte", millis(first) + " ms", "20 ms", first > 20*time.Millisecond},
				row{"(e) " + coding + ": growth of memory while it streams, highest of all rounds", mebibytes(growth), "64 MiB", growth > 64<<20})
		}
	}
	list = append(list, row{what: "(e) size of one answer, identity", measured: fmt.Sprintf("%.1f MB", float64(r.wholeSize)/1e6)})
	if len(r.imports) == 0 {
		return list
	}
	slices.SortFunc(r.imports, func(a, b importRun) int { return cmp.Compare(a.cpu, b.cpu) })
	i := r.imports[len(r.imports)/2]
	const file = "import of estat_nama_10_gdp.tsv.gz on one core: "
	speed := float64(i.cells) / i.cpu.Seconds() / 1e6
	size := float64(i.vintage) / float64(i.stored)
	return append(list,
		row{file + "cells a second of CPU time", fmt.Sprintf("%.2f million (%.2f by the clock; %d cells)", speed, float64(i.cells)/i.wall.Seconds()/1e6, i.cells), "1.5 million", speed < 1.5},
		row{file + "peak memory", mebibytes(i.peak), "400 MiB", i.peak > 400<<20},
		row{file + "bytes an observation on disk", fmt.Sprintf("%.2f (%.2f with the catalog around it)", size, float64(i.dir)/float64(i.stored)), "4", size > 4})
}

// starts are the lines on what is slow only once.
func (r *report) starts() []row {
	half := middle(r.cold, func(o outcome) time.Duration { return o.P50 })
	most := middle(r.cold, func(o outcome) time.Duration { return o.P99 })
	large := middle(r.coldBig, func(o outcome) time.Duration { return o.P50 })
	ready := r.ready[len(r.ready)/2]
	return []row{
		{"(a) on a dataset that is not in memory, opening included (files in the system's cache)",
			fmt.Sprintf("p50 %s ms, p99 %s ms", millis(half), millis(most)), "p50 5 ms", half > 5*time.Millisecond},
		{what: fmt.Sprintf("the same, for the one with %d series", r.size.Big), measured: millis(large) + " ms"},
		{fmt.Sprintf("start to ready with %d datasets", r.size.Catalog), millis(ready) + " ms", "1000 ms", ready > time.Second},
	}
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

// shortfalls says what misses its goal.
func (r *report) shortfalls(b *strings.Builder) {
	b.WriteString("## What falls short\n\n")
	none := true
	for _, c := range r.results {
		ratios := c.ratios()
		if m := ratios[len(ratios)/2]; c.goal > 0 && m < c.goal {
			none = false
			fmt.Fprintf(b, "- %s %s: %s of %s.\n", c.name, c.what, figure(m), goal(c.goal))
		}
	}
	for _, f := range r.rows() {
		if f.short {
			none = false
			fmt.Fprintf(b, "- %s: %s of %s.\n", f.what, f.measured, f.goal)
		}
	}
	if none {
		b.WriteString("Nothing in this run.\n")
	}
}

// streamed is the highest growth and the median first byte in a coding;
// growth is -1 where nothing was measured.
func (r *report) streamed(coding string) (growth int64, first time.Duration) {
	growth = -1
	var firsts []time.Duration
	for _, s := range r.streams {
		if s.coding == coding {
			growth = max(growth, s.growth)
			firsts = append(firsts, s.firstByte)
		}
	}
	slices.Sort(firsts)
	return growth, quantile(firsts, 50)
}

func middle(list []outcome, f func(outcome) time.Duration) time.Duration {
	var times []time.Duration
	for _, o := range list {
		times = append(times, f(o))
	}
	slices.Sort(times)
	return times[len(times)/2]
}

func millis(d time.Duration) string { return figure(d.Seconds() * 1e3) }

// figure writes a number with about three digits.
func figure(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func goal(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// machine describes where this runs.
func machine() string {
	model := runtime.GOARCH
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			model = strings.TrimSpace(strings.TrimLeft(name, "\t: "))
			break
		}
	}
	return fmt.Sprintf("%d cores (%s), %s, %s", runtime.NumCPU(), model, runtime.Version(), runtime.GOOS)
}
