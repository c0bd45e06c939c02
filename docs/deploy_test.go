package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// The settings in the files below deploy/ are variables of the program.
func TestDeployedSettings(t *testing.T) {
	almanac := filepath.Join(t.TempDir(), "almanac")
	if err := stattest.BuildAlmanac(almanac); err != nil {
		t.Fatal(err)
	}
	setting := regexp.MustCompile(`(?m)\b(ALMANAC_[A-Z_]+)(=| *: *)"?([^"\s]+)`)
	for file, atLeast := range map[string]int{"deploy/almanac.service": 6, "deploy/Dockerfile": 2, "deploy/compose.yaml": 4} {
		found := setting.FindAllStringSubmatch(readPage(t, file), -1)
		if len(found) < atLeast {
			t.Errorf("%s has %d settings, want at least %d", file, len(found), atLeast)
		}
		cmd := exec.Command(almanac, "dataset", "list", "--data", t.TempDir())
		for _, f := range found {
			cmd.Env = append(cmd.Env, f[1]+"="+f[3])
		}
		text, _ := cmd.CombinedOutput()
		if !strings.Contains(string(text), "there is no store in") {
			t.Errorf("with the settings of %s: %s", file, text)
		}
	}
}

// The metrics in the alert rules are those that the page for operators lists.
func TestAlertsUseKnownMetrics(t *testing.T) {
	page := readPage(t, "docs/operations.md")
	names := regexp.MustCompile(`\b(?:almanac|http_server)_[a-z_]+\b`).FindAllString(readPage(t, "deploy/alerts.yaml"), -1)
	if len(names) < 10 {
		t.Fatalf("only %d metrics in the alert rules", len(names))
	}
	for _, name := range names {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_count"), "_bucket")
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/operations.md does not list the metric %s", name)
		}
	}
}

// The unit is as closed as it says, and the alert rules are valid and fire, where the
// tools for that are installed.
func TestDeploymentWithTools(t *testing.T) {
	t.Run("systemd-analyze", func(t *testing.T) {
		text := runTool(t, "systemd-analyze", "security", "--offline=true", "--no-pager", "../deploy/almanac.service")
		found := regexp.MustCompile(`Overall exposure level[^:]*: ([\d.]+)`).FindStringSubmatch(text)
		if found == nil {
			t.Skipf("this systemd cannot measure a file: %s", text)
		}
		if level, err := strconv.ParseFloat(found[1], 64); err != nil || level > 1.5 {
			t.Errorf("the exposure of the unit is %s, want at most 1.5", found[1])
		}
	})
	t.Run("promtool", func(t *testing.T) {
		runTool(t, "promtool", "check", "rules", "../deploy/alerts.yaml")
		runTool(t, "promtool", "check", "config", "../deploy/prometheus.yaml")
		runTool(t, "promtool", "test", "rules", "../deploy/alerts_test.yaml")
	})
}

// runTool runs a program and returns what it prints. The test is skipped if it is not
// installed.
func runTool(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	text, err := cmd.CombinedOutput()
	if _, isExit := err.(*exec.ExitError); err != nil && (!isExit || name == "promtool") {
		t.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return string(text)
}
