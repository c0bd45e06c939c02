package chart

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
	"almanac/internal/lazyregexp"
	"almanac/internal/licence"
	"almanac/internal/stat"
)

// unknownSource is the name of the source of a file that names nobody.
const unknownSource = "Local file"

// BeforeLicence stands in a source line between the dataset and the licence that must be named.
const BeforeLicence = " · "

// source returns the source line: each office, the collection that the dataset belongs to if
// the title does not name it, the dataset and its date.
func (w *textInput) source(l *words.Language, collection string) string {
	if w.joined == nil {
		return w.release().source(collection, l)
	}
	var sources []string
	for _, p := range w.joined.parts {
		if text := p.release().source(p.caption.Collection, l); !slices.Contains(sources, text) {
			sources = append(sources, text)
		}
	}
	return strings.Join(sources, ". ")
}

// release is what a picture shows of one dataset: its current version, or the one that the caller chose.
type release struct {
	*stat.Dataset
	updated time.Time // by the office, else when it was imported
	version string    // empty: not chosen
}

func (w *textInput) release() release { return release{w.dataset, w.updated, w.options.Version} }

func (p *part) release() release { return release{p.dataset, p.Updated, p.Version} }

// edition says which version of the datasets was chosen; empty if none was.
func (w *textInput) edition(l *words.Language) string {
	if w.joined == nil {
		return w.release().edition(l)
	}
	var all, named []string
	for _, p := range w.joined.parts {
		text := p.release().edition(l)
		if name := l.Office(p.dataset.Source.Name) + ", " + p.dataset.Code + ": " + text; text != "" && !slices.Contains(named, name) {
			named = append(named, name)
		}
		all = append(all, text)
	}
	if all = slices.Compact(all); len(all) == 1 {
		return all[0]
	}
	return strings.Join(named, " ")
}

// edition says which version of the dataset was chosen; empty if none was.
func (r release) edition(l *words.Language) string {
	switch day := l.Date(r.updated); {
	case r.version == "":
		return ""
	case r.Updated.IsZero():
		return l.Text("Values as imported on %s (version %s).", day, r.version)
	default:
		return l.Text("Values as published on %s (version %s).", day, r.version)
	}
}

// source returns the source line of the dataset.
func (r release) source(collection string, l *words.Language) string {
	d := r.Dataset
	source := d.Source.Name
	switch {
	case collection == "" || source == unknownSource || strings.Contains(d.Attribution, collection):
		source = l.Office(source)
	case caption.Contains(collection, source):
		source = collection
	default:
		source = l.Office(source) + ", " + collection
	}
	if source == unknownSource && isSource(d.Attribution) {
		source = d.Attribution
	}
	named, isNamed := sourceInText(d.Description)
	if source == unknownSource && isSource(named) {
		source = named
	}
	text := r.withoutSource(l)
	if isNamed { // in a text that is no name
		text = strings.TrimSuffix(text, ". "+l.Text("The file names no source")+".")
	}
	if source != unknownSource {
		text = r.withSource(source, l)
	}
	if !strings.Contains(text, d.Attribution) && !strings.ContainsRune(d.Attribution, utf8.RuneError) {
		text = strings.TrimSuffix(text, ".") + ". " + d.Attribution
	}
	terms, _ := licence.For(licence.Dataset{Source: d.Source.ID, Licence: d.Licence})
	if name := terms.MissingOnPicture(text); name != "" {
		text = strings.TrimSuffix(text, ".") + BeforeLicence + name
	}
	return text
}

// isSource reports whether an attribution is the name of a source, and no text on its terms.
func isSource(attribution string) bool {
	const maxName = 120
	return attribution != "" && len(attribution) <= maxName && !strings.ContainsAny(attribution, "\n©") && !strings.Contains(attribution, "://") && !strings.HasSuffix(attribution, ".") && !strings.ContainsRune(attribution, utf8.RuneError)
}

// sourceLine matches a line beside a table that names the source, and afterSource what may follow in it: another remark of its kind.
var (
	sourceLine  = lazyregexp.New(`(?im)^\s*(?:data |daten)?(?:sources?|quellen?|fuentes?|fontes?|fonti|källa|kilde|lähde|bron|źródło|forrás|zdroj)(?:\s+(?:of data|des données|de los datos|dei dati))?\s*:\s*(\S.*)$`)
	afterSource = lazyregexp.New(`[.;,]\s+\pL[\pL ]*:\s.*$`)
)

// sourceInText returns the source that a line of a description names. ok is false if there is none, or if several lines name one.
func sourceInText(description string) (name string, ok bool) {
	found := sourceLine.FindAllStringSubmatch(description, 2)
	if len(found) == 0 {
		return "", false
	}
	if len(found) > 1 {
		return "", true
	}
	return strings.TrimRight(strings.TrimSpace(afterSource.ReplaceAllString(found[0][1], "")), ".;,"), true
}

// withSource names a source and its dataset with the date of either.
func (r release) withSource(source string, l *words.Language) string {
	switch day := l.Date(r.updated); {
	case r.updated.IsZero():
		return l.Text("Source: %s, dataset %s", source, r.Code)
	case r.version != "" && r.Updated.IsZero():
		return l.Text("Source: %s, dataset %s, as imported on %s (version %s)", source, r.Code, day, r.version)
	case r.version != "":
		return l.Text("Source: %s, dataset %s, as published on %s (version %s)", source, r.Code, day, r.version)
	case r.Updated.IsZero(): // the office gives no time
		return l.Text("Source: %s, dataset %s, imported %s", source, r.Code, day)
	default:
		return l.Text("Source: %s, dataset %s, updated %s", source, r.Code, day)
	}
}

// withoutSource takes the place of the source of a file that names none.
func (r release) withoutSource(l *words.Language) string {
	text := l.Text("Dataset %s", r.Code)
	switch day := l.Date(r.updated); {
	case r.updated.IsZero():
	case r.version != "" && r.Updated.IsZero():
		text = l.Text("Dataset %s, as imported on %s (version %s)", r.Code, day, r.version)
	case r.version != "":
		text = l.Text("Dataset %s, as published on %s (version %s)", r.Code, day, r.version)
	case r.Updated.IsZero():
		text = l.Text("Dataset %s, imported %s", r.Code, day)
	default:
		text = l.Text("Dataset %s, updated %s", r.Code, day)
	}
	return text + ". " + l.Text("The file names no source") + "."
}
