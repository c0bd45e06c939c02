package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Set by `make release`.
var (
	release string // v1.2.0
	commit  string // the whole hash
)

// version returns the release, or else the module version or commit that Go
// recorded.
func version() string {
	number, revision := buildInfo()
	if release == "" && number == "(devel)" {
		return cmp.Or(revision, number)
	}
	return cmp.Or(release, number)
}

func versionText() string {
	_, revision := buildInfo()
	return fmt.Sprintf("almanac %s\ncommit %s\n%s %s/%s", version(), cmp.Or(commit, revision, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildInfo returns the version and the commit that Go recorded in the binary.
func buildInfo() (version, commit string) {
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
