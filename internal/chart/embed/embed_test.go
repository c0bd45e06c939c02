package embed_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart/chartcase"
	"almanac/internal/chart/embed"
	"almanac/internal/chart/layout"
)

func pageOf(t *testing.T, name string) string { return pageIn(t, name, "en") }

func pageIn(t *testing.T, name, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "cases", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := chartcase.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	c.Spec.Locale = language
	var page bytes.Buffer
	if err := embed.Page(&page, layout.Layout(c.Spec)); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// The policy allows the script of the page and nothing else, and the page has no other
// script and no address.
func TestPolicy(t *testing.T) {
	page := pageOf(t, "hbar-groups")
	_, rest, _ := strings.Cut(page, "<script>")
	script, _, _ := strings.Cut(rest, "</script>")
	sum := sha256.Sum256([]byte(script))
	if hash := base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(embed.Policy, "script-src 'sha256-"+hash+"'") {
		t.Errorf("the policy %s does not allow the script with the hash %s", embed.Policy, hash)
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("the page has %d scripts, want 1", n)
	}
	for _, address := range regexp.MustCompile(`https?://[^"' )]*`).FindAllString(page, -1) {
		if address != "http://www.w3.org/2000/svg" {
			t.Errorf("the page has the address %s", address)
		}
	}
}

// The page has the values of the picture, and texts are escaped.
func TestPage(t *testing.T) {
	page := pageOf(t, "hbar-groups")
	for _, want := range []string{`<html lang="en">`, "<title>Unemployment rate</title>", `data-unit="%"`, `data-v="11.4"`, `id="alt">Horizontal bar chart`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	svg := page[strings.Index(page, "<svg"):strings.Index(page, "</svg>")] + "</svg>"
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Errorf("the picture is not XML: %v", err)
	}
}

// Pages are small. Only that of a map of the world is larger than 60 kB before it is
// compressed.
func TestWeight(t *testing.T) {
	for name, most := range map[string]int{"line-sixty-series": 90_000, "bar-grouped-six": 22_000, "hbar-groups": 22_000, "map-world-share": 150_000} {
		if n := len(pageOf(t, name)); n > most {
			t.Errorf("the page of %s has %d bytes, want at most %d", name, n, most)
		}
	}
}

// Pages of maps are below 60 kB, but their outlines are not coarser than that needs.
func TestWeightOfMaps(t *testing.T) {
	for _, name := range []string{"map-world-share", "map-europe", "map-asia", "map-us-states", "map-india", "map-own-periods"} {
		if n := len(pageOf(t, name)); n > 60_000 || n < 35_000 {
			t.Errorf("the page of %s has %d bytes, want 35,000 to 60,000", name, n)
		}
	}
}

// The areas of the page of a map of the world have names and values.
func TestPageOfWorld(t *testing.T) {
	page := pageOf(t, "map-world-share")
	if areas := regexp.MustCompile(`(?s)<g class="area" data-p="\d+" fill="#[0-9a-f]{6}".*?<path data-name="[^"]+" data-v="[^"]+" d=`).FindAllString(page, -1); len(areas) < 4 {
		t.Errorf("the page has %d groups of areas with names and values, want one for each class", len(areas))
	}
	if strings.Contains(page, "<title></title>") || strings.Contains(page, "\n  ") {
		t.Error("the page has empty titles or indentation")
	}
}

// Embedded fonts of many scripts do not make lines coarser.
func TestFontsLeaveLines(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "cases", "line-months.txt"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := chartcase.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	c.Spec.Title = "Ωmega Жук 你好 日本語 العربية ไทย हिन्दी தமிழ் עברית 한국어 ქართ Հայ"
	var lines [2][]string
	for i := range lines {
		c.Spec.EmbedFonts = i == 1
		var page bytes.Buffer
		if err := embed.Page(&page, layout.Layout(c.Spec)); err != nil {
			t.Fatal(err)
		}
		if i == 1 && page.Len() < 60_000 {
			t.Fatalf("the page has %d bytes, too few for a test", page.Len())
		}
		lines[i] = regexp.MustCompile(` d="[^"]*"`).FindAllString(page.String(), -1)
	}
	if len(lines[0]) == 0 || !slices.Equal(lines[0], lines[1]) {
		t.Error("the lines differ from those of a page without fonts")
	}
}

// The page of a language that is written from right to left says so.
func TestDirection(t *testing.T) {
	if page := pageIn(t, "hbar-groups", "ar"); !strings.Contains(page, `<html lang="ar" dir="rtl">`) {
		t.Error("the page in Arabic does not say its direction")
	}
}
