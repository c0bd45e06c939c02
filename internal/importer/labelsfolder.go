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

	"almanac/internal/stat"
)

// Bounds of what is looked at in a folder of dictionaries, so that a wrong
// folder costs little.
const (
	maxFiles = 100_000
	maxDepth = 10
)

// labelsFolder holds the dictionaries in a folder, or in a single file, by the
// office that they are of.
type labelsFolder struct {
	dictionaries map[string][]*stat.Dictionary
	problems     []string // what could not be read, by file
}

// readLabelsFolder reads every file below root that a format can learn from;
// files with data are passed over, and so is what cannot be read.
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
		case entry.IsDir() || !mayHaveCodes(entry.Name()):
			return nil
		}
		if files++; files > maxFiles {
			folder.fail(below, fmt.Errorf("the folder has more than %d files; this and later ones were not looked at", maxFiles))
			return fs.SkipAll
		}
		if at == root {
			below = filepath.Base(at)
		}
		if !isRegular(at) {
			folder.fail(below, errors.New("is no regular file, so it was not opened"))
			return nil
		}
		return im.readLabelsFile(ctx, folder, at, filepath.ToSlash(below))
	})
	if err != nil && ctx.Err() == nil {
		err = &stat.Error{Kind: stat.Refused, Message: "the dictionaries cannot be read", Err: err}
	}
	return folder, err
}

// mayHaveCodes passes over files whose ending says that they tell nothing.
func mayHaveCodes(name string) bool {
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

// readLabelsFile reads a file, or the members of an archive. The error is that
// the reading was interrupted; everything else is a problem of the file.
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

// problemText writes what is wrong with a file of dictionaries, or with a member of
// an archive.
func problemText(file string, err error) string {
	var at *stat.FileError
	if errors.As(err, &at) {
		named := *at
		named.File = file
		return named.Error()
	}
	return file + ": " + err.Error()
}

// labelsFolder is the folder of dictionaries for an office's files: the one that
// the caller named, else the one that was remembered for the office; nil if there
// is none. One that is remembered and gone is no failure, because the previous
// vintage and the store have the labels; missing is then its name.
func (im *Importer) labelsFolder(ctx context.Context, office string) (folder *labelsFolder, missing string, err error) {
	root := im.options.Labels
	if root == "" {
		if root, err = im.store.LabelsDir(ctx, office); err != nil || root == "" {
			return nil, "", wrap("finding the dictionaries of "+office, err)
		}
		if exists(root) != nil {
			return nil, root, nil
		}
	}
	if folder = im.dictionaries.folders[root]; folder != nil {
		return folder, "", nil
	}
	if folder, err = im.readLabelsFolder(ctx, root); err != nil {
		return nil, "", err
	}
	if im.dictionaries.folders == nil {
		im.dictionaries.folders = map[string]*labelsFolder{}
	}
	im.dictionaries.folders[root] = folder
	return folder, "", nil
}
