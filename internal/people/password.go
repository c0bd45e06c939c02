package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"almanac/internal/people/strength"
	"almanac/internal/stat"
)

// Passwords are hashed with Argon2id, with parameters that the OWASP recommends. A hash carries its
// parameters; one with others is replaced when its owner signs in.
const (
	hashMemory  = 19 << 10 // KiB
	hashTime    = 2
	hashThreads = 1
	saltLength  = 16
	hashLength  = 32
)

// Bounds on passwords, in characters. A password may be the only factor, hence its length.
const (
	MinPassword = 15
	maxPassword = 256
	// minDifferent keeps out passwords of few letters, such as abbabaabbaababba.
	minDifferent = 6
	// minBits is the least strength, as the package strength estimates it.
	minBits = 40
	// maxEstimated is the number of characters that this is estimated from. It takes longer for more.
	maxEstimated = 64
)

// hasher bounds how many passwords are hashed at once, because each takes memory and a core.
type hasher struct {
	running chan struct{}
	waiting atomic.Int32
	dummy   string // a hash that no password has
}

const (
	maxWaiting = 16
	maxWait    = 10 * time.Second
)

func newHasher(n int) *hasher {
	h := &hasher{running: make(chan struct{}, n)}
	h.dummy = formatHash(make([]byte, saltLength), make([]byte, hashLength))
	return h
}

// enter waits for a place. The error is [stat.Unavailable] if too many wait.
func (h *hasher) enter(ctx context.Context) error {
	busy := stat.Errorf(stat.Unavailable, "too many people are signing in at the moment; try again in a few seconds")
	if h.waiting.Add(1) > maxWaiting {
		h.waiting.Add(-1)
		return busy
	}
	defer h.waiting.Add(-1)
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	select {
	case h.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		return busy
	}
}

// hash returns the hash of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer func() { <-h.running }()
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails
	return formatHash(salt, argon2.IDKey(passwordBytes(password), salt, hashTime, hashMemory, hashThreads, hashLength)), nil
}

// matches reports whether a password has a hash, and whether the hash has other parameters than
// new ones.
func (h *hasher) matches(ctx context.Context, password, hash string) (isEqual, isOld bool, err error) {
	var version, memory, rounds, threads int
	var salt, sum string
	parts := strings.Split(hash, "$")
	if len(parts) == 6 && parts[1] == "argon2id" {
		_, err1 := fmt.Sscanf(parts[2], "v=%d", &version)
		_, err2 := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &rounds, &threads)
		salt, sum, err = parts[4], parts[5], errors.Join(err1, err2)
	}
	rawSalt, err1 := base64.RawStdEncoding.DecodeString(salt)
	want, err2 := base64.RawStdEncoding.DecodeString(sum)
	if err := errors.Join(err, err1, err2); err != nil || len(want) == 0 || version != argon2.Version || rounds < 1 || threads < 1 {
		return false, false, errors.New("the hash of a password is damaged")
	}
	if err := h.enter(ctx); err != nil {
		return false, false, err
	}
	defer func() { <-h.running }()
	got := argon2.IDKey(passwordBytes(password), rawSalt, uint32(rounds), uint32(memory), uint8(threads), uint32(len(want)))
	isOld = memory != hashMemory || rounds != hashTime || threads != hashThreads
	return subtle.ConstantTimeCompare(got, want) == 1, isOld, nil
}

func formatHash(salt, sum []byte) string {
	code := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads, code(salt), code(sum))
}

// passwordBytes returns what is hashed: keyboards compose the same characters differently.
func passwordBytes(password string) []byte { return []byte(norm.NFKC.String(password)) }

// contextWords are words that people put into passwords for this service, beside their own name and address, and a well-known example of
// a good password.
var contextWords = []string{"almanac", "statistics", "dataset", "correct horse battery staple", "correcthorsebatterystaple"}

// checkPassword returns an error of kind [stat.Invalid] if a new password is too easy to guess: too
// short, or made of common passwords, words, names, dates, keys in a row, repetitions, or parts of
// the name and the mail address of its owner.
func checkPassword(password, name, mail string) error {
	n := utf8.RuneCountInString(password)
	switch {
	case !utf8.ValidString(password):
		return stat.Errorf(stat.Invalid, "the password is not valid UTF-8")
	case n < MinPassword:
		return stat.Errorf(stat.Invalid, "the password needs at least %d characters, not %d; a few words that do not belong together are easy to remember", MinPassword, n)
	case n > maxPassword:
		return stat.Errorf(stat.Invalid, "the password may have at most %d characters, not %d", maxPassword, n)
	}
	different := map[rune]bool{}
	for _, r := range password {
		different[r] = true
	}
	own := strings.FieldsFunc(name+" "+mail, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	own = append(append(own, name, mail), contextWords...)
	begin := string([]rune(password)[:min(n, maxEstimated)])
	if len(different) < minDifferent || strength.Repeated(strings.ToLower(password)) < MinPassword || strength.Bits(begin, own) < minBits {
		return stat.Errorf(stat.Invalid, "the password is made of what is guessed first, such as common passwords, names, dates, repetitions, your name or your mail address; choose words that do not belong together")
	}
	return nil
}
