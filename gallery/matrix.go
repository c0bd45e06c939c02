package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"almanac/internal/chart"
)

// matrixForms lists the pictures of the matrix: the part of the service, the form that is
// shown, and the name of a case or of a chart from a real file.
//
//go:embed matrix.tsv
var matrixForms string

// matrixTexts translates the texts of these pictures: English, Greek, Arabic, Chinese and
// Japanese.
//
//go:embed matrixtexts.tsv
var matrixTexts string

// Sizes of pictures in pixels: of a thumbnail, of a page and of print.
var (
	thumbnailSize = [2]int{300, 169}
	pageSize      = [2]int{1200, 675}
	printSize     = [2]int{2400, 1350}

	matrixSizes = [][2]int{thumbnailSize, pageSize, printSize}
)

// sparkSizes are those of a word, a table and a tile.
var sparkSizes = [][2]int{{80, 20}, {160, 40}, {1000, 250}}

// scripts are the columns of matrixTexts after the English one. A locale that Almanac
// does not have is empty: the chart's own words stay English.
var scripts = []struct{ name, locale string }{{"greek", ""}, {"arabic", "ar"}, {"chinese", ""}, {"japanese", "ja"}}

// matrixPictures returns the variants of each picture that matrixForms lists: both themes
// at three sizes, unless the picture chooses its colours, and in each of the other scripts a light
// thumbnail and a dark page, unless the picture chooses its language or the texts are an office's. Pictures that are not among the given ones are left
// out if they are made from files, which may be missing.
func matrixPictures(given []picture) ([]picture, error) {
	var pictures []picture
	for form, fields := range tableRows(matrixForms) {
		if len(fields) != 3 {
			return nil, fmt.Errorf("matrix.tsv, row %d has %d fields; it must have 3", form+1, len(fields))
		}
		at := slices.IndexFunc(given, func(p picture) bool { return p.Name == fields[2] })
		if at < 0 && strings.HasPrefix(fields[2], "real-") {
			continue
		}
		if at < 0 {
			return nil, fmt.Errorf("matrix.tsv, row %d: there is no case %q", form+1, fields[2])
		}
		some := variants(given[at])
		some[0].Heading = fields[0] + ": " + fields[1]
		pictures = append(pictures, some...)
	}
	return pictures, nil
}

// tableRows returns the fields of the rows of a table that are no comments.
func tableRows(table string) [][]string {
	var rows [][]string
	for row := range strings.Lines(table) {
		if row = strings.TrimSpace(row); row != "" && !strings.HasPrefix(row, "#") {
			rows = append(rows, strings.Split(row, "\t"))
		}
	}
	return rows
}

func sizesOf(s *chart.Spec) [][2]int {
	if s.Type == chart.Spark {
		return sparkSizes
	}
	return matrixSizes
}

// themesOf returns both themes, unless the picture chooses its colours.
func themesOf(s *chart.Spec) []string {
	if s.Theme != "" || s.Background != "" {
		return []string{s.Theme}
	}
	return []string{"light", "dark"}
}

// variants returns a picture in both themes, in all sizes and in the other scripts.
func variants(p picture) []picture {
	var all []picture
	add := func(name string, spec *chart.Spec, change func(*chart.Spec)) {
		v := p
		v.Name = "matrix-" + p.Name + "-" + name
		v.Spec = copyOf(spec)
		change(v.Spec)
		all = append(all, v)
	}
	sizes, themes := sizesOf(p.Spec), themesOf(p.Spec)
	for _, theme := range themes {
		for i, size := range sizes {
			spec := p.Spec
			if p.Sized != nil { // the size may decide what is shown
				spec = p.Sized[i]
			}
			add(fmt.Sprintf("%s-%d", cmp.Or(theme, "own"), size[0]), spec, func(s *chart.Spec) {
				s.Theme, s.Width, s.Height = theme, size[0], size[1]
			})
		}
	}
	if p.Sized != nil || p.Spec.Locale != "" {
		return all
	}
	for column, script := range scripts {
		texts := translator(column + 1)
		for i, theme := range []string{themes[0], themes[len(themes)-1]} {
			size := sizes[i]
			add(fmt.Sprintf("%s-%d", script.name, size[0]), p.Spec, func(s *chart.Spec) {
				s.Theme, s.Width, s.Height, s.Locale = theme, size[0], size[1], script.locale
				translate(s, texts)
			})
		}
	}
	return all
}

// copyOf returns a copy of a Spec whose texts can be changed.
func copyOf(s *chart.Spec) *chart.Spec {
	c := *s
	c.Notes, c.Categories, c.Series = slices.Clone(s.Notes), slices.Clone(s.Categories), slices.Clone(s.Series)
	if s.Lines != nil {
		lines := *s.Lines
		lines.References, lines.Spans, lines.Remarks = slices.Clone(lines.References), slices.Clone(lines.Spans), slices.Clone(lines.Remarks)
		c.Lines = &lines
	}
	return &c
}

// translator replaces the English texts of matrixTexts by those of a column, long ones
// before their parts.
func translator(column int) *strings.Replacer {
	rows := tableRows(matrixTexts)
	slices.SortStableFunc(rows, func(a, b []string) int { return len(b[0]) - len(a[0]) })
	var pairs []string
	for _, row := range rows {
		pairs = append(pairs, row[0], row[column])
	}
	return strings.NewReplacer(pairs...)
}

// translate replaces all texts of a Spec.
func translate(s *chart.Spec, r *strings.Replacer) {
	texts := []*string{&s.Title, &s.Name, &s.Subtitle, &s.Source, &s.Aside, &s.Unit}
	for i := range s.Notes {
		texts = append(texts, &s.Notes[i])
	}
	for i := range s.Categories {
		texts = append(texts, &s.Categories[i].Label)
	}
	for i := range s.Series {
		texts = append(texts, &s.Series[i].Label)
	}
	if l := s.Lines; l != nil {
		for i := range l.References {
			texts = append(texts, &l.References[i].Label)
		}
		for i := range l.Spans {
			texts = append(texts, &l.Spans[i].Label)
		}
		for i := range l.Remarks {
			texts = append(texts, &l.Remarks[i].Label)
		}
	}
	for _, t := range texts {
		*t = r.Replace(*t)
	}
}

var matrixTemplate = template.Must(template.New("matrix").Parse(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Forms in all themes, sizes and scripts</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24 }
figure { display: inline-block; margin: 0 1rem 1rem 0; vertical-align: top } figcaption { font-size: 12px }
img { border: 1px solid #ddd; max-width: 600px } .bad { color: #b00 }
</style>
<h1>Forms in all themes, sizes and scripts</h1>
<p>{{len .Pictures}} pictures, shown at most 600 pixels wide; each opens at full size.</p>
{{range .Pictures}}{{with .Heading}}<h2>{{.}}</h2>
{{end}}<figure><a href="{{.Name}}.png"><img src="{{.Name}}.png" alt="{{.Spec.Alt}}" loading="lazy"></a>
<figcaption>{{.Name}} (<a href="{{.Name}}.svg">SVG</a>){{range .Problems}}<br><span class="bad">{{.}}</span>{{end}}</figcaption></figure>
{{end}}</html>
`))
