package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"almanac/internal/request"
	"almanac/internal/topics"
)

// topicSummary is a subject-matter domain, with the number of datasets that speak of it or of
// a domain below it.
type topicSummary struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Broader string `json:"broader,omitempty"` // code of the domain above it
	Here    int    `json:"here"`
	Offered int    `json:"offered"`
}

// topics replies with all subject-matter domains.
func (x *exchange) topics() (*reply, error) {
	p, err := bind[request.Topics](x)
	if err != nil {
		return nil, err
	}
	language, notices, err := request.TopicLanguage(p.Lang, x.acceptLanguage())
	if err != nil {
		return nil, err
	}
	index, err := x.index()
	if err != nil {
		return nil, err
	}
	h := x.w.Header()
	h["Content-Language"], h["Vary"] = []string{language}, varyLanguage
	counts := index.TopicCounts()
	list := make([]topicSummary, 0, len(topics.All()))
	for _, t := range topics.All() {
		n := counts[t.Code]
		list = append(list, topicSummary{t.Code, cmp.Or(t.Names[language], t.Name), t.Code[:max(0, strings.LastIndexByte(t.Code, '.'))], n.Here, n.Offered})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encoding topics: %w", err)
	}
	return constantReply(append(appendNotices(append([]byte(`{"data":`), text...), notices), '}')), nil
}
