// Package ghotest replays the Global Health Observatory for tests.
package ghotest

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Server replays the Global Health Observatory's OData service with two indicators,
// WHOSIS_000001 and HWF_0001. Its records are made from the rows of the real CSV, and
// the labels of countries and regions come from HWF_0001.
type Server struct {
	mu         sync.Mutex
	indicators map[string][]string // records by code
	places     map[string]string   // labels of countries and of regions
	regions    map[string]string
	page       int // records per page; 0: all
}

// New reads the real files in dir.
func New(dir string) (*Server, error) {
	g := &Server{indicators: map[string][]string{}, places: map[string]string{}, regions: map[string]string{}}
	if err := g.read(filepath.Join(dir, "who", "WHOSIS_000001.csv")); err != nil {
		return nil, err
	}
	return g, g.read(filepath.Join(dir, "who", "HWF_0001-gho-export.csv"))
}

// read reads a file in one of the two forms.
func (g *Server) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	for i, row := range rows[1:] {
		cells := map[string]string{}
		for at, name := range rows[0] {
			cells[name] = row[at]
		}
		code := cells["IndicatorCode"]
		g.indicators[code] = append(g.indicators[code], record(i, cells))
		if cells["Location"] != "" {
			g.places[cells["SpatialDimValueCode"]] = cells["Location"]
			g.regions[cells["ParentLocationCode"]] = cells["ParentLocation"]
		}
	}
	return nil
}

// record converts a row of either form to a record of the service.
func record(i int, cells map[string]string) string {
	either := func(names ...string) string {
		for _, name := range names {
			if text := cells[name]; text != "" {
				return text
			}
		}
		return ""
	}
	text := func(names ...string) string {
		value := either(names...)
		if value == "" {
			return "null"
		}
		quoted, _ := json.Marshal(value) // a string never fails
		return string(quoted)
	}
	number := func(names ...string) string {
		if value := either(names...); value != "" {
			return value
		}
		return "null"
	}
	id := either("Id")
	if id == "" {
		id = strconv.Itoa(i + 1)
	}
	return fmt.Sprintf(`{"Id":%s,"IndicatorCode":%s,"SpatialDimType":%s,"SpatialDim":%s,"ParentLocationCode":%s,"ParentLocation":%s,`+
		`"TimeDimType":"YEAR","TimeDim":%s,"Dim1Type":%s,"Dim1":%s,"Dim2Type":null,"Dim2":null,"Dim3Type":null,"Dim3":null,`+
		`"DataSourceDimType":null,"DataSourceDim":null,"Value":%s,"NumericValue":%s,"Low":%s,"High":%s,"Comments":null,"Date":%s,`+
		`"TimeDimensionValue":%s,"TimeDimensionBegin":null,"TimeDimensionEnd":null}`,
		id, text("IndicatorCode"), strings.ToUpper(text("SpatialDimension", "Location type")), text("SpatialDimensionValueCode", "SpatialDimValueCode"),
		text("ParentLocationCode"), text("ParentLocation"), number("TimeDim", "Period"),
		text("DisaggregatingDimension1"), text("DisaggregatingDimension1ValueCode"),
		text("Value"), number("NumericValue", "FactValueNumeric"), number("Low"), number("High"), text("Date", "DateModified"), text("TimeDimensionValue", "Period"))
}

// Page sets the number of entries per page.
func (g *Server) Page(entries int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.page = entries
}

// Drop removes the last records of an indicator, as an update does: its first pages
// stay unchanged.
func (g *Server) Drop(code string, records int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.indicators[code] = g.indicators[code][:len(g.indicators[code])-records]
}

// sexes are the values of the dimension SEX.
var sexes = []string{
	`{"Code":"SEX_BTSX","Title":"Both sexes","Dimension":"SEX","ParentDimension":null,"ParentCode":null,"ParentTitle":null}`,
	`{"Code":"SEX_FMLE","Title":"Female","Dimension":"SEX","ParentDimension":null,"ParentCode":null,"ParentTitle":null}`,
	`{"Code":"SEX_MLE","Title":"Male","Dimension":"SEX","ParentDimension":null,"ParentCode":null,"ParentTitle":null}`,
}

// ServeHTTP implements [http.Handler].
func (g *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	path, found := strings.CutPrefix(r.URL.Path, "/api/")
	values := func(dimension string, labels map[string]string) (list []string) {
		for code, label := range labels {
			list = append(list, fmt.Sprintf(`{"Code":%q,"Title":%q,"Dimension":%q}`, code, label, dimension))
		}
		slices.Sort(list)
		return list
	}
	switch records := g.indicators[path]; {
	case found && path == "Indicator":
		g.send(w, r, "Indicator", titles(r.URL.Query()))
	case found && path == "DIMENSION/COUNTRY/DimensionValues":
		g.send(w, r, "Collection(Default.DIMENSION_VALUE)", values("COUNTRY", g.places))
	case found && path == "DIMENSION/REGION/DimensionValues":
		g.send(w, r, "Collection(Default.DIMENSION_VALUE)", values("REGION", g.regions))
	case found && path == "DIMENSION/SEX/DimensionValues":
		g.send(w, r, "Collection(Default.DIMENSION_VALUE)", sexes)
	case found && path == "DIMENSION/GLOBAL/DimensionValues":
		g.send(w, r, "Collection(Default.DIMENSION_VALUE)", nil)
	case !found || records == nil:
		http.Error(w, `{"error":{"code":"","message":"The resource was not found."}}`, http.StatusNotFound)
	default:
		g.send(w, r, path, records)
	}
}

// titles returns the list of indicators, filtered by $filter.
func titles(q url.Values) []string {
	var list []string
	for _, t := range []struct{ code, name string }{
		{"HWF_0001", "Medical doctors (per 10,000)"},
		{"WHOSIS_000001", "Life expectancy at birth (years)"},
	} {
		if filter := q.Get("$filter"); filter == "" || filter == "IndicatorCode eq '"+t.code+"'" {
			list = append(list, fmt.Sprintf(`{"IndicatorCode":%q,"IndicatorName":%q,"Language":"EN"}`, t.code, t.name))
		}
	}
	return list
}

// send writes a page of entries, with an ETag.
func (g *Server) send(w http.ResponseWriter, r *http.Request, set string, entries []string) {
	skip, _ := strconv.Atoi(r.URL.Query().Get("$skip"))
	skip = min(max(skip, 0), len(entries))
	entries, next := entries[skip:], ""
	if g.page > 0 && len(entries) > g.page {
		q := r.URL.Query()
		q.Set("$skip", strconv.Itoa(skip+g.page))
		entries, next = entries[:g.page], fmt.Sprintf(`,"@odata.nextLink":"http://%s%s?%s"`, r.Host, r.URL.Path, q.Encode())
	}
	text := fmt.Sprintf(`{"@odata.context":"https://ghoapi.azureedge.net/api/$metadata#%s","value":[%s]%s}`, set, strings.Join(entries, ","), next)
	digest := sha256.Sum256([]byte(text))
	tag := fmt.Sprintf(`"%x"`, digest[:8])
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", "application/json; odata.metadata=minimal")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = fmt.Fprint(w, text)
}
