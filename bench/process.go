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

// process is a server or a painter started by this run.
type process struct {
	cmd *exec.Cmd
	url string // of a server
}

// startServer runs a command and waits until it prints its address.
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
				for lines.Scan() { // or the server would block when it prints more
				}
			}()
			return &process{cmd, strings.TrimSpace(url)}
		}
		fmt.Fprintln(&output, lines.Text())
	}
	check(fmt.Errorf("%s ended before it listened: %w\n%s", strings.Join(args, " "), cmd.Wait(), output.String()))
	return nil
}

// serving returns the command that serves a folder on a free port.
func (h *harness) serving(dir, limits string, flags ...string) []string {
	return append([]string{h.binary, "serve", "--data", dir, "--listen", "127.0.0.1:0", "--limits", limits}, flags...)
}

// serve starts the measured server, without a limit for anonymous callers.
func (h *harness) serve(dir string) *process {
	return h.startServer(nil, h.serving(dir, "anonymous=unlimited")...)
}

// stop ends the process and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait() // the exit code does not matter
}

// cpu returns the user and system time of the process's threads. It adds up
// /proc/PID/task/*/schedstat, which counts nanoseconds, whereas /proc/PID/stat
// counts hundredths of a second.
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

// memoryOf returns a field of /proc about a process's memory, in MB: VmRSS is its
// memory now, VmHWM its peak. It is 0 for a process that has ended.
func memoryOf(pid int, field string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), field+":")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kibibytes, _ := strconv.ParseFloat(number, 64)
	return kibibytes * 1024 / 1e6
}

// memoryDuring returns a process's memory before work, and its peak during work. It
// does not use [syscall.Rusage], whose peak of a child is never below the memory
// of the parent at the start of the child.
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
	lastLine  []byte // of its output
	wall, cpu time.Duration
	memory    float64 // peak, MB
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

// pinned changes a command to run on the first core, if taskset exists, and with
// one thread at a time if it is a Go program.
func pinned(args ...string) []string {
	command := []string{"env", "GOMAXPROCS=1"}
	if _, err := exec.LookPath("taskset"); err == nil {
		command = append(command, "taskset", "-c", "0")
	}
	return append(command, args...)
}

// createFile writes a file under a temporary name first, so that an interrupted
// run leaves no partial file.
func createFile(path string, write func(io.Writer) error) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	f := must(os.Create(path + ".part"))
	w := bufio.NewWriterSize(f, 1<<20)
	check(errors.Join(write(w), w.Flush(), f.Close()))
	check(os.Rename(path+".part", path))
}

// tempDir creates a folder, and returns a function that removes it.
func (h *harness) tempDir() (dir string, remove func()) {
	dir = must(os.MkdirTemp(h.dir, "temporary-"))
	return dir, func() { _ = os.RemoveAll(dir) }
}
