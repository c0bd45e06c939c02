package text

import (
	"bytes"
	"strings"
)

// Start returns the beginning of a file without a byte order mark and leading white
// space.
func Start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, ByteOrderMark), " \t\r\n")
}

// FirstElement returns the name of the first element of XML or HTML, without its
// prefix, and what follows the name. The name is empty for any other text.
// Declarations and comments before the element are skipped.
func FirstElement(head []byte) (name string, rest []byte) {
	for range 32 {
		head = Start(head)
		switch {
		case bytes.HasPrefix(head, []byte("<!--")):
			_, head, _ = bytes.Cut(head, []byte("-->"))
		case bytes.HasPrefix(head, []byte("<?")):
			_, head, _ = bytes.Cut(head, []byte("?>"))
		case len(head) > 9 && strings.EqualFold(string(head[:9]), "<!doctype"):
			if fields := bytes.Fields(head[9:min(len(head), 200)]); len(fields) > 0 {
				if word := bytes.TrimRight(fields[0], ">"); strings.EqualFold(string(word), "html") {
					return "html", nil
				}
			}
			end := ">"
			if subset := bytes.IndexByte(head, '['); subset >= 0 && subset < bytes.IndexByte(head, '>') {
				end = "]>" // it encloses declarations
			}
			_, head, _ = bytes.Cut(head, []byte(end))
		case bytes.HasPrefix(head, []byte("<")):
			end := bytes.IndexAny(head[1:], " \t\r\n/>")
			if end < 1 {
				return "", nil
			}
			word := string(head[1 : 1+end])
			return word[strings.LastIndexByte(word, ':')+1:], head[1+end:]
		default:
			return "", nil
		}
	}
	return "", nil
}
