package access

import (
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
)

// A key is
//
//	alm_ KKKKKKKK SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS CCCCCC
//	     public   secret                           checksum
//
// without the spaces. All characters after the prefix are of the alphabet
// 0-9A-Za-z. The checksum is the CRC-32 (IEEE) of the first 44 characters as a
// base-62 number, highest digit first, so that scanners for leaked keys recognise
// a key without a request.
const (
	// KeyPrefix begins every key.
	KeyPrefix = "alm_"

	publicLength   = 8
	secretLength   = 32
	checksumLength = 6
	publicEnd      = len(KeyPrefix) + publicLength
	signedEnd      = publicEnd + secretLength
	keyLength      = signedEnd + checksumLength
	alphabet       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// randomText returns n characters of the alphabet, each equally likely.
func randomText(n int) string {
	text := make([]byte, n)
	for i := range text {
		at, _ := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet)))) // never fails
		text[i] = alphabet[at.Int64()]
	}
	return string(text)
}

// checksum returns the last part of the key that begins with body.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var text [checksumLength]byte
	for i := checksumLength - 1; i >= 0; i-- {
		text[i] = alphabet[sum%uint32(len(alphabet))]
		sum /= uint32(len(alphabet))
	}
	return string(text[:])
}

// publicID returns the public part of a key. ok is false for a text that cannot be
// a key.
func publicID(key string) (id string, ok bool) {
	if len(key) != keyLength || !strings.HasPrefix(key, KeyPrefix) || checksum(key[:signedEnd]) != key[signedEnd:] {
		return "", false
	}
	return key[len(KeyPrefix):publicEnd], strings.Trim(key[len(KeyPrefix):], alphabet) == ""
}

// keyLike matches keys, also if they are cut off after the first secret character
// or if the underscore is escaped, as in an address.
var keyLike = regexp.MustCompile(`alm(_|%(?:25)*5[Ff])([0-9A-Za-z]{8})[0-9A-Za-z]+`)

// Redact removes the secrets of all keys in a text. Prefix and public id stay.
func Redact(text string) string {
	if !strings.Contains(text, "alm") {
		return text
	}
	return keyLike.ReplaceAllString(text, "alm$1$2…")
}
