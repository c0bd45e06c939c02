// Package providertest has a server of OpenID Connect, for tests. Whoever comes to it is signed in.
package providertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The client that the server knows.
const (
	ClientID = "almanac"
	Secret   = "a secret of the client"
)

// Server signs in whoever comes to it. A test changes the fields before somebody does.
type Server struct {
	Address string
	Now     func() time.Time

	// Claims are those of the next ID tokens, beside issuer, audience, times and nonce, which
	// they replace. A claim of nil is left out.
	Claims map[string]any
	// UserInfo is what the server says beside the ID token.
	UserInfo map[string]any
	// Refuses makes the server sign in nobody.
	Refuses bool
	// OtherKey signs with a key that the server does not publish.
	OtherKey bool

	mu    sync.Mutex
	key   *ecdsa.PrivateKey
	codes map[string]url.Values // the parameters of the request that a code was given for
	Last  url.Values            // the parameters of the last request to sign in
}

// New starts a server, which ends with the test.
func New(t testing.TB, now func() time.Time) *Server {
	t.Helper()
	s := &Server{Now: now, key: newKey(t), codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, map[string]any{
			"issuer": s.Address, "authorization_endpoint": s.Address + "/authorize", "token_endpoint": s.Address + "/token", "jwks_uri": s.Address + "/keys",
			"userinfo_endpoint": s.Address + "/userinfo", "id_token_signing_alg_values_supported": []string{"ES256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: s.key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) { s.token(t, w, r) })
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer access" {
			reply(w, 401, nil)
			return
		}
		reply(w, 200, s.UserInfo)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.Address = server.URL
	return s
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// authorize leads the browser back with a code.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Last = query
	answer := url.Values{"state": {query.Get("state")}}
	if s.Refuses {
		answer.Set("error", "access_denied")
	} else {
		code := rand.Text()
		s.codes[code] = query
		answer.Set("code", code)
	}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+answer.Encode(), http.StatusFound)
}

// token gives tokens for a code, once.
func (s *Server) token(t testing.TB, w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	user, password, _ := r.BasicAuth()
	began := s.codes[r.PostFormValue("code")]
	delete(s.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	secret, _ := url.QueryUnescape(password)
	switch {
	case user != ClientID || secret != Secret:
		reply(w, 401, map[string]string{"error": "invalid_client"})
	case began == nil || began.Get("code_challenge_method") != "S256" || began.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || began.Get("redirect_uri") != r.PostFormValue("redirect_uri"):
		reply(w, 400, map[string]string{"error": "invalid_grant"})
	default:
		reply(w, 200, map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": s.sign(t, began)})
	}
}

// sign returns an ID token for a request.
func (s *Server) sign(t testing.TB, began url.Values) string {
	now := s.Now().Unix()
	claims := map[string]any{"iss": s.Address, "aud": ClientID, "iat": now, "exp": now + 300, "nonce": began.Get("nonce"), "auth_time": now}
	for name, value := range s.Claims {
		claims[name] = value
		if value == nil {
			delete(claims, name)
		}
	}
	key := s.key
	if s.OtherKey {
		key = newKey(t)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	payload, _ := json.Marshal(claims)
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Error(err)
		return ""
	}
	text, _ := signed.CompactSerialize()
	return text
}
