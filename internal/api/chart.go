package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"almanac/internal/chart"
	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// pictureTypes maps file name extensions to the media types of pictures.
var pictureTypes = map[string][]string{
	"png":  {"image/png"},
	"jpg":  {"image/jpeg"},
	"svg":  {"image/svg+xml"},
	"html": {"text/html; charset=utf-8"}, // a page that shows the values
}

// generateChart draws a chart and replies with the picture and its address.
func (x *exchange) generateChart() (*reply, error) {
	text, err := x.readJSON(request.MaxChart)
	if err != nil {
		return nil, err
	}
	c, invalid := request.ReadChart(text)
	if c.Data.Followed && x.caller.Organisation == 0 {
		return nil, errFollowedNeedsKey
	}
	p, err := bind[request.Drawn](x)
	if err != nil {
		return nil, err
	}
	if invalid != nil {
		return nil, invalid
	}
	if err := x.admit(); err != nil {
		return nil, err // before anything is drawn
	}
	at, err := c.Data.At()
	if err != nil {
		return nil, err
	}
	v, err := x.vintageOf(c.DatasetID, at)
	if err != nil {
		return nil, err
	}
	spec, notices, err := x.chartSpec(v, c)
	if err != nil {
		return nil, err
	}
	specText, digest := spec.Encode()
	ending := "png"
	if c.Format == "jpeg" {
		ending = "jpg"
	}
	picture, err := x.api.picture(x.r.Context(), spec, digest, ending)
	if err != nil {
		return nil, err
	}
	// The address must work as soon as the caller has it.
	if err := x.api.opts.Store.KeepChart(digest, specText); err != nil {
		return nil, err
	}
	out := append([]byte(nil), `{"success":true,"base64":"`...)
	out = base64.StdEncoding.AppendEncode(out, picture)
	if c.IsPage {
		ending = "html"
	}
	out = json.AppendText(append(out, '"'), "url", x.api.opts.BaseURL+"/charts/"+digest+"."+ending)
	out = json.AppendText(out, "alt", spec.Alt())
	if p.Notes {
		out = json.AppendTexts(json.AppendName(out, "notes"), spec.Footnotes())
	}
	return jsonReply(append(appendNotices(out, notices), '}')), nil
}

func (x *exchange) chartBodyWantsFollowed() bool {
	text, err := x.readJSON(request.MaxChart)
	c, _ := request.ReadChart(text)
	return err == nil && c.Data.Followed
}

// chartRoute returns the route of the charts of a dataset in a format, for <img>.
func chartRoute(format, ending string) route {
	return route{
		path: "/api/datasets/{id}/chart." + format, name: "drawChart" + strings.ToUpper(format), summary: "Draw a part of a dataset as " + strings.ToUpper(format), counted: true, inOne: true,
		params: slices.Concat(request.ChartParams(), request.SelectionParams()), statuses: []int{200, 304, 400, 404, 503}, pictures: []string{ending, "html"},
		handle:        func(x *exchange) (*reply, error) { return x.datasetChart(ending) },
		wantsFollowed: chartAddressWantsFollowed,
	}
}

func chartAddressWantsFollowed(x *exchange) bool {
	c, _ := request.BindChart(x.r.URL.RawQuery)
	return c.Data.Followed
}

// datasetChart draws a chart of a dataset.
func (x *exchange) datasetChart(ending string) (*reply, error) {
	c, err := x.addressedChart()
	if err != nil {
		return nil, err
	}
	_, digest := c.spec.Encode()
	if c.request.IsPage {
		ending = "html"
	}
	x.w.Header()["X-Notice"] = noticeHeaders(c.notices)
	rep := x.pictureReply(c.spec, digest, ending)
	rep.modified = c.modified
	return rep, nil
}

// addressedChart is the chart that the address of a request describes.
type addressedChart struct {
	request  *request.Chart
	spec     *chart.Spec
	notices  []request.Notice
	modified lastModified // zero: what is followed may have changed since
}

func (x *exchange) addressedChart() (*addressedChart, error) {
	c, invalid := request.BindChart(x.r.URL.RawQuery)
	if c.Data.Followed && x.caller.Organisation == 0 {
		return nil, errFollowedNeedsKey
	}
	if invalid != nil {
		return nil, invalid
	}
	v, err := x.vintage(c.Data.Edition)
	if err != nil {
		return nil, err
	}
	a := &addressedChart{request: c}
	if a.spec, a.notices, err = x.chartSpec(v, c); err != nil || c.Data.Followed {
		return a, err
	}
	a.modified = baseOf(v).modified
	for _, other := range c.Others {
		if m := baseOf(other.Vintage).modified; m.at.After(a.modified.at) {
			a.modified = m
		}
	}
	return a, nil
}

