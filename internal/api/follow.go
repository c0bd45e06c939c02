package api

import (
	"net/http"
	"strconv"
	"time"

	"almanac/internal/access"
	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

func (x *exchange) dataWantsFollowed() bool {
	p, _ := bind[request.Data](x) // other errors do not matter here
	return p.Followed
}

// followed returns what the caller's organisation follows of a dataset: nil if not wanted,
// and the selection of nothing if it does not follow the dataset.
func (x *exchange) followed(v *store.Vintage, wanted bool) (stat.Selection, error) {
	if !wanted {
		return nil, nil
	}
	f, ok, err := x.api.opts.Access.Followed(x.r.Context(), x.caller.Organisation, v.Dataset.ID)
	if err != nil || ok {
		return f.Selection, err
	}
	return request.Unfollowed(v), nil
}

func (x *exchange) listFollowed() (*reply, error) {
	p, err := bind[request.Paging](x)
	if err == nil {
		err = x.api.checkLimit(p.Limit)
	}
	if err != nil {
		return nil, err
	}
	list, total, err := x.api.opts.Access.AllFollowed(x.r.Context(), x.caller.Organisation, p.Page, p.Limit)
	if err != nil {
		return nil, err
	}
	x.linkPages(p.Page, p.Limit, total)
	encode := func(s *stream) error {
		s.Buf = append(s.Buf, `{"data":[`...)
		for i := range list {
			var err error
			if s.Buf, err = x.appendFollowed(json.AppendComma(s.Buf), &list[i]); err != nil {
				return err
			}
			if err := s.Flush(); err != nil {
				return err
			}
		}
		s.Buf = append(appendPagination(append(s.Buf, ']'), p.Page, p.Limit, total), '}')
		return nil
	}
	return &reply{encode: encode, cacheControl: privateNoStore}, nil
}

func (x *exchange) readFollowed() (*reply, error) {
	id, err := x.datasetID(x.r.PathValue("datasetId"))
	if err != nil {
		return nil, err
	}
	f, ok, err := x.api.opts.Access.Followed(x.r.Context(), x.caller.Organisation, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, stat.Errorf(stat.NotFound, "your organisation does not follow dataset %d; /api/followed lists what it follows", id)
	}
	return x.followedReply(&f)
}

// follow makes the organisation follow a dataset, or changes what it follows of it.
func (x *exchange) follow() (*reply, error) {
	text, err := x.readJSON(request.MaxSelection)
	if err != nil {
		return nil, err
	}
	if _, err := bind[request.None](x); err != nil {
		return nil, err
	}
	v, err := x.vintageOf(x.r.PathValue("datasetId"), store.At{})
	if err != nil {
		return nil, err
	}
	selection, err := request.ReadSelection(text, v)
	if err != nil {
		return nil, err
	}
	if err := x.admit(); err != nil {
		return nil, err // before anything is changed
	}
	f, err := x.api.opts.Access.Follow(x.r.Context(), x.caller.Organisation, access.Followed{Dataset: v.Dataset.ID, Name: v.Dataset.Name, Selection: selection})
	if err != nil {
		return nil, err
	}
	rep, err := x.followedReply(&f)
	if err == nil {
		rep.ignoresCoding = true
	}
	return rep, err
}

func (x *exchange) unfollow() (*reply, error) {
	id, err := x.datasetID(x.r.PathValue("datasetId"))
	if err != nil {
		return nil, err
	}
	if err := x.api.opts.Access.Unfollow(x.r.Context(), x.caller.Organisation, id); err != nil {
		return nil, err
	}
	return &reply{status: http.StatusNoContent, ignoresCoding: true}, nil
}

func (x *exchange) followedReply(f *access.Followed) (*reply, error) {
	text, err := x.appendFollowed(nil, f)
	if err != nil {
		return nil, err
	}
	return &reply{body: newBody(text), cacheControl: privateNoStore}, nil
}

// appendFollowed appends a followed dataset with notices about lost codes.
func (x *exchange) appendFollowed(buf []byte, f *access.Followed) ([]byte, error) {
	name, id := f.Name, strconv.Itoa(f.Dataset)
	var notices []request.Notice
	v, err := x.api.opts.Store.Vintage(x.r.Context(), f.Dataset)
	switch {
	case stat.KindOf(err) == stat.NotFound:
		v = nil
		notices = []request.Notice{request.NewNotice("datasetId", id, "dataset "+id+" was removed; DELETE /api/followed/"+id+" removes it from this list")}
	case err != nil:
		return nil, err
	default:
		name = v.Dataset.Name
		_, notices = request.Restrict(v, stat.Query{}, f.Selection)
		hasData, err := request.HasData(x.r.Context(), v, f.Selection)
		if err != nil {
			return nil, err
		}
		if !hasData {
			notices = append(notices, request.NewNotice("datasetId", id, "dataset "+id+" no longer has data in this selection; the selection stays as it is until you set another"))
		}
	}
	parts := request.DescribeSelection(v, f.Selection)
	buf = json.AppendInt(append(buf, '{'), "datasetId", int64(f.Dataset))
	buf = json.AppendString(json.AppendName(buf, "dataset_name"), name)
	buf = append(json.AppendName(buf, "selection"), '{')
	for _, p := range parts {
		buf = json.AppendTexts(append(json.AppendString(json.AppendComma(buf), p.Param), ':'), p.Codes)
	}
	buf = append(json.AppendName(append(buf, '}'), "labels"), '{')
	for _, p := range parts {
		buf = json.AppendTexts(append(json.AppendString(json.AppendComma(buf), p.Param), ':'), p.Labels)
	}
	buf = json.AppendText(append(buf, '}'), "since", f.Since.UTC().Format(time.RFC3339))
	return append(appendNotices(buf, notices), '}'), nil
}
