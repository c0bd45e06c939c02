package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// introduction opens the page of a full run.
func (o *options) introduction() string {
	load, _ := os.ReadFile("/proc/loadavg")
	cpus, _ := os.ReadFile("/proc/cpuinfo")
	_, model, _ := strings.Cut(string(cpus), "model name\t: ")
	model, _, _ = strings.Cut(model, "\n")
	return fmt.Sprintf("# Benchmarks\n\nMeasured %s on %d cores (%s), %s, %s, written by `make bench`; `bench/main.go` says how.\n\n"+
		"The machine was shared; its load average was %.14s at the end. Absolute figures vary with it, ratios less.\n\n"+
		"Figures are medians of %d rounds; those with a goal have the lowest and the highest too. The store has %d generated datasets, among them one with %d series; catalog pages come from a store of %d datasets.\n\n",
		time.Now().UTC().Format("2 January 2006, 15:04 MST"), runtime.NumCPU(), model, runtime.Version(), runtime.GOOS, load,
		o.rounds, o.datasets+1+largeDatasets, o.big, o.catalog)
}

// replaceSection puts a section into a page that has one of this heading, or
// none.
func replaceSection(page, heading, section string) string {
	before, rest, found := strings.Cut(page, heading)
	if !found && page != "" {
		return strings.TrimRight(page, "\n") + "\n\n" + section
	}
	if i := strings.Index(rest, "\n## "); i >= 0 {
		return before + section + rest[i+1:]
	}
	return before + section
}

const shortfallsHeading = "## What falls short\n"

// shortfalls lists the figures of the page's tables that miss their goal.
func shortfalls(page string) string {
	list := ""
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		for _, cell := range cells {
			if strings.HasSuffix(cell, missed) {
				list += fmt.Sprintf("- %s: %s.\n", cells[0], cell)
			}
		}
	}
	if list == "" {
		list = "Nothing in this run.\n"
	}
	return shortfallsHeading + "\n" + list
}

// table holds figures by row and column. Rows and columns stand in the order in
// which they got their first figure.
type table struct {
	what          string // heading of the rows
	rows, columns []string
	cells         map[[2]string]string
}

func (t *table) put(row, column, text string) {
	if t.cells == nil {
		t.cells = map[[2]string]string{}
	}
	if !slices.Contains(t.rows, row) {
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, column) {
		t.columns = append(t.columns, column)
	}
	t.cells[[2]string{row, column}] = text
}

// set puts the median of values.
func (t *table) set(row, column string, values ...float64) {
	t.put(row, column, figure(median(values)))
}

// goal is what a figure is to be; 0 is no bound.
type goal struct{ atLeast, atMost float64 }

// setGoal puts the median of values, with the lowest and the highest, and
// whether the median meets a goal.
func (t *table) setGoal(row, column string, g goal, values ...float64) {
	m := median(values)
	text := "**" + figure(m) + "**"
	if len(values) > 1 {
		text += fmt.Sprintf(" (%s–%s)", figure(slices.Min(values)), figure(slices.Max(values)))
	}
	switch {
	case g.atLeast > 0:
		text += verdict(m >= g.atLeast, fmt.Sprint("; at least ", g.atLeast))
	case g.atMost > 0:
		text += verdict(m <= g.atMost, fmt.Sprint("; at most ", g.atMost))
	}
	t.put(row, column, text)
}

// missed ends the cell of a figure that misses its goal.
const missed = ": **missed**"

func verdict(met bool, goal string) string {
	if met {
		return goal + ": met"
	}
	return goal + missed
}

// String writes the table as Markdown.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|---|%s\n", t.what, strings.Join(t.columns, " | "), strings.Repeat("--:|", len(t.columns)))
	for _, row := range t.rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range t.columns {
			fmt.Fprintf(&b, " %s |", t.cells[[2]string{row, column}])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func median(values []float64) float64 { return quantile(values, 50) }

// quantile is 0 where there are no values.
func quantile(values []float64, percent int) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return values[(len(values)-1)*percent/100]
}

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

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// ratios are the values of a divided by those of b.
func ratios(a, b []float64) []float64 {
	list := make([]float64, len(a))
	for i := range a {
		list[i] = a[i] / b[i]
	}
	return list
}
