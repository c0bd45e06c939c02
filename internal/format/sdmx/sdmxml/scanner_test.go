package sdmxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// tokensOfScanner lists the tokens of the scanner.
func tokensOfScanner(t testing.TB, in io.Reader) (string, error) {
	s := newScanner(in)
	var b strings.Builder
	for {
		isStart, err := s.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return b.String(), err
		}
		if text := strings.TrimSpace(string(s.text)); text != "" {
			fmt.Fprintf(&b, "text %q\n", withPlainSpaces(text))
		}
		switch {
		case err != nil:
			return b.String(), nil
		case !isStart:
			b.WriteString("end\n")
		default:
			fmt.Fprintf(&b, "<%s:%s>\n", s.prefix, s.name)
			for _, f := range s.fields {
				fmt.Fprintf(&b, "  %s:%s=%q\n", f.prefix, f.name, withPlainSpaces(string(f.value)))
			}
		}
	}
}

// tokensOfLibrary lists the tokens of encoding/xml in the same form. ok is false for
// text that only the scanner refuses.
func tokensOfLibrary(data []byte) (text string, ok bool) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("not compared") }
	var b strings.Builder
	depth, roots, run := 0, 0, ""
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return b.String(), depth == 0 && roots == 1
		}
		if err != nil {
			return "", false
		}
		switch token.(type) {
		case xml.StartElement, xml.EndElement:
			if run = strings.TrimSpace(run); run != "" {
				fmt.Fprintf(&b, "text %q\n", withPlainSpaces(run))
			}
			run = ""
		}
		switch e := token.(type) {
		case xml.Directive:
			return "", false
		case xml.CharData:
			if run += string(e); depth == 0 && strings.TrimSpace(string(e)) != "" {
				return "", false
			}
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			if depth > maxDepth || len(e.Attr) > maxAttributes {
				return "", false
			}
			fmt.Fprintf(&b, "<%s:%s>\n", e.Name.Space, e.Name.Local)
			for i, a := range e.Attr {
				if slices.ContainsFunc(e.Attr[:i], func(b xml.Attr) bool { return a.Name == b.Name }) {
					return "", false
				}
				fmt.Fprintf(&b, "  %s:%s=%q\n", a.Name.Space, a.Name.Local, withPlainSpaces(a.Value))
			}
		case xml.EndElement:
			depth--
			b.WriteString("end\n")
		}
	}
}

// withPlainSpaces makes white space comparable: the library keeps it in values, where
// XML requires spaces, and the scanner keeps line breaks of two characters in text.
func withPlainSpaces(text string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\r", " ").Replace(text)
}

// compareScanner checks that the scanner and encoding/xml find the same in well-formed
// XML, in whatever pieces it arrives.
func compareScanner(t testing.TB, data []byte) {
	got, err := tokensOfScanner(t, bytes.NewReader(data))
	pieces := iotest.OneByteReader
	if len(data) > 4096 {
		pieces = iotest.HalfReader
	}
	slowly, slowErr := tokensOfScanner(t, pieces(bytes.NewReader(data)))
	if (err == nil) != (slowErr == nil) || err == nil && got != slowly {
		t.Fatalf("%q is read as\n%s%v\nand in pieces as\n%s%v", data, got, err, slowly, slowErr)
	}
	// Decode checks that elements are closed in order, which RawToken does not.
	if !utf8.Valid(data) || xml.Unmarshal(data, new(struct{})) != nil || leftToLibrary(data) {
		return
	}
	want, ok := tokensOfLibrary(data)
	if ok && (err != nil || got != want) {
		t.Fatalf("%q is read as\n%s%v\nwant\n%s", data, got, err, want)
	}
}

// leftToLibrary reports what the library accepts and XML does not: two attributes
// without a space between, colons that do not separate a prefix, and references to
// surrogates.
func leftToLibrary(data []byte) bool {
	return badSpacing(data) || colons(data) || surrogate.Match(data)
}

// badSpacing reports whether a quotation mark is followed by a name.
func badSpacing(data []byte) bool {
	for i := range len(data) - 1 {
		if (data[i] == '"' || data[i] == '\'') && (classes[data[i+1]]&inName != 0 || data[i+1] == '"' || data[i+1] == '\'') {
			return true
		}
	}
	return false
}

