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

// run runs a program in the folder of this package and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), stattest.Program(t, name), args...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(stattest.InstalledClients(t), "node_modules"), "PYTHONPATH=python", "PYTHONDONTWRITEBYTECODE=1", "NO_COLOR=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
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
