package api

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// latest answers with the latest values of one series: the dataset's default
// one, or the one that the parameters choose.
func (x *exchange) latest() (reply, error) {
	var p request.Latest
	if err := request.Bind(x.r.URL.RawQuery, &p); err != nil {
		return reply{}, err
	}
	v, err := x.open()
	if err != nil {
		return reply{}, err
	}
	q, notices, err := request.Parse(v, p.Data())
	if err != nil {
		return reply{}, err
	}
	if q.Select == nil {
		return defaultLatest(v)
	}
	found, err := v.LatestOf(x.r.Context(), q.Select)
	if err != nil {
		return reply{}, explainNothing(err, notices)
	}
	c := cardOf(v)
	what := appendNotices(appendQuery(append(slices.Clip(c.identity), "latest "...), &q), notices)
	text := append(appendNotices(appendLatest(nil, v, found), notices), '}')
	return reply{contentType: applicationJSON, tag: tagOf(what), modified: c.modified, body: newBody(text)}, nil
}

// explainNothing adds to an error that says that no series is left which of
// the values are unknown.
func explainNothing(err error, notices []request.Notice) error {
	known, ok := errors.AsType[*stat.Error](err)
	if !ok || known.Kind != stat.NotFound {
		return err
	}
	said := []string{known.Message}
	for _, n := range notices {
		text := "parameter " + n.Parameter + ": " + n.Message
		if len(n.Nearest) > 0 {
			text += "; nearest are " + strings.Join(n.Nearest, ", ")
		}
		said = append(said, text)
	}
	return &stat.Error{Kind: stat.NotFound, Message: strings.Join(said, "; "), Err: err}
}

// latestCard is the answer for the default series, rendered once.
type latestCard struct {
	body *body
	tag  tag
}

type latestKey struct{}

func defaultLatest(v *store.Vintage) (reply, error) {
	if v.Default == nil {
		return reply{}, stat.Errorf(stat.NotFound, "dataset %d holds no values", v.Dataset.ID)
	}
	c := cardOf(v)
	kept := v.Memo(latestKey{}, func() any {
		return &latestCard{newBody(append(appendLatest(nil, v, v.Default), '}')), c.tag("latest")}
	}).(*latestCard)
	return reply{contentType: applicationJSON, tag: kept.tag, modified: c.modified, body: kept.body}, nil
}

// appendLatest appends the answer for a series without its last brace.
func appendLatest(buf []byte, v *store.Vintage, l *stat.Latest) []byte {
	d := v.Dataset
	buf = append(appendName(append(buf, `{"dataset":{`...), "id"), strconv.Itoa(d.ID)...)
	buf = appendText(buf, "name", d.Name)
	buf = appendText(buf, "source", d.Source.Name)
	buf = append(appendName(buf, "dimensions"), '{')
	buf = appendDimLabels(buf, d)
	buf = append(buf, `}},"latest_period":{`...)
	buf = appendText(buf, "period", l.Period.String())
	buf = append(appendName(buf, "countries"), '{')
	var n numbers
	for i, area := range l.Areas {
		buf = appendString(appendComma(buf), d.Geography.Codes[area].Label)
		buf = append(buf, `:"`...)
		buf = n.appendNumber(buf, l.Values[i])
		buf = append(buf, '"')
	}
	buf = append(buf, `},"dimensions":{`...)
	buf = appendKey(buf, d, l.Key)
	return append(buf, '}', '}')
}
