package fetch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Pauses between tries grow from firstPause to longPause, and each is a random
// part of that, so that many who failed together do not come back together.
const (
	firstPause = time.Second
	longPause  = 30 * time.Second
)

// longAfter is the longest that a Retry-After is believed.
const longAfter = 24 * time.Hour

// ask tries a request until an answer is kept or there is no sense in trying.
func (c *Client) ask(ctx context.Context, r Request, most int64, keep keeper) (Answer, error) {
	for try := 1; ; try++ {
		answer, err := c.try(ctx, r, most, keep)
		var failed *Error
		if !errors.As(err, &failed) {
			return answer, err
		}
		failed.Tries = try
		log := c.options.Log.With("address", failed.Address, "reason", failed.Reason, "status", failed.Status, "try", try)
		// What took minutes to fail is not tried at once: others wait for the host.
		silent := failed.Reason == Slow && failed.Status == 0
		if !failed.Outage() || silent || try >= c.options.Tries || failed.After > c.options.LongWait {
			log.Debug("a request failed", "error", failed)
			return Answer{}, failed
		}
		// What Retry-After asked for is waited for at the host's queue, by all.
		pause := time.Duration(c.options.Rand() * float64(min(firstPause<<min(try-1, 30), longPause)))
		log.Debug("a request is tried again", "error", failed, "pause", pause)
		if err := c.options.Sleep(ctx, pause); err != nil {
			return Answer{}, err
		}
	}
}

// retryAfter reads how long a server wants to be left alone: seconds, or a
// date.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	// Of a number that is too large ParseUint returns the largest.
	if seconds, err := strconv.ParseUint(text, 10, 63); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(longAfter/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return min(max(0, date.Sub(now)), longAfter)
	}
	return 0
}
