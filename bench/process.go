package main

import (
	"bufio"
	"bytes"
	"encoding/json"
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

// process is a server or a chart library started by this run.
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
	output, lines := "", bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() {
				for lines.Scan() { // a full pipe would block the server
				}
			}()
			return &process{cmd, strings.TrimSpace(url)}
		}
		output += lines.Text() + "\n"
	}
	check(fmt.Errorf("%s ended before it printed its address: %w\n%s", strings.Join(args, " "), cmd.Wait(), output))
	return nil
}

// serveCommand returns the command that serves a store on a free port. Without flags
// anonymous callers have no limit.
func (h *harness) serveCommand(dir string, flags ...string) []string {
	if flags == nil {
		flags = []string{"--limits", "anonymous=unlimited"}
	}
	return append([]string{h.binary, "serve", "--data", dir, "--listen", "127.0.0.1:0"}, flags...)
}

func (h *harness) withServer(dir string, work func(*process), flags ...string) {
	p := h.startServer(nil, h.serveCommand(dir, flags...)...)
	defer p.stop()
	work(p)
}

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
		check(errors.New("no /proc/PID/task/*/schedstat of a child process; the benchmarks need Linux"))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
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

// during calls tick at intervals until work is done.
func during(interval time.Duration, work, tick func()) {
	done := make(chan error, 1)
	go func() { done <- catch(work) }()
	for {
		select {
		case err := <-done:
			check(err)
			return
		case <-time.After(interval):
			tick()
		}
	}
}

// waitIdle waits until the process has done what it does after its start, such as the index of
// the search, which would count as work for the next requests. It gives up after a minute.
func (p *process) waitIdle() {
	for range 120 {
		before := p.cpu()
		time.Sleep(500 * time.Millisecond)
		if p.cpu()-before < 10*time.Millisecond {
			return
		}
	}
}

// memoryDuring returns the highest value of [memoryOf] during work. It does not
// use [syscall.Rusage], whose peak of a child is never below the memory of the
// parent when the child starts.
func memoryDuring(pid int, field string, work func()) (highest float64) {
	during(2*time.Millisecond, work, func() { highest = max(highest, memoryOf(pid, field)) })
	return highest
}

// commandRun describes a command that has ended.
type commandRun struct {
	wall, cpu time.Duration
	memory    float64 // peak, MB
}

// command runs a command to its end and decodes the last line of its output, unless
// result is nil.
func (h *harness) command(result any, args ...string) (r commandRun) {
	cmd := exec.CommandContext(h.ctx, args[0], args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	check(cmd.Start())
	var err error
	r.memory = memoryDuring(cmd.Process.Pid, "VmHWM", func() { err = cmd.Wait() })
	r.wall = time.Since(begin)
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	lines := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
	last := lines[len(lines)-1]
	if err == nil && result != nil {
		err = json.Unmarshal(last, result)
	}
	if err != nil {
		check(fmt.Errorf("%.300s: %w\n%s%s", strings.Join(args, " "), err, stderr.Bytes(), last))
	}
	return r
}

// pinToCore changes a command to run on the first core, if taskset exists, and with
// one thread at a time if it is a Go program.
func pinToCore(args ...string) []string {
	command := []string{"env", "GOMAXPROCS=1"}
	if _, err := exec.LookPath("taskset"); err == nil {
		command = append(command, "taskset", "-c", "0")
	}
	return append(command, args...)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func createFile(path string, write func(io.Writer) error) {
	f := must(os.Create(path))
	w := bufio.NewWriterSize(f, 1<<20)
	check(errors.Join(write(w), w.Flush(), f.Close()))
}

// withTempDir runs work with a new folder and removes it.
func (h *harness) withTempDir(work func(dir string)) {
	dir := must(os.MkdirTemp(h.dir, "temporary-"))
	defer os.RemoveAll(dir)
	work(dir)
}
