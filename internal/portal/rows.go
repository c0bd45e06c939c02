package portal

import (
	"cmp"
	"html/template"
	"strings"
)

// Cells, heads and choices, of which a page can have thousands, are written here: a template takes several times as long for each.

// escaped writes a text of HTML, also of an attribute in quotes, as templates do.
var escaped = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

func write(b *strings.Builder, parts ...string) {
	for _, part := range parts {
		b.WriteString(part)
	}
}

// HTML writes the cells of the row.
func (r *tableRow) HTML() template.HTML {
	var b strings.Builder
	for i := range r.Cells {
		r.Cells[i].write(&b)
	}
	return template.HTML(b.String())
}

func (c *cell) write(b *strings.Builder) {
	class, text := "num", escaped.Replace(c.Text)
	if text == "" {
		class, text = "num gap", "…"
	}
	if c.IsProjected {
		class = "num ahead"
	}
	write(b, `<td class="`, class, `" data-p="`, escaped.Replace(c.Period), `"`)
	if c.Note != "" {
		write(b, ` title="`, escaped.Replace(c.Note), `"`)
	}
	if c.IsHidden {
		write(b, ` hidden`)
	}
	write(b, `>`, text)
	if len(c.Flags) > 0 {
		write(b, `<sup>`, escaped.Replace(c.Flags.String()), `</sup>`)
	}
	write(b, `</td>`)
}

// heads writes the heads of columns, which lead to the table sorted by their period unless they are hidden.
func (l *language) heads(columns []column) template.HTML {
	var b strings.Builder
	for i := range columns {
		c := &columns[i]
		period := escaped.Replace(l.officePeriod(c.Period, c.Label))
		write(&b, `<th scope="col" class="num" data-p="`, escaped.Replace(c.Period), `"`)
		if c.Sorted != "" {
			write(&b, ` aria-sort="`, c.Sorted, `"`)
		}
		if c.IsHidden {
			write(&b, ` hidden>`, period, `</th>`)
		} else {
			write(&b, `><a href="`, escaped.Replace(c.Address), `">`, period, `</a></th>`)
		}
	}
	return template.HTML(b.String())
}

// choices writes options that a form sends under a name; kind is "checkbox" or "radio".
func (l *language) choices(kind, name string, options []option) template.HTML {
	var b strings.Builder
	for i := range options {
		o := &options[i]
		class, state, label := "opt", "", escaped.Replace(o.Label)
		if o.Count == 0 {
			class, state = "opt off", " disabled"
		}
		if o.IsChosen {
			state = " checked"
		}
		write(&b, `<label class="`, class, `"><input type="`, kind, `" name="`, name, `" value="`, escaped.Replace(o.Code), `"`, state, `>`)
		write(&b, `<span class="l" title="`, escaped.Replace(cmp.Or(o.Full, o.Label)), `"><bdi>`, label, `</bdi>`)
		if !o.other.Last.IsZero() {
			write(&b, ` <span class="tiny">`, l.span(o.other.First.String(), o.other.Last.String()), `</span>`)
		}
		write(&b, `</span><span class="n">`, string(o.Beside), l.integer(o.Count), "</span></label>\n")
	}
	return template.HTML(b.String())
}
