package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// kinds are the constructors of the kinds of servers.
var kinds = map[string]func(Office, *fetch.Client) Server{
	"dbnomics":  newDbnomics,
	"eurostat":  newEurostat,
	"genesis":   newGenesis,
	"gho":       newGho,
	indexKind:   newIndex,
	"jsonstat":  newJsonstat,
	"odata4":    newOdata4,
	plainKind:   newPlain,
	"pxweb":     newPxweb,
	"sdmx":      newSdmx,
	"statbank":  newStatbank,
	"worldbank": newWorldbank,
}

// Table is the set of offices that an installation knows.
type Table struct {
	offices []Office
	servers map[string]Server
	now     func() time.Time
}

// NewTable returns a table of the built-in offices and an installation's own, which
// replace built-in ones with the same ID. The error is [stat.Invalid] and lists all
// mistakes.
func NewTable(client *fetch.Client, own []Office) (*Table, error) {
	t := &Table{servers: map[string]Server{}, now: client.Now}
	var wrong []error
	for i, o := range own {
		if slices.ContainsFunc(own[:i], func(other Office) bool { return other.ID == o.ID }) {
			wrong = append(wrong, fmt.Errorf("office %q: listed twice", o.ID))
		}
	}
	for _, o := range append(slices.Clone(offices), own...) {
		if err := o.check(); err != nil {
			wrong = append(wrong, err)
			continue
		}
		if i := slices.IndexFunc(t.offices, func(known Office) bool { return known.ID == o.ID }); i >= 0 {
			t.offices[i] = o
		} else {
			t.offices = append(t.offices, o)
		}
		t.servers[o.ID] = kinds[o.Kind](o, client)
		if o.Key != nil && !o.Key.Optional && !client.HasSecret(o.Address) {
			t.servers[o.ID] = keyless{o}
		}
	}
	t.servers[""] = kinds[plainKind](Office{Kind: plainKind}, client)
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%v", err)
	}
	return t, nil
}

// ReadOffices reads an installation's own offices: {"offices": [{"id": …}]}. name is the
// name of the file in errors.
func ReadOffices(name string, r io.Reader) ([]Office, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	var file struct {
		Offices []Office `json:"offices"`
	}
	in := json.NewDecoder(bytes.NewReader(body))
	in.DisallowUnknownFields()
	if err := in.Decode(&file); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%s: %s; must be {\"offices\": [{\"id\": …, \"name\": …, \"kind\": …, \"address\": …}]}", name, jsonFault(err))
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, stat.Errorf(stat.Invalid, "%s: unexpected content after the offices", name)
	}
	return file.Offices, nil
}

// jsonFault describes a JSON error without Go types.
func jsonFault(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s must not be of type %s", cmp.Or(wrong.Field, "the document"), wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// check returns an error that lists all mistakes of an office.
func (o *Office) check() error {
	var wrong []string
	if len(o.ID) < 2 || strings.ContainsFunc(o.ID, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }) {
		wrong = append(wrong, fmt.Sprintf("invalid id %q: must be two or more of a-z, 0-9 and -", o.ID))
	}
	if kinds[o.ID] != nil && o.ID != o.Kind {
		wrong = append(wrong, fmt.Sprintf("id %q is the name of a kind of server", o.ID))
	}
	if o.Name == "" {
		wrong = append(wrong, "missing name")
	}
	if kinds[o.Kind] == nil {
		wrong = append(wrong, fmt.Sprintf("unknown kind %q: must be one of %s", o.Kind, strings.Join(Kinds(), ", ")))
	}
	if strings.ContainsFunc(o.ID+o.Name+o.Address+o.Contents+o.Data, unicode.IsControl) {
		wrong = append(wrong, "control character in id, name, address, contents or data")
	}
	for _, address := range []string{o.Address, o.Contents, o.Data, o.Website} {
		if fault := addressFault(address); fault != "" {
			wrong = append(wrong, fault)
		}
	}
	if o.Key != nil && (o.Key.Parameter == "") == (o.Key.Header == "") {
		wrong = append(wrong, "invalid key: needs a parameter or a header")
	}
	if o.Kind == indexKind && (o.Index == nil || o.Index.Code == "" || o.Contents == "" || o.Index.File == "" && !strings.Contains(o.Data, "{code}")) {
		wrong = append(wrong, fmt.Sprintf("an office of kind %s needs contents, an index with the member of the code, and a member of the file or data with {code}", indexKind))
	}
	if o.Kind == plainKind && o.ID != "" && !strings.Contains(o.Data, "{code}") {
		wrong = append(wrong, fmt.Sprintf("invalid data: an office of kind %s needs an address with {code} in place of the dataset's code", plainKind))
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("office %q: %s", o.ID, strings.Join(wrong, "; "))
}

// addressFault describes why a text is not the address of a server; empty for an address
// and for an empty text.
func addressFault(address string) string {
	u, err := url.Parse(strings.ReplaceAll(address, "{code}", "CODE"))
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/")
	switch {
	case address == "":
		return ""
	case err == nil && u.User != nil:
		return "an address must not contain a user name or password" // the error must not show them
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Sprintf("invalid address %q: must begin with https://", redact(address))
	case fetch.HasKey(address):
		return fmt.Sprintf("address %q contains a key; leave it out and state it as a secret", redact(address))
	case strings.Contains(host, "{"):
		return fmt.Sprintf("invalid address %q: the host must not contain {code}", redact(address))
	}
	return ""
}

// redact removes what may be a password or a key from an invalid address.
func redact(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		address = "…" + address[at:]
	}
	return address
}

