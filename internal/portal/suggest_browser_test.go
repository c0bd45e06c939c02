package portal_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"almanac/internal/stattest"
	"almanac/internal/stattest/browser"
)

// TestTyping types in the search field: answers appear, arrows choose one, Escape closes them, Enter opens the chosen one or,
// without a choice, all results. axe-core finds nothing in the open list.
func TestTyping(t *testing.T) {
	axe := browser.Axe(t)
	tab := newTab(t)
	base := serve(t, realStore(t), nil)
	typeWord := func() {
		tab.open(base + "/")
		tab.do(chromedp.Click(chromedp.CSS("#q")), chromedp.SendKeys(chromedp.CSS("#q"), "unempl"))
		stattest.Eventually(t, func() error { return tab.expect(`document.querySelector(".sug mark")?.textContent === "Unempl"`) })
	}
	chosen := `document.activeElement.id === "q" && document.querySelector("[aria-selected=true]")?.id === document.activeElement.getAttribute("aria-activedescendant")`

	typeWord()
	tab.addAxe(axe)
	tab.runAxe("open list", allRules)
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), kb.ArrowDown))
	if err := tab.expect(chosen + ` && document.querySelector("[aria-selected=true]").id === "sug-1"`); err != nil {
		t.Error("arrow down:", err)
	}
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), kb.ArrowUp+kb.ArrowUp))
	if err := tab.expect(chosen + ` && !document.querySelector("[aria-selected=true] ~ [role=option]")`); err != nil {
		t.Error("arrow up to the last one:", err)
	}
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), kb.Escape))
	if err := tab.expect(`document.querySelector(".sug").hidden && document.querySelector("#q").getAttribute("aria-expanded") === "false"`); err != nil {
		t.Error("escape:", err)
	}

	typeWord()
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), kb.ArrowDown+kb.Enter))
	stattest.Eventually(t, func() error { return tab.expect(`location.pathname.startsWith("/datasets/1/")`) })
	typeWord()
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), kb.Enter))
	stattest.Eventually(t, func() error { return tab.expect(`location.pathname === "/search" && location.search === "?q=unempl"`) })
	if lines := tab.complaints(base); len(lines) > 0 {
		t.Error(strings.Join(lines, "; "))
	}
}
