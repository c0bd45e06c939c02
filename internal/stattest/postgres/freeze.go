//go:build unix

package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Freeze lets the server accept connections and answer nothing, until Thaw.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw lets the server go on.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

// signal sends a signal to all processes of the server.
func (s *Server) signal(signal syscall.Signal) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		s.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		s.t.Fatal(err)
	}
	pids := []int{postmaster}
	states, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range states {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		_, after, _ := strings.Cut(string(text), ") ")
		var state string
		var parent int
		if _, err := fmt.Sscan(after, &state, &parent); err != nil || parent != postmaster {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, signal) // one that has just ended needs none
	}
}
