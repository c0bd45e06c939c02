package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"

	"golang.org/x/sync/errgroup"

	"almanac/internal/chart"
	"almanac/internal/chart/ink"
)

// A crowd is many pictures drawn at once, waves of them, to see how much memory
// that takes.
const (
	crowdSize  = 16
	crowdWaves = 8
)

type crowd struct {
	what string
	peak int64 // bytes in RAM, the highest of the whole process
	goal int64 // 0: none
}

// crowds measures the memory of pictures drawn at once: each size in a process
// of its own, and a server that is asked for as many.
func (h *harness) crowds(ctx context.Context, d *drawings) ([]crowd, error) {
	fmt.Fprintf(h.log, "charts: %d at once\n", crowdSize)
	var list []crowd
	for _, size := range []struct {
		width, height, waves int
		goal                 int64
	}{{chart.DefaultWidth, chart.DefaultHeight, crowdWaves, 300 << 20}, {chart.MaxSide, chart.MaxPixels / chart.MaxSide, 2, 0}} {
		out, err := exec.CommandContext(ctx, h.self, "crowd", d.dir, strconv.Itoa(size.width), strconv.Itoa(size.height), strconv.Itoa(size.waves)).Output()
		if err != nil {
			return nil, fmt.Errorf("drawing a crowd of pictures: %w", err)
		}
		peak, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
		if err != nil {
			return nil, err
		}
		list = append(list, crowd{fmt.Sprintf("%d pictures at once, %d × %d", crowdSize, size.width, size.height), peak, size.goal})
	}
	peak, err := h.servedCrowd(ctx, d)
	list = append(list, crowd{fmt.Sprintf("server that is asked for %d pictures at once, %d × %d", crowdSize, chart.DefaultWidth, chart.DefaultHeight), peak, 300 << 20})
	return list, err
}

// servedCrowd is the peak of a new server's memory.
func (h *harness) servedCrowd(ctx context.Context, d *drawings) (peak int64, err error) {
	p, err := h.startChartServer(ctx, d, free)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	for wave := range crowdWaves {
		group, ctx := errgroup.WithContext(ctx)
		for i := range crowdSize {
			asker := newPoster(p.url, d)
			asker.asked = 1000 + wave*crowdSize + i // each asks for another picture
			group.Go(func() error {
				defer asker.client.CloseIdleConnections()
				_, err := asker.post(ctx, chartKinds[i%len(chartKinds)].name)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return 0, err
		}
	}
	return memoryOf(strconv.Itoa(p.cmd.Process.Pid), "VmHWM")
}

// runCrowd is the role "crowd": it draws waves of pictures and prints the peak
// of its memory in bytes.
func runCrowd(args []string, stdout io.Writer) error {
	if len(args) != 4 {
		return errors.New("usage: bench crowd DIR WIDTH HEIGHT WAVES")
	}
	var numbers [3]int // width, height, waves
	for i := range numbers {
		n, err := strconv.Atoi(args[i+1])
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	var specs []*chart.Spec
	for i := range crowdSize {
		s, err := readSpec(args[0], chartKinds[i%len(chartKinds)].name)
		if err != nil {
			return err
		}
		s.Width, s.Height = numbers[0], numbers[1]
		specs = append(specs, s)
	}
	for range numbers[2] {
		if err := drawAll(specs); err != nil {
			return err
		}
	}
	peak, err := memoryOf("self", "VmHWM")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, peak)
	return err
}

// drawAll draws all specs at once.
func drawAll(specs []*chart.Spec) error {
	var group errgroup.Group
	begin := make(chan struct{})
	for _, s := range specs {
		group.Go(func() error {
			<-begin
			var picture bytes.Buffer
			return ink.PNG(&picture, chart.Layout(s))
		})
	}
	close(begin)
	return group.Wait()
}
