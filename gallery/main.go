// Command gallery draws every chart case of the tests, and the charts of real.json
// from the offices' real files. It puts them on one page for inspection, each with its
// source and what was checked in it. A second page has the default pictures of every
// dataset in these files: lines, bars and a map, drawn with nothing but the dataset's ID.
//
//	go run ./gallery
//	go run ./gallery -judged gallery/verdicts.tsv
//
// With -judged, it writes only the list of the default pictures in docs/charts.md, with the
// verdicts of a file.
//
// The pages, index.html, defaults.html and matrix.html, and their pictures are in build/gallery. The
// offices' files are in $ALMANAC_TESTDATA, or else in ../shared/data, and in data-more
// beside it; without them only the cases are drawn.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/atlas/borders"
	"almanac/internal/chart/chartcase"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/render"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/store"
)

const out = "build/gallery" // folder of the page and its pictures

func main() {
	verdicts := flag.String("judged", "", "write the default pictures with the verdicts of this `file` to docs")
	flag.Parse()
	ctx, data := context.Background(), cmp.Or(os.Getenv("ALMANAC_TESTDATA"), "../shared/data")
	var err error
	if *verdicts != "" {
		err = writeJudgements(ctx, data, *verdicts)
	} else {
		err = run(ctx, data)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// picture is one chart on the page.
type picture struct {
	Name     string
	Heading  string // above the picture on the page of the matrix; empty: none
	Code     string // of the dataset of a default picture
	Office   string // that published it
	Source   string // the chart case, or the file and the request
	Checked  string // what was checked
	Spec     *chart.Spec
	Sized    []*chart.Spec // of a chart from a real file: in each of matrixSizes
	Problems []string
}

// page is what a page of the gallery shows.
type page struct {
	Pictures []picture
	Undrawn  []undrawn // datasets without a default picture
}

// run draws the pages with the offices' files in the folder data, if it exists.
func run(ctx context.Context, data string) error {
	pictures, err := readCases("internal/chart/testdata/cases")
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
		defaults, err := allDefaults(ctx, data, pageSize)
		if err != nil {
			return err
		}
		if err := writePage("defaults.html", pageTemplate, defaults); err != nil {
			return err
		}
	}
	if err := writePage("index.html", pageTemplate, &page{Pictures: pictures}); err != nil {
		return err
	}
	matrix, err := matrixPictures(pictures)
	if err != nil {
		return err
	}
	return writePage("matrix.html", matrixTemplate, &page{Pictures: matrix})
}

// allDefaults returns the default pictures of one size of all datasets in the folder data and in
// data-more beside it.
func allDefaults(ctx context.Context, data string, size [2]int) (*page, error) {
	dir, err := os.MkdirTemp("", "almanac-gallery-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	folders := []string{data}
	if more := filepath.Join(data, "..", "data-more"); isFolder(more) {
		folders = append(folders, more)
	}
	return defaultPictures(ctx, dir, 0, size, folders...)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// writePage draws pictures and writes a page with them.
func writePage(name string, html *template.Template, p *page) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for i := range p.Pictures {
		if err := p.Pictures[i].draw(); err != nil {
			return fmt.Errorf("%s: %w", p.Pictures[i].Name, err)
		}
	}
	var b bytes.Buffer
	if err := html.Execute(&b, p); err != nil {
		return err
	}
	file := filepath.Join(out, name)
	fmt.Printf("%d pictures: %s\n", len(p.Pictures), file)
	return os.WriteFile(file, b.Bytes(), 0o644)
}

func (p *picture) draw() error {
	sc := layout.Layout(p.Spec)
	p.Problems = layoutcheck.Check(sc)
	for _, problem := range p.Problems {
		fmt.Fprintf(os.Stderr, "%s: %s\n", p.Name, problem)
	}
	for _, format := range []render.Format{render.FormatPNG, render.FormatSVG} {
		var b bytes.Buffer
		if err := render.Write(&b, sc, format); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, p.Name+"."+string(format)), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// realCharts lists the charts made from real files. Each has the file's path below the
// data folder, a chart request without the dataset, and what was checked.
//
//go:embed real.json
var realCharts []byte

// readCases reads the chart cases in a folder, in order of their names.
func readCases(dir string) ([]picture, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var pictures []picture
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := chartcase.Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		pictures = append(pictures, picture{
			Name: strings.TrimSuffix(filepath.Base(name), ".txt"), Source: string(text), Checked: s.Checked, Spec: s.Spec,
		})
	}
	return pictures, nil
}

// realPictures imports the files of realCharts into a temporary store and returns their charts.
func realPictures(ctx context.Context, data string) ([]picture, error) {
	dir, err := os.MkdirTemp("", "almanac-gallery-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	im, err := importer.New(s, importer.Options{Labels: filepath.Join(data, "eurostat", "dic")})
	if err != nil {
		return nil, err
	}
	var charts []struct {
		Name, File, Checked string
		Borders             string // a folder with the outlines of regions; empty: none
		Request             json.RawMessage
	}
	if err := json.Unmarshal(realCharts, &charts); err != nil {
		return nil, err
	}
	ids := map[string]int{}
	var pictures []picture
	for _, c := range charts {
		if ids[c.File] == 0 {
			outcome := im.Import(ctx, filepath.Join(data, c.File))[0]
			if outcome.Error != "" {
				return nil, fmt.Errorf("%s: %s", c.File, outcome.Error)
			}
			ids[c.File] = outcome.ID
		}
		p := picture{Name: c.Name, Source: c.File + "\n" + string(c.Request), Checked: c.Checked}
		var sets []*atlas.Set
		if c.Borders != "" {
			if sets, _, err = borders.Read(os.DirFS(filepath.Join(data, c.Borders))); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		outlines := func(o *chart.Options) { o.Atlas = atlas.New(sets...) }
		if p.Spec, err = newSpec(ctx, s, ids[c.File], c.Request, outlines); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if p.Sized, err = sizedSpecs(ctx, s, ids[c.File], c.Request, outlines); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		pictures = append(pictures, p)
	}
	return pictures, nil
}

// sizedSpecs returns the Specs of a chart request in each of matrixSizes.
func sizedSpecs(ctx context.Context, s *store.Store, id int, fields []byte, change func(*chart.Options)) ([]*chart.Spec, error) {
	var specs []*chart.Spec
	for _, size := range matrixSizes {
		spec, err := newSpec(ctx, s, id, fields, func(o *chart.Options) {
			change(o)
			o.Width, o.Height = size[0], size[1]
		})
		if err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// newSpec returns the Spec of a chart request, adding the dataset. change may change its options.
func newSpec(ctx context.Context, s *store.Store, id int, fields []byte, change func(*chart.Options)) (*chart.Spec, error) {
	c, err1 := request.ReadChart(fmt.Appendf(nil, `{"datasetId": %d, %s`, id, bytes.TrimPrefix(fields, []byte("{"))))
	v, err2 := s.Vintage(ctx, id)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	c.Options.Atlas = atlas.New()
	if change != nil {
		change(&c.Options)
	}
	spec, _, err := request.Spec(ctx, v, c)
	return spec, err
}

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"trim": strings.TrimSpace}).Parse(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Gallery of charts</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1040px; color: #1b1f24 }
figure { margin: 0 0 3rem; } img { border: 1px solid #ddd; max-width: 100% }
pre { background: #f5f5f5; padding: .5rem; overflow: auto; font-size: 12px; max-height: 14rem } .bad { color: #b00 }
</style>
<h1>Gallery of charts</h1>
<p>{{len .Pictures}} pictures. The text below each picture states what was checked. A test checks every scene: texts stay inside the picture and do not overlap, the contrast is sufficient, and the legend covers the data.</p>
{{range .Pictures}}<figure id="{{.Name}}">
<h2>{{.Name}}</h2>
<img src="{{.Name}}.png" alt="{{.Spec.Alt}}">
<figcaption><b>Checked:</b> {{.Checked}} (<a href="{{.Name}}.svg">SVG</a>)
{{range .Problems}}<p class="bad">{{.}}</p>{{end}}
<details><summary>Source</summary><pre>{{trim .Source}}</pre></details></figcaption>
</figure>
{{end}}{{with .Undrawn}}<h2>Datasets without a default picture</h2>
<ul>{{range .}}<li>{{.Code}} of {{.Office}} ({{.File}}): {{.Reason}}</li>{{end}}</ul>
{{end}}</html>
`))
