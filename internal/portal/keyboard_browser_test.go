package portal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"almanac/internal/stattest"
)

// press presses keys in the element that has the focus, as a keyboard does.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// focus is a condition: the element with the focus is in the window and has an outline.
const focus = `(() => {
	const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
	return e !== document.body && box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
		&& style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
})()`

// tabTo presses Tab until an element has the focus. The focus is seen on the whole way.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	for range 150 {
		b.press(kb.Tab)
		if err := b.expect(focus); err != nil {
			b.t.Fatalf("the focus is not seen at %s", evaluate[string](b, `document.activeElement.outerHTML.slice(0, 200)`))
		}
		if evaluate[bool](b, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
			return
		}
	}
	b.t.Fatalf("Tab does not lead to %s", selector)
}

// TestWalkByKeyboard goes from the first page to a file by the keyboard alone.
func TestWalkByKeyboard(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	files := tab.keepDownloads()
	tab.open(base + "/")
	tab.tabTo(".skip")
	tab.press(kb.Enter)
	tab.waitFor(`location.hash === "#main"`)
	tab.press(kb.Tab)
	tab.waitFor(`!!document.activeElement.closest("main")`)

	tab.open(base + "/areas")
	tab.press("/")
	tab.waitFor(`document.activeElement.id === "q"`)
	tab.press(kb.Backspace + "unempl") // the protocol also types the key, which browsers do not
	tab.waitFor(`document.querySelectorAll(".sug [role=option]").length > 0`)
	tab.press(kb.Escape)
	tab.waitFor(`document.querySelector(".sug").hidden && document.activeElement.id === "q"`)
	tab.press(kb.ArrowDown)
	tab.waitFor(`!document.querySelector(".sug").hidden`)
	tab.press(kb.ArrowDown)
	tab.waitFor(`document.querySelector("[aria-selected=true]")?.href.includes("/datasets/1/")`)
	tab.press(kb.Enter)
	tab.waitFor(`location.pathname === "/datasets/1/une_rt_a" && !!document.querySelector(".read")`)

	tab.tabTo("[data-chart]")
	tab.press(kb.ArrowLeft)
	tab.waitFor(`!document.querySelector(".read").hidden && document.querySelector("#said").textContent !== ""`)
	tab.press(kb.Home)
	tab.waitFor(`document.querySelector(".read").textContent.includes("199")`)
	tab.press(kb.End)
	tab.waitFor(`document.querySelector(".read").textContent.includes("2019")`)
	tab.press(kb.Escape)
	tab.waitFor(`document.querySelector(".read").hidden && document.activeElement.matches("[data-chart]")`)

	tab.tabTo(`[data-keep="dim4"] > summary`)
	tab.press(kb.Enter)
	tab.waitFor(`document.querySelector('[data-keep="dim4"]').open`)
	tab.tabTo(`[name="dim4"]`)
	tab.press(kb.ArrowDown)
	tab.waitFor(`location.search.includes("dim4=") && document.activeElement.name === "dim4" && location.search.includes("dim4=" + document.activeElement.value)`)
	if err := tab.expect(focus); err != nil {
		t.Error("after a choice the focus is not seen:", err)
	}

	tab.tabTo("#t1 thead a")
	tab.tabTo("#take a[href*='data.csv']")
	address := evaluate[string](tab, "document.activeElement.href")
	tab.press(kb.Enter)
	want := ask(t, "GET", address).body
	stattest.Eventually(t, func() error {
		names, err := filepath.Glob(filepath.Join(files, "*"))
		if err != nil || len(names) != 1 {
			return fmt.Errorf("the downloads are %q (%v)", names, err)
		}
		got, err := os.ReadFile(names[0])
		if err == nil && string(got) != want {
			err = fmt.Errorf("the download has %d bytes, the file %d", len(got), len(want))
		}
		return err
	})
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}

// keepDownloads has the browser keep downloads in a folder.
func (b *tab) keepDownloads() (folder string) {
	b.t.Helper()
	folder = b.t.TempDir()
	b.do(chromedp.Func(func(context.Context, *chromedp.Target) error {
		_, err := chromedp.CallBrowser(b.page, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: chromedp.FromContext(b.page).BrowserContextID,
		})
		return err
	}))
	return folder
}
