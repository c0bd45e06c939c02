package offices

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// ReadOffices reads an installation's own offices: {"offices": [{"id": …}]}. name is the
// name of the file in errors.
func ReadOffices(name string, r io.Reader) ([]source.Office, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	var file struct {
		Offices []source.Office `json:"offices"`
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

// checkOffice returns an error that lists all mistakes of an office.
func checkOffice(o source.Office) error {
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
	if o.Kind == "index" && (o.Index == nil || o.Index.Code == "" || o.Contents == "" || o.Index.File == "" && !strings.Contains(o.Data, "{code}")) {
		wrong = append(wrong, "an office of kind index needs contents, an index with the member of the code, and a member of the file or data with {code}")
	}
	if o.Kind == "files" && o.ID != "" && !strings.Contains(o.Data, "{code}") {
		wrong = append(wrong, "invalid data: an office of kind files needs an address with {code} in place of the dataset's code")
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
