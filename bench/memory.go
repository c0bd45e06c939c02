package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"almanac/internal/stat"
)

// memoryServer is the first argument of the child process that is the in-memory server;
// the others are the address of Almanac and the IDs of the datasets.
const memoryServer = "memory-server"

// memoryDataset is a dataset of the in-memory server.
type memoryDataset struct {
	meta             member
	dims             int
	areas, periods   []string
	areaAt, periodAt map[string]int
	series           map[string]*memorySeries // by the values of the dimensions
}

type memorySeries struct {
	key    []string
	unit   string
	values []float64 // of all areas in the first period, then in the second …; NaN: missing
}

// member is a member of a JSON object: a string, a number, an array of strings or an object.
type member struct {
	name, text, number string
	list               []string
	members            []member
}

// startMemory starts the in-memory server with datasets of another server.
func (h *harness) startMemory(from *process, ids []int) *process {
	args := []string{h.self, memoryServer, from.url}
	for _, id := range ids {
		args = append(args, strconv.Itoa(id))
	}
	return h.startServer(nil, args...)
}

// serveMemory serves /api/datasets/{id}/data for queries of the case (a), as a plain
// program does that has all observations in arrays: it looks the codes up in maps and
// writes the JSON anew for each request. It has no other parameters, keys, limits, ETags
// or compression. The responses are the same as Almanac's.
func serveMemory(from string, ids []string, log io.Writer) {
	datasets := map[string]*memoryDataset{}
	for _, id := range ids {
		datasets[id] = readMemoryDataset(from + "/api/datasets/" + id)
	}
	buffers := sync.Pool{New: func() any { return new([]byte) }}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/datasets/{id}/data", func(w http.ResponseWriter, r *http.Request) {
		d := datasets[r.PathValue("id")]
		if d == nil {
			http.NotFound(w, r)
			return
		}
		buf := buffers.Get().(*[]byte)
		defer buffers.Put(buf)
		*buf = d.appendData((*buf)[:0], r.URL.Query())
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(*buf)))
		_, _ = w.Write(*buf) // the client may have disconnected
	})
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Fprintf(log, "listening on http://%s\n", listener.Addr())
	check(http.Serve(listener, mux))
}

func (d *memoryDataset) appendData(buf []byte, query url.Values) []byte {
	var key []string
	for i := range d.dims {
		key = append(key, query.Get("dim"+strconv.Itoa(i+1)))
	}
	buf = append(buf, `{"data":[`...)
	if s := d.series[strings.Join(key, "|")]; s != nil {
		var areas []int
		for _, label := range query["country"] {
			if area, ok := d.areaAt[label]; ok {
				areas = append(areas, area)
			}
		}
		slices.Sort(areas)
		buf = d.appendSeries(buf, s, areas, d.periodAt[query.Get("period_from")], d.periodAt[query.Get("period_to")])
	}
	return append(d.meta.appendValue(append(buf, `],"meta":`...)), '}')
}

// appendSeries appends a block of a series: the values of areas from one period to another.
func (d *memoryDataset) appendSeries(buf []byte, s *memorySeries, areas []int, from, to int) []byte {
	buf = append(buf, `{"series_key":{`...)
	for i, value := range s.key {
		buf = append(strconv.AppendInt(append(appendComma(buf), `"dim`...), int64(i+1), 10), `_value":`...)
		buf = appendText(buf, value)
	}
	buf = append(buf, `},"countries":[`...)
	for _, area := range areas {
		for period := from; period <= to; period++ {
			if !math.IsNaN(s.values[period*len(d.areas)+area]) {
				buf = appendText(appendComma(buf), d.areas[area])
				break
			}
		}
	}
	buf = append(buf, `],"rows":[`...)
	for period := from; period <= to; period++ {
		isEmpty, before := true, len(buf)
		buf = appendText(append(appendComma(buf), `{"period":`...), d.periods[period])
		buf = append(buf, `,"values":{`...)
		for _, area := range areas {
			if value := s.values[period*len(d.areas)+area]; !math.IsNaN(value) {
				buf = append(appendText(appendComma(buf), d.areas[area]), ':')
				buf, isEmpty = strconv.AppendFloat(buf, value, 'f', -1, 64), false
			}
		}
		if isEmpty {
			buf = buf[:before]
			continue
		}
		buf = append(appendText(append(buf, `},"unit":`...), s.unit), '}')
	}
	return append(buf, ']', '}')
}

