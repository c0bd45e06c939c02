package offices

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// KeyVariable returns the environment variable with the key of an office:
// ALMANAC_KEY_FRED.
func KeyVariable(id string) string {
	return "ALMANAC_KEY_" + strings.ToUpper(strings.ReplaceAll(id, "-", "_"))
}

// ReadKeys reads a file of keys by office: {"fred": "…"}. name is the name of the file in
// errors, which never contain a key.
func ReadKeys(name string, r io.Reader) (map[string]string, error) {
	keys := map[string]string{}
	if err := json.NewDecoder(r).Decode(&keys); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%s: must be a JSON object of keys by the ID of the office, such as {\"fred\": \"…\"}", name)
	}
	return keys, nil
}

// Secrets returns the secrets of the client for the built-in offices and an
// installation's own. key returns the key of an office, or "".
func Secrets(own []source.Office, key func(id string) string) ([]fetch.Secret, error) {
	var secrets []fetch.Secret
	known := map[string]bool{}
	for _, o := range slices.Concat(own, builtIn) {
		value := strings.TrimSpace(key(o.ID))
		if known[o.ID] || o.Key == nil || value == "" {
			continue
		}
		known[o.ID] = true
		name, password, isAccount := strings.Cut(value, ":")
		if !isAccount || o.Key.Password == "" {
			name, password = value, value
		}
		if len(password) < fetch.MinSecret || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, stat.Errorf(stat.Invalid, "invalid key of %s: must be %d or more letters, digits and signs without spaces", o.ID, fetch.MinSecret)
		}
		secrets = append(secrets, fetch.Secret{Address: o.Address, Parameter: o.Key.Parameter, Header: o.Key.Header, Value: name})
		if password != value {
			secrets = append(secrets, fetch.Secret{Address: o.Address, Header: o.Key.Password, Value: password})
		}
	}
	return secrets, nil
}

// keyless is an office whose server needs a key that is not known.
type keyless struct{ source.Office }

// CanList reports whether the list of contents of an office can be requested: it has one,
// its key is known if it needs one, and the installation may contact it.
func (t *Table) CanList(id string) bool {
	o, isKnown := t.Office(id)
	_, isKeyless := t.servers[id].(keyless)
	return isKnown && o.HasList() && !isKeyless && t.client.Allows(cmp.Or(o.Contents, o.Address))
}

// keylessError says that the key of an office is not known, and how the operator adds it.
type keylessError struct{ error }

func (e keylessError) Unwrap() error { return e.error }

// IsKeyless reports whether an error says that the key of an office is not known.
func IsKeyless(err error) bool {
	_, ok := errors.AsType[keylessError](err)
	return ok
}

func (k keyless) missing() error {
	from := ""
	if k.Key.From != "" {
		from = "; get one at " + k.Key.From
	}
	return keylessError{stat.Errorf(stat.Refused, "%s answers only requests with a key%s, and set %s or put it into the file of secrets", k.Name, from, KeyVariable(k.ID))}
}

func (k keyless) Contents(context.Context, source.Filter) iter.Seq2[source.Entry, error] {
	return func(yield func(source.Entry, error) bool) { yield(source.Entry{}, k.missing()) }
}

func (k keyless) Fetch(context.Context, source.Request) (*source.Download, error) {
	return nil, k.missing()
}
