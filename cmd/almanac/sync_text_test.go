package main

import (
	"os"
	"testing"
	"time"

	"almanac/internal/update"
	"almanac/internal/watch"
)

func TestSyncTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{entryText(&watch.Entry{Ref: "a:b", Status: "created", Dataset: 3, Version: "1.0", Bytes: 12345, Took: 1500 * time.Millisecond}), "a:b: created, dataset 3, version 1.0; 12 kB in 1.5 s"},
		{entryText(&watch.Entry{Ref: "a:b", Status: "updated", Dataset: 3, Version: "1.1", Added: 1, Revised: 2}), "a:b: updated, dataset 3, version 1.1: 1 added, 2 revised, 0 removed; 0 B in 0.0 s"},
		{entryText(&watch.Entry{Ref: "a:b", Status: "failed", Error: "no answer"}), "a:b: failed: no answer"},
		{summaryText(roundResult{}), "nothing is due"},
		{summaryText(roundResult{update.Summary{Items: 1, Created: 1}, 0.25}), "1 dataset in 0.2 s: 1 created"},
		{summaryText(roundResult{update.Summary{Items: 9, Created: 1, Updated: 2, Quarantined: 1, Refused: 1, Failed: 1, Unchanged: 1, Postponed: 2}, 3723}), "9 datasets in 1 h 2 min: 1 created, 2 updated, 1 unchanged, 1 quarantined, 1 refused, 1 failed, 2 postponed"},
		{tookText(59 * time.Second), "59 s"},
		{tookText(61 * time.Second), "1 min 1 s"},
		{spanText(7 * 24 * time.Hour), "7d"},
		{spanText(36 * time.Hour), "36h"},
		{spanText(90 * time.Second), "90s"},
		{spanText(1500 * time.Millisecond), "1.5s"},
		{spanText(0), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// An interval is written like 6h or 7d and is at least a minute.
func TestEvery(t *testing.T) {
	for text, want := range map[string]time.Duration{"6h": 6 * time.Hour, "90m": 90 * time.Minute, "7d": 7 * 24 * time.Hour, "1m": time.Minute, "1h30m": 90 * time.Minute} {
		var e every
		if err := e.UnmarshalText([]byte(text)); err != nil || time.Duration(e) != want {
			t.Errorf("%s: %v, %v", text, time.Duration(e), err)
		}
	}
	for _, text := range []string{"", "6", "59s", "-1h", "0", "d", "-1d", "1.5d", "often", "99999999d", "1e9h"} {
		var e every
		if err := e.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: got %v, want an error", text, time.Duration(e))
		}
	}
}

// Private networks are given in one or several flags.
func TestPrivateNetworks(t *testing.T) {
	var p privateNetworks
	for _, text := range []string{"10.1.2.3/8,fd00::/8", " 192.168.1.7 "} {
		if err := p.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(p); got != 3 || p[0].String() != "10.0.0.0/8" || p[2].String() != "192.168.1.7/32" {
		t.Errorf("%v", p)
	}
	for _, text := range []string{"", "10.0.0.0/99", "intranet", "10.0.0.0/8,"} {
		if err := new(privateNetworks).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}

// A name that looks like a reference is one, unless a file has that name.
func TestSplitRefs(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("old:births.csv", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	files, refs := splitRefs([]string{"births.csv", "eurostat:une_rt_m", "old:births.csv", "https://example.org/a.csv", `C:\births.csv`, "./a:b", "pxweb:scb/BE/x"})
	if len(files) != 4 || len(refs) != 3 || refs[1] != "https://example.org/a.csv" {
		t.Errorf("files %q, references %q", files, refs)
	}
}
