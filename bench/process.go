package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server that this run started.
type process struct {
	cmd   *exec.Cmd
	url   string
	ready time.Duration // from start until it says where it listens
}

// start runs a command and waits until it prints where it listens.
func start(ctx context.Context, name string, args ...string) (*process, error) {
	begin := time.Now()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(stderr)
	var said strings.Builder
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			p := &process{cmd, strings.TrimSpace(url), time.Since(begin)}
			go func() {
				for lines.Scan() { // what it says later must not block it
				}
			}()
			return p, nil
		}
		fmt.Fprintln(&said, lines.Text())
	}
	return nil, fmt.Errorf("%s %s ended before it listened: %w\n%s", name, strings.Join(args, " "), cmd.Wait(), said.String())
}

// stop asks the process to end, and waits.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return nil // ended by the signal itself
	}
	return err
}

// healthy waits until the server answers /readyz.
func (p *process) healthy(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s/readyz answers %s after the server said that it listens", p.url, resp.Status)
	}
	return nil
}

// cpu is the time that the process's threads have run, user and system. It is
// the sum over /proc/PID/task/*/schedstat, which counts nanoseconds where
// /proc/PID/stat counts hundredths of a second.
func (p *process) cpu() (time.Duration, error) {
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(names) == 0 {
		return 0, errors.Join(fmt.Errorf("process %d is gone", p.cmd.Process.Pid), err)
	}
	var total time.Duration
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a thread that ended meanwhile
		}
		ran, _, _ := strings.Cut(string(text), " ")
		ns, err := strconv.ParseInt(ran, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		total += time.Duration(ns)
	}
	return total, nil
}

// rss is the memory of the process that is in RAM, in bytes.
func (p *process) rss() (int64, error) {
	return memoryOf(strconv.Itoa(p.cmd.Process.Pid), "VmRSS")
}

// memoryOf is what /proc says of a process's memory, in bytes: VmRSS is in RAM
// now, VmHWM was there at most.
func memoryOf(pid, field string) (int64, error) {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("no %s in /proc: is this Linux?", field)
}

// growth is how far the process's memory rises while work runs.
func (p *process) growth(work func() error) (int64, error) {
	before, err := p.rss()
	if err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	peak := before
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return peak - before, err
		case <-tick.C:
			if now, err := p.rss(); err == nil {
				peak = max(peak, now)
			}
		}
	}
}
