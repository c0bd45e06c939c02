package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"almanac/internal/chart"
	"almanac/internal/chart/ink"
	"almanac/internal/stat"
)

// Bounds of drawing. A picture takes memory by its pixels, so it is those that
// are counted: two of the largest at once, or thirty of the usual size.
const (
	pixelsInFlight = 2 * chart.MaxPixels
	longestQueue   = 64
	drawingTime    = 10 * time.Second // in the queue and at the table
)

// studio draws charts, a bounded number at a time.
type studio struct {
	table   *semaphore.Weighted // of pixels
	waiting atomic.Int32        // drawings in the queue
	same    singleflight.Group
}

func newStudio() *studio { return &studio{table: semaphore.NewWeighted(pixelsInFlight)} }

// draw returns the picture of a spec in a format: png, jpg or svg. Callers who
// want the same picture at the same time get it drawn once. The error is
// [stat.Unavailable] when too many are waiting or the time is over.
func (st *studio) draw(ctx context.Context, s *chart.Spec, digest, format string) ([]byte, error) {
	name := digest + "." + format
	drawn := st.same.DoChan(name, func() (any, error) {
		// Others may wait for it when the caller who began has gone.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawingTime)
		defer cancel()
		picture, err := st.drawOne(ctx, s, format)
		if err != nil {
			err = fmt.Errorf("drawing chart %s: %w", name, err)
		}
		return picture, err
	})
	select {
	case <-ctx.Done():
		return nil, errGone
	case result := <-drawn:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.([]byte), nil
	}
}

// drawOne waits for a place at the table and draws.
func (st *studio) drawOne(ctx context.Context, s *chart.Spec, format string) (picture []byte, err error) {
	defer func() {
		// It runs in a goroutine of its own, where a panic would end the process.
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	pixels := int64(s.Width) * int64(s.Height)
	if !st.table.TryAcquire(pixels) {
		if st.waiting.Add(1) > longestQueue {
			st.waiting.Add(-1)
			return nil, stat.Errorf(stat.Unavailable, "too many charts are being drawn; try again in a few seconds")
		}
		err := st.table.Acquire(ctx, pixels)
		st.waiting.Add(-1)
		if err != nil {
			return nil, tooLate
		}
	}
	defer st.table.Release(pixels)
	sc := chart.Layout(s)
	if ctx.Err() != nil {
		return nil, tooLate
	}
	var out bytes.Buffer
	if err := ink.Write(&out, sc, ink.Format(format)); err != nil {
		return nil, err
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, tooLate
	}
	return out.Bytes(), nil
}

var tooLate = stat.Errorf(stat.Unavailable, "the chart could not be drawn in time, because many are being drawn; try again in a few seconds")
