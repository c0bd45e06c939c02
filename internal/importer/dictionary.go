package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// knowledge is what an Importer knows of the offices' codes: from the folder of
// dictionaries, from structures beside the data, and from what earlier imports
// taught the store.
type knowledge struct {
	companions map[string]*companions        // by folder or file
	taught     map[string][]*stat.Dictionary // by office: from accepted files of the same command
	beside     []*stat.Dictionary            // of the file that is being read, which may be refused yet
	merged     map[string]*stat.Dictionary   // by office; nil where nothing is known
}

// dictionary is what is known of an office's codes, nil if nothing is. What a
// companion says counts before what was learnt. An error is met again, and
// told, when the dataset is filled in.
func (im *Importer) dictionary(ctx context.Context, office string) *stat.Dictionary {
	d, _ := im.known(ctx, office)
	return d
}

func (im *Importer) known(ctx context.Context, office string) (*stat.Dictionary, error) {
	if office == "" {
		return nil, nil
	}
	if d, ok := im.knowledge.merged[office]; ok {
		return d, nil
	}
	c, _, err := im.companionsOf(ctx, office)
	if err != nil {
		return nil, err
	}
	learnt, err := im.store.Learnt(ctx, office)
	if err != nil {
		return nil, err
	}
	said := slices.Clone(im.knowledge.taught[office])
	for _, d := range im.knowledge.beside {
		if d.Source == office {
			said = append(said, d)
		}
	}
	if c != nil {
		said = append(said, c.dictionaries[office]...)
	}
	if len(said) == 0 {
		return learnt.Dictionary, nil // the store's own, which may be long and is not copied
	}
	// A dictionary of its own, since it grows with what is learnt.
	d := stat.Newest(office, said...).Over(learnt.Dictionary)
	if im.knowledge.merged == nil {
		im.knowledge.merged = map[string]*stat.Dictionary{}
	}
	im.knowledge.merged[office] = d
	return d, nil
}

// teach makes a dictionary known for the rest of this command.
func (im *Importer) teach(d *stat.Dictionary) {
	for _, known := range im.knowledge.taught[d.Source] {
		if reflect.DeepEqual(known, d) {
			return // the same file is named twice
		}
	}
	if im.knowledge.taught == nil {
		im.knowledge.taught = map[string][]*stat.Dictionary{}
	}
	im.knowledge.taught[d.Source] = append(im.knowledge.taught[d.Source], d)
	delete(im.knowledge.merged, d.Source)
}

// accept makes known for the rest of this command what the file that was read
// says of codes.
func (im *Importer) accept() {
	beside := im.knowledge.beside
	im.forget()
	for _, d := range beside {
		im.teach(d)
	}
}

// forget ends the reading of a file. What it says of codes, unless the file was
// accepted, counts for no other: what is refused teaches nothing.
func (im *Importer) forget() {
	for _, d := range im.knowledge.beside {
		delete(im.knowledge.merged, d.Source)
	}
	im.knowledge.beside = nil
}

// learn reads what a file or a member of an archive says of codes, and makes it
// known until [Importer.forget]. The dictionary is nil where nothing could be
// read; with an error it holds what could be read all the same.
func (im *Importer) learn(ctx context.Context, f format.Format, c content) (*stat.Dictionary, error) {
	d, err := im.readDictionary(ctx, f, c)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if d == nil {
		return nil, err
	}
	im.knowledge.beside = append(im.knowledge.beside, d)
	delete(im.knowledge.merged, d.Source)
	return d, err
}

// lessons are what a file, or the members of an archive, say of codes.
type lessons struct {
	dictionaries []*stat.Dictionary
	problems     []string // of members that could be read in part, by member
	first        error    // of these problems
}

// learnMember adds what a file or a member says of codes. A member that could
// be read in part is a problem of its archive, as it is one of a folder; the
// error is that there is nothing to learn from.
func (im *Importer) learnMember(ctx context.Context, c content, all *lessons) error {
	d, err := im.learn(ctx, *c.format, c)
	if d != nil {
		all.dictionaries = append(all.dictionaries, d)
	}
	if err == nil {
		return nil
	}
	err = inFormat{c.format.Name, inMember(c.member, err)}
	if c.member == "" || d == nil {
		return err
	}
	all.problems = append(all.problems, problem(c.member, err))
	all.first = cmp.Or(all.first, err)
	return nil
}

// refuseWithoutData refuses what holds no data. What it says of codes counts
// for the rest of the command, unless some of it could not be read.
func (im *Importer) refuseWithoutData(why error, all *lessons) error {
	if all.first != nil {
		return all.first
	}
	im.accept()
	return &onlyTaught{why, all.dictionaries}
}

// onlyTaught is the refusal of a file, or an archive, that holds no data but
// tells of codes.
type onlyTaught struct {
	error
	dictionaries []*stat.Dictionary
}

func (e *onlyTaught) Unwrap() error { return e.error }

// keep stores what a file without data taught, and says so in the error with
// which it is refused.
func (im *Importer) keep(ctx context.Context, refusal *onlyTaught) error {
	kept, err := im.keepLessons(ctx, refusal.dictionaries)
	if err != nil {
		return err
	}
	var at *stat.FileError
	if errors.As(refusal.error, &at) && len(kept) > 0 {
		at.Message += "; kept are its " + strings.Join(kept, ", and its ")
	}
	return refusal.error
}

// contentsOf says what a dictionary holds: "11 code lists and 1 structure".
func contentsOf(d *stat.Dictionary) string {
	var parts []string
	structures, datasets := 0, 0
	for _, s := range d.Structures {
		if len(s.Dimensions) > 0 {
			structures++
		} else {
			datasets++
		}
	}
	for _, p := range []struct {
		n    int
		what string
	}{{len(d.Lists), "code list"}, {structures, "structure"}, {datasets, "name of a dataset"}, {len(d.Concepts), "name of a dimension"}} {
		switch what, of, _ := strings.Cut(p.what, " of "); {
		case p.n == 0:
		case p.n == 1:
			parts = append(parts, "1 "+p.what)
		case of != "":
			parts = append(parts, fmt.Sprintf("%d %ss of %ss", p.n, what, strings.TrimPrefix(of, "a ")))
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.what))
		}
	}
	if len(parts) > 1 {
		last := len(parts) - 1
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}

func officeName(id string) string { return cmp.Or(office.Find(id).Name, id) }

// remember keeps, after a dataset was published, where its office's
// dictionaries are and what they and the file said of its codes.
func (im *Importer) remember(ctx context.Context, t *table) error {
	if t.office == "" {
		return nil
	}
	if root := im.options.Labels; root != "" {
		if c := im.knowledge.companions[root]; c != nil && len(c.dictionaries[t.office]) > 0 {
			if err := im.rememberLabels(ctx, t.office, root); err != nil {
				return err
			}
		}
	}
	if t.lesson == nil {
		return nil
	}
	if err := im.store.Learn(ctx, t.office, *t.lesson); err != nil {
		return wrap("keeping what is known of the codes of "+t.office, err)
	}
	if d := im.knowledge.merged[t.office]; d != nil && t.lesson.Dictionary != nil {
		im.knowledge.merged[t.office] = d.With(t.lesson.Dictionary)
	}
	return nil
}

func (im *Importer) rememberLabels(ctx context.Context, office, root string) error {
	known, err := im.store.LabelsDir(ctx, office)
	if err == nil && known != root {
		err = im.store.SetLabelsDir(ctx, office, root)
	}
	return wrap("remembering the dictionaries of "+office, err)
}
