package fetch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The limit of the pause between attempts grows from firstPause to maxPause. The
// pause is a random fraction of it, so that clients that failed together do not
// retry together.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// maxRetryAfter limits a Retry-After; a longer one is shortened.
const maxRetryAfter = 24 * time.Hour

// do repeats a request until it succeeds or another attempt would not help.
func (c *Client) do(ctx context.Context, r Request, limit int64, keep keeper) (Answer, error) {
	for try := 1; ; try++ {
		answer, err := c.try(ctx, r, limit, keep)
		var failed *Error
		if !errors.As(err, &failed) {
			return answer, err
		}
		failed.Tries = try
		log := c.options.Log.With("address", failed.Address, "reason", failed.Reason, "status", failed.Status, "try", try)
		// A request that took minutes to fail is not repeated: others wait for the host.
		timedOut := failed.Reason == Slow && failed.Status == 0
		if !failed.Outage() || timedOut || failed.Reason == Blocked || failed.isQuota() || try >= c.options.Tries || failed.After > c.options.LongWait {
			log.Debug("request failed", "error", failed)
			return Answer{}, failed
		}
		// The queue of the host applies Retry-After to all requests.
		pause := time.Duration(c.options.Rand() * float64(min(firstPause<<min(try-1, 30), maxPause)))
		log.Debug("request failed, retrying", "error", failed, "pause", pause)
		if err := c.options.Sleep(ctx, pause); err != nil {
			return Answer{}, err
		}
	}
}

// retryAfter parses a Retry-After, which is a number of seconds or a date.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	// ParseUint returns the largest number for one that is out of range.
	if seconds, err := strconv.ParseUint(text, 10, 63); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return min(max(0, date.Sub(now)), maxRetryAfter)
	}
	return 0
}
