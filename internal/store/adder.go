package store

import "almanac/internal/stat"

// An Adder adds the observations of a file to a builder in a goroutine of its own, while
// its caller reads the next ones. [Adder.End] must be called, and nothing else may be done
// with the builder before.
type Adder struct {
	builder *Builder
	batch   batch
	full    chan batch
	empty   chan batch
	failed  chan error // the first error, or nil at the end
}

// batch holds observations, and their keys, which readers reuse.
type batch struct {
	observations []stat.Observation
	keys         []int32
}

// The observations of a batch, and the batches that may wait.
const (
	batchSize = 512
	batches   = 4
)

// NewAdder returns an adder to the builder.
func (b *Builder) NewAdder() *Adder {
	return &Adder{builder: b}
}

// Add is [Builder.Add]. It may change the observation. Its error may be that of an earlier one.
func (a *Adder) Add(o *stat.Observation) error {
	a.builder.omitUnit(o)
	to := &a.batch
	to.keys = append(to.keys, o.Key...)
	if to.observations = append(to.observations, *o); len(to.observations) < batchSize {
		return nil
	}
	if a.full == nil {
		a.full, a.empty, a.failed = make(chan batch, batches), make(chan batch, batches), make(chan error, 1)
		go a.run()
	}
	select {
	case a.full <- a.batch:
	case err := <-a.failed:
		a.failed <- err
		return err
	}
	a.batch = batch{}
	select {
	case a.batch = <-a.empty:
	default:
	}
	return nil
}

// run adds the full batches up to the first error.
func (a *Adder) run() {
	for full := range a.full {
		if err := a.builder.addAll(full); err != nil {
			a.failed <- err
			return
		}
		select {
		case a.empty <- batch{full.observations[:0], full.keys[:0]}:
		default:
		}
	}
	a.failed <- nil
}

func (b *Builder) addAll(from batch) error {
	for i := range from.observations {
		o := &from.observations[i]
		n := len(o.Key)
		o.Key, from.keys = from.keys[:n], from.keys[n:]
		if err := b.add(o); err != nil {
			return err
		}
	}
	return nil
}

// End adds what is left and returns the first error.
func (a *Adder) End() error {
	if a.full != nil {
		close(a.full)
		if err := <-a.failed; err != nil {
			return err
		}
	}
	return a.builder.addAll(a.batch)
}
