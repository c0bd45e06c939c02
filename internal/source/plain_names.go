package source

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// isAddress tells an address from a code.
func isAddress(code string) bool {
	lower := strings.ToLower(code)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}

// baseOf is the last part of an address's path, without its query; empty if
// there is none.
func baseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.HasSuffix(u.Path, "/") || u.Path == "" {
		return ""
	}
	return path.Base(u.Path)
}

// plainNameBytes bounds the name of a file.
const plainNameBytes = 100

// plainUnsafe is what does not go into a file's name, plainSlug what does not go
// into one that is made of an address.
var (
	plainUnsafe = regexp.MustCompile(`[^\pL\pN._() -]+`)
	plainSlug   = regexp.MustCompile(`[^\pL\pN]+`)
)

// fileNameOf makes a name that a file can have of what a server, an address or a
// code calls it. Its ending stays, since that tells what the file holds.
func fileNameOf(name string) string {
	name = strings.TrimLeft(plainUnsafe.ReplaceAllString(name, "_"), ". ")
	if len(name) > plainNameBytes {
		ending := endingOf(name)
		name = strings.ToValidUTF8(name[:plainNameBytes-len(ending)], "") + ending
	}
	if name == "" {
		return "download"
	}
	return name
}

// marked puts into a name what tells its origin from others that would have the
// same name; none of it can be read.
func marked(name, origin string) string {
	ending := endingOf(name)
	sum := sha256.Sum256([]byte(origin))
	return strings.TrimSuffix(name, ending) + "-" + hex.EncodeToString(sum[:4]) + ending
}

// plainEnding is one ending, and before .gz and .zip another.
var plainEnding = regexp.MustCompile(`((?:\.[A-Za-z]{2,5})?\.(?i:gz|zip)|\.[A-Za-z0-9]{2,5})$`)

// endingOf is a file's ending: ".csv", ".csv.zip", "".
func endingOf(name string) string { return plainEnding.FindString(name) }
