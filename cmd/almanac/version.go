package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// What `make release` sets.
var (
	release string // v1.2.0
	commit  string // the whole hash
)

// version is what the binary was built from: a release, or the version or commit
// that Go has found.
func version() string {
	number, found := built()
	if release == "" && number == "(devel)" {
		return cmp.Or(found, number)
	}
	return cmp.Or(release, number)
}

// versionText is what `almanac --version` prints.
func versionText() string {
	_, found := built()
	return fmt.Sprintf("almanac %s\ncommit %s\n%s %s/%s", version(), cmp.Or(commit, found, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// built is what Go has written into the binary.
func built() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	return info.Main.Version, commit
}
