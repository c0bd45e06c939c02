package api

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// oneBar is a small chart.
func oneBar() *chart.Spec {
	return &chart.Spec{
		Dataset: 1, Type: chart.Bar, Width: 120, Height: 100, Transform: chart.Transform{Scale: 1},
		Categories: []chart.Category{{Label: "a"}}, Series: []chart.Series{{Key: "s", Label: "s", Values: chart.Values{1}}},
	}
}

// occupy takes all pixels.
func occupy(t *testing.T, rn *renderer) {
	t.Helper()
	if err := rn.pixels.Acquire(context.Background(), pixelsInFlight); err != nil {
		t.Fatal(err)
	}
}

// Concurrent drawing is bounded by pixels and has a deadline. The test runs on the fake
// clock of synctest.
func TestDrawingDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rn := newRenderer()
		occupy(t, rn)
		begun := time.Now()
		_, err := rn.draw(t.Context(), oneBar(), "d", "png")
		if stat.KindOf(err) != stat.Unavailable || time.Since(begun) != drawingTime {
			t.Errorf("after %s: %v, want a refusal after %s", time.Since(begun), err, drawingTime)
		}
		if status, message := statusOf(err); status != 503 || !strings.Contains(message, "try again") {
			t.Errorf("status %d, message %q", status, message)
		}
		if n := rn.waiting.Load(); n != 0 {
			t.Errorf("%d drawings wait", n)
		}
		rn.pixels.Release(pixelsInFlight)
		if picture, err := rn.draw(t.Context(), oneBar(), "d", "png"); err != nil || len(picture) == 0 {
			t.Errorf("the same chart afterwards: %v", err)
		}
	})
}

// If the queue is full, the response is 503. Queued charts are drawn when pixels are
// free, in any order.
func TestQueueIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rn := newRenderer()
		occupy(t, rn)
		errs := make(chan error, longestQueue)
		for i := range longestQueue {
			go func() {
				s := oneBar()
				s.Width += i
				_, err := rn.draw(t.Context(), s, string(rune('a'+i)), "svg")
				errs <- err
			}()
		}
		synctest.Wait()
		if n := rn.waiting.Load(); n != longestQueue {
			t.Fatalf("%d wait, want %d", n, longestQueue)
		}
		if _, err := rn.draw(t.Context(), oneBar(), "one more", "svg"); stat.KindOf(err) != stat.Unavailable {
			t.Errorf("one more: %v, want a refusal", err)
		}
		rn.pixels.Release(pixelsInFlight)
		for range longestQueue {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if n := rn.waiting.Load(); n != 0 {
			t.Errorf("%d drawings wait", n)
		}
	})
}

// Concurrent requests for the same picture draw it once.
func TestSamePictureIsDrawnOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rn := newRenderer()
		occupy(t, rn)
		const callers = 20
		pictures := make(chan []byte, callers)
		for range callers {
			go func() {
				picture, err := rn.draw(t.Context(), oneBar(), "same", "png")
				if err != nil {
					t.Error(err)
				}
				pictures <- picture
			}()
		}
		synctest.Wait()
		if n := rn.waiting.Load(); n != 1 {
			t.Errorf("%d drawings wait for %d callers of one picture", n, callers)
		}
		rn.pixels.Release(pixelsInFlight)
		first := <-pictures
		for range callers - 1 {
			if picture := <-pictures; &picture[0] != &first[0] {
				t.Error("drawn more than once")
			}
		}
		if _, err := png.Decode(bytes.NewReader(first)); err != nil {
			t.Error(err)
		}
	})
}

// If a caller disconnects, other callers still get the picture.
func TestFirstCallerDisconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rn := newRenderer()
		occupy(t, rn)
		ctx, leave := context.WithCancel(t.Context())
		gone, drawn := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := rn.draw(ctx, oneBar(), "same", "png")
			gone <- err
		}()
		synctest.Wait()
		go func() {
			_, err := rn.draw(t.Context(), oneBar(), "same", "png")
			drawn <- err
		}()
		synctest.Wait()
		leave()
		if err := <-gone; !errors.Is(err, errGone) {
			t.Errorf("the caller that disconnected gets %v", err)
		}
		rn.pixels.Release(pixelsInFlight)
		if err := <-drawn; err != nil {
			t.Errorf("the other caller gets %v", err)
		}
	})
}

// A panic while drawing becomes an error. The log has the details, the caller does not,
// and the pixels are released.
func TestPanicWhileDrawing(t *testing.T) {
	rn := newRenderer()
	_, err := rn.draw(t.Context(), nil, "nothing", "png")
	if err == nil || !strings.Contains(err.Error(), "panic: ") || stat.KindOf(err) != stat.Internal {
		t.Errorf("nothing to draw: %v, want the panic as an internal error", err)
	}
	if status, message := statusOf(err); status != 500 || message != "" {
		t.Errorf("status %d, message %q", status, message)
	}
	if !rn.pixels.TryAcquire(pixelsInFlight) {
		t.Error("the pixels were not released")
	}
}
