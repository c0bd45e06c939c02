// Package sdmxtest replays SDMX servers for tests.
package sdmxtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"almanac/internal/source/replay"
)

// Server replays an office's SDMX 2.1 REST service: real messages under the office's real
// paths. Lists of dataflows are generated, because there is no real list among the files.
// It is safe for concurrent use.
//
// startPeriod, endPeriod and a key remove observations from the message; the rest does
// not change.
type Server struct {
	Base string // path of the service: "/service"

	// Limit is the maximum number of observations in a response; 0: no limit. More
	// are refused with Status (0: 413) and Refusal (empty: an SDMX message).
	Limit   int
	Status  int
	Refusal string

	Silent bool // a longer CSV is truncated after Limit observations without an error

	Strict bool // other media types than those of the dataflow are refused with 406
	NoTags bool // neither ETag nor Last-Modified

	mu    sync.Mutex
	flows []Flow
}

// Flow is a dataflow of a service.
type Flow struct {
	Agency, ID string
	Names      map[string]string // by language; empty: none
	Updated    string            // stated by an annotation; empty: not stated
	Structure  string            // file; empty: 404
	Data       []Data            // the first one is the default
	Key        []string          // the dimensions of a key, in order
}

// Data is a dataflow's data in one media type.
type Data struct {
	Type string // "application/vnd.sdmx.data+csv"
	File string
}

// The media types of data, without versions.
const (
	SDMXCSV     = "application/vnd.sdmx.data+csv"
	Specific    = "application/vnd.sdmx.structurespecificdata+xml"
	SDMXGeneric = "application/vnd.sdmx.genericdata+xml"
	SDMXJSON    = "application/vnd.sdmx.data+json"
)

// Publish adds or replaces a dataflow.
func (s *Server) Publish(f Flow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.flows, func(o Flow) bool { return o.Agency == f.Agency && o.ID == f.ID }); i >= 0 {
		s.flows[i] = f
		return
	}
	s.flows = append(s.flows, f)
}

// SetLimit sets Limit while the server runs.
func (s *Server) SetLimit(limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Limit = limit
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	flows, limit := slices.Clone(s.flows), s.Limit
	s.mu.Unlock()
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, s.Base), "/metadata")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case !strings.HasPrefix(r.URL.Path, s.Base):
		http.NotFound(w, r)
	case parts[0] == "dataflow" && (len(parts) < 3 || parts[2] == "all"):
		s.serveList(w, r, flows, parts)
	case parts[0] == "dataflow":
		if f := findFlow(flows, parts[1]+","+parts[2]); f != nil && f.Structure != "" {
			s.serveFile(w, r, f.Structure)
			return
		}
		sendError(w, http.StatusNotFound, "100", "No results found")
	case parts[0] == "data" && len(parts) > 1:
		f := findFlow(flows, parts[1])
		if f == nil {
			sendError(w, http.StatusNotFound, "100", "Could not find Dataflow and/or DSD related with this data request")
			return
		}
		s.serveData(w, r, f, append(parts, "all")[2], limit)
	default:
		sendError(w, http.StatusNotImplemented, "501", "Not implemented")
	}
}

// findFlow finds a dataflow by FLOW, AGENCY,FLOW or AGENCY,FLOW,VERSION.
func findFlow(flows []Flow, ref string) *Flow {
	parts := strings.Split(ref, ",")
	for i, f := range flows {
		if len(parts) == 1 && f.ID == parts[0] || len(parts) > 1 && f.ID == parts[1] && (parts[0] == f.Agency || parts[0] == "all") {
			return &flows[i]
		}
	}
	return nil
}

// serveList sends the dataflows of an agency.
func (s *Server) serveList(w http.ResponseWriter, r *http.Request, flows []Flow, parts []string) {
	agency := append(parts, "all")[1]
	var b bytes.Buffer
	b.WriteString(ListHead)
	for _, f := range flows {
		if agency == "all" || agency == f.Agency {
			b.WriteString(f.XML())
		}
	}
	b.WriteString(ListTail)
	s.send(w, r, b.Bytes(), "application/vnd.sdmx.structure+xml;version=2.1")
}

// The beginning and the end of a list of dataflows.
const (
	ListHead = `<?xml version="1.0" encoding="UTF-8"?>
<mes:Structure xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:str="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">
<mes:Header><mes:ID>list</mes:ID><mes:Test>false</mes:Test><mes:Prepared>2025-01-01T00:00:00Z</mes:Prepared><mes:Sender id="replay"/></mes:Header>
<mes:Structures><str:Dataflows>
`
	ListTail = "</str:Dataflows></mes:Structures></mes:Structure>\n"
)

