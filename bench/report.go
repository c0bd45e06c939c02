package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// introduction returns the beginning of the page of a full run.
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

// replaceSection replaces the section with a heading, or adds it to a page without
// one.
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

// table contains figures by row and column, with one value for each round. Rows and
// columns are in the order of their first use.
type table struct {
	rows, columns []string // columns[0] is the heading of the rows
	cells         map[cellName]*cell
}

type cellName struct{ row, column string }

type cell struct {
	text   string // instead of values
	values []float64
	goal   goal
}

// goal is the range of a figure; 0 means no bound.
type goal struct{ atLeast, atMost float64 }

func newTable(columns ...string) *table {
	return &table{columns: columns, cells: map[cellName]*cell{}}
}

func (t *table) cell(row, column string) *cell {
	if !slices.Contains(t.rows, row) {
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, column) {
		t.columns = append(t.columns, column)
	}
	name := cellName{row, column}
	if t.cells[name] == nil {
		t.cells[name] = &cell{}
	}
	return t.cells[name]
}

// put sets a text instead of a figure.
func (t *table) put(row, column, text string) { t.cell(row, column).text = text }

// add adds the value of a round.
func (t *table) add(row, column string, value float64) {
	c := t.cell(row, column)
	c.values = append(c.values, value)
}

// addRatios adds the ratio of two columns for each round.
func (t *table) addRatios(row, column, dividend, divisor string) *cell {
	divisors := t.cell(row, divisor).values
	for i, v := range t.cell(row, dividend).values {
		t.add(row, column, v/divisors[i])
	}
	return t.cell(row, column)
}

// missed marks a figure that misses its goal.
const missed = ": **missed**"

func verdict(met bool, goal string) string {
	if met {
		return goal + ": met"
	}
	return goal + missed
}

// String returns the median of the values; with a goal also the lowest and the
// highest value, and whether the median meets the goal.
func (c *cell) String() string {
	if c.text != "" || len(c.values) == 0 {
		return c.text
	}
	m := median(c.values)
	spread := ""
	if len(c.values) > 1 {
		spread = fmt.Sprintf(" (%s–%s)", figure(slices.Min(c.values)), figure(slices.Max(c.values)))
	}
	switch {
	case c.goal.atLeast > 0:
		return "**" + figure(m) + "**" + spread + verdict(m >= c.goal.atLeast, fmt.Sprint("; at least ", c.goal.atLeast))
	case c.goal.atMost > 0:
		return "**" + figure(m) + "**" + spread + verdict(m <= c.goal.atMost, fmt.Sprint("; at most ", c.goal.atMost))
	}
	return figure(m)
}

// String returns the table as Markdown.
func (t *table) String() string {
	lines := []string{strings.Join(t.columns, " | "), "---" + strings.Repeat(" | --:", len(t.columns)-1)}
	for _, row := range t.rows {
		line := row
		for _, column := range t.columns[1:] {
			line += " | " + t.cell(row, column).String()
		}
		lines = append(lines, line)
	}
	return "| " + strings.Join(lines, " |\n| ") + " |\n"
}

func median(values []float64) float64 { return quantile(values, 50) }

// quantile returns 0 if there are no values.
func quantile(values []float64, percent int) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return values[(len(values)-1)*percent/100]
}

// figure formats a number with about three digits.
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
