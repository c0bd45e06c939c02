package importer

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// noDataEndings are the endings of files that surely hold no data to import.
var noDataEndings = []string{
	".md", ".rst", ".pdf", ".doc", ".docx", ".odt", ".ppt", ".pptx", ".html", ".htm", ".css",
	".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".tif", ".mp4",
	".py", ".ipynb", ".r", ".rmd", ".qmd", ".do", ".sas", ".go", ".js", ".ts", ".sh", ".bat", ".sql", ".yml", ".yaml", ".toml", ".ini", ".cfg",
	".db", ".sqlite", ".log", ".tmp", ".part", ".crdownload", ".bak", ".lock", ".exe", ".dll", ".so",
}

// noDataName matches the names of files that describe others.
var noDataName = regexp.MustCompile(`^(?i)(read[ _-]?me|licen[cs]e|copying|changelog|citation|makefile|dockerfile|manifest|thumbs\.db|desktop\.ini)\b`)

// ListFolder lists the files below a folder in the order of their names: those that may
// hold data, and those that are passed over, with the reason. Hidden files and folders
// are not listed.
func ListFolder(ctx context.Context, root string) (files, passed []string, err error) {
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		isHidden := file != root && strings.HasPrefix(entry.Name(), ".")
		name, _ := filepath.Rel(root, file)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && file == root:
			return err
		case err != nil:
			passed = append(passed, fmt.Sprintf("%s: %v", file, err))
			return nil
		case entry.IsDir() && (isHidden || entry.Name() == "__MACOSX" || strings.Count(filepath.ToSlash(name), "/") >= maxDepth):
			return fs.SkipDir
		case entry.IsDir() || isHidden:
			return nil
		}
		if reason := noData(file, entry.Name()); reason != "" {
			passed = append(passed, file+": "+reason)
			return nil
		}
		if len(files) == maxFiles {
			return fmt.Errorf("the folder %s has more than %d files", root, maxFiles)
		}
		files = append(files, file)
		return nil
	})
	return files, passed, err
}

// noData says why a file is no data; it is empty for one that may be.
func noData(file, name string) string {
	switch info, err := os.Stat(file); {
	case err != nil:
		return "it cannot be opened"
	case !info.Mode().IsRegular():
		return "it is not a regular file"
	case info.Size() == 0:
		return "it is empty"
	case slices.Contains(noDataEndings, strings.ToLower(filepath.Ext(name))), noDataName.MatchString(name), strings.HasPrefix(name, "~$"):
		return "by its name it holds no data"
	}
	return ""
}
