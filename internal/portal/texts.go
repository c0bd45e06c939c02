package portal

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	plaintemplate "text/template"

	"golang.org/x/text/feature/plural"
	textlanguage "golang.org/x/text/language"

	"almanac/internal/chart/words"
)

//go:embed texts
var textFiles embed.FS

//go:embed templates
var templateFiles embed.FS

// language has the texts and templates of the pages in one language.
type language struct {
	Code string // "de"
	Name string // in the language itself

	tag       textlanguage.Tag
	texts     map[string]text
	templates *template.Template
	plain     *plaintemplate.Template // of texts that are no HTML
}

// text is a text of the pages, in the forms that it has for different numbers. Names in braces
// stand for values: "{values} of {areas}".
type text map[plural.Form]string

var pluralForms = map[string]plural.Form{"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other}

// UnmarshalJSON reads a text without forms, or an object of forms by the names of CLDR.
func (t *text) UnmarshalJSON(from []byte) error {
	var plain string
	if json.Unmarshal(from, &plain) == nil {
		*t = text{plural.Other: plain}
		return nil
	}
	var forms map[string]string
	if err := json.Unmarshal(from, &forms); err != nil {
		return err
	}
	*t = text{}
	for name, form := range forms {
		kind, ok := pluralForms[name]
		if !ok {
			return fmt.Errorf("unknown form %q; the forms are zero, one, two, few, many and other", name)
		}
		(*t)[kind] = form
	}
	return nil
}

// readLanguages reads the texts of all languages. The first is English, which has all texts; the
// others have the same, or the English one where a text is not translated yet.
func (p *Portal) readLanguages() ([]*language, error) {
	names, err := fs.Glob(textFiles, "texts/*.json")
	if err != nil {
		return nil, err
	}
	var all []*language
	for _, name := range names {
		l := &language{Code: strings.TrimSuffix(path.Base(name), ".json")}
		content, err := textFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(content, &l.texts); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		l.tag = textlanguage.Make(l.Code)
		l.Name = l.text("language")
		if l.templates, err = template.New("").Funcs(l.functions(p.static)).ParseFS(templateFiles, "templates/*.html"); err != nil {
			return nil, err
		}
		if l.plain, err = plaintemplate.New("").Funcs(plaintemplate.FuncMap{"text": l.text, "period": l.period, "office": l.office}).ParseFS(templateFiles, "templates/*.txt"); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b *language) int { // English first
		return strings.Compare(strings.Replace(a.Code, "en", "", 1), strings.Replace(b.Code, "en", "", 1))
	})
	for _, l := range all[1:] {
		for key, english := range all[0].texts {
			if _, has := l.texts[key]; !has {
				l.texts[key] = english // better than a page that cannot be read
			}
		}
	}
	return all, nil
}

// pair is what a template takes that needs two things.
type pair struct{ A, B any }

// matcherOf returns a matcher that finds the best of languages by its index.
func matcherOf(languages []*language) textlanguage.Matcher {
	var tags []textlanguage.Tag
	for _, l := range languages {
		tags = append(tags, l.tag)
	}
	return textlanguage.NewMatcher(tags)
}

// functions returns what templates can call beside the methods of their data.
func (l *language) functions(s *static) template.FuncMap {
	return template.FuncMap{
		"t":            l.html,
		"text":         l.text,
		"choices":      l.choices,
		"heads":        l.heads,
		"n":            l.integer,
		"n64":          func(n any) string { return l.number(fmt.Sprint(n)) },
		"static":       func(name string) string { return s.address[name] },
		"inc":          func(i int) int { return i + 1 },
		"number":       func(n *json.Number) string { return l.number(n.String()) },
		"pair":         func(a, b any) pair { return pair{a, b} },
		"span":         l.span,
		"period":       l.period,
		"officePeriod": l.officePeriod,
		"office":       l.office,
		"bidi":         isolate,
		"parts":        breakable,
		"part":         words.In(l.Code).Part,
	}
}

// office returns the name of an office that it uses itself in the language, else the one in its datasets.
func (l *language) office(name string) string { return words.In(l.Code).Office(name) }

// textOr returns a text, or another one if the language has none of this name.
func (l *language) textOr(key, other string) string {
	if _, ok := l.texts[key]; ok {
		return l.text(key)
	}
	return other
}

// text returns a text with its values, which follow one another by name and value: "n", 3. The
// form of the text is that for the number named n.
func (l *language) text(key string, values ...any) string {
	return l.fill(key, values, l.write)
}

// html is like text, for HTML: values are escaped unless they are HTML themselves.
func (l *language) html(key string, values ...any) template.HTML {
	return template.HTML(l.fill(key, values, func(v any) string {
		if v, ok := v.(template.HTML); ok {
			return string(v)
		}
		return template.HTMLEscapeString(l.write(v))
	}))
}

func (l *language) fill(key string, values []any, write func(any) string) string {
	forms, ok := l.texts[key]
	if !ok {
		panic("the texts of the pages have no " + key) // a test executes all templates
	}
	form := forms[plural.Other]
	for i := 0; i+1 < len(values); i += 2 {
		if n, isInt := values[i+1].(int); isInt && values[i] == "n" {
			if special, ok := forms[plural.Cardinal.MatchPlural(l.tag, n, 0, 0, 0, 0)]; ok {
				form = special
			}
		}
	}
	for i := 0; i+1 < len(values); i += 2 {
		form = strings.ReplaceAll(form, "{"+values[i].(string)+"}", write(values[i+1]))
	}
	return form
}

// write returns a value as the language writes it.
func (l *language) write(v any) string {
	if n, ok := v.(int); ok {
		return l.integer(n)
	}
	return fmt.Sprint(v)
}
