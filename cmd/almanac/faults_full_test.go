package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// docs/operations.md, Crashes and full disks: a full disk is 503 with Retry-After. The
// store is on a small file system that fills up while requests are counted. Requests
// that cannot be counted get 503; those that are not counted still succeed. Once there is
// space again, the service recovers by itself, and every response is counted exactly once.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	withinOneDay(t, func() error {
		dir := smallDisk(t)
		importOne(t, dir, manyRows(t, 40))
		small, large := makeKey(t, dir, "small", "essential").Key, makeKey(t, dir, "large", "pro").Key
		s := startProgram(t, dir, "--limits", "anonymous=900,essential=900,pro=5000")
		subjects := []*subject{
			{limit: 900, callers: []*caller{newCaller(t, "", "127.0.0.1")}},
			{limit: 900, callers: []*caller{newCaller(t, small, "127.0.0.1")}},
			{limit: 5000, callers: []*caller{newCaller(t, large, "127.0.0.1")}}, // counted in advance
		}
		picture, err := drawChart(s, subjects[0])
		if err != nil {
			return err
		}
		for _, who := range subjects {
			if err := sendTimes(who, s.url, 300); err != nil {
				return err
			}
		}
		ballast := fillUp(t, dir)
		if err := checkFullDisk(s, subjects, picture); err != nil {
			return err
		}
		if found := secretIn(s.output.String(), map[string]string{"a key": small, "another": large}); found != "" {
			return fmt.Errorf("the log of the full disk %s", found)
		}
		if err := os.Remove(ballast); err != nil {
			return err
		}
		if err := checkRecovery(t, s, subjects); err != nil {
			return err
		}
		s.stop(t)
		return nil
	})
}

// smallDisk returns a folder on a small file system of its own. Mounting one needs
// root, which cannot be installed, so without it the test is skipped even if
// ALMANAC_REQUIRE=1.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=32m", "almanac-test", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: a full disk is not tested, because no disk can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("unmounting %s: %v: %s", dir, err, out)
		}
	})
	return dir
}

// fillUp fills the remaining space, to the last byte, with one file.
func fillUp(t *testing.T, dir string) (ballast string) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err := file.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
	return file.Name()
}

// drawChart draws a chart, which is counted, and returns the address of its
// picture, which is not.
func drawChart(s *served, who *subject) (url string, err error) {
	resp, err := who.callers[0].http.Post(s.url+"/api/charts/generate-png", "application/json",
		strings.NewReader(`{"datasetId": 1, "chartType": "line", "width": 200, "height": 150}`))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var chart struct{ URL string }
	if err := json.NewDecoder(resp.Body).Decode(&chart); err != nil || resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("POST /api/charts/generate-png: %s: %w", resp.Status, err)
	}
	who.succeeded.Add(1)
	return chart.URL, nil
}

// checkFullDisk sends requests until no more can be counted. A few still can be: the
// database has free space in its files, and some were reserved in advance.
func checkFullDisk(s *served, subjects []*subject, picture string) error {
	const few = 500
	for _, who := range subjects {
		for refused, n := 0, 0; refused < 20; n++ {
			a, err := who.callers[0].get(s.url + "/api/datasets/1/meta")
			switch {
			case err != nil:
				return err
			case a.status == http.StatusOK && refused == 0 && n < few:
				who.succeeded.Add(1)
				continue
			case a.status != http.StatusServiceUnavailable:
				return fmt.Errorf("on a full disk, request %d of account %q: %s", n, who.account, a)
			}
			refused++
			if err := checkErrorObject(a); err != nil {
				return err
			}
			if a.header.Get("Retry-After") == "" || a.header.Get("X-RateLimit-Remaining") != "" {
				return fmt.Errorf("a response that is not counted has the wrong headers: %s", a)
			}
		}
	}
	for _, who := range subjects[1:] {
		c := who.callers[0]
		if a, err := c.get(s.url + "/api/datasets?country=" + c.key); err != nil || a.status != http.StatusServiceUnavailable {
			return fmt.Errorf("on a full disk, a key in the wrong place: %s: %w", a, err)
		}
	}
	for _, url := range []string{s.url + "/healthz", s.url + "/openapi.json", s.url + "/api/limits", picture} {
		if a, err := subjects[0].callers[0].get(url); err != nil || a.status != http.StatusOK {
			return fmt.Errorf("on a full disk, %s, which is not counted: %s: %w", url, a, err)
		}
	}
	return nil
}

func checkErrorObject(a response) error {
	var object struct {
		StatusCode    int
		StatusMessage string
	}
	if err := json.Unmarshal([]byte(a.body), &object); err != nil || object.StatusCode != a.status || object.StatusMessage == "" ||
		a.header.Get("Content-Type") != "application/json" {
		return fmt.Errorf("not an error object: %s", a)
	}
	return nil
}

// checkRecovery waits until requests succeed again, and compares the counts.
func checkRecovery(t *testing.T, s *served, subjects []*subject) error {
	t.Helper()
	for _, who := range subjects {
		stattest.Eventually(t, func() error {
			a, err := who.callers[0].get(s.url + "/api/datasets/1/meta")
			if err == nil && a.status != http.StatusOK {
				err = fmt.Errorf("after space was freed, account %q: %s", who.account, a)
			}
			return err
		})
		who.succeeded.Add(1)
		now, err := who.callers[0].getLimits(s.url)
		if err != nil {
			return err
		}
		if want := who.succeeded.Load(); now.Used != want {
			return fmt.Errorf("account %q received %d responses, but %d are counted", who.account, want, now.Used)
		}
	}
	return nil
}
