package pxweb

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// A code of a table may be followed by filters, which select values of variables:
//
//	TAB638?valueCodes[Region]=00,01&valueCodes[Tid]=2024   as version 2 writes them
//	TAB638?Region=00,01&Tid=2024                           the same
//
// Variables without a filter have all their values. The part is a dataset of its own, so
// that it never replaces the whole.

// filtered is a service whose tables have only the values that filters keep.
type filtered struct {
	protocol
	text    string     // of the query
	filters url.Values // codes by variable
}

func (s filtered) table(ctx context.Context, code string) (tableInfo, error) {
	t, err := s.protocol.table(ctx, code)
	if err == nil {
		err = t.keepAll(s.filters)
	}
	return t, err
}

func (s filtered) dataset(code string) string { return s.protocol.dataset(code) + "?" + s.text }

// parseFilters parses a query. Codes such as 100+ contain a plus, which does not stand for a
// space here.
func parseFilters(query string) (url.Values, error) {
	filters, err := url.ParseQuery(strings.ReplaceAll(query, "+", "%2B"))
	if err != nil {
		return nil, stat.Errorf(stat.Invalid, "invalid filters %q: must be VARIABLE=CODE,CODE&VARIABLE=CODE", query)
	}
	return filters, nil
}

// keepAll removes the values that filters leave out.
func (t *tableInfo) keepAll(filters url.Values) error {
	for name, values := range filters {
		if err := t.keep(name, strings.Split(strings.Join(values, ","), ",")); err != nil {
			return err
		}
	}
	return nil
}

// keep removes all other values of a variable.
func (t *tableInfo) keep(name string, values []string) error {
	code := name
	if inner, ok := strings.CutPrefix(name, "valueCodes["); ok {
		code = strings.TrimSuffix(inner, "]")
	}
	i := slices.IndexFunc(t.variables, func(v variable) bool { return strings.EqualFold(v.code, code) })
	if i < 0 {
		var codes []string
		for _, v := range t.variables {
			codes = append(codes, v.code)
		}
		return stat.Errorf(stat.Invalid, "the table has no variable %q; its variables are %s", code, strings.Join(codes, ", "))
	}
	v := &t.variables[i]
	for _, value := range values {
		if !slices.Contains(v.values, value) {
			return stat.Errorf(stat.Invalid, "variable %s has no value %q; its values are %s", v.code, value, shortList(v.values))
		}
	}
	v.values = slices.DeleteFunc(slices.Clone(v.values), func(value string) bool { return !slices.Contains(values, value) })
	return nil
}

// shortList joins some texts, at most ten.
func shortList(texts []string) string {
	if n := len(texts); n > 10 {
		return strings.Join(texts[:10], ", ") + fmt.Sprintf(" and %d more", n-10)
	}
	return strings.Join(texts, ", ")
}
