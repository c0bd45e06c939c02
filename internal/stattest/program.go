package stattest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Program returns the path of a program: one that clients/install.sh installs, by its path in the
// folder of these ("python/bin/python3"), or one of the system. If it is missing, the test is
// skipped, or fails if ALMANAC_REQUIRE=1.
func Program(t testing.TB, name string) string {
	t.Helper()
	if strings.Contains(name, "/") {
		name = filepath.Join(InstalledClients(t), name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		SkipOrFail(t, err.Error()+"; clients/install.sh installs the packages of Python and npm, and apt-get nodejs, r-cran-rsdmx and libreoffice-calc-nogui")
	}
	return path
}

// InstalledClients returns the folder in which clients/install.sh installs.
func InstalledClients(t testing.TB) string {
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
