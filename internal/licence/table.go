package licence

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// table is the parsed text of licences.txt.
type table struct {
	licences map[string]Licence // by folded name, other names and address
	sources  map[string]Licence // by ID
}

// fields are the words that begin a line of a block.
var fields = map[string]func(l *Licence, value string){
	"url":            func(l *Licence, value string) { l.URL = value },
	"attribution":    func(l *Licence, value string) { l.Attribution = value },
	"redistribution": func(l *Licence, value string) { l.Redistribution = Redistribution(value) },
	"stated":         func(l *Licence, value string) { l.StatedAt = value },
	"seen":           func(l *Licence, value string) { l.Seen = value },
	"note":           func(l *Licence, value string) { l.Note = value },
	"pictures":       func(l *Licence, value string) { l.OnPictures = value },
}

// parse reads the text of a table. The error names the line.
func parse(text string) (*table, error) {
	t := &table{licences: map[string]Licence{}, sources: map[string]Licence{}}
	number := 0
	for block := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		first := number + 1
		for line := range strings.SplitSeq(block, "\n") {
			number++
			if !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
				lines = append(lines, line)
			}
		}
		number++ // the blank line
		if len(lines) == 0 {
			continue
		}
		if err := t.add(lines); err != nil {
			return nil, fmt.Errorf("licences.txt, block at line %d: %w", first, err)
		}
	}
	return t, nil
}

// add adds a block: of a licence, or of one or several sources.
func (t *table) add(lines []string) error {
	kind, names, _ := strings.Cut(lines[0], " ")
	l := Licence{Redistribution: Unknown}
	var keys []string
	switch kind {
	case "licence":
		l.Name = names
		keys = []string{names}
	case "source":
		keys = strings.Fields(names)
	default:
		return fmt.Errorf("a block begins with licence or source, not %q", lines[0])
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		set := fields[name]
		switch {
		case value == "":
			return fmt.Errorf("%q has no value", name)
		case name == "also" && kind == "licence":
			keys = append(keys, strings.Split(value, " | ")...)
		case name == "licence" && kind == "source":
			known, ok := t.licences[fold(value)]
			if !ok {
				return fmt.Errorf("unknown licence %q; its block must stand before", value)
			}
			known.Attribution, l = l.Attribution, known
		case set == nil:
			return fmt.Errorf("unknown word %q; use %s", name, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		default:
			set(&l, value)
		}
	}
	if err := l.check(); err != nil {
		return err
	}
	if kind == "source" {
		return put(t.sources, keys, l, func(id string) string { return id })
	}
	if l.URL != "" {
		keys = append(keys, l.URL)
	}
	return put(t.licences, keys, l, fold)
}

func put(into map[string]Licence, keys []string, l Licence, fold func(string) string) error {
	if len(keys) == 0 {
		return fmt.Errorf("a block needs a name")
	}
	for _, key := range keys {
		if other, ok := into[fold(key)]; ok && other != l {
			return fmt.Errorf("%q stands twice", key)
		}
		into[fold(key)] = l
	}
	return nil
}

// check returns an error if the texts of a block are not of the form that they must have.
func (l *Licence) check() error {
	switch l.Redistribution {
	case Allowed, Conditions, Forbidden, Unknown:
	default:
		return fmt.Errorf("redistribution %q; use allowed, conditions, forbidden or unknown", l.Redistribution)
	}
	for _, address := range []string{l.URL, l.StatedAt} {
		if address != "" && !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
			return fmt.Errorf("%q is not an address", address)
		}
	}
	if _, err := time.Parse(time.DateOnly, l.Seen); l.Seen != "" && err != nil {
		return fmt.Errorf("seen %q; write a date such as 2026-11-28", l.Seen)
	}
	return nil
}
