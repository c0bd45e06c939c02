// Package browser has the Chromium that the tests of a package share.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"almanac/internal/stattest"
)

// shared is the browser. It is started when the first test needs it.
var shared struct {
	sync.Mutex
	context context.Context
	close   func()
}

// Run runs the tests of a package, ends the browser if one of them has started it, and returns their
// exit code. It is what TestMain calls.
func Run(m *testing.M) int {
	defer func() {
		if shared.close != nil {
			shared.close()
		}
	}()
	return m.Run()
}

// Tab returns a page of the browser with cookies of its own. It is closed when the test ends, and after
// ten minutes.
func Tab(t testing.TB) context.Context {
	t.Helper()
	start(t)
	page, cancel := chromedp.NewContext(shared.context, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	page, cancel = context.WithTimeout(page, 10*time.Minute)
	t.Cleanup(cancel)
	return page
}

// start starts the browser unless it runs.
func start(t testing.TB) {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.context != nil {
		return
	}
	if _, err := exec.LookPath("chromium"); err != nil {
		stattest.SkipOrFail(t, "chromium is not installed")
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), chromedp.Headless, chromedp.NoFirstRun, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath("chromium"))
	started, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(started); err != nil {
		stop()
		t.Fatalf("starting chromium: %v", err)
	}
	shared.context, shared.close = started, func() { cancel(); stop() }
}

// Axe returns the source of axe-core, which npm has installed for all.
func Axe(t testing.TB) string {
	t.Helper()
	root, err := exec.Command("npm", "root", "--global").Output()
	if err != nil {
		stattest.SkipOrFail(t, fmt.Sprintf("npm, which knows where axe-core is, does not run: %v", err))
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
	if err != nil {
		stattest.SkipOrFail(t, "axe-core is not installed (npm install --global axe-core)")
	}
	return string(source)
}
