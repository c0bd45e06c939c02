package source

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"regexp"
	"strings"
)

func isAddress(code string) bool {
	lower := strings.ToLower(code)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}

// baseOf returns the last part of an address's path, without the query; empty if
// there is none.
func baseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.HasSuffix(u.Path, "/") || u.Path == "" {
		return ""
	}
	return path.Base(u.Path)
}

// plainNameBytes limits the length of a file name.
const plainNameBytes = 100

// plainUnsafe matches characters that a file name must not contain, plainSlug those that
// a file name made from an address must not contain.
var (
	plainUnsafe = regexp.MustCompile(`[^\pL\pN._() -]+`)
	plainSlug   = regexp.MustCompile(`[^\pL\pN]+`)
)

// fileNameOf makes a safe file name. It keeps the extension, which states the
// format.
func fileNameOf(name string) string {
	name = strings.TrimLeft(plainUnsafe.ReplaceAllString(name, "_"), ". ")
	if len(name) > plainNameBytes {
		extension := extensionOf(name)
		name = strings.ToValidUTF8(name[:plainNameBytes-len(extension)], "") + extension
	}
	if name == "" {
		return "download"
	}
	return name
}

// withHash adds a short hash of the origin to a name, to distinguish equal names of
// different origins.
func withHash(name, origin string) string {
	extension := extensionOf(name)
	sum := sha256.Sum256([]byte(origin))
	return strings.TrimSuffix(name, extension) + "-" + hex.EncodeToString(sum[:4]) + extension
}

// plainExtension matches an extension; before .gz or .zip also the one before it.
var plainExtension = regexp.MustCompile(`((?:\.[A-Za-z]{2,5})?\.(?i:gz|zip)|\.[A-Za-z0-9]{2,5})$`)

// extensionOf returns a file's extension: ".csv", ".csv.zip", "".
func extensionOf(name string) string { return plainExtension.FindString(name) }
