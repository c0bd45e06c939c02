package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// maxFirstByte limits the wait for the first byte. A large query may take an office
// a minute or two.
const maxFirstByte = 3 * time.Minute

// minRate is the minimum rate of a download in bytes per second.
const minRate = 1 << 10

var (
	errTime       = errors.New("the time limit was exceeded")
	errNoResponse = errors.New("no response in time")
)

// pace cancels a request whose response does not begin or arrives too slowly.
type pace struct {
	bytes atomic.Int64
	once  sync.Once
	begun chan struct{} // closed by the first byte
}

// startPace starts a pace. The cause of the returned context is the reason for a
// cancellation; end releases the pace.
func startPace(ctx context.Context, o *Options) (watched context.Context, p *pace, end func()) {
	bounded, stop := context.WithTimeoutCause(ctx, o.Time, errTime)
	watched, cancel := context.WithCancelCause(bounded)
	p = &pace{begun: make(chan struct{})}
	go p.watch(watched, o, cancel)
	return watched, p, func() { cancel(nil); stop() }
}

// add counts received bytes.
func (p *pace) add(n int) {
	if n > 0 {
		p.bytes.Add(int64(n))
		p.once.Do(func() { close(p.begun) })
	}
}

// watch checks the rate until the context ends.
func (p *pace) watch(ctx context.Context, o *Options, cancel context.CancelCauseFunc) {
	timer := time.NewTimer(min(o.Time, maxFirstByte))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return
	case <-timer.C:
		cancel(errNoResponse)
		return
	case <-p.begun:
	}
	need := int64(o.Stall.Seconds() * minRate)
	for last := int64(0); ; {
		timer.Reset(o.Stall)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		bytes := p.bytes.Load()
		if bytes-last < need {
			cancel(fmt.Errorf("received fewer than %d bytes in %v", need, o.Stall))
			return
		}
		last = bytes
	}
}
