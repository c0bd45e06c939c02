package eurostat

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"almanac/internal/stat"
)

// part is a dataset, or the part of one that a key or filters select:
//
//	nama_10_gdp                                   a whole dataset
//	nama_10_gdp/A.CP_MEUR.B1GQ.DE                 the series of a key, as in SDMX 2.1
//	DS-045409/M.DE.FR.8703.1.VALUE_IN_EUROS?startPeriod=2020
//	nama_10_gdp?geo=DE&geo=FR&sinceTimePeriod=2015   filters, as in the API statistics
type part struct {
	dataset, key, query string
}

var (
	keyPattern   = regexp.MustCompile(`^[A-Za-z0-9_.+-]+$`)
	queryPattern = regexp.MustCompile(`^[A-Za-z_]+=[A-Za-z0-9_.+:%-]+(&[A-Za-z_]+=[A-Za-z0-9_.+:%-]+)*$`)
)

// parsePart parses a code.
func (s *server) parsePart(code string) (part, error) {
	path, query, hasQuery := strings.Cut(code, "?")
	dataset, key, hasKey := strings.Cut(path, "/")
	p := part{dataset: dataset, key: key, query: query}
	if !codePattern.MatchString(dataset) || hasKey && (!keyPattern.MatchString(key) || !strings.Contains(key, ".") || strings.Trim(key, ".") == "") || hasQuery && !queryPattern.MatchString(query) {
		return p, stat.Errorf(stat.NotFound, "invalid code %q of a dataset of %s: must look like nama_10_gdp, nama_10_gdp/A.CP_MEUR.B1GQ.DE or nama_10_gdp?geo=DE", code, s.Name)
	}
	return p, nil
}

// isWhole reports whether the part is the whole dataset.
func (p part) isWhole() bool { return p.key == "" && p.query == "" }

// name returns the name of the part of a dataset with a title.
func (p part) name(title string) string {
	if p.isWhole() || title == "" {
		return title
	}
	return title + " (" + strings.Trim(p.key+"?"+p.query, "?") + ")"
}

// isStatistics reports whether the filters are those of the API statistics, which answers
// with JSON-stat and labels.
func (p part) isStatistics() bool {
	return p.key == "" && p.query != "" && !strings.HasPrefix(p.query, "startPeriod=") && !strings.HasPrefix(p.query, "endPeriod=")
}

// partAddress returns the address of the data.
func (s *server) partAddress(p part) string {
	base := s.serviceOf(p.dataset)
	if p.isStatistics() {
		return base + "/statistics/1.0/data/" + url.PathEscape(p.dataset) + "?format=JSON&lang=EN&" + p.query
	}
	address := base + "/sdmx/2.1/data/" + url.PathEscape(p.dataset)
	if p.key != "" {
		address += "/" + p.key
	}
	address += "?format=TSV&compressed=true"
	if p.query != "" {
		address += "&" + p.query
	}
	return address
}

// suggestPart adds to the refusal of a whole dataset how to name a part of it. Foreign
// trade in goods (DS-…) is not to be had whole at all.
func (s *server) suggestPart(p part, err error) error {
	if stat.KindOf(err) != stat.Refused || !p.isWhole() {
		return err
	}
	reference := fmt.Sprintf("%s:%s", s.ID, p.dataset)
	return &stat.Error{Kind: stat.Refused, Message: fmt.Sprintf("fetch a part of it, such as %s/KEY with the codes of its dimensions (A.DE....), or %s?geo=DE", reference, reference), Err: err}
}
