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
	"almanac/internal/chart/embed"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
	"almanac/internal/stat"
	"almanac/internal/trace"
)

// Bounds on drawing. Pictures take memory by their pixels, so pixels are counted: two of
// the largest pictures at once, or thirty of the usual size.
const (
	pixelsInFlight = 2 * chart.MaxPixels
	longestQueue   = 64
	drawingTime    = 10 * time.Second // including the time in the queue
)

// renderer draws charts, a bounded number at a time.
type renderer struct {
	pixels  *semaphore.Weighted
	waiting atomic.Int32       // drawings in the queue
	drawing singleflight.Group // by name of the picture
}

func newRenderer() *renderer { return &renderer{pixels: semaphore.NewWeighted(pixelsInFlight)} }

// draw returns the picture of a spec in a format: png, jpg, svg or html. Concurrent requests
// for the same picture draw it once. The error is [stat.Unavailable] if too many
// requests are waiting or drawing takes too long.
func (rn *renderer) draw(ctx context.Context, s *chart.Spec, digest, format string) ([]byte, error) {
	name := digest + "." + format
	results := rn.drawing.DoChan(name, func() (any, error) {
		// Others may wait for the picture after the first caller has disconnected.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawingTime)
		defer cancel()
		ctx, span := trace.Begin(ctx, "draw chart")
		span.Set("almanac.chart.format", format)
		picture, err := rn.drawOne(ctx, s, format)
		span.End(err)
		if err != nil {
			err = fmt.Errorf("drawing chart %s: %w", name, err)
		}
		return picture, err
	})
	select {
	case <-ctx.Done():
		return nil, errGone
	case result := <-results:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.([]byte), nil
	}
}

func (rn *renderer) drawOne(ctx context.Context, s *chart.Spec, format string) (picture []byte, err error) {
	defer func() {
		// This runs in its own goroutine, where a panic would end the process.
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	size := int64(s.Width) * int64(s.Height)
	if !rn.pixels.TryAcquire(size) {
		if rn.waiting.Add(1) > longestQueue {
			rn.waiting.Add(-1)
			return nil, stat.Errorf(stat.Unavailable, "too many charts are being drawn; try again in a few seconds")
		}
		err := rn.pixels.Acquire(ctx, size)
		rn.waiting.Add(-1)
		if err != nil {
			return nil, errTooLate
		}
	}
	defer rn.pixels.Release(size)
	sc := layout.Layout(s)
	if ctx.Err() != nil {
		return nil, errTooLate
	}
	var out bytes.Buffer
	if format == "html" {
		err = embed.Page(&out, sc)
	} else {
		err = render.Write(&out, sc, render.Format(format))
	}
	if err != nil {
		return nil, err
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, errTooLate
	}
	return out.Bytes(), nil
}

var errTooLate = stat.Errorf(stat.Unavailable, "the chart could not be drawn in time because too many are being drawn; try again in a few seconds")
