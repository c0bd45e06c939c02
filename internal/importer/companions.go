package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// Bounds of what is looked at in a folder of dictionaries, so that a wrong
// folder costs little.
const (
	maxFiles = 100_000
	maxDepth = 10
)

// companions are the dictionaries in a folder, or in a single file, by the
// office that they are of.
type companions struct {
	dictionaries map[string][]*stat.Dictionary
	problems     []string // what could not be read, by file
}

// readCompanions reads every file below root that a format can learn from;
// files with data are passed over, and so is what cannot be read.
func (im *Importer) readCompanions(ctx context.Context, root string) (*companions, error) {
	c := &companions{dictionaries: map[string][]*stat.Dictionary{}}
	files := 0
	err := filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		below, _ := filepath.Rel(root, at)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && at == root:
			return err
		case err != nil:
			c.fail(below, err)
			return nil
		case entry.IsDir() && at != root && (isOtherLanguage(entry.Name()) || strings.Count(filepath.ToSlash(below), "/") >= maxDepth):
			return fs.SkipDir
		case entry.IsDir() || !mayTell(entry.Name()):
			return nil
		}
		if files++; files > maxFiles {
			c.fail(below, fmt.Errorf("the folder has more than %d files; this and later ones were not looked at", maxFiles))
			return fs.SkipAll
		}
		if at == root {
			below = filepath.Base(at)
		}
		if !isRegular(at) {
			c.fail(below, errors.New("is no regular file, so it was not opened"))
			return nil
		}
		return im.readCompanion(ctx, c, at, filepath.ToSlash(below))
	})
	if err != nil && ctx.Err() == nil {
		err = &stat.Error{Kind: stat.Refused, Message: "the dictionaries cannot be read", Err: err}
	}
	return c, err
}

// mayTell passes over files whose ending says that they tell nothing.
func mayTell(name string) bool {
	return slices.Contains([]string{".dic", ".tsv", ".csv", ".xml", ".txt", ".json", ".gz", ".zip"}, strings.ToLower(filepath.Ext(name)))
}

// isRegular reports whether there is a regular file at a path, or behind the
// link there: to open a pipe would wait for somebody to write into it.
func isRegular(at string) bool {
	info, err := os.Stat(at)
	return err != nil || info.Mode().IsRegular() // what is wrong is told when it is opened
}

// isOtherLanguage knows Eurostat's folders of German and French dictionaries,
// which stand beside the English ones.
func isOtherLanguage(folder string) bool {
	return slices.Contains([]string{"de", "fr"}, strings.ToLower(folder))
}

// readCompanion reads a file, or the members of an archive. The error is that
// the reading was interrupted; everything else is a problem of the file.
func (im *Importer) readCompanion(ctx context.Context, c *companions, at, name string) error {
	f, err := openFile(at)
	if err != nil {
		c.fail(name, err)
		return nil
	}
	defer f.Close()
	if f.size == 0 {
		return nil
	}
	in, err := im.contents(f)
	if err != nil {
		c.fail(name, err)
		return nil
	}
	for _, content := range in {
		if content.format == nil || content.format.Learn == nil || slices.ContainsFunc(strings.Split(path.Dir(content.member), "/"), isOtherLanguage) {
			continue
		}
		d, err := im.readDictionary(ctx, *content.format, content)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.fail(strings.TrimSuffix(name+"/"+content.member, "/"), err)
		}
		if d != nil {
			c.dictionaries[d.Source] = append(c.dictionaries[d.Source], d)
		}
	}
	return nil
}

// readDictionary reads what a file says of codes. With an error there may be a
// dictionary too, of what could be read.
func (im *Importer) readDictionary(ctx context.Context, f format.Format, c content) (*stat.Dictionary, error) {
	data, err := c.open()
	if err != nil {
		return nil, err
	}
	defer data.Close()
	in := format.Input{Name: c.name, Data: data, Again: c.open, Source: im.options.Source, Encoding: im.options.Encoding}
	return f.Learn(ctx, in.Until(ctx))
}

func (c *companions) fail(file string, err error) {
	c.problems = append(c.problems, problem(file, err))
}

// problem writes what is wrong with a file of dictionaries, or with a member of
// an archive.
func problem(file string, err error) string {
	var at *stat.FileError
	if errors.As(err, &at) {
		named := *at
		named.File = file
		return named.Error()
	}
	return file + ": " + err.Error()
}

// companionsOf are the dictionaries at hand for an office's files: those that
// the caller named, else those that were remembered for the office. A folder
// that is remembered and gone is no failure, because the previous vintage and
// what was learnt have the labels; missing is then its name.
func (im *Importer) companionsOf(ctx context.Context, office string) (c *companions, missing string, err error) {
	root := im.options.Labels
	if root == "" {
		if root, err = im.store.LabelsDir(ctx, office); err != nil || root == "" {
			return nil, "", wrap("finding the dictionaries of "+office, err)
		}
		if exists(root) != nil {
			return nil, root, nil
		}
	}
	if c = im.knowledge.companions[root]; c != nil {
		return c, "", nil
	}
	if c, err = im.readCompanions(ctx, root); err != nil {
		return nil, "", err
	}
	if im.knowledge.companions == nil {
		im.knowledge.companions = map[string]*companions{}
	}
	im.knowledge.companions[root] = c
	return c, "", nil
}
