package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path/filepath"
	"sync"

	"almanac/internal/secretfile"
)

// PepperFile is the name of the file of the pepper in a data directory.
const PepperFile = "access.pepper"

// pepper is the secret that is needed, besides the database, to check a key.
type pepper struct {
	macs sync.Pool // of hash.Hash: HMAC-SHA-256 under the secret
}

type mac [sha256.Size]byte

func (p *pepper) mac(parts ...string) (m mac) {
	h := p.macs.Get().(hash.Hash)
	defer p.macs.Put(h)
	h.Reset()
	for _, part := range parts {
		_, _ = h.Write([]byte(part)) // never fails
	}
	h.Sum(m[:0])
	return m
}

// DerivedKey returns a key of 32 bytes that depends on the pepper and a purpose. What it encrypts can
// be read by whoever has the pepper, and is lost with it.
func (a *Access) DerivedKey(purpose string) [32]byte { return [32]byte(a.pepper.mac("key: ", purpose)) }

// fingerprint identifies the pepper without revealing it.
func (p *pepper) fingerprint() string {
	m := p.mac("fingerprint of the pepper")
	return hex.EncodeToString(m[:8])
}

// openPepper reads the pepper of a data directory. If the file is missing, it is
// created, unless the fingerprint shows that there was one.
func openPepper(dir, fingerprint string) (*pepper, error) {
	path := filepath.Join(dir, PepperFile)
	secret, err := secretfile.Read(path, fingerprint == "")
	if errors.Is(err, fs.ErrNotExist) && fingerprint != "" {
		return nil, fmt.Errorf("%s is missing; the keys were created with it and cannot be checked without it; restore it from a backup, or copy it from a machine that serves the same installation", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the pepper: %w", err)
	}
	p := &pepper{macs: sync.Pool{New: func() any { return hmac.New(sha256.New, secret) }}}
	if fingerprint != "" && p.fingerprint() != fingerprint {
		return nil, fmt.Errorf("%s is not the pepper that the keys were created with, so every key would be refused; restore two files that belong together", path)
	}
	return p, nil
}
