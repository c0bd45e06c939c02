package api

import (
	"net/http"
	"strconv"
	"time"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// dataFollows reports whether a filtered read asks for what is followed.
func (x *exchange) dataFollows() bool {
	var p request.Data
	_ = request.Bind(x.r.URL.RawQuery, &p) // whatever else is wrong with it
	return p.Followed
}

// drawnFollows reports whether the address of a drawn chart asks for what is
// followed.
func (x *exchange) drawnFollows() bool {
	c, _ := request.BindChart(x.r.URL.RawQuery)
	return c != nil && c.Data.Followed
}

// requestFollows reports whether a chart request asks for what is followed.
func (x *exchange) requestFollows() bool {
	body, err := x.readJSON(request.MaxChart)
	if err != nil {
		return false
	}
	c, _ := request.ReadChart(body)
	return c != nil && c.Data.Followed
}

// followed returns what the caller's organisation follows of a dataset: nothing
// of one that it does not follow.
func (x *exchange) followed(v *store.Vintage) (stat.Selection, error) {
	f, ok, err := x.api.access.Followed(x.r.Context(), x.caller.Organisation, v.Dataset.ID)
	if err != nil || ok {
		return f.Selection, err
	}
	return request.Unfollowed(v), nil
}

// restrict narrows a query to what the caller's organisation follows, and adds
// a notice for each part of that which the dataset does not have any more.
func (x *exchange) restrict(v *store.Vintage, q stat.Query, notices []request.Notice) (stat.Query, []request.Notice, error) {
	sel, err := x.followed(v)
	if err != nil {
		return q, nil, err
	}
	q, gone := request.Restrict(v, q, sel)
	return q, append(notices, gone...), nil
}

// restrictChart narrows a chart request to what the caller's organisation
// follows, if it asks for that.
func (x *exchange) restrictChart(v *store.Vintage, c *request.Chart) error {
	if !c.Data.Followed {
		return nil
	}
	sel, err := x.followed(v)
	c.Followed = &sel
	return err
}

// listFollowed answers with a page of what the organisation follows.
func (x *exchange) listFollowed() (reply, error) {
	var p request.Paging
	if err := request.Bind(x.r.URL.RawQuery, &p); err != nil {
		return reply{}, err
	}
	if err := x.api.checkLimit(p.Limit); err != nil {
		return reply{}, err
	}
	list, total, err := x.api.access.AllFollowed(x.r.Context(), x.caller.Organisation, p.Page, p.Limit)
	if err != nil {
		return reply{}, err
	}
	encode := func(s *stream) error {
		s.buf = append(s.buf, `{"data":[`...)
		for i := range list {
			var err error
			if s.buf, err = x.appendFollowed(appendComma(s.buf), &list[i]); err != nil {
				return err
			}
			if err := s.pass(); err != nil {
				return err
			}
		}
		more := len(list) > 0 && p.Page*p.Limit+len(list) < total
		s.buf = append(appendPagination(append(s.buf, ']'), pagination{p.Page, p.Limit, total, more}), '}')
		return nil
	}
	return reply{contentType: applicationJSON, encode: encode, cache: privateNoStore}, nil
}

// readFollowed answers with what the organisation follows of a dataset.
func (x *exchange) readFollowed() (reply, error) {
	id, err := x.followedID()
	if err != nil {
		return reply{}, err
	}
	f, ok, err := x.api.access.Followed(x.r.Context(), x.caller.Organisation, id)
	if err != nil {
		return reply{}, err
	}
	if !ok {
		return reply{}, stat.Errorf(stat.NotFound, "your organisation does not follow dataset %d; /api/followed lists what it follows", id)
	}
	return x.followedReply(&f)
}

// follow makes the organisation follow a dataset, or sets what it follows of it.
func (x *exchange) follow() (reply, error) {
	body, err := x.readJSON(request.MaxSelection)
	if err != nil {
		return reply{}, err
	}
	id, err := x.followedID()
	if err != nil {
		return reply{}, err
	}
	v, err := x.api.store.Vintage(x.r.Context(), id)
	if err != nil {
		return reply{}, err
	}
	sel, err := request.ReadSelection(body, v)
	if err != nil {
		return reply{}, err
	}
	if err := x.count(); err != nil {
		return reply{}, err // before anything is changed
	}
	f, err := x.api.access.Follow(x.r.Context(), x.caller.Organisation, access.Followed{Dataset: id, Name: v.Dataset.Name, Selection: sel})
	if err != nil {
		return reply{}, err
	}
	rep, err := x.followedReply(&f)
	rep.changed = true
	return rep, err
}

// unfollow ends it.
func (x *exchange) unfollow() (reply, error) {
	id, err := x.followedID()
	if err != nil {
		return reply{}, err
	}
	if err := x.api.access.Unfollow(x.r.Context(), x.caller.Organisation, id); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent, changed: true}, nil
}

// followedID reads the id of the dataset in an address that takes no parameters.
func (x *exchange) followedID() (int, error) {
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return 0, err
	}
	return datasetID(x.r.PathValue("datasetId"))
}

func (x *exchange) followedReply(f *access.Followed) (reply, error) {
	text, err := x.appendFollowed(nil, f)
	if err != nil {
		return reply{}, err
	}
	return reply{contentType: applicationJSON, body: newBody(text), cache: privateNoStore}, nil
}

// appendFollowed appends a followed dataset: what is followed by code and by
// label, and notices on what is not there any more.
func (x *exchange) appendFollowed(buf []byte, f *access.Followed) ([]byte, error) {
	name := f.Name
	var notices []request.Notice
	v, err := x.api.store.Vintage(x.r.Context(), f.Dataset)
	switch {
	case stat.KindOf(err) == stat.NotFound:
		v, notices = nil, removedNotice(f.Dataset)
	case err != nil:
		return nil, err
	default:
		name = v.Dataset.Name
		if notices, err = x.followedNotices(v, f.Selection); err != nil {
			return nil, err
		}
	}
	words := request.Words(v, f.Selection)
	buf = strconv.AppendInt(appendName(append(buf, '{'), "datasetId"), int64(f.Dataset), 10)
	buf = appendString(appendName(buf, "dataset_name"), name)
	buf = append(appendName(buf, "selection"), '{')
	for _, w := range words {
		buf = appendTexts(append(appendString(appendComma(buf), w.Param), ':'), w.Codes)
	}
	buf = append(appendName(append(buf, '}'), "labels"), '{')
	for _, w := range words {
		buf = appendTexts(append(appendString(appendComma(buf), w.Param), ':'), w.Labels)
	}
	buf = appendText(append(buf, '}'), "since", f.Since.UTC().Format(time.RFC3339))
	return append(appendNotices(buf, notices), '}'), nil
}

// followedNotices says what of a selection a dataset does not have any more.
func (x *exchange) followedNotices(v *store.Vintage, sel stat.Selection) ([]request.Notice, error) {
	notices := request.Gone(v, sel)
	holds, err := request.Holds(x.r.Context(), v, sel)
	if err != nil || holds {
		return notices, err
	}
	id := strconv.Itoa(v.Dataset.ID)
	return append(notices, request.Notice{Parameter: "datasetId", Value: id, Message: "nothing of dataset " + id + " is in this selection any more; it stays as it is until you set another", Nearest: []string{}}), nil
}

// removedNotice says that a dataset that is followed was removed.
func removedNotice(dataset int) []request.Notice {
	id := strconv.Itoa(dataset)
	return []request.Notice{{Parameter: "datasetId", Value: id, Message: "dataset " + id + " was removed; DELETE /api/followed/" + id + " takes it off this list", Nearest: []string{}}}
}
