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
		case entry.IsDir() || !mayHaveCodes(entry.Name()):
			return nil
		}
		if files++; files > maxFiles {
			folder.fail(below, fmt.Errorf("the folder has more than %d files; this file and later ones were not read", maxFiles))
			return fs.SkipAll
		}
		if at == root {
			below = filepath.Base(at)
		}
		if !isRegular(at) {
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

// mayHaveCodes reports whether a file's ending is one that dictionaries have.
func mayHaveCodes(name string) bool {
	return slices.Contains([]string{".dic", ".tsv", ".csv", ".xml", ".txt", ".json", ".gz", ".zip"}, strings.ToLower(filepath.Ext(name)))
}

// isRegular reports whether path is a regular file or a link to one. Opening a
// pipe would block.
func isRegular(at string) bool {
	info, err := os.Stat(at)
	return err != nil || info.Mode().IsRegular() // opening the file returns the error
}

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
			return nil, "", wrap("finding the dictionaries of "+office, err)
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
	if im.dictionaries.folders == nil {
		im.dictionaries.folders = map[string]*labelsFolder{}
	}
	im.dictionaries.folders[root] = folder
	return folder, "", nil
}
