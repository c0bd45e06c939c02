package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// dictionaryCache holds the dictionaries that an Importer has read.
type dictionaryCache struct {
	folders   map[string]dictionarySet    // by path, as in Options.Labels
	confirmed []*stat.Dictionary          // from the files imported so far
	current   []*stat.Dictionary          // from the current file, which may still be refused
	merged    map[string]*stat.Dictionary // by office: all of these over the store's
}

func (c *dictionaryCache) addCurrent(d *stat.Dictionary) {
	c.current = append(c.current, d)
	delete(c.merged, d.Source)
}

func (c *dictionaryCache) discardCurrent() {
	for _, d := range c.current {
		delete(c.merged, d.Source)
	}
	c.current = nil
}

// confirmCurrent keeps the dictionaries of the current file for the files after it.
func (c *dictionaryCache) confirmCurrent() {
	for _, d := range c.current {
		isSame := func(other *stat.Dictionary) bool { return reflect.DeepEqual(d, other) }
		if !slices.ContainsFunc(c.confirmed, isSame) { // else the same file was given twice
			c.confirmed = append(c.confirmed, d)
		}
	}
	c.discardCurrent()
}

// dictionarySet holds the dictionaries of a file, an archive or a folder.
type dictionarySet struct {
	all      []*stat.Dictionary
	problems []error // for each file or member that could not be read completely
}

func ofOffice(office string, dictionaries []*stat.Dictionary) []*stat.Dictionary {
	return slices.DeleteFunc(slices.Clone(dictionaries), func(d *stat.Dictionary) bool { return d.Source != office })
}

// dictionary returns what is known about an office's codes, nil if nothing is.
// Files of this import take precedence over the store.
func (im *Importer) dictionary(ctx context.Context, office string) (*stat.Dictionary, error) {
	cache := &im.dictionaries
	if office == "" {
		return nil, nil
	}
	if d := cache.merged[office]; d != nil {
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
	read := ofOffice(office, slices.Concat(cache.confirmed, cache.current, folder.all))
	if len(read) == 0 {
		return stored.Dictionary, nil // not copied, because it may be long
	}
	cache.merged[office] = stat.Newest(office, read...).Over(stored.Dictionary)
	return cache.merged[office], nil
}

// readDictionary reads a code list. With an error it may also return a dictionary
// with the part that could be read.
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

// readDictionaries reads the code lists of a file or archive, and uses them until
// the file is confirmed or discarded. A member that can be read only partly does not
// fail its archive.
func (im *Importer) readDictionaries(ctx context.Context, codeLists []content) (read dictionarySet, err error) {
	for _, c := range codeLists {
		d, err := im.readDictionary(ctx, c)
		if d != nil {
			read.all = append(read.all, d)
			im.dictionaries.addCurrent(d)
		}
		if err == nil {
			continue
		}
		if c.member == "" || d == nil {
			return read, formatError{c.format.Name, inMember(c.member, err)}
		}
		read.problems = append(read.problems, formatError{c.format.Name, inFile(c.member, err)})
	}
	return read, nil
}

// readWholeDictionaries is like readDictionaries, but a member that can be read only
// partly fails its archive.
func (im *Importer) readWholeDictionaries(ctx context.Context, codeLists []content) ([]*stat.Dictionary, error) {
	read, err := im.readDictionaries(ctx, codeLists)
	if err == nil && len(read.problems) > 0 {
		err = read.problems[0]
	}
	return read.all, err
}

// storeDictionaries stores the code lists of a file without data and uses them for
// the rest of the import. It returns what it stored: "2 code lists for files of
// Eurostat".
func (im *Importer) storeDictionaries(ctx context.Context, codeLists []content) (stored []string, err error) {
	all, err := im.readWholeDictionaries(ctx, codeLists)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		text := dictionaryText(d)
		if text == "" {
			continue
		}
		if err := im.store.UpdateDictionary(ctx, d.Source, store.DictionaryUpdate{Dictionary: d}); err != nil {
			return nil, stat.Wrap(err, "storing the codes of the file")
		}
		stored = append(stored, text+" for files of "+cmp.Or(office.Find(d.Source).Name, d.Source))
	}
	im.dictionaries.confirmCurrent()
	return stored, nil
}

// storeAndRefuse stores the code lists of a file without data. The error says that
// there is nothing to import, and what was stored.
func (im *Importer) storeAndRefuse(ctx context.Context, f *unpackedFile) error {
	stored, err := im.storeDictionaries(ctx, f.codeLists)
	if err != nil {
		return err
	}
	noData := f.errNoData()
	if len(stored) == 0 {
		return noData
	}
	noData.Message = "read and stored for later imports: " + strings.Join(stored, ", and ") + "; " + noData.Message
	return codesError{noData, stored}
}

// codesError is the error for a file without data whose codes were stored.
type codesError struct {
	*stat.FileError
	stored []string // "2 code lists for files of Eurostat"
}

func (e codesError) Unwrap() error { return e.FileError }

// ImportCodes stores the codes of a file or archive, as [Importer.Import] does,
// but skips data. If it returns an error, nothing was stored.
func (im *Importer) ImportCodes(ctx context.Context, path string) error {
	err := im.importCodes(ctx, path)
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &stat.Error{Kind: stat.KindOf(err), Message: refusal(path, err).Error}
}

func (im *Importer) importCodes(ctx context.Context, path string) error {
	raw, err := im.openFile(ctx, path)
	if err != nil {
		return err
	}
	defer raw.Close()
	defer im.dictionaries.discardCurrent()
	contents, err := im.recognise(raw)
	if err != nil {
		return err
	}
	stored, err := im.storeDictionaries(ctx, slices.DeleteFunc(contents, func(c content) bool { return !c.isCodeList() }))
	if err == nil && len(stored) == 0 {
		err = stat.Errorf(stat.Refused, "the file contains no codes; it must be a dictionary, a code list or a structure of an office")
	}
	return err
}

// sortCodeListsFirst moves files of code lists before the data files that need them.
func (im *Importer) sortCodeListsFirst(ctx context.Context, paths []string) []string {
	if len(paths) < 2 {
		return paths
	}
	var codeLists, others []string
	for _, path := range paths {
		if im.isCodeListFile(ctx, path) {
			codeLists = append(codeLists, path)
		} else {
			others = append(others, path)
		}
	}
	return append(codeLists, others...)
}

func (im *Importer) isCodeListFile(ctx context.Context, path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe can be read only once
	}
	raw, err := im.openFile(ctx, path)
	if err != nil {
		return false
	}
	defer raw.Close()
	contents, err := im.recognise(raw)
	return err == nil && len(contents) == 1 && contents[0].isCodeList()
}

// dictionaryText describes a dictionary: "11 code lists and 1 structure".
func dictionaryText(d *stat.Dictionary) string {
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
