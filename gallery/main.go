// Command gallery draws every chart case of the tests, and the charts of real.txt from
// the offices' real files. It puts them on one page for inspection, each with its
// source and what was checked in it.
//
//	go run ./gallery -out build/gallery -data ../shared/data
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/render"
)

func main() {
	out := flag.String("out", "build/gallery", "folder for the page and its pictures")
	cases := flag.String("cases", "internal/chart/testdata/cases", "folder of the chart cases")
	data := flag.String("data", cmp.Or(os.Getenv("ALMANAC_TESTDATA"), "../shared/data"), "folder of the offices' files; without it only the cases are drawn")
	flag.Parse()
	if err := run(context.Background(), *out, *cases, *data); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// picture is one chart on the page.
type picture struct {
	Name     string
	Source   string // the chart case, or the file and the request
	Checked  string // what was checked
	Spec     *chart.Spec
	Problems []string
	Width    int
}

func run(ctx context.Context, out, cases, data string) error {
	pictures, err := readCases(cases)
	if err != nil {
		return err
	}
	if _, err := os.Stat(data); err != nil {
		fmt.Fprintf(os.Stderr, "gallery: no files at %s; drawing the cases only\n", data)
	} else {
		more, err := realPictures(ctx, data)
		if err != nil {
			return err
		}
		pictures = append(more, pictures...)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for i := range pictures {
		if err := pictures[i].draw(out); err != nil {
			return fmt.Errorf("%s: %w", pictures[i].Name, err)
		}
		for _, p := range pictures[i].Problems {
			fmt.Fprintf(os.Stderr, "%s: %s\n", pictures[i].Name, p)
		}
	}
	page, err := os.Create(filepath.Join(out, "index.html"))
	if err != nil {
		return err
	}
	defer page.Close()
	if err := pageTemplate.Execute(page, pictures); err != nil {
		return err
	}
	fmt.Printf("%d pictures: %s\n", len(pictures), page.Name())
	return page.Close()
}

func (p *picture) draw(out string) error {
	sc := chart.Layout(p.Spec)
	p.Problems = layoutcheck.Check(sc)
	p.Width = min(p.Spec.Width, 1000)
	for _, format := range []render.Format{render.FormatPNG, render.FormatSVG} {
		f, err := os.Create(filepath.Join(out, p.Name+"."+string(format)))
		if err != nil {
			return err
		}
		if err := render.Write(f, sc, format); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"trim": strings.TrimSpace}).Parse(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Gallery of charts</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1040px; color: #1b1f24 }
figure { margin: 0 0 3rem; } img { border: 1px solid #ddd; max-width: 100% }
pre { background: #f5f5f5; padding: .5rem; overflow: auto; font-size: 12px; max-height: 14rem } .bad { color: #b00 }
</style>
<h1>Gallery of charts</h1>
<p>{{len .}} pictures. The text under each says what was checked. A test checks every scene: no text outside the picture or on another, enough contrast, and a legend that covers the data.</p>
{{range .}}<figure id="{{.Name}}">
<h2>{{.Name}}</h2>
<img src="{{.Name}}.png" width="{{.Width}}" alt="{{.Spec.Alt}}">
<figcaption><b>Checked:</b> {{.Checked}} (<a href="{{.Name}}.svg">SVG</a>)
{{range .Problems}}<p class="bad">{{.}}</p>{{end}}
<details><summary>Made from</summary><pre>{{trim .Source}}</pre></details></figcaption>
</figure>
{{end}}</html>
`))
