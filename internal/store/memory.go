package store

import (
	"cmp"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// fallbackMemory is assumed if the machine's memory is unknown.
const fallbackMemory = 4 << 30

// availableMemory returns the bytes that the process may use: the least of the machine's
// memory, the limit of its container, and GOMEMLIMIT.
func availableMemory() int64 {
	return min(machineMemory(), containerLimit(), debug.SetMemoryLimit(-1))
}

// LimitMemory makes the garbage collector keep within nine tenths of the memory of the
// container, unless the environment states a limit (GOMEMLIMIT).
func LimitMemory(stated string) {
	if limit := containerLimit(); stated == "" && limit < machineMemory() {
		debug.SetMemoryLimit(limit / 10 * 9)
	}
}

func machineMemory() int64 {
	bytes, err := memlimit.FromSystem()
	if err != nil {
		return fallbackMemory
	}
	return int64(min(bytes, math.MaxInt64))
}

// containerLimit returns the least limit of the control group that the process is in and of those
// above it, as a container or a unit of systemd sets it; the largest number if there is none.
func containerLimit() int64 {
	bytes, err := memlimit.FromCgroup()
	if err != nil { // there is no limit, or no such thing on this system
		return math.MaxInt64
	}
	return int64(min(bytes, math.MaxInt64))
}

// Bounds of the memory for an import, if the caller does not state it.
const (
	minImportMemory = 16 << 20
	maxImportMemory = 384 << 20
)

// importMemoryOf returns how much of the available memory the observations of an import
// may take before they go to disk.
func importMemoryOf(available int64) int64 {
	return min(max(available/8, minImportMemory), maxImportMemory)
}

// minProcessMemory is enough for the imports of nearly all files.
const minProcessMemory = 1 << 30

// ProcessesForImports returns how many imports may run at once in processes of their own, at most
// max, and how much memory each may take: together half of the available memory. stated is the memory of
// each; 0: their share, at least 1 GiB.
func ProcessesForImports(max int, stated int64) (n int, memory int64) {
	half := availableMemory() / 2
	each := cmp.Or(stated, minProcessMemory)
	n = int(min(int64(max), half/each))
	if n < 1 {
		return 1, each
	}
	return n, cmp.Or(stated, half/int64(n))
}
