package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const filesHeading = "## Reading the offices' files\n"

// Goals of the import of many files.
const (
	manyGoal    = 10 * time.Minute // for 10,000 files
	latencyGoal = 2.0              // times the idle latency
)

// write writes a section.
func (r *fileReport) write(b *strings.Builder) {
	b.WriteString(filesHeading + "\n" +
		"Generated files, read on one core. MB a second of CPU time, median of the rounds: the reader alone (`format.Read`, every observation asked for), " +
		"a library of Go that takes the same file apart and does nothing else, in turn with it, and the whole `almanac import`, from the program's start to the stored vintage. " +
		"Peak: memory of the reader's process, and of the import's.\n\n" +
		"| format | MB | observations | reader, MB/s | goal | library | MB/s | ratio | import, MB/s | cells a second | peak MB, reader | import |\n" +
		"|---|--:|--:|--:|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range r.formats {
		mb := float64(f.size) / 1e6
		ours := medianReading(f.readers["ours"])
		speed := mb / ours.CPU.Seconds()
		aim, library, theirs, ratio := "", "", "", ""
		if f.goal > 0 {
			aim = verdict(speed >= f.goal, figure(f.goal))
		}
		if f.library != "" {
			l := medianReading(f.readers[f.library])
			library, theirs = f.library, figure(mb/l.CPU.Seconds())
			ratio = figure(l.CPU.Seconds() / ours.CPU.Seconds())
		}
		imports := slices.Clone(f.imports)
		slices.SortFunc(imports, func(a, b importRun) int { return int(a.cpu - b.cpu) })
		i := imports[len(imports)/2]
		fmt.Fprintf(b, "| %s | %.0f | %d | **%s** | %s | %s | %s | %s | %s | %.0f | %.0f | %.0f |\n", f.what, mb, ours.Cells, figure(speed), aim,
			library, theirs, ratio, figure(mb/i.cpu.Seconds()), float64(i.cells)/i.cpu.Seconds(), float64(ours.Peak)/1e6, float64(i.peak)/1e6)
	}
	r.many.write(b)
}

func medianReading(all []reading) reading {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b reading) int { return int(a.CPU - b.CPU) })
	return all[len(all)/2]
}

func (m *manyRun) write(b *strings.Builder) {
	idle, busy := quantile(m.idle, 50), quantile(m.busy, 50)
	ratio := float64(busy) / float64(idle)
	fmt.Fprintf(b, "\n%d files of %d observations each, of all these formats in turn, imported by one command in **%.0f s** (%s), %.1f ms a file, at most %.0f MB of memory. "+
		"Meanwhile a server on the same store was asked for a catalog page of 100 every %v: median **%s** ms, p99 %s ms, beside %s and %s ms while nothing was imported: **%s** times the idle median (goal %s).\n\n",
		m.files, m.cells/max(1, m.files), m.took.Seconds(), verdict(m.took <= manyGoal, manyGoal.String()), m.took.Seconds()*1e3/float64(max(1, m.files)), float64(m.peak)/1e6,
		askEvery, millis(busy), millis(quantile(m.busy, 99)), millis(idle), millis(quantile(m.idle, 99)), figure(ratio), verdict(ratio <= latencyGoal, figure(latencyGoal)))
}
