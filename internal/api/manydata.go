package api

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/access"
	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// manyData replies with parts of several datasets. It counts as one request for each.
func (x *exchange) manyData() (*reply, error) {
	p, err := bind[request.ManyData](x)
	if err != nil {
		return nil, err
	}
	if form, takesJSON, err := formFor(x.r.Header["Accept"]); err != nil || form != nil && !takesJSON {
		return nil, &refusal{http.StatusNotAcceptable, "Accept does not allow application/json, and the data of several datasets are JSON only; files are at /api/datasets/{id}/data"}
	}
	wanted, err := p.Selections()
	if err != nil {
		return nil, err
	}
	parts := make([]*exchange, len(wanted))
	selections := make([]*selection, len(wanted))
	for i, each := range wanted {
		parts[i] = x.part(each)
		data := &request.Data{}
		invalid := request.Bind(parts[i].r.URL.RawQuery, data)
		if data.DryRun {
			return nil, stat.Errorf(stat.Invalid, "s=%.80s: parameter dry_run is not accepted here; it belongs to the address of one dataset", access.Redact(each.Text))
		}
		if selections[i], err = parts[i].selected(data, invalid); err != nil {
			return nil, inSelection(each, err)
		}
		if x.demand.ref == "" {
			x.demand = parts[i].demand
		}
	}
	rep := &reply{encode: func(s *stream) error {
		s.Buf = append(s.Buf, `{"data":[`...)
		for i, sel := range selections {
			s.Buf = append(json.AppendComma(s.Buf), '{')
			s.Buf = json.AppendString(json.AppendName(s.Buf, "s"), access.Redact(wanted[i].Text))
			s.Buf = fmt.Appendf(s.Buf, `,"dataset":%d,`, sel.vintage.Dataset.ID)
			if err := x.writeData(s, sel); err != nil {
				return err
			}
			s.Buf = append(s.Buf, '}')
		}
		s.Buf = append(s.Buf, ']', '}')
		return nil
	}}
	var identity []byte
	for i, sel := range selections {
		t := sel.tag("data of several " + wanted[i].Text)
		identity = append(identity, t[:]...)
	}
	rep.tag = tagOf(identity)
	x.more = len(selections) - 1
	return rep, nil
}

// writeData writes the members of a response with a selection: data, meta and notices.
func (x *exchange) writeData(s *stream, sel *selection) error {
	derived, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
	if err != nil {
		return err
	}
	s.Buf = append(s.Buf, `"data":`...)
	isEmpty, err := s.Series(sel.vintage, derived.Extract, sel.seriesOptions())
	if err == nil {
		s.Buf = sel.appendRest(s.Buf, derived, isEmpty)
	}
	return err
}

// seriesOptions returns what the series blocks of a selection have.
func (s *selection) seriesOptions() json.SeriesOptions {
	return json.SeriesOptions{Flags: s.query.Flags, Codes: s.params.Codes, ISO: s.params.ISOPeriods, Decimals: s.params.Decimals, Transform: s.derive.String()}
}

// appendRest appends the members of a response after the series: meta and notices.
func (s *selection) appendRest(buf []byte, derived *transform.Derived, isEmpty bool) []byte {
	buf = append(append(buf, `,"meta":`...), s.base.meta.plain...)
	buf = json.AppendText(buf, "latest_mode", string(s.mode))
	return appendNotices(buf, s.allNotices(derived, isEmpty))
}

// withDecimals returns what the tag of a response has if its blocks have decimals.
func withDecimals(isWanted bool) string {
	if isWanted {
		return " with decimals "
	}
	return ""
}

// withISO returns what the tag of a response has if its periods are in ISO 8601 too.
func withISO(isWanted bool) string {
	if isWanted {
		return " with ISO "
	}
	return ""
}

// part returns an exchange for one selection, which sends nothing.
func (x *exchange) part(of request.DatasetSelection) *exchange {
	r := x.r.Clone(x.r.Context())
	r.URL.RawQuery = of.Query
	r.SetPathValue("id", of.Dataset)
	return &exchange{api: x.api, route: x.route, w: &unsent{http.Header{}}, r: r, caller: x.caller}
}

// inSelection returns an error that names the selection.
func inSelection(of request.DatasetSelection, err error) error {
	text := access.Redact(of.Text)
	if known, ok := errors.AsType[*stat.Error](err); ok && (known.Kind == stat.Invalid || known.Kind == stat.NotFound) {
		return stat.Errorf(known.Kind, "s=%.80s: %s", text, known.Message)
	}
	if known, ok := errors.AsType[*refusal](err); ok {
		return &refusal{known.status, fmt.Sprintf("s=%.80s: %s", text, known.message)}
	}
	return err
}

// unsent takes the headers of a response that is a part of another.
type unsent struct{ header http.Header }

func (u *unsent) Header() http.Header         { return u.header }
func (u *unsent) Write(b []byte) (int, error) { return len(b), nil }
func (u *unsent) WriteHeader(int)             {}
