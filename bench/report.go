package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report measures the sections and returns the page, or only the chosen sections
// without the introduction.
func (h *harness) report() (page string) {
	for _, s := range sections {
		if len(h.chosen) == 0 || h.chosen[s.name] {
			page += "## " + s.heading + "\n\n" + s.measure(h) + "\n"
		}
	}
	page += shortfalls(page)
	if len(h.chosen) > 0 {
		return page
	}
	load, _ := os.ReadFile("/proc/loadavg")
	cpus, _ := os.ReadFile("/proc/cpuinfo")
	_, model, _ := strings.Cut(string(cpus), "model name\t: ")
	model, _, _ = strings.Cut(model, "\n")
	return fmt.Sprintf("# Benchmarks\n\nMeasured %s on %d cores (%s), %s, %s, written by `make bench`; `bench/main.go` explains how.\n\n"+
		"The machine was shared; its load average was %.14s at the end. Absolute figures vary with it, ratios less.\n\n"+
		"Rounds of each case: %d. A figure is their median; one with a goal also has the lowest and the highest. The store has %d generated datasets, among them one with %d series; catalogue pages come from a store of %d datasets.\n\n",
		time.Now().UTC().Format("2 January 2006, 15:04 MST"), runtime.NumCPU(), model, runtime.Version(), runtime.GOOS, load,
		h.rounds, h.datasets+1+largeDatasets, h.big, h.catalog) + page
}

// shortfalls lists the figures of the page's tables that miss their goal.
func shortfalls(page string) string {
	list := ""
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		for _, figure := range cells {
			if strings.HasSuffix(figure, missedGoal) {
				list += fmt.Sprintf("- %s: %s.\n", cells[0], figure)
			}
		}
	}
	return "## What falls short\n\n" + cmp.Or(list, "Nothing in this run.\n")
}

// table contains figures by row and column, with one value for each round. Rows and
// columns are in the order of their first use.
type table struct {
	rows, columns []string // columns[0] is the heading of the rows
	cells         map[[2]string]*cell
}

// cell is a figure: its values in all rounds, and the bounds of its goal; 0: no bound.
type cell struct {
	values          []float64
	atLeast, atMost float64
}

func newTable(columns ...string) *table {
	return &table{columns: columns, cells: map[[2]string]*cell{}}
}

// add adds the values of rounds to a figure.
func (t *table) add(row, column string, values ...float64) *cell {
	if !slices.Contains(t.rows, row) {
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, column) {
		t.columns = append(t.columns, column)
	}
	name := [2]string{row, column}
	if t.cells[name] == nil {
		t.cells[name] = &cell{}
	}
	t.cells[name].values = append(t.cells[name].values, values...)
	return t.cells[name]
}

// onlyColumn is the column of tables with a single one.
const onlyColumn = "measured"

// addRatios adds the ratio of two columns for each round.
func (t *table) addRatios(row, dividend, divisor string) *cell {
	divisors := t.add(row, divisor).values
	for i, v := range t.add(row, dividend).values {
		t.add(row, "ratio", v/divisors[i])
	}
	return t.add(row, "ratio")
}

// missedGoal ends a figure that misses its goal.
const missedGoal = "**missed**"

// String returns the median of the values; with a goal also the lowest and the
// highest value, and whether the median meets the goal.
func (c *cell) String() string {
	if len(c.values) == 0 {
		return ""
	}
	median, spread, verdict := quantile(c.values, 50), "", "met"
	goal, met := fmt.Sprint("at least ", c.atLeast), median >= c.atLeast
	switch {
	case c.atMost > 0:
		goal, met = fmt.Sprint("at most ", c.atMost), median <= c.atMost
	case c.atLeast == 0:
		return figure(median)
	}
	if len(c.values) > 1 {
		spread = fmt.Sprintf(" (%s–%s)", figure(slices.Min(c.values)), figure(slices.Max(c.values)))
	}
	if !met {
		verdict = missedGoal
	}
	return fmt.Sprintf("**%s**%s; %s: %s", figure(median), spread, goal, verdict)
}

// String returns the table as Markdown.
func (t *table) String() string {
	text := "| " + strings.Join(t.columns, " | ") + " |\n| ---" + strings.Repeat(" | --:", len(t.columns)-1) + " |\n"
	for _, row := range t.rows {
		text += "| " + row
		for _, column := range t.columns[1:] {
			text += " | " + t.add(row, column).String()
		}
		text += " |\n"
	}
	return text
}

// quantile returns 0 if there are no values.
func quantile(values []float64, percent int) float64 {
	if len(values) == 0 {
		return 0
	}
	values = slices.Sorted(slices.Values(values))
	return values[(len(values)-1)*percent/100]
}

// figure formats a number with three digits, or all digits of its whole part.
func figure(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }
