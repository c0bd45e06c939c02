package portal

import (
	"html/template"
	"regexp"
	"strings"
)

// changelogPage is the content of the page of changes.
type changelogPage struct {
	Releases []release
}

// release is a version of the program with its changes.
type release struct {
	Name string
	Text template.HTML
}

// changelog is the page of what changed in the program.
func (p *page) changelog() error {
	c := &changelogPage{}
	for i, part := range strings.Split(p.opts.Changelog, "\n## ") {
		if i == 0 {
			continue // what the file says of itself
		}
		name, text, _ := strings.Cut(part, "\n")
		c.Releases = append(c.Releases, release{strings.Trim(name, "[] "), markdown(text)})
	}
	p.template, p.Section, p.Content = "changelog", "guide", c
	p.Title = p.lang.text("nav.changes")
	p.Trail = []link{{p.lang.text("nav.guide"), "/guide"}, {p.Title, ""}}
	return nil
}

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	webLink  = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	fileLink = regexp.MustCompile(`\[([^\]]+)\]\([^)\s]+\)`)
)

// markdown writes the part of Markdown that the changelog uses as HTML: headings of the third
// level, paragraphs, lists, code and links. Links to files of the project are plain text.
func markdown(text string) template.HTML {
	var b strings.Builder
	var block []string
	isList, isItem := false, false
	end := func() {
		if len(block) > 0 {
			tag := "p"
			if isItem {
				tag = "li"
			}
			b.WriteString("<" + tag + ">" + inline(strings.Join(block, " ")) + "</" + tag + ">\n")
		}
		block, isItem = nil, false
	}
	endList := func() {
		end()
		if isList {
			b.WriteString("</ul>\n")
		}
		isList = false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		item, startsItem := strings.CutPrefix(line, "- ")
		heading, isHeading := strings.CutPrefix(line, "### ")
		switch {
		case isHeading:
			endList()
			b.WriteString("<h3>" + inline(heading) + "</h3>\n")
		case strings.TrimSpace(line) == "":
			end()
		case startsItem:
			end()
			if !isList {
				b.WriteString("<ul>\n")
			}
			isList, isItem, block = true, true, []string{item}
		case strings.HasPrefix(line, " ") && isItem:
			block = append(block, strings.TrimSpace(line))
		default:
			if len(block) == 0 {
				endList()
			}
			block = append(block, line)
		}
	}
	endList()
	return template.HTML(b.String())
}

func inline(text string) string {
	text = template.HTMLEscapeString(text)
	text = codeSpan.ReplaceAllString(text, "<code>$1</code>")
	text = webLink.ReplaceAllString(text, `<a href="$2">$1</a>`)
	return fileLink.ReplaceAllString(text, "$1")
}
