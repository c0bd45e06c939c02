package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const meterHeading = "## Keys and the meter\n"

// checkGoal is how long the check of a key may take.
const checkGoal = 5 * time.Microsecond

// write writes a section.
func (r *meterReport) write(b *strings.Builder) {
	b.WriteString(meterHeading + "\n" +
		"The same server answers the same requests without a key, when anonymous callers have no limit and nothing is counted, and with the key of an account whose requests are, in turn. " +
		"Ratio: CPU time without ÷ with, median of the rounds, with the lowest and the highest.\n\n" +
		"| case | what is asked | ratio | spread | goal | CPU µs, without | with | requests/s, without | with | p99 ms, without | with |\n" +
		"|---|---|--:|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, c := range r.keyed {
		ratios := c.ratios()
		m := ratios[len(ratios)/2]
		fmt.Fprintf(b, "| %s | %s | **%s** | %s–%s | %s |", c.name, c.what, figure(m), figure(ratios[0]), figure(ratios[len(ratios)-1]), verdict(m >= c.goal, goal(c.goal)))
		for _, f := range []func(sample) float64{microseconds, perSecond, func(s sample) float64 { return s.P99.Seconds() * 1e3 }} {
			fmt.Fprintf(b, " %s | %s |", figure(median(c.bare, f)), figure(median(c.ours, f)))
		}
		b.WriteString("\n")
	}
	r.writeCrowds(b)
	r.writeChecks(b)
}

func microseconds(s sample) float64 { return float64(s.cpu) / 1e3 }

func perSecond(s sample) float64 { return float64(s.Requests) / s.Seconds }

// verdict is what a column of goals says.
func verdict(met bool, goal string) string {
	if met {
		return goal + ", met"
	}
	return goal + ", **missed**"
}

func (r *meterReport) writeCrowds(b *strings.Builder) {
	fmt.Fprintf(b, "\nMetadata from %d connections at once; the load generator runs on the same cores. Each request is counted on the disk before it is answered. "+
		"In the last line no two requests have the same caller: each is a row of its own, and none can be counted in advance.\n\n"+
		"| callers | requests/s | spread | goal | CPU µs of the server | p50 ms | p99 ms |\n|---|--:|---|---|--:|--:|--:|\n", crowdConnections)
	for _, c := range r.crowds {
		var rates []float64
		for _, s := range c.samples {
			rates = append(rates, perSecond(s))
		}
		slices.Sort(rates)
		m, aim := rates[len(rates)/2], ""
		if c.goal > 0 {
			aim = verdict(m >= c.goal, fmt.Sprintf("%.0f", c.goal))
		}
		fmt.Fprintf(b, "| %s | **%.0f** | %.0f–%.0f | %s | %s | %s | %s |\n", c.what, m, rates[0], rates[len(rates)-1], aim, figure(median(c.samples, microseconds)),
			figure(median(c.samples, func(s sample) float64 { return s.P50.Seconds() * 1e3 })), figure(median(c.samples, func(s sample) float64 { return s.P99.Seconds() * 1e3 })))
	}
}

func (r *meterReport) writeChecks(b *strings.Builder) {
	b.WriteString("\nThe check of a key by itself (`access.Verify`, median of the rounds), and the time until its 401 is read, over one connection, all kinds in turn. " +
		"A key of 10 KB takes longer because 10 KB do; the others should not be told apart.\n\n" +
		"| key | ns | goal | allocations | 401: median µs | quarter to three quarters |\n|---|--:|---|--:|--:|---|\n")
	for _, c := range r.checks {
		ns, aim, allocs := "", "", ""
		if len(c.took) > 0 {
			slices.Sort(c.took)
			m := c.took[len(c.took)/2]
			ns, aim = fmt.Sprintf("%.0f", m), verdict(m < float64(checkGoal), checkGoal.String())
			allocs = fmt.Sprintf("%.1f", c.allocs)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |", c.kind, ns, aim, allocs)
		if c.valid {
			b.WriteString(" | |\n")
			continue
		}
		fmt.Fprintf(b, " %s | %s–%s |\n", micros(quantile(c.refusal, 50)), micros(quantile(c.refusal, 25)), micros(quantile(c.refusal, 75)))
	}
	b.WriteString("\n")
}

func micros(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/1e3) }
