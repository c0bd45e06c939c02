package api

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"almanac/internal/request"
	"almanac/internal/stat"
)

const (
	kindJSON = "application/json"
	kindForm = "application/x-www-form-urlencoded"
)

// postData replies with the part of a dataset that the parameters in the body select. The
// response is that of a GET with these parameters, without a tag.
func (x *exchange) postData() (*reply, error) {
	posted, err := x.posted()
	if err != nil {
		return nil, err
	}
	if _, err := bind[request.None](x); err != nil {
		return nil, err
	}
	x.r = posted
	x.varyByForm()
	form, _, err := formFor(x.r.Header["Accept"])
	if err != nil {
		return nil, err
	}
	var rep *reply
	if form != nil {
		rep, err = x.file(form)
	} else {
		rep, err = x.jsonData()
	}
	if err == nil {
		rep.tag, rep.modified, rep.isKept = tag{}, lastModified{}, false
	}
	return rep, err
}

// posted returns the request with the parameters of its body as its query string.
func (x *exchange) posted() (*http.Request, error) {
	body, kind, err := x.readBody(request.MaxData, kindJSON, kindForm)
	if err != nil {
		return nil, err
	}
	query := string(body)
	if kind == kindForm && strings.HasPrefix(strings.TrimSpace(query), "{") { // curl -d states the type of forms
		return nil, &refusal{http.StatusUnsupportedMediaType, "the body looks like JSON, but Content-Type is " + kindForm + "; send Content-Type: " + kindJSON}
	}
	if kind == kindJSON {
		if query, err = request.ReadQuery(body); err != nil {
			return nil, err
		}
	}
	posted := x.r.Clone(x.r.Context())
	posted.URL.RawQuery = query
	return posted, nil
}

func (x *exchange) postWantsFollowed() bool {
	posted, err := x.posted()
	if err != nil {
		return false
	}
	var p request.Data
	_ = request.Bind(posted.URL.RawQuery, &p) // other errors do not matter here
	return p.Followed
}

// readJSON reads a request body of type JSON with at most maxBytes bytes.
func (x *exchange) readJSON(maxBytes int) ([]byte, error) {
	body, _, err := x.readBody(maxBytes, kindJSON)
	return body, err
}

// readBody reads a request body with at most maxBytes bytes, of one of the media types. Without
// a Content-Type it is of the first.
func (x *exchange) readBody(maxBytes int, kinds ...string) (body []byte, kind string, err error) {
	r := x.r
	kind = kinds[0]
	if ct := r.Header.Get("Content-Type"); ct != "" {
		var params map[string]string
		kind, params, err = mime.ParseMediaType(ct)
		if charset := params["charset"]; err != nil || !slices.Contains(kinds, kind) || charset != "" && !strings.EqualFold(charset, "utf-8") {
			return nil, "", &refusal{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Type must be %s in UTF-8, not %.80q", strings.Join(kinds, " or "), ct)}
		}
	}
	if ce := r.Header.Get("Content-Encoding"); ce != "" && ce != "identity" {
		return nil, "", &refusal{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Encoding %.80q is not supported; send the body without content coding", ce)}
	}
	errTooLarge := &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d KiB", maxBytes>>10)}
	if r.ContentLength > int64(maxBytes) {
		return nil, "", errTooLarge // before it is sent
	}
	body, err = io.ReadAll(io.LimitReader(r.Body, int64(maxBytes)+1))
	if err != nil {
		return nil, "", stat.Errorf(stat.Invalid, "the body could not be read to the end")
	}
	if len(body) > maxBytes {
		return nil, "", errTooLarge
	}
	return body, kind, nil
}
