package importprocess

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"
)

// Pool starts processes.
type Pool struct {
	Args   []string      // of the program: a command that calls [Bound] and [Serve]
	Memory int64         // of each process
	Time   time.Duration // after which a process is killed; 0: never
	// Variables say where the store is. Of the server's own variables, which begin with ALMANAC_, a
	// process gets no others: they have secrets.
	Variables []string
}

// EndedError says why a process ended without a result.
type EndedError struct {
	Reason string // for people
	Output string // the beginning of its standard error
	// IsBeyondBound says that the import needed more memory or time than it may have.
	IsBeyondBound bool
}

func (e *EndedError) Error() string { return e.Reason }

// Run does a task in a process of its own. The error is an [EndedError] if the process ended without a
// result, and otherwise that of [Task.Run]. The process is killed when ctx ends.
func (p *Pool) Run(ctx context.Context, t Task) (Result, error) {
	timed, cancel := ctx, func() {}
	if p.Time > 0 {
		timed, cancel = context.WithTimeout(ctx, p.Time)
	}
	defer cancel()
	cmd, err := p.command(timed)
	if err != nil {
		return Result{}, err
	}
	stderr := &head{}
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return Result{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, err
	}
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("starting the process of an import: %w", err)
	}
	r, talkErr := talk(ctx, t, in, out)
	in.Close() // ends the process, if it has not ended
	endErr := cmd.Wait()
	if errors.Is(talkErr, errNoResult) && ctx.Err() == nil {
		if timed.Err() != nil {
			return Result{}, &EndedError{Reason: fmt.Sprintf("the import takes longer than the %s that it may take (--import-time)", p.Time), IsBeyondBound: true}
		}
		return Result{}, p.explain(endErr, stderr.String())
	}
	return r, talkErr
}

// command returns the command of a process.
func (p *Pool) command(ctx context.Context) (*exec.Cmd, error) {
	path, err := os.Executable()
	if runtime.GOOS == "linux" {
		path, err = "/proc/self/exe", nil // this version, also after the file was replaced
	}
	if err != nil {
		return nil, fmt.Errorf("starting the process of an import: %w", err)
	}
	cmd := exec.CommandContext(ctx, path, p.Args...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ALMANAC_") })
	// The collector works harder before the bound.
	cmd.Env = append(cmd.Env, "GOTRACEBACK=none", "GOMEMLIMIT="+strconv.FormatInt(p.Memory/10*8, 10))
	cmd.Env = append(cmd.Env, p.Variables...)
	return cmd, nil
}

// errNoResult says that the process ended before it wrote a result.
var errNoResult = errors.New("no result")

// talk writes the task and answers questions until there is a result.
func talk(ctx context.Context, t Task, in io.Writer, out io.Reader) (Result, error) {
	permit, claims := t.Options.Permit, t.Options.Claim
	requests, responses := gob.NewEncoder(in), gob.NewDecoder(out)
	next := request{Task: &t, AsksPermit: permit != nil, AsksClaim: claims != nil}
	for {
		var r response
		if err := requests.Encode(next); err != nil {
			return Result{}, errors.Join(errNoResult, err)
		}
		if err := responses.Decode(&r); err != nil {
			return Result{}, errors.Join(errNoResult, err)
		}
		switch {
		case r.Failed != nil:
			return Result{}, r.Failed.err()
		case r.Result != nil:
			r.Result.restore()
			return *r.Result, nil
		case r.Claim != nil:
			next = request{Answer: failureOf(claims(r.Claim.Source, r.Claim.Code, r.Claim.ID))}
		default:
			next = request{Answer: failureOf(permit(ctx))}
		}
	}
}

// explain says why a process ended without a result.
func (p *Pool) explain(err error, output string) *EndedError {
	e := &EndedError{Output: output}
	exit, isExit := errors.AsType[*exec.ExitError](err)
	switch isKilled := isExit && isKilled(exit.ProcessState); {
	case strings.Contains(output, "out of memory"), strings.Contains(output, "cannot allocate memory"):
		e.IsBeyondBound = true
		e.Reason = fmt.Sprintf("the import needs more memory than the %s that it may have (--import-memory)", humanize.IBytes(uint64(p.Memory)))
	case isKilled:
		e.Reason = "the process of the import was killed, by somebody or because the machine has too little memory"
	case err != nil:
		line, _, _ := strings.Cut(output, "\n")
		e.Reason = fmt.Sprintf("the process of the import ended with %v: %s", err, line)
	default:
		e.Reason = "the process of the import ended without a result"
	}
	return e
}

// isKilled reports whether a process was ended by SIGKILL.
func isKilled(state *os.ProcessState) bool {
	status, ok := state.Sys().(interface{ Signal() syscall.Signal })
	return ok && !state.Exited() && status.Signal() == syscall.SIGKILL
}

// head keeps the beginning of what is written.
type head struct{ bytes.Buffer }

const maxHead = 4 << 10

func (h *head) Write(text []byte) (int, error) {
	_, _ = h.Buffer.Write(text[:min(len(text), max(maxHead-h.Len(), 0))])
	return len(text), nil
}
