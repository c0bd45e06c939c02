package stattest

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
)

// BuildAlmanac builds the program as a file. It is compiled with the flags of the running test, because
// what both contain would be compiled twice with others.
func BuildAlmanac(file string) error {
	cgo, trimpath := "CGO_ENABLED=0", "-trimpath=false"
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		switch s.Key {
		case "CGO_ENABLED":
			cgo = s.Key + "=" + s.Value
		case "-trimpath":
			trimpath = s.Key + "=" + s.Value
		}
	}
	build := exec.Command("go", "build", trimpath, "-ldflags=-s -w", "-o", file, "almanac/cmd/almanac") // linked faster without tables for debuggers
	build.Env = append(os.Environ(), cgo, "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building almanac: %w\n%s", err, out)
	}
	return nil
}
