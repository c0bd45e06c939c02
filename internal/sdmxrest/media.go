package sdmxrest

import (
	"io"
	"mime"
	"slices"
	"strings"

	"almanac/internal/encode"
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

// DataForms lists the syntaxes of data. The first of those that Accept prefers alike is chosen, and the
// first with a name. The names are those of sdmx-rest, then those of the servers of OECD, ECB and ILO, of the
// Fusion registries (UNICEF, BIS, Norges Bank) and of Eurostat.
var DataForms = []*DataForm{
	{MediaType: "application/vnd.sdmx.genericdata+xml;version=2.1", Names: []string{"genericdata", "generic", "sdmx-generic-2.1", "sdmx_2.1_generic"}, HasSets: true, Write: ml.WriteGeneric},
	{MediaType: "application/vnd.sdmx.structurespecificdata+xml;version=2.1", Names: []string{"structurespecificdata", "structurespecific", "sdmx-ml", "sdmx-compact-2.1", "sdmx_2.1_structured"}, HasSets: true, Write: ml.WriteSpecific},
	{MediaType: "application/vnd.sdmx.data+json;version=2.0.0", Names: jsonNames, IsV3: true, HasSets: true, Write: json.Write},
	{MediaType: "application/vnd.sdmx.data+json;version=1.0.0", Names: append([]string{"jsondata1", "sdmx-json-1"}, jsonNames...), Write: json.Write},
	{MediaType: "application/vnd.sdmx.data+csv;version=2.0.0", Names: csvNames, IsV3: true, IsCSV: true, HasSets: true, Write: csv.Write},
	{MediaType: "application/vnd.sdmx.data+csv;version=1.0.0", Names: append([]string{"csvdata1", "sdmx-csv-1"}, csvNames...), IsCSV: true, Write: csv.Write},
	// SDMX 2.1 has messages of their own for time series.
	{MediaType: "application/vnd.sdmx.generictimeseriesdata+xml;version=2.1", Names: []string{"generictimeseriesdata"}, HasSets: true, Write: ml.WriteGenericSeries},
	{MediaType: "application/vnd.sdmx.structurespecifictimeseriesdata+xml;version=2.1", Names: []string{"structurespecifictimeseriesdata"}, HasSets: true, Write: ml.WriteSpecificSeries},
	{MediaType: "application/vnd.sdmx.data+xml;version=3.0.0", Names: []string{"structurespecificdata3", "structurespecificdata"}, IsV3: true, HasSets: true, Write: ml.WriteSpecific},
}

// withLabels is the name of SDMX-CSV that has the names of codes in columns of their own.
const withLabels = "csvfilewithlabels"

var (
	jsonNames = []string{"jsondata", "sdmx-json", "json"}
	csvNames  = []string{"csvdata", "csvfile", withLabels, "sdmx-csv", "csv"}
)

// StructureForm is a syntax of structures.
type StructureForm struct {
	MediaType string
	Names     []string
	IsJSON    bool
}

// StructureForms lists the syntaxes of structures.
var StructureForms = []*StructureForm{
	{MediaType: "application/vnd.sdmx.structure+xml;version=2.1", Names: []string{"sdmx-ml", "structure", "xml", "sdmx-2.1"}},
	{MediaType: "application/vnd.sdmx.structure+json;version=2.0.0", Names: []string{"sdmx-json", "json"}, IsJSON: true},
}

// Wanted is the syntax that a caller asks for: the parameters format and formatVersion, the header Accept,
// and whether the request is one of SDMX 3.0, which has other syntaxes where neither says which.
type Wanted struct {
	Format, Version string
	Accept          []string
	IsV3            bool
}

// ChooseData returns the syntax of data that a caller asks for: by the parameter format, else by the
// header Accept, else the one that the version of the API has. The parameters are those of the
// media type, such as labels. It returns nil if Accept allows none that there is.
func ChooseData(w Wanted) (*DataForm, map[string]string, error) {
	otherwise := DataForms[0]
	if w.IsV3 {
		otherwise = DataForms[2]
	}
	generic := map[string]*DataForm{"application/xml": DataForms[0], "text/xml": DataForms[0], "application/json": DataForms[3], "text/csv": DataForms[5], "application/*": otherwise, "*/*": otherwise, "text/html": otherwise}
	if w.IsV3 {
		generic["application/json"], generic["text/csv"] = DataForms[2], DataForms[4]
	}
	f, params, err := choose(w, DataForms, func(f *DataForm) (string, []string) { return f.MediaType, f.Names }, generic, otherwise)
	if strings.EqualFold(w.Format, withLabels) {
		params = map[string]string{"labels": "name"}
	}
	return f, params, err
}

// ChooseStructure returns the syntax of structures that a caller asks for; see [ChooseData].
func ChooseStructure(w Wanted) (*StructureForm, error) {
	xml, js := StructureForms[0], StructureForms[1]
	otherwise := xml
	if w.IsV3 {
		otherwise = js
	}
	generic := map[string]*StructureForm{"application/xml": xml, "text/xml": xml, "application/json": js, "application/*": otherwise, "*/*": otherwise, "text/html": otherwise}
	f, _, err := choose(w, StructureForms, func(f *StructureForm) (string, []string) { return f.MediaType, f.Names }, generic, otherwise)
	return f, err
}

// choose returns the form that a caller asks for, otherwise if nothing is said, and nil if Accept names
// none. names returns the media type of a form and its names as values of the parameter format.
func choose[F any](w Wanted, forms []*F, names func(*F) (string, []string), generic map[string]*F, otherwise *F) (*F, map[string]string, error) {
	mediaType := func(f *F) string {
		kind, _ := names(f)
		return kind
	}
	accept := w.Accept
	switch {
	case strings.Contains(w.Format, "/"):
		accept = []string{strings.ReplaceAll(w.Format, " ", "+")} // a plus in an address may mean a space
	case w.Format != "":
		f, err := byName(w, forms, names)
		return f, nil, err
	case strings.TrimSpace(strings.Join(accept, "")) == "":
		return otherwise, nil, nil
	}
	var best *F
	var chosen encode.MediaType
	for m := range encode.Accepted(accept) {
		if m.Quality <= chosen.Quality {
			continue
		}
		if f := named(m.Kind, m.Params["version"], forms, mediaType, generic); f != nil {
			best, chosen = f, m
		}
	}
	if best == nil && w.Format != "" {
		return nil, nil, errFormat(w, forms, names)
	}
	return best, chosen.Params, nil
}

// byName returns the form with the name and version that the parameters format and formatVersion have.
func byName[F any](w Wanted, forms []*F, names func(*F) (string, []string)) (*F, error) {
	var versions []string
	for _, f := range forms {
		kind, all := names(f)
		if !slices.ContainsFunc(all, func(name string) bool { return strings.EqualFold(name, w.Format) }) {
			continue
		}
		_, params, _ := mime.ParseMediaType(kind)
		if w.Version == "" || sameVersion(w.Version, params["version"]) {
			return f, nil
		}
		versions = append(versions, params["version"])
	}
	if versions != nil {
		return nil, stat.Errorf(stat.Invalid, "parameter formatVersion must be %s for the format %s, not %.40q", strings.Join(versions, " or "), w.Format, w.Version)
	}
	return nil, errFormat(w, forms, names)
}

func errFormat[F any](w Wanted, forms []*F, names func(*F) (string, []string)) error {
	var known []string
	for _, f := range forms {
		_, all := names(f)
		known = append(known, all[0])
	}
	return stat.Errorf(stat.Invalid, "parameter format must be %s or a media type, not %.60q", stat.JoinWords(known), w.Format)
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
	return withoutZeros(wanted) == withoutZeros(own)
}

// withoutZeros returns a version without zeros at its end: "2" for "2.0.0".
func withoutZeros(version string) string {
	for strings.HasSuffix(version, ".0") {
		version = strings.TrimSuffix(version, ".0")
	}
	return version
}

// DataMediaTypes returns the media types of data as a list for people.
func DataMediaTypes() string {
	var names []string
	for _, f := range DataForms {
		names = append(names, f.MediaType)
	}
	return stat.JoinWords(names)
}

// StructureMediaTypes returns the media types of structures as a list for people.
func StructureMediaTypes() string {
	return stat.JoinWords([]string{StructureForms[0].MediaType, StructureForms[1].MediaType})
}
