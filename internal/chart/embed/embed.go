// Package embed writes a picture as a page that shows the values behind it: next to the
// pointer, by the arrow keys and by touch. The page needs nothing from elsewhere. Its
// script reads the values from the attributes of the SVG, see package render.
package embed

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/words"
)

//go:embed page.js
var source string

// script is the source without indentation and comments.
var script = regexp.MustCompile(`(?m)^\s*(//.*)?`).ReplaceAllString(source, "")

//go:embed page.css
var style string

// maxBytes is the size of pages, but for those of thousands of areas or of more values than
// fit.
const maxBytes = 60_000

// foot follows the picture in a page.
var foot = `<div id="tip" dir="auto" aria-hidden="true" hidden></div>
</div>
</main>
<script>` + script + `</script>
</body>
</html>
`

// Policy is the Content-Security-Policy of the page: it runs its own script, loads
// nothing, and may be shown in a frame anywhere.
var Policy = func() string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"
}()

// Page writes the page of a scene, in the language of the scene.
func Page(w io.Writer, s *scene.Scene) error {
	var page bytes.Buffer
	if err := writeHead(&page, s); err != nil {
		return err
	}
	limits := render.Limits{Bytes: maxBytes - page.Len() - len(foot), Values: 20_000, NoTitles: true, NoCodes: true, Packed: true}
	if err := render.SmallSVG(&page, s, limits); err != nil {
		return err
	}
	page.WriteString(foot)
	_, err := w.Write(page.Bytes())
	return err
}

// settings returns the attributes that tell the script what it writes: the unit, the names of
// flags, the form of numbers, and words.
func settings(s *scene.Scene, l *words.Language) (string, error) {
	thousands, point, least := l.Separators()
	flags, err := json.Marshal(s.FlagNames)
	if err != nil {
		return "", err
	}
	numbers, err := json.Marshal(map[string]any{"thousands": thousands, "point": point, "least": least, "percent": l.Percent()})
	if err != nil {
		return "", err
	}
	escaped := html.EscapeString
	return fmt.Sprintf(`data-unit="%s" data-flags="%s" data-numbers="%s" data-none="%s" data-more="%s"`,
		escaped(s.Unit), escaped(string(flags)), escaped(string(numbers)), escaped(l.Text("no data")), escaped(l.Text("and %s more"))), nil
}

// writeHead writes what stands before the picture.
func writeHead(page io.Writer, s *scene.Scene) error {
	l := words.In(s.Language)
	settings, err := settings(s, l)
	if err != nil {
		return err
	}
	text := colour.Plain.Dark
	if colour.Contrast(text, s.Ground) < colour.TextContrast {
		text = colour.Night.Dark
	}
	ground := s.Ground.String()
	if s.Transparent {
		ground = "transparent"
	}
	direction := ""
	if l.RightToLeft {
		direction = ` dir="rtl"`
	}
	title, escaped := html.EscapeString(cmp.Or(s.Title, "Chart")), html.EscapeString
	_, err = fmt.Fprintf(page, `<!DOCTYPE html>
<html lang="%s"%s>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
:root{--ground:%s;--sheet:%s;--text:%s}
%s</style>
</head>
<body>
<main>
<h1 class="unseen">%s</h1>
<p class="unseen" id="alt">%s</p>
<div id="chart" %s aria-describedby="alt">
`, l.Code, direction, title, ground, s.Ground, text, style, title, escaped(s.Alt), settings)
	return err
}
