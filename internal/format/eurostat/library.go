package eurostat

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"almanac/internal/stat"
)

// library is a folder of dictionaries. Eurostat has published them in these
// forms, all of which it reads:
//
//	unit.dic, geo-2021.dic         code ⇥ label, until 2023; dimlst.dic names the
//	                               dimensions and table_dic.dic the datasets
//	ESTAT_UNIT_49.1_EN.tsv         code ⇥ label, since 2023
//	*.xml                          SDMX-ML structures: code lists, concepts, and
//	                               which dimension uses which list
//	table_of_contents_en.txt, .xml titles and times of update
//
// each also packed with gzip or in a zip file. Where several files speak of
// one code, the newest vintage is believed; older ones give what newer ones
// lack. A library is safe for concurrent use.
type library struct {
	files fs.FS // nil: none
	once  sync.Once
	err   error // the folder cannot be read at all

	sources  map[string][]source // by name of code list, upper case
	contents map[string]*entry   // by dataset code, lower case
	uses     map[string]string   // dimension → name of its code list; see ofDataset
	concepts map[string]concept  // dimension → its label; see ofDataset

	mu       sync.Mutex
	lists    map[string]*codelist // those asked for so far
	failures []string
}

// source is one file's version of a code list.
type source struct {
	file    string
	vintage vintage
	partial bool // it holds only codes that one dataset has, so its order says little
	read    func() (dictionary, error)
}

// vintage orders the versions of a list: first the generation (0: until 2023,
// 1: the numbered code lists since), then the year or the version.
type vintage [3]int

func (v vintage) compare(other vintage) int { return slices.Compare(v[:], other[:]) }

// concept is a dimension's label and when the file that says so was made.
type concept struct {
	label    string
	prepared string
}

// Names of the dictionaries that are not of a dimension's codes.
const (
	dimensionNames = "DIMLST"
	datasetTitles  = "TABLE_DIC"
)

// codelist is what all files together say of one dimension's codes.
type codelist struct {
	codes    []stat.Code
	index    map[string]int32
	eightBit []string // files that are no UTF-8
}

// positions are where codes stand in the list; not to be changed.
func (c *codelist) positions() map[string]int32 {
	if c == nil {
		return nil
	}
	return c.index
}

// label is the label of a code, empty if there is none.
func (c *codelist) label(id string) string {
	if c == nil {
		return ""
	}
	if at, ok := c.index[id]; ok {
		return c.codes[at].Label
	}
	return ""
}

func newLibrary(files fs.FS) *library {
	return &library{
		files:    files,
		sources:  map[string][]source{},
		contents: map[string]*entry{},
		uses:     map[string]string{},
		concepts: map[string]concept{},
		lists:    map[string]*codelist{},
	}
}

// load finds out what is in the folder, once. The error says that the folder
// cannot be read; a single bad file is among the problems instead.
func (l *library) load() error {
	l.once.Do(func() {
		if l.files == nil {
			return
		}
		if err := l.survey(); err != nil {
			l.err = &stat.Error{Kind: stat.Refused, Message: "the folder of labels cannot be read", Err: err}
		}
	})
	return l.err
}

// problems lists what could not be read so far, by file.
func (l *library) problems() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.failures)
}

func (l *library) fail(file string, err error) {
	l.failures = append(l.failures, fmt.Sprintf("%s: %v", file, err))
}

// ofDataset is the key, in uses and concepts, of what a dataset's own
// structure says of a dimension; the dimension's name alone is that of what
// any structure says.
func ofDataset(code, dimension string) string {
	return strings.ToLower(code) + "/" + strings.ToLower(dimension)
}

// title is a dataset's name, empty if it has none.
func (l *library) title(code string) string {
	if e := l.contents[strings.ToLower(code)]; e != nil && e.title != "" {
		return e.title
	}
	return l.named(datasetTitles).label(strings.ToUpper(code))
}

// dimension is a dimension's label, empty if it has none.
func (l *library) dimension(code, name string) string {
	if c, ok := l.concepts[ofDataset(code, name)]; ok {
		return c.label
	}
	if c, ok := l.concepts[strings.ToLower(name)]; ok {
		return c.label
	}
	return l.named(dimensionNames).label(strings.ToUpper(name))
}

// list is the code list of a dimension, nil if there is none: the one that
// the dataset's structure names, else the one of the same name, else the one
// that another dataset's structure names.
func (l *library) list(code, dimension string) *codelist {
	for _, name := range []string{
		l.uses[ofDataset(code, dimension)],
		strings.ToUpper(dimension),
		l.uses[strings.ToLower(dimension)],
	} {
		if list := l.named(name); list != nil {
			return list
		}
	}
	return nil
}

// named reads a code list by its name, once; nil if there is none.
func (l *library) named(name string) *codelist {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, ok := l.lists[name]
	if !ok && len(l.sources[name]) > 0 {
		list = l.merge(l.sources[name])
		l.lists[name] = list
	}
	return list
}

// merge makes one list of all versions: each code's label from the newest
// that has it, the order from those that are whole, newest first, and then
// from the partial ones.
func (l *library) merge(sources []source) *codelist {
	slices.SortStableFunc(sources, func(a, b source) int { return b.vintage.compare(a.vintage) })
	var whole, partial []dictionary
	labels := map[string]string{}
	list := &codelist{index: map[string]int32{}}
	for _, s := range sources {
		d, err := s.read()
		if err != nil {
			l.fail(s.file, err)
		}
		for _, c := range d.codes {
			if labels[c.ID] == "" {
				labels[c.ID] = c.Label
			}
		}
		if d.eightBit {
			list.eightBit = append(list.eightBit, s.file)
		}
		if s.partial {
			partial = append(partial, d)
		} else {
			whole = append(whole, d)
		}
	}
	for _, d := range append(whole, partial...) {
		for _, c := range d.codes {
			if _, ok := list.index[c.ID]; !ok {
				list.index[c.ID] = int32(len(list.codes))
				list.codes = append(list.codes, stat.Code{ID: c.ID, Label: labels[c.ID]})
			}
		}
	}
	return list
}
