package plain

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"regexp"
	"strings"

	"almanac/internal/source"
)

// IsAddress reports whether a code is an address on the web.
func IsAddress(code string) bool {
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

// slugPattern matches characters that a file name made from an address must not contain.
var slugPattern = regexp.MustCompile(`[^\pL\pN]+`)

// withHash adds a short hash of the origin to a name, to distinguish equal names of
// different origins.
func withHash(name, origin string) string {
	extension := source.Extension(name)
	sum := sha256.Sum256([]byte(origin))
	return strings.TrimSuffix(name, extension) + "-" + hex.EncodeToString(sum[:4]) + extension
}
