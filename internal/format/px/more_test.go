package px_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/format/formattest"
	"almanac/internal/format/px"
	"almanac/internal/stattest"
)

var (
	pxStatement = regexp.MustCompile(`(?s)(STUB|HEADING|VALUES|CODES)(?:\("([^"]*)"\))?=((?:\s*"[^"]*",?)+);`)
	pxText      = regexp.MustCompile(`"([^"]*)"`)
	pxQuarter   = regexp.MustCompile(`^(\d{4})T(\d)$`)
)

// TestMoreFiles compares every cell of further real files with regular expressions.
func TestMoreFiles(t *testing.T) {
	for _, file := range []struct {
		path, office, time, geography, period string
		decode                                *charmap.Charmap // nil: UTF-8
	}{
		{"px-07A01/07A01_02.px", "ukrstat", "Рік", "Територія", "", charmap.Windows1251},
		{"px-ine-1001/1001.px", "ine", "Periodo", "", "", nil},
		{"px-pxr-example/example.px", "ine", "", "municipios", "2005", charmap.ISO8859_1},
	} {
		s := stattest.SampleMore(t, file.path)
		s.In.Period = file.period
		table := formattest.ReadOne(t, px.Formats()[0], s)
		if d := table.Dataset; d.Source.ID != file.office || d.Geography.ID != file.geography {
			t.Errorf("%s is of %s, with the geography %q", file.path, d.Source.ID, d.Geography.ID)
		}
		content := string(s.Data)
		if file.decode != nil {
			content, _ = file.decode.NewDecoder().String(content)
		}
		formattest.SameLines(t, table, pxLines(t, content, file.time, file.geography, file.period))
	}
}

// pxLines returns the observations of a small PX file: those with a number, or dots.
func pxLines(t *testing.T, content, time, geography, period string) []string {
	t.Helper()
	head, data, _ := strings.Cut(content, "DATA=")
	lists := map[string][]string{}
	for _, m := range pxStatement.FindAllStringSubmatch(head, -1) {
		for _, text := range pxText.FindAllStringSubmatch(m[3], -1) {
			lists[m[1]+m[2]] = append(lists[m[1]+m[2]], strings.TrimSpace(text[1]))
		}
	}
	names := append(lists["STUB"], lists["HEADING"]...)
	cells := strings.Fields(strings.ReplaceAll(data, ";", " "))
	var lines []string
	for i, cell := range cells {
		rest, key, area, at := i, "", "", period
		for n := len(names) - 1; n >= 0; n-- {
			codes := lists["CODES"+names[n]]
			if codes == nil {
				codes = lists["VALUES"+names[n]]
			}
			code := codes[rest%len(codes)]
			rest /= len(codes)
			switch names[n] {
			case time:
				at = pxQuarter.ReplaceAllString(code, "Q$2/$1")
			case geography:
				area = code + ","
			default:
				key = code + "," + key
			}
		}
		flag := ""
		if dots := strings.Trim(cell, `"`); strings.Trim(dots, ".") == "" {
			cell, flag = "NaN", fmt.Sprintf(" %q", "UKRSTAT:"+dots)
		} else if v, err := strconv.ParseFloat(cell, 64); err == nil {
			cell = fmt.Sprint(v)
		}
		lines = append(lines, fmt.Sprintf("%s%s %s = %s%s", key, area, at, cell, flag))
	}
	return lines
}
