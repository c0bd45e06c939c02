package importprocess

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Serve does the task that in has, with a store, and writes its result to out. It calls orphaned,
// which ends the process, when in ends before: the server was killed.
func Serve(ctx context.Context, s *store.Store, in io.Reader, out io.Writer, orphaned func()) error {
	requests := gob.NewDecoder(in)
	var first request
	if err := requests.Decode(&first); err != nil {
		return fmt.Errorf("reading the task: %w", err)
	}
	if first.Task == nil {
		return errors.New("the first message has no task")
	}
	answers := make(chan error)
	go func() {
		for {
			var r request
			if err := requests.Decode(&r); err != nil {
				orphaned()
				return
			}
			answers <- r.Answer.err()
		}
	}()
	responses := gob.NewEncoder(out)
	ask := func(r response) error {
		if err := responses.Encode(r); err != nil {
			return fmt.Errorf("asking the server: %w", err)
		}
		return <-answers
	}
	t := *first.Task
	if first.AsksClaim {
		t.Options.Claim = func(source, code string, id int) error { return ask(response{Claim: &claim{source, code, id}}) }
	}
	if first.AsksPermit {
		t.Options.Permit = func(context.Context) error { return ask(response{Permit: true}) }
	}
	r, err := t.Run(ctx, s)
	if err := responses.Encode(response{Result: &r, Failed: failureOf(err)}); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// restore gives a result what gob leaves out.
func (r *Result) restore() {
	for i := range r.Outcomes {
		if r.Outcomes[i].Notes == nil {
			r.Outcomes[i].Notes = []stat.Note{}
		}
	}
}
