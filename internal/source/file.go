package source

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
)

// MaxFileName limits the length of a file name.
const MaxFileName = 100

// unsafeInName matches characters that a file name must not contain.
var unsafeInName = regexp.MustCompile(`[^\pL\pN._() -]+`)

// FileName makes a safe file name. It keeps the extension, which states the
// format.
func FileName(name string) string {
	name = strings.TrimLeft(unsafeInName.ReplaceAllString(name, "_"), ". ")
	if len(name) > MaxFileName {
		extension := Extension(name)
		name = strings.ToValidUTF8(name[:MaxFileName-len(extension)], "") + extension
	}
	if name == "" {
		return "download"
	}
	return name
}

// fileExtension matches an extension; before .gz or .zip also the one before it.
var fileExtension = regexp.MustCompile(`((?:\.[A-Za-z]{2,5})?\.(?i:gz|zip)|\.[A-Za-z0-9]{2,5})$`)

// Extension returns a file's extension: ".csv", ".csv.zip", "".
func Extension(name string) string { return fileExtension.FindString(name) }

// CountLines counts the lines of a file.
func CountLines(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	n, last, buffer := 0, byte('\n'), make([]byte, 256<<10)
	for {
		got, err := file.Read(buffer)
		if got > 0 {
			n += bytes.Count(buffer[:got], []byte("\n"))
			last = buffer[got-1]
		}
		if err != nil && err != io.EOF {
			return n, err
		}
		if err == io.EOF {
			break
		}
	}
	if last != '\n' {
		n++
	}
	return n, nil
}
