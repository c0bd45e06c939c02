package importer

import (
	"context"
	"errors"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Teach learns what a file, or the members of an archive, say of an office's
// codes, and keeps it for the office as [Importer.Import] does, passing over what
// has data. The error says why the file teaches nothing.
func (im *Importer) Teach(ctx context.Context, path string) error {
	f, err := openWaiting(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := im.contents(f)
	if err != nil {
		return inFile(path, err)
	}
	defer im.forget()
	var taught lessons
	for _, c := range in {
		if c.format == nil || c.format.Learn == nil {
			continue
		}
		if err := im.learnMember(ctx, c, &taught); err != nil {
			return inFile(path, err)
		}
	}
	if taught.first != nil {
		return inFile(path, taught.first)
	}
	kept, err := im.keepLessons(ctx, taught.dictionaries)
	if err == nil && len(kept) == 0 {
		err = stat.Errorf(stat.Refused, "the file tells of no codes; right is a dictionary, a code list or a structure of an office")
	}
	if err != nil {
		return inFile(path, err)
	}
	im.accept()
	return nil
}

// keepLessons stores what dictionaries teach, and says what that is.
func (im *Importer) keepLessons(ctx context.Context, dictionaries []*stat.Dictionary) (kept []string, err error) {
	for _, d := range dictionaries {
		if d == nil || contentsOf(d) == "" {
			continue
		}
		if err := im.store.Learn(ctx, d.Source, store.Lesson{Dictionary: d}); err != nil {
			return nil, wrap("keeping what the file tells", err)
		}
		kept = append(kept, contentsOf(d)+" for files of "+officeName(d.Source))
	}
	return kept, nil
}

// inFile says in an error which file it is about.
func inFile(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &stat.Error{Kind: stat.KindOf(err), Message: refused(path, err).Error}
}
