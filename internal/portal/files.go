package portal

import (
	"net/url"
	"path"
	"strconv"
	"strings"
)

// file is a way to take the selection away.
type file struct {
	Name, What, Address string
	Size                string
	Short               string // on the row below the chart; empty: it is not there
	Download            string // the name under which a browser keeps what it would show; empty: that of the response
}

// files lists the files of the selection, with their sizes. All are built from the same query as the
// page.
func (p *page) files(s *selection) ([]file, error) {
	base := strings.TrimSuffix(p.opts.BaseURL, "/") + s.api
	query := s.fileQuery()
	chart := s.pictureQuery()
	wide := s.fileQuery()
	wide.Set("wide", "area")
	flags := s.fileQuery()
	flags.Set("flags", "true")
	all := []struct {
		name, ending string
		query        url.Values
		isChart      bool
	}{
		{"png", "/chart.png", chart, true},
		{"svg", "/chart.svg", chart, true},
		{"csv", "/data.csv", query, false},
		{"wide", "/data.csv", wide, false},
		{"xlsx", "/data.xlsx", query, false},
		{"json", "/data", flags, false},
		{"parquet", "/data.parquet", query, false},
	}
	list := make([]file, len(all))
	for i, f := range all {
		size, err := p.sizeOf(s, s.api+f.ending, f.query, f.isChart)
		if isRefused(err) { // the form does not hold this selection
			continue
		}
		if err != nil {
			return nil, err
		}
		list[i] = file{Name: p.lang.text("file." + f.name), What: p.lang.text("file." + f.name + ".what"), Address: addressWith(base+f.ending, f.query), Size: p.lang.bytes(size), Short: shortNames[f.name]}
		if f.isChart {
			list[i].Download = citationKey(s.Meta) + path.Ext(f.ending)
		}
	}
	whole := only(s.asked, "version", "as_of")
	size, err := p.sizeOf(s, s.api+"/dataset.parquet", whole, false)
	if isRefused(err) { // whole datasets of the source are not handed out
		return named(list), nil
	}
	list = append(list, file{Name: p.lang.text("file.whole"), What: p.lang.text("file.whole.what"), Address: addressWith(base+"/dataset.parquet", whole), Size: p.lang.bytes(size)})
	return named(list), err
}

// shortNames are those of the files on the row below the chart.
var shortNames = map[string]string{"png": "PNG", "svg": "SVG", "csv": "CSV", "xlsx": "XLSX", "json": "JSON"}

func named(list []file) []file {
	kept := list[:0]
	for _, f := range list {
		if f.Name != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// sizeOf returns the number of bytes of a file. It is remembered, since a version never changes.
func (p *page) sizeOf(s *selection, address string, query url.Values, isChart bool) (int, error) {
	key := "size " + s.edition() + addressWith(address, query)
	return remember(p.memory, key, forEver, func() (int, error) {
		if isChart {
			picture, err := p.get(address, query)
			return len(picture), err
		}
		dry := url.Values{"dry_run": {"true"}}
		for name, values := range query {
			dry[name] = values
		}
		var sized struct{ Size struct{ Bytes int } }
		err := p.read(address, dry, &sized)
		return sized.Size.Bytes, err
	})
}

// bytes writes a size: 19 kB.
func (l *language) bytes(n int) string {
	units := strings.Fields(l.text("unit.bytes"))
	switch {
	case n < 1000:
		return l.integer(n) + " " + units[0]
	case n < 10_000:
		return l.number(strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64)) + " " + units[1]
	case n < 1_000_000:
		return l.integer((n+500)/1000) + " " + units[1]
	}
	return l.number(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)) + " " + units[2]
}
