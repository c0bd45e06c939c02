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

// plainUnsafe matches what a file name must not contain, plainSlug what a file name
// made from an address must not contain.
var (
	plainUnsafe = regexp.MustCompile(`[^\pL\pN._() -]+`)
	plainSlug   = regexp.MustCompile(`[^\pL\pN]+`)
)

// fileNameOf makes a safe file name. It keeps the extension, which states the
// format.
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

// withHash adds a short hash of the origin to a name, so that equal names from
// different origins stay distinct.
func withHash(name, origin string) string {
	ending := endingOf(name)
	sum := sha256.Sum256([]byte(origin))
	return strings.TrimSuffix(name, ending) + "-" + hex.EncodeToString(sum[:4]) + ending
}

// plainEnding matches an extension, and with .gz and .zip the one before.
var plainEnding = regexp.MustCompile(`((?:\.[A-Za-z]{2,5})?\.(?i:gz|zip)|\.[A-Za-z0-9]{2,5})$`)

// endingOf returns a file's extension: ".csv", ".csv.zip", "".
func endingOf(name string) string { return plainEnding.FindString(name) }