// XML returns the dataflow as in lists.
func (f Flow) XML() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<str:Dataflow id="%s" agencyID="%s" version="1.0" isFinal="true">`, f.ID, f.Agency)
	if f.Updated != "" {
		fmt.Fprintf(&b, `<com:Annotations><com:Annotation id="LAST_UPDATE"><com:AnnotationTitle>%s</com:AnnotationTitle></com:Annotation></com:Annotations>`, f.Updated)
	}
	for _, language := range []string{"fr", "it", "en"} {
		if name := f.Names[language]; name != "" {
			b.WriteString(`<com:Name xml:lang="` + language + `">`)
			_ = xml.EscapeText(&b, []byte(name))
			b.WriteString(`</com:Name>`)
		}
	}
	b.WriteString("</str:Dataflow>\n")
	return b.String()
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, file string) {
	body, err := os.ReadFile(file)
	if err != nil {
		http.Error(w, "cannot read the test file: "+err.Error(), http.StatusInternalServerError)
		return
	}
	s.send(w, r, body, "application/vnd.sdmx.structure+xml;version=2.1")
}

// serveData sends the requested part of a dataflow's data.
func (s *Server) serveData(w http.ResponseWriter, r *http.Request, f *Flow, key string, limit int) {
	if len(f.Data) == 0 {
		sendError(w, http.StatusNotFound, "100", "No results found")
		return
	}
	accept := r.Header.Get("Accept")
	i := slices.IndexFunc(f.Data, func(d Data) bool { return strings.Contains(accept, d.Type) })
	if i < 0 && s.Strict {
		sendError(w, http.StatusNotAcceptable, "406", "Not acceptable: "+accept)
		return
	}
	d := f.Data[max(i, 0)]
	m, err := readMessage(d.File)
	if err != nil {
		http.Error(w, "cannot read the test file: "+err.Error(), http.StatusInternalServerError)
		return
	}
	q := r.URL.Query()
	body, observations := m.cut(newSelection(f.Key, key, q.Get("startPeriod"), q.Get("endPeriod")))
	switch {
	case observations == 0:
		sendError(w, http.StatusNotFound, "100", "No results found")
	case limit > 0 && observations > limit && s.Silent:
		s.send(w, r, bytes.Join(bytes.SplitAfterN(body, []byte("\n"), limit+2)[:limit+1], nil), d.Type)
	case limit > 0 && observations > limit && s.Refusal != "":
		w.WriteHeader(max(s.Status, 100))
		_, _ = w.Write([]byte(s.Refusal))
	case limit > 0 && observations > limit:
		sendError(w, http.StatusRequestEntityTooLarge, "413", "Response too large due to client request")
	default:
		s.send(w, r, body, d.Type)
	}
}

// send writes a response, or 304.
func (s *Server) send(w http.ResponseWriter, r *http.Request, body []byte, mediaType string) {
	digest := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(digest[:8]) + `"`
	w.Header().Set("Content-Type", mediaType)
	if !s.NoTags {
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	_, _ = w.Write(body)
}

// sendError sends an SDMX error message.
func sendError(w http.ResponseWriter, status int, code, text string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprint(w, ErrorMessage(code, text))
}

// ErrorMessage returns an SDMX error message.
func ErrorMessage(code, text string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><mes:Error xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">` +
		`<mes:ErrorMessage code="` + code + `"><com:Text xml:lang="en">` + text + `</com:Text></mes:ErrorMessage></mes:Error>`
}

