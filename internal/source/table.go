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
	"unicode"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// kinds are the kinds of servers: what makes a Server of an Office.
var kinds = map[string]func(Office, *fetch.Client) Server{
	"dbnomics":  newDbnomics,
	"eurostat":  newEurostat,
	"gho":       newGho,
	"jsonstat":  newJsonstat,
	plainKind:   newPlain,
	"pxweb":     newPxweb,
	"sdmx":      newSdmx,
	"worldbank": newWorldbank,
}

// Table is the offices that an installation knows.
type Table struct {
	offices []Office
	servers map[string]Server
}

// NewTable makes the table: the offices that are built in, and an
// installation's own, which replace those of the same ID. The error is
// [stat.Invalid] and tells of all that is wrong.
func NewTable(client *fetch.Client, own []Office) (*Table, error) {
	t := &Table{servers: map[string]Server{}}
	var wrong []error
	for i, o := range own {
		if slices.ContainsFunc(own[:i], func(other Office) bool { return other.ID == o.ID }) {
			wrong = append(wrong, fmt.Errorf("office %q: it is there twice", o.ID))
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
	}
	t.servers[""] = kinds[plainKind](Office{Kind: plainKind}, client)
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%v", err)
	}
	return t, nil
}

// ReadOffices reads an installation's own offices: {"offices": [{"id": …}]}.
// name is what the file is called in errors.
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
		return nil, stat.Errorf(stat.Invalid, "%s: %s; right is {\"offices\": [{\"id\": …, \"name\": …, \"kind\": …, \"address\": …}]}", name, jsonFault(err))
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, stat.Errorf(stat.Invalid, "%s: something follows the offices", name)
	}
	return file.Offices, nil
}

// jsonFault is an error of JSON in words that do not speak of Go.
func jsonFault(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s is a %s, which it cannot be", cmp.Or(wrong.Field, "the whole"), wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// check says what is wrong with an office.
func (o *Office) check() error {
	var wrong []string
	if len(o.ID) < 2 || strings.ContainsFunc(o.ID, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }) {
		wrong = append(wrong, fmt.Sprintf("id %q: it is made of two or more of a-z, 0-9 and -", o.ID))
	}
	if kinds[o.ID] != nil && o.ID != o.Kind {
		wrong = append(wrong, fmt.Sprintf("id %q is the name of a kind of servers", o.ID))
	}
	if o.Name == "" {
		wrong = append(wrong, "it has no name")
	}
	if kinds[o.Kind] == nil {
		wrong = append(wrong, fmt.Sprintf("kind %q: the kinds are %s", o.Kind, strings.Join(Kinds(), ", ")))
	}
	if strings.ContainsFunc(o.ID+o.Name+o.Address+o.Contents+o.Data, unicode.IsControl) {
		wrong = append(wrong, "one of its texts has a control character")
	}
	for _, address := range []string{o.Address, o.Contents, o.Data, o.Website} {
		if why := notAddress(address); why != "" {
			wrong = append(wrong, why)
		}
	}
	if o.Kind == plainKind && o.ID != "" && !strings.Contains(o.Data, "{code}") {
		wrong = append(wrong, fmt.Sprintf("data: an office of the kind %s has an address with {code} in it, which stands for the dataset's code", plainKind))
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("office %q: %s", o.ID, strings.Join(wrong, "; "))
}

// notAddress says why a text that is not empty is no address of a server; empty
// if it is one.
func notAddress(address string) string {
	u, err := url.Parse(strings.ReplaceAll(address, "{code}", "CODE"))
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/")
	switch {
	case address == "":
		return ""
	case err == nil && u.User != nil:
		return "an address holds no name and no password" // neither is repeated
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Sprintf("%q is no address: it begins with https://", unsecret(address))
	case strings.Contains(host, "{"):
		return fmt.Sprintf("%q: the host of an address is always the same one", unsecret(address))
	}
	return ""
}

// unsecret is a text that should be an address, without what may be a password
// or a key in it.
func unsecret(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		address = "…" + address[at:]
	}
	return address
}

// Kinds names the kinds of servers.
func Kinds() []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Offices are all offices, in the table's order.
func (t *Table) Offices() []Office { return slices.Clone(t.offices) }

// Ref names a dataset on a server: eurostat:une_rt_m. The office's ID is empty
// for a plain address, which is the code.
type Ref struct {
	Office string
	Code   string
}

// String writes the reference as ParseRef reads it.
func (r Ref) String() string {
	if r.Office == "" {
		return r.Code
	}
	return r.Office + ":" + r.Code
}

// ParseRef reads a reference: an office's ID and a code (eurostat:une_rt_m), a
// kind, an office and a code (pxweb:scb/BE/BE0101/…), or an address
// (https://…). The code is spelled as the office's list of contents has it.
func (t *Table) ParseRef(text string) (Ref, error) {
	if lower := strings.ToLower(text); strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://") {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.User != nil {
			return Ref{}, stat.Errorf(stat.Invalid, "%q is no address of a file", text)
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
		return Ref{}, stat.Errorf(stat.NotFound, "%q: there is no source %q; `almanac source list` shows them%s", text, office, t.like(office))
	case code == "":
		return Ref{}, stat.Errorf(stat.Invalid, "%q names no dataset: write %s:CODE; `almanac source datasets %s` shows the codes", text, office, office)
	}
	if s, ok := t.servers[office].(speller); ok {
		code = s.spell(code)
	}
	return Ref{office, code}, nil
}

// speller is a server whose codes can be written in several ways: it writes them
// as its list of contents does.
type speller interface{ spell(code string) string }

func (t *Table) has(office string) bool { return office != "" && t.servers[office] != nil }

// like names an office whose ID or name begins like what was asked for.
func (t *Table) like(id string) string {
	for _, o := range t.offices {
		if id != "" && (strings.HasPrefix(o.ID, id) || strings.HasPrefix(id, o.ID) || strings.HasPrefix(strings.ToLower(o.Name), id)) {
			return fmt.Sprintf(" (%s is %s)", o.ID, o.Name)
		}
	}
	return ""
}

// Office returns a row of the table; ok is false where there is none.
func (t *Table) Office(id string) (o Office, ok bool) {
	i := slices.IndexFunc(t.offices, func(o Office) bool { return o.ID == id })
	if i < 0 {
		return Office{}, false
	}
	return t.offices[i], true
}

// Server returns an office's server; that of plain addresses for "". It is nil
// for an office that is not in the table.
func (t *Table) Server(id string) Server { return t.servers[id] }
