// Package pxwebtest replays PxWeb servers, and Statistics Denmark, for tests.
package pxwebtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Server replays the PxWeb servers of several offices, each under its own path. A table
// is a real PX file, and lists and metadata are made from its keywords. A request for
// a whole table returns the file, a request for a part returns a smaller file cut out
// of it. Cells and searches are limited as at the offices. It is safe for concurrent
// use.
type Server struct {
	mu      sync.Mutex
	tables  map[string]*table // by path in version 1
	cells   int
	silent  bool
	onQuery func(path string)
}

// table is a table of a server.
type table struct {
	site    *site
	path    string // below the site's address
	id      string // in version 2
	file    *tableFile
	updated string // in lists, if not the one in the file
	hidden  bool   // metadata omits the values, as for variables with too many
}

// site is one office's service.
type site struct {
	base   string // of version 1
	base2  string // of version 2; empty: none
	search bool   // supports ?query=
}

// The services by their real paths. A path that is a prefix of another comes after
// it.
var (
	scb     = &site{base: "/OV0104/v1/doris/en/ssd", base2: "/api/v2"}
	ssb     = &site{base: "/api/v0/en/table", base2: "/api/pxwebapi/v2", search: true}
	statFin = &site{base: "/PXWeb/api/v1/en/StatFin", search: true}
	statGL  = &site{base: "/api/v1/en/Greenland", search: true}
	nordic  = &site{base: "/api/v1/en/Nordic Statistics"}
	bfs     = &site{base: "/api/v1/en"}
	sites   = []*site{scb, ssb, statFin, statGL, nordic, bfs}
)

// places lists the path of each file. The folders are those of the subjects at the
// office.
var places = []struct {
	file string
	site *site
	path string
	id   string
}{
	{"scb/BE0101A1.px", scb, "BE/BE0101/BE0101A/BE0101A1", "TAB101"},
	{"scb/BE0101F1langensvfiolikacelln.px", scb, "BE/BE0101/BE0101F/BE0101F1", "TAB102"},
	{"scb/HA0201E8-quarter.px", scb, "HA/HA0201/HA0201E8", "TAB103"},
	{"scb/PR0101B3-month.px", scb, "PR/PR0101/PR0101B3", "TAB104"},
	{"scb/TAB2936.px", scb, "AM/AM0401/TAB2936", "TAB2936"},
	{"scb/TAB005-land-use.px", scb, "MI/MI0803/TAB005", "TAB005"},
	{"ssb/Transmengde.px", ssb, "ut/ut08/muh/08812", "08812"},
	{"ssb/migration-MultipleContent.px", ssb, "in/in02/flytting/11327", "11327"},
	{"ssb/03024-WeeklyStatisticsWithTwoContent.px", ssb, "ut/ut03/laks/03024", "03024"},
	{"statfin/HalfYearStatistics.px", statFin, "ktps/statfin_ktps_pxt_111p.px", ""},
	{"statfin/perheet-LargeFinnishDatasetWithManyValues.px", statFin, "perh/statfin_perh_pxt_12c1.px", ""},
	{"greenland/SOXATI4.px", statGL, "SO/SO10/SOXATI4.px", ""},
	{"greenland/BEXSTA_windows_1252.px", statGL, "BE/BE01/BE0120/BEXSTA.px", ""},
	{"nordic/NAAC01.px", nordic, "National accounts/NAAC01.px", ""},
	{"bfs/px-x-0602000000_107.px", bfs, "px-x-0602000000_107/px-x-0602000000_107.px", ""},
}

// New reads the real files in dir. cells limits the cells of a response.
func New(dir string, cells int) (*Server, error) {
	p := &Server{tables: map[string]*table{}, cells: cells}
	for _, w := range places {
		file, err := readFile(filepath.Join(dir, "px", filepath.FromSlash(w.file)))
		if err != nil {
			return nil, err
		}
		p.tables[w.site.base+"/"+w.path] = &table{site: w.site, path: w.path, id: w.id, file: file}
	}
	return p, nil
}

// Limit sets the limit of cells per response.
func (p *Server) Limit(cells int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cells = cells
}

// Silent makes the servers omit their limits.
func (p *Server) Silent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = true
}

// Hide omits the values of a table's variables from its metadata, as servers do if
// there are very many.
func (p *Server) Hide(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tables[path].hidden = true
}