// Offices returns the services with real files in dir, by office ID.
func Offices(dir string) map[string]*Server {
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	services := map[string]*Server{
		"ecb": {Base: "/service"}, "insee": {Base: "/series/sdmx"}, "istat": {Base: "/SDMXWS/rest"}, "ilo": {Base: "/rest"},
		"unicef": {Base: "/ws/public/sdmxapi/rest"}, "imf": {Base: "/external/sdmx/2.1"}, "oecd": {Base: "/public/rest"}, "bis": {Base: "/api/v1"},
	}
	services["ecb"].Publish(Flow{Agency: "ECB", ID: "EXR", Names: map[string]string{"en": "Exchange Rates"}, Structure: at("ecb", "ecb-datastructure-2.1.xml"),
		Key:  []string{"FREQ", "CURRENCY", "CURRENCY_DENOM", "EXR_TYPE", "EXR_SUFFIX"},
		Data: []Data{{SDMXGeneric, at("ecb", "ecb-data-generic-2.1.xml")}, {Specific, at("ecb", "ecb-data-specific-2.1.xml")}}})
	services["insee"].Publish(Flow{Agency: "FR1", ID: "IPI-2010-A21", Names: map[string]string{"fr": "Indice de la production industrielle", "en": "Industrial production index"},
		Structure: at("insee", "insee-datastructure-2.1.xml"), Key: []string{"FREQ", "PRODUIT", "NATURE"},
		Data: []Data{{Specific, at("insee", "insee-data-specific-2.1.xml")}, {SDMXGeneric, at("insee", "insee-data-generic-2.1.xml")}}})
	services["istat"].Publish(Flow{Agency: "IT1", ID: "47_850", Names: map[string]string{"it": "Servizi socio-educativi per la prima infanzia", "en": "Socio-educational services for infancy day-care"},
		Updated: "2025-11-14T16:15:51.591Z", Structure: at("istat", "47_850-dsd.xml"), Data: []Data{{SDMXGeneric, at("istat", "47_850-data.xml")}}})
	services["ilo"].Publish(Flow{Agency: "ILO", ID: "DF_EMPTY", Names: map[string]string{"en": "A structure without data"}, Structure: at("istat", "47_850-dsd.xml")})
	services["unicef"].Publish(Flow{Agency: "UNICEF", ID: "CME", Names: map[string]string{"en": "Child mortality"}, Structure: at("unicef", "codelist_CL_COUNTRY.xml"),
		Key: []string{"REF_AREA", "INDICATOR", "SEX", "WEALTH_QUINTILE"}, Data: []Data{{SDMXCSV, at("unicef", "CME_MRY0T4_all_2020.csv")}}})
	services["imf"].Publish(Flow{Agency: "IMF.STA", ID: "DOT", Names: map[string]string{"en": "Direction of Trade"}, Structure: at("imf", "imf-dot-datastructure-2.0.xml"),
		Data: []Data{{Specific, at("imf", "imf-dot-data-compact-2.0.xml")}}})
	services["oecd"].Publish(Flow{Agency: "OECD.SDD.STES", ID: "DSD_MEI@DF_MEI", Names: map[string]string{"en": "Main Economic Indicators"}, Structure: at("oecd", "oecd-mei-datastructure-2.0.xml"),
		Data: []Data{{SDMXGeneric, at("oecd", "oecd-mei-data-generic.xml")}}})
	services["oecd"].Publish(Flow{Agency: "OECD.ELS", ID: "PART2", Names: map[string]string{"en": "Part-time employment"}, Data: []Data{{SDMXJSON, at("oecd", "PART2-sdmx-json-1.0.json")}}})
	services["bis"].Publish(Flow{Agency: "BIS", ID: "WEBSTATS_DER_DATAFLOW", Names: map[string]string{"en": "Derivatives"},
		Data: []Data{{SDMXCSV, at("bis", "BIS_DER-sdmx-csv-1.0.csv")}, {Specific, at("bis", "BIS_DER-structure-specific.xml")}, {SDMXGeneric, at("bis", "BIS_DER-generic.xml")}}})
	return services
}

// StatCan replays Statistics Canada's service of whole tables.
func StatCan(dir string) http.Handler {
	files := replay.NewFiles(map[string]string{"/n1/tbl/sdmx/34100158-SDMX.zip": filepath.Join(dir, "statcan", "34100158.zip")})
	files.SetBody("/t1/wds/rest/getAllCubesListLite", `[{"productId":34100158,"cansimId":null,"cubeTitleEn":"Canada Mortgage and Housing Corporation, housing starts","cubeTitleFr":"Mises en chantier","releaseTime":"2021-10-18T12:30","subjectCode":["34"]},
{"productId":14100287,"cubeTitleEn":"Labour force characteristics","cubeTitleFr":"Population active","releaseTime":"2021-11-05T12:30","subjectCode":["14"]}]`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id, ok := strings.CutPrefix(r.URL.Path, "/t1/wds/rest/getFullTableDownloadSDMX/"); ok {
			status, object := "SUCCESS", "http://"+r.Host+"/n1/tbl/sdmx/"+id+"-SDMX.zip"
			if id != "34100158" {
				status, object = "FAILED", "Invalid product"
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"status":%q,"object":%q}`, status, object)
			return
		}
		files.ServeHTTP(w, r)
	})
}
