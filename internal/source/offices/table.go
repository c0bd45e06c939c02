package offices

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Table is the set of offices that an installation knows.
type Table struct {
	offices []source.Office
	servers map[string]source.Server
	client  *fetch.Client
	now     func() time.Time
}

// NewTable returns a table of the built-in offices and an installation's own, which
// replace built-in ones with the same ID. The error is [stat.Invalid] and lists all
// mistakes.
func NewTable(client *fetch.Client, own []source.Office) (*Table, error) {
	t := &Table{servers: map[string]source.Server{}, client: client, now: client.Now}
	var wrong []error
	for i, o := range own {
		if slices.ContainsFunc(own[:i], func(other source.Office) bool { return other.ID == o.ID }) {
			wrong = append(wrong, fmt.Errorf("office %q: listed twice", o.ID))
		}
	}
	for _, o := range append(slices.Clone(builtIn), own...) {
		if err := checkOffice(o); err != nil {
			wrong = append(wrong, err)
			continue
		}
		if i := slices.IndexFunc(t.offices, func(known source.Office) bool { return known.ID == o.ID }); i >= 0 {
			t.offices[i] = o
		} else {
			t.offices = append(t.offices, o)
		}
		t.servers[o.ID] = kinds[o.Kind](o, client)
		if o.Key != nil && !o.Key.Optional && !client.HasSecret(o.Address) {
			t.servers[o.ID] = keyless{o}
		}
	}
	t.servers[""] = kinds["files"](source.Office{Kind: "files"}, client)
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%v", err)
	}
	return t, nil
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
func (t *Table) Offices() []source.Office { return slices.Clone(t.offices) }

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
		code = s.Normalize(code)
	}
	return Ref{office, code}, nil
}

// normalizer is a server whose codes can be written in several ways. Normalize returns
// the form in its list of contents.
type normalizer interface{ Normalize(code string) string }

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
func (t *Table) Office(id string) (o source.Office, ok bool) {
	i := slices.IndexFunc(t.offices, func(o source.Office) bool { return o.ID == id })
	if i < 0 {
		return source.Office{}, false
	}
	return t.offices[i], true
}

// Server returns the server of an office, or the one of plain addresses for "". It is nil
// if the office is not in the table.
func (t *Table) Server(id string) source.Server {
	s := t.servers[id]
	if s == nil {
		return nil
	}
	o, _ := t.Office(id)
	return checkedServer{s, o}
}

// partJoiner is a server whose datasets can be fetched in parts that are one dataset.
type partJoiner interface {
	Join(codes []string) (code string, ok bool)
}

// JoinParts joins the references that are parts of one dataset, such as
// ecb:EXR/M.USD.EUR.SP00.A and ecb:EXR/M.GBP.EUR.SP00.A, in place of the first of them.
// Others stay as they are.
func (t *Table) JoinParts(refs []string) []string {
	var joined []string
	for _, text := range refs {
		at := slices.IndexFunc(joined, func(other string) bool {
			_, ok := t.joinTwo(other, text)
			return ok
		})
		if at < 0 {
			joined = append(joined, text)
			continue
		}
		joined[at], _ = t.joinTwo(joined[at], text)
	}
	return joined
}

func (t *Table) joinTwo(one, other string) (string, bool) {
	a, errA := t.ParseRef(one)
	b, errB := t.ParseRef(other)
	if errA != nil || errB != nil || a.Office != b.Office || strings.Contains(one+other, "*") {
		return "", false
	}
	s, canJoin := t.servers[a.Office].(partJoiner)
	if !canJoin {
		return "", false
	}
	code, ok := s.Join([]string{a.Code, b.Code})
	return fmt.Sprintf("%s:%s", a.Office, code), ok
}
