package api

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// Types of pictures, by the ending of their address.
var pictureTypes = map[string][]string{
	"png": {"image/png"},
	"jpg": {"image/jpeg"},
	"svg": {"image/svg+xml"},
}

// generateChart draws a chart and answers with the picture and its address.
func (x *exchange) generateChart() (reply, error) {
	body, err := x.readJSON(request.MaxChart)
	if err != nil {
		return reply{}, err
	}
	c, err := request.ReadChart(body)
	if c != nil && c.Data.Followed && x.caller.Account == 0 {
		return reply{}, errFollowedNeedsKey
	}
	if bad := request.Bind(x.r.URL.RawQuery, &request.None{}); bad != nil {
		return reply{}, bad
	}
	if err != nil {
		return reply{}, err
	}
	if err := x.count(); err != nil {
		return reply{}, err // before anything is drawn
	}
	v, err := x.openID(c.DatasetID)
	if err != nil {
		return reply{}, err
	}
	if err := x.restrictChart(v, c); err != nil {
		return reply{}, err
	}
	s, notices, err := request.Spec(x.r.Context(), v, c)
	if err != nil {
		return reply{}, err
	}
	text, digest := s.Encode()
	ending := "png"
	if c.Format == "jpeg" {
		ending = "jpg"
	}
	picture, err := x.api.picture(x.r.Context(), s, digest, ending)
	if err != nil {
		return reply{}, err
	}
	// The address is good from the moment that a caller knows it.
	if err := x.api.store.KeepChart(digest, text); err != nil {
		return reply{}, err
	}
	out := append([]byte(nil), `{"success":true,"base64":"`...)
	out = base64.StdEncoding.AppendEncode(out, picture)
	out = appendText(append(out, '"'), "url", x.api.baseURL+"/charts/"+digest+"."+ending)
	out = appendText(out, "alt", s.Alt())
	return reply{contentType: applicationJSON, body: newBody(append(appendNotices(out, notices), '}'))}, nil
}

// readJSON reads the body of a request that must be JSON, of at most so many
// bytes.
func (x *exchange) readJSON(most int) ([]byte, error) {
	r := x.r
	if ct := r.Header.Get("Content-Type"); ct != "" {
		kind, params, err := mime.ParseMediaType(ct)
		if charset := params["charset"]; err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
			return nil, &refusal{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Type is %.80q; right is application/json, in UTF-8", ct)}
		}
	}
	if ce := r.Header.Get("Content-Encoding"); ce != "" && ce != "identity" {
		return nil, &refusal{http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Encoding is %.80q; right is none", ce)}
	}
	if r.ContentLength > int64(most) {
		return nil, tooLarge(most) // before it is sent
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(most)+1))
	if err != nil {
		return nil, stat.Errorf(stat.Invalid, "the body could not be read to its end")
	}
	if len(body) > most {
		return nil, tooLarge(most)
	}
	return body, nil
}

func tooLarge(most int) error {
	return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is over %d KiB", most>>10)}
}

// picture returns a spec's picture, from the cache or drawn.
func (a *API) picture(ctx context.Context, s *chart.Spec, digest, ending string) ([]byte, error) {
	key := digest + "-" + ending
	if file, _ := a.bodies.open(key); file != nil {
		defer file.Close()
		if picture, err := io.ReadAll(file); err == nil {
			return picture, nil
		}
	}
	picture, err := a.studio.draw(ctx, s, digest, ending)
	if err != nil {
		return nil, err
	}
	keep := a.bodies.create(key)
	keep.write(picture)
	a.bodies.keep(keep)
	return picture, nil
}

// chartFile answers with the picture of a chart that was drawn before: the
// same for ever, unless the dataset was removed.
func (x *exchange) chartFile() (reply, error) {
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return reply{}, err
	}
	name := x.r.PathValue("file")
	digest, ending, _ := strings.Cut(name, ".")
	if pictureTypes[ending] == nil || len(digest) != 32 || strings.Trim(digest, "0123456789abcdef") != "" {
		return reply{}, stat.Errorf(stat.NotFound, "there is no chart %.60q; its address is 32 hexadecimal digits and .png, .jpg or .svg", name)
	}
	text, err := x.api.store.Chart(digest)
	if err != nil {
		return reply{}, err
	}
	s, err := chart.Decode(text)
	if err != nil {
		return reply{}, err
	}
	if x.api.store.Catalog().Entry(s.Dataset) == nil {
		return reply{}, stat.Errorf(stat.NotFound, "the dataset of chart %s was removed", digest)
	}
	rep := x.api.pictureReply(x.r.Context(), s, digest, ending)
	rep.cache = forEver
	return rep, nil
}

// pictureReply is the reply with a spec's picture, drawn if it is sent.
func (a *API) pictureReply(ctx context.Context, s *chart.Spec, digest, ending string) reply {
	return reply{
		contentType: pictureTypes[ending], tag: tagOf([]byte("chart " + chart.Edition + " " + digest + "." + ending)), packed: ending != "svg",
		make: func() (*body, error) {
			picture, err := a.picture(ctx, s, digest, ending)
			if err != nil {
				return nil, err
			}
			return newBody(picture), nil
		},
	}
}

// drawnChart answers with a picture of a part of a dataset, for <img>.
func drawnChart(ending string) func(*exchange) (reply, error) {
	return func(x *exchange) (reply, error) {
		c, err := request.BindChart(x.r.URL.RawQuery)
		if c != nil && c.Data.Followed && x.caller.Account == 0 {
			return reply{}, errFollowedNeedsKey
		}
		if err != nil {
			return reply{}, err
		}
		v, err := x.open()
		if err != nil {
			return reply{}, err
		}
		if err := x.restrictChart(v, c); err != nil {
			return reply{}, err
		}
		s, _, err := request.Spec(x.r.Context(), v, c)
		if err != nil {
			return reply{}, err
		}
		_, digest := s.Encode()
		rep := x.api.pictureReply(x.r.Context(), s, digest, ending)
		if !c.Data.Followed { // which may have changed since
			rep.modified = cardOf(v).modified
		}
		return rep, nil
	}
}

// drawnRoute is the route of a dataset's chart in a format.
func drawnRoute(name string) route {
	ending := map[string]string{"png": "png", "jpeg": "jpg", "svg": "svg"}[name]
	return route{
		path: "/api/datasets/{id}/chart." + name, name: "drawChart" + strings.ToUpper(name), summary: "Draw a part of a dataset as " + strings.ToUpper(name), guard: counted,
		params: slices.Concat(request.ChartParams(), request.Params[request.Data]()), statuses: []int{200, 304, 400, 404, 503}, pictures: []string{ending},
		handle: drawnChart(ending), follows: (*exchange).drawnFollows,
	}
}
