package api

import (
	"mime"
	"net/http"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/encode/csv"
	"almanac/internal/encode/jsonstat"
	"almanac/internal/encode/ndjson"
	"almanac/internal/request"
)

// form is a form in which data are handed out besides JSON. Its address is that of the data with
// an extension; at the address of the data, Accept chooses it.
type form struct {
	extension string // of the address and the name of the file
	name      string // for people
	mediaType string
	isBinary  bool
	isPacked  bool // it does not compress
	params    []request.Param
	bind      func(query string) (request.Data, encode.Options, error)
	write     writeForm
}

// forms lists the forms in the order in which Accept prefers them among equals.
var forms = []*form{&csvForm, &parquetForm, &ndjsonForm, &jsonstatForm, &xlsxForm, &sdmxCSVForm, &sdmxJSONForm, &sdmxMLForm}

var csvForm = form{
	extension: "csv", name: "CSV", mediaType: "text/csv", params: request.Params[request.CSV](), write: csv.Write,
	bind: func(query string) (request.Data, encode.Options, error) {
		var p request.CSV
		if err := request.Bind(query, &p); err != nil {
			return p.Data, encode.Options{}, err
		}
		o, err := p.Options()
		return p.Data, o, err
	},
}

var ndjsonForm = form{
	extension: "ndjson", name: "lines of JSON", mediaType: "application/x-ndjson", params: request.Params[request.NDJSON](), write: ndjson.Write,
	bind: func(query string) (request.Data, encode.Options, error) {
		var p request.NDJSON
		if err := request.Bind(query, &p); err != nil {
			return p.Data, encode.Options{}, err
		}
		o, err := p.Options()
		return p.Data, o, err
	},
}

var jsonstatForm = form{
	extension: "jsonstat", name: "JSON-stat", mediaType: "application/vnd.json-stat+json", params: request.Params[request.File](), write: jsonstat.Write,
	bind: func(query string) (request.Data, encode.Options, error) {
		var p request.File
		err := request.Bind(query, &p)
		return p.Data, encode.Options{}, err
	},
}

// fileRoute returns the route of the data of a dataset in a form.
func fileRoute(f *form) route {
	return route{
		path: "/api/datasets/{id}/data." + f.extension, name: "readData" + strings.ToUpper(strings.ReplaceAll(f.extension, ".", "")), summary: "Read a part of a dataset as " + f.name, inOne: true, counted: true, inRanges: true,
		params: f.params, statuses: []int{200, 206, 304, 400, 404, 412, 416}, form: f,
		handle: func(x *exchange) (*reply, error) { return x.file(f) },
		wantsFollowed: func(x *exchange) bool {
			p, _, _ := f.bind(x.r.URL.RawQuery)
			return p.Followed
		},
	}
}

// schema describes the file in the API reference.
func (f *form) schema() object {
	switch {
	case f.isBinary:
		return object{"type": "string", "format": "binary"}
	case f.mediaType == applicationJSON[0], strings.Contains(f.mediaType, "+json"):
		return object{"type": "object"}
	}
	return object{"type": "string"}
}

// header returns the Content-Type.
func (f *form) header() []string {
	if strings.HasPrefix(f.mediaType, "text/") {
		return []string{f.mediaType + "; charset=utf-8"}
	}
	return []string{f.mediaType}
}

// formFor reads a header Accept. It returns the form that is preferred to JSON, or nil, and whether JSON
// will do: by its media type or a wildcard, for which some programs write * in place of */*. An Accept that
// names neither JSON nor a form is refused.
func formFor(accept []string) (best *form, takesJSON bool, err error) {
	bestQuality, json, isStated := 0.0, 0.0, false
	for m := range encode.Accepted(accept) {
		isStated = true
		switch m.Kind {
		case "application/json":
			json = max(json, m.Quality)
			fallthrough
		case "application/*", "*/*", "*":
			takesJSON = takesJSON || m.Quality > 0
		}
		if f := formOf(m.Kind, m.Params); f != nil && m.Quality > bestQuality {
			best, bestQuality = f, m.Quality
		}
	}
	if isStated && best == nil && !takesJSON {
		return nil, false, &refusal{http.StatusNotAcceptable, "Accept names no media type of data that there is; there are application/json, " + mediaTypes()}
	}
	if bestQuality <= json {
		best = nil
	}
	return best, takesJSON, nil
}

// mediaTypes lists those of the forms.
func mediaTypes() string {
	var list []string
	for _, f := range forms {
		list = append(list, f.mediaType)
	}
	return strings.Join(list, ", ")
}

// statedForm is a form with the parameters that its media type states.
type statedForm struct {
	*form
	params map[string]string
}

// formsByKind lists the forms by media type without parameters.
var formsByKind = func() map[string][]statedForm {
	byKind := map[string][]statedForm{}
	for _, f := range forms {
		kind, params, err := mime.ParseMediaType(f.mediaType)
		if err != nil {
			panic(err) // it is part of the program
		}
		byKind[kind] = append(byKind[kind], statedForm{f, params})
	}
	return byKind
}()

// formOf returns the form with a media type. The parameters that a form states must be equal if
// the caller states them.
func formOf(kind string, params map[string]string) *form {
	for _, f := range formsByKind[kind] {
		isSame := true
		for name, value := range params {
			isSame = isSame && (f.params[name] == "" || strings.EqualFold(f.params[name], value))
		}
		if isSame {
			return f.form
		}
	}
	return nil
}

// varyByForm says that the response depends on Accept.
func (x *exchange) varyByForm() { x.w.Header()["Vary"] = varyForm }
