// Package eurostattest replays Eurostat for tests.
package eurostattest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"almanac/internal/source/replay"
)

// Server replays Eurostat's dissemination service. The case of the codes of
// datasets and code lists does not matter, and files are sent packed. It is safe for
// concurrent use.
type Server struct {
	files *replay.Files

	mu     sync.Mutex
	plain  map[string]string   // by path: a file to be packed at the first request
	queued map[string][]string // by code: the next statuses of its job
	jobs   map[string]string   // code, by ID of the job
}

const (
	eurostatBase     = "/eurostat/api/dissemination"
	eurostatContents = eurostatBase + "/catalogue/toc/txt"
	eurostatData     = eurostatBase + "/sdmx/2.1/data/"
	eurostatLists    = eurostatBase + "/sdmx/2.1/codelist/ESTAT/"
	eurostatStatus   = eurostatBase + "/1.0/async/status/"
	eurostatResult   = eurostatBase + "/1.0/async/data/"
)

// New serves the real tables in the format since 2023, the real table of
// contents, one real code list, and those earlier dictionaries that are in ASCII or
// UTF-8.
func New(dir string) *Server {
	e := &Server{files: replay.NewFiles(nil), plain: map[string]string{}, queued: map[string][]string{}, jobs: map[string]string{}}
	dir = filepath.Join(dir, "eurostat")
	e.files.Set(eurostatContents, filepath.Join(dir, "toc", "table_of_contents_en.txt"))
	tables, _ := filepath.Glob(filepath.Join(dir, "tsv-new", "*.tsv*"))
	for _, file := range tables {
		code, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), "estat_"), ".")
		e.Publish(code, file)
	}
	for dimension, file := range map[string]string{
		"age": "dic/age.dic", "geo": "dic/geo-2021.dic", "icd10": "codelist/ESTAT_ICD10_5.1_EN.tsv.gz",
		"nace_r2": "dic/nace_r2.dic", "sex": "dic/sex.dic", "unit": "dic/unit.dic",
	} {
		e.setPacked(eurostatLists+dimension, filepath.Join(dir, filepath.FromSlash(file)))
		name := "ESTAT_" + strings.ToUpper(dimension) + "_5.1_EN.tsv.gz"
		e.files.Header(eurostatLists+dimension, "Content-Disposition", `attachment; filename="`+name+`"`)
	}
	return e
}

// Publish replaces a dataset by a local file, which is packed if necessary.
func (e *Server) Publish(code, file string) {
	code = strings.ToLower(code)
	e.setPacked(eurostatData+code, file)
	e.files.Header(eurostatData+code, "Content-Disposition", "attachment; filename=estat_"+code+".tsv.gz")
}

// PublishText replaces a dataset, or with the code "contents" the table of contents,
// by a text.
func (e *Server) PublishText(code, text string) {
	if code == "contents" {
		e.files.SetBody(eurostatContents, text)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	path := eurostatData + strings.ToLower(code)
	delete(e.plain, path)
	e.files.SetBody(path, string(replay.Gzip([]byte(text))))
}

// Queue makes a dataset asynchronous. Requests for its status return the given statuses
// in turn, and then the last one: SUBMITTED, PROCESSING, AVAILABLE, EXPIRED.
func (e *Server) Queue(code string, statuses ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queued[strings.ToLower(code)] = statuses
}

// setPacked makes a path serve a file, packed.
func (e *Server) setPacked(path, file string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files.Set(path, file)
	if delete(e.plain, path); !strings.HasSuffix(file, ".gz") {
		e.plain[path] = file
	}
}

// pack packs the file at a path, if it is not packed yet.
func (e *Server) pack(path string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	file, ok := e.plain[path]
	if !ok {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	delete(e.plain, path)
	e.files.SetBody(path, string(replay.Gzip(text)))
	return nil
}

// ServeHTTP implements [http.Handler].
func (e *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	for _, below := range []string{eurostatData, eurostatLists} {
		name, ok := strings.CutPrefix(path, below)
		switch {
		case !ok:
		case r.URL.Query().Get("format") != "TSV" || r.URL.Query().Get("compressed") != "true":
			sendFault(w, http.StatusBadRequest, "100", "INVALID_FORMAT: the replay serves format=TSV&compressed=true")
			return
		default:
			path = below + strings.ToLower(name)
		}
	}
	if id, ok := strings.CutPrefix(path, eurostatStatus); ok {
		e.status(w, id)
		return
	}
	if id, ok := strings.CutPrefix(path, eurostatResult); ok {
		e.mu.Lock()
		path = eurostatData + e.jobs[id]
		e.mu.Unlock()
	} else if code, ok := strings.CutPrefix(path, eurostatData); ok && e.submit(w, code) {
		return
	}
	if !e.files.Has(path) {
		sendFault(w, http.StatusNotFound, "100", "ERR_NOT_FOUND_4: Not found.")
		return
	}
	if err := e.pack(path); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fileRequest := r.Clone(r.Context())
	fileRequest.URL.Path, fileRequest.URL.RawPath, fileRequest.URL.RawQuery = path, "", ""
	e.files.ServeHTTP(w, fileRequest)
}

// submit queues a request. It returns false for a dataset that needs no preparation.
func (e *Server) submit(w http.ResponseWriter, code string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.queued[code] == nil {
		return false
	}
	id := fmt.Sprintf("98de05ea-540a-43d3-903b-%012d", len(e.jobs)+1)
	e.jobs[id] = code
	sendEnvelope(w, `<ns0:syncResponse xmlns:ns0="http://estat.ec.europa.eu/disschain/soap/extraction"><queued><id>`+
		id+`</id><status>SUBMITTED</status></queued></ns0:syncResponse>`)
	return true
}

// status sends the status of a job.
func (e *Server) status(w http.ResponseWriter, id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	status := "UNKNOWN_REQUEST"
	if code, ok := e.jobs[id]; ok {
		status = e.queued[code][0]
		if len(e.queued[code]) > 1 {
			e.queued[code] = e.queued[code][1:]
		}
	}
	sendEnvelope(w, `<ns0:asyncResponse xmlns:ns0="http://estat.ec.europa.eu/disschain/soap/asynchronous"><ns0:status><ns0:key>`+
		id+`</ns0:key><ns0:status>`+status+`</ns0:status></ns0:status></ns0:asyncResponse>`)
}

// sendEnvelope sends an XML envelope instead of data.
func sendEnvelope(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/xml")
	_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>%s</env:Body></env:Envelope>`, body)
}

// sendFault sends an error of the service.
func sendFault(w http.ResponseWriter, status int, code, text string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprint(w, Fault(code, text))
}

// Fault returns the XML of an error of the service.
func Fault(code, text string) string {
	return fmt.Sprintf(`<?xml version='1.0' encoding='UTF-8'?><S:Fault xmlns:S="http://schemas.xmlsoap.org/soap/envelope/">`+
		`<faultcode>%s</faultcode><faultstring>%s</faultstring></S:Fault>`, code, text)
}