// chartFile replies with the picture of a drawn chart, which never changes. It is gone
// if the dataset was removed.
func (x *exchange) chartFile() (*reply, error) {
	name := x.r.PathValue("file")
	digest, ending, _ := strings.Cut(name, ".")
	if ending == "jpeg" {
		ending = "jpg"
	}
	if pictureTypes[ending] == nil || len(digest) != 32 || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, stat.Errorf(stat.NotFound, "there is no chart %.60q; the name of a chart is 32 hexadecimal digits and .png, .jpg, .svg or .html", name)
	}
	text, err := x.api.opts.Store.Chart(digest)
	if err != nil {
		return nil, err
	}
	spec, err := chart.Decode(text, x.api.opts.Atlas)
	if err != nil {
		return nil, err
	}
	for _, id := range append(spec.Others, spec.Dataset) {
		if x.api.opts.Store.Catalog().Entry(id) == nil {
			return nil, stat.Errorf(stat.NotFound, "a dataset of chart %s was removed", digest)
		}
	}
	rep := x.pictureReply(spec, digest, ending)
	rep.cacheControl = immutable
	return rep, nil
}

func (x *exchange) chartSpec(v *store.Vintage, c *request.Chart) (spec *chart.Spec, notices []request.Notice, err error) {
	if c.Followed, err = x.followed(v, c.Data.Followed); err != nil {
		return nil, nil, err
	}
	lang := c.Data.Lang
	l, err := x.localised(v, lang)
	if err != nil {
		return nil, nil, err
	}
	openOther := func(id string, e request.Edition) (*store.Vintage, error) {
		at, err := e.At()
		if err != nil {
			return nil, err
		}
		v, err := x.vintageOf(id, at)
		if err != nil {
			return nil, err
		}
		other, err := request.Localise(x.r.Context(), v, lang, x.acceptLanguage())
		return other.Vintage, err
	}
	if err := c.OpenOthers(openOther); err != nil {
		return nil, nil, err
	}
	instead := insteadNotice(v, c.Data.Edition)
	if instead != nil {
		c.Data.Version = v.Version // so that the picture says it
	}
	c.UseLanguage(l)
	c.Options.Atlas = x.api.opts.Atlas
	c.Store = x.api.opts.Store
	spec, notices, err = request.Spec(x.r.Context(), l.Vintage, c)
	return spec, slices.Concat(notices, l.Notices, instead), err
}

// pictureReply returns a reply with the picture of a spec, which is drawn when sent.
func (x *exchange) pictureReply(spec *chart.Spec, digest, ending string) *reply {
	x.w.Header()["Content-Security-Policy"] = noScripts
	if ending == "html" {
		x.w.Header()["Content-Security-Policy"] = pageScript
	}
	encode := func(s *stream) error {
		picture, err := x.api.picture(x.r.Context(), spec, digest, ending)
		s.Buf = append(s.Buf, picture...)
		return err
	}
	return &reply{
		contentType: pictureTypes[ending], tag: tagOf([]byte("chart " + chart.Edition + " " + digest + "." + ending)),
		encode: encode, isPacked: ending != "svg" && ending != "html",
	}
}

// Pictures draws a chart as SVG in several looks, all at the same time. ok is false if what the chart shows depends on its size, so
// that each picture has to be requested.
func (c *AgentCall) Pictures(ctx context.Context, s *chart.Spec, looks []chart.Look) (pictures [][]byte, ok bool, err error) {
	specs := make([]*chart.Spec, len(looks))
	for i, look := range looks {
		if specs[i], ok = s.In(look); !ok {
			return nil, false, nil
		}
	}
	_, digest := s.Encode()
	pictures = make([][]byte, len(looks))
	var all errgroup.Group
	for i, look := range looks {
		name := sha256.Sum256(fmt.Appendf(nil, "%s %+v", digest, look)) // the Spec is the same in all
		all.Go(func() (err error) {
			pictures[i], err = c.api.picture(ctx, specs[i], hex.EncodeToString(name[:16]), "svg")
			return err
		})
	}
	return pictures, true, all.Wait()
}

// picture draws a picture, or reads it from the cache. Sparklines are not cached: drawing one
// takes less time than creating a file.
func (a *API) picture(ctx context.Context, s *chart.Spec, digest, ending string) ([]byte, error) {
	if s.Type == chart.Spark {
		return a.renderer.draw(ctx, s, digest, ending)
	}
	key := digest + "-" + ending
	if file := a.cache.open(key); file != nil {
		defer file.Close()
		picture := make([]byte, file.size)
		if _, err := file.ReadAt(picture, 0); err == nil {
			return picture, nil
		}
	}
	picture, err := a.renderer.draw(ctx, s, digest, ending)
	if err != nil {
		return nil, err
	}
	file := a.cache.create(key, nil)
	file.write(picture)
	a.cache.keep(file)
	return picture, nil
}
