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
	"almanac/internal/store"
)

// dictionaries are what an Importer knows of the offices' codes beside what
// earlier imports gave the store.
type dictionaries struct {
	folders map[string]*labelsFolder      // by path, as --labels names it
	command map[string][]*stat.Dictionary // by office: of accepted files of this command
	file    []*stat.Dictionary            // of the file that is being read, which may yet be refused
	merged  map[string]*stat.Dictionary   // by office: all of them and the store's
}

// dictionary returns what is known of an office's codes, nil if nothing is. The
// files of this command take precedence over the store.
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
	all := slices.Clone(known.command[office])
	for _, d := range known.file {
		if d.Source == office {
			all = append(all, d)
		}
	}
	if folder != nil {
		all = append(all, folder.dictionaries[office]...)
	}
	if len(all) == 0 {
		return stored.Dictionary, nil // which may be long and is not copied
	}
	d := stat.Newest(office, all...).Over(stored.Dictionary)
	if known.merged == nil {
		known.merged = map[string]*stat.Dictionary{}
	}
	known.merged[office] = d
	return d, nil
}

// discardFile ends the reading of a file. What it says of codes, unless the file
// was accepted, counts for no other.
func (known *dictionaries) discardFile() {
	for _, d := range known.file {
		delete(known.merged, d.Source)
	}
	known.file = nil
}

// acceptFile makes known for the rest of the command what the file that was
// read says of codes.
func (known *dictionaries) acceptFile() {
	for _, d := range known.file {
		isSame := func(other *stat.Dictionary) bool { return reflect.DeepEqual(d, other) }
		if slices.ContainsFunc(known.command[d.Source], isSame) {
			continue // the same file is named twice
		}
		if known.command == nil {
			known.command = map[string][]*stat.Dictionary{}
		}
		known.command[d.Source] = append(known.command[d.Source], d)
	}
	known.discardFile()
}

// readDictionary reads what a file says of codes. With an error there may be a
// dictionary too, of what could be read.
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

// fileDictionaries are what a file, or the members of an archive, say of codes.
type fileDictionaries struct {
	all      []*stat.Dictionary
	problems []string // of members that could be read in part, by member
	err      error    // of the first of these
}

// readDictionaries makes known what a file says of codes, until the file is
// accepted or discarded. A member that could be read in part is a problem of its
// archive, as it is one of a folder.
func (im *Importer) readDictionaries(ctx context.Context, in *input) (read fileDictionaries, err error) {
	for _, c := range in.codes {
		d, err := im.readDictionary(ctx, c)
		if d != nil {
			read.all = append(read.all, d)
			im.dictionaries.file = append(im.dictionaries.file, d)
			delete(im.dictionaries.merged, d.Source)
		}
		if err == nil {
			continue
		}
		err = inFormat{c.format.Name, inMember(c.member, err)}
		if c.member == "" || d == nil {
			return read, err
		}
		read.problems = append(read.problems, problemText(c.member, err))
		read.err = cmp.Or(read.err, err)
	}
	return read, nil
}

// importCodes keeps what a file without data says of codes, for the office and
// for the rest of the command, and returns what it kept: "2 code lists for files
// of Eurostat".
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
			return nil, wrap("keeping what the file tells", err)
		}
		kept = append(kept, text+" for files of "+cmp.Or(office.Find(d.Source).Name, d.Source))
	}
	im.dictionaries.acceptFile()
	return kept, nil
}

// ImportCodes keeps what a file, or the members of an archive, say of an
// office's codes, as [Importer.Import] does, passing over what has data. The
// error says why nothing is kept.
func (im *Importer) ImportCodes(ctx context.Context, path string) error {
	f, err := openWaiting(ctx, path)
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
			err = stat.Errorf(stat.Refused, "the file tells of no codes; right is a dictionary, a code list or a structure of an office")
		}
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &stat.Error{Kind: stat.KindOf(err), Message: refused(path, err).Error}
}

// contentsText says what a dictionary holds: "11 code lists and 1 structure".
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
	add(len(d.Structures)-structures, "name of a dataset", "names of datasets")
	add(len(d.Concepts), "name of a dimension", "names of dimensions")
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}
