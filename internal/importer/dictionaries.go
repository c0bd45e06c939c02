package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// dictionaries holds what an Importer knows about the offices' codes in addition
// to the store.
type dictionaries struct {
	folders map[string]*labelsFolder    // by path, as in Options.Labels
	files   []*stat.Dictionary          // from the files of this command
	kept    int                         // of files; the others are of the current file, which may still be refused
	merged  map[string]*stat.Dictionary // by office: all of these over the store's
}

// dictionary returns what is known about an office's codes, nil if nothing is.
// Files of this import take precedence over the store.
func (im *Importer) dictionary(ctx context.Context, office string) (*stat.Dictionary, error) {
	known := &im.dictionaries
	if office == "" {
		return nil, nil
	}
	if d := known.merged[office]; d != nil {
		return d, nil
	}
	folder, _, err := im.labelsFolder(ctx, office)
	if err != nil {
		return nil, err
	}
	stored, err := im.store.Dictionary(ctx, office)
	if err != nil {
		return nil, err
	}
	var all []*stat.Dictionary
	for _, d := range known.files {
		if d.Source == office {
			all = append(all, d)
		}
	}
	if folder != nil {
		all = append(all, folder.dictionaries[office]...)
	}
	if len(all) == 0 {
		return stored.Dictionary, nil // not copied, because it may be long
	}
	d := stat.Newest(office, all...).Over(stored.Dictionary)
	known.merged[office] = d
	return d, nil
}

// discardFile forgets the codes of the current file.
func (known *dictionaries) discardFile() {
	for _, d := range known.files[known.kept:] {
		delete(known.merged, d.Source)
	}
	known.files = known.files[:known.kept]
}

// acceptFile keeps the codes of the current file for the files after it.
func (known *dictionaries) acceptFile() {
	read := slices.Clone(known.files[known.kept:])
	known.discardFile()
	for _, d := range read {
		isSame := func(other *stat.Dictionary) bool { return reflect.DeepEqual(d, other) }
		if !slices.ContainsFunc(known.files, isSame) { // else the same file was given twice
			known.files = append(known.files, d)
		}
	}
	known.kept = len(known.files)
}

// readDictionary reads the codes of a file. With an error it may also return a
// dictionary with the part that could be read.
func (im *Importer) readDictionary(ctx context.Context, c content) (*stat.Dictionary, error) {
	data, err := c.open()
	if err != nil {
		return nil, err
	}
	defer data.Close()
	in := format.Input{Name: c.name, Data: data, Again: c.open, Source: im.options.Source, Encoding: im.options.Encoding}
	d, err := c.format.Learn(ctx, in.Until(ctx))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return d, err
}

// fileDictionaries holds the dictionaries of a file or archive.
type fileDictionaries struct {
	all      []*stat.Dictionary
	problems []string // of members that could be read only partly
	err      error    // the first of these problems
}

// readDictionaries reads the codes of a file or archive, and uses them until the
// file is accepted or discarded. A member that can be read only partly does not
// fail its archive.
func (im *Importer) readDictionaries(ctx context.Context, in *input) (read fileDictionaries, err error) {
	for _, c := range in.codes {
		d, err := im.readDictionary(ctx, c)
		if d != nil {
			read.all = append(read.all, d)
			im.dictionaries.files = append(im.dictionaries.files, d)
			delete(im.dictionaries.merged, d.Source)
		}
		if err == nil {
			continue
		}
		err = formatError{c.format.Name, inMember(c.member, err)}
		if c.member == "" || d == nil {
			return read, err
		}
		read.problems = append(read.problems, problemText(c.member, err))
		read.err = cmp.Or(read.err, err)
	}
	return read, nil
}

// importCodes stores the codes of a file without data and uses them for the rest
// of the import. It returns what it stored: "2 code lists for files of Eurostat".
func (im *Importer) importCodes(ctx context.Context, in *input) (kept []string, err error) {
	read, err := im.readDictionaries(ctx, in)
	if err = cmp.Or(err, read.err); err != nil {
		return nil, err
	}
	for _, d := range read.all {
		text := contentsText(d)
		if text == "" {
			continue
		}
		if err := im.store.UpdateDictionary(ctx, d.Source, store.DictionaryUpdate{Dictionary: d}); err != nil {
			return nil, stat.Wrap(err, "storing the codes of the file")
		}
		kept = append(kept, text+" for files of "+cmp.Or(office.Find(d.Source).Name, d.Source))
	}
	im.dictionaries.acceptFile()
	return kept, nil
}