func (m *member) appendValue(buf []byte) []byte {
	switch {
	case m.members != nil:
		buf = append(buf, '{')
		for i := range m.members {
			buf = append(appendText(appendComma(buf), m.members[i].name), ':')
			buf = m.members[i].appendValue(buf)
		}
		return append(buf, '}')
	case m.list != nil:
		buf = append(buf, '[')
		for _, text := range m.list {
			buf = appendText(appendComma(buf), text)
		}
		return append(buf, ']')
	case m.number != "":
		return append(buf, m.number...)
	}
	return appendText(buf, m.text)
}

func appendComma(buf []byte) []byte {
	if last := buf[len(buf)-1]; last == '{' || last == '[' {
		return buf
	}
	return append(buf, ',')
}

func appendText(buf []byte, text string) []byte {
	buf = append(buf, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			buf = append(buf, '\\', byte(r))
		case r < ' ':
			buf = fmt.Appendf(buf, `\u%04x`, r)
		default:
			buf = utf8.AppendRune(buf, r)
		}
	}
	return append(buf, '"')
}

// readMemoryDataset reads a dataset of Almanac.
func readMemoryDataset(url string) *memoryDataset {
	var whole struct {
		Data []struct {
			Key  json.RawMessage `json:"series_key"`
			Rows []struct {
				Period string
				Values map[string]float64
				Unit   string
			}
		}
	}
	check(json.NewDecoder(get(url)).Decode(&whole))
	var codes struct {
		Geography []struct{ Label string }
	}
	check(json.NewDecoder(get(url + "/dimensions")).Decode(&codes))
	d := &memoryDataset{areaAt: map[string]int{}, periodAt: map[string]int{}, series: map[string]*memorySeries{}}
	d.meta.read(json.NewDecoder(get(url + "/meta")))
	for i, area := range codes.Geography {
		d.areas, d.areaAt[area.Label] = append(d.areas, area.Label), i
	}
	periods := map[stat.Period]bool{}
	for _, block := range whole.Data {
		for _, row := range block.Rows {
			periods[must(stat.ParsePeriod(row.Period))] = true
		}
	}
	for i, period := range slices.SortedFunc(maps.Keys(periods), stat.Period.Compare) {
		d.periods, d.periodAt[period.String()] = append(d.periods, period.String()), i
	}
	for _, block := range whole.Data {
		var key member
		key.read(json.NewDecoder(bytes.NewReader(block.Key)))
		s := &memorySeries{unit: block.Rows[0].Unit, values: slices.Repeat([]float64{math.NaN()}, len(d.areas)*len(d.periods))}
		for _, value := range key.members {
			s.key = append(s.key, value.text)
		}
		for _, row := range block.Rows {
			for area, value := range row.Values {
				s.values[d.periodAt[row.Period]*len(d.areas)+d.areaAt[area]] = value
			}
		}
		d.dims, d.series[strings.Join(s.key, "|")] = len(s.key), s
	}
	return d
}

// get returns the body of a successful response.
func get(url string) io.Reader {
	resp := must(http.Get(url))
	defer resp.Body.Close()
	body := must(io.ReadAll(resp.Body))
	if resp.StatusCode != http.StatusOK {
		check(fmt.Errorf("%s: status %d: %.300s", url, resp.StatusCode, body))
	}
	return bytes.NewReader(body)
}

// read reads the value of the member.
func (m *member) read(from *json.Decoder) {
	from.UseNumber()
	switch token := must(from.Token()).(type) {
	case string:
		m.text = token
	case json.Number:
		m.number = token.String()
	case json.Delim:
		for from.More() {
			var inner member
			if token == '[' {
				inner.read(from)
				m.list = append(m.list, inner.text)
				continue
			}
			inner.name = must(from.Token()).(string)
			inner.read(from)
			m.members = append(m.members, inner)
		}
		must(from.Token()) // the end
	default:
		check(fmt.Errorf("unexpected value %v in the metadata", token))
	}
}
