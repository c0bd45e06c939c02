package text

import (
	"bytes"
	"regexp"
	"strings"
)

// Start returns the beginning of a file without a byte order mark and leading white
// space.
func Start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, ByteOrderMark), " \t\r\n")
}

var (
	// prolog is what may precede the first element; its group is the document type
	// of HTML.
	prolog = regexp.MustCompile(`(?is)^(?:\s|<!--.*?-->|<\?.*?\?>|<!doctype\s+(html\b)?[^>\[]*(?:\[.*?\])?>)*`)
	// tagName is the beginning of an element; its group is the name.
	tagName = regexp.MustCompile(`^<([^!?\s/>][^\s/>]*)[\s/>]`)
)

// FirstElement returns the name of the first element of XML or HTML, without its
// prefix, and what follows the name. The name is empty for any other text.
// Declarations and comments before the element are skipped.
func FirstElement(head []byte) (name string, rest []byte) {
	head = Start(head)
	before := prolog.FindSubmatch(head)
	if before[1] != nil {
		return "html", nil
	}
	head = head[len(before[0]):]
	m := tagName.FindSubmatch(head)
	if m == nil {
		return "", nil
	}
	word := string(m[1])
	return word[strings.LastIndexByte(word, ':')+1:], head[1+len(word):]
}
