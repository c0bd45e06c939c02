package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// linkRoute is the address of links. It is no part of the API reference: a link is read as it
// was handed out.
var linkRoute = route{path: "/l/{token}/{file}", guard: linkHolder, counted: true, inOne: true, inRanges: true, handle: (*exchange).linked}

// errNoLink is one error for links that never were and that were altered.
var errNoLink = &refusal{http.StatusUnauthorized, "this is not the address of a link as it was handed out; copy all of it"}

// jsonForm is the form of links that are read as JSON.
const jsonForm = "json"

// LinkForms returns the forms that a link may have: extensions of files.
func LinkForms() []string {
	list := []string{jsonForm}
	for _, f := range forms {
		if !slices.Contains(list, f.extension) {
			list = append(list, f.extension)
		}
	}
	return list
}

// CheckLink checks that a link to a dataset with the parameters of a form can be read: it does what reading
// it does, and sends nothing. The notices are those that its readers would get. The error says what a
// reader would be told instead of data.
func (a *API) CheckLink(ctx context.Context, dataset int, form, query string) ([]request.Notice, error) {
	if err := checkLinkParams(form, query); err != nil {
		return nil, err
	}
	path := fmt.Sprintf("/api/datasets/%d/data", dataset)
	if form != jsonForm {
		path += "." + form
	}
	if query != "" {
		query += "&"
	}
	r := (&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path, RawQuery: query + "dry_run=true"}, Header: http.Header{}, ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	r.RequestURI = r.URL.RequestURI()
	var body bytes.Buffer
	w := &insideWriter{to: &body, header: http.Header{}, status: http.StatusOK}
	a.ServeHTTP(w, r)
	var answer struct {
		StatusMessage string
		Notices       []request.Notice
	}
	if err := json.Unmarshal(body.Bytes(), &answer); err != nil {
		return nil, fmt.Errorf("checking the selection of a link: %w", err)
	}
	if w.status != http.StatusOK {
		return nil, stat.Errorf(stat.Invalid, "a reader of this link would get %d: %s", w.status, answer.StatusMessage)
	}
	return answer.Notices, nil
}

// checkLinkParams checks the names of the parameters of a link in a form, and those that no link may
// have. The error is [stat.Invalid].
func checkLinkParams(form, query string) error {
	var p request.Data
	var err error
	if f := formByExtension(form); f != nil {
		p, _, err = f.bind(query)
	} else if form == jsonForm {
		err = request.Bind(query, &p)
	} else {
		err = stat.Errorf(stat.Invalid, "a link has the form %s, not %.40q", strings.Join(LinkForms(), ", "), form)
	}
	switch {
	case err != nil:
	case p.DryRun:
		err = stat.Errorf(stat.Invalid, "dry_run=true cannot be in a link: it has the size of the data instead of the data")
	case p.Followed:
		err = stat.Errorf(stat.Invalid, "followed=true cannot be in a link: what an organisation follows is its own")
	}
	return err
}

// LinkAddress returns the address of a link with a token, relative to the base address.
func LinkAddress(token, form string) string { return "/l/" + token + "/data." + form }

func formByExtension(extension string) *form {
	i := slices.IndexFunc(forms, func(f *form) bool { return f.extension == extension })
	if i < 0 || extension == jsonForm {
		return nil
	}
	return forms[i]
}

// identifyLink sets the caller and the link of a request for one.
func (x *exchange) identifyLink() error {
	if x.api.opts.Public && !x.isEncrypted() {
		return &refusal{http.StatusForbidden, "the link was read over plain HTTP, where others can see it; use HTTPS"}
	}
	link, caller, err := x.api.opts.Access.VerifyLink(x.r.PathValue("token"))
	x.link, x.caller = &link, caller
	switch {
	case errors.Is(err, access.ErrLink):
		return errNoLink
	case errors.Is(err, access.ErrLinkExpired):
		return &refusal{http.StatusGone, fmt.Sprintf("this link expired at %s; ask for a new one", link.Expires.UTC().Format(time.RFC3339))}
	case errors.Is(err, access.ErrLinkRevoked):
		return &refusal{http.StatusGone, "this link was revoked"}
	}
	return err
}

// linked replies with the selection of a link.
func (x *exchange) linked() (*reply, error) {
	if file := "data." + x.link.Form; x.r.PathValue("file") != file {
		return nil, stat.Errorf(stat.NotFound, "the address of this link ends in /%s", file)
	}
	if x.r.URL.RawQuery != "" {
		return nil, stat.Errorf(stat.Invalid, "a link has no parameters; its selection is fixed")
	}
	if !x.isContinued {
		var err error
		if x.use, err = x.api.opts.Access.CountLink(x.link.ID); err != nil {
			return nil, err
		}
	}
	// What follows, and the log, see the request for the selection and not the token.
	path := fmt.Sprintf("/api/datasets/%d/data", x.link.Dataset)
	f := formByExtension(x.link.Form)
	if f != nil {
		path += "." + f.extension
	}
	x.r = x.r.Clone(x.r.Context())
	x.r.URL = &url.URL{Path: path, RawQuery: x.link.Query}
	x.r.RequestURI = x.r.URL.RequestURI()
	x.r.SetPathValue("id", fmt.Sprint(x.link.Dataset))
	if f != nil {
		return x.file(f)
	}
	x.r.Header.Del("Accept") // the form is that of the link
	return x.data()
}
