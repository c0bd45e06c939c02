package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A big query may take an office a minute or two before the first byte comes.
const firstByte = 3 * time.Minute

// leastRate is how many bytes a second a download needs.
const leastRate = 1 << 10

var (
	errTime   = errors.New("it takes too long")
	errSilent = errors.New("no answer in time")
)

// pace ends a question whose answer does not come, or comes too slowly.
type pace struct {
	bytes atomic.Int64
	once  sync.Once
	begun chan struct{} // closed by the first byte
}

// startPace begins to watch. The context that it returns ends with what was
// wrong as its cause; end ends the watch.
func startPace(ctx context.Context, o *Options) (watched context.Context, p *pace, end func()) {
	bounded, stop := context.WithTimeoutCause(ctx, o.Time, errTime)
	watched, cancel := context.WithCancelCause(bounded)
	p = &pace{begun: make(chan struct{})}
	go p.watch(watched, o, cancel)
	return watched, p, func() { cancel(nil); stop() }
}

// add counts bytes.
func (p *pace) add(n int) {
	if n > 0 {
		p.bytes.Add(int64(n))
		p.once.Do(func() { close(p.begun) })
	}
}

// watch looks at the rate until the context ends.
func (p *pace) watch(ctx context.Context, o *Options, cancel context.CancelCauseFunc) {
	timer := time.NewTimer(min(o.Time, firstByte))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return
	case <-timer.C:
		cancel(errSilent)
		return
	case <-p.begun:
	}
	need := int64(o.Stall.Seconds() * leastRate)
	for last := int64(0); ; {
		timer.Reset(o.Stall)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		bytes := p.bytes.Load()
		if bytes-last < need {
			cancel(fmt.Errorf("fewer than %d bytes in %v", need, o.Stall))
			return
		}
		last = bytes
	}
}
