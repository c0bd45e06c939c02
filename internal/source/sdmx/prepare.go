package sdmx

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"sync"
	"time"

	"almanac/internal/source/fetch"
)

// Some servers prepare a large response before they send it. The Bundesbank's answers 413
// with the words "is being prepared" meanwhile: the same request succeeds some minutes
// later, so it is repeated before anything is split.
const maxWait = 20 * time.Minute

// preparingWords matches messages about a response that is not ready yet.
var preparingWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(is|are|being|currently) (being )?prepared|in preparation|wird (gerade |derzeit )?(vorbereitet|aufbereitet|erstellt)|(repeat|retry|try|send)[^.<]{0,40} (again )?(later|in (a few|some) (seconds|minutes))`)
})

// isPreparing reports whether a server asks to repeat the request once it has
// prepared the response.
func isPreparing(err error) bool {
	var failure *fetch.Error
	if !errors.As(err, &failure) || failure.Status != http.StatusRequestEntityTooLarge {
		return false
	}
	_, text := errorOf(failure.Body)
	return preparingWords().MatchString(text)
}

// savePrepared requests data, again while the server prepares them. If that takes too
// long, the error is the last one.
func (f *flowFetch) savePrepared(ctx context.Context, address, path string) (fetch.Answer, error) {
	answer, err := f.save(ctx, address, path)
	if !isPreparing(err) {
		return answer, err
	}
	_, pollErr := f.client.Poll(ctx, maxWait, func() (bool, error) {
		answer, err = f.save(ctx, address, path)
		return !isPreparing(err), nil
	})
	return answer, cmp.Or(pollErr, err)
}
