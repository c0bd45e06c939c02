package search_test

import (
	"slices"
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// Results can be in the order of their last periods, whatever the form in which the offices write them. Those that state none
// come last in both directions, and equal ones stay as well as they answer the question.
func TestOrderByLastPeriod(t *testing.T) {
	var list []offer.Offer
	for code, last := range map[string]string{"old": "1999", "month": "2024-03", "quarter": "Q4/2023", "none": "", "unclear": "now and then", "year": "2024"} {
		list = append(list, offer.Offer{Source: "made", Code: code, Title: "Wages " + code, Language: "en", Last: last})
	}
	s := searchOver(t, list)
	for _, c := range []struct {
		order search.Order
		want  []string
	}{
		{search.Order{By: "latest_period", IsDescending: true}, []string{"month", "year", "quarter", "old"}},
		{search.Order{By: "latest_period"}, []string{"old", "quarter", "year", "month"}},
	} {
		found, err := s.Find(t.Context(), search.Query{Text: "wages", Order: c.order})
		if err != nil || found.Total != len(list) {
			t.Fatal(found, err)
		}
		var codes []string
		for _, h := range found.Hits[:len(c.want)] {
			codes = append(codes, h.Code)
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("%+v: %v, want %v, then those without a period", c.order, codes, c.want)
		}
	}
}
