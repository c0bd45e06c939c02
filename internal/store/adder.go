package store

import "almanac/internal/stat"

// An Adder adds the observations of a file to a builder in a goroutine of its own, while
// its caller reads the next ones. [Adder.End] must be called, and nothing else may be done
// with the builder before.
type Adder struct {
	builder *Builder
	batch   []stat.Observation
	keys    []int32 // of the batch
	full    chan []stat.Observation
	empty   chan []stat.Observation
	failed  chan error // the first error, or nil at the end
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
	if len(a.keys)+len(o.Key) > cap(a.keys) {
		a.keys = make([]int32, 0, batchSize*len(o.Key))
	}
	at := len(a.keys)
	a.keys = append(a.keys, o.Key...)
	a.batch = append(a.batch, *o)
	a.batch[len(a.batch)-1].Key = a.keys[at:len(a.keys):len(a.keys)]
	if len(a.batch) < batchSize {
		return nil
	}
	if a.full == nil {
		a.full, a.empty, a.failed = make(chan []stat.Observation, batches), make(chan []stat.Observation, batches), make(chan error, 1)
		go a.run()
	}
	select {
	case a.full <- a.batch:
	case err := <-a.failed:
		a.failed <- err
		return err
	}
	a.batch = nil
	select {
	case a.batch = <-a.empty:
	default:
	}
	return nil
}

// run adds the full batches up to the first error.
func (a *Adder) run() {
	for batch := range a.full {
		if err := a.builder.addAll(batch); err != nil {
			a.failed <- err
			return
		}
		select {
		case a.empty <- batch[:0]:
		default:
		}
	}
	a.failed <- nil
}

func (b *Builder) addAll(batch []stat.Observation) error {
	for i := range batch {
		if err := b.add(&batch[i]); err != nil {
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