// colons reports whether a colon does not separate a prefix from a name.
func colons(data []byte) bool {
	for i, c := range data {
		if c == ':' && (i == 0 || i == len(data)-1 || classes[data[i-1]]&inName == 0 || classes[data[i+1]]&atStart == 0) {
			return true
		}
	}
	return false
}

func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		"<a/>", "<a></a>", "<p:a q:b='1'><c/>text</p:a>", "\ufeff<?xml version=\"1.0\"?>\n<a b=\"x &amp; &#65; y\" c='\"'/>\n",
		"<a><!-- <b> --><![CDATA[x < y ]] & z]]></a>", "<a b=\"1\n2\t3\r\n4\"/>", "<!DOCTYPE a><a/>", "<a><b></a></b>", "<a b='<'/>",
		"<a", "<a b", "<a b=", "<a b='", "<a b=''", "<a><", "</a>", "<a/><b/>", "x<a/>", "<a/>x", "<é ü='ö'>ä</é>", "<a>&lt;&foo;</a>", "<a >\n</a >",
		"<a b = \"1\" />", "<?p <x> ?><a><?q?></a>", "<a b='1'c='2'/>", "<-a/>", "<a 1='2'/>", "<a>]]></a>", "<a\xff/>", "<?\xe4\xbc", "<a b='1' b='1'/>",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareScanner(t, data) })
}

// TestScannerLongText compares the scanners on texts longer than the buffer.
func TestScannerLongText(t *testing.T) {
	long := strings.Repeat("long text &amp; ", 20000)
	var many strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&many, "<o t='%d' v=\"&lt;%d\"/>\n", i, i)
	}
	for _, text := range []string{
		"<a>" + long + "</a>", "<a b='" + long + "'/>", "<a><![CDATA[" + long + "]]></a>", "<a><!--" + long + "--></a>",
		"<a>" + many.String() + "</a>", "<a>" + strings.Repeat(" ", 300000) + "x</a>",
	} {
		compareScanner(t, []byte(text))
	}
}

// TestScannerErrors checks errors and their positions.
func TestScannerErrors(t *testing.T) {
	for text, want := range map[string]string{
		"<a>\n <b c=1/>\n</a>":                `file:2:2: the value of c in <b> does not begin with a quotation mark`,
		"<a>\n <b c='&x;'/>\n</a>":            `file:2:2: the value of c: invalid character entity &x; (write & as &amp;)`,
		"<a>\n <b c='&#xD800;'/>\n</a>":       `file:2:2: the value of c: a reference to a character that XML does not have`,
		"<a>\n x &x; y</a>":                   `file:1:4: invalid character entity &x; (write & as &amp;)`,
		"<a>\n\n  </b>":                       `file:3:3: unexpected </b>: <a> must be closed first`,
		"<!DOCTYPE a [\n]><a/>":               `file:1:1: the file has a document type definition, which SDMX messages do not have`,
		"<a>\n<b>":                            `file:2:4: the file is cut off: it ends within <b>`,
		"":                                    `file:1:1: the file has no SDMX message`,
		"<a/>\n more":                         `file:2:2: text outside of the message: "more"`,
		"<a/><b/>":                            `file:1:5: a second element <b> after the end of the message`,
		strings.Repeat("<a>", 100000):         `file:1:193: elements are nested more than 64 deep`,
		"<a" + manyAttributes(1000000) + "/>": `file:1:1: <a> has more than 256 attributes`,
		"<a b='" + strings.Repeat("x", 3<<20) + "'/>":   `file:1:1: a tag, CDATA section, header or footer of more than 1048576 bytes`,
		"<" + strings.Repeat("x", 3<<20) + "/>":         `file:1:1: a tag, CDATA section, header or footer of more than 1048576 bytes`,
		"<a></a" + strings.Repeat(" ", 3<<20) + "></a>": `file:1:4: a tag, CDATA section, header or footer of more than 1048576 bytes`,
	} {
		_, err := tokensOfScanner(t, strings.NewReader(text))
		if err == nil || err.Error() != want {
			t.Errorf("%.60q: %v; want %s", text, err, want)
		}
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d='1'", i)
	}
	return b.String()
}
