package people

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"math/big"
)

// secret is the key of a data directory: it keys MACs, and encrypts what must be read again.
type secret struct {
	macKey []byte
	aead   cipher.AEAD
}

func newSecret(key []byte) *secret {
	derive := func(use string) []byte {
		derived, err := hkdf.Key(sha256.New, key, nil, use, sha256.Size)
		if err != nil {
			panic(err) // only for impossible lengths
		}
		return derived
	}
	block, err := aes.NewCipher(derive("encryption of second factors"))
	if err != nil {
		panic(err) // only for impossible lengths
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return &secret{macKey: derive("MACs of tokens"), aead: aead}
}

// mac returns the MAC of a token. use keeps tokens of different uses apart.
func (s *secret) mac(use, token string) string {
	h := hmac.New(sha256.New, s.macKey)
	h.Write([]byte(use + ":" + token))
	return hex.EncodeToString(h.Sum(nil))
}

// fingerprint identifies the key without revealing it.
func (s *secret) fingerprint() string { return s.mac("fingerprint", "")[:16] }

// seal encrypts a text. It can only be opened for the same owner.
func (s *secret) seal(owner, text string) string {
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return base64.RawStdEncoding.EncodeToString(s.aead.Seal(nonce, nonce, []byte(text), []byte(owner)))
}

func (s *secret) open(owner, sealed string) (string, error) {
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(raw) < s.aead.NonceSize() {
		return "", errors.New("an encrypted secret is damaged")
	}
	text, err := s.aead.Open(nil, raw[:s.aead.NonceSize()], raw[s.aead.NonceSize():], []byte(owner))
	if err != nil {
		return "", errors.New("an encrypted secret cannot be read with this key")
	}
	return string(text), nil
}

const (
	alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	// tokenLength has 256 bits and some more: the first characters may be seen in logs.
	tokenLength = 52
	idLength    = 16
	// tokenPrefix begins tokens as it begins keys, so that logs hide them.
	tokenPrefix = "alm_"
)

// randomText returns n characters of an alphabet, each equally likely.
func randomText(n int, from string) string {
	text := make([]byte, n)
	for i := range text {
		at, _ := rand.Int(rand.Reader, big.NewInt(int64(len(from)))) // never fails
		text[i] = from[at.Int64()]
	}
	return string(text)
}

func newID() string    { return randomText(idLength, alphabet) }
func newToken() string { return tokenPrefix + randomText(tokenLength, alphabet) }
