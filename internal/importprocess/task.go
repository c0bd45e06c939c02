// Package importprocess runs imports in processes of their own: the same program, with a bound on
// its memory. So a file that takes all of it ends its own import and nothing else.
//
// A [Pool] starts a process for each [Task] and writes the task to its standard input. The process
// calls [Serve], which imports into the store and writes the [Result] to its standard output. The
// functions of the options stay in the server: the process asks for them in between. Messages are those
// of encoding/gob, because both ends are the same program. A process whose standard input ends has lost its
// server, and ends.
package importprocess

import (
	"context"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Task is one import: of files with labels, then of files with data.
type Task struct {
	Options    importer.Options // without the functions that report progress
	Companions []string         // with labels
	Data       []string
}

// Result is what became of a task.
type Result struct {
	Outcomes []importer.Outcome
	Unread   []Unread // files with labels that could not be used
}

// Unread is an error of a file with labels.
type Unread struct {
	Kind stat.Kind
	Text string
}

// Run does the task in this process. The error is that of [importer.New].
func (t Task) Run(ctx context.Context, s *store.Store) (r Result, err error) {
	im, err := importer.New(s, t.Options)
	if err != nil {
		return Result{}, err
	}
	for _, path := range t.Companions {
		if err := im.ImportCodes(ctx, path); err != nil && ctx.Err() == nil {
			r.Unread = append(r.Unread, Unread{stat.KindOf(err), err.Error()})
		}
	}
	r.Outcomes = im.Import(ctx, t.Data...)
	return r, nil
}

// request is a message to a process: first the task, then answers.
type request struct {
	Task       *Task
	AsksPermit bool // of the task: it has Options.Permit
	AsksClaim  bool
	Answer     *failure // nil: yes
}

// response is a message of a process: questions, then the result.
type response struct {
	Claim  *claim
	Permit bool
	Result *Result
	Failed *failure // the options are invalid
}

// claim is a call of Options.Claim.
type claim struct {
	Source, Code string
	ID           int
}

// failure is an error on its way.
type failure struct {
	Kind stat.Kind
	Text string
}

func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	return &failure{stat.KindOf(err), err.Error()}
}

func (f *failure) err() error {
	if f == nil {
		return nil
	}
	return stat.Errorf(f.Kind, "%s", f.Text)
}
