package sdmxrest

import (
	"io"
	"mime"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/encode/sdmx/csv"
	"almanac/internal/encode/sdmx/json"
	"almanac/internal/encode/sdmx/ml"
	"almanac/internal/stat"
)

// DataForm is a syntax of data.
type DataForm struct {
	MediaType string
	Names     []string // as values of the parameter format
	IsV3      bool     // the message is one of SDMX 3.0
	IsCSV     bool
	HasSets   bool // the message can have several data sets
	Write     func(io.Writer, *sdmx.Message) error
}

// DataForms lists the syntaxes of data. The first of those that Accept prefers alike is chosen.
var DataForms = []*DataForm{
	{MediaType: "application/vnd.sdmx.genericdata+xml;version=2.1", Names: []string{"genericdata", "generic"}, HasSets: true, Write: ml.WriteGeneric},
	{MediaType: "application/vnd.sdmx.structurespecificdata+xml;version=2.1", Names: []string{"structurespecificdata", "structurespecific", "sdmx-ml"}, HasSets: true, Write: ml.WriteSpecific},
	{MediaType: "application/vnd.sdmx.data+json;version=2.0.0", Names: []string{"jsondata", "sdmx-json", "json"}, IsV3: true, HasSets: true, Write: json.Write},
	{MediaType: "application/vnd.sdmx.data+json;version=1.0.0", Names: []string{"jsondata1", "sdmx-json-1"}, Write: json.Write},
	{MediaType: "application/vnd.sdmx.data+csv;version=2.0.0", Names: []string{"csvdata", "sdmx-csv", "csv"}, IsV3: true, IsCSV: true, HasSets: true, Write: csv.Write},
	{MediaType: "application/vnd.sdmx.data+csv;version=1.0.0", Names: []string{"csvdata1", "sdmx-csv-1"}, IsCSV: true, Write: csv.Write},
	// SDMX 2.1 has messages of their own for time series.
	{MediaType: "application/vnd.sdmx.generictimeseriesdata+xml;version=2.1", HasSets: true, Write: ml.WriteGenericSeries},
	{MediaType: "application/vnd.sdmx.structurespecifictimeseriesdata+xml;version=2.1", HasSets: true, Write: ml.WriteSpecificSeries},
}

// StructureForm is a syntax of structures.
type StructureForm struct {
	MediaType string
	Names     []string
	IsJSON    bool
}

// StructureForms lists the syntaxes of structures.
var StructureForms = []*StructureForm{
	{MediaType: "application/vnd.sdmx.structure+xml;version=2.1", Names: []string{"sdmx-ml", "structure", "xml"}},
	{MediaType: "application/vnd.sdmx.structure+json;version=2.0.0", Names: []string{"sdmx-json", "json"}, IsJSON: true},
}

// ChooseData returns the syntax of data that a caller asks for: by the parameter format, else by the
// header Accept, else the one that the version of the API has. The parameters are those of the
// media type, such as labels. It returns nil if Accept allows none that there is.
func ChooseData(format, accept string, isV3 bool) (*DataForm, map[string]string, error) {
	otherwise := DataForms[0]
	if isV3 {
		otherwise = DataForms[2]
	}
	if format != "" {
		var names []string
		for _, f := range DataForms {
			if slices.Contains(f.Names, format) || format == f.MediaType {
				return f, nil, nil
			}
			names = append(names, f.Names[:min(1, len(f.Names))]...)
		}
		return nil, nil, errFormat(format, names)
	}
	generic := map[string]*DataForm{"application/xml": DataForms[0], "text/xml": DataForms[0], "application/json": DataForms[3], "text/csv": DataForms[5], "application/*": otherwise, "*/*": otherwise, "text/html": otherwise}
	if isV3 {
		generic["application/json"], generic["text/csv"] = DataForms[2], DataForms[4]
	}
	return choose(accept, DataForms, func(f *DataForm) string { return f.MediaType }, generic, otherwise)
}

// ChooseStructure returns the syntax of structures that a caller asks for; see [ChooseData].
func ChooseStructure(format, accept string, isV3 bool) (*StructureForm, error) {
	xml, js := StructureForms[0], StructureForms[1]
	otherwise := xml
	if isV3 {
		otherwise = js
	}
	if format != "" {
		for _, f := range StructureForms {
			if slices.Contains(f.Names, format) || format == f.MediaType {
				return f, nil
			}
		}
		return nil, errFormat(format, []string{"sdmx-ml", "sdmx-json"})
	}
	generic := map[string]*StructureForm{"application/xml": xml, "text/xml": xml, "application/json": js, "application/*": otherwise, "*/*": otherwise, "text/html": otherwise}
	f, _, err := choose(accept, StructureForms, func(f *StructureForm) string { return f.MediaType }, generic, otherwise)
	return f, err
}

func errFormat(format string, names []string) error {
	return stat.Errorf(stat.Invalid, "parameter format must be %s or a media type, not %.60q", stat.JoinWords(names), format)
}

// choose returns the form that a header Accept prefers, otherwise if there is no header, and nil if
// it names none.
func choose[F any](accept string, forms []*F, mediaType func(*F) string, generic map[string]*F, otherwise *F) (*F, map[string]string, error) {
	if strings.TrimSpace(accept) == "" {
		return otherwise, nil, nil
	}
	var best *F
	var bestParams map[string]string
	bestQuality := 0.0
	for item := range strings.SplitSeq(accept, ",") {
		kind, params, err := mime.ParseMediaType(strings.ReplaceAll(item, "+;", ";"))
		if err != nil {
			continue
		}
		quality := 1.0
		if text, ok := params["q"]; ok {
			if quality, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		if quality <= bestQuality {
			continue
		}
		if f := named(kind, params["version"], forms, mediaType, generic); f != nil {
			best, bestParams, bestQuality = f, params, quality
		}
	}
	return best, bestParams, nil
}

// named returns the form with a media type and version; without a version, the first.
func named[F any](kind, version string, forms []*F, mediaType func(*F) string, generic map[string]*F) *F {
	if f := generic[kind]; f != nil {
		return f
	}
	for _, f := range forms {
		own, params, _ := mime.ParseMediaType(mediaType(f))
		if own == kind && (version == "" || sameVersion(version, params["version"])) {
			return f
		}
	}
	return nil
}

// sameVersion reports whether a version that a caller accepts is one that there is. A plus after a
// number accepts later versions too.
func sameVersion(wanted, own string) bool {
	if plain, _, isOpen := strings.Cut(wanted, "+"); isOpen {
		return strings.Split(plain, ".")[0] == strings.Split(own, ".")[0] || plain < own
	}
	return strings.TrimSuffix(wanted, ".0") == strings.TrimSuffix(own, ".0") || strings.TrimSuffix(wanted, ".0.0") == strings.TrimSuffix(own, ".0.0")
}

// DataMediaTypes returns the media types of data as a list for people.
func DataMediaTypes() string {
	var names []string
	for _, f := range DataForms {
		if f.Names != nil {
			names = append(names, f.MediaType)
		}
	}
	return stat.JoinWords(names)
}

// StructureMediaTypes returns the media types of structures as a list for people.
func StructureMediaTypes() string {
	return stat.JoinWords([]string{StructureForms[0].MediaType, StructureForms[1].MediaType})
}