// Kinds returns the names of the kinds of servers, sorted.
func Kinds() []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Offices returns all offices in the order of the table.
func (t *Table) Offices() []Office { return slices.Clone(t.offices) }

// Ref names a dataset on a server: eurostat:une_rt_m. Office is empty for a plain
// address, which is then the code.
type Ref struct {
	Office string
	Code   string
}

// String returns the reference in the form that ParseRef reads.
func (r Ref) String() string {
	if r.Office == "" {
		return r.Code
	}
	return r.Office + ":" + r.Code
}

// ParseRef parses a reference: an office's ID and a code (eurostat:une_rt_m), a
// kind, an office and a code (pxweb:scb/BE/BE0101/…), or an address (https://…). It
// returns the code as in the office's list of contents.
func (t *Table) ParseRef(text string) (Ref, error) {
	if lower := strings.ToLower(text); strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://") {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.User != nil {
			return Ref{}, stat.Errorf(stat.Invalid, "%q is not an address of a file", text)
		}
		return Ref{Code: text}, nil
	}
	office, code, _ := strings.Cut(text, ":")
	office = strings.ToLower(office)
	if kinds[office] != nil && !t.has(office) {
		office, code, _ = strings.Cut(code, "/")
		office = strings.ToLower(office)
	}
	switch {
	case !t.has(office):
		return Ref{}, stat.Errorf(stat.NotFound, "%q: unknown source %q; `almanac source list` lists the sources%s", text, office, t.suggestion(office))
	case code == "":
		return Ref{}, stat.Errorf(stat.Invalid, "%q does not name a dataset; write %s:CODE; `almanac source datasets %s` lists the codes", text, office, office)
	}
	if s, ok := t.servers[office].(normalizer); ok {
		code = s.normalize(code)
	}
	return Ref{office, code}, nil
}

// normalizer is a server whose codes can be written in several ways. normalize returns
// the form in its list of contents.
type normalizer interface{ normalize(code string) string }

func (t *Table) has(office string) bool { return office != "" && t.servers[office] != nil }

// suggestion returns an office whose ID or name resembles an unknown ID, for a message.
func (t *Table) suggestion(id string) string {
	for _, o := range t.offices {
		if id != "" && (strings.HasPrefix(o.ID, id) || strings.HasPrefix(id, o.ID) || strings.HasPrefix(strings.ToLower(o.Name), id)) {
			return fmt.Sprintf(" (%s is %s)", o.ID, o.Name)
		}
	}
	return ""
}

// Office returns the office with an ID; ok is false if there is none.
func (t *Table) Office(id string) (o Office, ok bool) {
	i := slices.IndexFunc(t.offices, func(o Office) bool { return o.ID == id })
	if i < 0 {
		return Office{}, false
	}
	return t.offices[i], true
}

// Server returns the server of an office, or the one of plain addresses for "". It is nil
// if the office is not in the table.
func (t *Table) Server(id string) Server {
	s := t.servers[id]
	if s == nil {
		return nil
	}
	o, _ := t.Office(id)
	return checkedServer{s, o}
}