// ImportCodes stores the codes of a file or archive, as [Importer.Import] does,
// but skips data. If it returns an error, nothing was stored.
func (im *Importer) ImportCodes(ctx context.Context, path string) error {
	f, err := openFileContext(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer im.dictionaries.discardFile()
	contents, err := im.unpack(f)
	if err == nil {
		in := &input{file: path, codes: slices.DeleteFunc(contents, func(c content) bool { return !c.hasCodes() })}
		var kept []string
		if kept, err = im.importCodes(ctx, in); err == nil && len(kept) == 0 {
			err = stat.Errorf(stat.Refused, "the file contains no codes; it must be a dictionary, a code list or a structure of an office")
		}
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &stat.Error{Kind: stat.KindOf(err), Message: refusal(path, err).Error}
}

// contentsText describes a dictionary: "11 code lists and 1 structure".
func contentsText(d *stat.Dictionary) string {
	structures := 0
	for _, s := range d.Structures {
		if len(s.Dimensions) > 0 {
			structures++
		}
	}
	var parts []string
	add := func(n int, one, several string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, several))
		}
	}
	add(len(d.Lists), "code list", "code lists")
	add(structures, "structure", "structures")
	add(len(d.Structures)-structures, "dataset name", "dataset names")
	add(len(d.Concepts), "dimension name", "dimension names")
	return stat.JoinWords(parts)
}

// Limits for a folder of dictionaries, so that a wrong folder costs little time.
const (
	maxFiles = 100_000
	maxDepth = 10
)

// labelsFolder holds the dictionaries of a folder, or of a single file, by office.
type labelsFolder struct {
	dictionaries map[string][]*stat.Dictionary
	problems     []string // files that could not be read, with the reason
}

// readLabelsFolder reads all dictionaries below root. It skips files with data
// and files that cannot be read.
func (im *Importer) readLabelsFolder(ctx context.Context, root string) (*labelsFolder, error) {
	folder := &labelsFolder{dictionaries: map[string][]*stat.Dictionary{}}
	files := 0
	err := filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		below, _ := filepath.Rel(root, at)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && at == root:
			return err
		case err != nil:
			folder.fail(below, err)
			return nil
		case entry.IsDir() && at != root && (isOtherLanguage(entry.Name()) || strings.Count(filepath.ToSlash(below), "/") >= maxDepth):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains(codesEndings, strings.ToLower(filepath.Ext(at))):
			return nil
		}
		if files++; files > maxFiles {
			folder.fail(below, fmt.Errorf("the folder has more than %d files; this file and later ones were not read", maxFiles))
			return fs.SkipAll
		}
		if at == root {
			below = filepath.Base(at)
		}
		if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() { // opening a pipe would block
			folder.fail(below, errors.New("not a regular file, so it was not opened"))
			return nil
		}
		return im.readLabelsFile(ctx, folder, at, filepath.ToSlash(below))
	})
	if err != nil && ctx.Err() == nil {
		err = &stat.Error{Kind: stat.Refused, Message: "the dictionaries cannot be read", Err: err}
	}
	return folder, err
}

// codesEndings are the endings of files that may be dictionaries.
var codesEndings = []string{".dic", ".tsv", ".csv", ".xml", ".txt", ".json", ".gz", ".zip"}

// isOtherLanguage reports whether a folder holds Eurostat's German or French
// dictionaries, which are next to the English ones.
func isOtherLanguage(folder string) bool {
	return slices.Contains([]string{"de", "fr"}, strings.ToLower(folder))
}

// readLabelsFile reads a file or the members of an archive. It returns an error
// only if ctx ends; all others are recorded as problems of the file.
func (im *Importer) readLabelsFile(ctx context.Context, folder *labelsFolder, at, name string) error {
	f, err := openFile(at)
	if err != nil {
		folder.fail(name, err)
		return nil
	}
	defer f.Close()
	if f.size == 0 {
		return nil
	}
	in, err := im.unpack(f)
	if err != nil {
		folder.fail(name, err)
		return nil
	}
	for _, content := range in {
		if !content.hasCodes() || slices.ContainsFunc(strings.Split(path.Dir(content.member), "/"), isOtherLanguage) {
			continue
		}
		d, err := im.readDictionary(ctx, content)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			folder.fail(strings.TrimSuffix(name+"/"+content.member, "/"), err)
		}
		if d != nil {
			folder.dictionaries[d.Source] = append(folder.dictionaries[d.Source], d)
		}
	}
	return nil
}

func (folder *labelsFolder) fail(file string, err error) {
	folder.problems = append(folder.problems, problemText(file, err))
}

// problemText returns the message for a dictionary, or a member of an archive,
// that could not be read.
func problemText(file string, err error) string {
	var at *stat.FileError
	if errors.As(err, &at) {
		named := *at
		named.File = file
		return named.Error()
	}
	return file + ": " + err.Error()
}

// labelsFolder returns the dictionaries for an office's files: the folder that the
// caller named, else the one remembered for the office, else nil. If a remembered
// folder no longer exists, missing is its name. That is not an error, because the
// previous version and the store have the labels.
func (im *Importer) labelsFolder(ctx context.Context, office string) (folder *labelsFolder, missing string, err error) {
	root := im.options.Labels
	if root == "" {
		if root, err = im.store.LabelsDir(ctx, office); err != nil || root == "" {
			return nil, "", stat.Wrap(err, "finding the dictionaries of %s", office)
		}
		if checkExists(root) != nil {
			return nil, root, nil
		}
	}
	if folder = im.dictionaries.folders[root]; folder != nil {
		return folder, "", nil
	}
	if folder, err = im.readLabelsFolder(ctx, root); err != nil {
		return nil, "", err
	}
	im.dictionaries.folders[root] = folder
	return folder, "", nil
}