// Update publishes a table again at a time, without the last drop values of a variable.
func (p *Server) Update(path, at string, variable, drop int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.tables[path]
	kept := make([][]int, len(t.file.variables))
	for i, v := range t.file.variables {
		for n := range v.codes {
			if i != variable || n < len(v.codes)-drop {
				kept[i] = append(kept[i], n)
			}
		}
	}
	raw, err := t.file.extract(kept)
	if err != nil {
		return err
	}
	file, err := parseFile(path, raw)
	if err != nil {
		return err
	}
	changed := *t
	changed.file, changed.updated = file, at
	p.tables[path] = &changed
	return nil
}

// OnQuery sets a function to call before each request for cells.
func (p *Server) OnQuery(f func(path string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onQuery = f
}

// ServeHTTP implements [http.Handler] for all services.
func (p *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	if r.Method == http.MethodPost {
		p.mu.Lock()
		before := p.onQuery
		p.mu.Unlock()
		if before != nil {
			before(path)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range sites {
		if below, ok := strings.CutPrefix(path, s.base2); ok && s.base2 != "" && (below == "" || below[0] == '/') {
			p.serveV2(w, r, s, strings.Trim(below, "/"))
			return
		}
		if below, ok := strings.CutPrefix(path, s.base); ok && (below == "" || below[0] == '/') {
			p.serveV1(w, r, s, strings.Trim(below, "/"))
			return
		}
	}
	http.Error(w, `{"error":"Not found"}`, http.StatusNotFound)
}

type object = map[string]any

func sendJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v)
}

// serveV1 serves version 1.
func (p *Server) serveV1(w http.ResponseWriter, r *http.Request, s *site, below string) {
	t := p.tables[s.base+"/"+below]
	if t == nil && below != "" && !strings.Contains(below, "/") { // a table without its folders
		for _, other := range p.tables {
			if other.site == s && other.path[strings.LastIndex(other.path, "/")+1:] == below {
				t = other
			}
		}
	}
	switch {
	case r.URL.RawQuery == "config" && p.silent:
		http.Error(w, "", http.StatusNotFound)
	case r.URL.RawQuery == "config":
		sendJSON(w, object{"maxValues": 10 * p.cells, "maxCells": p.cells, "maxCalls": 10, "timeWindow": 10, "CORS": true})
	case t != nil && r.Method == http.MethodPost:
		p.cellsV1(w, r, t)
	case t != nil:
		sendJSON(w, t.metadata())
	case s.search && r.URL.Query().Get("query") != "":
		sendJSON(w, p.found(s, r.URL.Query().Get("query")))
	default:
		if list := p.folder(s, below); list != nil {
			sendJSON(w, list)
			return
		}
		http.Error(w, `{"error":"Parameter error"}`, http.StatusNotFound)
	}
}

// sorted returns the tables of a service, by path.
func (p *Server) sorted(s *site) []*table {
	var list []*table
	for _, t := range p.tables {
		if t.site == s {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *table) int { return strings.Compare(a.path, b.path) })
	return list
}

// folder returns the content of a folder; nil if there is none. The service with many
// databases lists them as folders.
func (p *Server) folder(s *site, folder string) []object {
	var list []object
	seen := map[string]bool{}
	for _, t := range p.sorted(s) {
		below := t.path
		if folder != "" {
			var ok bool
			if below, ok = strings.CutPrefix(t.path, folder+"/"); !ok {
				continue
			}
		}
		name, _, deeper := strings.Cut(below, "/")
		switch {
		case deeper && seen[name]:
		case deeper && folder == "" && s == bfs:
			list = append(list, object{"dbid": name, "text": name})
		case deeper:
			list = append(list, object{"type": "l", "id": name, "text": "Subject " + name})
		default:
			list = append(list, object{"type": "t", "id": name, "text": t.title(), "updated": t.when()})
		}
		seen[name] = true
	}
	return list
}

// found returns the tables whose titles contain one of the words.
func (p *Server) found(s *site, words string) []object {
	list := []object{}
	for _, t := range p.sorted(s) {
		at := strings.LastIndex(t.path, "/")
		for word := range strings.FieldsSeq(strings.ToLower(words)) {
			if strings.Contains(strings.ToLower(t.title()), word) {
				list = append(list, object{"id": t.path[at+1:], "path": "/" + t.path[:at], "title": t.title(), "score": 1, "published": t.when()})
				break
			}
		}
	}
	return list
}

func (t *table) title() string {
	if text := t.file.text("DESCRIPTION"); text != "" {
		return text
	}
	return t.file.text("TITLE")
}

// when returns the time of the update as in lists: 2023-02-24T08:30:00.
func (t *table) when() string {
	u := t.updated
	if u == "" {
		u = t.file.updated()
	}
	if len(u) < len("20060102 15:04") {
		return ""
	}
	return u[:4] + "-" + u[4:6] + "-" + u[6:8] + "T" + u[9:14] + ":00"
}

// metadata returns the metadata of version 1.
func (t *table) metadata() object {
	var variables []object
	for _, v := range t.file.variables {
		texts := make([]string, len(v.codes))
		for i := range v.codes {
			texts[i] = v.text(i)
		}
		of := object{"code": v.code, "text": v.label()}
		if !t.hidden || len(v.codes) < 10 {
			of["values"], of["valueTexts"] = v.codes, texts
		}
		if v.time {
			of["time"] = true
		} else {
			of["elimination"] = true
		}
		variables = append(variables, of)
	}
	return object{"title": t.file.text("TITLE"), "variables": variables}
}

// selection is the selection for one variable.
type selection struct {
	code, filter string
	values       []string
}

// cellsV1 serves a request for cells in version 1.
func (p *Server) cellsV1(w http.ResponseWriter, r *http.Request, t *table) {
	var q struct {
		Query []struct {
			Code      string `json:"code"`
			Selection struct {
				Filter string   `json:"filter"`
				Values []string `json:"values"`
			} `json:"selection"`
		} `json:"query"`
		Response struct {
			Format string `json:"format"`
		} `json:"response"`
	}
	if !readQuery(w, r, &q) {
		return
	}
	var selections []selection
	for _, of := range q.Query {
		selections = append(selections, selection{of.Code, of.Selection.Filter, of.Selection.Values})
	}
	p.sendCells(w, t, selections, q.Response.Format)
}

func readQuery(w http.ResponseWriter, r *http.Request, q any) bool {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, q)
	}
	if err != nil {
		http.Error(w, `{"error":"Parameter error"}`, http.StatusBadRequest)
	}
	return err == nil
}

