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

// Limits for a folder of dictionaries, so that a wrong folder costs little time.
const (
	maxFiles = 100_000
	maxDepth = 10
)

// labelsFolder returns the dictionaries for an office's files: those of the folder
// that the caller states, else of the one remembered for the office, else none. If a
// remembered folder no longer exists, missing is its name. That is not an error,
// because the previous version and the store have the labels.
func (im *Importer) labelsFolder(ctx context.Context, office string) (folder dictionarySet, missing string, err error) {
	root := im.options.Labels
	if root == "" {
		if root, err = im.store.LabelsDir(ctx, office); err != nil || root == "" {
			return folder, "", stat.Wrap(err, "finding the dictionaries of %s", office)
		}
		if checkExists(root) != nil {
			return folder, root, nil
		}
	}
	folder, isRead := im.dictionaries.folders[root]
	if !isRead {
		if folder, err = im.readLabelsFolder(ctx, root); err != nil {
			return dictionarySet{}, "", err
		}
		im.dictionaries.folders[root] = folder
	}
	return folder, "", nil
}

func (im *Importer) rememberLabelsFolder(ctx context.Context, office string) error {
	root := im.options.Labels
	if len(ofOffice(office, im.dictionaries.folders[root].all)) == 0 {
		return nil
	}
	known, err := im.store.LabelsDir(ctx, office)
	if err == nil && known != root {
		err = im.store.SetLabelsDir(ctx, office, root)
	}
	return err
}

// readLabelsFolder reads all dictionaries below root, which may also be a file. It
// skips files with data and files that cannot be read.
func (im *Importer) readLabelsFolder(ctx context.Context, root string) (folder dictionarySet, err error) {
	files := 0
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, file)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && file == root:
			return err
		case err != nil:
			folder.fail(name, err)
			return nil
		case entry.IsDir() && file != root && (isOtherLanguage(entry.Name()) || strings.Count(filepath.ToSlash(name), "/") >= maxDepth):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains(codeListEndings, strings.ToLower(filepath.Ext(file))):
			return nil
		}
		if files++; files > maxFiles {
			folder.fail(name, fmt.Errorf("the folder has more than %d files; this file and later ones were not read", maxFiles))
			return fs.SkipAll
		}
		if file == root {
			name = filepath.Base(file)
		}
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // opening a pipe would block
			folder.fail(name, errors.New("not a regular file, so it was not opened"))
			return nil
		}
		return im.readLabelsFile(ctx, &folder, file, filepath.ToSlash(name))
	})
	if err != nil && ctx.Err() == nil {
		err = &stat.Error{Kind: stat.Refused, Message: "the dictionaries cannot be read", Err: err}
	}
	return folder, err
}

// codeListEndings are the endings of files that may be dictionaries.
var codeListEndings = []string{".dic", ".tsv", ".csv", ".xml", ".txt", ".json", ".gz", ".zip"}

// isOtherLanguage reports whether a folder holds Eurostat's German or French
// dictionaries, which are next to the English ones.
func isOtherLanguage(folder string) bool {
	return slices.Contains([]string{"de", "fr"}, strings.ToLower(folder))
}

// readLabelsFile adds the dictionaries of a file, or of the members of an archive, to
// folder. It returns an error only if ctx ends; all others are problems of the file.
func (im *Importer) readLabelsFile(ctx context.Context, folder *dictionarySet, file, name string) error {
	raw, err := im.openFile(ctx, file)
	if err != nil {
		folder.fail(name, err)
		return nil
	}
	defer raw.Close()
	if raw.size == 0 {
		return nil
	}
	contents, err := im.recognise(raw)
	if err != nil {
		folder.fail(name, err)
		return nil
	}
	for _, c := range contents {
		if !c.isCodeList() || slices.ContainsFunc(strings.Split(path.Dir(c.member), "/"), isOtherLanguage) {
			continue
		}
		d, err := im.readDictionary(ctx, c)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			folder.fail(strings.TrimSuffix(name+"/"+c.member, "/"), err)
		}
		if d != nil {
			folder.all = append(folder.all, d)
		}
	}
	return nil
}

func (s *dictionarySet) fail(file string, err error) {
	s.problems = append(s.problems, inFile(file, err))
}

// inFile adds the name of a file to an error, or replaces the name in it.
func inFile(file string, err error) error {
	if at, ok := errors.AsType[*stat.FileError](err); ok {
		named := *at
		named.File = file
		return &named
	}
	return fmt.Errorf("%s: %w", file, err)
}
