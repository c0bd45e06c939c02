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
func occupy(t *testing.T, st *renderer) {
	t.Helper()
	if err := st.pixels.Acquire(context.Background(), pixelsInFlight); err != nil {
		t.Fatal(err)
	}
}

// Concurrent drawing is bounded by pixels and has a deadline. The test runs on the fake
// clock of synctest.
func TestDrawingDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newRenderer()
		occupy(t, st)
		begun := time.Now()
		_, err := st.draw(t.Context(), oneBar(), "d", "png")
		if stat.KindOf(err) != stat.Unavailable || time.Since(begun) != drawingTime {
			t.Errorf("after %s: %v, want to be refused after %s", time.Since(begun), err, drawingTime)
		}
		if status, message := statusOf(err); status != 503 || !strings.Contains(message, "try again") {
			t.Errorf("answered %d %q", status, message)
		}
		if n := st.waiting.Load(); n != 0 {
			t.Errorf("%d drawings wait", n)
		}
		st.pixels.Release(pixelsInFlight)
		if picture, err := st.draw(t.Context(), oneBar(), "d", "png"); err != nil || len(picture) == 0 {
			t.Errorf("the same chart later: %v", err)
		}
	})
}

// If the queue is full, the response is 503. Queued charts are drawn when pixels are
// free, in any order.
func TestQueueIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newRenderer()
		occupy(t, st)
		errs := make(chan error, longestQueue)
		for i := range longestQueue {
			go func() {
				s := oneBar()
				s.Width += i
				_, err := st.draw(t.Context(), s, string(rune('a'+i)), "svg")
				errs <- err
			}()
		}
		synctest.Wait()
		if n := st.waiting.Load(); n != longestQueue {
			t.Fatalf("%d wait, want %d", n, longestQueue)
		}
		if _, err := st.draw(t.Context(), oneBar(), "one more", "svg"); stat.KindOf(err) != stat.Unavailable {
			t.Errorf("one more: %v, want it refused", err)
		}
		st.pixels.Release(pixelsInFlight)
		for range longestQueue {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if n := st.waiting.Load(); n != 0 {
			t.Errorf("%d drawings wait", n)
		}
	})
}

// Concurrent requests for the same picture draw it once.
func TestSamePictureIsDrawnOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newRenderer()
		occupy(t, st)
		const callers = 20
		pictures := make(chan []byte, callers)
		for range callers {
			go func() {
				picture, err := st.draw(t.Context(), oneBar(), "same", "png")
				if err != nil {
					t.Error(err)
				}
				pictures <- picture
			}()
		}
		synctest.Wait()
		if n := st.waiting.Load(); n != 1 {
			t.Errorf("%d drawings wait for %d callers of one picture", n, callers)
		}
		st.pixels.Release(pixelsInFlight)
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
		st := newRenderer()
		occupy(t, st)
		ctx, leave := context.WithCancel(t.Context())
		gone, drawn := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := st.draw(ctx, oneBar(), "same", "png")
			gone <- err
		}()
		synctest.Wait()
		go func() {
			_, err := st.draw(t.Context(), oneBar(), "same", "png")
			drawn <- err
		}()
		synctest.Wait()
		leave()
		if err := <-gone; !errors.Is(err, errGone) {
			t.Errorf("the caller that left receives %v", err)
		}
		st.pixels.Release(pixelsInFlight)
		if err := <-drawn; err != nil {
			t.Errorf("the caller that stayed receives %v", err)
		}
	})
}

// A panic while drawing becomes an error. The log has the details, the caller does not,
// and the pixels are released.
func TestPanicWhileDrawing(t *testing.T) {
	st := newRenderer()
	_, err := st.draw(t.Context(), nil, "nothing", "png")
	if err == nil || !strings.Contains(err.Error(), "panic: ") || stat.KindOf(err) != stat.Internal {
		t.Errorf("nothing to draw: %v, want the panic as an internal error", err)
	}
	if status, message := statusOf(err); status != 500 || message != "" {
		t.Errorf("answered %d %q", status, message)
	}
	if !st.pixels.TryAcquire(pixelsInFlight) {
		t.Error("the table is not free any more")
	}
}
