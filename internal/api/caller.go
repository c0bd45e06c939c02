package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"almanac/internal/access"
)

// Errors for callers that are not admitted.
var (
	errKey              = &refusal{http.StatusUnauthorized, "invalid API key; send one valid key, in the header X-API-Key or as Authorization: Bearer, not in both"}
	errNeedsKey         = &refusal{http.StatusUnauthorized, "an API key is required; send it in the header X-API-Key or as Authorization: Bearer"}
	errNoAnonymous      = &refusal{http.StatusUnauthorized, "this service requires an API key; send it in the header X-API-Key or as Authorization: Bearer"}
	errFollowedNeedsKey = &refusal{http.StatusUnauthorized, "followed=true requires the API key of an organisation, in the header X-API-Key or as Authorization: Bearer; without a key, leave the parameter out"}
	errPlainKey         = &refusal{http.StatusForbidden, "the API key was sent over plain HTTP, where others can read it, and was not checked; use HTTPS and replace the key"}
	errPlainAccount     = &refusal{http.StatusForbidden, "the new key would be sent over plain HTTP, where others can read it; use HTTPS"}
)

// identify sets the caller, and the header Vary, which depends on the route.
func (x *exchange) identify() error {
	g := x.route.guard
	if g == unchecked {
		x.w.Header()["Vary"] = varyEncoding
		return nil
	}
	x.w.Header()["Vary"] = varyCaller
	if x.inside {
		return nil
	}
	if x.r.Method == http.MethodOptions {
		return nil // browsers send no key with it
	}
	if g == linkHolder {
		return x.identifyLink()
	}
	if x.isOfPage = x.r.Context().Value(pageKey{}) != nil; x.isOfPage {
		return nil
	}
	key, isGiven := keyOf(x.r.Header)
	if x.api.opts.Public && (isGiven || g == newcomer) && !x.isEncrypted() {
		if isGiven {
			return errPlainKey
		}
		return errPlainAccount
	}
	switch {
	case isGiven:
		return x.identifyKey(key)
	case g == keyHolder:
		return errNeedsKey
	case callerOf(x.r.Context()) != nil:
		x.caller = *callerOf(x.r.Context())
		return nil
	case g == anyCaller && x.api.limits.Anonymous == 0:
		return errNoAnonymous
	}
	x.caller = x.api.opts.Access.Anonymous(x.clientAddress())
	return nil
}

func (x *exchange) identifyKey(key string) (err error) {
	x.caller, err = x.api.opts.Access.Verify(key, x.clientAddress())
	guess, isGuess := errors.AsType[*access.GuessError](err)
	if !isGuess && !errors.Is(err, access.ErrKey) {
		return err
	}
	x.api.refusedKeys.Add(1)
	if !isGuess {
		return errKey
	}
	x.setLimitHeaders(&guess.Standing, newLimitPolicy("invalid-keys", guess.Limit, minuteLong))
	return x.slowDown(guess.Left, "too many invalid API keys from your network")
}

// slowDown is the error for a caller who is too fast, with what was too much.
func (x *exchange) slowDown(wait time.Duration, message string) error {
	seconds := secondsOf(wait)
	x.w.Header()["Retry-After"] = []string{seconds}
	return &refusal{http.StatusTooManyRequests, fmt.Sprintf("%s; try again in %s s", message, seconds)}
}

type pageKey struct{}

// AsPage returns a request for what a page shows to whoever reads it: it needs no key, and is not counted.
func AsPage(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), pageKey{}, true))
}

type callerKey struct{}

// InNameOf returns a request without a key that comes from a caller whom the service knows otherwise, such as somebody who is signed
// in. It counts against the caller's limit.
func InNameOf(r *http.Request, caller access.Caller) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, &caller))
}

// callerOf returns the caller of [InNameOf], nil if there is none.
func callerOf(ctx context.Context) *access.Caller {
	caller, _ := ctx.Value(callerKey{}).(*access.Caller)
	return caller
}

// keyOf returns the key of a request, if it has one. If there are several, the key is
// empty; it takes as long to refuse as any other invalid key.
func keyOf(h http.Header) (key string, isGiven bool) {
	keys, lines := h["X-Api-Key"], h["Authorization"]
	if len(keys) == 1 {
		key = keys[0]
	}
	isGiven = len(keys) > 0
	for _, line := range lines {
		token, ok := bearerToken(line)
		if !ok {
			continue
		}
		if isGiven || len(lines) > 1 {
			return "", true
		}
		key, isGiven = token, true
	}
	return key, isGiven
}

// bearerToken reads a line of Authorization. ok is false for other schemes. An empty
// line and a key without a scheme are malformed keys.
func bearerToken(line string) (token string, ok bool) {
	scheme, token := line, ""
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		scheme, token = line[:i], strings.TrimLeft(line[i:], " \t")
	}
	if strings.EqualFold(scheme, "Bearer") {
		return token, true
	}
	return "", scheme == "" || strings.HasPrefix(scheme, access.KeyPrefix)
}

// peerAddress returns the address of the other end of the connection. It is invalid
// for a Unix socket.
func (x *exchange) peerAddress() netip.Addr {
	peer, _ := netip.ParseAddrPort(x.r.RemoteAddr)
	return peer.Addr()
}

// ClientNetwork returns what counts as one caller without a key: the network of the client of a
// request.
func (a *API) ClientNetwork(r *http.Request) netip.Prefix {
	x := exchange{api: a, r: r}
	return access.Network(x.clientAddress())
}

func (x *exchange) clientAddress() netip.Addr {
	return x.api.opts.Proxies.Client(x.peerAddress(), x.r.Header[x.api.addressHeader])
}

// isEncrypted reports whether the request was encrypted on its whole way.
func (x *exchange) isEncrypted() bool {
	return x.api.opts.Proxies.IsEncrypted(x.peerAddress(), x.r.Header["X-Forwarded-Proto"], x.r.TLS != nil)
}
