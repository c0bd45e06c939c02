package eurostat

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// Bounds of what is looked at in a folder of labels, so that a wrong folder
// costs little.
const (
	maxFiles      = 100_000
	maxDepth      = 10
	maxDictionary = 256 << 20 // bytes of one file, unpacked
)

// document is one file in the folder, or in a zip file there, unpacked.
type document struct {
	path string // as messages name it
	name string // without folder and .gz
	open func() (io.ReadCloser, error)
}

// survey goes through the folder: it reads tables of contents and structures,
// and remembers where the code lists are, which are read on demand.
func (l *library) survey() error {
	var lists []contents
	files := 0
	err := fs.WalkDir(l.files, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			if at == "." {
				return err
			}
			l.fail(at, err)
			return nil
		}
		if entry.IsDir() {
			if isOtherLanguage(entry.Name()) || strings.Count(at, "/") >= maxDepth {
				return fs.SkipDir
			}
			return nil
		}
		if files++; files > maxFiles {
			l.fail(at, fmt.Errorf("the folder has more than %d files; this and later ones were not looked at", maxFiles))
			return fs.SkipAll
		}
		for _, d := range l.documents(at) {
			if err := l.register(d, &lists); err != nil {
				l.fail(d.path, err)
			}
		}
		return nil
	})
	l.addContents(lists)
	return err
}

// isOtherLanguage knows Eurostat's folders of German and French dictionaries,
// which stand beside the English ones.
func isOtherLanguage(folder string) bool {
	return slices.Contains([]string{"de", "fr"}, strings.ToLower(folder))
}

// documents are what a file may hold that is of use: itself, or a zip's
// entries.
func (l *library) documents(at string) []document {
	name := path.Base(at)
	switch strings.ToLower(path.Ext(name)) {
	case ".dic", ".tsv", ".xml", ".txt":
		return []document{{at, name, func() (io.ReadCloser, error) { return l.files.Open(at) }}}
	case ".gz":
		name = name[:len(name)-len(".gz")]
		return []document{{at, name, func() (io.ReadCloser, error) { return l.openGzip(at) }}}
	case ".zip":
		return l.zipped(at)
	}
	return nil
}

// register takes in what a document says, or where it is. Files that are of
// no use are passed over.
func (l *library) register(d document, lists *[]contents) error {
	if list, v, ok := dictionaryName(d.name); ok {
		l.sources[list] = append(l.sources[list], source{file: d.path, vintage: v, read: func() (dictionary, error) {
			return readDocument(d, readDictionary)
		}})
		return nil
	}
	stem := strings.TrimSuffix(d.name, path.Ext(d.name))
	if strings.EqualFold(path.Ext(d.name), ".tsv") || strings.HasSuffix(stem, "_de") || strings.HasSuffix(stem, "_fr") {
		return nil // data, or a table of contents in another language
	}
	kind, err := readDocument(d, kindOf)
	if err != nil {
		return err
	}
	switch kind {
	case structureFile:
		s, err := readDocument(d, readStructure)
		if err != nil {
			return err
		}
		l.addStructure(d.path, s)
	case contentsText, contentsXML:
		read := readContentsText
		if kind == contentsXML {
			read = readContentsXML
		}
		c, err := readDocument(d, read)
		if err != nil {
			return err
		}
		*lists = append(*lists, c)
	}
	return nil
}

// fileKind is what a text or XML file is, by its first bytes.
type fileKind int

const (
	otherFile fileKind = iota
	structureFile
	contentsText
	contentsXML
)

// kindOf looks at the beginning of a file.
func kindOf(in io.Reader) (fileKind, error) {
	head, err := io.ReadAll(io.LimitReader(in, 64<<10))
	if err != nil {
		return otherFile, err
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	if bytes.HasPrefix(head, []byte(`"title"`)) {
		return contentsText, nil
	}
	if !bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
		return otherFile, nil
	}
	decoder := newDecoder(bytes.NewReader(head))
	for {
		token, err := decoder.Token()
		if err != nil {
			return otherFile, nil
		}
		if root, ok := token.(xml.StartElement); ok {
			switch root.Name.Local {
			case "Structure":
				return structureFile, nil
			case "tree":
				return contentsXML, nil
			}
			return otherFile, nil
		}
	}
}

// readDocument opens a document and reads it, up to the limit.
func readDocument[T any](d document, read func(io.Reader) (T, error)) (T, error) {
	var none T
	file, err := d.open()
	if err != nil {
		return none, err
	}
	defer file.Close()
	limited := &io.LimitedReader{R: file, N: maxDictionary + 1}
	result, err := read(limited)
	if limited.N == 0 {
		return none, fmt.Errorf("larger than %d MiB, so not read", maxDictionary>>20)
	}
	return result, err
}

// member is what a packed file holds; closing it closes the file.
type member struct {
	io.Reader
	io.Closer
}

// openGzip opens a file packed with gzip.
func (l *library) openGzip(at string) (io.ReadCloser, error) {
	file, err := l.files.Open(at)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return member{unpacked, file}, nil
}

// zipped are the documents in a zip file.
func (l *library) zipped(at string) []document {
	archive, file, err := l.openZip(at)
	if err != nil {
		l.fail(at, err)
		return nil
	}
	defer file.Close()
	var found []document
	for _, entry := range archive.File {
		folders := strings.Split(path.Dir(entry.Name), "/")
		if slices.ContainsFunc(folders, isOtherLanguage) {
			continue
		}
		switch strings.ToLower(path.Ext(entry.Name)) {
		case ".dic", ".tsv", ".xml", ".txt":
			found = append(found, document{at + "/" + entry.Name, path.Base(entry.Name), func() (io.ReadCloser, error) {
				return l.openZipped(at, entry.Name)
			}})
		}
	}
	return found
}

func (l *library) openZip(at string) (*zip.Reader, io.Closer, error) {
	file, err := l.files.Open(at)
	if err != nil {
		return nil, nil, err
	}
	archive, err := zipReader(file)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return archive, file, nil
}

// zipReader reads the directory of a zip file, which needs a file that can be
// read at any place.
func zipReader(file fs.File) (*zip.Reader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		return nil, errors.New("a zip file that cannot be read from its end")
	}
	return zip.NewReader(at, info.Size())
}

// openZipped opens one file in a zip file; closing it closes both.
func (l *library) openZipped(at, name string) (io.ReadCloser, error) {
	archive, file, err := l.openZip(at)
	if err != nil {
		return nil, err
	}
	entry, err := archive.Open(name)
	if err != nil {
		file.Close()
		return nil, err
	}
	return member{entry, file}, nil
}

// newDecoder reads XML in the encodings that the office's files declare.
func newDecoder(in io.Reader) *xml.Decoder {
	decoder := xml.NewDecoder(in)
	decoder.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "iso-8859-1", "windows-1252", "latin1":
			return charmap.Windows1252.NewDecoder().Reader(in), nil
		}
		return nil, fmt.Errorf("encoding %q is not known", charset)
	}
	return decoder
}
