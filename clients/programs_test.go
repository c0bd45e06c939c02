package clients

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// installed returns the folder in which install.sh installs.
func installed(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("ALMANAC_CLIENTS"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(cache, "almanac-clients")
}

// program returns the path of a program: one of the folder of installed, by its path
// there, or one of the system. If it is missing, the test is skipped, or fails if
// ALMANAC_REQUIRE=1.
func program(t *testing.T, name string) string {
	t.Helper()
	if strings.Contains(name, "/") {
		name = filepath.Join(installed(t), name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		stattest.SkipOrFail(t, err.Error()+"; clients/install.sh installs the packages of Python and npm, and apt-get nodejs, r-cran-rsdmx and libreoffice-calc-nogui")
	}
	return path
}

// run runs a program in the folder of this package and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t, name), args...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(installed(t), "node_modules"), "PYTHONPATH=python", "PYTHONDONTWRITEBYTECODE=1", "NO_COLOR=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, tail(stdout.String()), tail(stderr.String()))
	}
	return stdout.String()
}

// tail returns the end of a long text.
func tail(text string) string {
	const length = 12000
	return text[max(0, len(text)-length):]
}

// python runs a script of testdata.
func python(t *testing.T, script string, args ...string) string {
	t.Helper()
	return run(t, "python/bin/python3", append([]string{filepath.Join("testdata", script)}, args...)...)
}
