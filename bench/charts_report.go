package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// chartReport is what was measured of charts.
type chartReport struct {
	turns      map[string]map[string][]turn // by kind and contender, in the order of rounds
	crowds     []crowd
	unmeasured string // why other libraries were not measured; empty if they were
}

const chartsHeading = "## Charts, beside other libraries\n"

// write writes a section.
func (r *chartReport) write(b *strings.Builder) {
	b.WriteString(chartsHeading + "\n" +
		"The same numbers as PNG of 1200 × 675 pixels, each in a warm process pinned to the same core, in turns; `docs/charts.md` shows the pictures. " +
		"Apache ECharts and Vega-Lite make SVG without a browser, which resvg makes PNG of; their outlines of countries are projected beforehand and Vega-Lite's charts compiled beforehand. " +
		"\"" + posted + "\" is the whole way of a request for a picture that nobody asked for before, base64 and keeping the picture included. " +
		"\"" + encoder + "\" encodes our finished picture again: the bound for those who draw and then encode with it.\n\n" +
		"Goal of a picture: a third of the time of the fastest other library in the same round, or 15 ms of CPU time; a quarter or 25 ms for maps.\n\n")
	if r.unmeasured != "" {
		fmt.Fprintf(b, "**Other libraries were not measured: %s.**\n\n", r.unmeasured)
	}
	b.WriteString("| chart | drawn by | ms, median | p95 | CPU ms | KB | ÷ fastest other | goal |\n|---|---|--:|--:|--:|--:|--:|---|\n")
	for _, kind := range chartKinds {
		for _, name := range r.order(kind.name) {
			r.line(b, kind, name)
		}
	}
	b.WriteString("\n| memory at its highest | MiB | goal |\n|---|--:|---|\n")
	for _, c := range r.crowds {
		fmt.Fprintf(b, "| %s | %d | %s |\n", c.what, c.peak>>20, c.verdict())
	}
	b.WriteString("\n")
}

// order are the contenders of a kind, the fastest first.
func (r *chartReport) order(kind string) []string {
	var names []string
	for _, name := range append([]string{encoder, drawnHere, posted}, peerNames...) {
		if r.turns[kind][name] != nil {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return int(math.Copysign(1, r.median(kind, a, turn.middle)-r.median(kind, b, turn.middle)))
	})
	return names
}

func (r *chartReport) line(b *strings.Builder, kind chartKind, name string) {
	cpu := r.median(kind.name, name, func(t turn) float64 { return float64(t.cpu) / float64(time.Millisecond) })
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.0f |", kind.what, name,
		figure(r.median(kind.name, name, turn.middle)),
		figure(r.median(kind.name, name, func(t turn) float64 { return t.ms[(len(t.ms)-1)*95/100] })),
		figure(cpu), r.median(kind.name, name, func(t turn) float64 { return float64(t.bytes) / 1024 }))
	share := r.share(kind.name, name)
	if math.IsNaN(share) {
		b.WriteString(" |")
	} else {
		fmt.Fprintf(b, " %s |", figure(share))
	}
	switch {
	case name != drawnHere && name != posted:
		b.WriteString(" |\n")
	case share <= kind.share || cpu <= kind.cpu:
		b.WriteString(" met |\n")
	default:
		b.WriteString(" **missed** |\n")
	}
}

// median is that of a figure over the rounds.
func (r *chartReport) median(kind, name string, figure func(turn) float64) float64 {
	var list []float64
	for _, t := range r.turns[kind][name] {
		list = append(list, figure(t))
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// share is the time of a contender as a part of that of the fastest other
// library in the same round, the median of the rounds; NaN where none was
// measured.
func (r *chartReport) share(kind, name string) float64 {
	var list []float64
	for round, t := range r.turns[kind][name] {
		fastest := math.Inf(1)
		for _, peer := range peerNames {
			if turns := r.turns[kind][peer]; turns != nil {
				fastest = min(fastest, turns[round].middle())
			}
		}
		list = append(list, t.middle()/fastest)
	}
	slices.Sort(list)
	if m := list[len(list)/2]; m > 0 {
		return m
	}
	return math.NaN()
}

func (c crowd) verdict() string {
	switch {
	case c.goal == 0:
		return ""
	case c.peak < c.goal:
		return fmt.Sprintf("under %d, met", c.goal>>20)
	}
	return fmt.Sprintf("under %d, **missed**", c.goal>>20)
}
