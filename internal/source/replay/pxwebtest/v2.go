package pxwebtest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// serveV2 serves version 2.
func (p *Server) serveV2(w http.ResponseWriter, r *http.Request, s *site, below string) {
	parts := strings.Split(below, "/")
	switch {
	case below == "config" && p.silent:
		http.Error(w, "", http.StatusNotFound)
		return
	case below == "config":
		sendJSON(w, object{
			"apiVersion": "2.3.2", "defaultLanguage": "en", "maxDataCells": p.cells, "maxCallsPerTimeWindow": 30, "timeWindow": 10,
			"defaultDataFormat": "json-stat2", "dataFormats": []string{"json-stat2", "csv", "px"},
		})
		return
	case below == "tables":
		p.page(w, r, s)
		return
	}
	var t *table
	if len(parts) > 1 {
		for _, other := range p.tables {
			if other.site == s && other.id == parts[1] {
				t = other
			}
		}
	}
	switch {
	case t == nil || len(parts) > 3:
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"type":"Parameter error","title":"Non-existent table","status":404}`))
	case len(parts) == 2:
		sendJSON(w, t.listed())
	case parts[2] == "metadata":
		sendJSON(w, t.stat(t.all()))
	case parts[2] == "data" && r.Method == http.MethodPost:
		p.cellsV2(w, r, t)
	default:
		http.Error(w, "", http.StatusNotFound)
	}
}

// all returns the positions of all values.
func (t *table) all() [][]int {
	kept := make([][]int, len(t.file.variables))
	for i, v := range t.file.variables {
		kept[i], _ = v.positions(selection{filter: "all"})
	}
	return kept
}

// listed returns a table's entry in the list.
func (t *table) listed() object {
	var levels []object
	folders := strings.Split(t.path, "/")
	for _, folder := range folders[:len(folders)-1] {
		levels = append(levels, object{"id": folder, "label": "Subject " + folder})
	}
	return object{
		"type": "Table", "id": t.id, "label": t.title(), "description": "", "updated": t.when() + "Z", "category": "public",
		"source": t.file.text("SOURCE"), "paths": [][]object{levels}, "links": []object{},
	}
}

// page sends a page of the list. Pages are small, so that a few tables fill several.
func (p *Server) page(w http.ResponseWriter, r *http.Request, s *site) {
	const size = 4
	number, _ := strconv.Atoi(r.URL.Query().Get("pageNumber"))
	number = max(1, number)
	var list []object
	for _, t := range p.sorted(s) {
		list = append(list, t.listed())
	}
	pages := (len(list) + size - 1) / size
	if number > pages {
		http.Error(w, `{"title":"Out of range"}`, http.StatusNotFound)
		return
	}
	sendJSON(w, object{
		"language": "en", "tables": list[(number-1)*size : min(len(list), number*size)],
		"page":  object{"pageNumber": number, "pageSize": size, "totalElements": len(list), "totalPages": pages},
		"links": []object{},
	})
}

// cellsV2 serves a request for cells in version 2.
func (p *Server) cellsV2(w http.ResponseWriter, r *http.Request, t *table) {
	var q struct {
		Selection []struct {
			Variable string   `json:"variableCode"`
			Values   []string `json:"valueCodes"`
		} `json:"selection"`
	}
	if !readQuery(w, r, &q) {
		return
	}
	var selections []selection
	for _, of := range q.Selection {
		a := selection{of.Variable, "item", of.Values}
		if slices.Contains(of.Values, "*") {
			a.filter = "all"
		}
		selections = append(selections, a)
	}
	p.sendCells(w, t, selections, r.URL.Query().Get("outputFormat"))
}