// sendCells sends the selected cells. It refuses values that the table does not have and
// selections with too many cells. A variable without a selection is an error: real
// servers add up its values, and tests must not depend on that.
func (p *Server) sendCells(w http.ResponseWriter, t *table, selections []selection, format string) {
	kept := make([][]int, len(t.file.variables))
	cells := 1
	for i, v := range t.file.variables {
		at := slices.IndexFunc(selections, func(a selection) bool { return a.code == v.code })
		if at < 0 {
			http.Error(w, `{"error":"a variable has no selection"}`, http.StatusBadRequest)
			return
		}
		var ok bool
		if kept[i], ok = v.positions(selections[at]); !ok {
			http.Error(w, `{"error":"Parameter error"}`, http.StatusNotFound)
			return
		}
		cells *= len(kept[i])
	}
	if cells > p.cells {
		http.Error(w, `{"error":"Too many values selected"}`, http.StatusForbidden)
		return
	}
	if format == "json-stat2" {
		sendJSON(w, t.stat(kept))
		return
	}
	data, err := t.file.extract(kept)
	if err != nil || format != "px" {
		http.Error(w, fmt.Sprintf(`{"error":"format %q: %v"}`, format, err), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+t.file.text("MATRIX")+`.px"`)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
}

// positions returns the positions of the selected values in ascending order.
func (v *variable) positions(a selection) (list []int, ok bool) {
	for n := range v.codes {
		if a.filter == "all" || a.filter == "top" && n >= len(v.codes)-1 {
			list = append(list, n)
		}
	}
	if a.filter == "item" {
		for _, value := range a.values {
			at := v.find(value)
			if at < 0 {
				return nil, false
			}
			list = append(list, at)
		}
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return list, len(list) > 0
}

// stat returns a part of a table as JSON-stat without values.
func (t *table) stat(kept [][]int) object {
	var ids []string
	var sizes []int
	dimensions, role := object{}, map[string][]string{}
	contents := t.file.text("CONTVARIABLE")
	for i, v := range t.file.variables {
		index, label := map[string]int{}, map[string]string{}
		for n, at := range kept[i] {
			index[v.codes[at]], label[v.codes[at]] = n, v.text(at)
		}
		ids, sizes = append(ids, v.code), append(sizes, len(kept[i]))
		dimensions[v.code] = object{"label": v.label(), "category": object{"index": index, "label": label}, "extension": object{"elimination": true}}
		switch {
		case v.time:
			role["time"] = append(role["time"], v.code)
		case v.isArea:
			role["geo"] = append(role["geo"], v.code)
		case contents != "" && v.label() == contents:
			role["metric"] = append(role["metric"], v.code)
		}
	}
	return object{
		"version": "2.0", "class": "dataset", "label": t.title(), "source": t.file.text("SOURCE"), "updated": t.when() + "Z",
		"role": role, "id": ids, "size": sizes, "dimension": dimensions, "value": []float64{},
	}
}
