package store

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
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
	var kib int64
	text, err := os.ReadFile("/proc/meminfo") // begins with the total, on Linux
	if err == nil {
		_, err = fmt.Sscanf(string(text), "MemTotal: %d kB", &kib)
	}
	if err != nil || kib <= 0 {
		return fallbackMemory
	}
	return kib << 10
}

// containerLimit returns the limit of the control group on Linux, as a container sees
// it; the largest number if there is none.
func containerLimit() int64 {
	limit := int64(math.MaxInt64)
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			limit = min(limit, n)
		}
	}
	return limit
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
