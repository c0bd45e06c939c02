package access

import (
	"crypto/rand"
	"hash/crc32"
	"regexp"
	"strings"
)

// A key is
//
//	alm_ KKKKKKKK SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS CCCCCC
//	     public   secret                           checksum
//
// without the spaces, all behind the prefix of the alphabet 0-9A-Za-z. The
// checksum is the CRC-32 (IEEE) of the first 44 characters as a number of base
// 62, its highest digit first: whoever looks for lost keys in a text can tell
// one from anything else without asking.
const (
	// KeyPrefix is what all keys begin with.
	KeyPrefix = "alm_"

	publicLength   = 8
	secretLength   = 32
	checksumLength = 6
	publicEnd      = len(KeyPrefix) + publicLength
	signedEnd      = publicEnd + secretLength
	keyLength      = signedEnd + checksumLength
	alphabet       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func newKeyText() string {
	body := KeyPrefix + randomText(publicLength+secretLength)
	return body + checksum(body)
}

// randomText is n characters of the alphabet, each as likely as any other.
func randomText(n int) string {
	const fair = 256 - 256%len(alphabet) // bytes from here up would favour some
	text := make([]byte, 0, n)
	var pool [64]byte
	for {
		_, _ = rand.Read(pool[:]) // never fails
		for _, b := range pool {
			if int(b) >= fair {
				continue
			}
			if text = append(text, alphabet[int(b)%len(alphabet)]); len(text) == n {
				return string(text)
			}
		}
	}
}

// checksum is the last part of a key with this beginning.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var text [checksumLength]byte
	for i := checksumLength - 1; i >= 0; i-- {
		text[i] = alphabet[sum%uint32(len(alphabet))]
		sum /= uint32(len(alphabet))
	}
	return string(text[:])
}

// publicID returns the public part of a key; ok is false for what cannot be
// one.
func publicID(key string) (id string, ok bool) {
	if len(key) != keyLength || !strings.HasPrefix(key, KeyPrefix) || checksum(key[:signedEnd]) != key[signedEnd:] {
		return "", false
	}
	return key[len(KeyPrefix):publicEnd], strings.Trim(key[len(KeyPrefix):], alphabet) == ""
}

// keyLike finds keys, also cut off ones, from their first secret character, and
// in an address whose underscores are escaped.
var keyLike = regexp.MustCompile(`alm(_|%(?:25)*5[Ff])([0-9A-Za-z]{8})[0-9A-Za-z]+`)

// Redact takes the secrets out of a text: of each key in it only the prefix and
// the public id stay.
func Redact(text string) string {
	if !strings.Contains(text, "alm") {
		return text
	}
	return keyLike.ReplaceAllString(text, "alm$1$2…")
}
