package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server or a painter that this run started.
type process struct {
	cmd *exec.Cmd
	url string // of a server
}

// startServer runs a command and waits until it prints where it listens.
func (h *harness) startServer(stdin io.Reader, args ...string) *process {
	cmd := exec.CommandContext(h.ctx, args[0], args[1:]...)
	cmd.Stdin = stdin
	stderr := must(cmd.StderrPipe())
	check(cmd.Start())
	var output strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() {
				for lines.Scan() { // so that what it prints later does not block it
				}
			}()
			return &process{cmd, strings.TrimSpace(url)}
		}
		fmt.Fprintln(&output, lines.Text())
	}
	check(fmt.Errorf("%s ended before it listened: %w\n%s", strings.Join(args, " "), cmd.Wait(), output.String()))
	return nil
}

// serving is the command that serves a folder on a free port.
func (h *harness) serving(dir, limits string, flags ...string) []string {
	return append([]string{h.binary, "serve", "--data", dir, "--listen", "127.0.0.1:0", "--limits", limits}, flags...)
}

// serve starts the server to be measured, without a limit for anonymous callers.
func (h *harness) serve(dir string) *process {
	return h.startServer(nil, h.serving(dir, "anonymous=unlimited")...)
}

// stop asks the process to end, and waits.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait() // how it ends is not measured
}

// cpu is the time that the process's threads have run, user and system. It is
// the sum over /proc/PID/task/*/schedstat, which counts nanoseconds where
// /proc/PID/stat counts in hundredths of a second.
func (p *process) cpu() (total time.Duration) {
	names := must(filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid)))
	if len(names) == 0 {
		check(fmt.Errorf("no schedstat of process %d in /proc: is this Linux?", p.cmd.Process.Pid))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a thread that has ended meanwhile
		}
		ran, _, _ := strings.Cut(string(text), " ")
		total += time.Duration(must(strconv.ParseInt(ran, 10, 64)))
	}
	return total
}

// memoryOf is what /proc tells of a process's memory, in MB: VmRSS is in RAM
// now, VmHWM was there at most. It is 0 for a process that has ended.
func memoryOf(pid int, field string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), field+":")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kibibytes, _ := strconv.ParseFloat(number, 64)
	return kibibytes * 1024 / 1e6
}

// memoryDuring returns a process's memory before some work and its highest
// meanwhile. What [syscall.Rusage] has as the highest of a child is not used: it
// is never below that of the parent when it started the child.
func memoryDuring(pid int, field string, work func() error) (before, highest float64, err error) {
	before = memoryOf(pid, field)
	highest = before
	done := make(chan error, 1)
	go func() { done <- work() }()
	for {
		select {
		case err := <-done:
			return before, highest, err
		case <-time.After(2 * time.Millisecond):
			highest = max(highest, memoryOf(pid, field))
		}
	}
}

// commandRun is a command that ran to its end.
type commandRun struct {
	lastLine  []byte // of what it printed
	wall, cpu time.Duration
	memory    float64 // at its highest, MB
}

// tryCommand runs a command to its end.
func (h *harness) tryCommand(args ...string) (r commandRun, err error) {
	cmd := exec.CommandContext(h.ctx, args[0], args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	_, r.memory, err = memoryDuring(cmd.Process.Pid, "VmHWM", cmd.Wait)
	r.wall = time.Since(begin)
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	lines := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
	r.lastLine = lines[len(lines)-1]
	if err != nil {
		err = fmt.Errorf("%.300s: %w\n%s%s", strings.Join(args, " "), err, stderr.Bytes(), r.lastLine)
	}
	return r, err
}

func (h *harness) command(args ...string) commandRun { return must(h.tryCommand(args...)) }

// pinned is a command that runs on one core, the first, if there is a way to
// say so, and with one thread at a time if it is written in Go.
func pinned(args ...string) []string {
	command := []string{"env", "GOMAXPROCS=1"}
	if _, err := exec.LookPath("taskset"); err == nil {
		command = append(command, "taskset", "-c", "0")
	}
	return append(command, args...)
}

// createFile writes a file under another name first, so that an interrupted run
// leaves no part of one.
func createFile(path string, write func(io.Writer) error) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	f := must(os.Create(path + ".part"))
	w := bufio.NewWriterSize(f, 1<<20)
	check(errors.Join(write(w), w.Flush(), f.Close()))
	check(os.Rename(path+".part", path))
}

// tempDir makes a folder, and returns what removes it.
func (h *harness) tempDir() (dir string, remove func()) {
	dir = must(os.MkdirTemp(h.dir, "temporary-"))
	return dir, func() { _ = os.RemoveAll(dir) }
}
