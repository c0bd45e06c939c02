package terms

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// reader collects the concepts of all files, and what is wrong in them.
type reader struct {
	table *Table
	topic string   // of the concepts that follow
	at    *Concept // of the lines that follow
	owner map[string]owner
	errs  []error
}

// owner is the concept of a term, and whether the term is declared ambiguous there.
type owner struct {
	concept   string
	ambiguous bool
}

// parse reads the files of concepts in the order of their names, then the weak words and
// the places. The error names every wrong line.
func parse(files fs.FS, weak, places string) (*Table, error) {
	r := reader{
		table: &Table{byID: map[string]*Concept{}},
		owner: map[string]owner{},
	}
	for i := range r.table.phrases {
		r.table.phrases[i] = map[string][]*phrase{}
	}
	if err := r.table.vocabulary.read(weak); err != nil {
		r.errs = append(r.errs, err)
	}
	names, err := fs.Glob(files, "concepts/*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		r.readFile(path.Base(name), string(text))
	}
	r.checkBroader()
	if err := r.table.places.read(places); err != nil {
		r.errs = append(r.errs, err)
	}
	return r.table, errors.Join(r.errs...)
}

func (r *reader) readFile(name, text string) {
	r.topic, r.at = "", nil
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := r.readLine(line); err != nil {
			r.errs = append(r.errs, fmt.Errorf("%s, line %d: %w", name, number, err))
		}
	}
}

// readLine reads a line of one of three forms: "topic 1.2", an ID with the IDs of broader
// concepts after "<", or the terms of one language.
func (r *reader) readLine(line string) error {
	if code, ok := strings.CutPrefix(line, "topic "); ok {
		r.topic, r.at = strings.TrimSpace(code), nil
		return nil
	}
	if language, list, ok := strings.Cut(line, ":"); ok {
		return r.readTerms(strings.TrimSpace(language), list)
	}
	id, broader, _ := strings.Cut(line, "<")
	id = strings.TrimSpace(id)
	switch {
	case r.topic == "":
		return fmt.Errorf("concept %q stands before the first line %q", id, "topic …")
	case r.table.byID[id] != nil:
		return fmt.Errorf("concept %q was defined before", id)
	case id == "" || strings.ContainsAny(id, " ,|"):
		return fmt.Errorf("%q is not a name of a concept: use words with _ between", id)
	}
	r.at = &Concept{
		ID: id, Topic: r.topic, Broader: strings.Fields(strings.ReplaceAll(broader, ",", " ")),
		Terms: map[string][]string{}, Everyday: map[string][]string{},
	}
	r.table.concepts = append(r.table.concepts, r.at)
	r.table.byID[id] = r.at
	return nil
}

// readTerms reads terms separated by commas, after "|" everyday words, and after another "|" those for only a part of the concept. A term with
// "~" before it is declared ambiguous: other concepts have it too.
func (r *reader) readTerms(language, list string) error {
	switch {
	case !slices.Contains(Languages, language):
		return fmt.Errorf("unknown language %q; known are %s", language, strings.Join(Languages, ", "))
	case r.at == nil:
		return fmt.Errorf("terms without a concept before them")
	case len(r.at.Terms[language]) > 0:
		return fmt.Errorf("second line for %q of concept %s", language, r.at.ID)
	}
	field, rest, _ := strings.Cut(list, "|")
	everyday, parts, _ := strings.Cut(rest, "|")
	var err error
	r.at.Terms[language], err = r.addAll(field, language, ofField)
	if err != nil {
		return err
	}
	if len(r.at.Terms[language]) == 0 {
		return fmt.Errorf("concept %s has no term in %q", r.at.ID, language)
	}
	if r.at.Everyday[language], err = r.addAll(everyday, language, ofPeople); err != nil {
		return err
	}
	narrower, err := r.addAll(parts, language, ofPart)
	r.at.Everyday[language] = append(r.at.Everyday[language], narrower...)
	return err
}

func (r *reader) addAll(list, language string, of termKind) ([]string, error) {
	var terms []string
	for term := range strings.SplitSeq(list, ",") {
		term, ambiguous := strings.CutPrefix(strings.TrimSpace(term), "~")
		if term == "" {
			continue
		}
		if err := r.claim(term, language, ambiguous); err != nil {
			return nil, err
		}
		terms = append(terms, term)
		r.table.add(r.at, term, language, of)
		if spelt := umlauts.Replace(term); language == "de" && spelt != term {
			r.table.add(r.at, spelt, language, of)
		}
	}
	return terms, nil
}

// claim notes that a concept has a term. A term of two concepts must be declared
// ambiguous in both.
func (r *reader) claim(term, language string, ambiguous bool) error {
	words := Words(term)
	if len(words) == 0 {
		return fmt.Errorf("term %q has no letter", term)
	}
	key := strings.Join(words, " ")
	own := language + " " + r.at.ID + " " + key
	if _, ok := r.owner[own]; ok {
		return fmt.Errorf("term %q stands twice in concept %s", term, r.at.ID)
	}
	r.owner[own] = owner{}
	first, ok := r.owner[key]
	if !ok {
		r.owner[key] = owner{r.at.ID, ambiguous}
		return nil
	}
	if first.concept != r.at.ID && !(first.ambiguous && ambiguous) {
		return fmt.Errorf("term %q is also one of %s; write ~%s in both if both are meant", term, first.concept, term)
	}
	return nil
}

func (r *reader) checkBroader() {
	for _, c := range r.table.concepts {
		for _, id := range c.Broader {
			if r.table.byID[id] == nil || id == c.ID {
				r.errs = append(r.errs, fmt.Errorf("concept %s: broader concept %q is not in the table", c.ID, id))
			}
		}
		for _, l := range Languages {
			if len(c.Terms[l]) == 0 {
				r.errs = append(r.errs, fmt.Errorf("concept %s has no terms in %q", c.ID, l))
			}
		}
	}
}
